/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark.h"

#include <stdlib.h>

enum { MOST_PROOF_BYTES = 64 << 10, VALUE_BYTES = 32 };

rp_file_kind cli_gnark_kind_of(const cli_bytes *bytes) {
  rp_file_info info = {.struct_size = sizeof info};
  const rp_status status = bytes->size ? rp_file_identify_memory(bytes->data, bytes->size, &info, NULL) : RP_OK;
  return status == RP_OK && info.gnark ? info.kind : RP_FILE_UNKNOWN;
}

/* ---- verify ------------------------------------------------------------------------------------------------------ */

static rp_status read_proof(const char *path, rp_gnark_proof *proof, rp_error *err) {
  cli_bytes bytes = {0};
  rp_status status = cli_read(path, MOST_PROOF_BYTES, &bytes, err);
  if (status == RP_OK) status = cli_in_file(path, rp_gnark_proof_from_bytes(bytes.data, bytes.size, proof, err), err);
  cli_release(&bytes);
  return status;
}

/* Keeps at most as many signals as the key has; *n becomes their number in the file. */
static rp_status read_signals(const char *path, uint64_t n_public, uint8_t **signals, size_t *n, rp_error *err) {
  cli_bytes bytes = {0};
  rp_status status = cli_read(path, CLI_JSON_LIMIT_BYTES, &bytes, err);
  *signals = malloc((size_t)n_public * VALUE_BYTES + 1);
  if (status == RP_OK && !*signals) {
    *err = (rp_error){.status = RP_ERR_MEMORY};
    status = RP_ERR_MEMORY;
  }
  if (status == RP_OK)
    status =
        cli_in_file(path, rp_gnark_public_from_bytes(bytes.data, bytes.size, *signals, (size_t)n_public, n, err), err);
  cli_release(&bytes);
  return status;
}

rp_status cli_gnark_verify(const cli_call *call, cli_session *session, const cli_bytes *key, bool *forgeable,
                           rp_error *err) {
  const char *key_path = call->args[0], *public_path = call->args[1], *proof_path = call->args[2];
  rp_groth16_vkey *vkey = NULL;
  rp_gnark_proof proof;
  uint8_t *signals = NULL;
  size_t n = 0;
  rp_status status =
      cli_in_file(key_path, rp_gnark_vkey_from_bytes(session->context, key->data, key->size, &vkey, err), err);
  if (status == RP_OK) status = read_signals(public_path, rp_groth16_vkey_n_public(vkey), &signals, &n, err);
  if (status == RP_OK) status = read_proof(proof_path, &proof, err);
  rp_groth16_vkey_info info = {.struct_size = sizeof info};
  rp_groth16_vkey_get_info(vkey, &info);
  if (status == RP_OK) {
    const bool other = proof.groth16.g1 != info.g1 || proof.n_commitments != info.n_commitments;
    status = rp_gnark_verify(vkey, &proof, signals, n, err);
    if (status == RP_ERR_MISMATCH)
      cli_name_files(err, other ? proof_path : public_path, key_path);
    else if (status == RP_ERR_VERIFY)
      cli_name_files(err, proof_path, key_path);
  }
  *forgeable = info.forgeable != 0;
  free(signals);
  rp_groth16_vkey_destroy(vkey);
  return status;
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

static void describe_pkey(const rp_file_info *f, json_t *out) {
  json_object_update_new(out, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}, s:I}", "kind",
                                        "gnark proving key", "form", f->form, "curve", cli_curve_name(f->g1),
                                        "variables", (json_int_t)f->n_vars, "public_signals", (json_int_t)f->n_public,
                                        "domain", (json_int_t)f->domain, "points", "a", (json_int_t)f->n_points[0], "b",
                                        (json_int_t)f->n_points[1], "z", (json_int_t)f->n_points[2], "k",
                                        (json_int_t)f->n_points[3], "commitments", (json_int_t)f->n_commitments));
}

void cli_gnark_describe(const rp_file_info *f, json_t *out) {
  const json_int_t n_public = (json_int_t)f->n_public, n_commitments = (json_int_t)f->n_commitments;
  switch (f->kind) {
  case RP_FILE_GNARK_KEY: describe_pkey(f, out); break;
  case RP_FILE_VKEY:
    json_object_update_new(out,
                           json_pack("{s:s, s:s, s:I, s:I}", "kind", "gnark verifying key", "curve",
                                     cli_curve_name(f->g1), "public_signals", n_public, "commitments", n_commitments));
    break;
  case RP_FILE_PROOF:
    json_object_update_new(out, json_pack("{s:s, s:s, s:I}", "kind", "gnark proof", "curve", cli_curve_name(f->g1),
                                          "commitments", n_commitments));
    break;
  case RP_FILE_PUBLIC:
    json_object_update_new(out, json_pack("{s:s, s:I, s:I}", "kind", "gnark witness", "public_values", n_public,
                                          "secret_values", (json_int_t)f->n_private));
    break;
  default: /* a solution */
    json_object_update_new(out, json_pack("{s:s, s:s, s:I, s:I}", "kind", "gnark solution", "form", f->form, "wires",
                                          (json_int_t)f->n_vars, "constraints", (json_int_t)f->n_constraints));
  }
}
