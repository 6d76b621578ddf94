/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The prover of PLONK or of FFLONK, on the CPU or the device that REPRISE_TEST_DEVICES names: exactly snarkjs's proofs
 * with its blinding values, exactly the reference's with any others, one submission and one wait, and no wrong proof is
 * released. A test includes the common.h of its proof system and the reader of its .zkey first, says with which section
 * the polynomials begin (FIRST_POLYNOMIAL), and defines assert_as_reference.
 */
#ifndef REPRISE_TESTS_PLONK_PROVE_BODY_H
#define REPRISE_TESTS_PLONK_PROVE_BODY_H

#include "fuzz/hostile.h"
#include "one_submission.h"

#include <stdio.h>

static const RP(_proof) nothing;

/* What the system's random number generator gave to the code under test (the linker's --wrap). */
enum { DRAWN = 64 };
static uint8_t drawn[DRAWN][32];
static uint32_t n_drawn;
rp_status __real_rp_random_canonical(rp_field field, void *out);
rp_status __wrap_rp_random_canonical(rp_field field, void *out);
rp_status __wrap_rp_random_canonical(rp_field field, void *out) {
  const rp_status status = __real_rp_random_canonical(field, out);
  if (status == RP_OK && n_drawn < DRAWN) memcpy(drawn[n_drawn++], out, 32);
  return status;
}

typedef struct files {
  blob zkey, wtns;
  const uint8_t *values;
  size_t n, n_public;
} files;

static files files_of(const char *fixture) {
  files f = {.zkey = fixture_read(fixture, "circuit.zkey"), .wtns = fixture_read(fixture, "witness.wtns")};
  blob signals = fixture_read(fixture, "public.json");
  rp_error err = {0};
  f.values = wtns_values(&f.wtns, &f.n);
  EXPECT(RP_OK, PUBLIC(_from_json)((char *)signals.data, signals.bytes, NULL, 0, &f.n_public, &err), &err);
  blob_free(&signals);
  return f;
}

/* Of a circuit that only some tests prove. */
static bool is_large(const files *f) { return f->zkey.bytes > 1 << 20; }

static void files_free(files *f) {
  blob_free(&f->zkey);
  blob_free(&f->wtns);
}

static RP(_prover) * prover_on(bench *b, const blob *zkey, const RP(_prover_options) * options) {
  rp_error err = {0};
  RP(_key) * key;
  RP(_prover) * prover;
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, zkey->data, zkey->bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, RP(_prover_create)(b->device, key, options, &prover, &err), &err);
  RP(_key_close)(key); /* the prover keeps what it needs */
  return prover;
}

static void blinding_from(uint8_t first, uint8_t blinding[BLINDING][32]) {
  memset(blinding, 0, BLINDING * 32);
  for (uint8_t i = 0; i < BLINDING; i++) blinding[i][0] = (uint8_t)(first + i);
}

static void assert_text(const char *fixture, const char *file, const char *text, size_t bytes) {
  blob expected = fixture_read(fixture, file);
  assert_int_equal(bytes, expected.bytes);
  assert_memory_equal(text, expected.data, bytes);
  blob_free(&expected);
}

static void assert_verifies(bench *b, const char *fixture, const RP(_proof) * proof, const uint8_t *signals) {
  proved p;
  rp_error err = {0};
  proved_open(b->context, fixture, "proof.json", &p);
  p.proof = *proof;
  if (p.n) memcpy(p.signals, signals, 32 * p.n);
  EXPECT(RP_OK, proved_verify(&p, &err), &err);
  proved_close(&p);
}

/* ---- Equal to snarkjs and to the reference ----------------------------------------------------------------------- */

static void expect_one_submission(bench *b, const rp_run_counters *c) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(b->device, &info);
  assert_int_equal(c->waits, 1);
  if (rp_group_size(b->device) > 1) return; /* each device has submissions of its own */
  assert_one_submission(b->device, c->submissions);
  assert_int_equal(c->uploads, 1 + !info.limits.host_visible); /* a GPU's error record has a copy of its own, */
  assert_int_equal(c->downloads, 1 + !info.limits.host_visible);
  assert_true(c->bytes_down < 2048);
}

static void proofs_are_those_of_snarkjs(void **state) {
  bench *b = *state;
  uint8_t blinding[BLINDING][32];
  blinding_from(2, blinding);
  for (int i = 0; i < CONST(_FIXTURES); i++) {
    const char *fixture = OWN(_fixture)[i];
    files f = files_of(fixture);
    RP(_prover) *prover = prover_on(b, &f.zkey, NULL);
    for (int round = 0; round < 2; round++) { /* a replay gives the same */
      RP(_proof) proof;
      uint8_t signals[CONST(_MOST_PUBLIC) * 32];
      rp_run_counters counters = {.struct_size = sizeof counters};
      char text[4096];
      size_t bytes;
      rp_error err = {0};
      EXPECT(RP_OK,
             RP(_prove_unsafe_blinding)(prover, f.values, f.n, (const uint8_t(*)[32])blinding, &proof, signals,
                                        &counters, &err),
             &err);
      EXPECT(RP_OK, RP(_proof_to_json)(&proof, text, sizeof text, &bytes, &err), &err);
      assert_text(fixture, "proof_blinding_2_3_4.json", text, bytes);
      EXPECT(RP_OK, PUBLIC(_to_json)(signals, f.n_public, text, sizeof text, &bytes, &err), &err);
      assert_text(fixture, "public.json", text, bytes);
      expect_one_submission(b, &counters);
    }
    RP(_prover_destroy)(prover);
    files_free(&f);
  }
}

/* Fails the test unless the proof is the reference's with the same blinding values. */
static void assert_as_reference(const char *fixture, uint8_t blinding[BLINDING][32], const RP(_proof) * proof);

static void other_blinding_as_in_the_reference(void **state) {
  bench *b = *state;
  for (int i = 0; i < CONST(_FIXTURES); i++) {
    files f = files_of(OWN(_fixture)[i]);
    RP(_prover) *prover = prover_on(b, &f.zkey, NULL);
    for (int round = 0; round < (is_large(&f) ? 1 : 4); round++) {
      uint8_t blinding[BLINDING][32] = {{0}}; /* in round 3, all are 0 */
      RP(_proof) proof;
      rp_error err = {0};
      for (int k = 0; k < BLINDING && round < 3; k++)
        assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FR, blinding[k]), RP_OK);
      if (round == 2) { /* r - 1 */
        memcpy(blinding[3], rp_field_get(RP_FIELD_BN254_FR)->modulus_le, 32);
        blinding[3][0]--;
      }
      EXPECT(
          RP_OK,
          RP(_prove_unsafe_blinding)(prover, f.values, f.n, (const uint8_t(*)[32])blinding, &proof, NULL, NULL, &err),
          &err);
      assert_as_reference(OWN(_fixture)[i], blinding, &proof);
    }
    RP(_prover_destroy)(prover);
    files_free(&f);
  }
}

/* ---- Blinding ---------------------------------------------------------------------------------------------------- */

/* Eleven values of the system's generator for each proof, each used where the caller's value of that number is. */
static void blinding_is_what_the_system_draws(void **state) {
  bench *b = *state;
  for (int i = 0; i < CONST(_FIXTURES); i++) {
    files f = files_of(OWN(_fixture)[i]);
    if (is_large(&f)) {
      files_free(&f);
      continue;
    }
    RP(_prover) *prover = prover_on(b, &f.zkey, NULL);
    RP(_proof) proof[3], again;
    uint8_t signals[CONST(_MOST_PUBLIC) * 32];
    rp_error err = {0};
    n_drawn = 0;
    EXPECT(RP_OK, RP(_prove)(prover, f.wtns.data, f.wtns.bytes, &proof[0], signals, NULL, &err), &err);
    EXPECT(RP_OK, RP(_prove_values)(prover, f.values, f.n, &proof[1], NULL, NULL, &err), &err);
    EXPECT(RP_OK, RP(_prove_file)(prover, fixture_path(OWN(_fixture)[i], "witness.wtns"), &proof[2], NULL, NULL, &err),
           &err);
    assert_int_equal(n_drawn, 3 * BLINDING);
    for (int k = 0; k < 3; k++) {
      assert_verifies(b, OWN(_fixture)[i], &proof[k], signals);
      EXPECT(RP_OK,
             RP(_prove_unsafe_blinding)(prover, f.values, f.n, (const uint8_t(*)[32])drawn[k * BLINDING], &again, NULL,
                                        NULL, &err),
             &err);
      assert_memory_equal(&again, &proof[k], sizeof again);
    }
    for (uint32_t x = 0; x < n_drawn; x++)
      for (uint32_t y = 0; y < x; y++) assert_memory_not_equal(drawn[x], drawn[y], 32);
    for (int e = 0; e < CONST(_PROOF_POINTS); e++)
      assert_memory_not_equal((uint8_t *)&proof[0] + OWN(_proof_point)[e].offset,
                              (uint8_t *)&proof[1] + OWN(_proof_point)[e].offset, 64);
    RP(_prover_destroy)(prover);
    files_free(&f);
  }
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

/* Proves with buffers full of other bytes. The call must fail and leave zeros in them. */
static void expect_nothing(RP(_prover) * prover, const uint8_t *values, size_t n, size_t n_public, rp_status status,
                           const char *says) {
  static const uint8_t zeros[CONST(_MOST_PUBLIC) * 32];
  RP(_proof) proof;
  uint8_t signals[CONST(_MOST_PUBLIC) * 32];
  rp_error err = {0};
  memset(&proof, 0x5a, sizeof proof);
  memset(signals, 0x5a, sizeof signals);
  EXPECT(status, RP(_prove_values)(prover, values, n, &proof, signals, NULL, &err), &err);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
  assert_memory_equal(&proof, &nothing, sizeof proof);
  assert_memory_equal(signals, zeros, 32 * n_public);
}

static void wrong_witnesses_give_no_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < CONST(_FIXTURES); i++) {
    files f = files_of(OWN(_fixture)[i]);
    if (is_large(&f)) {
      files_free(&f);
      continue;
    }
    RP(_prover) *prover = prover_on(b, &f.zkey, NULL);
    uint8_t *values = malloc(32 * f.n);
    RP(_proof) proof;
    rp_error err = {0};
    for (size_t k = 1; k < f.n; k++) {
      memcpy(values, f.values, 32 * f.n);
      values[32 * k] ^= 1; /* in range, but no solution */
      expect_nothing(prover, values, f.n, f.n_public, RP_ERR_VERIFY, "the witness does not satisfy the circuit");
    }
    memcpy(values, f.values, 32 * f.n);
    memset(values + 32 * (f.n - 1), 0xff, 32);
    expect_nothing(prover, values, f.n, f.n_public, RP_ERR_INPUT, "not below the group order r");
    memcpy(values, f.values, 32 * f.n);
    values[0] = 2; /* the constant */
    expect_nothing(prover, values, f.n, f.n_public, RP_ERR_INPUT, "The first value of the witness is not 1");
    expect_nothing(prover, f.values, f.n - 1, f.n_public, RP_ERR_MISMATCH, "values");
    EXPECT(RP_OK, RP(_prove_values)(prover, f.values, f.n, &proof, NULL, NULL, &err), &err); /* still works */
    free(values);
    RP(_prover_destroy)(prover);
    files_free(&f);
  }
}

static void foreign_witnesses_are_refused(void **state) {
  bench *b = *state;
  files f = files_of(OWN(_fixture)[0]);
  RP(_prover) *prover = prover_on(b, &f.zkey, NULL);
  blob other = fixture_read(OWN(_fixture)[1], "witness.wtns"),
       bls = fixture_read("multiplier_bls12381", "witness.wtns");
  uint8_t blinding[BLINDING][32];
  RP(_proof) proof;
  rp_error err = {0};
  EXPECT(RP_ERR_MISMATCH, RP(_prove)(prover, other.data, other.bytes, &proof, NULL, NULL, &err), &err);
  assert_non_null(strstr(err.reason, "witness of another circuit"));
  EXPECT(RP_ERR_MISMATCH, RP(_prove)(prover, bls.data, bls.bytes, &proof, NULL, NULL, &err), &err);
  assert_non_null(strstr(err.reason, "bls12381"));
  EXPECT(RP_ERR_FORMAT, RP(_prove)(prover, other.data, 40, &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_FILE, RP(_prove_file)(prover, "/nowhere/witness.wtns", &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_prove)(NULL, f.wtns.data, f.wtns.bytes, &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_prove)(prover, NULL, 0, &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_prove)(prover, f.wtns.data, f.wtns.bytes, NULL, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_prove_unsafe_blinding)(prover, f.values, f.n, NULL, &proof, NULL, NULL, &err), &err);
  for (int k = 0; k < BLINDING; k++) {
    char says[24];
    blinding_from(2, blinding);
    memcpy(blinding[k], rp_field_get(RP_FIELD_BN254_FR)->modulus_le, 32);
    EXPECT(RP_ERR_INPUT,
           RP(_prove_unsafe_blinding)(prover, f.values, f.n, (const uint8_t(*)[32])blinding, &proof, NULL, NULL, &err),
           &err);
    snprintf(says, sizeof says, "b_%d ", k + 1);
    assert_non_null(strstr(err.reason, says));
  }
  blob_free(&other);
  blob_free(&bls);
  RP(_prover_destroy)(prover);
  files_free(&f);
}

/* The content of a section of a .zkey. */
static uint8_t *section_of(blob *zkey, OWN(_section) id) {
  support_file *file;
  OWN(_zkey) read;
  rp_error err = {0};
  EXPECT(RP_OK, support_file_wrap("key", zkey->data, zkey->bytes, &file, &err), &err);
  EXPECT(RP_OK, OWN(_zkey_open)(file, &read, &err), &err);
  uint8_t *at = zkey->data + read.common.bin.section[id].offset;
  support_file_close(file);
  return at;
}

/* The verifier knows only the header of a key. Proofs of keys that are altered behind it must not be released. */
static void proofs_of_altered_keys_are_not_released(void **state) {
  bench *b = *state;
  for (uint32_t id = FIRST_POLYNOMIAL; id <= CONST(_TAU); id++) {
    if (id == CONST(_LAGRANGE)) continue; /* not read: the device computes its own */
    files f = files_of(OWN(_fixture)[0]);
    uint8_t *at = section_of(&f.zkey, id);
    if (id == CONST(_TAU))
      memcpy(at + 3 * PLONK_POINT_BYTES, at + 5 * PLONK_POINT_BYTES, PLONK_POINT_BYTES);
    else
      at[3 * PLONK_SCALAR_BYTES] ^= 1;
    RP(_prover) *prover = prover_on(b, &f.zkey, NULL);
    expect_nothing(prover, f.values, f.n, f.n_public, RP_ERR_VERIFY, "The proof does not verify");
    RP(_prover_destroy)(prover);
    files_free(&f);
  }
}

static void points_are_checked_on_request(void **state) {
  bench *b = *state;
  files f = files_of(OWN(_fixture)[0]);
  const RP(_key_options) checked = {.struct_size = sizeof checked, .check_points = 1};
  RP(_key_info) info = {.struct_size = sizeof info};
  RP(_key) * key;
  rp_error err = {0};
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, f.zkey.data, f.zkey.bytes, &checked, &key, &err), &err);
  RP(_key_get_info)(key, &info);
  assert_int_equal(info.points_checked, 1);
  RP(_key_close)(key);
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, f.zkey.data, f.zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, RP(_key_check_points)(key, &err), &err);
  RP(_key_get_info)(key, &info);
  assert_int_equal(info.points_checked, 1);
  RP(_key_close)(key);
  section_of(&f.zkey, CONST(_TAU))[7 * PLONK_POINT_BYTES] ^= 1;
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, f.zkey.data, f.zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_ERR_FORMAT, RP(_key_check_points)(key, &err), &err);
  assert_non_null(strstr(err.reason, "point 7 "));
  RP(_key_get_info)(key, &info);
  assert_int_equal(info.points_checked, 0);
  RP(_key_close)(key);
  EXPECT(RP_ERR_FORMAT, RP(_key_open_memory)(b->context, f.zkey.data, f.zkey.bytes, &checked, &key, &err), &err);
  assert_non_null(strstr(err.reason, "point 7 "));
  RP(_prover) *prover = prover_on(b, &f.zkey, NULL); /* and a proof with it is not released */
  expect_nothing(prover, f.values, f.n, f.n_public, RP_ERR_VERIFY, "");
  RP(_prover_destroy)(prover);
  const uint8_t pin[32] = {1};
  const RP(_key_options) pinned = {.struct_size = sizeof pinned, .sha256 = pin};
  EXPECT(RP_ERR_MISMATCH, RP(_key_open_memory)(b->context, f.zkey.data, f.zkey.bytes, &pinned, &key, &err), &err);
  files_free(&f);
}

/* Opens every hostile key of the table as a prover does, and returns how many are accepted: damage to what a prover
 * does not read does no harm. */
static uint32_t open_hostile_keys(const bench *b) {
  uint32_t refused = 0, unread = 0;
  for (size_t i = 0; i < HOSTILE(_count); i++) {
    const hostile_case *c = &HOSTILE(_cases)[i];
    hostile_buffer damaged;
    RP(_key) * key;
    rp_error err = {0};
    if ((c->kind != HOSTILE_ZKEY && c->kind != HOSTILE_CHECKED) || c->node != HOSTILE_FILE) continue;
    assert_true(hostile_bytes(c, TEST_DATA_DIR, &damaged));
    const RP(_key_options) options = {.struct_size = sizeof options, .check_points = c->kind == HOSTILE_CHECKED};
    const rp_status status = RP(_key_open_memory)(b->context, damaged.data, damaged.size, &options, &key, &err);
    if (status == RP_OK) {
      unread++;
    } else {
      if (status != c->status || !strstr(err.reason, c->says)) fail_msg("%s: %s", c->name, err.reason);
      assert_null(key);
      refused++;
    }
    RP(_key_close)(key);
    free(damaged.data);
  }
  assert_true(refused >= 30);
  return unread;
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

enum { JOBS = 7 };

static void batch_runs_three_at_a_time(void **state) {
  bench *b = *state;
  files f = files_of(OWN(_fixture)[0]);
  const RP(_prover_options) options = {.struct_size = sizeof options, .max_in_flight = 3};
  RP(_prover) *prover = prover_on(b, &f.zkey, &options);
  blob wrong = fixture_read(OWN(_fixture)[0], "witness.wtns");
  rp_plan_info plan = {.struct_size = sizeof plan};
  RP(_proof) proof[JOBS];
  uint8_t signals[JOBS][CONST(_MOST_PUBLIC) * 32];
  RP(_job) jobs[JOBS];
  rp_error err = {0};
  rp_recording_get_plan(RP(_prover_recording)(prover), &plan);
  assert_int_equal(plan.slots, 3);
  assert_non_null(RP(_prover_graph)(prover));
  wrong.data[wrong.bytes - 32] ^= 1;
  for (int i = 0; i < JOBS; i++)
    jobs[i] = (RP(_job)){.struct_size = sizeof(RP(_job)),
                         .wtns = i == 4 ? wrong.data : f.wtns.data,
                         .wtns_bytes = i == 2 ? 17 : f.wtns.bytes, /* those that fail must not hurt the others */
                         .proof = &proof[i],
                         .public_signals = signals[i]};
  jobs[5].wtns = NULL;
  memset(proof, 0x5a, sizeof proof);
  EXPECT(RP_ERR_FORMAT, RP(_prove_batch)(prover, jobs, JOBS, &err), &err);
  for (int i = 0; i < JOBS; i++) {
    const rp_status expected = i == 2 ? RP_ERR_FORMAT : i == 4 ? RP_ERR_VERIFY : i == 5 ? RP_ERR_ARGUMENT : RP_OK;
    EXPECT(expected, jobs[i].status, &jobs[i].error);
    if (expected == RP_OK)
      assert_verifies(b, OWN(_fixture)[0], &proof[i], signals[i]);
    else
      assert_memory_equal(&proof[i], &nothing, sizeof nothing);
    assert_int_equal(expected == RP_OK, jobs[i].error.reason[0] == 0);
  }
  EXPECT(RP_OK, RP(_prove_batch)(prover, jobs, 0, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_prove_batch)(prover, NULL, 1, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, RP(_prove_batch)(NULL, jobs, JOBS, &err), &err);
  for (int i = 0; i < JOBS; i++) assert_int_equal(jobs[i].status, RP_ERR_ARGUMENT);
  jobs[3].struct_size--;
  EXPECT(RP_ERR_ARGUMENT, RP(_prove_batch)(prover, jobs, JOBS, &err), &err);
  assert_non_null(strstr(err.reason, "jobs[3]"));
  blob_free(&wrong);
  RP(_prover_destroy)(prover);
  files_free(&f);
}

#endif
