/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of PLONK and of FFLONK in a pool.
 */
#include "pool.h"

#include "batch.h"
#include "plonk/common/prover.h"

static rp_status start(void *prover, const pool_source *source, uint64_t timeout_ns, void *proof, uint8_t *signals,
                       void *flight, rp_run **run, rp_error *err) {
  const plonk_source from = {.witness = source->witness};
  plonk_flight *f = flight;
  const rp_status status = plonk_flight_start(prover, &from, timeout_ns, proof, signals, f, err);
  *run = f->run;
  return status;
}

static rp_status finish(void *flight, const pool_ending *ending, rp_run_counters *counters, rp_error *err) {
  plonk_flight *f = flight;
  f->ending = ending->call;
  f->ending_user = ending->user;
  return plonk_flight_finish(f, counters, err);
}

static void destroy(void *prover) { plonk_prover_destroy(prover); }

static const pool_system system_of_plonk = {.name = "PLONK",
                                            .proof_bytes = sizeof(rp_plonk_proof),
                                            .flight_bytes = sizeof(plonk_flight),
                                            .start = start,
                                            .finish = finish,
                                            .destroy = destroy};

static const pool_system system_of_fflonk = {.name = "FFLONK",
                                             .proof_bytes = sizeof(rp_fflonk_proof),
                                             .flight_bytes = sizeof(plonk_flight),
                                             .start = start,
                                             .finish = finish,
                                             .destroy = destroy};

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

typedef struct adding {
  const rp_plonk_key *plonk; /* or */
  const rp_fflonk_key *fflonk;
  rp_plonk_prover_options options; /* of either */
} adding;

static rp_status create_plonk(void *cookie, rp_device *device, uint32_t max_in_flight, void **prover, rp_error *err) {
  const adding *a = cookie;
  rp_plonk_prover_options options = a->options;
  rp_plonk_prover *made = NULL;
  options.max_in_flight = max_in_flight;
  const rp_status status = rp_plonk_prover_create(device, a->plonk, &options, &made, err);
  *prover = made;
  return status;
}

static rp_status create_fflonk(void *cookie, rp_device *device, uint32_t max_in_flight, void **prover, rp_error *err) {
  const adding *a = cookie;
  rp_fflonk_prover_options options = a->options;
  rp_fflonk_prover *made = NULL;
  options.max_in_flight = max_in_flight;
  const rp_status status = rp_fflonk_prover_create(device, a->fflonk, &options, &made, err);
  *prover = made;
  return status;
}

rp_status rp_pool_add_plonk(rp_pool *pool, const rp_plonk_key *key, const rp_plonk_prover_options *options,
                            rp_pool_key **added, rp_error *err) {
  adding a = {.plonk = key};
  rp_plonk_key_info info = {.struct_size = sizeof info};
  if (!added) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_add_plonk: added is NULL.");
  *added = NULL;
  if (!pool || !key) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_add_plonk: pool or key is NULL.");
  const rp_status status = graphs_options(&a.options, sizeof a.options, options, "Options of a prover", err);
  if (status != RP_OK) return status;
  rp_plonk_key_get_info(key, &info);
  return pool_add(pool, &system_of_plonk, info.n_public, create_plonk, &a, added, err);
}

rp_status rp_pool_add_fflonk(rp_pool *pool, const rp_fflonk_key *key, const rp_fflonk_prover_options *options,
                             rp_pool_key **added, rp_error *err) {
  adding a = {.fflonk = key};
  rp_fflonk_key_info info = {.struct_size = sizeof info};
  if (!added) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_add_fflonk: added is NULL.");
  *added = NULL;
  if (!pool || !key) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_add_fflonk: pool or key is NULL.");
  const rp_status status = graphs_options(&a.options, sizeof a.options, options, "Options of a prover", err);
  if (status != RP_OK) return status;
  rp_fflonk_key_get_info(key, &info);
  return pool_add(pool, &system_of_fflonk, info.n_public, create_fflonk, &a, added, err);
}

rp_status rp_pool_result_plonk(rp_pool_task *task, rp_plonk_proof *proof, uint8_t *public_signals,
                               rp_run_counters *counters, rp_error *err) {
  return pool_result(task, &system_of_plonk, proof, public_signals, counters, err);
}

rp_status rp_pool_result_fflonk(rp_pool_task *task, rp_fflonk_proof *proof, uint8_t *public_signals,
                                rp_run_counters *counters, rp_error *err) {
  return pool_result(task, &system_of_fflonk, proof, public_signals, counters, err);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

static rp_status start_plonk(void *key, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                             rp_error *err) {
  rp_plonk_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  *(pool_job *)flight = POOL_JOB(&system_of_plonk, &job);
  return pool_job_start(key, index, timeout_ns, flight, err);
}

static rp_status start_fflonk(void *key, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                              rp_error *err) {
  rp_fflonk_job job;
  (void)rp_options_read(&job, sizeof job, at); /* its size has been checked */
  *(pool_job *)flight = POOL_JOB(&system_of_fflonk, &job);
  return pool_job_start(key, index, timeout_ns, flight, err);
}

rp_status rp_pool_prove_plonk(rp_pool_key *key, rp_plonk_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_pool_prove_plonk",
                                    .status = offsetof(rp_plonk_job, status),
                                    .error = offsetof(rp_plonk_job, error),
                                    .proof = offsetof(rp_plonk_job, proof),
                                    .proof_bytes = sizeof(rp_plonk_proof),
                                    .flight_bytes = sizeof(pool_job),
                                    .start = start_plonk,
                                    .finish = pool_job_finish};
  return graphs_batch_prove(&kind, key, key ? key->pool->context : NULL, pool_places(key), jobs, n_jobs, err);
}

rp_status rp_pool_prove_fflonk(rp_pool_key *key, rp_fflonk_job *jobs, size_t n_jobs, rp_error *err) {
  static const graphs_batch kind = {.call = "rp_pool_prove_fflonk",
                                    .status = offsetof(rp_fflonk_job, status),
                                    .error = offsetof(rp_fflonk_job, error),
                                    .proof = offsetof(rp_fflonk_job, proof),
                                    .proof_bytes = sizeof(rp_fflonk_proof),
                                    .flight_bytes = sizeof(pool_job),
                                    .start = start_fflonk,
                                    .finish = pool_job_finish};
  return graphs_batch_prove(&kind, key, key ? key->pool->context : NULL, pool_places(key), jobs, n_jobs, err);
}
