/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The jobs of a service. Every function is called with the lock of the service held, unless it says otherwise.
 */
#ifndef REPRISE_SERVE_QUEUE_H
#define REPRISE_SERVE_QUEUE_H

#include "jobs.h"
#include "resident.h"

#include <pthread.h>

typedef struct serve_counts {
  uint64_t ended[3][2]; /* by kind: with a result, without */
  uint64_t refused_full, refused_memory, refused_stopping, refused_token, cancelled, late;
  uint64_t prove_ns, wait_ns; /* of proofs, all together */
} serve_counts;

typedef struct serve_queue {
  serve_job *waiting; /* larger priorities first, then older ones */
  serve_job *running;
  serve_job *ended, *newest; /* that are listed; the oldest first */
  unsigned n_waiting, n_running, n_ended;
  uint64_t ended_bytes;
  unsigned most_waiting;
  uint64_t patience_ns;
  double job_ns;    /* the recent time per proof of one worker */
  bool is_stopping; /* no further job is accepted */
  bool has_ended;   /* workers end */
  pthread_cond_t changed;
  serve_counts counts;
} serve_queue;

/* With the lock or without. A new job has one reference, the caller's; a job is freed with its last one. */
serve_job *serve_job_new(serve_kind kind);
void serve_job_release(serve_job *job);

typedef enum serve_put { SERVE_PUT_OK, SERVE_PUT_FULL, SERVE_PUT_STOPPING } serve_put_result;
/* Puts a job; the queue takes a reference of its own. */
serve_put_result serve_queue_put(serve_queue *queue, serve_job *job);
/* Seconds after which there is probably room. */
unsigned serve_queue_retry_after(const serve_queue *queue, unsigned n_workers);
/* The job that is next, for a worker; NULL if none can begin now. Of those with the highest priority, the ones whose
 * keys are resident come first, until the first of the others has waited for longer than the patience. */
serve_job *serve_queue_take(serve_queue *queue, cli_residents *residents);
/* Ends a job. It is then in no list, or in that of ended jobs; threads that wait for it are woken, and its body is
 * released. */
void serve_queue_end(serve_queue *queue, serve_job *job);
/* Ends a waiting job; tells a running one to end. */
void serve_queue_cancel(serve_queue *queue, serve_job *job, int code, const char *why);
void serve_queue_cancel_waiting(serve_queue *queue, int code, const char *why);
/* Cancels jobs that are past their deadline. */
void serve_queue_tick(serve_queue *queue, uint64_t now);
/* Listed jobs, or NULL. */
serve_job *serve_queue_find(serve_queue *queue, const char *id);
serve_job *serve_queue_find_idempotent(serve_queue *queue, const char *idempotency);
/* Frees what has ended. */
void serve_queue_close(serve_queue *queue);

#endif
