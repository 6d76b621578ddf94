/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What untrusted inputs can make the PLONK verifier spend: memory is counted at the C library, processor time is
 * compared with the size of the input, and the stack has 128 KiB. The bounds are those that plonk.h promises. The same
 * is tested of proving keys, for their reader and a prover.
 */
#include "common.h"

#include "graphs/counted_memory.h"
#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"
#include "plonk/verify/verify.h"

enum { FEW = 2048, MANY = 4 * FEW, LOG_DOMAIN = 20, VERIFY_BYTES = 16 << 10, KEY_BYTES = 32 << 10 };

typedef struct call {
  rp_context *context;
  const char *text;
  size_t bytes;
  const rp_plonk_vkey *vkey;
  const rp_plonk_proof *proof;
  const uint8_t *signals;
  size_t n;
  rp_status (*run)(const struct call *c);
  rp_status status;
  cost cost;
} call;

static void run_call(void *user) {
  call *c = user;
  c->status = c->run(c);
}
static void spend(call *c) { c->cost = cost_of(run_call, c); }

static rp_status verify(const call *c) { return rp_plonk_verify(c->vkey, c->proof, c->signals, c->n, NULL); }
static rp_status read_proof(const call *c) {
  rp_plonk_proof proof;
  return rp_plonk_proof_from_json(c->text, c->bytes, &proof, NULL);
}
static rp_status read_key(const call *c) {
  rp_plonk_vkey *vkey;
  const rp_status status = rp_plonk_vkey_from_json(c->context, c->text, c->bytes, &vkey, NULL);
  rp_plonk_vkey_destroy(vkey);
  return status;
}

/* Keys of many public signals, with a proof of another circuit: everything but the last comparison is computed. */
static void verifying_costs_a_little_for_each_signal(void **state) {
  const bench *b = *state;
  call few = {.run = verify, .n = FEW}, many = {.run = verify, .n = MANY};
  uint8_t *signals = calloc(MANY, 32);
  proved p;
  proved_open(b->context, plonk_fixture[0], "proof.json", &p);
  for (size_t i = 0; i < MANY; i++) signals[32 * i] = (uint8_t)i;
  for (int k = 0; k < 2; k++) {
    call *c = k ? &many : &few;
    plonk_vkey key = *plonk_vkey_of(p.vkey);
    rp_plonk_vkey *vkey;
    rp_error err = {0};
    key.log_domain = LOG_DOMAIN;
    key.n_public = (uint32_t)c->n;
    EXPECT(RP_OK, plonk_vkey_new("key", &key, 0, &vkey, &err), &err);
    c->vkey = vkey, c->proof = &p.proof, c->signals = signals;
    spend(c);
    assert_int_equal(c->status, RP_ERR_VERIFY);
    assert_true(c->cost.peak <= VERIFY_BYTES);
    rp_plonk_vkey_destroy(vkey);
  }
  print_message("%d and %d signals: %.0f and %.0f us, %zu bytes\n", FEW, MANY, few.cost.seconds * 1e6,
                many.cost.seconds * 1e6, many.cost.peak);
  if (many.cost.seconds > 8 * few.cost.seconds + 1e-3)
    fail_msg("four times the signals take %.1f times the time", many.cost.seconds / few.cost.seconds);
  proved_close(&p);
  free(signals);
}

static void verdicts_take_little_memory(void **state) {
  const bench *b = *state;
  for (int i = 0; i < PLONK_FIXTURES; i++) {
    blob vkey = fixture_read(plonk_fixture[i], "verification_key.json"),
         text = fixture_read(plonk_fixture[i], "proof.json");
    proved p;
    proved_open(b->context, plonk_fixture[i], "proof.json", &p);
    call good = {.run = verify, .vkey = p.vkey, .proof = &p.proof, .signals = p.n ? p.signals : NULL, .n = p.n};
    call key = {.run = read_key, .context = b->context, .text = (char *)vkey.data, .bytes = vkey.bytes};
    call proof = {.run = read_proof, .text = (char *)text.data, .bytes = text.bytes};
    spend(&good), spend(&key), spend(&proof);
    assert_int_equal(good.status, RP_OK);
    assert_int_equal(key.status, RP_OK);
    assert_int_equal(proof.status, RP_OK);
    print_message("%s: %zu bytes to verify, %zu for a key\n", plonk_fixture[i], good.cost.peak, key.cost.peak);
    assert_true(good.cost.peak <= VERIFY_BYTES && key.cost.peak <= KEY_BYTES && proof.cost.peak == 0);
    proved_close(&p);
    blob_free(&vkey), blob_free(&text);
  }
}

/* Texts of the largest size that is read, which end where the last member should be. */
static void texts_cost_what_they_are_long(void **state) {
  const bench *b = *state;
  static const char *const heads[] = {"{\"protocol\":\"plonk\",\"curve\":\"bn128\",\"A\":[", "{\"a\":1,", "{\"A\":"};
  static const char *const items[] = {"[1,2],", "\"A\":[1,2],", "        "};
  static const char *const tails[] = {"1]}", "\"b\":1}", "1}"};
  for (int i = 0; i < 6; i++) {
    call at[2] = {{.context = b->context}, {.context = b->context}};
    const int shape = i % 3;
    for (int k = 0; k < 2; k++) {
      const size_t most = k ? 60000 : 15000, head = strlen(heads[shape]), item = strlen(items[shape]);
      char *text = malloc(most + 64);
      size_t n = head;
      memcpy(text, heads[shape], head);
      for (; n + item < most; n += item) memcpy(text + n, items[shape], item);
      memcpy(text + n, tails[shape], strlen(tails[shape]) + 1);
      at[k].run = i < 3 ? read_proof : read_key;
      at[k].text = text, at[k].bytes = n + strlen(tails[shape]);
      spend(&at[k]);
      assert_int_equal(at[k].status, RP_ERR_FORMAT);
      assert_true(at[k].cost.peak == 0);
      free(text);
    }
    if (at[1].cost.seconds > 8 * at[0].cost.seconds + 1e-3)
      fail_msg("shape %d: four times the text takes %.1f times the time", i, at[1].cost.seconds / at[0].cost.seconds);
  }
}

/* ---- Proving keys ------------------------------------------------------------------------------------------------ */

static rp_status open_key(const call *c) {
  rp_plonk_key *key;
  const rp_status status = rp_plonk_key_open_memory(c->context, c->text, c->bytes, NULL, &key, NULL);
  rp_plonk_key_close(key);
  return status;
}

/* Adds variables in the header of a .zkey. They have values in a witness, but take no bytes of the file. */
static void add_variables(blob *zkey, uint32_t more) {
  enum { BEFORE = 2 * (4 + 32) }; /* the two primes */
  support_file *file;
  plonk_zkey read;
  rp_error err = {0};
  EXPECT(RP_OK, support_file_wrap("key", zkey->data, zkey->bytes, &file, &err), &err);
  EXPECT(RP_OK, plonk_zkey_open(file, &read, &err), &err);
  const uint32_t n_vars = read.common.n_vars + more;
  memcpy(zkey->data + read.common.bin.section[G16_ZKEY_HEADER].offset + BEFORE, &n_vars, sizeof n_vars);
  support_file_close(file);
}

static void keys_take_no_more_than_their_file(void **state) {
  const bench *b = *state;
  for (int i = 0; i < PLONK_FIXTURES; i++) {
    blob zkey = fixture_read(plonk_fixture[i], "circuit.zkey");
    add_variables(&zkey, 1 << 24);
    call key = {.run = open_key, .context = b->context, .text = (char *)zkey.data, .bytes = zkey.bytes};
    spend(&key);
    assert_int_equal(key.status, RP_OK);
    print_message("%s: %zu bytes for a key of %zu\n", plonk_fixture[i], key.cost.peak, zkey.bytes);
    assert_true(key.cost.peak <= 2 * zkey.bytes + KEY_BYTES);
    blob_free(&zkey);
  }
}

/* A header can claim more values of the witness than fit any device. Provers refuse that before they take memory. */
static void witnesses_of_any_length_are_refused(void **state) {
  const bench *b = *state;
  blob zkey = fixture_read(plonk_fixture[0], "circuit.zkey");
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_plonk_prover *prover = NULL;
  rp_plonk_key *key;
  rp_plonk_key_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  rp_plonk_key_get_info(key, &info);
  rp_plonk_key_close(key);
  add_variables(&zkey, UINT32_MAX - (uint32_t)(info.n_vars + info.n_additions));
  EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  const rp_status status = rp_plonk_plan(b->device, key, NULL, &plan, &err);
  print_message("%s: %s\n", rp_status_name(status), err.reason);
  EXPECT(status, rp_plonk_prover_create(b->device, key, NULL, &prover, &err), &err);
  assert_int_not_equal(status, RP_OK);
  assert_null(prover);
  rp_plonk_key_close(key);
  blob_free(&zkey);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verifying_costs_a_little_for_each_signal),
      cmocka_unit_test(verdicts_take_little_memory),
      cmocka_unit_test(texts_cost_what_they_are_long),
      cmocka_unit_test(keys_take_no_more_than_their_file),
      cmocka_unit_test(witnesses_of_any_length_are_refused),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
