/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a caller relies on: blinding is fresh, nothing wrong is released or accepted, and many proofs run at a time.
 */
#include "common.h"

#include "groth16/formats/zkey.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static blob zkey, wtns, vkey;

static void blinding_is_random_and_proofs_verify(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  rp_groth16_proof proof[2];
  uint8_t signals[32];
  for (int i = 0; i < 2; i++) {
    EXPECT(RP_OK, rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof[i], signals, NULL, &err), &err);
    expect_verifies(b, &vkey, &proof[i], signals, 1);
  }
  assert_memory_not_equal(proof[0].a, proof[1].a, 64);
  assert_memory_not_equal(proof[0].b, proof[1].b, 128);
  assert_memory_not_equal(proof[0].c, proof[1].c, 64);
  rp_groth16_prover_destroy(prover);
}

/* For two proofs of one witness, A - A' = (r - r') delta and B - B' = (s - s') delta. Returns 1 if r - r' = s - s'. */
static int blinding_differs_equally(const g16_zkey *key, const rp_groth16_proof proof[2]) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1), *g2 = rp_curve_get(key->family->g2);
  g16_g1 a[2], minus_delta;
  g16_g2 b[2];
  for (int i = 0; i < 2; i++) {
    memcpy(&a[i], proof[i].a, g1->affine_bytes);
    memcpy(&b[i], proof[i].b, g2->affine_bytes);
  }
  g1->neg(&a[1], &a[1]), g1->add(&a[0], &a[0], &a[1]);
  g2->neg(&b[1], &b[1]), g2->add(&b[0], &b[0], &b[1]);
  g1->neg(&minus_delta, &key->delta_1);
  const void *const p[] = {&a[0], &minus_delta}, *const q[] = {&key->delta_2, &b[0]};
  return rp_pairing_product_is_one(g1->id, 2, p, q);
}

/* If s were equal to r, or to r plus a constant, two proofs of one witness would show it. */
static void r_and_s_are_independent(void **state) {
  static const char *const fixtures[] = {"multiplier_bn254", "multiplier_bls12381"};
  bench *b = *state;
  for (int i = 0; i < 2; i++) {
    blob key_bytes = fixture_read(fixtures[i], "circuit.zkey"), witness = fixture_read(fixtures[i], "witness.wtns");
    rp_groth16_prover *prover = prover_of(b, &key_bytes, 1);
    rp_groth16_proof proof[2];
    rp_error err = {0};
    support_file *file;
    g16_zkey key;
    size_t n;
    const uint8_t *values = wtns_values(&witness, &n);
    EXPECT(RP_OK, support_file_wrap("key", key_bytes.data, key_bytes.bytes, &file, &err), &err);
    EXPECT(RP_OK, g16_zkey_open(file, &key, &err), &err);
    for (uint8_t k = 0; k < 2; k++) {
      const uint8_t same[32] = {(uint8_t)(2 + k)};
      EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, same, same, &proof[k], NULL, NULL, &err), &err);
    }
    assert_true(blinding_differs_equally(&key, proof)); /* the equation detects equal differences */
    for (int k = 0; k < 2; k++)
      EXPECT(RP_OK, rp_groth16_prove_values(prover, values, n, &proof[k], NULL, NULL, &err), &err);
    assert_false(blinding_differs_equally(&key, proof));
    support_file_close(file);
    rp_groth16_prover_destroy(prover);
    blob_free(&key_bytes), blob_free(&witness);
  }
}

static void changes_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_vkey *key;
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  rp_groth16_proof proof;
  uint8_t signals[32];
  EXPECT(RP_OK, rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, signals, NULL, &err), &err);
  EXPECT(RP_OK, rp_groth16_vkey_from_json(b->context, (char *)vkey.data, vkey.bytes, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_verify(key, &proof, signals, 1, &err), &err);
  for (int i = 0; i < 31; i += 5) {
    signals[i] ^= 1;
    EXPECT(RP_ERR_VERIFY, rp_groth16_verify(key, &proof, signals, 1, &err), &err);
    signals[i] ^= 1;
  }
  uint8_t *part[3] = {proof.a, proof.b, proof.c};
  for (int p = 0; p < 3; p++)
    for (int i = 0; i < (p == 1 ? 128 : 64); i += 9) {
      part[p][i] ^= 1;
      EXPECT(RP_ERR_INPUT, rp_groth16_verify(key, &proof, signals, 1, &err), &err); /* the point is off the curve */
      part[p][i] ^= 1;
    }
  /* Two points of the same group are exchanged. */
  rp_groth16_proof swapped = proof;
  memcpy(swapped.a, proof.c, 64);
  memcpy(swapped.c, proof.a, 64);
  EXPECT(RP_ERR_VERIFY, rp_groth16_verify(key, &swapped, signals, 1, &err), &err);
  /* The same number, but not reduced: a caller who compares bytes would take it for other signals. */
  uint8_t alias[32];
  unsigned carry = 0;
  const uint8_t *order = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  for (int i = 0; i < 32; i++) {
    carry += (unsigned)signals[i] + order[i];
    alias[i] = (uint8_t)carry;
    carry >>= 8;
  }
  EXPECT(RP_ERR_INPUT, rp_groth16_verify(key, &proof, alias, 1, &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_verify(key, &proof, signals, 0, &err), &err);
  rp_groth16_proof other = proof;
  other.g1 = RP_CURVE_BLS12_381_G1;
  other.g2 = RP_CURVE_BLS12_381_G2;
  EXPECT(RP_ERR_MISMATCH, rp_groth16_verify(key, &other, signals, 1, &err), &err);
  EXPECT(RP_OK, rp_groth16_verify(key, &proof, signals, 1, &err), &err);
  rp_groth16_vkey_destroy(key);
  rp_groth16_prover_destroy(prover);
}

static void wrong_witnesses_give_no_proof(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  rp_groth16_proof proof, nothing;
  memset(&nothing, 0, sizeof nothing);
  size_t n;
  const uint8_t *good = wtns_values(&wtns, &n);
  uint8_t *values = malloc(n * 32);
  memcpy(values, good, n * 32);
  values[32 * (n - 1)] ^= 1; /* in range, but not a solution */
  EXPECT(RP_ERR_VERIFY, rp_groth16_prove_values(prover, values, n, &proof, NULL, NULL, &err), &err);
  assert_memory_equal(proof.a, nothing.a, sizeof proof.a);
  assert_memory_equal(proof.b, nothing.b, sizeof proof.b);
  assert_memory_equal(proof.c, nothing.c, sizeof proof.c);
  memset(values + 32 * 2, 0xff, 32);
  EXPECT(RP_ERR_INPUT, rp_groth16_prove_values(prover, values, n, &proof, NULL, NULL, &err), &err);
  memcpy(values, good, n * 32);
  values[0] = 2; /* the constant wire must be 1 */
  EXPECT(RP_ERR_INPUT, rp_groth16_prove_values(prover, values, n, &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_prove_values(prover, good, n - 1, &proof, NULL, NULL, &err), &err);
  uint8_t small[32] = {1}, big[32];
  memset(big, 0xff, 32);
  EXPECT(RP_ERR_INPUT, rp_groth16_prove_unsafe_blinding(prover, good, n, small, big, &proof, NULL, NULL, &err), &err);
  blob other = fixture_read("poseidon_merkle", "witness.wtns"),
       bls = fixture_read("multiplier_bls12381", "witness.wtns");
  EXPECT(RP_ERR_MISMATCH, rp_groth16_prove(prover, other.data, other.bytes, &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_prove(prover, bls.data, bls.bytes, &proof, NULL, NULL, &err), &err);
  EXPECT(RP_ERR_FORMAT, rp_groth16_prove(prover, other.data, 40, &proof, NULL, NULL, &err), &err);
  /* The prover still works. */
  EXPECT(RP_OK, rp_groth16_prove_values(prover, good, n, &proof, NULL, NULL, &err), &err);
  blob_free(&other);
  blob_free(&bls);
  free(values);
  rp_groth16_prover_destroy(prover);
}

static void unchecked_proofs_are_released_on_request_only(void **state) {
  bench *b = *state;
  rp_error err = {0};
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .no_verify = 1};
  rp_groth16_prover *prover = prover_with(b, &zkey, &options);
  rp_groth16_proof proof;
  size_t n;
  const uint8_t *good = wtns_values(&wtns, &n);
  uint8_t *values = malloc(n * 32);
  memcpy(values, good, n * 32);
  values[32 * (n - 1)] ^= 1;
  EXPECT(RP_OK, rp_groth16_prove_values(prover, values, n, &proof, NULL, NULL, &err), &err);
  free(values);
  rp_groth16_prover_destroy(prover);
}

enum { JOBS = 7 };

static void batch_runs_three_at_a_time(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_prover *prover = prover_of(b, &zkey, 3);
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_recording_get_plan(rp_groth16_prover_recording(prover), &plan);
  assert_int_equal(plan.slots, 3);
  static const rp_groth16_proof nothing;
  rp_groth16_proof proof[JOBS];
  uint8_t signals[JOBS][32];
  rp_groth16_job jobs[JOBS];
  for (int i = 0; i < JOBS; i++)
    jobs[i] = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                               .wtns = wtns.data,
                               .wtns_bytes = wtns.bytes,
                               .proof = &proof[i],
                               .public_signals = signals[i]};
  jobs[2].wtns_bytes = 17; /* a job that fails must not affect the others */
  jobs[5].wtns = NULL;
  memset(proof, 0x5a, sizeof proof);
  EXPECT(RP_ERR_FORMAT, rp_groth16_prove_batch(prover, jobs, JOBS, &err), &err);
  for (int i = 0; i < JOBS; i++) {
    if (i == 2 || i == 5) {
      assert_int_equal(jobs[i].status, i == 2 ? RP_ERR_FORMAT : RP_ERR_ARGUMENT);
      assert_true(jobs[i].error.reason[0] != 0);
      assert_memory_equal(&proof[i], &nothing, sizeof nothing);
      continue;
    }
    EXPECT(RP_OK, jobs[i].status, &jobs[i].error);
    expect_verifies(b, &vkey, &proof[i], signals[i], 1);
  }
  EXPECT(RP_OK, rp_groth16_prove_batch(prover, jobs, 0, &err), &err);

  /* No job can be tried, so none may keep a status of RP_OK, or a proof. */
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prove_batch(NULL, jobs, JOBS, &err), &err);
  for (int i = 0; i < JOBS; i++) {
    assert_memory_equal(&proof[i], &nothing, sizeof nothing);
    assert_int_equal(jobs[i].status, RP_ERR_ARGUMENT);
    assert_int_equal(jobs[i].error.status, RP_ERR_ARGUMENT);
  }
  rp_groth16_prover_destroy(prover);
}

/* One of two slots is held by somebody who waits for nothing: a batch that holds the other one does not wait for it. */
static void batch_beside_a_held_slot(void **state) {
  enum { N = 3 };
  bench *b = *state;
  rp_error err = {0};
  rp_run *held;
  rp_groth16_prover *prover = prover_of(b, &zkey, 2);
  rp_groth16_proof proofs[N];
  rp_groth16_job jobs[N];
  for (int i = 0; i < N; i++)
    jobs[i] =
        (rp_groth16_job){.struct_size = sizeof *jobs, .wtns = wtns.data, .wtns_bytes = wtns.bytes, .proof = &proofs[i]};
  EXPECT(RP_OK, rp_run_begin(rp_groth16_prover_recording(prover), 0, &held, &err), &err);
  alarm(120);
  EXPECT(RP_OK, rp_groth16_prove_batch(prover, jobs, N, &err), &err);
  alarm(0);
  rp_run_end(held);
  rp_groth16_prover_destroy(prover);
}

/* Jobs of programs that were compiled with a newer header, or with an older one, whose struct has fewer fields. */
static void jobs_of_any_length(void **state) {
  enum { N = 3, SIZE = sizeof(rp_groth16_job), LESS = offsetof(rp_groth16_job, wtns_path), MORE = SIZE + 24 };
  static const uint32_t sizes[] = {LESS, SIZE, MORE};
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_prover *prover = prover_of(b, &zkey, 2);
  for (int s = 0; s < 3; s++) {
    uint8_t jobs[N * MORE];
    rp_groth16_proof proofs[N], zero = {0};
    memset(jobs, 0x5a, sizeof jobs);
    for (uint32_t i = 0; i < N; i++) {
      const rp_groth16_job job = {.struct_size = sizes[s],
                                  .wtns = wtns.data,
                                  .wtns_bytes = i == 1 ? 17 : wtns.bytes,
                                  .proof = &proofs[i],
                                  .status = RP_ERR_INTERNAL};
      memcpy(jobs + (size_t)i * sizes[s], &job, sizes[s] < SIZE ? sizes[s] : SIZE);
    }
    EXPECT(RP_ERR_FORMAT, rp_groth16_prove_batch(prover, (rp_groth16_job *)(void *)jobs, N, &err), &err);
    for (uint32_t i = 0; i < N; i++) {
      rp_groth16_job job = {0};
      const uint8_t *at = jobs + (size_t)i * sizes[s];
      memcpy(&job, at, sizes[s] < SIZE ? sizes[s] : SIZE);
      assert_int_equal(job.struct_size, sizes[s]);
      EXPECT(i == 1 ? RP_ERR_FORMAT : RP_OK, job.status, &job.error);
      assert_int_equal(job.error.status, job.status);
      assert_int_equal(memcmp(&proofs[i], &zero, sizeof zero) == 0, i == 1);
      for (uint32_t k = SIZE; k < sizes[s]; k++) assert_int_equal(at[k], 0x5a);
    }
    for (size_t k = (size_t)N * sizes[s]; k < sizeof jobs; k++) assert_int_equal(jobs[k], 0x5a);
  }
  rp_groth16_job wrong[2] = {{.struct_size = SIZE, .status = RP_ERR_INTERNAL}, {.struct_size = MORE}};
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prove_batch(prover, wrong, 2, &err), &err);
  assert_non_null(strstr(err.reason, "jobs[1].struct_size is "));
  wrong[0].struct_size = 0;
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prove_batch(prover, wrong, 2, &err), &err);
  assert_string_equal(err.reason, "rp_groth16_prove_batch: jobs[0].struct_size is not set.");
  assert_int_equal(wrong[0].status, RP_ERR_INTERNAL);
  rp_groth16_prover_destroy(prover);
}

typedef struct client {
  rp_groth16_prover *prover;
  rp_status status;
  rp_error err;
  rp_groth16_proof proof;
  uint8_t signals[32];
  int batch;
} client;

static void *client_main(void *arg) {
  client *c = arg;
  for (int i = 0; i < 3 && c->status == RP_OK; i++) {
    if (!c->batch) {
      c->status = rp_groth16_prove(c->prover, wtns.data, wtns.bytes, &c->proof, c->signals, NULL, &c->err);
      continue;
    }
    rp_groth16_proof extra;
    rp_groth16_job jobs[2] = {
        {.struct_size = sizeof *jobs, .wtns = wtns.data, .wtns_bytes = wtns.bytes, .proof = &extra},
        {.struct_size = sizeof *jobs,
         .wtns = wtns.data,
         .wtns_bytes = wtns.bytes,
         .proof = &c->proof,
         .public_signals = c->signals}};
    c->status = rp_groth16_prove_batch(c->prover, jobs, 2, &c->err);
  }
  return NULL;
}

/* Batches that hold one slot and want another must not wait for each other. */
static void threads_share_a_prover(void **state) {
  bench *b = *state;
  rp_groth16_prover *prover = prover_of(b, &zkey, 2);
  enum { CLIENTS = 5 };
  client clients[CLIENTS];
  pthread_t threads[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    clients[i] = (client){.prover = prover, .batch = i % 2};
    assert_int_equal(pthread_create(&threads[i], NULL, client_main, &clients[i]), 0);
  }
  for (int i = 0; i < CLIENTS; i++) {
    pthread_join(threads[i], NULL);
    EXPECT(RP_OK, clients[i].status, &clients[i].err);
    expect_verifies(b, &vkey, &clients[i].proof, clients[i].signals, 1);
  }
  rp_groth16_prover_destroy(prover);
}

static void witnesses_come_from_files(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_prover *prover = prover_of(b, &zkey, 2);
  rp_groth16_proof proof, proofs[3];
  uint8_t signals[32], job_signals[3][32];
  const char *path = scratch_path("witness.wtns");
  blob_write(path, wtns.data, wtns.bytes);
  EXPECT(RP_OK, rp_groth16_prove_file(prover, path, &proof, signals, NULL, &err), &err);
  expect_verifies(b, &vkey, &proof, signals, 1);
  EXPECT(RP_ERR_FILE, rp_groth16_prove_file(prover, scratch_path("none.wtns"), &proof, NULL, NULL, &err), &err);
  assert_non_null(strstr(err.reason, "none.wtns"));
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prove_file(prover, NULL, &proof, NULL, NULL, &err), &err);
  enum { SIZE = sizeof(rp_groth16_job) };
  rp_groth16_job jobs[3] = {
      {.struct_size = SIZE, .wtns_path = path, .proof = &proofs[0], .public_signals = job_signals[0]},
      {.struct_size = SIZE, .wtns_path = scratch_path("none.wtns"), .proof = &proofs[1]},
      {.struct_size = SIZE, .wtns_path = path, .proof = &proofs[2], .public_signals = job_signals[2]}};
  EXPECT(RP_ERR_FILE, rp_groth16_prove_batch(prover, jobs, 3, &err), &err);
  for (int i = 0; i < 3; i += 2) {
    EXPECT(RP_OK, jobs[i].status, &jobs[i].error);
    expect_verifies(b, &vkey, &proofs[i], job_signals[i], 1);
  }
  rp_groth16_prover_destroy(prover);
}

static void budget_refuses_with_figures(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob big = fixture_read("poseidon_merkle", "circuit.zkey");
  rp_groth16_key *key;
  rp_plan_info plan = {.struct_size = sizeof plan}, refused = {.struct_size = sizeof refused};
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, big.data, big.bytes, NULL, &key, &err), &err);
  rp_groth16_prover_options options = {.struct_size = sizeof options};
  EXPECT(RP_OK, rp_groth16_plan(b->device, key, &options, &plan, &err), &err);
  assert_true(plan.total_bytes > 0 && plan.arena_bytes > 0);
  /* The smallest budget depends on the device; before it is reached, the key is streamed. */
  rp_status status = RP_OK;
  for (uint64_t budget = plan.total_bytes; status == RP_OK && budget; budget /= 2) {
    options.memory_budget_bytes = budget;
    status = rp_groth16_plan(b->device, key, &options, &refused, &err);
    assert_true(status != RP_OK || refused.total_bytes <= budget);
  }
  char figure[32];
  snprintf(figure, sizeof figure, " %llu ", (unsigned long long)options.memory_budget_bytes);
  EXPECT(RP_ERR_BUDGET, status, &err);
  assert_non_null(strstr(err.reason, figure));
  rp_groth16_prover *prover;
  EXPECT(RP_ERR_BUDGET, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  assert_null(prover);
  rp_groth16_key_close(key);
  blob_free(&big);
}

static void random_orders_give_the_same_proof(void **state) {
  bench *b = *state;
  rp_error err = {0};
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  uint8_t r[32] = {2}, s[32] = {3};
  rp_groth16_proof first, proof;
  for (int i = 0; i < 4; i++) {
    const rp_groth16_prover_options options = {.struct_size = sizeof options,
                                               .flags = i ? RP_RECORD_RANDOM_ORDER | RP_RECORD_CHECK_HAZARDS : 0,
                                               .tables = i == 3};
    rp_groth16_prover *prover = prover_with(b, &zkey, &options);
    EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, i ? &proof : &first, NULL, NULL, &err),
           &err);
    if (i) assert_memory_equal(proof.a, first.a, sizeof proof - offsetof(rp_groth16_proof, a));
    rp_groth16_prover_destroy(prover);
  }
}

static void null_arguments_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_groth16_vkey *none = NULL;
  static const rp_groth16_proof nothing;
  rp_groth16_proof proof;
  memset(&proof, 0x5a, sizeof proof);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_open(b->context, NULL, NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_open_memory(NULL, "x", 1, NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prover_create(b->device, NULL, NULL, &prover, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_prove(NULL, "x", 1, &proof, NULL, NULL, &err), &err);
  assert_memory_equal(&proof, &nothing, sizeof nothing);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_verify(NULL, &proof, NULL, 0, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_vkey_from_key(NULL, &none, &err), &err);
  rp_groth16_prover_destroy(NULL);
  rp_groth16_key_close(NULL);
  rp_groth16_vkey_destroy(NULL);
}

/* A caller can ask the prover's recording for its input. */
static void the_witness_has_a_name_and_a_length(void **state) {
  bench *b = *state;
  rp_error err = {0};
  size_t n;
  wtns_values(&wtns, &n);
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  rp_port_info witness = {.struct_size = sizeof witness}, proof = {.struct_size = sizeof proof};
  EXPECT(RP_OK, rp_groth16_prover_witness(prover, &witness, &err), &err);
  assert_string_equal(witness.name, "witness");
  assert_int_equal(witness.len, n + 2); /* the wires, s, r */
  assert_int_equal(witness.type->id, RP_TYPE_U256.id);
  assert_int_equal(witness.secret, 1);
  rp_recording *recording = rp_groth16_prover_recording(prover);
  assert_int_equal(rp_recording_n_inputs(recording), 1);
  assert_int_equal(rp_recording_n_outputs(recording), 3);
  EXPECT(RP_OK, rp_recording_find_output(recording, "pi_b", &proof, &err), &err);
  assert_int_equal(proof.size_bytes, 128);
  /* A proof made by hand: its A is the sum of the key's points times the witness and r, whichever way it is
   * computed. */
  uint8_t *values = calloc(witness.len, 32), pi_a[64], pi_b[128], pi_c[64];
  memcpy(values, wtns_values(&wtns, &n), n * 32);
  values[n * 32] = 5;       /* s */
  values[(n + 1) * 32] = 3; /* r */
  const rp_replay_input in[] = {{.name = "witness", .data = values, .size_bytes = witness.size_bytes}};
  const rp_replay_output out[] = {{.name = "pi_a", .data = pi_a, .size_bytes = sizeof pi_a},
                                  {.name = "pi_b", .data = pi_b, .size_bytes = sizeof pi_b},
                                  {.name = "pi_c", .data = pi_c, .size_bytes = sizeof pi_c}};
  EXPECT(RP_OK, rp_replay(recording, in, 1, out, 3, &err), &err);
  const uint8_t r[32] = {3}, s[32] = {5};
  rp_groth16_proof same;
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &same, NULL, NULL, &err), &err);
  assert_memory_equal(pi_a, same.a, sizeof pi_a);
  assert_memory_equal(pi_b, same.b, sizeof pi_b);
  assert_memory_equal(pi_c, same.c, sizeof pi_c);
  free(values);
  rp_groth16_prover_destroy(prover);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  made files = fixture_files("multiplier_bn254");
  zkey = files.zkey, wtns = files.wtns, vkey = files.vkey;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(blinding_is_random_and_proofs_verify, state),
      cmocka_unit_test_prestate(r_and_s_are_independent, state),
      cmocka_unit_test_prestate(changes_are_refused, state),
      cmocka_unit_test_prestate(wrong_witnesses_give_no_proof, state),
      cmocka_unit_test_prestate(unchecked_proofs_are_released_on_request_only, state),
      cmocka_unit_test_prestate(batch_runs_three_at_a_time, state),
      cmocka_unit_test_prestate(batch_beside_a_held_slot, state),
      cmocka_unit_test_prestate(jobs_of_any_length, state),
      cmocka_unit_test_prestate(threads_share_a_prover, state),
      cmocka_unit_test_prestate(witnesses_come_from_files, state),
      cmocka_unit_test_prestate(budget_refuses_with_figures, state),
      cmocka_unit_test_prestate(random_orders_give_the_same_proof, state),
      cmocka_unit_test_prestate(the_witness_has_a_name_and_a_length, state),
      cmocka_unit_test_prestate(null_arguments_are_refused, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  made_free(&files);
  bench_close(&b);
  return failed;
}
