/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What requests have in common: arguments, the key that they name, and making a job of their body.
 */
#include "http.h"

#include "files/sha256.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PRIORITY = 1000 };

const char *serve_argument(const serve_request *r, const char *name) {
  return MHD_lookup_connection_value(r->connection, MHD_GET_ARGUMENT_KIND, name);
}

const char *serve_header(const serve_request *r, const char *name) {
  return MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, name);
}

serve_key *serve_key_of(serve *service, const char *name, serve_answer *answer) {
  pthread_mutex_lock(&service->lock);
  serve_key *key = serve_keys_find(&service->keys, name);
  pthread_mutex_unlock(&service->lock);
  if (key) return key;
  *answer = name ? serve_refuse(404, RP_ERR_ARGUMENT, "there is no key \"%.130s\"; GET /keys lists them", name)
                 : serve_refuse(400, RP_ERR_ARGUMENT, "name a key: ?key=NAME, or its SHA-256; GET /keys lists them");
  return NULL;
}

/* Reads a number from the query; *value stays as it is if the query has none. Returns false, and an answer that refuses
 * it, unless it is from `least` to `most`. */
static bool number_of(const serve_request *r, const char *name, double least, double most, double *value,
                      serve_answer *answer) {
  const char *text = serve_argument(r, name);
  char *end = NULL;
  if (!text) return 1;
  *value = strtod(text, &end);
  if (end != text && !*end && *value >= least && *value <= most) return 1;
  *answer = serve_refuse(400, RP_ERR_ARGUMENT, "\"%s\" must be a number from %g to %g", name, least, most);
  return 0;
}

static bool read_order(const serve_request *r, serve_job *job, serve_answer *answer) {
  double priority = 0, deadline = 0;
  if (!number_of(r, "priority", 0, MOST_PRIORITY, &priority, answer) ||
      !number_of(r, "deadline", 1e-3, 1e9, &deadline, answer))
    return 0;
  job->priority = (int32_t)priority;
  if (deadline > 0) job->deadline_ns = cli_now_ns() + (uint64_t)(deadline * 1e9);
  return 1;
}

static void fingerprint(const serve *service, const serve_job *job, const serve_body *body, uint8_t digest[32]) {
  pedersen_sha256_state state;
  pedersen_sha256_begin(&state);
  pedersen_sha256_add(&state, service->salt, sizeof service->salt);
  pedersen_sha256_add(&state, job->key->sha256, sizeof job->key->sha256);
  if (body->bytes) pedersen_sha256_add(&state, body->data, body->bytes);
  pedersen_sha256_end(&state, digest);
  explicit_bzero(&state, sizeof state); /* its buffer has the last bytes of the body */
}

static bool read_idempotency(const serve_request *r, serve_job *job, serve_answer *answer) {
  const char *text = serve_header(r, "Idempotency-Key");
  if (!text) return 1;
  const size_t n = strlen(text);
  if (n == 0 || n >= SERVE_IDEMPOTENCY) {
    *answer = serve_refuse(400, RP_ERR_ARGUMENT, "Idempotency-Key must have 1 to %d characters", SERVE_IDEMPOTENCY - 1);
    return 0;
  }
  memcpy(job->idempotency, text, n + 1);
  job->is_listed = 1;
  fingerprint(r->service, job, &r->body, job->fingerprint);
  return 1;
}

/* The job of an earlier request with the same Idempotency-Key, unless that job has failed. The lock must be held. */
static serve_job *repeated(serve *service, const serve_job *job, serve_answer *answer) {
  serve_job *before = job->idempotency[0] ? serve_queue_find_idempotent(&service->queue, job->idempotency) : NULL;
  if (!before) return NULL;
  if (memcmp(before->fingerprint, job->fingerprint, sizeof job->fingerprint) != 0) {
    *answer = serve_refuse(422, RP_ERR_MISMATCH, "this Idempotency-Key was used for another witness or key");
    return NULL;
  }
  if ((before->state == SERVE_ENDED && before->status != RP_OK) || before->ended_by) {
    before->idempotency[0] = '\0'; /* this request is another attempt */
    return NULL;
  }
  return before;
}

static serve_answer refuse_put(serve *service, serve_put_result result) {
  serve_answer answer;
  if (result == SERVE_PUT_STOPPING) {
    answer = serve_refuse(503, RP_ERR_BUSY, "this service is stopping");
    answer.retry_after = 1;
    return answer;
  }
  answer = serve_refuse(429, RP_ERR_BUSY, "%u jobs wait already", service->queue.n_waiting);
  answer.retry_after = serve_queue_retry_after(&service->queue, service->n_workers);
  return answer;
}

serve_answer serve_submit(serve_request *r, serve_job *job) {
  serve *service = r->service;
  serve_answer answer = {0};
  bool is_good = read_order(r, job, &answer);
  /* An input of rapidsnark's clients replaces the last one, so it is never the repetition of another job. */
  if (is_good && job->kind == SERVE_PROVE && !job->keeps_texts) is_good = read_idempotency(r, job, &answer);
  pthread_mutex_lock(&service->lock);
  serve_job *before = is_good ? repeated(service, job, &answer) : NULL;
  if (before) {
    before->refs++;
    r->job = before;
  } else if (is_good && !answer.code) {
    job->body = r->body;
    r->body = (serve_body){0};
    const serve_put_result result = serve_queue_put(&service->queue, job);
    if (result == SERVE_PUT_OK) {
      job->refs++;
      r->job = job;
    } else {
      answer = refuse_put(service, result);
    }
  }
  serve_job_release(job);
  pthread_mutex_unlock(&service->lock);
  return answer;
}
