/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The threads that make proofs, max_in_flight for each device.
 */
#include "pool.h"

enum { SLOT_WAIT_NS = 20000000 };

/* The run is about to be ended: it must not be cancelled any more. */
static void forget_run(void *user) {
  rp_pool_task *t = user;
  pthread_mutex_lock(&t->pool->lock);
  t->run = NULL;
  pthread_mutex_unlock(&t->pool->lock);
}

/* There is a slot for each worker, but runs of other recordings may hold the device's memory: waits in short steps. */
static rp_status start(rp_pool_task *t, void *prover, rp_run **run) {
  uint8_t *signals = t->n_public ? t->signals : NULL;
  rp_status status = RP_ERR_BUSY;
  while (status == RP_ERR_BUSY && !atomic_load(&t->cancelled))
    status = t->system->start(prover, &t->from, SLOT_WAIT_NS, t->proof, signals, t->flight, run, &t->error);
  if (status != RP_ERR_BUSY) return status;
  return support_fail(&t->error, RP_ERR_CANCELLED, "The proof was cancelled before it began.");
}

static rp_status make_proof(rp_pool_task *t, void *prover) {
  rp_pool *pool = t->pool;
  rp_run *run = NULL;
  const pool_ending ending = {.cancelled = &t->cancelled, .call = forget_run, .user = t};
  rp_status status = start(t, prover, &run);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&pool->lock);
  t->run = run;
  if (atomic_load(&t->cancelled)) rp_run_cancel(run);
  pthread_mutex_unlock(&pool->lock);
  return t->system->finish(t->flight, &ending, &t->counters, &t->error);
}

/* Called under the lock. With the last device, the tasks that wait fail too. */
static void mark_lost(rp_pool *pool, pool_device *device, const rp_error *why) {
  if (device->info.lost) return;
  device->info.lost = 1;
  device->info.error = *why;
  pthread_cond_broadcast(&pool->work);
  if (++pool->n_lost < pool->n_devices) return;
  rp_error all = {.status = RP_ERR_DEVICE_LOST};
  (void)support_fail(&all, RP_ERR_DEVICE_LOST, "Every device of the pool has been lost; of the last one: %.300s",
                     why->reason);
  pool_fail_waiting(pool, &all);
}

/* Called under the lock, after an attempt. */
static void end_attempt(rp_pool *pool, rp_pool_task *t, pool_device *device, rp_status status) {
  device->info.n_running--;
  device->info.n_proofs += status == RP_OK;
  if (status == RP_ERR_DEVICE_LOST) {
    mark_lost(pool, device, &t->error);
    if (pool->n_lost < pool->n_devices && !atomic_load(&t->cancelled)) {
      t->moves++;
      pool->n_running--;
      pool_enqueue(pool, t);
      return;
    }
  }
  if (status == RP_ERR_CANCELLED && t->expired)
    status = support_fail(&t->error, RP_ERR_CANCELLED, "The proof was not finished before its deadline.");
  pool_complete(pool, t, status);
}

void *pool_worker_main(void *arg) {
  const pool_worker *self = arg;
  rp_pool *pool = self->pool;
  pool_device *device = &pool->devices[self->device];
  pthread_mutex_lock(&pool->lock);
  while (!pool->quit && !device->info.lost) {
    if (!pool->first) {
      pthread_cond_wait(&pool->work, &pool->lock);
      continue;
    }
    rp_pool_task *t = pool_take_first(pool);
    void *prover = t->key->provers[self->device];
    t->device = self->device;
    t->begun_ns = pool_now_ns();
    device->info.n_running++;
    pthread_mutex_unlock(&pool->lock);
    const rp_status status = make_proof(t, prover);
    pthread_mutex_lock(&pool->lock);
    end_attempt(pool, t, device, status);
  }
  /* If this thread has consumed a signal, another thread must get it instead. */
  if (pool->first) pthread_cond_signal(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}
