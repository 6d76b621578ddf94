/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Requests that take time: proofs, verifications, and reading a key. A job waits in a bounded queue, is worked on by
 * one thread, and ends with the code and the text of an answer.
 */
#ifndef REPRISE_SERVE_JOBS_H
#define REPRISE_SERVE_JOBS_H

#include "body.h"
#include "keys.h"

typedef enum serve_kind { SERVE_PROVE, SERVE_VERIFY, SERVE_REGISTER } serve_kind;
typedef enum serve_state { SERVE_WAITING, SERVE_RUNNING, SERVE_ENDED } serve_state;

enum { SERVE_ID = 33, SERVE_IDEMPOTENCY = 129 };

/* A thread or a client that waits for the end of a job. */
typedef struct serve_waiter {
  struct serve_waiter *next;
  void (*wake)(struct serve_waiter *waiter); /* with the lock held; the waiter is no longer in the list */
} serve_waiter;

/* Everything is under the lock of the service, except the body, which belongs to the thread that works on the job. */
typedef struct serve_job {
  struct serve_job *next; /* in one of the queue's lists */
  char id[SERVE_ID];
  serve_kind kind;
  serve_key *key; /* NULL for SERVE_REGISTER */
  int32_t priority;
  uint64_t created_ns, begun_ns, ended_ns;
  uint64_t deadline_ns; /* 0: none */
  serve_body body;
  serve_state state;
  bool is_put; /* SERVE_REGISTER: the body is optional, and `name` is given */
  char name[SERVE_NAME];
  /* If not 0, the job is to end with this code and this reason, without a result. */
  int ended_by;
  const char *ended_why;
  rp_pool_task *task; /* not NULL while the job can be cancelled through it */
  /* How it ended. */
  rp_status status;
  int code;
  char *text;
  char *proof, *signals; /* only if keeps_texts */
  bool keeps_texts;
  bool is_listed;                      /* can be asked for by its id */
  char idempotency[SERVE_IDEMPOTENCY]; /* empty: none */
  uint8_t fingerprint[32];             /* of the request that came with that key */
  unsigned refs;
  serve_waiter *waiters;
} serve_job;

#endif
