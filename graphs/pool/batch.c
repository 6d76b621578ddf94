/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many jobs through a pool: each is a task, and they are finished in their order.
 */
#include "pool.h"

uint32_t pool_places(const rp_pool_key *key) {
  if (!key) return 0;
  const rp_pool *pool = key->pool;
  return pool->n_workers + (pool->max_waiting < pool->n_workers ? pool->max_waiting : pool->n_workers);
}

rp_status pool_job_start(rp_pool_key *key, size_t index, uint64_t timeout_ns, pool_job *job, rp_error *err) {
  if (!job->proof || (!job->wtns && !job->wtns_path && !job->solution))
    return support_fail(err, RP_ERR_ARGUMENT, "Job %zu has neither wtns nor wtns_path, or its proof is NULL.", index);
  const rp_pool_request request = {.struct_size = sizeof request,
                                   .wtns_path = job->wtns ? NULL : job->wtns_path,
                                   .wtns = job->wtns,
                                   .wtns_bytes = job->wtns_bytes,
                                   .solution = job->solution};
  pthread_mutex_lock(&key->pool->lock);
  const bool own = pool_is_own_thread(key->pool);
  pthread_mutex_unlock(&key->pool->lock);
  if (own)
    return support_fail(err, RP_ERR_STATE, "A batch waits for its proofs, which a callback of the pool must not do.");
  if (job->system != key->system)
    return support_fail(err, RP_ERR_MISMATCH, "The key is one of %s, and the jobs are of %s.", key->system->name,
                        job->system->name);
  if (job->public_signals) memset(job->public_signals, 0, (size_t)key->n_public * G16_VALUE_BYTES);
  return rp_pool_submit(key, &request, timeout_ns, &job->task, err);
}

rp_status pool_job_finish(void *flight, rp_error *err) {
  const pool_job *job = flight;
  rp_status status;
  do status = rp_pool_wait(job->task, UINT64_MAX);
  while (status == RP_ERR_TIMEOUT);
  status = pool_result(job->task, job->system, job->proof, job->public_signals, NULL, err);
  rp_pool_end(job->task);
  return status;
}
