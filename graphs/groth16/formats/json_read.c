/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdlib.h>

static rp_status read_proof(const char *name, support_json root, const g16_family *family, rp_groth16_proof *proof,
                            rp_error *err) {
  *proof = (rp_groth16_proof){.g1 = family->g1, .g2 = family->g2};
  rp_status status = g16_json_member_point(name, root, "pi_a", family, 0, proof->a, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "pi_b", family, 1, proof->b, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "pi_c", family, 0, proof->c, err);
  return status;
}

rp_status g16_proof_read(const char *name, const char *json, size_t bytes, rp_groth16_proof *proof, rp_error *err) {
  const g16_family *family, *const bn254 = g16_family_by_g1(RP_CURVE_BN254_G1);
  support_json root;
  *proof = (rp_groth16_proof){0};
  rp_status status = support_json_open_text(name, json, bytes, G16_JSON_PROOF_BYTES, &root, err);
  if (status == RP_OK) status = g16_json_head(name, root, "groth16", 0, &family, err);
  if (status != RP_OK) return status;
  /* No curve is named, and the coordinates are too large for BN254: try the other curve. */
  if (!family && read_proof(name, root, bn254, proof, NULL) != RP_OK &&
      read_proof(name, root, g16_family_by_g1(RP_CURVE_BLS12_381_G1), proof, NULL) == RP_OK)
    return RP_OK;
  return read_proof(name, root, family ? family : bn254, proof, err);
}

static rp_status read_ic(const char *name, support_json root, size_t bytes, g16_vkey *vkey, rp_error *err) {
  g16_place at = {name, "IC", {-1, -1}};
  support_json ic, item;
  uint32_t n_public;
  size_t found;
  rp_status status =
      g16_json_member_count(name, root, "nPublic", "the number of public signals is expected", &n_public, err);
  if (status != RP_OK) return status;
  const uint64_t n = n_public;
  if (bytes > G16_JSON_VKEY_BYTES(n))
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is too large: %zu bytes where at most %" PRIu64 " make sense for %" PRIu64
                        " public signals.",
                        name, bytes, G16_JSON_VKEY_BYTES(n), n);
  status = g16_json_find(&at, root, 1, &ic, &found, err);
  if (status != RP_OK) return status;
  if (support_json_kind(ic) != '[' || support_json_count(ic) != n + 1 || !support_json_first(ic, &item))
    return g16_json_refuse(&at, RP_ERR_FORMAT, "an array of nPublic + 1 points is expected", err);
  uint32_t point_bytes = g16_g1_bytes(vkey->family);
  vkey->n_public = n_public;
  vkey->ic = aligned_alloc(64, ((n + 1) * point_bytes + 63) & ~(size_t)63);
  if (!vkey->ic) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " points.", name, n + 1);
  uint64_t i = 0;
  do {
    at.index[0] = (long)i;
    status = g16_json_point(at, item, vkey->family, 0, vkey->ic + i++ * point_bytes, err);
  } while (status == RP_OK && support_json_next(&item));
  return status;
}

static rp_status read_vkey(const char *name, support_json root, size_t bytes, g16_vkey *vkey, rp_error *err) {
  rp_status status = g16_json_head(name, root, "groth16", 1, &vkey->family, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "vk_alpha_1", vkey->family, 0, &vkey->alpha_1, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "vk_beta_2", vkey->family, 1, &vkey->beta_2, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "vk_gamma_2", vkey->family, 1, &vkey->gamma_2, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "vk_delta_2", vkey->family, 1, &vkey->delta_2, err);
  return status == RP_OK ? read_ic(name, root, bytes, vkey, err) : status;
}

rp_status g16_vkey_read(const char *name, const char *json, size_t bytes, g16_vkey *vkey, rp_error *err) {
  support_json root;
  *vkey = (g16_vkey){0};
  rp_status status = support_json_open_text(name, json, bytes, G16_JSON_LIMIT_BYTES, &root, err);
  if (status == RP_OK) status = read_vkey(name, root, bytes, vkey, err);
  if (status != RP_OK) g16_vkey_free(vkey);
  return status;
}
