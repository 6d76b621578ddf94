/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Proofs in a program that must not wait: event_loop circuit.zkey a.wtns b.wtns ... submits as many as the prover
 * takes, and its loop is woken through a pipe when one is finished. With libuv, uv_async_send takes the place of the
 * pipe; with tokio, an eventfd; in Go, a channel. A last argument such as run.html is the name of a page
 * of the graph to write. */

#include <reprise/graphs.h>
#include <reprise/page.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The last argument may name a page to be written. */
static const char *page_of(int argc, char **argv) {
  const char *end = strrchr(argv[argc - 1], '.');
  return argc > 3 && end && strcmp(end, ".wtns") != 0 ? argv[argc - 1] : NULL;
}

/* Called by a thread of the prover; only sends the message that this task is finished. */
static void tell(void *user, rp_groth16_task *task) {
  const int *end = user;
  if (write(*end, &task, sizeof task) != sizeof task) perror("write");
}

static bool take(rp_groth16_task *task, rp_groth16_task **tasks) {
  rp_error err = {0};
  rp_groth16_proof proof;
  const rp_status status = rp_groth16_result(task, &proof, NULL, NULL, &err);
  puts(status == RP_OK ? "proved and verified" : err.reason);
  while (*tasks != task) tasks++;
  *tasks = NULL;
  rp_groth16_end(task);
  return status != RP_OK;
}

/* Submits as many witnesses as the prover takes; returns how many these were, -1 on an error. */
static int submit(rp_groth16_prover *prover, char **paths, rp_groth16_task **tasks, int n, int *end, rp_error *err) {
  int i = 0;
  for (; i < n; i++) {
    const rp_groth16_request request = {
        .struct_size = sizeof request, .wtns_path = paths[i], .done = tell, .user = end};
    const rp_status status = rp_groth16_submit(prover, &request, 0, &tasks[i], err);
    if (status == RP_ERR_BUSY) break;
    if (status != RP_OK) return -1;
  }
  return i;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: event_loop circuit.zkey witness.wtns ... [page]\n"), 2;
  const char *page = page_of(argc, argv);
  const int n = argc - (page ? 3 : 2);
  rp_groth16_task **tasks = calloc((size_t)n, sizeof *tasks); /* NULL: not begun, or taken */
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .max_in_flight = 2};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_error err = {0};
  int ends[2] = {-1, -1}, failed = pipe(ends), submitted = 0, finished = 0;
  if (!failed && tasks && rp_context_create(NULL, &context, &err) == RP_OK &&
      rp_device_open(context, NULL, &device, &err) == RP_OK &&
      rp_groth16_key_open(context, argv[1], NULL, &key, &err) == RP_OK &&
      rp_groth16_prover_create(device, key, &options, &prover, &err) == RP_OK) {
    while (finished < n) {
      const int more = submit(prover, argv + 2 + submitted, tasks + submitted, n - submitted, &ends[1], &err);
      if (more < 0) break;
      submitted += more;
      struct pollfd events[] = {{.fd = ends[0], .events = POLLIN}}; /* and whatever else the program waits for */
      rp_groth16_task *task;
      if (poll(events, 1, -1) < 0 || read(ends[0], &task, sizeof task) != sizeof task) break;
      failed |= take(task, tasks);
      finished++;
    }
  }
  const rp_view_source view = {.struct_size = sizeof view, .recording = rp_groth16_prover_recording(prover)};
  if (page && finished == n && rp_view_write(&view, page, &err) != RP_OK)
    failed = 1, fprintf(stderr, "%s\n", err.reason);
  /* After an early exit tasks may still be under way: they are ended before the pipe that `tell` writes to is
   * closed. */
  for (int i = 0; tasks && i < n; i++)
    if (tasks[i]) rp_groth16_end(tasks[i]);
  if (finished < n)
    failed = 1, fprintf(stderr, "%d of %d: %s\n", finished, n, *err.reason ? err.reason : "interrupted");
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_device_close(device);
  rp_context_destroy(context);
  for (int i = 0; i < 2; i++) close(ends[i]);
  free(tasks);
  return failed;
}
