/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "clients.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

serve_client *serve_client_add(serve_clients *c, int fd) {
  serve_client *client = calloc(1, sizeof *client);
  if (!client) return NULL;
  client->fd = fd;
  client->next = c->all;
  c->all = client;
  c->n++;
  serve_client_restart(client);
  return client;
}

void serve_client_remove(serve_clients *c, serve_client *client) {
  serve_client **at = &c->all;
  while (*at != client) at = &(*at)->next;
  *at = client->next;
  c->n--;
  free(client);
}

void serve_client_restart(serve_client *client) {
  atomic_store(&client->received, 0);
  atomic_store(&client->since_ns, cli_now_ns());
}

static bool is_late(const serve_clients *c, serve_client *client, uint64_t now) {
  const uint64_t earned = atomic_load(&client->received) / SERVE_BYTES_PER_SECOND * 1000000000u;
  return now > atomic_load(&client->since_ns) + c->timeout_ns + earned;
}

static bool is_gone(const serve_client *client) {
  struct pollfd at = {.fd = client->fd, .events = POLLRDHUP};
  return poll(&at, 1, 0) > 0 && at.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

void serve_clients_tick(serve_clients *c, serve_queue *queue, uint64_t now) {
  serve_client *gone = NULL;
  for (serve_client *client = c->all; client; client = client->next) {
    if (!client->is_waiting && is_late(c, client, now)) {
      (void)shutdown(client->fd, SHUT_RDWR); /* it does no harm if the client has closed it in the meantime */
      serve_client_restart(client);
      c->n_timeouts++;
    }
    if (client->is_waiting && client->job && is_gone(client)) gone = client;
  }
  if (!gone) return;
  c->n_gone++;
  serve_job *job = gone->job;
  gone->job = NULL;
  serve_queue_cancel(queue, job, 499, "the client has gone");
}
