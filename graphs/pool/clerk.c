/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The thread that completes tasks which will not begin, and stops those whose deadline has passed.
 */
#include "pool.h"

/* Stops the tasks whose deadline has passed. Returns the next deadline; 0: none. */
static uint64_t expire(rp_pool *pool) {
  const uint64_t now = pool_now_ns();
  uint64_t next = 0;
  for (rp_pool_task *t = pool->all; t; t = t->next) {
    if (t->deadline_ns == 0 || t->state >= TASK_STOPPED || atomic_load(&t->cancelled)) continue;
    if (t->deadline_ns <= now) {
      t->expired = 1;
      pool_cancel(pool, t);
    } else if (next == 0 || t->deadline_ns < next) {
      next = t->deadline_ns;
    }
  }
  return next;
}

static void sleep_until(rp_pool *pool, uint64_t at_ns) {
  const uint64_t second = 1000000000u;
  const struct timespec at = {.tv_sec = (time_t)(at_ns / second), .tv_nsec = (long)(at_ns % second)};
  pool->wake_ns = at_ns;
  if (at_ns)
    pthread_cond_timedwait(&pool->clock, &pool->lock, &at);
  else
    pthread_cond_wait(&pool->clock, &pool->lock);
}

void *pool_clerk_main(void *arg) {
  rp_pool *pool = arg;
  pthread_mutex_lock(&pool->lock);
  for (;;) {
    rp_pool_task *t = pool->stopped;
    if (t) {
      pool->stopped = t->down;
      t->down = NULL;
      pool_complete(pool, t, t->status);
      continue;
    }
    if (pool->quit == POOL_NO_WORKERS) break;
    const uint64_t next = expire(pool);
    if (!pool->stopped) sleep_until(pool, next);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}
