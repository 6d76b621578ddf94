/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Proofs in a program that must not wait: event_loop circuit.zkey a.wtns b.wtns ... submits what the prover takes, and
 * its loop is woken through a pipe when one is finished. libuv's uv_async_send, an eventfd of tokio's or a channel of
 * Go's takes the pipe's place. */

#include <reprise/graphs.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

/* By a thread of the prover: nothing but the message that this task is finished. */
static void tell(void *user, rp_groth16_task *task) {
  const int *end = user;
  if (write(*end, &task, sizeof task) != sizeof task) perror("write");
}

static int take(rp_groth16_task *task) {
  rp_error err = {0};
  rp_groth16_proof proof;
  const rp_status status = rp_groth16_result(task, &proof, NULL, NULL, &err);
  puts(status == RP_OK ? "proved and verified" : err.reason);
  rp_groth16_end(task);
  return status != RP_OK;
}

/* Submits as many as the prover takes; returns how many there are. */
static int submit(rp_groth16_prover *prover, char **paths, int n, int *end, rp_error *err) {
  int i = 0;
  for (; i < n; i++) {
    rp_groth16_task *task;
    const rp_groth16_request request = {
        .struct_size = sizeof request, .wtns_path = paths[i], .done = tell, .user = end};
    const rp_status status = rp_groth16_submit(prover, &request, 0, &task, err);
    if (status == RP_ERR_BUSY) break;
    if (status != RP_OK) return -1;
  }
  return i;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: event_loop circuit.zkey witness.wtns ...\n"), 2;
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .max_in_flight = 2};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_error err = {0};
  int ends[2], failed = pipe(ends), submitted = 0, finished = 0;
  if (!failed && rp_context_create(NULL, &context, &err) == RP_OK &&
      rp_device_open(context, NULL, &device, &err) == RP_OK &&
      rp_groth16_key_open(context, argv[1], NULL, &key, &err) == RP_OK &&
      rp_groth16_prover_create(device, key, &options, &prover, &err) == RP_OK) {
    while (finished < argc - 2) {
      const int more = submit(prover, argv + 2 + submitted, argc - 2 - submitted, &ends[1], &err);
      if (more < 0) break;
      submitted += more;
      struct pollfd events[] = {{.fd = ends[0], .events = POLLIN}}; /* and whatever else the program waits for */
      rp_groth16_task *task;
      if (poll(events, 1, -1) < 0 || read(ends[0], &task, sizeof task) != sizeof task) break;
      failed |= take(task);
      finished++;
    }
  }
  if (finished < argc - 2) failed = 1, fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_device_close(device);
  rp_context_destroy(context);
  return failed;
}
