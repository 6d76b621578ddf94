/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What untrusted inputs can make the verifier of PLONK or of FFLONK spend: memory is counted at the C library,
 * processor time is compared with the size of the input, and the stack has 128 KiB. The bounds are those that plonk.h
 * and fflonk.h promise. The same is tested of proving keys, for their reader and a prover. A test includes the common.h
 * of its proof system, the reader and the verifier first, says by how many the variables of a key are always fewer than
 * 2^32 - 1 (KEPT_VARIABLES), and defines complete_key.
 */
#ifndef REPRISE_TESTS_PLONK_BOUNDS_BODY_H
#define REPRISE_TESTS_PLONK_BOUNDS_BODY_H

#include "graphs/counted_memory.h"

enum { FEW = 2048, MANY = 4 * FEW, LOG_DOMAIN = 20, VERIFY_BYTES = 16 << 10, KEY_BYTES = 32 << 10 };

typedef struct call {
  rp_context *context;
  const char *text;
  size_t bytes;
  const RP(_vkey) * vkey;
  const RP(_proof) * proof;
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

static rp_status verify(const call *c) { return RP(_verify)(c->vkey, c->proof, c->signals, c->n, NULL); }
static rp_status read_proof(const call *c) {
  RP(_proof) proof;
  return RP(_proof_from_json)(c->text, c->bytes, &proof, NULL);
}
static rp_status read_key(const call *c) {
  RP(_vkey) * vkey;
  const rp_status status = RP(_vkey_from_json)(c->context, c->text, c->bytes, &vkey, NULL);
  RP(_vkey_destroy)(vkey);
  return status;
}

/* Gives a key of 2^LOG_DOMAIN rows what else it needs. */
static void complete_key(OWN(_vkey) * key);

/* Keys of many public signals, with a proof of another circuit: everything but the last comparison is computed. */
static void verifying_costs_a_little_for_each_signal(void **state) {
  const bench *b = *state;
  call few = {.run = verify, .n = FEW}, many = {.run = verify, .n = MANY};
  uint8_t *signals = calloc(MANY, 32);
  proved p;
  proved_open(b->context, OWN(_fixture)[0], "proof.json", &p);
  for (size_t i = 0; i < MANY; i++) signals[32 * i] = (uint8_t)i;
  for (int k = 0; k < 2; k++) {
    call *c = k ? &many : &few;
    OWN(_vkey) key = *OWN(_vkey_of)(p.vkey);
    RP(_vkey) * vkey;
    rp_error err = {0};
    key.log_domain = LOG_DOMAIN;
    key.n_public = (uint32_t)c->n;
    complete_key(&key);
    EXPECT(RP_OK, OWN(_vkey_new)("key", &key, 0, &vkey, &err), &err);
    c->vkey = vkey, c->proof = &p.proof, c->signals = signals;
    spend(c);
    assert_int_equal(c->status, RP_ERR_VERIFY);
    assert_true(c->cost.peak <= VERIFY_BYTES);
    RP(_vkey_destroy)(vkey);
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
  for (int i = 0; i < CONST(_FIXTURES); i++) {
    blob vkey = fixture_read(OWN(_fixture)[i], "verification_key.json"),
         text = fixture_read(OWN(_fixture)[i], "proof.json");
    proved p;
    proved_open(b->context, OWN(_fixture)[i], "proof.json", &p);
    call good = {.run = verify, .vkey = p.vkey, .proof = &p.proof, .signals = p.n ? p.signals : NULL, .n = p.n};
    call key = {.run = read_key, .context = b->context, .text = (char *)vkey.data, .bytes = vkey.bytes};
    call proof = {.run = read_proof, .text = (char *)text.data, .bytes = text.bytes};
    spend(&good), spend(&key), spend(&proof);
    assert_int_equal(good.status, RP_OK);
    assert_int_equal(key.status, RP_OK);
    assert_int_equal(proof.status, RP_OK);
    print_message("%s: %zu bytes to verify, %zu for a key\n", OWN(_fixture)[i], good.cost.peak, key.cost.peak);
    assert_true(good.cost.peak <= VERIFY_BYTES && key.cost.peak <= KEY_BYTES && proof.cost.peak == 0);
    proved_close(&p);
    blob_free(&vkey), blob_free(&text);
  }
}

/* ---- Proving keys ------------------------------------------------------------------------------------------------ */

static rp_status open_key(const call *c) {
  RP(_key) * key;
  const rp_status status = RP(_key_open_memory)(c->context, c->text, c->bytes, NULL, &key, NULL);
  RP(_key_close)(key);
  return status;
}

/* Adds variables in the header of a .zkey. They have values in a witness, but take no bytes of the file. */
static void add_variables(blob *zkey, uint32_t more) {
  enum { BEFORE = 2 * (4 + 32) }; /* the two primes */
  support_file *file;
  OWN(_zkey) read;
  rp_error err = {0};
  EXPECT(RP_OK, support_file_wrap("key", zkey->data, zkey->bytes, &file, &err), &err);
  EXPECT(RP_OK, OWN(_zkey_open)(file, &read, &err), &err);
  const uint32_t n_vars = read.common.n_vars + more;
  memcpy(zkey->data + read.common.bin.section[G16_ZKEY_HEADER].offset + BEFORE, &n_vars, sizeof n_vars);
  support_file_close(file);
}

static void keys_take_no_more_than_their_file(void **state) {
  const bench *b = *state;
  for (int i = 0; i < CONST(_FIXTURES); i++) {
    blob zkey = fixture_read(OWN(_fixture)[i], "circuit.zkey");
    add_variables(&zkey, 1 << 24);
    call key = {.run = open_key, .context = b->context, .text = (char *)zkey.data, .bytes = zkey.bytes};
    spend(&key);
    assert_int_equal(key.status, RP_OK);
    print_message("%s: %zu bytes for a key of %zu\n", OWN(_fixture)[i], key.cost.peak, zkey.bytes);
    assert_true(key.cost.peak <= 2 * zkey.bytes + KEY_BYTES);
    blob_free(&zkey);
  }
}

/* A header can claim more values of the witness than fit any device. Provers refuse that before they take memory. */
static void witnesses_of_any_length_are_refused(void **state) {
  const bench *b = *state;
  blob zkey = fixture_read(OWN(_fixture)[0], "circuit.zkey");
  rp_plan_info plan = {.struct_size = sizeof plan};
  RP(_prover) *prover = NULL;
  RP(_key) * key;
  RP(_key_info) info = {.struct_size = sizeof info};
  rp_error err = {0};
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  RP(_key_get_info)(key, &info);
  RP(_key_close)(key);
  add_variables(&zkey, UINT32_MAX - (uint32_t)(info.n_vars + info.n_additions) - KEPT_VARIABLES);
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  const rp_status status = RP(_plan)(b->device, key, NULL, &plan, &err);
  print_message("%s: %s\n", rp_status_name(status), err.reason);
  EXPECT(status, RP(_prover_create)(b->device, key, NULL, &prover, &err), &err);
  assert_int_not_equal(status, RP_OK);
  assert_null(prover);
  RP(_key_close)(key);
  blob_free(&zkey);
}

#endif
