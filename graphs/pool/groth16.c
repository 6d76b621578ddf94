/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of Groth16 in a pool.
 */
#include "pool.h"

#include "batch.h"
#include "groth16/prover/prove.h"

static rp_status start(void *prover, const pool_source *source, uint64_t timeout_ns, void *proof, uint8_t *signals,
                       void *flight, rp_run **run, rp_error *err) {
  const g16_source from = {.witness = source->witness};
  g16_flight *f = flight;
  const rp_status status = g16_flight_start(prover, &from, timeout_ns, proof, signals, f, err);
  *run = f->run;
  return status;
}

static rp_status finish(void *flight, const pool_ending *ending, rp_run_counters *counters, rp_error *err) {
  g16_flight *f = flight;
  f->cancelled = ending->cancelled;
  f->ending = ending->call;
  f->ending_user = ending->user;
  return g16_flight_finish(f, counters, err);
}

static void destroy(void *prover) { rp_groth16_prover_destroy(prover); }

static const pool_system system_of_groth16 = {.name = "Groth16",
                                              .proof_bytes = sizeof(rp_groth16_proof),
                                              .flight_bytes = sizeof(g16_flight),
                                              .start = start,
                                              .finish = finish,
                                              .destroy = destroy};

/* The proof of a flight is that of gnark, of which Groth16's is a part. */
static rp_status start_solved(void *prover, const pool_source *source, uint64_t timeout_ns, void *proof,
                              uint8_t *signals, void *flight, rp_run **run, rp_error *err) {
  rp_gnark_proof *to = proof;
  const g16_source from = {.solution = source->solution,
                           .solution_path = source->witness.path,
                           .solution_file = source->witness.wtns,
                           .solution_bytes = source->witness.wtns_bytes,
                           .gnark = to};
  g16_flight *f = flight;
  const rp_status status = g16_flight_start(prover, &from, timeout_ns, &to->groth16, signals, f, err);
  *run = f->run;
  return status;
}

static const pool_system system_of_gnark = {.name = "gnark's Groth16",
                                            .proof_bytes = sizeof(rp_gnark_proof),
                                            .flight_bytes = sizeof(g16_flight),
                                            .is_solved = 1,
                                            .start = start_solved,
                                            .finish = finish,
                                            .destroy = destroy};

typedef struct adding {
  const rp_groth16_key *key;
  rp_groth16_prover_options options;
} adding;

static rp_status create(void *cookie, rp_device *device, uint32_t max_in_flight, void **prover, rp_error *err) {
  const adding *a = cookie;
  rp_groth16_prover_options options = a->options;
  rp_groth16_prover *made = NULL;
  options.max_in_flight = max_in_flight;
  const rp_status status = rp_groth16_prover_create(device, a->key, &options, &made, err);
  *prover = made;
  return status;
}

rp_status rp_pool_add_groth16(rp_pool *pool, const rp_groth16_key *key, const rp_groth16_prover_options *options,
                              rp_pool_key **added, rp_error *err) {
  adding a = {.key = key};
  if (!added) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_add_groth16: added is NULL.");
  *added = NULL;
  if (!pool || !key) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_add_groth16: pool or key is NULL.");
  const rp_status status = graphs_options(&a.options, sizeof a.options, options, "Options of a prover", err);
  if (status != RP_OK) return status;
  return pool_add(pool, key->info.gnark ? &system_of_gnark : &system_of_groth16, key->info.n_public, create, &a, added,
                  err);
}

rp_status rp_pool_result_groth16(rp_pool_task *task, rp_groth16_proof *proof, uint8_t *public_signals,
                                 rp_run_counters *counters, rp_error *err) {
  return pool_result(task, &system_of_groth16, proof, public_signals, counters, err);
}

static rp_status batch_start(void *key, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_groth16_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  *(pool_job *)flight = POOL_JOB(&system_of_groth16, &job);
  return pool_job_start(key, index, timeout_ns, flight, err);
}

rp_status rp_pool_prove_groth16(rp_pool_key *key, rp_groth16_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_pool_prove_groth16",
                                    .status = offsetof(rp_groth16_job, status),
                                    .error = offsetof(rp_groth16_job, error),
                                    .proof = offsetof(rp_groth16_job, proof),
                                    .proof_bytes = sizeof(rp_groth16_proof),
                                    .flight_bytes = sizeof(pool_job),
                                    .start = batch_start,
                                    .finish = pool_job_finish};
  return graphs_batch_prove(&kind, key, key ? key->pool->context : NULL, pool_places(key), jobs, n_jobs, err);
}

/* ---- Keys of gnark ----------------------------------------------------------------------------------------------- */

rp_status rp_pool_result_gnark(rp_pool_task *task, rp_gnark_proof *proof, uint8_t *public_signals,
                               rp_run_counters *counters, rp_error *err) {
  return pool_result(task, &system_of_gnark, proof, public_signals, counters, err);
}

static rp_status batch_start_solved(void *key, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                                    rp_error *err) {
  rp_gnark_job job;
  g16_source from;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  const rp_status status = g16_gnark_job_source(&job, index, &from, err);
  if (status != RP_OK) return status;
  pool_job *of = flight;
  *of = (pool_job){.system = &system_of_gnark,
                   .wtns_path = from.solution_path,
                   .wtns = from.solution_file,
                   .wtns_bytes = from.solution_bytes,
                   .solution = from.solution,
                   .proof = job.proof,
                   .public_signals = job.public_signals};
  return pool_job_start(key, index, timeout_ns, of, err);
}

rp_status rp_pool_prove_gnark(rp_pool_key *key, rp_gnark_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_pool_prove_gnark",
                                    .status = offsetof(rp_gnark_job, status),
                                    .error = offsetof(rp_gnark_job, error),
                                    .proof = offsetof(rp_gnark_job, proof),
                                    .proof_bytes = sizeof(rp_gnark_proof),
                                    .flight_bytes = sizeof(pool_job),
                                    .start = batch_start_solved,
                                    .finish = pool_job_finish};
  return graphs_batch_prove(&kind, key, key ? key->pool->context : NULL, pool_places(key), jobs, n_jobs, err);
}
