/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks of a verification key and of a proof, without which the equation proves nothing.
 */
#include "vkey.h"

#include "formats/fail.h"

#include <inttypes.h>

const char *const plonk_key_point_name[PLONK_KEY_POINTS] = {"Qm", "Ql", "Qr", "Qo", "Qc", "S1", "S2", "S3"};

#define ELEMENT(text, member) \
  { text, offsetof(rp_plonk_proof, member) }
const plonk_element plonk_proof_point[PLONK_PROOF_POINTS] = {
    ELEMENT("A", a),   ELEMENT("B", b),   ELEMENT("C", c),     ELEMENT("Z", z),      ELEMENT("T1", t1),
    ELEMENT("T2", t2), ELEMENT("T3", t3), ELEMENT("Wxi", wxi), ELEMENT("Wxiw", wxiw)};
const plonk_element plonk_proof_scalar[PLONK_PROOF_SCALARS] = {
    ELEMENT("eval_a", eval_a),   ELEMENT("eval_b", eval_b),   ELEMENT("eval_c", eval_c),
    ELEMENT("eval_s1", eval_s1), ELEMENT("eval_s2", eval_s2), ELEMENT("eval_zw", eval_zw)};
#undef ELEMENT

/* Whether x is in the domain of 2^log_n elements: x^n = 1. */
static bool in_domain(const rp_field_host *fr, const plonk_fr *x, uint32_t log_n) {
  plonk_fr power = *x, one;
  fr->one(&one);
  for (uint32_t i = 0; i < log_n; i++) fr->sqr(&power, &power);
  return fr->equal(&power, &one);
}

rp_status plonk_check_cosets(const char *name, const g16_family *family, uint32_t n_public, uint32_t log_n,
                             const plonk_fr *k1, const plonk_fr *k2, rp_error *err) {
  const rp_field_host *fr = rp_field_get(family->fr);
  plonk_fr ratio;
  if (log_n > fr->two_adicity)
    return support_fail(err, RP_ERR_INPUT, "%s: a domain of 2^%" PRIu32 " is larger than %s allows, 2^%" PRIu32 ".",
                        name, log_n, family->name, fr->two_adicity);
  if (n_public > (uint64_t)1 << log_n)
    return support_fail(err, RP_ERR_INPUT, "%s: %" PRIu32 " public signals do not fit in a domain of 2^%" PRIu32 ".",
                        name, n_public, log_n);
  fr->inv(&ratio, k1);
  fr->mul(&ratio, &ratio, k2);
  if (fr->is_zero(k1) || fr->is_zero(k2) || in_domain(fr, k1, log_n) || in_domain(fr, k2, log_n) ||
      in_domain(fr, &ratio, log_n))
    return support_fail(err, RP_ERR_INPUT,
                        "%s: 1, k1 and k2 are not in different cosets of the domain: wires would stand for each other.",
                        name);
  return RP_OK;
}

rp_status plonk_vkey_check_shape(const char *name, const plonk_vkey *vkey, rp_error *err) {
  return plonk_check_cosets(name, vkey->family, vkey->n_public, vkey->log_domain, &vkey->k1, &vkey->k2, err);
}

rp_status plonk_check_point(const char *name, const char *what, rp_curve curve, const void *point, bool may_be_infinity,
                            rp_error *err) {
  const rp_curve_host *host = rp_curve_get(curve);
  if (!host->on_curve(point)) return support_fail(err, RP_ERR_INPUT, "%s: %s is not on the curve.", name, what);
  if (!host->in_subgroup(point)) return support_fail(err, RP_ERR_INPUT, "%s: %s is not in the subgroup.", name, what);
  if (!may_be_infinity && host->is_identity(point))
    return support_fail(err, RP_ERR_INPUT, "%s: %s is the point at infinity.", name, what);
  return RP_OK;
}

rp_status plonk_vkey_check(const char *name, const plonk_vkey *vkey, rp_error *err) {
  rp_status status = plonk_vkey_check_shape(name, vkey, err);
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++)
    status = plonk_check_point(name, plonk_key_point_name[i], vkey->family->g1, &vkey->point[i],
                               plonk_may_be_infinity(i), err);
  return status == RP_OK ? plonk_check_point(name, "X_2", vkey->family->g2, &vkey->x_2, 0, err) : status;
}

/* Checks a point, and that its coordinates are below q, so that its memory form is unique. */
static rp_status check_proof_point(const char *name, const char *what, const uint8_t *bytes, rp_error *err) {
  const uint8_t *q = rp_field_get(RP_FIELD_BN254_FP)->modulus_le;
  plonk_g1 point;
  if (!g16_below(bytes, q, 32) || !g16_below(bytes + 32, q, 32))
    return support_fail(err, RP_ERR_INPUT, "%s: a coordinate of %s is not below the prime q.", name, what);
  memcpy(&point, bytes, sizeof point);
  return plonk_check_point(name, what, RP_CURVE_BN254_G1, &point, 1, err);
}

rp_status plonk_check_elements(const char *name, const void *proof, const plonk_element *point, int n_points,
                               const plonk_element *scalar, int n_scalars, rp_error *err) {
  const uint8_t *bytes = proof, *r = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  rp_status status = RP_OK;
  for (int i = 0; i < n_points && status == RP_OK; i++)
    status = check_proof_point(name, point[i].name, bytes + point[i].offset, err);
  for (int i = 0; i < n_scalars && status == RP_OK; i++)
    if (!g16_below(bytes + scalar[i].offset, r, 32))
      status = support_fail(err, RP_ERR_INPUT, "%s: %s is not below the prime r.", name, scalar[i].name);
  return status;
}

rp_status plonk_proof_check(const char *name, const rp_plonk_proof *proof, rp_error *err) {
  if (proof->g1 != RP_CURVE_BN254_G1)
    return support_fail(err, RP_ERR_MISMATCH, "%s: is not over bn128, the only curve of PLONK in snarkjs.", name);
  return plonk_check_elements(name, proof, plonk_proof_point, PLONK_PROOF_POINTS, plonk_proof_scalar,
                              PLONK_PROOF_SCALARS, err);
}
