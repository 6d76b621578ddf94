/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The figures in the headers of files.
 */
#include "identify.h"

#include "fflonk/formats/zkey.h"
#include "formats/fail.h"
#include "formats/json_values.h"
#include "formats/r1cs.h"
#include "formats/wtns.h"
#include "groth16/formats/gnark_pkey.h"
#include "groth16/formats/gnark_proof.h"
#include "groth16/formats/gnark_solution.h"
#include "plonk/formats/zkey.h"

static void set_curve(rp_file_info *info, const g16_family *family) {
  info->has_curve = 1;
  info->g1 = family->g1;
}

/* ---- snarkjs and circom ------------------------------------------------------------------------------------------ */

static rp_status of_wtns(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_wtns wtns;
  const rp_status status = g16_wtns_open(file, &wtns, err);
  if (status != RP_OK) return status;
  set_curve(info, wtns.family);
  info->n_vars = wtns.n;
  return RP_OK;
}

static rp_status of_r1cs(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_r1cs r1cs;
  const rp_status status = g16_r1cs_open(file, &r1cs, err);
  if (status != RP_OK) return status;
  set_curve(info, r1cs.family);
  info->n_vars = r1cs.n_wires;
  info->n_public = (uint64_t)r1cs.n_outputs + r1cs.n_inputs;
  info->n_outputs = r1cs.n_outputs;
  info->n_private = r1cs.n_private;
  info->n_constraints = r1cs.n_constraints;
  const uint64_t needed = info->n_constraints + info->n_public + 1;
  for (info->domain = 1; info->domain < needed;) info->domain *= 2;
  return RP_OK;
}

static rp_status of_groth16(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_zkey zkey;
  const rp_status status = g16_zkey_open(file, &zkey, err);
  if (status != RP_OK) return status;
  set_curve(info, zkey.family);
  info->n_vars = zkey.n_vars;
  info->n_public = zkey.n_public;
  info->domain = zkey.domain_size;
  return RP_OK;
}

static void describe_plonk(rp_file_info *info, const plonk_zkey_common *zkey) {
  set_curve(info, g16_family_by_g1(RP_CURVE_BN254_G1));
  info->n_vars = zkey->n_vars;
  info->n_public = zkey->n_public;
  info->domain = zkey->domain_size;
  info->n_constraints = zkey->n_constraints;
  info->n_additions = zkey->n_additions;
}

static rp_status of_plonk(const support_file *file, rp_file_info *info, rp_error *err) {
  plonk_zkey zkey;
  const rp_status status = plonk_zkey_open(file, &zkey, err);
  if (status == RP_OK) describe_plonk(info, &zkey.common);
  return status;
}

static rp_status of_fflonk(const support_file *file, rp_file_info *info, rp_error *err) {
  fflonk_zkey zkey;
  const rp_status status = fflonk_zkey_open(file, &zkey, err);
  if (status == RP_OK) describe_plonk(info, &zkey.common);
  return status;
}

static rp_status of_json(const support_file *file, rp_file_info *info, rp_error *err) {
  uint8_t *data = NULL;
  const uint64_t bytes = support_file_size(file);
  if (bytes > G16_JSON_LIMIT_BYTES) return RP_OK;
  const rp_status status = support_file_slurp(file, bytes, &data, err);
  if (status != RP_OK) return status;
  static const char *const names[] = {NULL, "groth16", "plonk", "fflonk"};
  for (int p = RP_PROTOCOL_GROTH16; p <= RP_PROTOCOL_FFLONK; p++)
    if (g16_json_is_protocol((const char *)data, (size_t)bytes, names[p])) info->protocol = (rp_protocol)p;
  rp_secret_free(data, bytes);
  return RP_OK;
}

/* ---- gnark ------------------------------------------------------------------------------------------------------- */

static rp_status of_gnark_key(const support_file *file, rp_file_info *info, rp_error *err) {
  static const char *const forms[] = {"raw", "compressed", "dump"};
  static const g16_gnark_array_id arrays[4] = {G16_GNARK_A, G16_GNARK_B, G16_GNARK_Z, G16_GNARK_K};
  g16_gnark_pkey key;
  const rp_status status = g16_gnark_pkey_open(file, &key, err);
  if (status != RP_OK) return status;
  set_curve(info, key.family);
  info->form = forms[key.form];
  info->n_vars = key.n_wires;
  info->n_public = key.n_public;
  info->domain = key.domain;
  info->n_commitments = key.n_commitments;
  for (unsigned i = 0; i < 4; i++) info->n_points[i] = key.array[arrays[i]].n;
  return RP_OK;
}

static rp_status of_gnark_vkey(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_vkey key;
  const rp_status status = g16_gnark_vkey_read(file, &key, err);
  if (status != RP_OK) return status;
  set_curve(info, key.family);
  info->n_public = key.n_public;
  info->n_commitments = key.n_commitments;
  g16_vkey_free(&key);
  return RP_OK;
}

static rp_status of_gnark_proof(const support_file *file, rp_file_info *info, rp_error *err) {
  rp_gnark_proof proof;
  const rp_status status = g16_gnark_proof_read(file, &proof, err);
  if (status != RP_OK) return status;
  set_curve(info, g16_family_by_g1(proof.groth16.g1));
  info->n_commitments = proof.n_commitments;
  return RP_OK;
}

static rp_status of_gnark_witness(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_gnark_witness witness;
  const rp_status status = g16_gnark_witness_open(file, &witness, err);
  if (status != RP_OK) return status;
  info->n_public = witness.n_public;
  info->n_private = witness.n_secret;
  return RP_OK;
}

static rp_status of_gnark_solution(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_gnark_solution solution;
  const rp_status status = g16_gnark_solution_open(file, &solution, err);
  if (status != RP_OK) return status;
  info->form = solution.montgomery ? "montgomery" : "canonical";
  info->n_vars = solution.n[G16_GNARK_W];
  info->n_constraints = solution.n[G16_GNARK_L];
  return RP_OK;
}

/* ---- Any --------------------------------------------------------------------------------------------------------- */

static rp_status of_gnark(const support_file *file, rp_file_info *info, rp_error *err) {
  switch (info->kind) {
  case RP_FILE_GNARK_KEY: return of_gnark_key(file, info, err);
  case RP_FILE_VKEY: return of_gnark_vkey(file, info, err);
  case RP_FILE_PROOF: return of_gnark_proof(file, info, err);
  case RP_FILE_PUBLIC: return of_gnark_witness(file, info, err);
  case RP_FILE_GNARK_SOLUTION: return of_gnark_solution(file, info, err);
  default: return RP_OK; /* a prerecorded key */
  }
}

/* A key of an unknown protocol is read as one of Groth16, which gives the reason why it is none. */
static rp_status of_zkey(const support_file *file, rp_file_info *info, rp_error *err) {
  return info->protocol == RP_PROTOCOL_PLONK    ? of_plonk(file, info, err)
         : info->protocol == RP_PROTOCOL_FFLONK ? of_fflonk(file, info, err)
                                                : of_groth16(file, info, err);
}

rp_status identify_header(const support_file *file, rp_file_info *info, rp_error *err) {
  if (info->gnark) return of_gnark(file, info, err);
  switch (info->kind) {
  case RP_FILE_ZKEY: return of_zkey(file, info, err);
  case RP_FILE_WTNS: return of_wtns(file, info, err);
  case RP_FILE_R1CS: return of_r1cs(file, info, err);
  case RP_FILE_PRERECORDED:
  case RP_FILE_GRAPH: return RP_OK;
  default: return of_json(file, info, err);
  }
}
