/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A refused body up to this length is read to its end, so that the client reads the answer instead of an error of its
 * connection; a longer one is not waited for. */
enum { SWALLOWED_BYTES = 256 << 10 };

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static bool add_header(struct MHD_Response *response, const char *name, const char *value) {
  return !value || MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Sends it and takes its text. */
static enum MHD_Result send_answer(serve_request *r, serve_answer *answer, bool closes) {
  static char none[] = "";
  char seconds[16] = "";
  const bool has_text = answer->text != NULL;
  struct MHD_Response *response =
      MHD_create_response_from_buffer(has_text ? strlen(answer->text) : 0, has_text ? answer->text : none,
                                      has_text ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
  if (!response) {
    free(answer->text);
    return MHD_NO;
  }
  snprintf(seconds, sizeof seconds, "%u", answer->retry_after);
  const bool is_whole = add_header(response, "Content-Type", answer->type ? answer->type : "application/json") &&
                        add_header(response, "Cache-Control", "no-store") &&
                        add_header(response, "X-Content-Type-Options", "nosniff") &&
                        add_header(response, "Retry-After", answer->retry_after ? seconds : NULL) &&
                        add_header(response, "Allow", answer->allow) &&
                        add_header(response, "Location", answer->location[0] ? answer->location : NULL) &&
                        add_header(response, "WWW-Authenticate", answer->code == 401 ? "Bearer" : NULL) &&
                        add_header(response, "Connection", closes ? "close" : NULL);
  serve_client_restart(r->client);
  const enum MHD_Result result = is_whole ? MHD_queue_response(r->connection, answer->code, response) : MHD_NO;
  MHD_destroy_response(response);
  return result;
}

/* ---- Beginning of a request -------------------------------------------------------------------------------------- */

/* A page in a browser can send requests to this machine. It cannot know the token; where there is none, its Origin
 * header, or the Host by which it addresses this machine, gives it away. */
static bool is_from_a_page(const serve_request *r) {
  static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
  const char *host = serve_header(r, "Host");
  if (serve_header(r, "Origin")) return 1;
  if (!host) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t n = strlen(names[i]);
    if (strncasecmp(host, names[i], n) == 0 && (host[n] == '\0' || host[n] == ':')) return 0;
  }
  return strncmp(host, "127.", 4) != 0 || host[strspn(host, "0123456789.:")] != '\0';
}

static serve_answer authorise(serve_request *r) {
  serve *service = r->service;
  if (!service->token.is_set && is_from_a_page(r))
    return serve_refuse(403, RP_ERR_ARGUMENT, "without a token, requests of pages and for other hosts are refused");
  if (r->route && r->route->is_open) return (serve_answer){0};
  if (serve_token_fits(&service->token, serve_header(r, "Authorization"))) return (serve_answer){0};
  pthread_mutex_lock(&service->lock);
  service->queue.counts.refused_token++;
  pthread_mutex_unlock(&service->lock);
  return serve_refuse(401, RP_ERR_ARGUMENT, "this needs a header Authorization: Bearer TOKEN, with the right one");
}

static serve_answer too_large(const serve *service) {
  return serve_refuse(413, RP_ERR_BUDGET, "a body may have at most %llu bytes (--body-bytes)",
                      (unsigned long long)service->options->body_bytes);
}

static serve_answer no_room(serve *service) {
  serve_answer answer = serve_refuse(
      429, RP_ERR_BUSY, "the bodies of other requests take all the memory that they may (--witness-bytes)");
  pthread_mutex_lock(&service->lock);
  service->queue.counts.refused_memory++;
  answer.retry_after = serve_queue_retry_after(&service->queue, service->n_workers);
  pthread_mutex_unlock(&service->lock);
  return answer;
}

/* `bytes`: what the client says that the body has; 0: nothing. */
static serve_answer accept_body(serve_request *r, uint64_t bytes, bool has_body) {
  serve *service = r->service;
  if (has_body && !r->route->takes_body) return serve_refuse(400, RP_ERR_ARGUMENT, "this request has no body");
  if (serve_header(r, "Content-Encoding")) return serve_refuse(415, RP_ERR_UNSUPPORTED, "bodies must not be encoded");
  if (bytes > service->options->body_bytes) return too_large(service);
  if (!serve_body_reserve(&r->body, &service->budget, bytes)) return no_room(service);
  return (serve_answer){0};
}

static serve_client *client_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static enum MHD_Result begin(serve *service, struct MHD_Connection *connection, const char *url, const char *method,
                             void **state) {
  serve_client *client = client_of(connection);
  serve_request *r = client ? calloc(1, sizeof *r) : NULL;
  if (!r) return MHD_NO;
  *state = r;
  r->service = service;
  r->connection = connection;
  r->client = client;
  pthread_mutex_lock(&service->lock);
  service->clients.n_requests++;
  pthread_mutex_unlock(&service->lock);
  const char *length = serve_header(r, "Content-Length"), *coding = serve_header(r, "Transfer-Encoding");
  errno = 0;
  const unsigned long long bytes = length ? strtoull(length, NULL, 10) : 0; /* libmicrohttpd has checked it */
  serve_answer refusal = serve_find_route(r, method, url);
  serve_answer unknown = authorise(r);
  if (unknown.code) { /* a client without permission learns nothing else */
    free(refusal.text);
    refusal = unknown;
  }
  if (!refusal.code) refusal = accept_body(r, errno ? UINT64_MAX : bytes, bytes != 0 || coding);
  r->refusal = refusal;
  if (!refusal.code || (bytes <= SWALLOWED_BYTES && !coding)) return MHD_YES;
  r->refusal.text = NULL;
  return send_answer(r, &refusal, 1);
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

/* The bytes are in memory of libmicrohttpd, which does not wipe it. */
static void receive(serve_request *r, const char *data, size_t bytes) {
  serve *service = r->service;
  r->body_bytes += bytes;
  atomic_fetch_add(&r->client->received, bytes);
  if (!r->refusal.code && r->body_bytes > service->options->body_bytes) r->refusal = too_large(service);
  if (!r->refusal.code && !serve_body_add(&r->body, &service->budget, data, bytes)) r->refusal = no_room(service);
  if (r->refusal.code) serve_body_free(&r->body);
  explicit_bzero((void *)(uintptr_t)data, bytes);
}

/* ---- Waiting for a job ------------------------------------------------------------------------------------------- */

static void wake(serve_waiter *waiter) {
  serve_request *r = (serve_request *)(void *)waiter;
  r->client->is_waiting = 0;
  r->client->job = NULL;
  serve_client_restart(r->client);
  MHD_resume_connection(r->connection);
}

static enum MHD_Result answer_of_job(serve_request *r) {
  serve_answer answer = {0};
  pthread_mutex_lock(&r->service->lock);
  if (r->job->state == SERVE_ENDED) {
    answer = serve_job_answer(r->job);
  } else {
    r->waiter.wake = wake;
    r->waiter.next = r->job->waiters;
    r->job->waiters = &r->waiter;
    r->client->job = r->job->is_listed ? NULL : r->job; /* the client may come back for a listed job */
    r->client->is_waiting = 1;
    MHD_suspend_connection(r->connection);
  }
  pthread_mutex_unlock(&r->service->lock);
  return answer.code ? send_answer(r, &answer, 0) : MHD_YES;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *data, size_t *bytes, void **state) {
  serve_request *r = *state;
  (void)version;
  if (!r) return begin(cls, connection, url, method, state);
  if (*bytes) {
    receive(r, data, *bytes);
    *bytes = 0;
    return MHD_YES;
  }
  if (r->job) return answer_of_job(r);
  serve_answer answer = r->refusal.code ? r->refusal : r->route->run(r);
  r->refusal.text = NULL;
  return answer.code ? send_answer(r, &answer, 0) : answer_of_job(r);
}

static void on_completed(void *cls, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode why) {
  serve *service = cls;
  serve_request *r = *state;
  (void)connection, (void)why;
  if (!r) return;
  pthread_mutex_lock(&service->lock);
  service->clients.n_requests--;
  serve_job_release(r->job);
  pthread_mutex_unlock(&service->lock);
  serve_client_restart(r->client);
  serve_body_free(&r->body);
  free(r->refusal.text);
  free(r);
  *state = NULL;
}

/* ---- Connections ------------------------------------------------------------------------------------------------- */

static void on_connection(void *cls, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what) {
  serve *service = cls;
  pthread_mutex_lock(&service->lock);
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *context = info ? serve_client_add(&service->clients, info->connect_fd) : NULL;
  } else if (*context) {
    serve_client_remove(&service->clients, *context);
    *context = NULL;
  }
  pthread_mutex_unlock(&service->lock);
}

/* A NUL would end a text for one reader and not for another; it stays written as %00, which no name contains. */
static size_t unescape(void *cls, struct MHD_Connection *connection, char *text) {
  (void)cls, (void)connection;
  return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

struct MHD_Daemon *serve_daemon(serve *service, int fd) {
  const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
  const serve_options *o = service->options;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, on_request, service, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED,
      on_completed, service, MHD_OPTION_NOTIFY_CONNECTION, on_connection, service, MHD_OPTION_CONNECTION_LIMIT,
      o->connections, MHD_OPTION_CONNECTION_TIMEOUT, o->timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 << 10),
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL, MHD_OPTION_END);
}
