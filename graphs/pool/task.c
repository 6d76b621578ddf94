/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tasks, as their callers see them.
 */
#include "pool.h"

#include <inttypes.h>

enum { VALUE_BYTES = G16_VALUE_BYTES };

static size_t rounded(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

static rp_status new_task(rp_pool_key *key, const rp_pool_request *r, const rp_gnark_solution *solution,
                          rp_pool_task **task, rp_error *err) {
  rp_pool *pool = key->pool;
  const size_t proof_bytes = rounded(key->system->proof_bytes), flight_bytes = rounded(key->system->flight_bytes);
  rp_pool_task *t =
      rp_context_alloc(pool->context, sizeof *t + proof_bytes + flight_bytes + (size_t)key->n_public * VALUE_BYTES);
  const size_t path_bytes = r->wtns_path ? strlen(r->wtns_path) + 1 : 0;
  if (t && path_bytes) t->path = rp_context_alloc(pool->context, path_bytes);
  if (!t || (path_bytes && !t->path)) {
    rp_context_free(t);
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a proof that is submitted.");
  }
  if (path_bytes) memcpy(t->path, r->wtns_path, path_bytes);
  t->pool = pool;
  t->key = key;
  t->system = key->system;
  t->flight = (uint8_t *)t->proof + proof_bytes;
  t->signals = (uint8_t *)t->flight + flight_bytes;
  t->n_public = key->n_public;
  t->from.witness = (g16_witness){
      .path = t->path, .wtns = r->wtns, .wtns_bytes = r->wtns_bytes, .values = r->values, .n_values = r->n_values};
  if (solution) {
    t->solution = *solution;
    t->from.solution = &t->solution;
  }
  t->priority = r->priority;
  t->done = r->done;
  t->user = r->user;
  t->references = 2;
  t->counters.struct_size = sizeof t->counters;
  t->submitted_ns = pool_now_ns();
  if (r->limit_ns && r->limit_ns < UINT64_MAX - t->submitted_ns) t->deadline_ns = t->submitted_ns + r->limit_ns;
  *task = t;
  return RP_OK;
}

/* Called under the lock. Waits until one more task may wait. */
static rp_status wait_for_room(rp_pool *pool, uint64_t timeout_ns, rp_error *err) {
  const struct timespec deadline = pool_deadline(timeout_ns);
  bool may_wait = timeout_ns != 0 && !pool_is_own_thread(pool);
  while (!pool->quit && pool->n_lost < pool->n_devices && pool->n_waiting >= pool->max_waiting && may_wait)
    may_wait = pool_wait_until(pool, &deadline);
  if (pool->quit) return support_fail(err, RP_ERR_STATE, "rp_pool_submit: the pool is being destroyed.");
  if (pool->n_lost == pool->n_devices)
    return support_fail(err, RP_ERR_DEVICE_LOST, "Every device of the pool has been lost.");
  if (pool->n_waiting < pool->max_waiting) return RP_OK;
  return support_fail(err, RP_ERR_BUSY, "%" PRIu32 " proofs wait already, as many as the pool allows.",
                      pool->n_waiting);
}

static void admit(rp_pool *pool, rp_pool_task *t) {
  t->number = pool->n_submitted++;
  t->next = pool->all;
  if (pool->all) pool->all->back = t;
  pool->all = t;
  t->key->n_unfinished++;
  pool->references++;
  pool_enqueue(pool, t);
  if (t->deadline_ns && (pool->wake_ns == 0 || t->deadline_ns < pool->wake_ns)) pthread_cond_signal(&pool->clock);
}

/* Checks what the proof is made from, and copies the struct of a solution. */
static rp_status check_source(const rp_pool_key *key, const rp_pool_request *r, rp_gnark_solution *solution,
                              rp_error *err) {
  if ((r->wtns_path != NULL) + (r->wtns != NULL) + (r->values != NULL) + (r->solution != NULL) != 1)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "rp_pool_submit: exactly one of wtns_path, wtns, values and solution must be given.");
  if (r->solution && !key->system->is_solved)
    return support_fail(err, RP_ERR_MISMATCH,
                        "rp_pool_submit: the key is not one of gnark: its proofs are made from a witness, not from a "
                        "solution.");
  if (r->values && key->system->is_solved)
    return support_fail(err, RP_ERR_MISMATCH,
                        "rp_pool_submit: the key is one of gnark: its proofs are made from a solution or its file, not "
                        "from values.");
  return r->solution ? graphs_options(solution, sizeof *solution, r->solution, "A solution", err) : RP_OK;
}

rp_status rp_pool_submit(rp_pool_key *key, const rp_pool_request *request, uint64_t timeout_ns, rp_pool_task **task,
                         rp_error *err) {
  rp_pool_request r;
  rp_gnark_solution solution;
  rp_pool_task *t = NULL;
  if (!task) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_submit: task is NULL.");
  *task = NULL;
  if (!key || !request) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_submit: a key and a request are needed.");
  rp_pool *pool = key->pool;
  rp_status status = graphs_options(&r, sizeof r, request, "A request for a proof", err);
  if (status == RP_OK) status = check_source(key, &r, &solution, err);
  if (status == RP_OK) status = rp_context_check(pool->context, err);
  if (status == RP_OK) status = new_task(key, &r, r.solution ? &solution : NULL, &t, err);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&pool->lock);
  status = wait_for_room(pool, timeout_ns, err);
  if (status == RP_OK) {
    *task = t; /* before any thread can take it and call its callback */
    admit(pool, t);
  }
  pthread_mutex_unlock(&pool->lock);
  if (status == RP_OK) return RP_OK;
  rp_context_free(t->path);
  rp_context_free(t);
  return status;
}

rp_status rp_pool_wait(rp_pool_task *task, uint64_t timeout_ns) {
  if (!task) return RP_ERR_ARGUMENT;
  rp_pool *pool = task->pool;
  if (pool_is_forked(pool)) return RP_ERR_STATE;
  const struct timespec deadline = pool_deadline(timeout_ns);
  rp_status status = RP_ERR_TIMEOUT;
  pthread_mutex_lock(&pool->lock);
  bool may_wait = timeout_ns != 0;
  if (may_wait && task->state < TASK_DONE && pool_is_own_thread(pool)) {
    may_wait = 0;
    status = RP_ERR_STATE;
  }
  while (task->state < TASK_DONE && may_wait) may_wait = pool_wait_until(pool, &deadline);
  if (task->state >= TASK_DONE) status = task->status;
  pthread_mutex_unlock(&pool->lock);
  return status;
}

rp_status rp_pool_poll(rp_pool_task *task) { return rp_pool_wait(task, 0); }

void rp_pool_cancel(rp_pool_task *task) {
  if (!task || pool_is_forked(task->pool)) return;
  pthread_mutex_lock(&task->pool->lock);
  pool_cancel(task->pool, task);
  pthread_mutex_unlock(&task->pool->lock);
}

/* What is read here does not change any more once the task is done. */
rp_status pool_result(rp_pool_task *task, const pool_system *system, void *proof, uint8_t *public_signals,
                      rp_run_counters *counters, rp_error *err) {
  if (proof) memset(proof, 0, system->proof_bytes);
  if (!task) return support_fail(err, RP_ERR_ARGUMENT, "The task is NULL.");
  rp_status status = rp_context_check(task->pool->context, err);
  if (status != RP_OK) return status;
  if (task->system != system)
    return support_fail(err, RP_ERR_MISMATCH, "The task makes a proof of %s, and not of %s.", task->system->name,
                        system->name);
  pthread_mutex_lock(&task->pool->lock);
  const bool done = task->state >= TASK_DONE;
  pthread_mutex_unlock(&task->pool->lock);
  if (!done) return support_fail(err, RP_ERR_TIMEOUT, "The proof is not finished.");
  if (counters) rp_info_write(counters, &task->counters, sizeof task->counters);
  if (task->status != RP_OK) {
    if (err) *err = task->error;
    return task->status;
  }
  if (proof) memcpy(proof, task->proof, system->proof_bytes);
  if (public_signals) memcpy(public_signals, task->signals, (size_t)task->n_public * VALUE_BYTES);
  return RP_OK;
}

void rp_pool_task_get_info(rp_pool_task *task, rp_pool_task_info *info) {
  if (!task || !info || pool_is_forked(task->pool)) return;
  const uint64_t now = pool_now_ns();
  pthread_mutex_lock(&task->pool->lock);
  const uint64_t end = task->state >= TASK_DONE ? task->finished_ns : now;
  const rp_pool_task_info said = {.begun = task->begun_ns != 0,
                                  .device = task->device,
                                  .moves = task->moves,
                                  .waited_ns = (task->begun_ns ? task->begun_ns : end) - task->submitted_ns,
                                  .elapsed_ns = end - task->submitted_ns};
  pthread_mutex_unlock(&task->pool->lock);
  rp_info_write(info, &said, sizeof said);
}

void rp_pool_end(rp_pool_task *task) {
  if (!task) return;
  rp_pool *pool = task->pool;
  if (pool_is_forked(pool)) { /* there are no other threads, and one of the parent may hold the lock */
    rp_context_free(task->path);
    rp_context_free(task);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  pool_cancel(pool, task);
  if (!pool_is_own_thread(pool))
    while (task->state != TASK_OVER) pthread_cond_wait(&pool->change, &pool->lock);
  pool->references++; /* so that the pool outlives its last task here */
  pool_task_release(pool, task);
  pool_unlock_and_leave(pool);
}
