/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The submitter's own check of a proof that the database returned.
 */
#include "submit.h"

#include <stdlib.h>
#include <string.h>

static rp_status read_vkey(const char *path, farm_verifier *v, rp_error *err) {
  cli_bytes text;
  rp_status status = cli_read(path, 64u << 20, &text, err);
  if (status == RP_OK) {
    const char *json = (const char *)text.data;
    if (memmem(json, text.size, "\"plonk\"", 7))
      status = rp_plonk_vkey_from_json(v->context, json, text.size, &v->plonk, err);
    else
      status = rp_groth16_vkey_from_json(v->context, json, text.size, &v->groth16, err);
  }
  cli_release(&text);
  return cli_in_file(path, status, err);
}

/* Of a zkey the header is enough, which is read alone. */
static rp_status of_plonk(const char *path, farm_verifier *v, rp_error *err) {
  rp_plonk_key *key = NULL;
  if (cli_kind_of(path) == CLI_KIND_ZKEY) return rp_plonk_vkey_from_zkey(v->context, path, &v->plonk, err);
  rp_status status = rp_plonk_key_open(v->context, path, NULL, &key, err);
  if (status == RP_OK) status = rp_plonk_vkey_from_key(key, &v->plonk, err);
  rp_plonk_key_close(key);
  return status;
}

static rp_status of_key(const char *path, farm_verifier *v, rp_error *err) {
  rp_groth16_key *key = NULL;
  if (cli_protocol_of(path) == CLI_PLONK) return of_plonk(path, v, err);
  rp_status status = rp_groth16_key_open(v->context, path, NULL, &key, err);
  if (status == RP_OK) status = rp_groth16_vkey_from_key(key, &v->groth16, err);
  rp_groth16_key_close(key);
  return status;
}

rp_status farm_verifier_open(const cli_call *call, farm_verifier *v, rp_error *err) {
  const farm_options *o = call->options;
  const rp_status status = rp_context_create(NULL, &v->context, err);
  if (status != RP_OK) return status;
  return o->vkey ? read_vkey(o->vkey, v, err) : of_key(call->args[1], v, err);
}

rp_status farm_verifier_check(const farm_verifier *v, const char *proof, const char *signals, rp_error *err) {
  cli_proof parsed;
  size_t n = 0;
  const uint64_t n_public = v->plonk ? rp_plonk_vkey_n_public(v->plonk) : rp_groth16_vkey_n_public(v->groth16);
  uint8_t *values = malloc((size_t)n_public * 32 + 1);
  if (!values) return err->status = RP_ERR_MEMORY;
  rp_status status = v->plonk
                         ? rp_plonk_public_from_json(signals, strlen(signals), values, (size_t)n_public, &n, err)
                         : rp_groth16_public_from_json(signals, strlen(signals), values, (size_t)n_public, &n, err);
  if (status == RP_OK)
    status = v->plonk ? rp_plonk_proof_from_json(proof, strlen(proof), &parsed.plonk, err)
                      : rp_groth16_proof_from_json(proof, strlen(proof), &parsed.groth16, err);
  if (status == RP_OK)
    status = v->plonk ? rp_plonk_verify(v->plonk, &parsed.plonk, values, n, err)
                      : rp_groth16_verify(v->groth16, &parsed.groth16, values, n, err);
  free(values);
  return status;
}

void farm_verifier_close(farm_verifier *v) {
  rp_groth16_vkey_destroy(v->groth16);
  rp_plonk_vkey_destroy(v->plonk);
  rp_context_destroy(v->context);
  *v = (farm_verifier){0};
}
