/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rapidsnark.h"

#include "groth16/fail.h"
#include "shim.h"

#include <reprise/graphs.h>

#include <stdlib.h>

/* All signals of a text; the caller frees them. */
static rp_status read_signals(const char *text, uint8_t **signals, size_t *n, rp_error *err) {
  *signals = NULL;
  rp_status status = rp_groth16_public_from_json(text, strlen(text), NULL, 0, n, err);
  if (status != RP_OK || *n == 0) return status;
  *signals = malloc(*n * 32);
  if (!*signals) return graphs_fail(err, RP_ERR_MEMORY, "Out of memory for %zu public signals.", *n);
  return rp_groth16_public_from_json(text, strlen(text), *signals, *n, n, err);
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
  if (status == RP_OK) status = read_signals(inputs, &signals, &n, &err);
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
