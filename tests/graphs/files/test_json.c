/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs, public signals and verification keys in JSON: what is read is written as snarkjs writes it, and every
 * notation that is not one number is refused.
 */
#include "scratch.h"

#include "fuzz/hostile.h"
#include "formats/decimal.h"
#include "groth16/formats/json.h"
#include "formats/wtns.h"

static const char *const folders[] = {"multiplier_bn254", "multiplier_bls12381", "poseidon_merkle"};

static hostile_buffer slurp(const char *folder, const char *name) {
  char path[4096];
  hostile_buffer buffer;
  snprintf(path, sizeof path, FIXTURES "%s/%s", folder, name);
  assert_true(hostile_slurp(path, &buffer));
  return buffer;
}

static void assert_text(support_text *text, const hostile_buffer *expected) {
  assert_int_equal(text->length, expected->size);
  assert_memory_equal(text->data, expected->data, expected->size);
  free(text->data);
  *text = (support_text){0};
}

/* snarkjs's proof.json, read and written again, is the same byte for byte. */
static void proofs_round_trip(void **state) {
  (void)state;
  static const char *const names[] = {"proof.json", "proof_r2_s3.json"};
  for (int i = 0; i < 6; i++) {
    hostile_buffer json = slurp(folders[i / 2], names[i % 2]);
    rp_groth16_proof proof;
    support_text text = {0};
    assert_ok(g16_proof_read("proof", (char *)json.data, json.size, &proof, err));
    assert_ok(g16_proof_check("proof", &proof, err));
    assert_ok(g16_proof_write(&proof, &text, err));
    assert_text(&text, &json);
    free(json.data);
  }
}

/* Public.json has the values of the witness that follow the constant. */
static void public_signals_round_trip(void **state) {
  (void)state;
  static const size_t n_public[] = {1, 1, 2};
  for (int i = 0; i < 3; i++) {
    hostile_buffer json = slurp(folders[i], "public.json");
    char path[4096];
    uint8_t values[64], witness[64];
    size_t n;
    support_text text = {0};
    support_file *file;
    g16_wtns wtns;
    assert_ok(g16_public_read("public", (char *)json.data, json.size, values, 2, &n, err));
    assert_int_equal(n, n_public[i]);
    snprintf(path, sizeof path, FIXTURES "%s/witness.wtns", folders[i]);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(g16_wtns_open(file, &wtns, err));
    assert_ok(g16_wtns_read(&wtns, 1, n, NULL, witness, err));
    assert_memory_equal(values, witness, 32 * n);
    assert_ok(g16_public_write(values, n, &text, err));
    assert_text(&text, &json);
    support_file_close(file);
    free(json.data);
  }
}

/* snarkjs's verification_key.json and the part of the zkey that it was exported from give the same key. What is written
 * differs from snarkjs's file only in lacking vk_alphabeta_12, unless that is given. */
static void verification_keys(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    hostile_buffer json = slurp(folders[i], "verification_key.json");
    char path[4096];
    g16_vkey read, from_key;
    support_file *file;
    g16_zkey zkey;
    assert_ok(g16_vkey_read("vkey", (char *)json.data, json.size, &read, err));
    assert_ok(g16_vkey_check("vkey", &read, err));
    snprintf(path, sizeof path, FIXTURES "%s/circuit.zkey", folders[i]);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(g16_zkey_open(file, &zkey, err));
    assert_ok(g16_vkey_from_zkey(&zkey, &from_key, err));
    size_t g1 = g16_g1_bytes(read.family), g2 = g16_g2_bytes(read.family);
    assert_ptr_equal(read.family, from_key.family);
    assert_int_equal(read.n_public, from_key.n_public);
    assert_memory_equal(&read.alpha_1, &from_key.alpha_1, g1);
    assert_memory_equal(&read.beta_2, &from_key.beta_2, g2);
    assert_memory_equal(&read.gamma_2, &from_key.gamma_2, g2);
    assert_memory_equal(&read.delta_2, &from_key.delta_2, g2);
    assert_memory_equal(read.ic, from_key.ic, (read.n_public + 1) * g1);

    char *count = strstr((char *)json.data, "\"nPublic\": ") + strlen("\"nPublic\": ");
    for (int more = -1; more <= 1; more += 2) { /* the number of points must be that of the signals and one */
      g16_vkey other;
      *count = (char)(*count + more);
      assert_int_equal(g16_vkey_read("vkey", (char *)json.data, json.size, &other, NULL), RP_ERR_FORMAT);
      *count = (char)(*count - more);
    }
    support_text text = {0};
    assert_ok(g16_vkey_write(&from_key, NULL, &text, err));
    const char *from = strstr((char *)json.data, " \"vk_alphabeta_12\""), *to = strstr((char *)json.data, " \"IC\"");
    size_t head = (size_t)(from - (char *)json.data), tail = json.size - (size_t)(to - (char *)json.data);
    assert_int_equal(text.length, head + tail);
    assert_memory_equal(text.data, json.data, head);
    assert_memory_equal(text.data + head, to, tail);
    free(text.data);
    g16_vkey_free(&read);
    g16_vkey_free(&from_key);
    support_file_close(file);
    free(json.data);
  }
}

/* With snarkjs's twelve coefficients, the whole file is written byte for byte. */
static void alpha_beta_is_written_as_snarkjs_does(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    hostile_buffer json = slurp(folders[i], "verification_key.json");
    g16_vkey vkey;
    uint64_t canonical[6];
    uint8_t alpha_beta[12 * 48];
    json.data[json.size] = 0;
    assert_ok(g16_vkey_read("vkey", (char *)json.data, json.size, &vkey, err));
    const rp_field_host *fq = rp_field_get(vkey.family->fq);
    const char *at = strchr(strstr((char *)json.data, "vk_alphabeta_12"), '[');
    for (int k = 0; k < 12; k++) {
      uint64_t element[6];
      const char *first = strchr(at, '"') + 1;
      at = strchr(first, '"') + 1;
      assert_true(g16_from_decimal(first, (size_t)(at - first) - 1, (uint8_t *)canonical, fq->size_bytes));
      assert_true(fq->from_canonical(element, canonical));
      memcpy(alpha_beta + k * fq->size_bytes, element, fq->size_bytes);
    }
    support_text text = {0};
    assert_ok(g16_vkey_write(&vkey, alpha_beta, &text, err));
    assert_text(&text, &json);
    g16_vkey_free(&vkey);
    free(json.data);
  }
}

static void read_public(const char *json, size_t expected, uint8_t values[96]) {
  size_t n;
  memset(values, 0, 96);
  assert_ok(g16_public_read("public", json, strlen(json), values, 3, &n, err));
  assert_int_equal(n, expected);
}

static void notations(void **state) {
  (void)state;
  uint8_t values[96];
  const uint8_t three[96] = {[0] = 33, [32] = 33, [64] = 33};
  read_public("[]", 0, values);
  read_public(" [33, \"33\",\n \"0x21\"] ", 3, values);
  assert_memory_equal(values, three, 96);
  read_public("[\"000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000033\"]",
              1, values);
  assert_memory_equal(values, three, 32);
  read_public("[1, 2, 3, 4, 5]", 5, values); /* signals that do not fit are counted */
  support_text text = {0};
  assert_ok(g16_public_write(NULL, 0, &text, err));
  assert_int_equal(text.length, 3);
  assert_memory_equal(text.data, "[\n]", 3); /* as snarkjs 0.7.6 writes it */
  free(text.data);
}

/* Thousands of public signals, all of full length. */
static void many_public_signals(void **state) {
  (void)state;
  enum { MANY = 20000 };
  uint8_t *values = malloc(MANY * 32), *again = malloc(MANY * 32);
  size_t n;
  support_text text = {0};
  for (size_t i = 0; i < MANY * 32; i++) values[i] = (uint8_t)(i * 2654435761u >> 11);
  assert_ok(g16_public_write(values, MANY, &text, err));
  assert_ok(g16_public_read("public", text.data, text.length, again, MANY, &n, err));
  assert_int_equal(n, MANY);
  assert_memory_equal(values, again, MANY * 32);
  free(text.data);
  free(values);
  free(again);
}

/* A proof may lack its curve (which is then BN254), have points with two coordinates, or infinity as snarkjs writes
 * it. */
static void proof_variants(void **state) {
  (void)state;
  static const char json[] = "{\"pi_a\": [\"0\", \"1\", \"0\"], \"pi_b\": [[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]], "
                             "\"pi_c\": [\"1\",\"2\"]}";
  rp_groth16_proof proof, again;
  uint8_t zero[192] = {0};
  support_text text = {0};
  assert_ok(g16_proof_read("proof", json, sizeof json - 1, &proof, err));
  assert_int_equal(proof.g1, RP_CURVE_BN254_G1);
  assert_memory_equal(proof.a, zero, 96);
  assert_memory_equal(proof.b, zero, 192);
  assert_ok(g16_proof_check("proof", &proof, err));
  assert_ok(g16_proof_write(&proof, &text, err));
  assert_ok(g16_proof_read("proof", text.data, text.length, &again, err));
  assert_memory_equal(&proof, &again, sizeof proof);
  free(text.data);
}

/* A proof of BLS12-381 that lacks its curve is recognised by its coordinates. */
static void curve_by_coordinates(void **state) {
  (void)state;
  hostile_buffer json = slurp("multiplier_bls12381", "proof.json");
  rp_groth16_proof named, unnamed;
  assert_ok(g16_proof_read("proof", (char *)json.data, json.size, &named, err));
  json.data[json.size] = 0;
  char *curve = strstr((char *)json.data, "\"curve\"");
  assert_non_null(curve);
  memcpy(curve, "\"x", 2);
  rp_error untouched = {0};
  assert_ok(g16_proof_read("proof", (char *)json.data, json.size, &unnamed, &untouched));
  assert_int_equal(untouched.status, RP_OK);
  assert_memory_equal(&named, &unnamed, sizeof named);
  free(json.data);
}

/* 2^k and 2^k - 1 for every k, compared with the digits that schoolbook doubling gives. */
static void decimals(void **state) {
  (void)state;
  char expected[130] = "1", text[G16_DECIMAL_DIGITS + 1];
  for (int k = 0; k < 384; k++) {
    uint8_t number[48] = {0}, back[48];
    number[k / 8] = (uint8_t)(1u << k % 8);
    size_t length = g16_to_decimal(number, 48, text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    assert_true(g16_from_decimal(text, length, back, 48));
    assert_memory_equal(number, back, 48);
    assert_int_equal(g16_from_decimal(text, length, back, 32), k < 256);
    for (int i = 0; i < k; i++) number[i / 8] |= (uint8_t)(1u << i % 8);
    number[k / 8] &= (uint8_t) ~(1u << k % 8);
    length = g16_to_decimal(number, 48, text);
    assert_true(g16_from_decimal(text, length, back, 48));
    assert_memory_equal(number, back, 48);
    size_t n = strlen(expected), carry = 0;
    for (size_t i = n; i-- > 0;) {
      size_t digit = (size_t)(expected[i] - '0') * 2 + carry;
      expected[i] = (char)('0' + digit % 10);
      carry = digit / 10;
    }
    if (carry) {
      memmove(expected + 1, expected, n + 1);
      expected[0] = '1';
    }
  }
  assert_int_equal(g16_from_decimal(expected, strlen(expected), (uint8_t[48]){0}, 48), 0); /* 2^384 */
  static const char *const bad[] = {"", "0x", "-1", "+1", "1 ", " 1", "1e3", "0xg", "12a", "1.0"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(g16_from_decimal(bad[i], strlen(bad[i]), (uint8_t[48]){0}, 48), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_round_trip),
      cmocka_unit_test(public_signals_round_trip),
      cmocka_unit_test(verification_keys),
      cmocka_unit_test(alpha_beta_is_written_as_snarkjs_does),
      cmocka_unit_test(notations),
      cmocka_unit_test(proof_variants),
      cmocka_unit_test(decimals),
      cmocka_unit_test(many_public_signals),
      cmocka_unit_test(curve_by_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
