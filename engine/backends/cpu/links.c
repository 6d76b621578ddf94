/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A run that waits: it is submitted, and enters the pool when the last thing that it waits for has come. The end of a
 * run starts the runs that follow it, and raises events.
 */
#include "cpu.h"

#include <stddef.h>
#include <string.h>

/* The functions from here to `wake_and_unlock` are called with the pool's lock held. */

static void release(rp_program *program) {
  if (--program->links.left) return;
  atomic_store(&program->links.waits, 0);
  cpu_pool_enter(program->links.pool, &program->run);
}

/* The run is marked as done, after which its owner may free it, before those that follow it start, which may end at
 * once. */
static void ended(cpu_pool *pool, cpu_job *job) {
  cpu_links *l = &((rp_program *)(void *)((char *)job - offsetof(rp_program, run)))->links;
  rp_sync signals[RP_MOST_SYNCS];
  const uint32_t n_signals = l->n_signals;
  cpu_follow *f = l->followers;
  if (n_signals) memcpy(signals, l->signals, n_signals * sizeof *signals);
  l->followers = NULL;
  l->n_signals = 0;
  atomic_store_explicit(&job->done, 1, memory_order_release);
  while (f) {
    cpu_follow *next = f->next;
    f->waits = 0;
    release(f->later);
    f = next;
  }
  for (uint32_t i = 0; i < n_signals; i++) rp_event_raise(signals[i].handle, signals[i].value, &pool->reached);
}

/* The pool is not touched after the lock has been released: a thread of another device, which has raised an event, may
 * be here, and as soon as it has let go of the lock, the run may end and its owner may close the device. */
static void wake_and_unlock(cpu_pool *pool) {
  rp_event_waiter *more = pool->reached;
  pool->reached = NULL;
  cpu_pool_wake(pool);
  pthread_mutex_unlock(&pool->lock);
  rp_event_fire(more);
}

/* An event has reached the value that the run waits for. */
static void reached(void *argument) {
  rp_program *program = argument;
  cpu_pool *pool = program->links.pool;
  pthread_mutex_lock(&pool->lock);
  release(program);
  wake_and_unlock(pool);
}

static void wait_for_event(rp_program *program, const rp_sync *sync) {
  cpu_links *l = &program->links;
  rp_event_waiter *w = &l->waiters[l->n_waiters];
  *w = (rp_event_waiter){.event = sync->handle, .value = sync->value, .reached = reached, .argument = program};
  l->left++;
  l->n_waiters++;
  if (rp_event_subscribe(w)) return;
  l->left--;
  l->n_waiters--;
}

static void wait_for_run(rp_program *program, rp_program *earlier) {
  cpu_links *l = &program->links;
  cpu_follow *f = &l->follows[l->n_follows++];
  *f = (cpu_follow){.next = earlier->links.followers, .earlier = earlier, .later = program};
  if (atomic_load(&earlier->run.done)) return;
  f->waits = 1;
  l->left++;
  earlier->links.followers = f;
  earlier->run.ended = ended;
}

/* `reached` may be called for an event while the others are still being counted: the count is one too high until the
 * end, so that the run cannot start before that. */
void cpu_links_submit(rp_program *program, const rp_links *links, bool keeps_turn) {
  cpu_links *l = &program->links;
  cpu_pool *pool = l->pool;
  pthread_mutex_lock(&pool->lock);
  l->left = 1;
  l->n_waiters = l->n_follows = 0;
  l->keeps_turn = (uint32_t)keeps_turn;
  l->n_signals = l->raises = links->n_signals;
  if (l->n_signals) memcpy(l->signals, links->signals, l->n_signals * sizeof *l->signals);
  program->run.ended = l->n_signals ? ended : NULL;
  atomic_store(&program->run.done, 0);
  atomic_store(&l->waits, 1);
  for (uint32_t i = 0; i < links->n_waits; i++) wait_for_event(program, &links->waits[i]);
  for (uint32_t i = 0; i < links->n_after; i++) wait_for_run(program, links->after[i]);
  release(program);
  wake_and_unlock(pool);
}

/* `ended` says that the run is done before it raises the events, and holds the lock until it has. */
void cpu_links_end(rp_program *program) {
  cpu_pool *pool = program->links.pool;
  if (!program->links.raises) return;
  pthread_mutex_lock(&pool->lock);
  pthread_mutex_unlock(&pool->lock);
  program->links.raises = 0;
}

static void leave_earlier(cpu_follow *f) {
  cpu_follow **at = &f->earlier->links.followers;
  while (*at != f) at = &(*at)->next;
  *at = f->next;
  f->waits = 0;
}

static void wait_no_longer(rp_program *program) {
  cpu_links *l = &program->links;
  l->left++;
  for (uint32_t i = 0; i < l->n_waiters; i++) l->left -= (uint32_t)rp_event_unsubscribe(&l->waiters[i]);
  for (uint32_t i = 0; i < l->n_follows; i++)
    if (l->follows[i].waits) {
      leave_earlier(&l->follows[i]);
      l->left--;
    }
  release(program);
}

void cpu_links_cancel(rp_program *program) {
  cpu_links *l = &program->links;
  cpu_pool *pool = l->pool;
  pthread_mutex_lock(&pool->lock); /* so that a run that starts meanwhile does not miss it */
  program->run.stop_first = 1;
  atomic_store(&program->run.stop, 1);
  if (atomic_load(&l->waits) && !l->keeps_turn) wait_no_longer(program);
  wake_and_unlock(pool);
}

void cpu_links_wait_earlier(rp_program *program, uint64_t timeout_ns) {
  if (atomic_load(&program->run.done)) return;
  for (uint32_t i = 0; i < program->links.n_follows; i++) {
    rp_program *earlier = program->links.follows[i].earlier;
    if (earlier->links.n_follows) cpu_links_wait_earlier(earlier, timeout_ns);
    const bool done = cpu_pool_wait(program->links.pool, &earlier->run, timeout_ns);
    (void)done; /* if the earlier run is not done, the later one is not either */
  }
}
