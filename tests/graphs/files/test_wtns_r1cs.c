/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Witnesses and circuits in files: the values of known circuits, which satisfy the constraints, and what is refused.
 */
#include "scratch.h"

#include "fuzz/hostile.h"
#include "formats/r1cs.h"
#include "formats/wtns.h"

static const char *const folders[] = {"multiplier_bn254", "multiplier_bls12381", "poseidon_merkle"};

static support_file *open_fixture(const char *folder, const char *name) {
  char path[4096];
  support_file *file;
  snprintf(path, sizeof path, FIXTURES "%s/%s", folder, name);
  assert_ok(support_file_open(path, 0, &file, err));
  return file;
}

/* 3 * 11 = 33: the witness has the constant, the output, two inputs, and the circuit's intermediate signals. */
static void multiplier_values(void **state) {
  (void)state;
  static const uint8_t known[] = {1, 33, 3, 11};
  for (int i = 0; i < 2; i++) {
    support_file *file = open_fixture(folders[i], "witness.wtns");
    g16_wtns wtns;
    uint8_t values[1 + 6 * 32];
    assert_ok(g16_wtns_open(file, &wtns, err));
    assert_string_equal(wtns.family->name, i ? "bls12381" : "bn128");
    assert_int_equal(wtns.n, 6);
    assert_ok(g16_wtns_read(&wtns, 0, 6, NULL, values + 1, err));
    for (int k = 0; k < 4; k++) {
      uint8_t expected[32] = {known[k]};
      assert_memory_equal(values + 1 + 32 * k, expected, 32);
    }
    uint8_t part[64];
    assert_ok(g16_wtns_read(&wtns, 3, 2, NULL, part, err));
    assert_memory_equal(part, values + 1 + 96, 64);
    assert_int_equal(g16_wtns_read(&wtns, 5, 2, NULL, part, NULL), RP_ERR_ARGUMENT);
    support_file_close(file);
  }
}

/* A witness is secret: after a failure none of it is left in the caller's memory. */
static void failure_leaves_no_values(void **state) {
  (void)state;
  hostile_buffer buffer;
  support_file *file;
  g16_wtns wtns;
  rp_error error = {0};
  uint8_t values[6 * 32], zero[6 * 32] = {0};
  assert_true(hostile_slurp(FIXTURES "multiplier_bn254/witness.wtns", &buffer));
  damage_ones(&buffer, 2, 5 * 32, 32);
  assert_ok(support_file_wrap("witness.wtns", buffer.data, buffer.size, &file, err));
  assert_ok(g16_wtns_open(file, &wtns, err));
  memset(values, 0x5a, sizeof values);
  assert_int_equal(g16_wtns_read(&wtns, 0, 6, NULL, values, &error), RP_ERR_FORMAT);
  assert_memory_equal(values, zero, sizeof values);
  support_file_close(file);
  free(buffer.data);
}

typedef struct satisfied {
  const g16_r1cs *r1cs;
  const rp_field_host *fr;
  const uint8_t *witness;
  uint64_t constraints, terms;
} satisfied;

static void combine(const satisfied *s, const g16_lc *lc, uint64_t sum[4]) {
  s->fr->zero(sum);
  for (uint32_t i = 0; i < lc->n; i++) {
    const uint8_t *term = lc->term + (size_t)i * G16_TERM_BYTES;
    uint64_t raw[4], a[4], b[4];
    uint32_t wire = (uint32_t)term[0] | (uint32_t)term[1] << 8 | (uint32_t)term[2] << 16 | (uint32_t)term[3] << 24;
    memcpy(raw, term + 4, 32);
    assert_true(s->fr->from_canonical(a, raw));
    memcpy(raw, s->witness + (size_t)wire * 32, 32);
    assert_true(s->fr->from_canonical(b, raw));
    s->fr->mul(a, a, b);
    s->fr->add(sum, sum, a);
  }
}

static rp_status check_constraint(void *arg, uint32_t index, const g16_lc abc[3], rp_error *err) {
  (void)err;
  satisfied *s = arg;
  uint64_t a[4], b[4], c[4];
  assert_int_equal(index, s->constraints);
  combine(s, &abc[0], a);
  combine(s, &abc[1], b);
  combine(s, &abc[2], c);
  s->fr->mul(a, a, b);
  assert_memory_equal(a, c, 32);
  s->constraints++;
  s->terms += (uint64_t)abc[0].n + abc[1].n;
  return RP_OK;
}

/* Every constraint of every fixture holds for its witness. A and B have as many terms as the key has coefficients,
 * except for the public + 1 rows that the key adds. */
static void witness_satisfies(void **state) {
  (void)state;
  static const uint64_t constraints[] = {3, 3, 5320}, coefs[] = {10, 10, 21231};
  for (int i = 0; i < 3; i++) {
    support_file *r1cs_file = open_fixture(folders[i], "circuit.r1cs"),
                 *wtns_file = open_fixture(folders[i], "witness.wtns");
    g16_r1cs r1cs;
    g16_wtns wtns;
    assert_ok(g16_r1cs_open(r1cs_file, &r1cs, err));
    assert_ok(g16_wtns_open(wtns_file, &wtns, err));
    assert_ptr_equal(r1cs.family, wtns.family);
    assert_int_equal(r1cs.n_wires, wtns.n);
    uint8_t *witness = malloc((size_t)wtns.n * 32);
    assert_ok(g16_wtns_read(&wtns, 0, wtns.n, NULL, witness, err));
    satisfied s = {&r1cs, rp_field_get(r1cs.family->fr), witness, 0, 0};
    assert_ok(g16_r1cs_walk(&r1cs, check_constraint, &s, err));
    assert_int_equal(s.constraints, constraints[i]);
    assert_int_equal(r1cs.n_constraints, constraints[i]);
    assert_int_equal(s.terms + g16_r1cs_public(&r1cs) + 1, coefs[i]);
    free(witness);
    support_file_close(r1cs_file);
    support_file_close(wtns_file);
  }
}

static rp_status stop_at_ten(void *arg, uint32_t index, const g16_lc abc[3], rp_error *err) {
  (void)abc, (void)err;
  *(uint32_t *)arg = index;
  return index == 10 ? RP_ERR_CANCELLED : RP_OK;
}

static void walk_can_be_ended(void **state) {
  (void)state;
  uint32_t last = 0;
  support_file *file = open_fixture("poseidon_merkle", "circuit.r1cs");
  g16_r1cs r1cs;
  assert_ok(g16_r1cs_open(file, &r1cs, err));
  assert_int_equal(g16_r1cs_walk(&r1cs, stop_at_ten, &last, NULL), RP_ERR_CANCELLED);
  assert_int_equal(last, 10);
  support_file_close(file);
}

/* Without labels, only the header says how many wires there are, and a setup takes 128 bytes for each of them. */
static void wires_in_proportion_to_the_file(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    hostile_buffer buffer;
    support_file *file;
    g16_r1cs r1cs;
    rp_error error = {0};
    assert_true(hostile_slurp(FIXTURES "multiplier_bn254/circuit.r1cs", &buffer));
    damage_drop(&buffer, 3, 0, 0);
    damage_u32(&buffer, 1, 36, i ? UINT64_C(0xfffffff0) : UINT64_C(1) << 20);
    assert_ok(support_file_wrap("circuit.r1cs", buffer.data, buffer.size, &file, err));
    assert_int_equal(g16_r1cs_open(file, &r1cs, &error), i ? RP_ERR_FORMAT : RP_OK);
    if (i) assert_non_null(strstr(error.reason, "4294967280"));
    support_file_close(file);
    free(buffer.data);
  }
}

/* One use of a custom gate is refused; a section that says that there are none is not. */
static void custom_gates_are_refused(void **state) {
  (void)state;
  for (uint32_t uses = 0; uses < 3; uses++) {
    hostile_buffer buffer;
    support_file *file;
    g16_r1cs r1cs;
    rp_error error = {0};
    assert_true(hostile_slurp(FIXTURES "multiplier_bn254/circuit.r1cs", &buffer));
    damage_add(&buffer, 5, uses, 0);
    assert_ok(support_file_wrap("circuit.r1cs", buffer.data, buffer.size, &file, err));
    assert_int_equal(g16_r1cs_open(file, &r1cs, &error), uses ? RP_ERR_FORMAT : RP_OK);
    if (uses) assert_non_null(strstr(error.reason, uses == 1 ? "custom gates (1 times)" : "custom gates (2 times)"));
    support_file_close(file);
    free(buffer.data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wires_in_proportion_to_the_file),
      cmocka_unit_test(multiplier_values),
      cmocka_unit_test(failure_leaves_no_values),
      cmocka_unit_test(witness_satisfies),
      cmocka_unit_test(walk_can_be_ended),
      cmocka_unit_test(custom_gates_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
