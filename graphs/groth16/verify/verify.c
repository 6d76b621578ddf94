/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * e(A, B) = e(alpha, beta) e(IC[0] + sum x_i IC[i], gamma) e(C, delta)   (ePrint 2016/260, section 3.2)
 */
#include "verify.h"

#include "formats/fail.h"
#include "msm_host.h"

#include <inttypes.h>
#include <stdlib.h>

struct rp_groth16_vkey {
  g16_vkey points;
  rp_pairing_value *alpha_beta;              /* e(alpha, beta) */
  rp_pairing_prepared *beta, *gamma, *delta; /* their lines */
};

static rp_status prepare(rp_curve g1, const void *g2_affine, rp_pairing_prepared **prepared) {
  *prepared = malloc(rp_pairing_prepared_bytes(g1));
  return *prepared ? rp_pairing_prepare(g1, g2_affine, *prepared) : RP_ERR_MEMORY;
}

static rp_status alpha_times(const g16_vkey *points, const rp_pairing_prepared *beta, rp_pairing_value **value) {
  rp_curve g1 = points->family->g1;
  const void *alpha = &points->alpha_1;
  *value = malloc(rp_pairing_value_bytes(g1));
  return *value ? rp_pairing_product(g1, 1, &alpha, &beta, *value) : RP_ERR_MEMORY;
}

rp_pairing_value *g16_alpha_beta(const g16_vkey *points) {
  rp_pairing_prepared *beta;
  rp_pairing_value *value = NULL;
  rp_status status = prepare(points->family->g1, &points->beta_2, &beta);
  if (status == RP_OK) status = alpha_times(points, beta, &value);
  free(beta);
  if (status == RP_OK) return value;
  free(value);
  return NULL;
}

static rp_status prepare_pairings(rp_groth16_vkey *vkey) {
  const g16_vkey *points = &vkey->points;
  rp_curve g1 = points->family->g1;
  rp_status status = prepare(g1, &points->beta_2, &vkey->beta);
  if (status == RP_OK) status = prepare(g1, &points->gamma_2, &vkey->gamma);
  if (status == RP_OK) status = prepare(g1, &points->delta_2, &vkey->delta);
  if (status == RP_OK) status = alpha_times(points, vkey->beta, &vkey->alpha_beta);
  return status;
}

rp_status g16_vkey_take(const char *name, g16_vkey *points, bool checked, rp_groth16_vkey **out, rp_error *err) {
  *out = NULL;
  rp_status status = checked ? RP_OK : g16_vkey_check(name, points, err);
  rp_groth16_vkey *vkey = status == RP_OK ? calloc(1, sizeof *vkey) : NULL;
  if (vkey) {
    vkey->points = *points;
    *points = (g16_vkey){0};
  }
  g16_vkey_free(points);
  if (status != RP_OK) return status;
  status = vkey ? prepare_pairings(vkey) : RP_ERR_MEMORY;
  if (status != RP_OK) {
    rp_groth16_vkey_destroy(vkey);
    if (status == RP_ERR_MEMORY) return support_fail(err, status, "%s: out of memory for a verification key.", name);
    return support_fail(err, RP_ERR_INTERNAL, "%s: two tests of the subgroup of its points disagree.", name);
  }
  *out = vkey;
  return RP_OK;
}

rp_status g16_vkey_new(const char *name, const g16_vkey *points, bool checked, rp_groth16_vkey **out, rp_error *err) {
  g16_vkey copy;
  *out = NULL;
  const rp_status status = g16_vkey_copy(name, points, &copy, err);
  return status == RP_OK ? g16_vkey_take(name, &copy, checked, out, err) : status;
}

const g16_vkey *g16_vkey_points(const rp_groth16_vkey *vkey) { return &vkey->points; }
const rp_pairing_prepared *g16_vkey_beta(const rp_groth16_vkey *vkey) { return vkey->beta; }
const rp_pairing_prepared *g16_vkey_gamma(const rp_groth16_vkey *vkey) { return vkey->gamma; }
const rp_pairing_prepared *g16_vkey_delta(const rp_groth16_vkey *vkey) { return vkey->delta; }
const rp_pairing_value *g16_vkey_alpha_beta(const rp_groth16_vkey *vkey) { return vkey->alpha_beta; }

void rp_groth16_vkey_destroy(rp_groth16_vkey *vkey) {
  if (!vkey) return;
  free(vkey->alpha_beta);
  free(vkey->beta);
  free(vkey->gamma);
  free(vkey->delta);
  g16_vkey_free(&vkey->points);
  free(vkey);
}

void rp_groth16_vkey_get_info(const rp_groth16_vkey *vkey, rp_groth16_vkey_info *info) {
  rp_groth16_vkey_info now = {.struct_size = sizeof now};
  if (!info) return;
  if (vkey) {
    now.g1 = vkey->points.family->g1;
    now.g2 = vkey->points.family->g2;
    now.n_public = vkey->points.n_public;
    now.n_commitments = vkey->points.n_commitments;
    now.forgeable = (uint32_t)g16_vkey_is_forgeable(&vkey->points);
  }
  rp_info_write(info, &now, sizeof now);
}

uint64_t rp_groth16_vkey_n_public(const rp_groth16_vkey *vkey) { return vkey ? vkey->points.n_public : 0; }

/* e(A, B) e(-x, gamma) e(-C, delta) = e(alpha, beta), with one final exponentiation, for a prepared B. */
static rp_status pairings(const rp_groth16_vkey *vkey, const g16_g1 *a, const rp_pairing_prepared *lines,
                          const g16_g1 *x, const g16_g1 *c, rp_error *err) {
  rp_curve g1 = vkey->points.family->g1;
  rp_pairing_value *value = malloc(rp_pairing_value_bytes(g1));
  const void *p[3] = {a, x, c};
  const rp_pairing_prepared *q[3] = {lines, vkey->gamma, vkey->delta};
  rp_status status = value ? rp_pairing_product(g1, 3, p, q, value) : RP_ERR_MEMORY;
  if (status != RP_OK)
    (void)support_fail(err, status, "The pairings could not be computed: %s.", rp_status_text(status));
  else if (!rp_pairing_value_equal(g1, value, vkey->alpha_beta))
    status = support_fail(err, RP_ERR_VERIFY, "The proof does not verify: the pairing equation does not hold.");
  free(value);
  return status;
}

static rp_status equation(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const rp_pairing_prepared *lines,
                          const g16_g1 *sum, rp_error *err) {
  const g16_vkey *key = &vkey->points;
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  g16_g1 a, x, c;
  memcpy(&a, proof->a, g16_g1_bytes(key->family));
  memcpy(&c, proof->c, g16_g1_bytes(key->family));
  g1->neg(&x, sum);
  g1->neg(&c, &c);
  return pairings(vkey, &a, lines, &x, &c, err);
}

rp_status g16_verify_check_parts(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof,
                                 const uint8_t *public_signals, size_t n_public, rp_error *err) {
  const g16_vkey *key = &vkey->points;
  if (proof->g1 != key->family->g1 || proof->g2 != key->family->g2)
    return support_fail(err, RP_ERR_MISMATCH, "The proof is of another curve than the verification key's, %s.",
                        key->family->name);
  if (n_public != key->n_public)
    return support_fail(err, RP_ERR_MISMATCH, "There are %zu public signals; the verification key is for %" PRIu32 ".",
                        n_public, key->n_public);
  rp_status status = g16_public_check(key->family, public_signals, n_public, err);
  if (status == RP_OK) status = g16_proof_check_reduced(proof, err);
  return status == RP_OK ? g16_proof_check_g1("The proof", proof, err) : status;
}

rp_status g16_verify_check(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                           size_t n_public, rp_error *err) {
  const uint32_t n = vkey->points.n_commitments;
  if (n != 0)
    return support_fail(err, RP_ERR_MISMATCH,
                        "The verification key is for proofs with %" PRIu32 " commitments; rp_gnark_verify takes them.",
                        n);
  return g16_verify_check_parts(vkey, proof, public_signals, n_public, err);
}

rp_status g16_verify_refuse_b(const rp_groth16_proof *proof, rp_error *err) {
  const rp_status status = g16_proof_check_g2("The proof", proof, err);
  return status == RP_OK ? support_fail(err, RP_ERR_INTERNAL, "Two tests of pi_b's subgroup disagree.") : status;
}

rp_status g16_verify_equation(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const g16_g1 *sum,
                              rp_error *err) {
  const rp_curve g1 = vkey->points.family->g1;
  g16_g2 b;
  rp_pairing_prepared *lines = malloc(rp_pairing_prepared_bytes(g1));
  if (!lines) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the lines of a pairing.");
  memcpy(&b, proof->b, g16_g2_bytes(vkey->points.family));
  const rp_status status = rp_pairing_prepare(g1, &b, lines) == RP_OK ? equation(vkey, proof, lines, sum, err)
                                                                      : g16_verify_refuse_b(proof, err);
  free(lines);
  return status;
}

rp_status rp_groth16_verify(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                            size_t n_public, rp_error *err) {
  if (!vkey || !proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_verify: a key, a proof and public signals are needed.");
  const rp_status status = g16_verify_check(vkey, proof, public_signals, n_public, err);
  if (status != RP_OK) return status;
  const g16_vkey *key = &vkey->points;
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  g16_g1 sum;
  if (g16_msm_host(g1, key->ic, public_signals, key->ic + g1->affine_bytes, key->n_public, 256, &sum) != RP_OK)
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for the sum over the public signals.");
  return g16_verify_equation(vkey, proof, &sum, err);
}

rp_status g16_verify_released(rp_status status, const rp_error *why, rp_error *err) {
  if (status == RP_OK) return RP_OK;
  if (status == RP_ERR_MEMORY) return support_fail(err, status, "%s", why->reason);
  if (status == RP_ERR_VERIFY)
    return support_fail(err, status,
                        "The proof does not verify: the witness does not satisfy the circuit, or the key is damaged.");
  return support_fail(
      err, RP_ERR_VERIFY,
      "No proof is released, because it could tell of the witness: %s The key was altered or is damaged; "
      "check all its points.",
      why->reason);
}

rp_status g16_verify_release(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                             size_t n_public, rp_error *err) {
  rp_error why = {0};
  const rp_status status = rp_groth16_verify(vkey, proof, public_signals, n_public, &why);
  return g16_verify_released(status, &why, err);
}
