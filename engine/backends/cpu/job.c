/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tasks of a job: which are ready, handing out their items, and what becomes ready when one is finished.
 */
#include "cpu.h"

/* Without a grain an item may be of any size, so that there are few chunks, and what a kernel does once per call is not
 * done too often. With a grain, that many items are worth a call; chunks are multiples of it, because some kernels take
 * eight items at a time, and their number is limited only to keep the traffic on `next` low. */
#define CHUNKS_A_WORKER 8u
#define FINE_CHUNKS_A_WORKER 256u

/* ---- The ready set ----------------------------------------------------------------------------------------------- */

/* The longest path first, then the order of the program. */
static bool comes_before(const cpu_job *job, uint32_t a, uint32_t b) {
  uint64_t pa = job->tasks[a].path, pb = job->tasks[b].path;
  return pa != pb ? pa > pb : a < b;
}

static void publish_best(cpu_job *job) {
  uint64_t best = job->n_ready && !job->random_order ? job->tasks[job->ready[0]].path : 0;
  atomic_store_explicit(&job->best, best, memory_order_relaxed);
}

static void ready_push(cpu_job *job, uint32_t task) {
  uint32_t at = job->n_ready++;
  for (; at > 0 && !job->random_order; at = (at - 1) / 2) {
    uint32_t up = job->ready[(at - 1) / 2];
    if (!comes_before(job, task, up)) break;
    job->ready[at] = up;
  }
  job->ready[at] = task;
  publish_best(job);
}

/* In random order any place may be removed; from the heap it is always the first. */
static void ready_remove(cpu_job *job, uint32_t at) {
  uint32_t last = job->ready[--job->n_ready];
  if (!job->random_order) {
    for (uint32_t child; (child = 2 * at + 1) < job->n_ready; at = child) {
      if (child + 1 < job->n_ready && comes_before(job, job->ready[child + 1], job->ready[child])) child++;
      if (!comes_before(job, job->ready[child], last)) break;
      job->ready[at] = job->ready[child];
    }
  }
  job->ready[at] = last;
  publish_best(job);
}

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
static uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

static uint64_t items_of(const cpu_task *task) { return !task->word || *task->word ? task->items : 0; }

static bool take(cpu_task *task, uint64_t *begin, uint64_t *end) {
  uint64_t at = atomic_fetch_add_explicit(&task->next, task->chunk, memory_order_relaxed);
  if (at >= task->count) return 0;
  *begin = at;
  *end = task->count - at < task->chunk ? task->count : at + task->chunk;
  return 1;
}

static bool exhausted(const cpu_task *task) {
  return atomic_load_explicit(&task->next, memory_order_relaxed) >= task->count;
}

/* Called when all predecessors are finished. 0 if there is nothing to run, so that the task is finished too. */
static bool make_ready(cpu_job *job, uint32_t index, uint32_t workers) {
  cpu_task *task = &job->tasks[index];
  job->unready--;
  if (job->hazards && !cpu_hazards_open(job->hazards, index)) atomic_store(&job->stop, 1);
  uint64_t n = atomic_load(&job->stop) ? 0 : items_of(task);
  if (n == 0) {
    if (atomic_load(&job->stop)) atomic_store(&job->skipped, 1);
    return 0;
  }
  uint64_t finest = (uint64_t)workers * (task->grain ? FINE_CHUNKS_A_WORKER : CHUNKS_A_WORKER);
  uint64_t chunk = n / finest + (n % finest != 0);
  task->count = n;
  task->chunk = task->grain ? (chunk + task->grain - 1) / task->grain * task->grain : chunk;
  atomic_store_explicit(&task->left, n, memory_order_relaxed);
  atomic_store_explicit(&task->next, 0, memory_order_relaxed);
  ready_push(job, index);
  return 1;
}

/* ---- Life of a job ----------------------------------------------------------------------------------------------- */

void cpu_job_finish(cpu_job *job, cpu_task *task, uint32_t workers) {
  uint32_t list = (uint32_t)(task - job->tasks) + 1; /* of finished tasks, from 1 on; each has the next in `pending` */
  while (list) {
    uint32_t index = list - 1;
    cpu_task *t = &job->tasks[index];
    list = t->pending;
    t->pending = 0;
    job->unfinished--;
    if (!atomic_load(&job->skipped)) atomic_fetch_add_explicit(&job->n_finished, 1, memory_order_relaxed);
    if (job->hazards) cpu_hazards_close(job->hazards, index);
    for (uint32_t i = 0; i < t->n_succs; i++) {
      uint32_t s = t->succs[i];
      if (--job->tasks[s].pending > 0 || make_ready(job, s, workers)) continue;
      job->tasks[s].pending = list;
      list = s + 1;
    }
  }
}

void cpu_job_reset(cpu_job *job, uint32_t workers) {
  job->n_ready = job->visitors = 0;
  job->unready = job->unfinished = job->n_tasks;
  atomic_store(&job->stop, job->stop_first);
  atomic_store(&job->skipped, 0);
  atomic_store(&job->n_finished, 0);
  atomic_store(&job->done, 0);
  if (job->hazards) job->hazards->n_open = job->hazards->found = 0;
  for (uint32_t i = 0; i < job->n_tasks; i++) job->tasks[i].pending = job->tasks[i].n_preds;
  for (uint32_t i = 0; i < job->n_tasks; i++)
    if (job->tasks[i].n_preds == 0 && !make_ready(job, i, workers)) cpu_job_finish(job, &job->tasks[i], workers);
}

bool cpu_job_pick(cpu_job *job, cpu_visit *visit) {
  while (job->n_ready) {
    uint32_t at = job->random_order ? (uint32_t)(random_next(&job->random_state) % job->n_ready) : 0;
    cpu_task *task = &job->tasks[job->ready[at]];
    bool taken = take(task, &visit->begin, &visit->end);
    if (!taken || exhausted(task)) ready_remove(job, at);
    if (!taken) continue;
    visit->job = job;
    visit->task = task;
    job->visitors++;
    return 1;
  }
  return 0;
}

static void note_span(cpu_profile *profile, uint32_t step, uint32_t worker, uint64_t begin_ns, uint64_t end_ns) {
  if (worker >= profile->workers) return;
  rp_timing *spans = profile->spans + (size_t)worker * profile->capacity;
  uint32_t n = profile->used[worker];
  if (n == profile->capacity) { /* full: the last span of the same step is made longer instead */
    if (n && spans[n - 1].step == step) spans[n - 1].end_ns = end_ns - profile->origin_ns;
    return;
  }
  spans[n] = (rp_timing){step, worker, begin_ns - profile->origin_ns, end_ns - profile->origin_ns};
  profile->used[worker] = n + 1;
}

bool cpu_job_visit(const cpu_visit *visit, const rp_cpu_worker *worker, uint64_t deadline_ns) {
  cpu_job *job = visit->job;
  cpu_task *task = visit->task;
  uint64_t begin = visit->begin, end = visit->end, started = job->profile ? rp_now_ns() : 0;
  bool last;
  do {
    if (atomic_load_explicit(&job->stop, memory_order_relaxed))
      atomic_store_explicit(&job->skipped, 1, memory_order_relaxed);
    else
      task->run(task->args, begin, end, worker);
    last = atomic_fetch_sub_explicit(&task->left, end - begin, memory_order_acq_rel) == end - begin;
    if (last || job->random_order || atomic_load_explicit(&job->best, memory_order_relaxed) > task->path) break;
    if (deadline_ns != UINT64_MAX && rp_now_ns() >= deadline_ns) break;
  } while (take(task, &begin, &end));
  if (job->profile) note_span(job->profile, (uint32_t)(task - job->tasks), worker->index, started, rp_now_ns());
  return last;
}
