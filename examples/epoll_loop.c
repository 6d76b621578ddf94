/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Runs in a program that waits in epoll: a recording has two run slots, and an eventfd tells when a run is finished,
 * beside a timer that stands for whatever else the program does. Prints the squares of 1 + i x for i from 1 to 6. With
 * libuv, watch the eventfd with uv_poll_start; with tokio, with AsyncFd; in Go, read it in a goroutine. */

#include <reprise/host_program.h>
#include <reprise/ops.h>
#include <reprise/page.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { N = 4, RUNS = 6, SLOTS = 2 };

typedef struct program {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording;
  rp_value x, square;
  rp_run *runs[RUNS]; /* NULL: not begun, or taken */
  int submitted, finished;
} program;

static rp_status record(program *p, rp_error *err) {
  const rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS};
  const rp_ntt_options back = {.struct_size = sizeof back, .root = RP_ROOT_SNARKJS, .inverse = 1};
  const rp_record_options slots = {.struct_size = sizeof slots, .max_in_flight = SLOTS};
  rp_status status = rp_context_create(NULL, &p->context, err);
  if (status == RP_OK) status = rp_device_open(p->context, NULL, &p->device, err);
  if (status == RP_OK) status = rp_graph_create(p->context, "square", &p->graph, err);
  if (status != RP_OK) return status;
  p->x = rp_graph_input(p->graph, "x", &RP_TYPE_U256, N, 0);
  rp_scope_begin(p->graph, "square");
  rp_scope_title(p->graph, "Square: %d coefficients", N);
  const rp_value values = rp_ntt(p->graph, rp_from_canonical(p->graph, p->x, RP_FIELD_BN254_FR, NULL), &there);
  p->square = rp_to_canonical(p->graph, rp_ntt(p->graph, rp_mul(p->graph, values, values), &back));
  rp_graph_output(p->graph, "square", p->square, 0);
  rp_scope_end(p->graph);
  return rp_record(p->device, p->graph, &slots, &p->recording, err);
}

/* Submits as many runs as there are slots. The eventfd counts those that are finished. */
static rp_status submit(program *p, int fd, rp_error *err) {
  while (p->submitted < RUNS) {
    const uint8_t x[N][32] = {{1}, {(uint8_t)(p->submitted + 1)}};
    const rp_submit_options tell = {.struct_size = sizeof tell, .done_fd = fd};
    rp_run *run;
    rp_status status = rp_run_begin(p->recording, 0, &run, err);
    if (status == RP_ERR_BUSY) return RP_OK;
    if (status != RP_OK) return status;
    p->runs[p->submitted++] = run;
    status = rp_run_set_input(run, p->x, x, sizeof x);
    if (status == RP_OK) status = rp_run_submit_with(run, &tell);
    if (status != RP_OK) return *err = *rp_run_error(run), status;
  }
  return RP_OK;
}

/* Takes the results of finished runs. */
static rp_status take(program *p, rp_error *err) {
  for (int i = 0; i < p->submitted; i++) {
    const rp_status status = p->runs[i] ? rp_run_poll(p->runs[i]) : RP_ERR_TIMEOUT;
    if (status == RP_ERR_TIMEOUT) continue;
    if (status != RP_OK) return *err = *rp_run_error(p->runs[i]), status;
    const uint8_t *square = rp_run_output(p->runs[i], p->square);
    printf("(1 + %d x)^2 = %d + %d x + %d x^2\n", i + 1, square[0], square[32], square[64]);
    rp_run_end(p->runs[i]);
    p->runs[i] = NULL;
    p->finished++;
  }
  return RP_OK;
}

static rp_status loop(program *p, int epoll, int done, rp_error *err) {
  rp_status status = submit(p, done, err);
  while (status == RP_OK && p->finished < RUNS) {
    struct epoll_event event;
    uint64_t count;
    if (epoll_wait(epoll, &event, 1, -1) != 1 || read(event.data.fd, &count, sizeof count) != sizeof count) continue;
    if (event.data.fd != done) continue; /* the timer: something else that the program does */
    status = take(p, err);
    if (status == RP_OK) status = submit(p, done, err);
  }
  return status;
}

int main(int argc, char **argv) {
  program p = {.context = NULL};
  rp_error err = {0};
  const int epoll = epoll_create1(EPOLL_CLOEXEC), done = eventfd(0, EFD_CLOEXEC);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const struct itimerspec often = {.it_interval.tv_nsec = 1000000, .it_value.tv_nsec = 1000000};
  bool ok = epoll >= 0 && done >= 0 && timer >= 0 && timerfd_settime(timer, 0, &often, NULL) == 0;
  for (int i = 0; i < 2 && ok; i++) {
    struct epoll_event e = {.events = EPOLLIN, .data.fd = i ? timer : done};
    ok = epoll_ctl(epoll, EPOLL_CTL_ADD, e.data.fd, &e) == 0;
  }
  ok = ok && record(&p, &err) == RP_OK && loop(&p, epoll, done, &err) == RP_OK;
  const rp_view_source view = {.struct_size = sizeof view, .recording = p.recording};
  if (ok && argc > 1) ok = rp_view_write(&view, argv[1], &err) == RP_OK; /* the graph as a page */
  if (!ok) fprintf(stderr, "%s\n", *err.reason ? err.reason : "the loop could not be set up");
  for (int i = 0; i < RUNS; i++) rp_run_end(p.runs[i]); /* before the descriptor that they write to is closed */
  rp_recording_destroy(p.recording);
  rp_graph_destroy(p.graph);
  rp_device_close(p.device);
  rp_context_destroy(p.context);
  close(timer), close(done), close(epoll);
  return !ok;
}
