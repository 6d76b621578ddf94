/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pool with keys of gnark, on a CPU in parts: proofs of circuits with no, one and two commitments verify, whichever
 * device made them and whatever the solution came from; a wrong solution fails alone, and nothing of it is released.
 */
#include "../groth16/gnark_subject.h"

#include <reprise/pool.h>

enum { DEVICES = 2, JOBS = 9, DAMAGED = 4, ABSENT = 7, BEFORE = 8 };

typedef struct world {
  subject s;
  rp_device *devices[DEVICES];
  rp_pool *pool;
  rp_pool_key *key;
  blob file; /* solution.bin */
  char path[GNARK_PATH];
} world;

static void open_world(bench *b, int fixture, world *w) {
  const rp_device_options part = {.struct_size = sizeof part, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_error err = {0};
  *w = (world){0};
  open_subject(b, &gnark_fixtures[fixture], "pk.dump", 0, &w->s);
  for (int i = 0; i < DEVICES; i++) EXPECT(RP_OK, rp_device_open(b->context, &part, &w->devices[i], &err), &err);
  EXPECT(RP_OK, rp_pool_create(w->devices, DEVICES, NULL, &w->pool, &err), &err);
  EXPECT(RP_OK, rp_pool_add_groth16(w->pool, w->s.key, NULL, &w->key, &err), &err);
  w->file = blob_read(gnark_path(w->s.fixture, "solution.bin"));
  snprintf(w->path, sizeof w->path, "%s", gnark_path(w->s.fixture, "solution.mont"));
}

static void close_world(world *w) {
  rp_pool_destroy(w->pool);
  for (int i = 0; i < DEVICES; i++) rp_device_release(w->devices[i]);
  blob_free(&w->file);
  close_subject(&w->s);
}

/* From memory, from a path, and from the bytes of a file, in turn. */
static void of_fixture(bench *b, int fixture) {
  static const rp_gnark_proof nothing;
  world w;
  open_world(b, fixture, &w);
  rp_gnark_proof proofs[JOBS];
  rp_gnark_job jobs[JOBS];
  uint8_t signals[JOBS][MOST_SIGNALS * 32];
  rp_error err = {0};
  blob damaged = {malloc(w.file.bytes), w.file.bytes};
  memcpy(damaged.data, w.file.data, damaged.bytes);
  memset(damaged.data + 4 + 32, 0xff, 32); /* the second value of W is not below r */
  for (int i = 0; i < JOBS; i++)
    jobs[i] = (rp_gnark_job){.struct_size = sizeof *jobs,
                             .solution = i % 3 == 0 ? &w.s.vectors : NULL,
                             .path = i == ABSENT  ? "/nowhere/solution.bin"
                                     : i % 3 == 2 ? w.path
                                                  : NULL,
                             .file = i == DAMAGED ? damaged.data : w.file.data,
                             .file_bytes = w.file.bytes,
                             .proof = &proofs[i],
                             .public_signals = signals[i]};
  memset(proofs, 0x5a, sizeof proofs);
  EXPECT(RP_ERR_FORMAT, rp_pool_prove_gnark(w.key, jobs, JOBS, &err), &err);
  for (int i = 0; i < JOBS; i++) {
    const rp_status want = i == DAMAGED ? RP_ERR_FORMAT : i == ABSENT ? RP_ERR_FILE : RP_OK;
    EXPECT(want, jobs[i].status, &jobs[i].error);
    if (want != RP_OK) {
      assert_memory_equal(&proofs[i], &nothing, sizeof nothing);
      assert_int_equal(signals[i][0], 0);
      continue;
    }
    assert_int_equal(proofs[i].n_commitments, w.s.fixture->n_commitments);
    check_signals(w.s.fixture, signals[i]);
    EXPECT(RP_OK, rp_gnark_verify(w.s.vkey, &proofs[i], signals[i], w.s.fixture->n_public, &err), &err);
  }
  jobs[0].solution = NULL, jobs[0].file = NULL;
  EXPECT(RP_ERR_ARGUMENT, rp_pool_prove_gnark(w.key, jobs, 1, &err), &err);
  blob_free(&damaged);
  close_world(&w);
}

static void solutions_over_devices(void **state) {
  for (int i = 0; i < 6; i++) of_fixture(*state, i);
}

/* The arrays of a submitted solution stay the caller's, its struct does not; other tasks begin before. */
static void submitted_solutions(void **state) {
  world w;
  rp_pool_task *task, *before[BEFORE];
  rp_gnark_proof proof;
  rp_groth16_proof other;
  uint8_t signals[MOST_SIGNALS * 32];
  rp_error err = {0};
  open_world(*state, 3, &w);
  rp_gnark_solution given = w.s.vectors;
  const rp_pool_request file = {.struct_size = sizeof file, .wtns_path = w.path};
  for (int i = 0; i < BEFORE; i++) EXPECT(RP_OK, rp_pool_submit(w.key, &file, UINT64_MAX, &before[i], &err), &err);
  rp_pool_request request = {.struct_size = sizeof request, .solution = &given};
  EXPECT(RP_OK, rp_pool_submit(w.key, &request, UINT64_MAX, &task, &err), &err);
  memset(&given, 0, sizeof given);
  EXPECT(RP_OK, rp_pool_wait(task, UINT64_MAX), &err);
  EXPECT(RP_ERR_MISMATCH, rp_pool_result_groth16(task, &other, signals, NULL, &err), &err);
  EXPECT(RP_OK, rp_pool_result_gnark(task, &proof, signals, NULL, &err), &err);
  EXPECT(RP_OK, rp_gnark_verify(w.s.vkey, &proof, signals, w.s.fixture->n_public, &err), &err);
  rp_pool_end(task);
  for (int i = 0; i < BEFORE; i++) {
    EXPECT(RP_OK, rp_pool_wait(before[i], UINT64_MAX), &err);
    rp_pool_end(before[i]);
  }
  given = w.s.vectors;
  request.wtns = w.file.data, request.wtns_bytes = w.file.bytes; /* two */
  EXPECT(RP_ERR_ARGUMENT, rp_pool_submit(w.key, &request, 0, &task, &err), &err);
  request.solution = NULL, request.wtns = NULL, request.values = w.file.data;
  EXPECT(RP_ERR_MISMATCH, rp_pool_submit(w.key, &request, 0, &task, &err), &err);
  request.values = NULL, request.solution = &given, given.struct_size = 0;
  EXPECT(RP_ERR_ARGUMENT, rp_pool_submit(w.key, &request, 0, &task, &err), &err);
  close_world(&w);
}

/* A solution for a key of snarkjs, a witness for one of gnark, and jobs of the other's type. */
static void circoms_and_gnarks_do_not_mix(void **state) {
  bench *b = *state;
  world w;
  rp_groth16_key *key;
  rp_pool_key *circoms;
  rp_pool_task *task;
  rp_gnark_proof proof;
  rp_groth16_proof other;
  rp_error err = {0};
  made files = fixture_files("multiplier_bn254");
  open_world(b, 0, &w);
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, files.zkey.data, files.zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_pool_add_groth16(w.pool, key, NULL, &circoms, &err), &err);
  rp_groth16_key_close(key);
  const rp_pool_request request = {.struct_size = sizeof request, .solution = &w.s.vectors};
  EXPECT(RP_ERR_MISMATCH, rp_pool_submit(circoms, &request, 0, &task, &err), &err);
  rp_gnark_job job = {.struct_size = sizeof job, .path = w.path, .proof = &proof};
  EXPECT(RP_ERR_MISMATCH, rp_pool_prove_gnark(circoms, &job, 1, &err), &err);
  rp_groth16_job jobs = {
      .struct_size = sizeof jobs, .wtns = files.wtns.data, .wtns_bytes = files.wtns.bytes, .proof = &other};
  EXPECT(RP_ERR_MISMATCH, rp_pool_prove_groth16(w.key, &jobs, 1, &err), &err);
  job = (rp_gnark_job){
      .struct_size = sizeof job, .file = files.wtns.data, .file_bytes = files.wtns.bytes, .proof = &proof};
  EXPECT(RP_ERR_FORMAT, rp_pool_prove_gnark(w.key, &job, 1, &err), &err);
  made_free(&files);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_over_devices),
      cmocka_unit_test(submitted_solutions),
      cmocka_unit_test(circoms_and_gnarks_do_not_mix),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
