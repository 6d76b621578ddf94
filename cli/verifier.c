/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A verification key of Groth16, PLONK or FFLONK, for programs that verify with any.
 */
#include "gnark.h"

#include <stdlib.h>

rp_status cli_verifier_of_json(rp_context *context, const char *json, size_t bytes, cli_verifier *v, rp_error *err) {
  *v = (cli_verifier){0};
  switch (cli_protocol_of_json(json, bytes)) {
  case CLI_PLONK: return rp_plonk_vkey_from_json(context, json, bytes, &v->plonk, err);
  case CLI_FFLONK: return rp_fflonk_vkey_from_json(context, json, bytes, &v->fflonk, err);
  default: return rp_groth16_vkey_from_json(context, json, bytes, &v->groth16, err);
  }
}

/* Of a zkey, only the header is needed and read; a recorded key is opened. */
static rp_status of_plonk(rp_context *context, const char *path, cli_verifier *v, rp_error *err) {
  rp_plonk_key *key = NULL;
  if (cli_kind_of(path) == RP_FILE_ZKEY) return rp_plonk_vkey_from_zkey(context, path, &v->plonk, err);
  rp_status status = rp_plonk_key_open(context, path, NULL, &key, err);
  if (status == RP_OK) status = rp_plonk_vkey_from_key(key, &v->plonk, err);
  rp_plonk_key_close(key);
  return status;
}

static rp_status of_fflonk(rp_context *context, const char *path, cli_verifier *v, rp_error *err) {
  rp_fflonk_key *key = NULL;
  if (cli_kind_of(path) == RP_FILE_ZKEY) return rp_fflonk_vkey_from_zkey(context, path, &v->fflonk, err);
  rp_status status = rp_fflonk_key_open(context, path, NULL, &key, err);
  if (status == RP_OK) status = rp_fflonk_vkey_from_key(key, &v->fflonk, err);
  rp_fflonk_key_close(key);
  return status;
}

rp_status cli_verifier_of_key(rp_context *context, const char *path, cli_verifier *v, rp_error *err) {
  const cli_protocol protocol = cli_protocol_of(path);
  rp_groth16_key *key = NULL;
  *v = (cli_verifier){0};
  if (protocol == CLI_PLONK) return of_plonk(context, path, v, err);
  if (protocol == CLI_FFLONK) return of_fflonk(context, path, v, err);
  rp_status status = rp_groth16_key_open(context, path, NULL, &key, err);
  if (status == RP_OK) status = rp_groth16_vkey_from_key(key, &v->groth16, err);
  rp_groth16_key_close(key);
  return status;
}

static uint64_t n_public_of(const cli_verifier *v) {
  return v->plonk    ? rp_plonk_vkey_n_public(v->plonk)
         : v->fflonk ? rp_fflonk_vkey_n_public(v->fflonk)
                     : rp_groth16_vkey_n_public(v->groth16);
}

/* *gnark becomes 1 for a proof in gnark's form. */
static rp_status read_proof(const cli_verifier *v, const char *json, size_t bytes, cli_proof *proof, bool *gnark,
                            rp_error *err) {
  *gnark = v->groth16 && cli_gnark_is_json(json, bytes);
  return *gnark      ? cli_gnark_proof_from_json(json, bytes, &proof->gnark, err)
         : v->plonk  ? rp_plonk_proof_from_json(json, bytes, &proof->plonk, err)
         : v->fflonk ? rp_fflonk_proof_from_json(json, bytes, &proof->fflonk, err)
                     : rp_groth16_proof_from_json(json, bytes, &proof->groth16, err);
}

static rp_status verify(const cli_verifier *v, const cli_proof *proof, bool gnark, const uint8_t *signals, size_t n,
                        rp_error *err) {
  return gnark       ? rp_gnark_verify(v->groth16, &proof->gnark, signals, n, err)
         : v->plonk  ? rp_plonk_verify(v->plonk, &proof->plonk, signals, n, err)
         : v->fflonk ? rp_fflonk_verify(v->fflonk, &proof->fflonk, signals, n, err)
                     : rp_groth16_verify(v->groth16, &proof->groth16, signals, n, err);
}

rp_status cli_verifier_check(const cli_verifier *v, const char *proof, size_t proof_bytes, const char *signals,
                             size_t signals_bytes, rp_error *err) {
  cli_proof parsed;
  bool gnark = 0;
  size_t n = 0;
  const uint64_t n_public = n_public_of(v);
  uint8_t *values = malloc((size_t)n_public * 32 + 1);
  if (!values) return err->status = RP_ERR_MEMORY;
  rp_status status = rp_groth16_public_from_json(signals, signals_bytes, values, (size_t)n_public, &n, err);
  if (status == RP_OK) status = read_proof(v, proof, proof_bytes, &parsed, &gnark, err);
  if (status == RP_OK) status = verify(v, &parsed, gnark, values, n, err); /* n is compared before values are read */
  free(values);
  return status;
}

void cli_verifier_close(cli_verifier *v) {
  rp_groth16_vkey_destroy(v->groth16);
  rp_plonk_vkey_destroy(v->plonk);
  rp_fflonk_vkey_destroy(v->fflonk);
  *v = (cli_verifier){0};
}
