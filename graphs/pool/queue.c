/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of tasks that wait, and how a task ends.
 */
#include "pool.h"

#include <errno.h>
#include <time.h>

static const uint64_t second = 1000000000u;

uint64_t pool_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * second + (uint64_t)t.tv_nsec;
}

struct timespec pool_deadline(uint64_t timeout_ns) {
  if (timeout_ns > INT64_MAX / 2) timeout_ns = INT64_MAX / 2;
  const uint64_t at = pool_now_ns() + timeout_ns;
  return (struct timespec){.tv_sec = (time_t)(at / second), .tv_nsec = (long)(at % second)};
}

bool pool_wait_until(rp_pool *pool, const struct timespec *deadline) {
  return pthread_cond_timedwait(&pool->change, &pool->lock, deadline) != ETIMEDOUT;
}

bool pool_is_own_thread(const rp_pool *pool) {
  if (pool->closed) return 0;
  for (uint32_t i = 0; i < pool->n_workers; i++)
    if (pthread_equal(pool->workers[i].thread, pthread_self())) return 1;
  return pthread_equal(pool->clerk, pthread_self());
}

static bool begins_before(const rp_pool_task *a, const rp_pool_task *b) {
  return a->priority != b->priority ? a->priority > b->priority : a->number < b->number;
}

void pool_enqueue(rp_pool *pool, rp_pool_task *task) {
  rp_pool_task *before = pool->last;
  while (before && begins_before(task, before)) before = before->up;
  task->up = before;
  task->down = before ? before->down : pool->first;
  if (task->down)
    task->down->up = task;
  else
    pool->last = task;
  if (before)
    before->down = task;
  else
    pool->first = task;
  task->state = TASK_WAITING;
  pool->n_waiting++;
  pthread_cond_signal(&pool->work);
}

static void dequeue(rp_pool *pool, rp_pool_task *task) {
  if (task->up)
    task->up->down = task->down;
  else
    pool->first = task->down;
  if (task->down)
    task->down->up = task->up;
  else
    pool->last = task->up;
  task->up = task->down = NULL;
  pool->n_waiting--;
  pthread_cond_broadcast(&pool->change); /* there is room for another one */
}

rp_pool_task *pool_take_first(rp_pool *pool) {
  rp_pool_task *task = pool->first;
  dequeue(pool, task);
  task->state = TASK_RUNNING;
  pool->n_running++;
  return task;
}

void pool_task_release(rp_pool *pool, rp_pool_task *task) {
  if (--task->references != 0) return;
  pool->references--;
  rp_context_free(task->path);
  rp_context_free(task);
}

void pool_complete(rp_pool *pool, rp_pool_task *task, rp_status status) {
  if (task->state == TASK_RUNNING) pool->n_running--;
  task->status = status;
  task->finished_ns = pool_now_ns();
  task->state = TASK_DONE;
  task->key->n_unfinished--;
  task->key = NULL;
  pthread_cond_broadcast(&pool->change);
  pthread_mutex_unlock(&pool->lock);
  if (task->done) task->done(task->user, task);
  pthread_mutex_lock(&pool->lock);
  if (task->back)
    task->back->next = task->next;
  else
    pool->all = task->next;
  if (task->next) task->next->back = task->back;
  task->state = TASK_OVER;
  pthread_cond_broadcast(&pool->change);
  pool_task_release(pool, task);
}

/* Gives a task that waits to the clerk, so that its callback is called by a thread of the pool. */
static void stop_waiting(rp_pool *pool, rp_pool_task *task, rp_status status) {
  dequeue(pool, task);
  task->state = TASK_STOPPED;
  task->status = status;
  task->down = pool->stopped;
  pool->stopped = task;
  pthread_cond_signal(&pool->clock);
}

void pool_cancel(rp_pool *pool, rp_pool_task *task) {
  if (task->state >= TASK_DONE) return;
  atomic_store(&task->cancelled, 1);
  if (task->run) rp_run_cancel(task->run);
  if (task->state != TASK_WAITING) return;
  const char *why = task->expired ? "The proof did not begin before its deadline." : "The proof was cancelled.";
  stop_waiting(pool, task, support_fail(&task->error, RP_ERR_CANCELLED, "%s", why));
}

void pool_fail_waiting(rp_pool *pool, const rp_error *why) {
  while (pool->first) {
    pool->first->error = *why;
    stop_waiting(pool, pool->first, why->status);
  }
}
