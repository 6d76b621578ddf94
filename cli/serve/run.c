/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise serve: from the first key to the last answer.
 */
#include "http.h"

#include <reprise/host.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const uint64_t second = 1000000000u;
enum { TICK_MS = 50, MOST_WORKERS = 4096 };

static int signal_fd = -1; /* an eventfd; the signal handler writes to it */

static void on_signal(int number) {
  const uint64_t one = 1;
  (void)number;
  (void)!write(signal_fd, &one, sizeof one); /* the counter never overflows */
}

static void log_skipped(void *user, const char *reason) { serve_log(user, "left out: %s", reason); }

static rp_status open_service(serve *s, rp_error *err) {
  const serve_options *o = s->options;
  const cli_resident_options resident = {
      .most = o->resident, .max_in_flight = o->in_flight, .most_bytes = s->call->memory_bytes, .is_pooled = 1};
  s->keys.folder = s->call->args[0];
  s->queue.most_waiting = o->queue;
  s->queue.patience_ns = o->patience * second;
  s->clients.timeout_ns = o->timeout * second;
  s->budget.most = o->witness_bytes;
  s->begin_ns = cli_now_ns();
  rp_status status = serve_token_read(o->token_file, &s->token, err);
  if (status == RP_OK) status = err->status = rp_random_bytes(s->salt, sizeof s->salt);
  if (status == RP_OK) status = serve_keys_scan(&s->keys, log_skipped, s, err);
  if (status == RP_OK) status = cli_residents_open(s->call, &resident, &s->residents, err);
  if (status != RP_OK) return status;
  rp_pool_info pool = {.struct_size = sizeof pool};
  rp_pool_get_info(cli_residents_device(s->residents)->pool, &pool);
  s->n_workers = pool.n_devices * pool.max_in_flight;
  return RP_OK;
}

static bool begin_workers(serve *s, pthread_t *workers) {
  for (unsigned i = 0; i < s->n_workers; i++)
    if (pthread_create(&workers[i], NULL, serve_worker, s) != 0) {
      s->n_workers = i;
      return i > 0;
    }
  return 1;
}

/* Waits for a signal, at most for this time; true if there was one. */
static bool wait_for_signal(int milliseconds) {
  struct pollfd at = {.fd = signal_fd, .events = POLLIN};
  uint64_t n;
  if (poll(&at, 1, milliseconds) <= 0) return 0;
  return read(signal_fd, &n, sizeof n) == sizeof n;
}

static void tick(serve *s) {
  const uint64_t now = cli_now_ns();
  pthread_mutex_lock(&s->lock);
  serve_queue_tick(&s->queue, now);
  serve_clients_tick(&s->clients, &s->queue, now);
  pthread_mutex_unlock(&s->lock);
}

/* Jobs, or requests, that are left. */
static unsigned count_left(serve *s, bool of_requests) {
  pthread_mutex_lock(&s->lock);
  const unsigned n = of_requests ? s->clients.n_requests : s->queue.n_waiting + s->queue.n_running;
  pthread_mutex_unlock(&s->lock);
  return n;
}

static void refuse_waiting(serve *s) {
  pthread_mutex_lock(&s->lock);
  serve_queue_cancel_waiting(&s->queue, 503, "the service stopped before this job began");
  pthread_mutex_unlock(&s->lock);
}

/* Finishes the jobs: running ones in any case, waiting ones until the grace is over or another signal arrives. Then
 * gives clients time to take their answers. */
static void stop(serve *s, serve_server *server) {
  const uint64_t begin = cli_now_ns();
  pthread_mutex_lock(&s->lock);
  s->queue.is_stopping = 1;
  pthread_mutex_unlock(&s->lock);
  serve_log(s, "stopping: %u jobs are left", count_left(s, 0));
  serve_server_quiesce(server);
  for (bool is_over = 0; count_left(s, 0); tick(s)) {
    is_over |= cli_now_ns() - begin >= s->options->grace * second;
    if (is_over) refuse_waiting(s);
    is_over |= wait_for_signal(TICK_MS / 5);
  }
  for (const uint64_t since = cli_now_ns(); count_left(s, 1) && cli_now_ns() - since < 2 * second; tick(s))
    (void)wait_for_signal(TICK_MS / 5); /* no job is left that could be ended earlier */
}

static rp_status run_workers(serve *s, serve_server *server, rp_error *err) {
  pthread_t *workers = calloc(MOST_WORKERS, sizeof *workers);
  if (!workers) return err->status = RP_ERR_MEMORY;
  if (s->n_workers > MOST_WORKERS) s->n_workers = MOST_WORKERS;
  rp_status status = begin_workers(s, workers) ? serve_server_begin(s, server, err) : (err->status = RP_ERR_MEMORY);
  if (status == RP_OK) {
    printf(s->call->json ? "{\"address\": \"http://%s\"}\n" : "http://%s\n", server->address);
    (void)fflush(stdout); /* cli_finish reports it */
    while (!wait_for_signal(TICK_MS)) tick(s);
    stop(s, server);
    serve_server_end(server);
  }
  pthread_mutex_lock(&s->lock);
  s->queue.has_ended = 1;
  pthread_cond_broadcast(&s->queue.changed);
  pthread_mutex_unlock(&s->lock);
  for (unsigned i = 0; i < s->n_workers; i++) pthread_join(workers[i], NULL);
  free(workers);
  return status;
}

static void close_service(serve *s) {
  serve_job_release(s->input);
  serve_queue_close(&s->queue);
  cli_residents_close(s->residents);
  serve_keys_close(&s->keys);
  pthread_cond_destroy(&s->queue.changed);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

cli_exit serve_run(const cli_call *call) {
  rp_error err = {0};
  serve_server server = {.fd = -1};
  serve *s = calloc(1, sizeof *s);
  if (!s) return cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  s->call = call;
  s->options = call->options;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->queue.changed, NULL);
  signal_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  rp_status status = signal_fd < 0 ? (err.status = RP_ERR_MEMORY) : RP_OK;
  signal(SIGTERM, on_signal);
  signal(SIGINT, on_signal);
  if (status == RP_OK) status = open_service(s, &err);
  if (status == RP_OK) status = run_workers(s, &server, &err);
  if (status == RP_OK) serve_log(s, "stopped");
  close_service(s);
  if (status == RP_ERR_ARGUMENT) return cli_refuse(call, CLI_USAGE, "%s", err.reason);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}
