/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proving after a fork: what the parent recorded is refused in the child and can be destroyed there, whether proofs are
 * in progress or not. Keys consist of memory alone and serve a context of the child's own, and so does verification.
 */
#include "common.h"

#include "fork_child.h"

#include <reprise/inverse.h>
#include <reprise/msm.h>

#include <pthread.h>
#include <stdatomic.h>

#define ZKEY fixture_path("multiplier_bn254", "circuit.zkey")

typedef struct world {
  bench b;
  rp_groth16_key *key;
  rp_groth16_vkey *vkey;
  rp_groth16_prover *prover;
  rp_pedersen *pedersen;
  rp_merkle *merkle;
  rp_inverter *inverter;
  rp_msm_stream *stream;
  rp_groth16_task *task;  /* a finished task */
  rp_groth16_proof proof; /* a proof that verifies */
  uint8_t signals[32];
  blob wtns, vkey_json;
} world;

static void open_world(world *w) {
  rp_error err = {0};
  const rp_groth16_prover_options two = {.struct_size = sizeof two, .max_in_flight = 2};
  const rp_merkle_config tree = {.struct_size = sizeof tree, .leaves = 8};
  *w = (world){.wtns = fixture_read("multiplier_bn254", "witness.wtns"),
               .vkey_json = fixture_read("multiplier_bn254", "verification_key.json")};
  bench_open(&w->b);
  EXPECT(RP_OK, rp_groth16_key_open(w->b.context, ZKEY, NULL, &w->key, &err), &err);
  EXPECT(RP_OK, rp_groth16_vkey_from_key(w->key, &w->vkey, &err), &err);
  EXPECT(RP_OK, rp_groth16_prover_create(w->b.device, w->key, &two, &w->prover, &err), &err);
  EXPECT(RP_OK, rp_groth16_prove(w->prover, w->wtns.data, w->wtns.bytes, &w->proof, w->signals, NULL, &err), &err);
  const rp_groth16_request request = {.struct_size = sizeof request, .wtns = w->wtns.data, .wtns_bytes = w->wtns.bytes};
  EXPECT(RP_OK, rp_groth16_submit(w->prover, &request, 0, &w->task, &err), &err);
  EXPECT(RP_OK, rp_groth16_wait(w->task, UINT64_MAX), &err);
  EXPECT(RP_OK, rp_pedersen_create(w->b.device, NULL, &w->pedersen, &err), &err);
  EXPECT(RP_OK, rp_merkle_create(w->b.device, &tree, &w->merkle, &err), &err);
  EXPECT(RP_OK, rp_inverter_create(w->b.device, RP_FIELD_BN254_FR, 8, NULL, &w->inverter, &err), &err);
  EXPECT(RP_OK, rp_msm_stream_create(w->b.device, RP_CURVE_BN254_G1, 64, NULL, &w->stream, &err), &err);
}

static void destroy(world *w) {
  rp_msm_stream_destroy(w->stream);
  rp_inverter_destroy(w->inverter);
  rp_merkle_destroy(w->merkle);
  rp_pedersen_destroy(w->pedersen);
  rp_groth16_prover_destroy(w->prover);
  rp_groth16_end(w->task);
  rp_groth16_vkey_destroy(w->vkey);
  rp_groth16_key_close(w->key);
  bench_close(&w->b);
  blob_free(&w->wtns);
  blob_free(&w->vkey_json);
}

static void proving_is_refused(world *w) {
  rp_error err;
  rp_groth16_proof proof;
  rp_groth16_prover *prover = w->prover;
  rp_groth16_key *key = w->key;
  rp_groth16_vkey *vkey = w->vkey;
  rp_plan_info plan = {.struct_size = sizeof plan};
  const void *wtns = w->wtns.data;
  const size_t bytes = w->wtns.bytes;
  static const rp_groth16_proof none;
  CHILD_REFUSED(rp_groth16_key_open(w->b.context, ZKEY, NULL, &key, &err), &err);
  CHILD_CHECK(!key);
  CHILD_REFUSED(rp_groth16_key_open_memory(w->b.context, wtns, bytes, NULL, &key, &err), &err);
  CHILD_REFUSED(
      rp_groth16_vkey_from_json(w->b.context, (const char *)w->vkey_json.data, w->vkey_json.bytes, &vkey, &err), &err);
  CHILD_CHECK(!vkey);
  CHILD_REFUSED(rp_groth16_plan(w->b.device, w->key, NULL, &plan, &err), &err);
  CHILD_REFUSED(rp_groth16_prover_create(w->b.device, w->key, NULL, &prover, &err), &err);
  CHILD_CHECK(!prover);
  CHILD_REFUSED(rp_groth16_key_check_points(w->key, w->b.device, &err), &err);
  CHILD_REFUSED(rp_groth16_save(w->prover, scratch_path("child.rpk"), &err), &err);
  memset(&proof, 7, sizeof proof);
  CHILD_REFUSED(rp_groth16_prove(w->prover, wtns, bytes, &proof, NULL, NULL, &err), &err);
  CHILD_CHECK(memcmp(&proof, &none, sizeof none) == 0);
  rp_groth16_task *task = w->task;
  const rp_groth16_request request = {.struct_size = sizeof request, .wtns = wtns, .wtns_bytes = bytes};
  CHILD_REFUSED(rp_groth16_submit(w->prover, &request, UINT64_MAX, &task, &err), &err);
  CHILD_CHECK(!task);
  CHILD_CHECK(rp_groth16_poll(w->task) == RP_ERR_STATE && rp_groth16_wait(w->task, UINT64_MAX) == RP_ERR_STATE);
  CHILD_REFUSED(rp_groth16_result(w->task, &proof, NULL, NULL, &err), &err);
  rp_groth16_cancel(w->task);
  rp_groth16_job jobs[3];
  for (int i = 0; i < 3; i++)
    jobs[i] =
        (rp_groth16_job){.struct_size = sizeof(rp_groth16_job), .wtns = wtns, .wtns_bytes = bytes, .proof = &proof};
  CHILD_REFUSED(rp_groth16_prove_batch(w->prover, jobs, 3, &err), &err);
  for (int i = 0; i < 3; i++) CHILD_CHECK(jobs[i].status == RP_ERR_STATE);
}

static void other_graphs_are_refused(world *w) {
  static uint64_t in[64 * 4], out[64 * 8], points[64 * 8];
  rp_error err;
  const rp_msm_job job = {.stream = w->stream, .scalars = in, .points = points, .n = 64, .result = out};
  rp_inverter *inverter = NULL;
  CHILD_REFUSED(rp_merkle_build(w->merkle, in, out, NULL, &err), &err);
  CHILD_REFUSED(rp_inverter_run(w->inverter, in, out, NULL, &err), &err);
  CHILD_REFUSED(rp_inverter_create(w->b.device, RP_FIELD_BN254_FR, 8, NULL, &inverter, &err), &err);
  CHILD_REFUSED(rp_msm_stream_run(&job, 1, NULL, &err), &err);
  CHILD_REFUSED(rp_pedersen_commit_tree(w->pedersen, 4, in, in, out, &err), &err);
  CHILD_REFUSED(rp_pedersen_commit_blinded(w->pedersen, 4, in, in, out, &err), &err);
  CHILD_CHECK(rp_pedersen_recording(w->pedersen, 4) == NULL);
}

/* A server that loads its key, and then forks the processes that prove and verify with it. */
static void keys_are_memory_alone(world *w) {
  bench own = {0};
  rp_groth16_prover *prover;
  rp_groth16_proof proof;
  uint8_t signals[32];
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  CHILD_CHECK(rp_groth16_verify(w->vkey, &w->proof, w->signals, 1, NULL) == RP_OK);
  CHILD_CHECK(rp_context_create(NULL, &own.context, NULL) == RP_OK);
  CHILD_CHECK(rp_device_open(own.context, &cpu, &own.device, NULL) == RP_OK);
  CHILD_CHECK(rp_groth16_prover_create(own.device, w->key, NULL, &prover, NULL) == RP_OK);
  CHILD_CHECK(rp_groth16_prove(prover, w->wtns.data, w->wtns.bytes, &proof, signals, NULL, NULL) == RP_OK);
  CHILD_CHECK(rp_groth16_verify(w->vkey, &proof, signals, 1, NULL) == RP_OK);
  CHILD_CHECK(memcmp(&proof, &w->proof, sizeof proof) != 0); /* the child draws its own blinding values */
  CHILD_CHECK(rp_groth16_key_check_points(w->key, own.device, NULL) == RP_OK);
  CHILD_CHECK(rp_groth16_key_matches(w->key, ZKEY, NULL) == RP_OK);
  rp_groth16_prover_destroy(prover);
  bench_close(&own);
}

static void everything(void *arg) {
  world *w = arg;
  proving_is_refused(w);
  other_graphs_are_refused(w);
  keys_are_memory_alone(w);
  destroy(w);
}
static void only_destroy(void *arg) { destroy(arg); }

static void at_rest(void **state) {
  (void)state;
  world w;
  open_world(&w);
  in_child(everything, &w);
  in_child(only_destroy, &w);
  EXPECT(RP_OK, rp_groth16_prove(w.prover, w.wtns.data, w.wtns.bytes, &w.proof, w.signals, NULL, NULL), NULL);
  destroy(&w);
}

typedef struct bustle {
  world *w;
  atomic_int stop;
} bustle;

static void *prove_all_the_time(void *arg) {
  bustle *b = arg;
  rp_groth16_proof proof;
  while (!atomic_load(&b->stop))
    EXPECT(RP_OK, rp_groth16_prove(b->w->prover, b->w->wtns.data, b->w->wtns.bytes, &proof, NULL, NULL, NULL), NULL);
  return NULL;
}

/* Three provers for two slots, so that one of them waits. */
static void amid_proofs(void **state) {
  enum { FORKS = 24, PROVERS = 3 };
  (void)state;
  world w;
  pthread_t threads[PROVERS];
  open_world(&w);
  bustle b = {.w = &w};
  for (int i = 0; i < PROVERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, prove_all_the_time, &b), 0);
  for (int i = 0; i < FORKS; i++) in_child(i % 8 ? only_destroy : everything, &w);
  atomic_store(&b.stop, 1);
  for (int i = 0; i < PROVERS; i++) pthread_join(threads[i], NULL);
  destroy(&w);
}

static int at_end(void **state) {
  (void)state;
  scratch_remove();
  return 0;
}

/* ThreadSanitizer would end a child that starts threads. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(at_rest), cmocka_unit_test(amid_proofs)};
  return cmocka_run_group_tests_name("groth16 fork", tests, NULL, at_end);
}
