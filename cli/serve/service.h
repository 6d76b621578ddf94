/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What one service consists of. Threads: that of libmicrohttpd takes requests and sends answers, workers do the jobs,
 * and the main one watches the time and waits for a signal. One lock guards keys, jobs and clients; no thread holds it
 * while something is computed or a file is read.
 */
#ifndef REPRISE_SERVE_SERVICE_H
#define REPRISE_SERVE_SERVICE_H

#include "clients.h"
#include "options.h"
#include "queue.h"
#include "token.h"

typedef struct serve {
  const cli_call *call;
  const serve_options *options;
  cli_residents *residents;
  pthread_mutex_t lock;
  serve_keys keys;
  serve_queue queue;
  serve_clients clients;
  serve_budget budget;
  serve_token token;
  uint8_t salt[32]; /* of fingerprints, so that they reveal nothing about the request */
  unsigned n_workers;
  bool is_lost;     /* every device is lost */
  serve_job *input; /* the last one of POST /input */
  uint64_t begin_ns;
} serve;

/* Writes one line to standard error. Nothing of a body may be in it. */
__attribute__((format(printf, 2, 3))) void serve_log(const serve *service, const char *format, ...);

/* Works on a job until it has its end (work.c, work_other.c). Without the lock. */
void serve_work_verify(serve *service, serve_job *job);
void serve_work_register(serve *service, serve_job *job);
/* Computes the witness from the job's body, which are inputs, and puts it in its place (programs.c). */
rp_status serve_run_program(serve *service, serve_job *job, rp_error *err);
/* The thread of a worker; `service` is a serve. */
void *serve_worker(void *service);

#endif
