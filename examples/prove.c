/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Proves one witness: prove circuit.zkey witness.wtns [page.html] > proof.json. The page shows the prover's graph.
 * The README shows a part of it. */

#include <reprise/graphs.h>
#include <reprise/page.h>
#include <stdio.h>

int main(int argc, char **argv) {
  const char *zkey = argc > 1 ? argv[1] : "circuit.zkey", *witness = argc > 2 ? argv[2] : "witness.wtns";
  char json[4096];
  size_t n;
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_groth16_key *key = NULL;
  rp_groth16_prover *prover = NULL;
  rp_groth16_proof proof;
  rp_error err = {0};

  /* Once per circuit: open the key, build the graph, record it for the best device there is. */
  if (rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, NULL, &device, &err) == RP_OK &&
      rp_groth16_key_open(context, zkey, NULL, &key, &err) == RP_OK &&
      rp_groth16_prover_create(device, key, NULL, &prover, &err) == RP_OK &&
      /* Once per proof: one submission, one wait. The proof has been verified when it comes back. */
      rp_groth16_prove_file(prover, witness, &proof, NULL, NULL, &err) == RP_OK &&
      rp_groth16_proof_to_json(&proof, json, sizeof json, &n, &err) == RP_OK)
    puts(json);
  const rp_view_source view = {.struct_size = sizeof view, .recording = rp_groth16_prover_recording(prover)};
  if (err.status != RP_OK || (argc > 3 && rp_view_write(&view, argv[3], &err) != RP_OK))
    fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  rp_device_close(device);
  rp_context_destroy(context);
  return err.status != RP_OK;
}
