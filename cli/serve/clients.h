/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The connections, and how long each may take: a client that sends its request, or takes its answer, too slowly is
 * disconnected, however regularly it sends a byte. One that has gone away while it waited no longer needs its job.
 */
#ifndef REPRISE_SERVE_CLIENTS_H
#define REPRISE_SERVE_CLIENTS_H

#include "queue.h"

/* In addition to the timeout, at least this many bytes of a request must arrive per second. */
enum { SERVE_BYTES_PER_SECOND = 64 << 10 };

typedef struct serve_client {
  struct serve_client *next;
  int fd;
  bool is_waiting; /* for a job: the client waits for the service */
  serve_job *job;  /* cancelled if the client goes away; NULL: none */
  _Atomic uint64_t since_ns, received;
} serve_client;

typedef struct serve_clients {
  serve_client *all;
  unsigned n, n_requests; /* connections; requests that have not been answered completely */
  uint64_t timeout_ns;
  uint64_t n_timeouts, n_gone;
} serve_clients;

/* With the lock held. NULL when out of memory. */
serve_client *serve_client_add(serve_clients *clients, int fd);
void serve_client_remove(serve_clients *clients, serve_client *client);
/* From now on, the service waits for the client. */
void serve_client_restart(serve_client *client);
/* With the lock held: disconnects clients that are too slow, and cancels the jobs of clients that have gone. */
void serve_clients_tick(serve_clients *clients, serve_queue *queue, uint64_t now);

#endif
