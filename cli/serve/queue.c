/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "queue.h"

#include "answer.h"

#include <stdlib.h>
#include <string.h>

/* The most results that are kept until a client asks: how many, and their bytes together. */
enum { MOST_ENDED = 1024, MOST_ENDED_BYTES = 64 << 20 };

static void append(serve_job **list, serve_job *job) {
  while (*list) list = &(*list)->next;
  job->next = NULL;
  *list = job;
}

static void take_out(serve_job **list, const serve_job *job) {
  while (*list && *list != job) list = &(*list)->next;
  if (*list) *list = job->next;
}

serve_put_result serve_queue_put(serve_queue *q, serve_job *job) {
  if (q->is_stopping) {
    q->counts.refused_stopping++;
    return SERVE_PUT_STOPPING;
  }
  if (q->n_waiting >= q->most_waiting) {
    q->counts.refused_full++;
    return SERVE_PUT_FULL;
  }
  serve_job **at = &q->waiting;
  while (*at && (*at)->priority >= job->priority) at = &(*at)->next;
  job->next = *at;
  *at = job;
  job->refs++;
  job->state = SERVE_WAITING;
  job->created_ns = cli_now_ns();
  q->n_waiting++;
  pthread_cond_signal(&q->changed);
  return SERVE_PUT_OK;
}

unsigned serve_queue_retry_after(const serve_queue *q, unsigned n_workers) {
  const double seconds = q->job_ns * (q->n_waiting + q->n_running) / n_workers / 1e9;
  return seconds < 1 ? 1 : seconds > 3600 ? 3600 : (unsigned)(seconds + 0.999);
}

static cli_resident_state state_of(const serve_job *job, cli_residents *residents) {
  return job->kind == SERVE_PROVE ? cli_residents_state(residents, job->key->id) : CLI_RESIDENT_READY;
}

static serve_job *choose(const serve_queue *q, cli_residents *residents) {
  serve_job *absent = NULL;
  for (serve_job *job = q->waiting; job; job = job->next) {
    if (absent && job->priority < absent->priority) break;
    const cli_resident_state state = state_of(job, residents);
    if (state == CLI_RESIDENT_READY) return job;
    if (state == CLI_RESIDENT_WAIT || absent) continue;
    absent = job;
    if (cli_now_ns() - job->created_ns >= q->patience_ns) break;
  }
  return absent;
}

serve_job *serve_queue_take(serve_queue *q, cli_residents *residents) {
  serve_job *job = choose(q, residents);
  if (!job) return NULL;
  take_out(&q->waiting, job);
  q->n_waiting--;
  append(&q->running, job);
  q->n_running++;
  job->state = SERVE_RUNNING;
  job->begun_ns = cli_now_ns();
  return job;
}

static void forget_oldest(serve_queue *q) {
  serve_job *job = q->ended;
  if (!job) return;
  q->ended = job->next;
  if (!q->ended) q->newest = NULL;
  q->n_ended--;
  q->ended_bytes -= job->text ? strlen(job->text) : 0;
  job->is_listed = 0;
  serve_job_release(job);
}

/* The queue's reference passes to the list of ended jobs, or is released. */
static void keep(serve_queue *q, serve_job *job) {
  if (!job->is_listed) {
    serve_job_release(job);
    return;
  }
  job->next = NULL;
  *(q->newest ? &q->newest->next : &q->ended) = job;
  q->newest = job;
  q->n_ended++;
  q->ended_bytes += job->text ? strlen(job->text) : 0;
  while (q->n_ended > MOST_ENDED || (q->n_ended > 1 && q->ended_bytes > MOST_ENDED_BYTES)) forget_oldest(q);
}

static void count(serve_queue *q, const serve_job *job) {
  q->counts.ended[job->kind][job->status != RP_OK]++;
  if (job->kind != SERVE_PROVE) return;
  if (job->status != RP_OK) {
    job->key->n_failed++;
    return;
  }
  const uint64_t ns = job->ended_ns - job->begun_ns;
  job->key->n_proofs++;
  job->key->prove_ns += ns;
  q->counts.prove_ns += ns;
  q->counts.wait_ns += job->begun_ns - job->created_ns;
  q->job_ns = q->job_ns > 0 ? 0.9 * q->job_ns + 0.1 * (double)ns : (double)ns;
}

void serve_queue_end(serve_queue *q, serve_job *job) {
  if (job->state == SERVE_RUNNING) {
    take_out(&q->running, job);
    q->n_running--;
  } else {
    take_out(&q->waiting, job);
    q->n_waiting--;
  }
  job->state = SERVE_ENDED;
  job->ended_ns = cli_now_ns();
  serve_body_free(&job->body);
  count(q, job);
  while (job->waiters) {
    serve_waiter *one = job->waiters;
    job->waiters = one->next;
    one->wake(one);
  }
  keep(q, job);
  pthread_cond_broadcast(&q->changed);
}

void serve_queue_cancel(serve_queue *q, serve_job *job, int code, const char *why) {
  if (job->state == SERVE_ENDED || job->ended_by) return;
  job->ended_by = code;
  job->ended_why = why;
  if (job->state == SERVE_RUNNING) {
    if (job->task) rp_pool_cancel(job->task);
    return;
  }
  serve_job_cancelled(job);
  serve_queue_end(q, job);
}

void serve_queue_cancel_waiting(serve_queue *q, int code, const char *why) {
  while (q->waiting) serve_queue_cancel(q, q->waiting, code, why);
}

static bool is_late(const serve_job *job, uint64_t now) { return job->deadline_ns && now >= job->deadline_ns; }

static void cancel_late(serve_queue *q, serve_job *list, uint64_t now) {
  for (serve_job *job = list, *next; job; job = next) {
    next = job->next;
    if (!is_late(job, now) || job->ended_by) continue;
    q->counts.late++;
    serve_queue_cancel(q, job, 504, "the deadline passed");
  }
}

void serve_queue_tick(serve_queue *q, uint64_t now) {
  cancel_late(q, q->waiting, now);
  cancel_late(q, q->running, now);
}

static serve_job *find_in(serve_job *list, const char *id, const char *idempotency) {
  for (serve_job *job = list; job; job = job->next)
    if (job->is_listed && strcmp(id ? job->id : job->idempotency, id ? id : idempotency) == 0) return job;
  return NULL;
}

static serve_job *find(serve_queue *q, const char *id, const char *idempotency) {
  serve_job *job = find_in(q->running, id, idempotency);
  if (!job) job = find_in(q->waiting, id, idempotency);
  return job ? job : find_in(q->ended, id, idempotency);
}

serve_job *serve_queue_find(serve_queue *q, const char *id) { return find(q, id, NULL); }

serve_job *serve_queue_find_idempotent(serve_queue *q, const char *idempotency) { return find(q, NULL, idempotency); }

void serve_queue_close(serve_queue *q) {
  while (q->ended) forget_oldest(q);
}
