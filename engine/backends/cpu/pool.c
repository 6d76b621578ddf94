/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The threads. The pool has as many of its own as there are workers, and a caller that waits without a timeout helps. A
 * worker number is therefore a seat: a thread that holds one runs chunks. A waiting caller is already awake when a run
 * starts, and takes a seat before a sleeping thread could.
 */
#include "cpu.h"

#include "thread.h"

#include <stdio.h>
#include <string.h>

/* How long a thread looks for work before it sleeps, if more work is expected: several times as long as waking it
 * takes. */
#define SPIN_NS 40000u
/* How long a pool without threads of its own works when it is polled. */
#define SLICE_NS 1000000u
#define NO_SEAT UINT32_MAX

/* ---- With the lock held ------------------------------------------------------------------------------------------ */

static bool anything_ready(const cpu_pool *pool) {
  for (const cpu_job *job = pool->first; job; job = job->next)
    if (job->n_ready) return 1;
  return 0;
}

static bool pick(cpu_pool *pool, cpu_job *only, cpu_visit *visit) {
  if (only) return cpu_job_pick(only, visit);
  for (cpu_job *job = pool->first; job; job = job->next)
    if (cpu_job_pick(job, visit)) return 1;
  return 0;
}

static void unlink_job(cpu_pool *pool, cpu_job *job) {
  cpu_job *before = NULL;
  for (cpu_job *j = pool->first; j != job; j = j->next) before = j;
  if (before)
    before->next = job->next;
  else
    pool->first = job->next;
}

/* Called after a visit or a reset. True: the job is finished, and must not be touched any more, because its owner may
 * free it. */
static bool end_if_finished(cpu_pool *pool, cpu_job *job, uint32_t unready_before) {
  atomic_fetch_sub_explicit(&pool->expected, unready_before - job->unready, memory_order_relaxed);
  if (job->unfinished || job->visitors) return 0;
  unlink_job(pool, job);
  if (job->ended)
    job->ended(pool, job);
  else
    atomic_store_explicit(&job->done, 1, memory_order_release);
  return 1;
}

/* Calls those who waited for the events that runs have raised. Called, and returns, with the lock held. */
static void call_reached(cpu_pool *pool) {
  rp_event_waiter *reached = pool->reached;
  pool->reached = NULL;
  pthread_mutex_unlock(&pool->lock);
  rp_event_fire(reached);
  pthread_mutex_lock(&pool->lock);
}

/* ---- Serving ----------------------------------------------------------------------------------------------------- */

/* Works for all jobs, or for `only`, until there is nothing to do or the deadline passes. With NO_SEAT it takes a free
 * seat, and does nothing if there is none. Called, and returns, with the lock held. */
static void serve(cpu_pool *pool, cpu_job *only, uint32_t seat, uint64_t deadline_ns) {
  bool own_seat = seat == NO_SEAT;
  if (own_seat) {
    if (!pool->n_seats) return;
    seat = pool->seats[--pool->n_seats];
  }
  rp_cpu_worker worker = {.index = seat, .count = pool->workers};
  cpu_visit visit;
  bool over = only && atomic_load(&only->done);
  while (!over && pick(pool, only, &visit)) {
    bool more = (pool->n_seats || pool->executor.parallel) && anything_ready(pool);
    pthread_mutex_unlock(&pool->lock);
    if (more) cpu_event_notify(&pool->work, 2); /* a thread that finds work in turn wakes the next */
    bool last = cpu_job_visit(&visit, &worker, deadline_ns);
    pthread_mutex_lock(&pool->lock);
    uint32_t unready = visit.job->unready;
    visit.job->visitors--;
    if (last) cpu_job_finish(visit.job, visit.task, pool->workers);
    bool done = end_if_finished(pool, visit.job, unready);
    if (done) {
      cpu_event_notify(&pool->done, UINT32_MAX);
      if (pool->executor.parallel) cpu_event_notify(&pool->work, UINT32_MAX);
      if (pool->reached) call_reached(pool);
    }
    over = (done && visit.job == only) || (deadline_ns != UINT64_MAX && rp_now_ns() >= deadline_ns);
  }
  if (own_seat) {
    pool->seats[pool->n_seats++] = seat;
    if (anything_ready(pool)) cpu_event_notify(&pool->work, 1);
  }
}

/* Spins until the job is done or there may be something to do for it; false if the time is over. */
static bool spin(const cpu_pool *pool, const cpu_job *job, uint32_t key) {
  for (uint64_t until = rp_now_ns() + pool->spin_ns; rp_now_ns() < until;)
    if (atomic_load(&job->done) || cpu_event_spin(&pool->work, key)) return 1;
  return 0;
}

static uint64_t spin_time(const cpu_pool *pool) {
  return atomic_load_explicit(&pool->expected, memory_order_relaxed) ? pool->spin_ns : 0;
}

static void *thread_main(void *argument) {
  cpu_pool *pool = argument;
  pthread_mutex_lock(&pool->lock);
  while (!pool->quit) {
    serve(pool, NULL, NO_SEAT, UINT64_MAX);
    if (pool->quit) break; /* set, with everybody woken, while `serve` did not hold the lock */
    uint32_t key = cpu_event_key(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    cpu_event_wait(&pool->work, key, spin_time(pool), UINT64_MAX);
    pthread_mutex_lock(&pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
  return NULL;
}

/* ---- The caller's executor --------------------------------------------------------------------------------------- */

typedef struct attendance {
  cpu_pool *pool;
  cpu_job *job;
  uint64_t deadline_ns;
} attendance;

/* Serves once before it looks at the deadline: an executor that takes longer than the deadline to call this function
 * would otherwise never do any work for a caller that polls. */
static void serve_until_done(void *arg, uint32_t i) {
  const attendance *a = arg;
  cpu_pool *pool = a->pool;
  pthread_mutex_lock(&pool->lock);
  while (!atomic_load(&a->job->done)) {
    uint32_t key = cpu_event_key(&pool->work);
    serve(pool, a->job, i, a->deadline_ns);
    if (atomic_load(&a->job->done) || rp_now_ns() >= a->deadline_ns) break;
    pthread_mutex_unlock(&pool->lock);
    cpu_event_wait(&pool->work, key, spin_time(pool), a->deadline_ns);
    pthread_mutex_lock(&pool->lock);
  }
  pthread_mutex_unlock(&pool->lock);
}

static bool wait_by_executor(cpu_pool *pool, cpu_job *job, uint64_t timeout_ns) {
  uint64_t now = rp_now_ns(), span = timeout_ns < SLICE_NS ? SLICE_NS : timeout_ns;
  attendance a = {pool, job, span > UINT64_MAX - now ? UINT64_MAX : now + span};
  do {
    pool->executor.parallel(pool->executor.user, pool->workers, serve_until_done, &a);
  } while (!atomic_load(&job->done) && rp_now_ns() < a.deadline_ns);
  return atomic_load(&job->done) != 0;
}

/* ---- Interface --------------------------------------------------------------------------------------------------- */

/* Whether the job is finished, since nothing was to be done. */
static bool enter(cpu_pool *pool, cpu_job *job) {
  cpu_job **at = &pool->first;
  while (*at && (*at)->priority >= job->priority) at = &(*at)->next;
  job->next = *at;
  *at = job;
  atomic_fetch_add_explicit(&pool->expected, job->n_tasks, memory_order_relaxed);
  cpu_job_reset(job, pool->workers);
  return end_if_finished(pool, job, job->n_tasks);
}

void cpu_pool_enter(cpu_pool *pool, cpu_job *job) {
  const bool done = enter(pool, job);
  (void)done;
}

void cpu_pool_wake(cpu_pool *pool) {
  cpu_event_notify(&pool->done, UINT32_MAX);
  cpu_event_notify(&pool->work, pool->executor.parallel ? UINT32_MAX : 1);
}

void cpu_pool_start(cpu_pool *pool, cpu_job *job) {
  pthread_mutex_lock(&pool->lock);
  const bool done = enter(pool, job);
  rp_event_waiter *reached = pool->reached;
  pool->reached = NULL;
  pthread_mutex_unlock(&pool->lock);
  if (reached) rp_event_fire(reached);
  cpu_event_notify(done ? &pool->done : &pool->work, 1);
}

bool cpu_pool_wait(cpu_pool *pool, cpu_job *job, uint64_t timeout_ns) {
  if (atomic_load(&job->done)) return 1;
  if (pool->executor.parallel) return wait_by_executor(pool, job, timeout_ns);
  if (timeout_ns == 0) return 0;
  uint64_t now = rp_now_ns(), deadline = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
  for (bool idle = 0; deadline == UINT64_MAX && !idle && !atomic_load(&job->done);) {
    pthread_mutex_lock(&pool->lock);
    uint32_t key = cpu_event_key(&pool->work);
    bool had_seat = pool->n_seats != 0;
    serve(pool, job, NO_SEAT, UINT64_MAX);
    pthread_mutex_unlock(&pool->lock);
    if (atomic_load(&job->done)) return 1;
    idle = !had_seat || !spin(pool, job, key);
  }
  for (;;) {
    uint32_t key = cpu_event_key(&pool->done);
    if (atomic_load(&job->done)) return 1;
    if (rp_now_ns() >= deadline) return 0;
    cpu_event_wait(&pool->done, key, 0, deadline);
  }
}

rp_status cpu_pool_open(cpu_pool *pool, rp_context *context, uint32_t workers, const rp_executor *executor,
                        rp_error *err) {
  memset(pool, 0, sizeof *pool);
  pool->context = context;
  pool->workers = workers;
  pthread_mutex_init(&pool->lock, NULL);
  if (executor) {
    pool->executor = *executor;
    pool->spin_ns = SPIN_NS;
    return RP_OK;
  }
  /* With more threads than processors, one that spins would keep another from working. */
  pool->spin_ns = workers <= cpu_count() ? SPIN_NS : 0;
  pool->seats = rp_host_alloc(context, workers * sizeof *pool->seats, _Alignof(uint32_t));
  pool->threads = rp_host_alloc(context, workers * sizeof *pool->threads, _Alignof(pthread_t));
  if (!pool->seats || !pool->threads) {
    cpu_pool_close(pool);
    return rp_fail(err, RP_ERR_MEMORY, "out of host memory for %u threads", workers);
  }
  for (uint32_t i = 0; i < workers; i++) pool->seats[pool->n_seats++] = workers - 1 - i;

  int failed = 0;
  for (uint32_t i = 0; i < workers && !failed; i++) {
    failed = rp_thread_start(&pool->threads[i], NULL, thread_main, pool);
    if (failed) break;
    pool->n_threads++;
    char name[24];
    snprintf(name, sizeof name, "reprise-%u", i);
    pthread_setname_np(pool->threads[i], name);
  }
  if (!failed) return RP_OK;
  uint32_t started = pool->n_threads;
  cpu_pool_close(pool);
  return rp_fail(err, RP_ERR_MEMORY, "cannot start thread %u of %u: %s", started + 1, workers, strerror(failed));
}

static void end_threads(cpu_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->quit = 1;
  pthread_mutex_unlock(&pool->lock);
  cpu_event_notify(&pool->work, UINT32_MAX);
  for (uint32_t i = 0; i < pool->n_threads; i++) pthread_join(pool->threads[i], NULL);
  pthread_mutex_destroy(&pool->lock);
}

void cpu_pool_close(cpu_pool *pool) {
  if (!rp_context_is_forked(pool->context)) end_threads(pool);
  rp_host_free(pool->context, pool->threads, pool->workers * sizeof *pool->threads);
  rp_host_free(pool->context, pool->seats, pool->workers * sizeof *pool->seats);
}
