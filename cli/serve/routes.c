/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * All requests except those of rapidsnark's clients.
 */
#include "http.h"

#include "files/sha256.h"
#include "status.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PRIORITY = 1000 };

static serve_answer no_memory(void) { return serve_refuse(503, RP_ERR_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY)); }

static serve_answer with_text(support_text *text, const char *type) {
  support_put(text, "\n");
  return (serve_answer){.code = 200, .text = serve_text_end(text), .type = type};
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

/* ---- Jobs -------------------------------------------------------------------------------------------------------- */

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

static serve_answer post_prove(serve_request *r) {
  serve *service = r->service;
  serve_answer answer = {0};
  const char *wait = serve_argument(r, "wait");
  serve_job *job = serve_job_new(SERVE_PROVE);
  if (!job) return no_memory();
  job->key = serve_key_of(service, serve_argument(r, "key"), &answer);
  if (!job->key) {
    serve_job_release(job);
    return answer;
  }
  const bool is_asynchronous = wait && strcmp(wait, "0") == 0;
  job->is_listed = is_asynchronous;
  answer = serve_submit(r, job);
  if (answer.code || !is_asynchronous) return answer;
  pthread_mutex_lock(&service->lock);
  answer = serve_job_answer(r->job);
  serve_job_release(r->job);
  r->job = NULL;
  pthread_mutex_unlock(&service->lock);
  return answer;
}

static serve_answer post_verify(serve_request *r) {
  serve_answer answer = {0};
  const char *name = serve_argument(r, "key");
  serve_job *job = serve_job_new(SERVE_VERIFY);
  if (!job) return no_memory();
  pthread_mutex_lock(&r->service->lock);
  job->key = serve_keys_find(&r->service->keys, name); /* without a name, the body has the key */
  pthread_mutex_unlock(&r->service->lock);
  if (job->key || !name) return serve_submit(r, job);
  serve_job_release(job);
  (void)serve_key_of(r->service, name, &answer);
  return answer;
}

static serve_answer get_job(serve_request *r) {
  pthread_mutex_lock(&r->service->lock);
  const serve_job *job = serve_queue_find(&r->service->queue, r->rest);
  serve_answer answer = job ? serve_job_answer(job) : serve_refuse(404, RP_ERR_ARGUMENT, "there is no such job");
  pthread_mutex_unlock(&r->service->lock);
  if (answer.code == 202) answer.code = 200;
  return answer;
}

static serve_answer delete_job(serve_request *r) {
  serve_queue *q = &r->service->queue;
  pthread_mutex_lock(&r->service->lock);
  serve_job *job = serve_queue_find(q, r->rest);
  if (job && job->state != SERVE_ENDED) {
    q->counts.cancelled++;
    serve_queue_cancel(q, job, 409, "cancelled");
  }
  serve_answer answer = job ? serve_job_answer(job) : serve_refuse(404, RP_ERR_ARGUMENT, "there is no such job");
  pthread_mutex_unlock(&r->service->lock);
  if (job && answer.code == 409) answer.code = 200;
  return answer;
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static serve_answer get_keys(serve_request *r) {
  support_text text = {0};
  pthread_mutex_lock(&r->service->lock);
  serve_put_keys(&text, r->service);
  pthread_mutex_unlock(&r->service->lock);
  return with_text(&text, NULL);
}

static serve_answer get_key(serve_request *r) {
  support_text text = {0};
  serve_answer answer = {0};
  serve_key *key = serve_key_of(r->service, r->rest, &answer);
  if (!key) return answer;
  pthread_mutex_lock(&r->service->lock);
  serve_put_key(&text, r->service, key);
  serve_key_release(key);
  pthread_mutex_unlock(&r->service->lock);
  return with_text(&text, NULL);
}

static serve_answer put_key(serve_request *r) {
  serve_job *job = serve_job_new(SERVE_REGISTER);
  if (!job) return no_memory();
  job->is_put = r->rest[0] != '\0';
  memcpy(job->name, r->rest, sizeof job->name);
  return serve_submit(r, job);
}

/* ---- The service itself ------------------------------------------------------------------------------------------ */

static serve_answer get_healthz(serve_request *r) {
  pthread_mutex_lock(&r->service->lock);
  const char *why = r->service->is_lost ? "every device is lost" : r->service->queue.is_stopping ? "stopping" : NULL;
  pthread_mutex_unlock(&r->service->lock);
  return why ? serve_refuse(503, RP_ERR_UNAVAILABLE, "%s", why)
             : (serve_answer){.code = 200, .text = strdup("ok\n"), .type = "text/plain"};
}

static serve_answer get_metrics(serve_request *r) {
  support_text text = {0};
  pthread_mutex_lock(&r->service->lock);
  serve_put_metrics(&text, r->service);
  pthread_mutex_unlock(&r->service->lock);
  return (serve_answer){.code = 200, .text = serve_text_end(&text), .type = "text/plain; version=0.0.4"};
}

static const serve_route routes[] = {
    {.method = "GET", .path = "/healthz", .run = get_healthz, .is_open = 1},
    {.method = "GET", .path = "/status", .run = serve_get_status},
    {.method = "GET", .path = "/metrics", .run = get_metrics},
    {.method = "POST", .path = "/prove", .run = post_prove, .takes_body = 1},
    {.method = "POST", .path = "/verify", .run = post_verify, .takes_body = 1},
    {.method = "GET", .path = "/jobs/", .run = get_job},
    {.method = "DELETE", .path = "/jobs/", .run = delete_job},
    {.method = "GET", .path = "/keys", .run = get_keys},
    {.method = "POST", .path = "/keys", .run = put_key, .takes_body = 1},
    {.method = "GET", .path = "/keys/", .run = get_key},
    {.method = "PUT", .path = "/keys/", .run = put_key, .takes_body = 1},
    {.method = "POST", .path = "/input/", .run = serve_post_input, .takes_body = 1},
    {.method = "POST", .path = "/cancel", .run = serve_post_cancel},
};

/* Whether the path of the request is that of the route; *rest is what follows it. */
static bool is_at(const serve_route *route, const char *url, const char **rest) {
  const size_t n = strlen(route->path);
  *rest = "";
  if (route->path[n - 1] != '/') return strcmp(url, route->path) == 0;
  if (strncmp(url, route->path, n) != 0) return 0;
  *rest = url + n;
  return serve_is_name(*rest);
}

serve_answer serve_find_route(serve_request *r, const char *method, const char *url) {
  const char *rest, *allow = NULL;
  if (strcmp(method, "HEAD") == 0) method = "GET"; /* libmicrohttpd leaves the body out */
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
    if (!is_at(&routes[i], url, &rest)) continue;
    if (strcmp(routes[i].method, method) != 0) {
      allow = routes[i].method;
      continue;
    }
    r->route = &routes[i];
    memcpy(r->rest, rest, strlen(rest) + 1);
    return (serve_answer){0};
  }
  serve_answer answer = allow ? serve_refuse(405, RP_ERR_ARGUMENT, "this path does not take %.20s", method)
                              : serve_refuse(404, RP_ERR_ARGUMENT, "there is nothing at this path");
  answer.allow = allow;
  return answer;
}
