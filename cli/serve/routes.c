/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * All requests except those of rapidsnark's clients.
 */
#include "http.h"

#include "status.h"

#include <string.h>

static serve_answer no_memory(void) { return serve_refuse(503, RP_ERR_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY)); }

static serve_answer with_text(support_text *text, const char *type) {
  support_put(text, "\n");
  return (serve_answer){.code = 200, .text = serve_text_end(text), .type = type};
}

/* ---- Jobs -------------------------------------------------------------------------------------------------------- */

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
