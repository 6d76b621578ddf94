/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Many witnesses through one recording, two in flight: batch circuit.zkey a.wtns b.wtns ... prints a line for each, and
 * writes a page of the graph if the last argument is a name such as run.html. */

#include <reprise/graphs.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last argument may name a page to be written. */
static const char *page_of(int argc, char **argv) {
  const char *end = strrchr(argv[argc - 1], '.');
  return argc > 3 && end && strcmp(end, ".wtns") != 0 ? argv[argc - 1] : NULL;
}

int main(int argc, char **argv) {
  if (argc < 3) return fprintf(stderr, "usage: batch circuit.zkey witness.wtns ... [page]\n"), 2;
  const char *page = page_of(argc, argv);
  const size_t n = (size_t)argc - (page ? 3 : 2);
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .max_in_flight = 2, .tables = 1};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_error err = {0};
  rp_groth16_job *jobs = calloc(n, sizeof *jobs);
  rp_groth16_proof *proofs = calloc(n, sizeof *proofs);
  if (!jobs || !proofs) return free(jobs), free(proofs), 1;
  for (size_t i = 0; i < n; i++) {
    jobs[i].struct_size = sizeof jobs[i];
    jobs[i].wtns_path = argv[2 + i]; /* read straight to where the run takes it from */
    jobs[i].proof = &proofs[i];
  }

  if (rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, NULL, &device, &err) == RP_OK &&
      rp_groth16_key_open(context, argv[1], NULL, &key, &err) == RP_OK &&
      rp_groth16_prover_create(device, key, &options, &prover, &err) == RP_OK) {
    /* The first failure; each job holds its own. */
    if (rp_groth16_prove_batch(prover, jobs, n, &err) != RP_OK) fprintf(stderr, "%s\n", err.reason);
    for (size_t i = 0; i < n; i++)
      printf("%s: %s\n", argv[2 + i], jobs[i].status == RP_OK ? "proved and verified" : jobs[i].error.reason);
    const rp_view_source view = {.struct_size = sizeof view, .recording = rp_groth16_prover_recording(prover)};
    if (page && rp_view_write(&view, page, &err) != RP_OK) fprintf(stderr, "%s\n", err.reason);
  } else {
    fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  }
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_device_close(device);
  rp_context_destroy(context);
  free(proofs);
  free(jobs);
  return err.status != RP_OK;
}
