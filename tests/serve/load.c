/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: serve_load PORT PATH BODY CONNECTIONS REQUESTS
 * Sends a file REQUESTS times to a service on this machine, over connections that stay open, each with one request at
 * a time. Prints how many were answered with 200, and the time of all, as JSON. It uses no library for HTTP, so that it
 * takes next to no processor time itself.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in address;
static const char *path;
static char *body;
static size_t body_bytes;
static atomic_int left, n_good, n_bad;

static int send_all(int fd, const char *data, size_t n) {
  while (n) {
    const ssize_t sent = send(fd, data, n, MSG_NOSIGNAL);
    if (sent <= 0) return 0;
    data += sent;
    n -= (size_t)sent;
  }
  return 1;
}

/* Reads one answer with a Content-Length; its code, or 0. */
static int read_answer(int fd) {
  static _Thread_local char text[64 << 10];
  size_t have = 0, want = 0;
  int code = 0;
  for (;;) {
    const ssize_t n = recv(fd, text + have, sizeof text - 1 - have, 0);
    if (n <= 0) return 0;
    have += (size_t)n;
    text[have] = '\0';
    const char *end = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "\r\nContent-Length:");
    if (end && !want && length && sscanf(text, "HTTP/1.1 %d", &code) == 1)
      want = (size_t)(end + 4 - text) + strtoul(length + 17, NULL, 10);
    if (want && have >= want) return code;
    if (have + 1 >= sizeof text) return 0;
  }
}

static void *run(void *arg) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  char head[512];
  (void)arg;
  const int n = snprintf(head, sizeof head, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %zu\r\n\r\n", path,
                         body_bytes);
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0 ||
      connect(fd, (const struct sockaddr *)&address, sizeof address) != 0)
    return NULL;
  while (atomic_fetch_sub(&left, 1) > 0) {
    if (!send_all(fd, head, (size_t)n) || !send_all(fd, body, body_bytes)) break;
    const int code = read_answer(fd);
    atomic_fetch_add(code == 200 ? &n_good : &n_bad, 1);
    if (code == 0) break;
  }
  (void)close(fd);
  return NULL;
}

static int read_body(const char *file) {
  FILE *f = fopen(file, "rb");
  if (!f || fseek(f, 0, SEEK_END) != 0) return 0;
  body_bytes = (size_t)ftell(f);
  body = malloc(body_bytes);
  rewind(f);
  const int is_read = body && fread(body, 1, body_bytes, f) == body_bytes;
  (void)fclose(f);
  return is_read;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  pthread_t threads[256];
  if (argc != 6 || !read_body(argv[3])) return 2;
  address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  path = argv[2];
  const int n = atoi(argv[4]);
  atomic_store(&left, atoi(argv[5]));
  if (n < 1 || n > 256) return 2;
  const double begin = now();
  for (int i = 0; i < n; i++)
    if (pthread_create(&threads[i], NULL, run, NULL) != 0) return 2;
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
  const double seconds = now() - begin;
  printf("{\"good\": %d, \"bad\": %d, \"seconds\": %.6f, \"per_second\": %.3f}\n", atomic_load(&n_good),
         atomic_load(&n_bad), seconds, atomic_load(&n_good) / seconds);
  return atomic_load(&n_bad) != 0;
}
