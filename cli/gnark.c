/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark.h"

#include "formats/fail.h"
#include "groth16/formats/gnark_pkey.h"
#include "groth16/formats/gnark_proof.h"
#include "groth16/formats/gnark_solution.h"
#include "groth16/verify/verify.h"

#include <stdlib.h>

enum { MOST_PROOF_BYTES = 64 << 10, VALUE_BYTES = 32 };

g16_gnark_kind cli_gnark_kind_of(const cli_bytes *bytes) {
  g16_file *file;
  if (bytes->size == 0 || g16_file_wrap("bytes", bytes->data, bytes->size, &file, NULL) != RP_OK) return G16_GNARK_NONE;
  const g16_gnark_kind kind = g16_gnark_kind_of(file);
  g16_file_close(file);
  return kind;
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

rp_status cli_gnark_verify(const cli_call *call, cli_session *session, const cli_bytes *key, int *forgeable,
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
  if (status == RP_OK) {
    const int other = proof.groth16.g1 != g16_vkey_points(vkey)->family->g1 ||
                      proof.n_commitments != rp_gnark_vkey_n_commitments(vkey);
    status = rp_gnark_verify(vkey, &proof, signals, n, err);
    if (status == RP_ERR_MISMATCH)
      cli_name_files(err, other ? proof_path : public_path, key_path);
    else if (status == RP_ERR_VERIFY)
      cli_name_files(err, proof_path, key_path);
  }
  *forgeable = vkey && g16_vkey_is_forgeable(g16_vkey_points(vkey));
  free(signals);
  rp_groth16_vkey_destroy(vkey);
  return status;
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

static rp_status describe_pkey(const g16_file *file, json_t *out, rp_error *err) {
  static const char *const forms[] = {"raw", "compressed", "dump"};
  g16_gnark_pkey key;
  rp_status status = g16_gnark_pkey_open(file, &key, err);
  if (status != RP_OK) return status;
  json_object_update_new(out,
                         json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}, s:I}", "kind",
                                   "gnark proving key", "form", forms[key.form], "curve", key.family->name, "variables",
                                   (json_int_t)key.n_wires, "public_signals", (json_int_t)key.n_public, "domain",
                                   (json_int_t)key.domain, "points", "a", (json_int_t)key.array[G16_GNARK_A].n, "b",
                                   (json_int_t)key.array[G16_GNARK_B].n, "z", (json_int_t)key.array[G16_GNARK_Z].n, "k",
                                   (json_int_t)key.array[G16_GNARK_K].n, "commitments", (json_int_t)key.n_commitments));
  return RP_OK;
}

static rp_status describe_vkey(const g16_file *file, json_t *out, rp_error *err) {
  g16_vkey key;
  rp_status status = g16_gnark_vkey_read(file, &key, err);
  if (status != RP_OK) return status;
  json_object_update_new(out, json_pack("{s:s, s:s, s:I, s:I}", "kind", "gnark verifying key", "curve",
                                        key.family->name, "public_signals", (json_int_t)key.n_public, "commitments",
                                        (json_int_t)key.n_commitments));
  g16_vkey_free(&key);
  return RP_OK;
}

rp_status cli_gnark_describe(const g16_file *file, g16_gnark_kind kind, json_t *out, rp_error *err) {
  rp_gnark_proof proof;
  g16_gnark_witness witness;
  g16_gnark_solution solution;
  rp_status status = RP_ERR_INTERNAL;
  switch (kind) {
  case G16_GNARK_NONE: break;
  case G16_GNARK_PKEY: return describe_pkey(file, out, err);
  case G16_GNARK_VKEY: return describe_vkey(file, out, err);
  case G16_GNARK_PROOF:
    status = g16_gnark_proof_read(file, &proof, err);
    if (status == RP_OK)
      json_object_update_new(out, json_pack("{s:s, s:s, s:I}", "kind", "gnark proof", "curve",
                                            g16_family_by_g1(proof.groth16.g1)->name, "commitments",
                                            (json_int_t)proof.n_commitments));
    break;
  case G16_GNARK_WITNESS:
    status = g16_gnark_witness_open(file, &witness, err);
    if (status == RP_OK)
      json_object_update_new(out,
                             json_pack("{s:s, s:I, s:I}", "kind", "gnark witness", "public_values",
                                       (json_int_t)witness.n_public, "secret_values", (json_int_t)witness.n_secret));
    break;
  case G16_GNARK_SOLUTION:
    status = g16_gnark_solution_open(file, &solution, err);
    if (status == RP_OK)
      json_object_update_new(out, json_pack("{s:s, s:s, s:I, s:I}", "kind", "gnark solution", "form",
                                            solution.montgomery ? "montgomery" : "canonical", "wires",
                                            (json_int_t)solution.n[G16_GNARK_W], "constraints",
                                            (json_int_t)solution.n[G16_GNARK_L]));
    break;
  }
  return status;
}
