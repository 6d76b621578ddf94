/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "parallel.h"

#include "fail.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

typedef struct part_result {
  rp_status status;
  rp_error error;
} part_result;

typedef struct job {
  g16_range_fn fn;
  void *arg;
  uint64_t n;
  uint32_t parts;
  part_result *result;
} job;

typedef struct thread_part {
  job *job;
  uint32_t part;
  pthread_t thread;
  int started;
} thread_part;

static uint32_t workers(const rp_executor *executor) {
  if (executor) return executor->workers ? executor->workers : 1;
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count < 1 ? 1 : (uint32_t)count;
}

uint32_t g16_parts(const rp_executor *executor, uint64_t n, uint64_t grain, uint32_t limit) {
  uint64_t by_size = grain ? n / grain : n;
  uint64_t parts = workers(executor);
  if (parts > by_size) parts = by_size;
  if (parts > limit) parts = limit;
  return parts ? (uint32_t)parts : 1;
}

static void run_part(void *arg, uint32_t i) {
  job *j = arg;
  uint64_t size = j->n / j->parts, rest = j->n % j->parts;
  uint64_t first = size * i + (i < rest ? i : rest);
  j->result[i].status = j->fn(j->arg, i, first, size + (i < rest), &j->result[i].error);
}

static void *run_thread(void *arg) {
  thread_part *part = arg;
  run_part(part->job, part->part);
  return NULL;
}

/* A thread that cannot be had costs speed only: its part runs here. */
static void run_on_threads(job *j, thread_part *part) {
  for (uint32_t i = 1; i < j->parts; i++) {
    part[i] = (thread_part){.job = j, .part = i};
    part[i].started = pthread_create(&part[i].thread, NULL, run_thread, &part[i]) == 0;
  }
  run_part(j, 0);
  for (uint32_t i = 1; i < j->parts; i++) {
    if (part[i].started)
      pthread_join(part[i].thread, NULL);
    else
      run_part(j, i);
  }
}

rp_status g16_parallel(const rp_executor *executor, uint32_t parts, uint64_t n, g16_range_fn fn, void *arg,
                       rp_error *err) {
  if (parts <= 1) return fn(arg, 0, 0, n, err);
  job j = {fn, arg, n, parts, calloc(parts, sizeof(part_result))};
  thread_part *part = executor ? NULL : calloc(parts, sizeof *part);
  if (!j.result || (!executor && !part)) {
    free(j.result);
    free(part);
    return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for %u threads.", parts);
  }
  if (executor)
    executor->parallel(executor->user, parts, run_part, &j);
  else
    run_on_threads(&j, part);
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < parts && status == RP_OK; i++) {
    status = j.result[i].status;
    if (status != RP_OK && err) *err = j.result[i].error;
  }
  free(part);
  free(j.result);
  return status;
}
