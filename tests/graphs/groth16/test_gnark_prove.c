/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs with keys of gnark. With gnark's own blinding values they are gnark's proofs, byte for byte; with random ones
 * they verify. What does not belong together is refused, and a wrong proof is not released.
 */
#include "gnark_subject.h"
#include "one_submission.h"

#include <dirent.h>
#include <stdatomic.h>

static void with_gnarks_blinding_it_is_gnarks_proof(void **state) {
  static const char *const forms[] = {"pk.bin", "pk.raw", "pk.dump"};
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++)
    for (int form = 0; form < (gnark_fixtures[i].large ? 1 : 3); form++) {
      subject s;
      rp_error err = {0};
      rp_gnark_proof proof;
      uint8_t signals[MOST_SIGNALS * 32];
      open_subject(b, &gnark_fixtures[i], forms[form], form == 1, &s);
      rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
      EXPECT(RP_OK,
             rp_gnark_prove_unsafe_blinding(prover, &s.vectors, s.facts.r, s.facts.s, &proof, signals, NULL, &err),
             &err);
      is_gnarks_proof(s.fixture, &proof);
      check_signals(s.fixture, signals);
      rp_groth16_prover_destroy(prover);
      close_subject(&s);
    }
}

static uint32_t open_files(void) {
  uint32_t n = 0;
  DIR *dir = opendir("/proc/self/fd");
  assert_non_null(dir);
  while (readdir(dir)) n++;
  closedir(dir);
  return n;
}

/* The solution comes from unaligned memory, and from both forms of a file, which is closed afterwards. */
static void proofs_with_random_blinding_verify(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    rp_error err = {0};
    rp_gnark_proof proof[3];
    uint8_t signals[MOST_SIGNALS * 32];
    rp_run_counters counters = {.struct_size = sizeof counters};
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    uint8_t *odd = malloc(s.solution.bytes + 1);
    memcpy(odd + 1, s.solution.data, s.solution.bytes);
    rp_gnark_solution moved = s.vectors;
    moved.wires = odd + 1 + 8;
    EXPECT(RP_OK, rp_gnark_prove(prover, &moved, &proof[0], signals, &counters, &err), &err);
    if (rp_group_size(b->device) == 1) assert_one_submission(b->device, counters.submissions);
    assert_int_equal(counters.waits, 1);
    EXPECT(RP_OK, rp_gnark_prove_file(prover, gnark_path(s.fixture, "solution.mont"), &proof[1], NULL, NULL, &err),
           &err);
    const uint32_t files = open_files();
    const char *canonical = s.fixture->large ? "solution.mont" : "solution.bin";
    EXPECT(RP_OK, rp_gnark_prove_file(prover, gnark_path(s.fixture, canonical), &proof[2], NULL, NULL, &err), &err);
    assert_int_equal(open_files(), files);
    for (int k = 0; k < 3; k++) {
      EXPECT(RP_OK, rp_gnark_verify(s.vkey, &proof[k], signals, s.fixture->n_public, &err), &err);
      for (int m = 0; m < k; m++) assert_memory_not_equal(proof[k].groth16.a, proof[m].groth16.a, 64);
    }
    free(odd);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

/* Several in flight, from memory and from files; a bad one fails alone. */
static void batches(void **state) {
  enum { JOBS = 5, BAD = 3 };
  bench *b = *state;
  for (int i = 0; i < 4; i++) {
    subject s;
    rp_error err = {0};
    rp_gnark_proof proofs[JOBS];
    uint8_t signals[JOBS][MOST_SIGNALS * 32];
    rp_gnark_job jobs[JOBS];
    char path[GNARK_PATH];
    static const rp_gnark_proof nothing;
    const rp_groth16_prover_options options = {.struct_size = sizeof options, .max_in_flight = 2};
    open_subject(b, &gnark_fixtures[i], "pk.raw", 0, &s);
    snprintf(path, sizeof path, "%s", gnark_path(s.fixture, "solution.bin"));
    rp_groth16_prover *prover = prover_with_options(b, &s, &options);
    for (int k = 0; k < JOBS; k++)
      jobs[k] = (rp_gnark_job){.struct_size = sizeof *jobs,
                               .solution = k % 2 == 0 ? &s.vectors : NULL,
                               .path = k == BAD ? "/nowhere/solution.bin" : path,
                               .proof = &proofs[k],
                               .public_signals = k == 1 ? NULL : signals[k]};
    memset(proofs, 0x5a, sizeof proofs);
    EXPECT(RP_ERR_FILE, rp_gnark_prove_batch(prover, jobs, JOBS, &err), &err);
    for (int k = 0; k < JOBS; k++) {
      assert_int_equal(jobs[k].status, k == BAD ? RP_ERR_FILE : RP_OK);
      if (k == BAD)
        assert_memory_equal(&proofs[k], &nothing, sizeof nothing);
      else
        EXPECT(RP_OK, rp_gnark_verify(s.vkey, &proofs[k], signals[k == 1 ? 0 : k], s.fixture->n_public, &err), &err);
    }
    jobs[0].solution = NULL, jobs[0].path = NULL;
    EXPECT(RP_ERR_ARGUMENT, rp_gnark_prove_batch(prover, jobs, 1, &err), &err);
    jobs[0].solution = &s.vectors, jobs[0].proof = NULL;
    EXPECT(RP_ERR_ARGUMENT, rp_gnark_prove_batch(prover, jobs, 1, &err), &err);
    assert_non_null(strstr(jobs[0].error.reason, "its proof is NULL"));
    EXPECT(RP_ERR_ARGUMENT, rp_gnark_prove_batch(NULL, jobs, 1, &err), &err);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

static void note_end(void *user, rp_groth16_task *task) {
  atomic_fetch_add((atomic_int *)user, rp_groth16_poll(task) == RP_ERR_TIMEOUT ? 100 : 1);
}

/* From the vectors, whose struct the caller may forget, from a path and from the bytes of a file. */
static void submitted_solutions(void **state) {
  bench *b = *state;
  for (int i = 0; i < 4; i++) {
    subject s;
    rp_error err = {0};
    atomic_int ended = 0;
    const rp_groth16_prover_options options = {.struct_size = sizeof options, .max_in_flight = 3};
    open_subject(b, &gnark_fixtures[i], "pk.raw", 0, &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, &options);
    rp_groth16_task *tasks[3];
    for (int k = 0; k < 3; k++) {
      rp_gnark_solution vectors = s.vectors;
      char path[GNARK_PATH];
      snprintf(path, sizeof path, "%s", gnark_path(s.fixture, "solution.bin"));
      rp_groth16_request r = {.struct_size = sizeof r, .done = note_end, .user = &ended};
      if (k == 0) r.solution = &vectors;
      if (k == 1) r.wtns_path = path;
      if (k == 2) r.wtns = s.solution.data, r.wtns_bytes = s.solution.bytes;
      EXPECT(RP_OK, rp_groth16_submit(prover, &r, UINT64_MAX, &tasks[k], &err), &err);
      memset(&vectors, 0x5a, sizeof vectors), memset(path, 'x', sizeof path - 1);
    }
    for (int k = 0; k < 3; k++) {
      rp_gnark_proof proof;
      uint8_t signals[MOST_SIGNALS * 32];
      assert_int_equal(rp_groth16_wait(tasks[k], UINT64_MAX), RP_OK);
      EXPECT(RP_OK, rp_gnark_result(tasks[k], &proof, signals, NULL, &err), &err);
      EXPECT(RP_OK, rp_gnark_verify(s.vkey, &proof, signals, s.fixture->n_public, &err), &err);
      check_signals(s.fixture, signals);
      EXPECT(RP_ERR_MISMATCH, rp_groth16_result(tasks[k], &proof.groth16, NULL, NULL, &err), &err);
      rp_groth16_end(tasks[k]);
    }
    assert_int_equal(ended, 3);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

/* With the least memory with which the prover works, points come in chunks. */
static void points_can_be_streamed(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    rp_error err = {0};
    rp_gnark_proof proof;
    rp_plan_info plan = {.struct_size = sizeof plan};
    rp_groth16_prover_options options = {.struct_size = sizeof options, .memory_budget_bytes = 1};
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, s.key, &options, &plan, &err), &err);
    options.memory_budget_bytes = plan.total_bytes;
    rp_groth16_prover *prover = prover_with_options(b, &s, &options);
    EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &s.vectors, s.facts.r, s.facts.s, &proof, NULL, NULL, &err),
           &err);
    is_gnarks_proof(s.fixture, &proof);
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

static void check_points_finds_gnarks_keys_good(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    rp_error err = {0};
    rp_groth16_key_info info = {.struct_size = sizeof info};
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    EXPECT(RP_OK, rp_groth16_key_check_points(s.key, b->device, &err), &err);
    rp_groth16_key_get_info(s.key, &info);
    assert_int_equal(info.gnark, 1);
    assert_int_equal(info.points_checked, 1);
    assert_int_equal(info.n_vars, s.fixture->n_wires);
    assert_int_equal(info.n_public, s.fixture->n_public);
    assert_int_equal(info.domain, s.fixture->domain);
    assert_int_equal(info.n_commitments, s.fixture->n_commitments);
    close_subject(&s);
  }
}

/* ---- What must not be released ----------------------------------------------------------------------------------- */

static void leaves_nothing(const rp_gnark_proof *proof, const uint8_t *signals, size_t n) {
  static const rp_gnark_proof nothing;
  static const uint8_t zeros[MOST_SIGNALS * 32];
  assert_memory_equal(proof, &nothing, sizeof nothing);
  assert_memory_equal(signals, zeros, n * 32);
}

/* One element of W, A or B is changed. Each of these elements is multiplied by a point of the key, so the proof is
 * wrong. */
static void a_wrong_solution_gives_no_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
    uint8_t *const at[] = {(uint8_t *)s.vectors.wires + 32 * (s.vectors.n_wires - 1), (uint8_t *)s.vectors.a,
                           (uint8_t *)s.vectors.b + 32 * (s.vectors.n_constraints - 1)};
    for (int k = 0; k < 3; k++) {
      rp_error err = {0};
      rp_gnark_proof proof;
      uint8_t signals[MOST_SIGNALS * 32];
      memset(&proof, 0x5a, sizeof proof), memset(signals, 0x5a, sizeof signals);
      at[k][0] ^= 1;
      const rp_status status = rp_gnark_prove(prover, &s.vectors, &proof, signals, NULL, &err);
      at[k][0] ^= 1;
      EXPECT(RP_ERR_VERIFY, status, &err);
      leaves_nothing(&proof, signals, s.fixture->n_public);
    }
    rp_groth16_prover_destroy(prover);
    close_subject(&s);
  }
}

static void expect_refused(rp_groth16_prover *prover, const rp_gnark_solution *solution, rp_status expected,
                           const char *says) {
  rp_error err = {0};
  rp_gnark_proof proof;
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(expected, rp_gnark_prove(prover, solution, &proof, NULL, NULL, &err), &err);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
  leaves_nothing(&proof, (const uint8_t *)"", 0);
}

static void solutions_that_do_not_fit_are_refused(void **state) {
  bench *b = *state;
  subject s, other;
  rp_error err = {0};
  rp_gnark_proof proof;
  open_subject(b, &gnark_fixtures[2], "pk.raw", 0, &s);
  open_subject(b, &gnark_fixtures[3], "pk.raw", 0, &other);
  rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
  expect_refused(prover, &other.vectors, RP_ERR_MISMATCH, "16 wires");
  rp_gnark_solution v = s.vectors;
  v = s.vectors, v.n_wires += 1;
  expect_refused(prover, &v, RP_ERR_MISMATCH, "of another circuit");
  v = s.vectors, v.n_constraints = 65;
  expect_refused(prover, &v, RP_ERR_MISMATCH, "65 constraints");
  v = s.vectors, v.a = NULL;
  expect_refused(prover, &v, RP_ERR_ARGUMENT, "W, A and B");
  v = s.vectors, v.struct_size = 0;
  expect_refused(prover, &v, RP_ERR_ARGUMENT, "struct_size");
  expect_refused(prover, NULL, RP_ERR_ARGUMENT, "A prover, a witness");
  expect_refused(NULL, &s.vectors, RP_ERR_ARGUMENT, "A prover, a witness");
  uint8_t *wires = (uint8_t *)s.vectors.wires, saved[32];
  memcpy(saved, wires, 32);
  wires[0] ^= 1;
  expect_refused(prover, &s.vectors, RP_ERR_INPUT, "first element of W");
  memcpy(wires, saved, 32);
  memcpy(saved, wires + 96, 32);
  memset(wires + 96, 0xff, 32);
  expect_refused(prover, &s.vectors, RP_ERR_INPUT, "Element 3 of W");
  memcpy(wires + 96, saved, 32);
  memset((uint8_t *)s.vectors.b, 0xff, 32);
  expect_refused(prover, &s.vectors, RP_ERR_INPUT, "Element 0 of B");
  uint8_t large[32], signals[32];
  memset(large, 0xff, sizeof large), memset(signals, 0, sizeof signals);
  close_subject(&s);
  open_subject(b, &gnark_fixtures[2], "pk.raw", 0, &s);
  EXPECT(RP_ERR_INPUT,
         rp_gnark_prove_unsafe_blinding(prover, &s.vectors, large, s.facts.s, &proof, signals, NULL, &err), &err);
  leaves_nothing(&proof, signals, 1);
  for (int i = 0; i < 2; i++) { /* both blinding values are needed */
    memset(&proof, 0x5a, sizeof proof);
    EXPECT(RP_ERR_ARGUMENT,
           rp_gnark_prove_unsafe_blinding(prover, &s.vectors, i ? s.facts.r : NULL, i ? NULL : s.facts.s, &proof,
                                          signals, NULL, &err),
           &err);
    leaves_nothing(&proof, signals, 1);
  }
  EXPECT(RP_ERR_MISMATCH,
         rp_gnark_prove_file(prover, gnark_path(other.fixture, "solution.bin"), &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_FORMAT, rp_gnark_prove_file(prover, gnark_path(s.fixture, "vk.raw"), &proof, NULL, NULL, &err), &err);
  rp_groth16_prover_destroy(prover);
  close_subject(&s), close_subject(&other);
}

static void refused_task(rp_groth16_prover *prover, const rp_groth16_request *request, rp_status expected,
                         const char *says) {
  rp_groth16_task *task;
  rp_error err = {0};
  EXPECT(expected, rp_groth16_submit(prover, request, UINT64_MAX, &task, &err), &err);
  assert_null(task);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
}

/* A wrong solution is reported by its task, which has no proof; what cannot be one is refused when it is submitted. */
static void submissions_that_fail(void **state) {
  bench *b = *state;
  subject s;
  rp_error err = {0};
  rp_gnark_proof proof;
  rp_groth16_task *task;
  uint8_t signals[MOST_SIGNALS * 32] = {0};
  made circom = fixture_files("multiplier_bn254");
  open_subject(b, &gnark_fixtures[3], "pk.raw", 0, &s);
  rp_groth16_prover *gnarks = prover_with_options(b, &s, NULL), *circoms = prover_of(b, &circom.zkey, 1);
  rp_groth16_request r = {.struct_size = sizeof r, .solution = &s.vectors};
  ((uint8_t *)s.vectors.wires)[32 * (s.vectors.n_wires - 1)] ^= 1;
  EXPECT(RP_OK, rp_groth16_submit(gnarks, &r, UINT64_MAX, &task, &err), &err);
  assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_ERR_VERIFY);
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(RP_ERR_VERIFY, rp_gnark_result(task, &proof, signals, NULL, &err), &err);
  leaves_nothing(&proof, signals, s.fixture->n_public);
  rp_groth16_end(task);
  refused_task(circoms, &r, RP_ERR_MISMATCH, "not a key of gnark");
  rp_gnark_solution unsized = s.vectors;
  unsized.struct_size = 0;
  r.solution = &unsized;
  refused_task(gnarks, &r, RP_ERR_ARGUMENT, "struct_size");
  r.solution = &s.vectors, r.wtns_path = "solution.bin";
  refused_task(gnarks, &r, RP_ERR_ARGUMENT, "exactly one");
  r = (rp_groth16_request){.struct_size = sizeof r};
  refused_task(gnarks, &r, RP_ERR_ARGUMENT, "or solution");
  r.values = circom.wtns.data, r.n_values = 1;
  refused_task(gnarks, &r, RP_ERR_MISMATCH, "not from values");
  r = (rp_groth16_request){.struct_size = sizeof r, .wtns = circom.wtns.data, .wtns_bytes = circom.wtns.bytes};
  EXPECT(RP_OK, rp_groth16_submit(circoms, &r, UINT64_MAX, &task, &err), &err);
  assert_int_equal(rp_groth16_wait(task, UINT64_MAX), RP_OK);
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(RP_ERR_MISMATCH, rp_gnark_result(task, &proof, NULL, NULL, &err), &err);
  leaves_nothing(&proof, signals, 0);
  rp_groth16_end(task);
  rp_groth16_prover_destroy(gnarks), rp_groth16_prover_destroy(circoms);
  close_subject(&s);
  made_free(&circom);
}

/* Keys of circom refuse witnesses of gnark, and the other way round. */
static void circoms_and_gnarks_do_not_mix(void **state) {
  bench *b = *state;
  subject s;
  rp_error err = {0};
  rp_gnark_proof proof;
  made circom = fixture_files("multiplier_bn254");
  size_t n;
  open_subject(b, &gnark_fixtures[0], "pk.raw", 0, &s);
  rp_groth16_prover *gnarks = prover_with_options(b, &s, NULL), *circoms = prover_of(b, &circom.zkey, 1);
  expect_refused(circoms, &s.vectors, RP_ERR_MISMATCH, "not a key of gnark");
  EXPECT(RP_ERR_MISMATCH,
         rp_groth16_prove(gnarks, circom.wtns.data, circom.wtns.bytes, &proof.groth16, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_MISMATCH,
         rp_groth16_prove_values(gnarks, wtns_values(&circom.wtns, &n), n, &proof.groth16, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_key_matches(s.key, fixture_path("multiplier_bn254", "circuit.zkey"), &err), &err);
  rp_groth16_prover_destroy(gnarks), rp_groth16_prover_destroy(circoms);
  close_subject(&s);
  made_free(&circom);
}

static void refused_key(bench *b, const gnark_fixture *f, const rp_groth16_key_options *options, rp_status expected,
                        const char *says) {
  rp_groth16_key *key;
  rp_error err = {0};
  EXPECT(expected, rp_groth16_key_open(b->context, gnark_path(f, "pk.raw"), options, &key, &err), &err);
  assert_null(key);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
}

/* The same verifying key but for one point, in whose place another one of the key is copied. */
static void every_point_tells_the_setup(void **state) {
  enum { G1 = 64, G2 = 128, ALPHA = 0, BETA_1 = G1, BETA_2 = 2 * G1, GAMMA = BETA_2 + G2, DELTA = GAMMA + G2 + G1 };
  static const struct {
    size_t to, from, bytes;
  } copies[] = {{ALPHA, BETA_1, G1}, {BETA_2, GAMMA, G2}, {DELTA, GAMMA, G2}};
  bench *b = *state;
  subject s;
  open_subject(b, &gnark_fixtures[3], "pk.raw", 0, &s);
  blob raw = blob_read(gnark_path(s.fixture, "vk.raw"));
  uint8_t *room = malloc(raw.bytes);
  for (int i = 0; i < 3; i++) {
    rp_error err = {0};
    rp_groth16_vkey *vkey;
    rp_groth16_key_options options = options_of(&s);
    memcpy(room, raw.data, raw.bytes);
    memcpy(room + copies[i].to, raw.data + copies[i].from, copies[i].bytes);
    EXPECT(RP_OK, rp_gnark_vkey_from_bytes(b->context, room, raw.bytes, &vkey, &err), &err);
    options.vkey = vkey;
    refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "another setup");
    rp_groth16_vkey_destroy(vkey);
  }
  free(room);
  blob_free(&raw);
  close_subject(&s);
}

static void keys_need_what_they_do_not_hold(void **state) {
  bench *b = *state;
  subject s, other;
  rp_error err = {0};
  open_subject(b, &gnark_fixtures[3], "pk.raw", 0, &s);
  open_subject(b, &gnark_fixtures[2], "pk.raw", 0, &other);
  rp_groth16_key_options options = options_of(&s);
  options.n_commitments = 1;
  refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "has 2 commitments");
  options.n_commitments = 2, options.vkey = other.vkey;
  refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "another setup");
  options = options_of(&s);
  s.facts.wires[1][0] = s.facts.wires[0][0];
  refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "taken twice");
  s.facts.wires[1][0] = 2;
  refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "not a private one");
  s.facts.wires[1][0] = 16;
  refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "not a private one");
  s.facts.commitment[1].n_wires = 1;
  refused_key(b, s.fixture, &options, RP_ERR_MISMATCH, "takes 2 wires");
  close_subject(&s), close_subject(&other);

  /* Without a verifying key, only an unverified proof is released. */
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_groth16_vkey *vkey;
  rp_gnark_proof proof;
  open_subject(b, &gnark_fixtures[0], "pk.raw", 0, &s);
  EXPECT(RP_OK, rp_groth16_key_open(b->context, gnark_path(s.fixture, "pk.raw"), NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_vkey_from_key(key, &vkey, &err), &err);
  const rp_groth16_prover_options unverified = {.struct_size = sizeof unverified, .no_verify = 1};
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &unverified, &prover, &err), &err);
  EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &s.vectors, s.facts.r, s.facts.s, &proof, NULL, NULL, &err),
         &err);
  is_gnarks_proof(s.fixture, &proof);
  EXPECT(RP_OK, rp_groth16_key_check_points(key, NULL, &err), &err);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  close_subject(&s);
}

static int remove_scratch(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_gnarks_blinding_it_is_gnarks_proof),
      cmocka_unit_test(proofs_with_random_blinding_verify),
      cmocka_unit_test(batches),
      cmocka_unit_test(submitted_solutions),
      cmocka_unit_test(submissions_that_fail),
      cmocka_unit_test(points_can_be_streamed),
      cmocka_unit_test(check_points_finds_gnarks_keys_good),
      cmocka_unit_test(a_wrong_solution_gives_no_proof),
      cmocka_unit_test(solutions_that_do_not_fit_are_refused),
      cmocka_unit_test(circoms_and_gnarks_do_not_mix),
      cmocka_unit_test(every_point_tells_the_setup),
      cmocka_unit_test(keys_need_what_they_do_not_hold),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, remove_scratch);
}
