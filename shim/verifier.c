/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "verifier.h"

#include "text/error.h"
#include "shim.h"

#include <reprise/graphs.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Reads at most as many signals as the key has, to memory that the caller frees; *n becomes their number in the
 * text. */
static rp_status read_signals(const char *text, uint64_t n_public, uint8_t **signals, size_t *n, rp_error *err) {
  *signals = malloc((size_t)n_public * 32 + 1);
  if (!*signals) return support_fail(err, RP_ERR_MEMORY, "Out of memory for %" PRIu64 " public signals.", n_public);
  return rp_groth16_public_from_json(text, strlen(text), *signals, (size_t)n_public, n, err);
}

int groth16_verify(const char *proof, const char *inputs, const char *verification_key, char *error_msg,
                   unsigned long error_msg_maxsize) {
  rp_error err = {RP_ERR_ARGUMENT, "A proof, public signals and a verification key are needed."};
  if (!proof || !inputs || !verification_key) return shim_error(&err, error_msg, error_msg_maxsize, VERIFIER_ERROR);
  rp_context *context = NULL;
  rp_groth16_vkey *vkey = NULL;
  rp_groth16_proof points;
  uint8_t *signals = NULL;
  size_t n = 0;
  rp_status status = rp_context_create(NULL, &context, &err);
  if (status == RP_OK)
    status = rp_groth16_vkey_from_json(context, verification_key, strlen(verification_key), &vkey, &err);
  if (status == RP_OK) status = rp_groth16_proof_from_json(proof, strlen(proof), &points, &err);
  if (status == RP_OK) status = read_signals(inputs, rp_groth16_vkey_n_public(vkey), &signals, &n, &err);
  int code = VERIFIER_ERROR;
  if (status == RP_OK) {
    status = rp_groth16_verify(vkey, &points, signals, n, &err);
    if (status == RP_OK) code = VERIFIER_VALID_PROOF;
    if (status == RP_ERR_VERIFY || status == RP_ERR_INPUT) code = VERIFIER_INVALID_PROOF;
  }
  free(signals);
  rp_groth16_vkey_destroy(vkey);
  rp_context_destroy(context);
  return code == VERIFIER_VALID_PROOF ? code : shim_error(&err, error_msg, error_msg_maxsize, code);
}
