/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The socket that listens.
 */
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} address;

static rp_status refuse(rp_error *err, rp_status status, const char *format, const char *text) {
  snprintf(err->reason, sizeof err->reason, format, text);
  return err->status = status;
}

/* ADDRESS:PORT, [ADDRESS]:PORT for IPv6. Names are not accepted, because a name may have several addresses. */
static bool parse(const char *text, address *a, socklen_t *bytes) {
  char host[64] = "";
  const char *colon = strrchr(text, ':');
  char *end = NULL;
  *a = (address){0};
  if (!colon || !colon[1] || (size_t)(colon - text) >= sizeof host) return 0;
  const unsigned long port = strtoul(colon + 1, &end, 10);
  if (*end || port > 65535) return 0;
  memcpy(host, text, (size_t)(colon - text));
  const size_t n = strlen(host);
  if (host[0] == '[' && n > 2 && host[n - 1] == ']') {
    host[n - 1] = '\0';
    a->v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    *bytes = sizeof a->v6;
    return inet_pton(AF_INET6, host + 1, &a->v6.sin6_addr) == 1;
  }
  a->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  *bytes = sizeof a->v4;
  return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &a->v4.sin_addr) == 1;
}

static bool is_loopback(const address *a) {
  return a->any.sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr)
                                      : ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
}

static void print_address(const address *a, char *text, size_t room) {
  char host[INET6_ADDRSTRLEN] = "";
  const bool is_v6 = a->any.sa_family == AF_INET6;
  const void *at = is_v6 ? (const void *)&a->v6.sin6_addr : &a->v4.sin_addr;
  if (!inet_ntop(a->any.sa_family, at, host, sizeof host)) host[0] = '\0';
  snprintf(text, room, is_v6 ? "[%s]:%d" : "%s:%d", host, ntohs(is_v6 ? a->v6.sin6_port : a->v4.sin_port));
}

static int open_socket(const address *a, socklen_t bytes) {
  const int one = 1, fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 && bind(fd, &a->any, bytes) == 0 &&
      listen(fd, SOMAXCONN) == 0)
    return fd;
  const int why = errno;
  (void)close(fd); /* nothing was written */
  errno = why;
  return -1;
}

rp_status serve_server_begin(serve *service, serve_server *server, rp_error *err) {
  const char *text = service->options->listen;
  address a;
  socklen_t bytes = 0;
  *server = (serve_server){.fd = -1};
  if (!parse(text, &a, &bytes))
    return refuse(err, RP_ERR_ARGUMENT,
                  "--listen must be ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:0, not \"%.100s\"", text);
  if (!is_loopback(&a) && !service->token.is_set)
    return refuse(err, RP_ERR_ARGUMENT, "%.100s can be reached by others: give a token (--token-file)", text);
  server->fd = open_socket(&a, bytes);
  if (server->fd < 0) {
    snprintf(err->reason, sizeof err->reason, "%.100s: %s", text, strerror(errno));
    return err->status = RP_ERR_UNAVAILABLE;
  }
  bytes = sizeof a;
  if (getsockname(server->fd, &a.any, &bytes) == 0) print_address(&a, server->address, sizeof server->address);
  server->daemon = serve_daemon(service, server->fd);
  if (server->daemon) return RP_OK;
  (void)close(server->fd); /* nothing was written */
  server->fd = -1;
  return refuse(err, RP_ERR_UNAVAILABLE, "%s: libmicrohttpd does not start", text);
}

void serve_server_quiesce(serve_server *server) {
  if (!server->daemon) return;
  server->fd = MHD_quiesce_daemon(server->daemon);
  if (server->fd >= 0) (void)close(server->fd); /* nothing was written */
  server->fd = -1;
}

void serve_server_end(serve_server *server) {
  if (server->daemon) MHD_stop_daemon(server->daemon);
  *server = (serve_server){.fd = -1};
}
