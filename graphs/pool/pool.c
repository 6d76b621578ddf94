/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pool's beginning and end, and what it says about itself.
 */
#include "pool.h"

#include "threads/parallel.h"

enum { MOST_IN_FLIGHT = 64, DEFAULT_IN_FLIGHT = 2, WAITING_PER_WORKER = 4 };

bool pool_is_forked(const rp_pool *pool) { return rp_context_check(pool->context, NULL) != RP_OK; }

static void free_pool(rp_pool *pool) {
  pthread_cond_destroy(&pool->clock);
  pthread_cond_destroy(&pool->change);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
  rp_context_free(pool->devices);
  rp_context_free(pool);
}

void pool_unlock_and_leave(rp_pool *pool) {
  const bool last = --pool->references == 0;
  pthread_mutex_unlock(&pool->lock);
  if (last) free_pool(pool);
}

static rp_status check_devices(rp_device *const *devices, uint32_t n, rp_error *err) {
  if (!devices || n == 0 || n > RP_POOL_MOST_DEVICES)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_create: a pool has 1 to %d devices, and not %u.",
                        RP_POOL_MOST_DEVICES, devices ? (unsigned)n : 0);
  for (uint32_t i = 0; i < n; i++) {
    if (!devices[i]) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_create: devices[%u] is NULL.", (unsigned)i);
    if (rp_device_context(devices[i]) != rp_device_context(devices[0]))
      return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_create: devices[%u] is of another context than devices[0].",
                          (unsigned)i);
  }
  return rp_context_check(rp_device_context(devices[0]), err);
}

static void begin_locks(rp_pool *pool) {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&pool->change, &attr);
  pthread_cond_init(&pool->clock, &attr);
  pthread_condattr_destroy(&attr);
  pthread_cond_init(&pool->work, NULL);
  pthread_mutex_init(&pool->lock, NULL);
}

static rp_pool *new_pool(rp_device *const *devices, uint32_t n, uint32_t in_flight, uint32_t max_waiting) {
  rp_context *context = rp_device_context(devices[0]);
  const uint32_t n_workers = n * in_flight;
  rp_pool *pool = rp_context_alloc(context, sizeof *pool + n_workers * sizeof *pool->workers);
  if (!pool) return NULL;
  pool->devices = rp_context_alloc(context, n * sizeof *pool->devices);
  if (!pool->devices) {
    rp_context_free(pool);
    return NULL;
  }
  begin_locks(pool);
  pool->context = context;
  pool->references = 1;
  pool->n_devices = n;
  pool->max_in_flight = in_flight;
  pool->max_waiting = max_waiting ? max_waiting : WAITING_PER_WORKER * n_workers;
  for (uint32_t i = 0; i < n; i++) {
    rp_device_retain(devices[i]);
    pool->devices[i].device = devices[i];
  }
  return pool;
}

/* Starts the clerk, then the workers: that of each device in turn, so that tasks spread over devices from the first.
 * Threads wait for the lock until all have been started. */
static int start_threads(rp_pool *pool) {
  int failed;
  pthread_mutex_lock(&pool->lock);
  failed = support_thread_start(&pool->clerk, pool_clerk_main, pool);
  if (failed) pool->quit = POOL_NO_WORKERS, pool->closed = 1;
  for (uint32_t i = 0; i < pool->n_devices * pool->max_in_flight && !failed; i++) {
    pool_worker *worker = &pool->workers[i];
    *worker = (pool_worker){.pool = pool, .device = i % pool->n_devices};
    failed = support_thread_start(&worker->thread, pool_worker_main, worker);
    pool->n_workers += !failed;
  }
  pthread_mutex_unlock(&pool->lock);
  return failed;
}

rp_status rp_pool_create(rp_device *const *devices, uint32_t n_devices, const rp_pool_options *options, rp_pool **pool,
                         rp_error *err) {
  rp_pool_options o;
  if (!pool) return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_create: pool is NULL.");
  *pool = NULL;
  rp_status status = check_devices(devices, n_devices, err);
  if (status == RP_OK) status = graphs_options(&o, sizeof o, options, "Options of a pool", err);
  if (status != RP_OK) return status;
  if (o.max_in_flight > MOST_IN_FLIGHT)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_pool_create: max_in_flight is %u, and at most %d are allowed.",
                        (unsigned)o.max_in_flight, MOST_IN_FLIGHT);
  rp_pool *made = new_pool(devices, n_devices, o.max_in_flight ? o.max_in_flight : DEFAULT_IN_FLIGHT, o.max_waiting);
  if (!made) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a pool of %u devices.", (unsigned)n_devices);
  if (start_threads(made) == 0) {
    *pool = made;
    return RP_OK;
  }
  rp_pool_destroy(made);
  return support_fail(err, RP_ERR_UNAVAILABLE, "The operating system does not start the threads of a pool.");
}

static void end_threads(rp_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  const bool has_clerk = !pool->closed;
  if (!pool->quit) pool->quit = POOL_QUITS;
  for (rp_pool_task *t = pool->all; t; t = t->next) pool_cancel(pool, t);
  pthread_cond_broadcast(&pool->work);
  pthread_cond_broadcast(&pool->change);
  pthread_mutex_unlock(&pool->lock);
  for (uint32_t i = 0; i < pool->n_workers; i++) pthread_join(pool->workers[i].thread, NULL);
  pthread_mutex_lock(&pool->lock);
  pool->quit = POOL_NO_WORKERS;
  pthread_cond_signal(&pool->clock);
  pthread_mutex_unlock(&pool->lock);
  if (has_clerk) pthread_join(pool->clerk, NULL);
}

void rp_pool_destroy(rp_pool *pool) {
  if (!pool) return;
  const bool forked = pool_is_forked(pool);
  if (!forked) end_threads(pool);
  while (pool->keys) {
    rp_pool_key *key = pool->keys;
    pool->keys = key->next;
    pool_destroy_key(key);
  }
  for (uint32_t i = 0; i < pool->n_devices; i++) rp_device_release(pool->devices[i].device);
  if (forked) { /* a thread of the parent may hold the lock */
    if (--pool->references == 0) free_pool(pool);
    return;
  }
  pthread_mutex_lock(&pool->lock);
  pool->closed = 1;
  pool_unlock_and_leave(pool);
}

void rp_pool_get_info(rp_pool *pool, rp_pool_info *info) {
  if (!pool || !info || pool_is_forked(pool)) return;
  pthread_mutex_lock(&pool->lock);
  const rp_pool_info now = {.n_devices = pool->n_devices,
                            .n_lost = pool->n_lost,
                            .max_in_flight = pool->max_in_flight,
                            .max_waiting = pool->max_waiting,
                            .n_waiting = pool->n_waiting,
                            .n_running = pool->n_running};
  pthread_mutex_unlock(&pool->lock);
  rp_info_write(info, &now, sizeof now);
}

void rp_pool_get_device_info(rp_pool *pool, uint32_t index, rp_pool_device_info *info) {
  if (!pool || !info || index >= pool->n_devices || pool_is_forked(pool)) return;
  pthread_mutex_lock(&pool->lock);
  const rp_pool_device_info now = pool->devices[index].info;
  pthread_mutex_unlock(&pool->lock);
  rp_info_write(info, &now, sizeof now);
}
