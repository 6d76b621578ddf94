/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * e(A, B) = e(alpha, beta) e(K[0] + sum x_i K[i] + sum challenge_i K[n_public + 1 + i] + sum D_i, gamma) e(C, delta),
 * and e(knowledge, G) prod e(f^i D_i, -sigma_i G) = 1.
 */
#include "gnark.h"

#include "formats/fail.h"
#include "groth16/formats/gnark_proof.h"
#include "msm_host.h"

#include <inttypes.h>
#include <stdlib.h>

enum { VALUE_BYTES = 32 };

uint32_t rp_gnark_vkey_n_commitments(const rp_groth16_vkey *vkey) {
  return vkey ? g16_vkey_points(vkey)->n_commitments : 0;
}

/* Checks that a point of a proof is reduced, on the curve, and in the subgroup. */
static rp_status check_point(const g16_family *family, const uint8_t *bytes, const char *what, rp_error *err) {
  const rp_curve_host *g1 = rp_curve_get(family->g1);
  const uint8_t *q = rp_field_get(family->fq)->modulus_le;
  g16_g1 point;
  memcpy(&point, bytes, g1->affine_bytes);
  for (uint32_t at = 0; at < g1->affine_bytes; at += family->fq_bytes)
    if (!g16_below(bytes + at, q, family->fq_bytes))
      return support_fail(err, RP_ERR_INPUT, "A coordinate of %s is not below the prime q.", what);
  if (!g1->on_curve(&point)) return support_fail(err, RP_ERR_INPUT, "The proof: %s is not on the curve.", what);
  if (!g1->in_subgroup(&point)) return support_fail(err, RP_ERR_INPUT, "The proof: %s is not in the subgroup.", what);
  return RP_OK;
}

static rp_status check_commitments(const g16_vkey *key, const rp_gnark_proof *proof, rp_error *err) {
  if (proof->n_commitments != key->n_commitments)
    return support_fail(err, RP_ERR_MISMATCH,
                        "The proof has %" PRIu32 " commitments; the verification key is for %" PRIu32 ".",
                        proof->n_commitments, key->n_commitments);
  rp_status status = check_point(key->family, proof->knowledge, "the proof of knowledge", err);
  for (uint32_t i = 0; i < key->n_commitments && status == RP_OK; i++)
    status = check_point(key->family, proof->commitment[i], "a commitment", err);
  if (status == RP_OK && key->n_commitments == 0 && !g16_is_infinity(proof->knowledge, g16_g1_bytes(key->family)))
    status = support_fail(err, RP_ERR_VERIFY,
                          "The proof does not verify: it has a proof of knowledge, and no commitment that it is for.");
  return status;
}

static rp_status check_knowledge(const g16_vkey *key, const rp_gnark_proof *proof, const uint8_t *challenges,
                                 rp_error *err) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  const rp_field_host *fr = rp_field_get(key->family->fr);
  const void *p[RP_GNARK_MAX_COMMITMENTS + 1], *q[RP_GNARK_MAX_COMMITMENTS + 1];
  g16_g1 point[RP_GNARK_MAX_COMMITMENTS + 1];
  uint64_t factor[4], power[4], canonical[4];
  const uint32_t n = key->n_commitments;
  if (n == 0) return RP_OK;
  g16_gnark_fold_factor(key->family, challenges, n, (uint8_t *)canonical);
  fr->from_bytes_reduce(factor, (const uint8_t *)canonical, sizeof canonical);
  fr->one(power);
  for (uint32_t i = 0; i < n; i++) {
    fr->to_canonical(canonical, power);
    memcpy(&point[i], proof->commitment[i], g1->affine_bytes);
    g1->mul(&point[i], &point[i], (const uint8_t *)canonical);
    fr->mul(power, power, factor);
    p[i] = &point[i];
    q[i] = &key->commitment[i].g_sigma_neg;
  }
  memcpy(&point[n], proof->knowledge, g1->affine_bytes);
  p[n] = &point[n];
  q[n] = &key->commitment[0].g;
  if (rp_pairing_product_is_one(key->family->g1, n + 1, p, q)) return RP_OK;
  return support_fail(err, RP_ERR_VERIFY, "The proof does not verify: the proof of knowledge does not hold.");
}

/* The sum over K, with the commitments. */
static rp_status input_sum(const g16_vkey *key, const rp_gnark_proof *proof, const uint8_t *public_signals,
                           const uint8_t *challenges, g16_g1 *sum, rp_error *err) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  const uint32_t bytes = g1->affine_bytes;
  const uint8_t *behind = key->ic + ((uint64_t)key->n_public + 1) * bytes;
  rp_status status = g16_msm_host(g1, key->ic, public_signals, key->ic + bytes, key->n_public, 256, sum);
  if (status == RP_OK) status = g16_msm_host(g1, sum, challenges, behind, key->n_commitments, 256, sum);
  if (status != RP_OK) return support_fail(err, RP_ERR_MEMORY, "Out of memory for the sum over the public signals.");
  for (uint32_t i = 0; i < key->n_commitments; i++) {
    g16_g1 point;
    memcpy(&point, proof->commitment[i], bytes);
    g1->add(sum, sum, &point);
  }
  return RP_OK;
}

rp_status rp_gnark_verify(const rp_groth16_vkey *vkey, const rp_gnark_proof *proof, const uint8_t *public_signals,
                          size_t n_public, rp_error *err) {
  if (!vkey || !proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_verify: a key, a proof and public signals are needed.");
  const g16_vkey *key = g16_vkey_points(vkey);
  uint8_t challenges[RP_GNARK_MAX_COMMITMENTS * VALUE_BYTES];
  g16_g1 sum;
  rp_status status = g16_verify_check_parts(vkey, &proof->groth16, public_signals, n_public, err);
  if (status == RP_OK) status = check_commitments(key, proof, err);
  if (status == RP_OK) status = g16_gnark_challenges(key, proof, public_signals, challenges, err);
  if (status == RP_OK) status = input_sum(key, proof, public_signals, challenges, &sum, err);
  if (status == RP_OK) status = g16_verify_equation(vkey, &proof->groth16, &sum, err);
  return status == RP_OK ? check_knowledge(key, proof, challenges, err) : status;
}

rp_status g16_gnark_release(const rp_groth16_vkey *vkey, const rp_gnark_proof *proof, const uint8_t *public_signals,
                            size_t n_public, rp_error *err) {
  rp_error why = {0};
  const rp_status status = rp_gnark_verify(vkey, proof, public_signals, n_public, &why);
  return g16_verify_released(status, &why, err);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

rp_status rp_gnark_vkey_from_bytes(rp_context *context, const void *data, size_t bytes, rp_groth16_vkey **vkey,
                                   rp_error *err) {
  static const char name[] = "The verifying key";
  if (!vkey) return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_vkey_from_bytes: vkey is NULL.");
  *vkey = NULL;
  if (!context || !data)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_vkey_from_bytes: context or data is NULL.");
  support_file *file = NULL;
  g16_vkey points;
  rp_status status = rp_context_check(context, err);
  if (status == RP_OK) status = support_file_wrap(name, data, bytes, &file, err);
  if (status == RP_OK) status = g16_gnark_vkey_read(file, &points, err);
  support_file_close(file);
  return status == RP_OK ? g16_vkey_take(name, &points, 0, vkey, err) : status;
}

rp_status rp_gnark_proof_from_bytes(const void *data, size_t bytes, rp_gnark_proof *proof, rp_error *err) {
  if (!data || !proof) return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_proof_from_bytes: data or proof is NULL.");
  support_file *file;
  rp_status status = support_file_wrap("The proof", data, bytes, &file, err);
  if (status != RP_OK) return status;
  status = g16_gnark_proof_read(file, proof, err);
  support_file_close(file);
  return status;
}

rp_status rp_gnark_proof_to_bytes(const rp_gnark_proof *proof, rp_gnark_form form, void *out, size_t capacity,
                                  size_t *bytes, rp_error *err) {
  if (bytes) *bytes = 0;
  if (!proof || !bytes || (capacity != 0 && !out) || (unsigned)form > RP_GNARK_COMPRESSED)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "rp_gnark_proof_to_bytes: proof, bytes or out is NULL, or form is unknown.");
  *bytes = g16_gnark_proof_write(proof, form, NULL);
  if (*bytes == 0)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "rp_gnark_proof_to_bytes: the proof is of no curve that gnark's files have.");
  if (*bytes > capacity)
    return support_fail(err, RP_ERR_BUFFER_TOO_SMALL, "The proof takes %zu bytes, there is room for %zu.", *bytes,
                        capacity);
  (void)g16_gnark_proof_write(proof, form, out);
  return RP_OK;
}

rp_status rp_gnark_public_from_bytes(const void *data, size_t bytes, uint8_t *public_signals, size_t capacity,
                                     size_t *n, rp_error *err) {
  if (!data || !n || (capacity != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_gnark_public_from_bytes: data, n or public_signals is NULL.");
  support_file *file;
  g16_gnark_witness witness;
  *n = 0;
  rp_status status = support_file_wrap("The witness", data, bytes, &file, err);
  if (status != RP_OK) return status;
  status = g16_gnark_witness_open(file, &witness, err);
  if (status == RP_OK) *n = witness.n_public;
  if (status == RP_OK) status = g16_gnark_witness_read(file, 0, *n < capacity ? *n : capacity, public_signals, err);
  support_file_close(file);
  return status;
}

rp_status rp_gnark_public_to_bytes(const uint8_t *public_signals, size_t n_public, void *out, size_t capacity,
                                   size_t *bytes, rp_error *err) {
  if (bytes) *bytes = 0;
  if (!bytes || (n_public != 0 && !public_signals) || (capacity != 0 && !out) || n_public > UINT32_MAX)
    return support_fail(
        err, RP_ERR_ARGUMENT,
        "rp_gnark_public_to_bytes: bytes, public_signals or out is NULL, or n_public is above 2^32 - 1.");
  *bytes = 12 + n_public * VALUE_BYTES;
  if (*bytes > capacity)
    return support_fail(err, RP_ERR_BUFFER_TOO_SMALL, "The witness takes %zu bytes, there is room for %zu.", *bytes,
                        capacity);
  g16_gnark_public_write(public_signals, (uint32_t)n_public, out);
  return RP_OK;
}
