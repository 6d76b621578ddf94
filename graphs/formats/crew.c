/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "crew.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <reprise/group.h>

/* On the stack of its caller, and in the list as long as it has tasks that have not begun. */
typedef struct crew_job {
  struct crew_job *next;
  void (*task)(void *arg, uint32_t i);
  void *arg;
  uint32_t n, begun, finished;
} crew_job;

struct g16_crew {
  rp_executor executor;
  pthread_mutex_t lock; /* guards the fields below, and every job */
  pthread_cond_t work;  /* the list has a job, or `quit` is set */
  pthread_cond_t done;  /* some job is finished */
  crew_job *first;
  bool quit;
  uint32_t n_threads;
  pthread_t thread[];
};

static void append(g16_crew *crew, crew_job *job) {
  crew_job **at = &crew->first;
  while (*at) at = &(*at)->next;
  *at = job;
}

static void leave_list(g16_crew *crew, crew_job *job) {
  crew_job **at = &crew->first;
  while (*at != job) at = &(*at)->next;
  *at = job->next;
}

/* Runs the next task of a job that has one. Called under the lock, which is released meanwhile. If it was the last task
 * and the caller does not own the job, the job may be gone when this returns. */
static void run_next(g16_crew *crew, crew_job *job) {
  const uint32_t i = job->begun++;
  if (job->begun == job->n) leave_list(crew, job);
  pthread_mutex_unlock(&crew->lock);
  job->task(job->arg, i);
  pthread_mutex_lock(&crew->lock);
  if (++job->finished == job->n) pthread_cond_broadcast(&crew->done);
}

static void *member(void *arg) {
  g16_crew *crew = arg;
  pthread_mutex_lock(&crew->lock);
  while (!crew->quit)
    if (crew->first)
      run_next(crew, crew->first);
    else
      pthread_cond_wait(&crew->work, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
  return NULL;
}

static void crew_parallel(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg) {
  g16_crew *crew = user;
  crew_job job = {.task = task, .arg = arg, .n = n};
  if (n == 0) return;
  pthread_mutex_lock(&crew->lock);
  append(crew, &job);
  for (uint32_t i = 0; i < crew->n_threads && i + 1 < n; i++) pthread_cond_signal(&crew->work);
  while (job.begun < n) run_next(crew, &job);
  while (job.finished < n) pthread_cond_wait(&crew->done, &crew->lock);
  pthread_mutex_unlock(&crew->lock);
}

g16_crew *g16_crew_new(rp_context *context, uint32_t threads) {
  g16_crew *crew = rp_context_alloc(context, sizeof *crew + threads * sizeof *crew->thread);
  if (!crew) return NULL;
  if (pthread_mutex_init(&crew->lock, NULL) != 0) {
    rp_context_free(crew);
    return NULL;
  }
  pthread_cond_init(&crew->work, NULL);
  pthread_cond_init(&crew->done, NULL);
  while (crew->n_threads < threads && support_thread_start(&crew->thread[crew->n_threads], member, crew) == 0)
    crew->n_threads++;
  crew->executor = (rp_executor){.user = crew, .workers = crew->n_threads + 1, .parallel = crew_parallel};
  return crew;
}

void g16_crew_destroy(g16_crew *crew) {
  if (!crew) return;
  pthread_mutex_lock(&crew->lock);
  crew->quit = 1;
  pthread_cond_broadcast(&crew->work);
  pthread_mutex_unlock(&crew->lock);
  for (uint32_t i = 0; i < crew->n_threads; i++) pthread_join(crew->thread[i], NULL);
  pthread_cond_destroy(&crew->done);
  pthread_cond_destroy(&crew->work);
  pthread_mutex_destroy(&crew->lock);
  rp_context_free(crew);
}

/* Frees only the memory, in a forked child, which does not have the threads. */
static void forget_threads(g16_crew *crew) { rp_context_free(crew); }

const rp_executor *g16_crew_executor(const g16_crew *crew) { return crew ? &crew->executor : NULL; }

/* Whether the device, or some device of the group, works beside the host, in memory of its own. A group's staging is
 * the host's memory, which says nothing of its devices. */
static bool has_gpu(rp_device *device) {
  for (uint32_t i = 0; i < rp_group_size(device); i++) {
    rp_device_info info = {.struct_size = sizeof info};
    rp_device_get_info(rp_group_device(device, i), &info);
    if (!info.limits.host_visible) return 1;
  }
  return 0;
}

/* A GPU waits while the host copies and checks the witness. A few threads reach the host's memory bandwidth; for a
 * witness that is copied in tens of microseconds no thread is woken. The threads of a CPU device are busy with the
 * proofs, of which the witness takes a hundredth, so the calling thread suffices. */
rp_status g16_copiers_begin(g16_copiers *copiers, rp_device *device, const rp_executor *callers, uint64_t n,
                            rp_error *err) {
  enum { MOST_THREADS = 8, LEAST_VALUES = 1 << 14 };
  *copiers = (g16_copiers){0};
  if (callers) {
    if (!callers->parallel)
      return support_fail(err, RP_ERR_ARGUMENT, "The executor of a prover has no function `parallel`.");
    copiers->callers = *callers;
    copiers->executor = &copiers->callers;
    return RP_OK;
  }
  uint32_t threads = support_processors();
  if (threads > MOST_THREADS) threads = MOST_THREADS;
  if (!has_gpu(device) || threads == 1 || n < LEAST_VALUES) return RP_OK;
  copiers->crew = g16_crew_new(rp_device_context(device), threads - 1);
  if (!copiers->crew) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the threads of a prover.");
  copiers->executor = g16_crew_executor(copiers->crew);
  return RP_OK;
}

void g16_copiers_end(g16_copiers *copiers, const rp_context *context) {
  if (rp_context_check(context, NULL) == RP_OK) /* threads and locks are those of this process */
    g16_crew_destroy(copiers->crew);
  else
    forget_threads(copiers->crew);
  *copiers = (g16_copiers){0};
}
