/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pool with real keys, on a CPU in parts: proofs of Groth16 and PLONK verify, whichever device made them, results are
 * those of their jobs, and wrong witnesses fail alone.
 */
#include "../groth16/common.h"

#include <reprise/pool.h>

#include <pthread.h>
#include <stdio.h>

enum { DEVICES = 3, JOBS = 24 };

typedef struct world {
  rp_context *context;
  rp_device *devices[DEVICES];
  made files, plonk_files, fflonk_files;
  rp_pool *pool;
  rp_pool_key *groth16, *plonk, *fflonk;
  rp_groth16_vkey *vkey;
  rp_plonk_vkey *plonk_vkey;
  rp_fflonk_vkey *fflonk_vkey;
} world;

static made files_of(const char *protocol) {
  static const char *const names[3] = {"circuit.zkey", "witness.wtns", "verification_key.json"};
  blob read[3];
  char path[512];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s/multiplier/%s", TEST_DATA_DIR, protocol, names[i]);
    read[i] = blob_read(path);
  }
  return (made){read[0], read[1], read[2]};
}

/* Opens the devices in one context, with one thread each, and a pool of them. */
static void open_pool(world *w, uint32_t max_waiting) {
  const rp_device_options part = {.struct_size = sizeof part, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  const rp_pool_options options = {.struct_size = sizeof options, .max_in_flight = 2, .max_waiting = max_waiting};
  rp_error err = {0};
  EXPECT(RP_OK, rp_context_create(NULL, &w->context, &err), &err);
  for (int i = 0; i < DEVICES; i++) EXPECT(RP_OK, rp_device_open(w->context, &part, &w->devices[i], &err), &err);
  EXPECT(RP_OK, rp_pool_create(w->devices, DEVICES, &options, &w->pool, &err), &err);
}

static void add_fflonk(world *w) {
  rp_fflonk_key *key;
  rp_error err = {0};
  w->fflonk_files = files_of("fflonk");
  const blob *zkey = &w->fflonk_files.zkey, *vkey = &w->fflonk_files.vkey;
  EXPECT(RP_OK, rp_fflonk_key_open_memory(w->context, zkey->data, zkey->bytes, NULL, &key, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_pool_add_fflonk(w->pool, NULL, NULL, &w->fflonk, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_pool_add_fflonk(w->pool, key, NULL, NULL, &err), &err);
  EXPECT(RP_OK, rp_pool_add_fflonk(w->pool, key, NULL, &w->fflonk, &err), &err);
  EXPECT(RP_OK, rp_fflonk_vkey_from_json(w->context, (char *)vkey->data, vkey->bytes, &w->fflonk_vkey, &err), &err);
  rp_fflonk_key_close(key);
}

static void add_keys(world *w) {
  rp_groth16_key *key;
  rp_plonk_key *plonk;
  rp_error err = {0};
  w->files = fixture_files("multiplier_bn254");
  w->plonk_files = files_of("plonk");
  const blob *zkey = &w->files.zkey, *of_plonk = &w->plonk_files.zkey;
  EXPECT(RP_OK, rp_groth16_key_open_memory(w->context, zkey->data, zkey->bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_pool_add_groth16(w->pool, key, NULL, &w->groth16, &err), &err);
  EXPECT(RP_OK, rp_groth16_vkey_from_key(key, &w->vkey, &err), &err);
  rp_groth16_key_close(key); /* the pool has what it needs */
  EXPECT(RP_OK, rp_plonk_key_open_memory(w->context, of_plonk->data, of_plonk->bytes, NULL, &plonk, &err), &err);
  EXPECT(RP_OK, rp_pool_add_plonk(w->pool, plonk, NULL, &w->plonk, &err), &err);
  EXPECT(RP_OK,
         rp_plonk_vkey_from_json(w->context, (char *)w->plonk_files.vkey.data, w->plonk_files.vkey.bytes,
                                 &w->plonk_vkey, &err),
         &err);
  rp_plonk_key_close(plonk);
  add_fflonk(w);
}

/* The devices are closed before the pool: it keeps them. */
static void close_world(world *w) {
  for (int i = 0; i < DEVICES; i++) rp_device_release(w->devices[i]);
  rp_pool_destroy(w->pool);
  rp_groth16_vkey_destroy(w->vkey);
  rp_plonk_vkey_destroy(w->plonk_vkey);
  rp_fflonk_vkey_destroy(w->fflonk_vkey);
  rp_error err = {0};
  EXPECT(RP_OK, rp_context_try_destroy(w->context, &err), &err);
  made_free(&w->files);
  made_free(&w->plonk_files);
  made_free(&w->fflonk_files);
}

static uint64_t proofs_made(world *w, int *devices_used) {
  uint64_t sum = 0;
  *devices_used = 0;
  for (uint32_t i = 0; i < DEVICES; i++) {
    rp_pool_device_info info = {.struct_size = sizeof info};
    rp_pool_get_device_info(w->pool, i, &info);
    assert_int_equal(info.lost, 0);
    sum += info.n_proofs;
    *devices_used += info.n_proofs != 0;
  }
  return sum;
}

/* A batch has each result in its job; a damaged witness, and one of another circuit, fail alone. */
static void batches_over_devices(void **state) {
  world *w = *state;
  blob bad = {malloc(w->files.wtns.bytes), w->files.wtns.bytes};
  memcpy(bad.data, w->files.wtns.data, bad.bytes);
  bad.data[bad.bytes - 1] = 0xff; /* not below r */
  rp_groth16_proof proofs[JOBS];
  rp_groth16_job jobs[JOBS];
  uint8_t signals[JOBS][32];
  for (int i = 0; i < JOBS; i++)
    jobs[i] = (rp_groth16_job){.struct_size = sizeof *jobs,
                               .wtns = i == 5 ? bad.data : w->files.wtns.data,
                               .wtns_bytes = i == 9 ? 60 : bad.bytes,
                               .proof = &proofs[i],
                               .public_signals = signals[i]};
  rp_error err = {0};
  int used;
  EXPECT(RP_ERR_FORMAT, rp_pool_prove_groth16(w->groth16, jobs, JOBS, &err), &err);
  for (int i = 0; i < JOBS; i++) {
    const int fails = i == 5 || i == 9;
    EXPECT(fails ? RP_ERR_FORMAT : RP_OK, jobs[i].status, &jobs[i].error);
    if (!fails) EXPECT(RP_OK, rp_groth16_verify(w->vkey, &proofs[i], signals[i], 1, &err), &err);
    if (fails) assert_int_equal(proofs[i].a[0] | proofs[i].b[0] | signals[i][0], 0);
  }
  assert_int_equal(proofs_made(w, &used), JOBS - 2);
  assert_true(used > 1);
  blob_free(&bad);
}

static void batches_of_plonk(void **state) {
  world *w = *state;
  rp_plonk_proof proofs[4];
  rp_plonk_job jobs[4];
  uint8_t signals[4][64];
  rp_error err = {0};
  for (int i = 0; i < 4; i++)
    jobs[i] = (rp_plonk_job){.struct_size = sizeof *jobs,
                             .wtns = w->plonk_files.wtns.data,
                             .wtns_bytes = w->plonk_files.wtns.bytes,
                             .proof = &proofs[i],
                             .public_signals = signals[i]};
  EXPECT(RP_OK, rp_pool_prove_plonk(w->plonk, jobs, 4, &err), &err);
  for (int i = 0; i < 4; i++) EXPECT(RP_OK, rp_plonk_verify(w->plonk_vkey, &proofs[i], signals[i], 2, &err), &err);
  /* A job of the other system */
  rp_groth16_proof proof;
  rp_groth16_job wrong = {.struct_size = sizeof wrong, .wtns = "", .proof = &proof};
  EXPECT(RP_ERR_MISMATCH, rp_pool_prove_groth16(w->plonk, &wrong, 1, &err), &err);
}

static void batches_of_fflonk(void **state) {
  world *w = *state;
  rp_fflonk_proof proofs[4], alone;
  rp_fflonk_job jobs[4];
  uint8_t signals[4][64];
  rp_pool_task *task;
  rp_error err = {0};
  const blob *wtns = &w->fflonk_files.wtns;
  for (int i = 0; i < 4; i++)
    jobs[i] = (rp_fflonk_job){.struct_size = sizeof *jobs,
                              .wtns = wtns->data,
                              .wtns_bytes = i == 2 ? 60 : wtns->bytes,
                              .proof = &proofs[i],
                              .public_signals = signals[i]};
  EXPECT(RP_ERR_FORMAT, rp_pool_prove_fflonk(w->fflonk, jobs, 4, &err), &err);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(jobs[i].status, i == 2 ? RP_ERR_FORMAT : RP_OK);
    if (i != 2) EXPECT(RP_OK, rp_fflonk_verify(w->fflonk_vkey, &proofs[i], signals[i], 2, &err), &err);
  }
  jobs[2].wtns_bytes = wtns->bytes;
  EXPECT(RP_ERR_MISMATCH, rp_pool_prove_fflonk(w->plonk, jobs, 4, &err), &err);
  const rp_pool_request request = {.struct_size = sizeof request, .wtns = wtns->data, .wtns_bytes = wtns->bytes};
  EXPECT(RP_OK, rp_pool_submit(w->fflonk, &request, UINT64_MAX, &task, &err), &err);
  EXPECT(RP_OK, rp_pool_wait(task, UINT64_MAX), &err);
  EXPECT(RP_ERR_MISMATCH, rp_pool_result_plonk(task, NULL, NULL, NULL, &err), &err);
  EXPECT(RP_OK, rp_pool_result_fflonk(task, &alone, signals[0], NULL, &err), &err);
  EXPECT(RP_OK, rp_fflonk_verify(w->fflonk_vkey, &alone, signals[0], 2, &err), &err);
  rp_pool_end(task);
}

/* ---- Witnesses that do not satisfy their circuit ----------------------------------------------------------------- */

enum { SYSTEMS = 3 };

/* The same witness, its last value with another lowest bit. */
static blob wrong_witness(const blob *wtns) {
  blob wrong = {malloc(wtns->bytes), wtns->bytes};
  memcpy(wrong.data, wtns->data, wtns->bytes);
  ((uint8_t *)wrong.data)[wtns->bytes - 32] ^= 1;
  return wrong;
}

typedef struct any_proof {
  rp_groth16_proof groth16;
  rp_plonk_proof plonk;
  rp_fflonk_proof fflonk;
} any_proof;

static rp_status result_of(int system, rp_pool_task *task, any_proof *p, uint8_t *signals, rp_error *err) {
  return system == 0   ? rp_pool_result_groth16(task, &p->groth16, signals, NULL, err)
         : system == 1 ? rp_pool_result_plonk(task, &p->plonk, signals, NULL, err)
                       : rp_pool_result_fflonk(task, &p->fflonk, signals, NULL, err);
}

/* One job with the witness, through the batch of the system. */
static rp_status batch_of(int system, rp_pool_key *key, const blob *wtns, any_proof *p, uint8_t *signals) {
  rp_groth16_job a = {.struct_size = sizeof a, .wtns = wtns->data, .wtns_bytes = wtns->bytes};
  rp_plonk_job b = {.struct_size = sizeof b, .wtns = wtns->data, .wtns_bytes = wtns->bytes};
  rp_fflonk_job c = {.struct_size = sizeof c, .wtns = wtns->data, .wtns_bytes = wtns->bytes};
  a.proof = &p->groth16, b.proof = &p->plonk, c.proof = &p->fflonk;
  a.public_signals = b.public_signals = c.public_signals = signals;
  return system == 0   ? rp_pool_prove_groth16(key, &a, 1, NULL)
         : system == 1 ? rp_pool_prove_plonk(key, &b, 1, NULL)
                       : rp_pool_prove_fflonk(key, &c, 1, NULL);
}

/* A proof that does not verify is never given out, and neither are its signals, however often a caller asks. */
static void wrong_witnesses_release_nothing(void **state) {
  world *w = *state;
  static const uint8_t none[64];
  uint8_t untouched[64], signals[64];
  static const any_proof no_proof;
  const blob *right[SYSTEMS] = {&w->files.wtns, &w->plonk_files.wtns, &w->fflonk_files.wtns};
  rp_pool_key *keys[SYSTEMS] = {w->groth16, w->plonk, w->fflonk};
  any_proof proofs;
  memset(&proofs, 0xff, sizeof proofs);
  memset(untouched, 0xaa, sizeof untouched);
  for (int i = 0; i < SYSTEMS; i++) {
    blob wrong = wrong_witness(right[i]);
    const rp_pool_request request = {.struct_size = sizeof request, .wtns = wrong.data, .wtns_bytes = wrong.bytes};
    rp_pool_task *task;
    rp_error err = {0};
    memcpy(signals, untouched, sizeof signals);
    EXPECT(RP_OK, rp_pool_submit(keys[i], &request, UINT64_MAX, &task, &err), &err);
    EXPECT(RP_ERR_VERIFY, rp_pool_wait(task, UINT64_MAX), &err);
    for (int again = 0; again < 2; again++) EXPECT(RP_ERR_VERIFY, result_of(i, task, &proofs, signals, &err), &err);
    assert_memory_equal(signals, untouched, sizeof signals);
    assert_non_null(strstr(err.reason, "verif"));
    rp_pool_end(task);
    EXPECT(RP_ERR_VERIFY, batch_of(i, keys[i], &wrong, &proofs, signals), &err);
    assert_memory_equal(signals, none, 32);
    blob_free(&wrong);
  }
  assert_memory_equal(&proofs, &no_proof, sizeof proofs);
}

/* Several threads submit tasks of both keys, by bytes, values and file, and look at them. */
typedef struct client {
  world *w;
  int number;
  const char *path; /* of the witness */
  rp_status status;
  rp_error err;
} client;

static void *client_main(void *arg) {
  client *c = arg;
  world *w = c->w;
  rp_pool_task *tasks[4] = {0};
  size_t n;
  const uint8_t *values = wtns_values(&w->files.wtns, &n);
  const rp_pool_request requests[4] = {
      {.struct_size = sizeof *requests, .wtns = w->files.wtns.data, .wtns_bytes = w->files.wtns.bytes},
      {.struct_size = sizeof *requests, .values = values, .n_values = n, .priority = c->number},
      {.struct_size = sizeof *requests, .wtns_path = c->path},
      {.struct_size = sizeof *requests, .wtns = w->plonk_files.wtns.data, .wtns_bytes = w->plonk_files.wtns.bytes},
  };
  for (int i = 0; i < 4 && c->status == RP_OK; i++)
    c->status = rp_pool_submit(i == 3 ? w->plonk : w->groth16, &requests[i], UINT64_MAX, &tasks[i], &c->err);
  for (int i = 0; i < 4 && c->status == RP_OK; i++) {
    rp_groth16_proof proof;
    rp_plonk_proof of_plonk;
    uint8_t signals[64];
    rp_run_counters counters = {.struct_size = sizeof counters};
    c->status = rp_pool_wait(tasks[i], UINT64_MAX);
    if (i < 3) {
      if (c->status == RP_OK) c->status = rp_pool_result_groth16(tasks[i], &proof, signals, &counters, &c->err);
      if (c->status == RP_OK) c->status = rp_groth16_verify(w->vkey, &proof, signals, 1, &c->err);
    } else {
      if (c->status == RP_OK) c->status = rp_pool_result_plonk(tasks[i], &of_plonk, signals, &counters, &c->err);
      if (c->status == RP_OK) c->status = rp_plonk_verify(w->plonk_vkey, &of_plonk, signals, 2, &c->err);
      if (rp_pool_result_groth16(tasks[i], NULL, NULL, NULL, NULL) != RP_ERR_MISMATCH) c->status = RP_ERR_INTERNAL;
    }
    if (counters.submissions != 1) c->status = RP_ERR_INTERNAL;
  }
  for (int i = 0; i < 4; i++) rp_pool_end(tasks[i]);
  return NULL;
}

static void clients_in_threads(void **state) {
  enum { CLIENTS = 4 };
  pthread_t threads[CLIENTS];
  client clients[CLIENTS];
  const char *path = fixture_path("multiplier_bn254", "witness.wtns");
  for (int i = 0; i < CLIENTS; i++) {
    clients[i] = (client){.w = *state, .number = i, .path = path};
    assert_int_equal(pthread_create(&threads[i], NULL, client_main, &clients[i]), 0);
  }
  for (int i = 0; i < CLIENTS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < CLIENTS; i++) EXPECT(RP_OK, clients[i].status, &clients[i].err);
}

/* A key is removed only when nothing is made with it, and its tasks keep their results. */
static void keys_are_removed(void **state) {
  world *w = *state;
  rp_groth16_key *key;
  rp_pool_key *added;
  rp_pool_task *task;
  rp_groth16_proof proof;
  uint8_t signals[32];
  rp_error err = {0};
  const rp_pool_request request = {
      .struct_size = sizeof request, .wtns = w->files.wtns.data, .wtns_bytes = w->files.wtns.bytes};
  EXPECT(RP_OK, rp_groth16_key_open_memory(w->context, w->files.zkey.data, w->files.zkey.bytes, NULL, &key, &err),
         &err);
  EXPECT(RP_OK, rp_pool_add_groth16(w->pool, key, NULL, &added, &err), &err);
  rp_groth16_key_close(key);
  EXPECT(RP_OK, rp_pool_submit(added, &request, UINT64_MAX, &task, &err), &err);
  const rp_status early = rp_pool_remove(added, &err);
  if (early != RP_OK) {
    EXPECT(RP_ERR_BUSY, early, &err);
    EXPECT(RP_OK, rp_pool_wait(task, UINT64_MAX), &err);
    EXPECT(RP_OK, rp_pool_remove(added, &err), &err);
  }
  EXPECT(RP_OK, rp_pool_result_groth16(task, &proof, signals, NULL, &err), &err);
  EXPECT(RP_OK, rp_groth16_verify(w->vkey, &proof, signals, 1, &err), &err);
  rp_pool_end(task);
}

static void wrong_arguments(void **state) {
  world *w = *state;
  rp_error err = {0};
  rp_pool *pool;
  rp_pool_task *task;
  rp_device *none[2] = {w->devices[0], NULL};
  rp_pool_options options = {.struct_size = sizeof options, .max_in_flight = 65};
  EXPECT(RP_ERR_ARGUMENT, rp_pool_create(none, 2, NULL, &pool, &err), &err);
  assert_null(pool);
  EXPECT(RP_ERR_ARGUMENT, rp_pool_create(none, 0, NULL, &pool, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_pool_create(none, 1, &options, &pool, &err), &err);
  options.struct_size = 0;
  EXPECT(RP_ERR_ARGUMENT, rp_pool_create(none, 1, &options, &pool, &err), &err);
  rp_context *other;
  rp_device *foreign[2] = {w->devices[0], NULL};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  EXPECT(RP_OK, rp_context_create(NULL, &other, &err), &err);
  EXPECT(RP_OK, rp_device_open(other, &cpu, &foreign[1], &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_pool_create(foreign, 2, NULL, &pool, &err), &err);
  rp_device_close(foreign[1]);
  rp_context_destroy(other);
  rp_pool_request request = {.struct_size = sizeof request};
  EXPECT(RP_ERR_ARGUMENT, rp_pool_submit(w->groth16, &request, 0, &task, &err), &err);
  request.wtns = request.values = "";
  EXPECT(RP_ERR_ARGUMENT, rp_pool_submit(w->groth16, &request, 0, &task, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_pool_submit(NULL, &request, 0, &task, &err), &err);
  assert_null(task);
  rp_pool_destroy(NULL);
  rp_pool_end(NULL);
}

int main(void) {
  world w = {0};
  open_pool(&w, 0);
  add_keys(&w);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(batches_over_devices, &w),
      cmocka_unit_test_prestate(batches_of_plonk, &w),
      cmocka_unit_test_prestate(batches_of_fflonk, &w),
      cmocka_unit_test_prestate(clients_in_threads, &w),
      cmocka_unit_test_prestate(keys_are_removed, &w),
      cmocka_unit_test_prestate(wrong_arguments, &w),
      cmocka_unit_test_prestate(wrong_witnesses_release_nothing, &w),
  };
  const int failed = cmocka_run_group_tests_name("pool", tests, NULL, NULL);
  close_world(&w);
  return failed;
}
