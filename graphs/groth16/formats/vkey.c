/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks of the points of a verification key and of a proof, without which pairings prove nothing.
 */
#include "json.h"

#include "formats/fail.h"

#include <stdlib.h>

void g16_vkey_free(g16_vkey *vkey) {
  free(vkey->ic);
  free(vkey->commitment);
  free(vkey->committed);
  *vkey = (g16_vkey){0};
}

/* A copy in new memory. NULL if there is nothing to copy, or when out of memory, in which case *status says so. */
static void *copy_of(const void *from, uint64_t bytes, rp_status *status) {
  void *to = from ? aligned_alloc(64, (bytes + 63) & ~(uint64_t)63) : NULL;
  if (to) memcpy(to, from, bytes);
  if (from && !to) *status = RP_ERR_MEMORY;
  return to;
}

rp_status g16_vkey_copy(const char *name, const g16_vkey *from, g16_vkey *to, rp_error *err) {
  rp_status status = RP_OK;
  uint64_t committed = 0;
  for (uint32_t i = 0; i < from->n_commitments; i++) committed += from->commitment[i].n;
  *to = *from;
  to->ic = copy_of(from->ic, g16_vkey_ic_bytes(from), &status);
  to->commitment = copy_of(from->commitment, from->n_commitments * sizeof *from->commitment, &status);
  to->committed = copy_of(committed ? from->committed : NULL, committed * sizeof *from->committed, &status);
  if (status == RP_OK) return RP_OK;
  g16_vkey_free(to);
  return support_fail(err, status, "%s: out of memory for a verification key.", name);
}

rp_status g16_vkey_from_zkey(const g16_zkey *zkey, g16_vkey *vkey, rp_error *err) {
  *vkey = (g16_vkey){.family = zkey->family,
                     .n_public = zkey->n_public,
                     .alpha_1 = zkey->alpha_1,
                     .beta_2 = zkey->beta_2,
                     .gamma_2 = zkey->gamma_2,
                     .delta_2 = zkey->delta_2};
  uint64_t n = g16_points_count(zkey, G16_IC), bytes = n * g16_points_bytes(zkey, G16_IC);
  vkey->ic = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
  if (!vkey->ic)
    return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for IC.", support_file_name(zkey->bin.file));
  rp_status status = g16_points_read(zkey, G16_IC, 0, n, G16_CHECK_CURVE | G16_CHECK_SUBGROUP, vkey->ic, err);
  if (status != RP_OK) g16_vkey_free(vkey);
  return status;
}

static rp_status check_point(const char *name, const char *what, rp_curve curve, const void *point,
                             bool may_be_infinity, rp_error *err) {
  const rp_curve_host *host = rp_curve_get(curve);
  g16_g2 aligned;
  memcpy(&aligned, point, host->affine_bytes);
  if (!host->on_curve(&aligned)) return support_fail(err, RP_ERR_INPUT, "%s: %s is not on the curve.", name, what);
  if (!host->in_subgroup(&aligned))
    return support_fail(err, RP_ERR_INPUT, "%s: %s is not in the subgroup.", name, what);
  if (!may_be_infinity && host->is_identity(&aligned))
    return support_fail(err, RP_ERR_INPUT, "%s: %s is the point at infinity.", name, what);
  return RP_OK;
}

rp_status g16_vkey_check(const char *name, const g16_vkey *vkey, rp_error *err) {
  rp_curve g1 = vkey->family->g1, g2 = vkey->family->g2;
  rp_status status = check_point(name, "vk_alpha_1", g1, &vkey->alpha_1, 0, err);
  if (status == RP_OK) status = check_point(name, "vk_beta_2", g2, &vkey->beta_2, 0, err);
  if (status == RP_OK) status = check_point(name, "vk_gamma_2", g2, &vkey->gamma_2, 0, err);
  if (status == RP_OK) status = check_point(name, "vk_delta_2", g2, &vkey->delta_2, 0, err);
  for (uint64_t i = 0; i <= (uint64_t)vkey->n_public + vkey->n_commitments && status == RP_OK; i++)
    status = check_point(name, "a point of IC", g1, vkey->ic + i * g16_g1_bytes(vkey->family), 1, err);
  return status;
}

bool g16_vkey_is_forgeable(const g16_vkey *vkey) {
  return memcmp(&vkey->gamma_2, &vkey->delta_2, g16_g2_bytes(vkey->family)) == 0;
}

rp_status g16_proof_check_reduced(const rp_groth16_proof *proof, rp_error *err) {
  const g16_family *family = g16_family_by_g1(proof->g1);
  const uint8_t *q = rp_field_get(family->fq)->modulus_le;
  const uint8_t *point[3] = {proof->a, proof->b, proof->c};
  for (int i = 0; i < 3; i++)
    for (uint32_t at = 0; at < (i == 1 ? 4u : 2u); at++)
      if (!g16_below(point[i] + at * family->fq_bytes, q, family->fq_bytes))
        return support_fail(err, RP_ERR_INPUT, "A coordinate of the proof is not below the prime q.");
  return RP_OK;
}

rp_status g16_proof_check_g1(const char *name, const rp_groth16_proof *proof, rp_error *err) {
  const g16_family *family = g16_family_by_g1(proof->g1);
  if (!family || proof->g2 != family->g2)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: is of no curve that circom knows.", name);
  rp_status status = check_point(name, "pi_a", family->g1, proof->a, 1, err);
  if (status == RP_OK) status = check_point(name, "pi_c", family->g1, proof->c, 1, err);
  return status;
}

rp_status g16_proof_check_g2(const char *name, const rp_groth16_proof *proof, rp_error *err) {
  return check_point(name, "pi_b", proof->g2, proof->b, 1, err);
}

rp_status g16_proof_check(const char *name, const rp_groth16_proof *proof, rp_error *err) {
  const rp_status status = g16_proof_check_g1(name, proof, err);
  return status == RP_OK ? g16_proof_check_g2(name, proof, err) : status;
}
