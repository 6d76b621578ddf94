/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The answer to a request. A job ends with the code and the JSON of an answer.
 */
#ifndef REPRISE_SERVE_ANSWER_H
#define REPRISE_SERVE_ANSWER_H

#include "jobs.h"

typedef struct serve_answer {
  unsigned code;
  char *text;           /* freed by the function that sends it; NULL: empty, or out of memory if the code is not 200 */
  const char *type;     /* NULL: JSON */
  unsigned retry_after; /* seconds; 0: no such header */
  const char *allow;    /* methods, for 405 */
  char location[64];    /* empty: none */
} serve_answer;

/* {"error": {"status": ..., "reason": ...}}, with an HTTP status code. */
__attribute__((format(printf, 3, 4))) serve_answer serve_refuse(unsigned code, rp_status status, const char *format,
                                                                ...);

/* Give a job its end; serve_queue_end must follow. */
void serve_job_failed(serve_job *job, const rp_error *err);
/* The job was cancelled: its ended_by and ended_why are the answer. */
void serve_job_cancelled(serve_job *job);
/* With a proof; takes the two texts. */
void serve_job_proved(serve_job *job, char *proof, char *signals);
/* With another text, which it takes; NULL: out of memory. */
void serve_job_answered(serve_job *job, int code, char *text);

/* With the lock held: the answer that describes the present state of a job. */
serve_answer serve_job_answer(const serve_job *job);

#endif
