/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Requests and answers over libmicrohttpd.
 */
#ifndef REPRISE_SERVE_HTTP_H
#define REPRISE_SERVE_HTTP_H

#include "answer.h"
#include "service.h"

#include <microhttpd.h>

struct serve_route;

typedef struct serve_request {
  serve_waiter waiter; /* must be first */
  serve *service;
  struct MHD_Connection *connection;
  serve_client *client;
  const struct serve_route *route;
  char rest[SERVE_NAME]; /* what follows the path of the route */
  serve_body body;
  uint64_t body_bytes;  /* received, also of a body that is not kept */
  serve_answer refusal; /* code not 0: the body is not kept, and this is the answer */
  serve_job *job;       /* its end gives the answer */
} serve_request;

typedef struct serve_server {
  struct MHD_Daemon *daemon;
  int fd;           /* the socket that listens */
  char address[80]; /* "127.0.0.1:8080" */
} serve_server;
/* Listens where the options say. Without a token only on loopback addresses: RP_ERR_ARGUMENT. */
rp_status serve_server_begin(serve *service, serve_server *server, rp_error *err);
/* Accepts no new connections. */
void serve_server_quiesce(serve_server *server);
/* No job may be left when this is called. */
void serve_server_end(serve_server *server);

/* The daemon alone, over a socket that listens (http.c). */
struct MHD_Daemon *serve_daemon(serve *service, int fd);

/* ---- Requests (requests.c) --------------------------------------------------------------------------------------- */

/* An argument of the query, or a header; NULL: none. */
const char *serve_argument(const serve_request *request, const char *name);
const char *serve_header(const serve_request *request, const char *name);
/* Makes a job of a request's body; `request->job` is set unless the answer has a code. */
serve_answer serve_submit(serve_request *request, serve_job *job);
/* The key with this name, or (NULL) the only one, with a reference; otherwise *answer says that there is none. */
serve_key *serve_key_of(serve *service, const char *name, serve_answer *answer);

/* ---- Routes (routes.c) ------------------------------------------------------------------------------------------- */

typedef struct serve_route {
  const char *method, *path; /* a path that ends with '/' is followed by one more name */
  /* Returns the answer; or sets the request's job and returns an answer with code 0. */
  serve_answer (*run)(serve_request *request);
  bool is_open;    /* needs no token */
  bool takes_body; /* otherwise a body is refused */
} serve_route;
/* Sets the request's route, or returns the answer that there is none. */
serve_answer serve_find_route(serve_request *request, const char *method, const char *url);

/* The three routes of rapidsnark's server (rapidsnark.c). GET /status is shared. */
serve_answer serve_post_input(serve_request *request);
serve_answer serve_post_cancel(serve_request *request);
serve_answer serve_get_status(serve_request *request);

#endif
