/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The places of the witnesses in a run that makes several proofs.
 */
#include "group.h"

#include "formats/fail.h"

uint64_t g16_seat_bytes(const rp_groth16_prover *prover) { return g16_key_scalars(prover->key) * G16_VALUE_BYTES; }

uint8_t *g16_seat_staging(const rp_groth16_prover *prover, rp_run *run, uint32_t seat, rp_error *err) {
  uint8_t *input = rp_run_input(run, prover->graph.seats[seat].witness);
  if (!input) (void)support_fail(err, RP_ERR_INTERNAL, "The run has no staging for the witness of seat %u.", seat);
  return input;
}

rp_status g16_group_empty(rp_groth16_prover *prover, rp_run *run, uint32_t first, rp_error *err) {
  for (uint32_t i = first; i < prover->graph.batch; i++) {
    uint8_t *input = g16_seat_staging(prover, run, i, err);
    if (!input) return RP_ERR_INTERNAL;
    memset(input, 0, g16_seat_bytes(prover)); /* no scalar, so that every product is the point at infinity */
  }
  return RP_OK;
}
