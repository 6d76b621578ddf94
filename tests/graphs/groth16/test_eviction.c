/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several threads prove with several keys on one device whose budget holds only some of them, so that recordings are
 * evicted and loaded again while others run. One of the keys is streamed, and needs three recordings at once for a
 * proof. The test is made to run under ThreadSanitizer. A proof waits for memory and is not refused, with one
 * exception: a streamed proof holds a run while it begins others, and if two of them hold what the other needs, one is
 * refused (RP_ERR_BUDGET).
 */
#include "common.h"

#include "groth16/setup/setup_circuit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { THREADS = 4, KEYS = 5, STREAMED = KEYS - 1, JOBS = 3, SIGNALS = 2 };

typedef struct member {
  made files;
  rp_groth16_key *key;
  rp_groth16_vkey *vkey;
  rp_groth16_prover *prover;
  uint64_t bytes;
} member;

static struct {
  rp_context *context;
  rp_device *device;
  member members[KEYS];
  _Atomic uint64_t evictions, refusals, proofs;
  int rounds;
} the;

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static void make_member(bench *b, int i, const char *curve, g16_preset preset, uint32_t log_domain, uint32_t n_public) {
  rp_error err = {0};
  member *m = &the.members[i];
  g16_shape shape;
  g16_shape_preset(preset, log_domain, &shape);
  shape.n_public = n_public;
  make_circuit(b, "evicted", curve, &shape, 0, &m->files);
  EXPECT(RP_OK, rp_groth16_key_open_memory(the.context, m->files.zkey.data, m->files.zkey.bytes, NULL, &m->key, &err),
         &err);
  EXPECT(RP_OK, rp_groth16_vkey_from_key(m->key, &m->vkey, &err), &err);
}

static void free_member(member *m) {
  rp_groth16_prover_destroy(m->prover);
  rp_groth16_vkey_destroy(m->vkey);
  rp_groth16_key_close(m->key);
  made_free(&m->files);
}

static rp_groth16_prover_options options_of(int i) {
  return (rp_groth16_prover_options){.struct_size = sizeof(rp_groth16_prover_options), .max_in_flight = 1 + i % 2u};
}

static uint64_t plan_member(rp_device *device, int i, uint64_t budget) {
  rp_error err = {0};
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_groth16_prover_options options = options_of(i);
  options.memory_budget_bytes = budget;
  EXPECT(RP_OK, rp_groth16_plan(device, the.members[i].key, &options, &plan, &err), &err);
  return plan.total_bytes;
}

static void record_member(int i) {
  rp_error err = {0};
  rp_groth16_prover_options options = options_of(i);
  if (i == STREAMED) options.memory_budget_bytes = the.members[i].bytes;
  EXPECT(RP_OK, rp_groth16_prover_create(the.device, the.members[i].key, &options, &the.members[i].prover, &err), &err);
}

static void count_eviction(void *user, rp_log_level level, const char *message) {
  (void)user;
  (void)level;
  if (strstr(message, "is evicted and releases")) atomic_fetch_add(&the.evictions, 1);
}

/* Opens a device with memory for the largest key and for half of what all others take. */
static void open_for_fewer(bench *b) {
  rp_error err = {0};
  rp_device_info info = {.struct_size = sizeof info};
  uint64_t all = 0, largest = 0;
  for (int i = 0; i < KEYS; i++) {
    const rp_groth16_prover_options members = options_of(i);
    const uint64_t budget = i == STREAMED ? streamed_budget(b->device, the.members[i].key, &members) : 0;
    const uint64_t bytes = plan_member(b->device, i, budget);
    the.members[i].bytes = bytes;
    all += bytes;
    if (bytes > largest) largest = bytes;
  }
  rp_device_get_info(b->device, &info);
  rp_device_options options = {.struct_size = sizeof options,
                               .kind = info.kind,
                               .index = info.index,
                               .cpu_threads = 2,
                               .memory_budget_bytes = largest + (all - largest) / 2};
  EXPECT(RP_OK, rp_device_open(the.context, &options, &the.device, &err), &err);
  for (int i = 0; i < KEYS; i++) record_member(i);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

typedef struct client {
  uint64_t random;
  rp_status status; /* the first status that is not allowed */
  rp_error err;
} client;

static void note(client *c, rp_status status, const rp_error *err) {
  if (c->status != RP_OK) return;
  c->status = status;
  c->err = *err;
}

static int is_refused(rp_status status, int may_be) {
  if (status != RP_ERR_BUDGET || !may_be) return 0;
  atomic_fetch_add(&the.refusals, 1);
  nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
  return 1;
}

static void check(client *c, const member *m, rp_status status, const rp_groth16_proof *proof, const uint8_t *signals,
                  rp_error *err) {
  if (status == RP_OK) status = rp_groth16_verify(m->vkey, proof, signals, rp_groth16_vkey_n_public(m->vkey), err);
  if (status != RP_OK) note(c, status, err);
  atomic_fetch_add(&the.proofs, status == RP_OK);
}

/* Returns 1 for a key whose prover all threads share, and which is not streamed. */
static int is_whole(const member *m) { return m >= the.members && m < &the.members[STREAMED]; }

static void prove_one(client *c, const member *m) {
  rp_error err = {0};
  rp_groth16_proof proof;
  uint8_t signals[32 * SIGNALS];
  rp_status status;
  do status = rp_groth16_prove(m->prover, m->files.wtns.data, m->files.wtns.bytes, &proof, signals, NULL, &err);
  while (is_refused(status, !is_whole(m)));
  check(c, m, status, &proof, signals, &err);
}

static void prove_some(client *c, const member *m) {
  rp_error err = {0};
  rp_groth16_proof proof[JOBS];
  uint8_t signals[JOBS][32 * SIGNALS];
  rp_groth16_job jobs[JOBS];
  rp_status status;
  do {
    for (int i = 0; i < JOBS; i++)
      jobs[i] = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                                 .wtns = m->files.wtns.data,
                                 .wtns_bytes = m->files.wtns.bytes,
                                 .proof = &proof[i],
                                 .public_signals = signals[i]};
    status = rp_groth16_prove_batch(m->prover, jobs, JOBS, &err);
  } while (is_refused(status, !is_whole(m)));
  for (int i = 0; i < JOBS; i++)
    if (jobs[i].status != RP_ERR_BUDGET || is_whole(m))
      check(c, m, jobs[i].status, &proof[i], signals[i], &jobs[i].error);
}

/* Creates a prover, proves, and destroys it. It may be streamed or refused, since others hold memory. */
static void create_prove_destroy(client *c, int i) {
  rp_error err = {0};
  rp_groth16_prover_options options = options_of(i);
  member m = the.members[i];
  rp_status status;
  do status = rp_groth16_prover_create(the.device, m.key, &options, &m.prover, &err);
  while (is_refused(status, 1));
  if (status == RP_OK)
    prove_one(c, &m);
  else
    note(c, status, &err);
  rp_groth16_prover_destroy(m.prover);
}

static void *client_main(void *arg) {
  client *c = arg;
  for (int round = 0; round < the.rounds && c->status == RP_OK; round++) {
    const int i = (int)(g16_next(&c->random) % KEYS);
    const member *m = &the.members[i];
    rp_error err = {0};
    rp_status status;
    switch (g16_next(&c->random) % 8) {
    case 0: prove_some(c, m); break;
    case 1: create_prove_destroy(c, i); break;
    case 2:
      status = rp_recording_evict(rp_groth16_prover_recording(m->prover), &err);
      if (status != RP_OK && status != RP_ERR_BUSY) note(c, status, &err);
      break;
    default: prove_one(c, m);
    }
  }
  return NULL;
}

static void keys_take_turns(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  client clients[THREADS];
  for (uint64_t i = 0; i < THREADS; i++) {
    clients[i] = (client){.random = 100 + i};
    assert_int_equal(pthread_create(&threads[i], NULL, client_main, &clients[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) EXPECT(RP_OK, clients[i].status, &clients[i].err);
  print_message("%llu proofs, %llu evictions, %llu refusals\n", (unsigned long long)the.proofs,
                (unsigned long long)the.evictions, (unsigned long long)the.refusals);
  assert_true(the.evictions >= KEYS);
  assert_true(the.proofs >= (uint64_t)the.rounds);
  /* When no other thread runs, each key gets the memory that it needs, from any that had it. */
  atomic_store(&the.refusals, 0);
  client alone = {.random = 7};
  for (int i = 0; i < 3 * KEYS; i++) prove_one(&alone, &the.members[i % KEYS]);
  EXPECT(RP_OK, alone.status, &alone.err);
  assert_int_equal(the.refusals, 0);
}

int main(int argc, char **argv) {
  bench b;
  bench_open(&b);
  rp_context_options options = {.struct_size = sizeof options, .log_level = RP_LOG_INFO, .log = count_eviction};
  rp_error err = {0};
  EXPECT(RP_OK, rp_context_create(&options, &the.context, &err), &err);
  the.rounds = argc > 1 ? atoi(argv[1]) : 40;
  make_member(&b, 0, "bn128", G16_PRESET_SHA256, 5, 1);
  make_member(&b, 1, "bn128", G16_PRESET_FULL, 7, 0);
  make_member(&b, 2, "bls12381", G16_PRESET_FULL, 4, 2);
  make_member(&b, 3, "bn128", G16_PRESET_FULL, 4, 2);
  make_member(&b, STREAMED, "bn128", G16_PRESET_SHA256, 9, 1);
  open_for_fewer(&b);
  const struct CMUnitTest tests[] = {cmocka_unit_test(keys_take_turns)};
  int failed = cmocka_run_group_tests_name("groth16_eviction", tests, NULL, NULL);
  for (int i = 0; i < KEYS; i++) free_member(&the.members[i]);
  rp_device_close(the.device);
  rp_context_destroy(the.context);
  scratch_remove();
  bench_close(&b);
  return failed;
}
