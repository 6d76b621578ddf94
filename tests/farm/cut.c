/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A network that can be cut: forwards connections from a port of the loopback device to a Unix socket.
 *   cut SOCKET          prints the port
 * SIGUSR1 stops all data without closing connections, as when a cable is pulled. SIGHUP lets data pass again. SIGUSR2
 * closes all connections at once. A line is printed after each signal; the next one may be sent only after that line.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 256 };

static volatile sig_atomic_t asked;
static int is_cut;
static int ends[MOST][2];
static int n_pairs;

static void take(int number) { asked = number; }

static void drop(int i) {
  close(ends[i][0]);
  close(ends[i][1]);
  n_pairs--;
  ends[i][0] = ends[n_pairs][0];
  ends[i][1] = ends[n_pairs][1];
}

static int listen_on_any_port(void) {
  struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof any;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&any, length) != 0 || listen(fd, 64) != 0 ||
      getsockname(fd, (struct sockaddr *)&any, &length) != 0)
    return -1;
  printf("%d\n", ntohs(any.sin_port));
  fflush(stdout);
  return fd;
}

static void connect_one(int listening, const char *path) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  const int here = accept(listening, NULL, NULL);
  if (here < 0) return;
  snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
  const int there = socket(AF_UNIX, SOCK_STREAM, 0);
  if (n_pairs == MOST || there < 0 || connect(there, (struct sockaddr *)&to, sizeof to) != 0) {
    close(here);
    if (there >= 0) close(there);
    return;
  }
  ends[n_pairs][0] = here;
  ends[n_pairs++][1] = there;
}

/* Forwards what has arrived. Returns 0 if one end is closed. */
static int pass(int from, int to) {
  char block[65536];
  const ssize_t n = read(from, block, sizeof block);
  for (ssize_t at = 0, m; at < n; at += m)
    if ((m = write(to, block + at, (size_t)(n - at))) <= 0) return 0;
  return n > 0;
}

static void follow(int number) {
  if (number == SIGUSR2)
    while (n_pairs) drop(0);
  else
    is_cut = number == SIGUSR1;
  printf("%s\n", number == SIGUSR2 ? "closed" : is_cut ? "cut" : "passes");
  fflush(stdout);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGUSR1, take);
  signal(SIGUSR2, take);
  signal(SIGHUP, take);
  const int listening = argc == 2 ? listen_on_any_port() : -1;
  if (listening < 0) return 1;
  for (;;) {
    if (asked) {
      const int number = asked;
      asked = 0;
      follow(number);
    }
    struct pollfd fds[2 * MOST + 1] = {{.fd = listening, .events = POLLIN}};
    for (int i = 0; i < n_pairs; i++)
      for (int end = 0; end < 2; end++) fds[1 + 2 * i + end] = (struct pollfd){.fd = ends[i][end], .events = POLLIN};
    const int n = n_pairs, ready = is_cut ? poll(NULL, 0, 20) : poll(fds, (nfds_t)(1 + 2 * n), 20);
    if (ready <= 0) continue;
    for (int i = n - 1; i >= 0; i--)
      for (int end = 0; end < 2; end++)
        if (fds[1 + 2 * i + end].revents && !pass(ends[i][end], ends[i][1 - end])) {
          drop(i);
          break;
        }
    if (fds[0].revents) connect_one(listening, argv[1]);
  }
}
