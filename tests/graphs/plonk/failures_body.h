/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * If memory or randomness is missing while a key of PLONK or of FFLONK is opened or recorded, or a proof is made, the
 * call returns a status and no result, and everything works afterwards. A test includes the common.h of its proof
 * system first.
 */
#ifndef REPRISE_TESTS_PLONK_FAILURES_BODY_H
#define REPRISE_TESTS_PLONK_FAILURES_BODY_H

/* How many more calls of this thread succeed; below 0: all of them. */
static _Thread_local long memory_left = -1, randomness_left = -1;
static int fails(long *left) { return *left >= 0 && (*left)-- == 0; }

#define WRAP(type, name, parameters, arguments) \
  type __real_##name parameters;                \
  type __wrap_##name parameters;                \
  type __wrap_##name parameters { return fails(&memory_left) ? NULL : __real_##name arguments; }
WRAP(void *, malloc, (size_t n), (n))
WRAP(void *, calloc, (size_t n, size_t m), (n, m))
WRAP(void *, aligned_alloc, (size_t align, size_t n), (align, n))
WRAP(void *, realloc, (void *old, size_t n), (old, n))

rp_status __real_rp_random_canonical(rp_field field, void *out);
rp_status __wrap_rp_random_canonical(rp_field field, void *out);
rp_status __wrap_rp_random_canonical(rp_field field, void *out) {
  return fails(&randomness_left) ? RP_ERR_UNAVAILABLE : __real_rp_random_canonical(field, out);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

enum { SIGNAL_BYTES = 2 * 32 }; /* of the fixture */

typedef struct scene {
  bench *b;
  blob zkey, wtns;
  RP(_key) * key;
  RP(_prover) * prover;
  RP(_proof) proof[2];
  uint8_t signals[2][SIGNAL_BYTES];
} scene;

static scene scene_open(bench *b) {
  scene s = {.b = b,
             .zkey = fixture_read(OWN(_fixture)[0], "circuit.zkey"),
             .wtns = fixture_read(OWN(_fixture)[0], "witness.wtns")};
  const RP(_prover_options) options = {.struct_size = sizeof options, .max_in_flight = 2};
  rp_error err = {0};
  EXPECT(RP_OK, RP(_key_open_memory)(b->context, s.zkey.data, s.zkey.bytes, NULL, &s.key, &err), &err);
  RP(_key_info) info = {.struct_size = sizeof info};
  RP(_key_get_info)(s.key, &info);
  assert_int_equal(32 * info.n_public, SIGNAL_BYTES);
  EXPECT(RP_OK, RP(_prover_create)(b->device, s.key, &options, &s.prover, &err), &err);
  return s;
}

static void scene_close(scene *s) {
  RP(_prover_destroy)(s->prover);
  RP(_key_close)(s->key);
  blob_free(&s->zkey), blob_free(&s->wtns);
}

static rp_status prove(scene *s, rp_error *err) {
  return RP(_prove)(s->prover, s->wtns.data, s->wtns.bytes, &s->proof[0], s->signals[0], NULL, err);
}

static rp_status prove_two(scene *s, rp_error *err) {
  RP(_job) jobs[2];
  for (int i = 0; i < 2; i++)
    jobs[i] = (RP(_job)){.struct_size = sizeof jobs[i],
                         .wtns = s->wtns.data,
                         .wtns_bytes = s->wtns.bytes,
                         .proof = &s->proof[i],
                         .public_signals = s->signals[i]};
  const rp_status status = RP(_prove_batch)(s->prover, jobs, 2, err);
  static const RP(_proof) nothing;
  for (int i = 0; i < 2; i++)
    assert_int_equal(jobs[i].status == RP_OK, memcmp(&s->proof[i], &nothing, sizeof nothing) != 0);
  return status;
}

static rp_status open_key(scene *s, rp_error *err) {
  RP(_key) * key;
  const rp_status status = RP(_key_open_memory)(s->b->context, s->zkey.data, s->zkey.bytes, NULL, &key, err);
  assert_int_equal(status == RP_OK, key != NULL);
  RP(_key_close)(key);
  return status;
}

static rp_status create(scene *s, rp_error *err) {
  RP(_prover) * prover;
  const rp_status status = RP(_prover_create)(s->b->device, s->key, NULL, &prover, err);
  assert_int_equal(status == RP_OK, prover != NULL);
  RP(_prover_destroy)(prover);
  return status;
}

/* Makes the call with buffers full of other bytes; a failure must leave no result in them. */
static rp_status tried(scene *s, rp_status (*call)(scene *s, rp_error *err), rp_error *err) {
  static const RP(_proof) nothing;
  static const uint8_t zeros[SIGNAL_BYTES];
  *err = (rp_error){0};
  memset(s->proof, 0x5a, sizeof s->proof);
  memset(s->signals, 0x5a, sizeof s->signals);
  const rp_status status = call(s, err);
  memory_left = randomness_left = -1;
  assert_int_equal(err->status, status);
  assert_int_equal(status == RP_OK, err->reason[0] == 0);
  if (call == prove && status != RP_OK) {
    assert_memory_equal(&s->proof[0], &nothing, sizeof nothing);
    if (s->signals[0][0] != 0x5a) assert_memory_equal(s->signals[0], zeros, sizeof zeros);
  }
  return status;
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

static void every_blinding_value_is_needed(void **state) {
  scene s = scene_open(*state);
  rp_error err;
  for (long k = 0; k < BLINDING; k++) {
    randomness_left = k;
    EXPECT(RP_ERR_UNAVAILABLE, tried(&s, prove, &err), &err);
    assert_non_null(strstr(err.reason, "no randomness for the blinding"));
    EXPECT(RP_OK, tried(&s, prove, &err), &err);
  }
  randomness_left = BLINDING + 4; /* in the second of two proofs */
  EXPECT(RP_ERR_UNAVAILABLE, tried(&s, prove_two, &err), &err);
  scene_close(&s);
}

/* Lets allocations 0, `step`, 2 `step`, ... of the call fail in turn. The call must make at least `least` of them. */
static void sweep(scene *s, rp_status (*call)(scene *s, rp_error *err), long step, long least) {
  rp_error err;
  long k = 0;
  for (;; k += step) {
    memory_left = k;
    const rp_status status = tried(s, call, &err);
    if (status == RP_OK) break;
    EXPECT(RP_ERR_MEMORY, status, &err);
  }
  assert_true(k >= least);
  EXPECT(RP_OK, tried(s, call, &err), &err);
}

static void every_allocation_may_fail(void **state) {
  scene s = scene_open(*state);
  sweep(&s, prove, 1, 3);
  sweep(&s, prove_two, 1, 5);
  sweep(&s, open_key, 1, 10);
  sweep(&s, create, 37, 100);
  scene_close(&s);
}

static int run_all(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_blinding_value_is_needed),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}

#endif
