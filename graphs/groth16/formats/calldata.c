/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "formats/calldata.h"

#include "formats/fail.h"
#include "json.h"

/* A contract takes infinity as two zeros; snarkjs would print 0 and 1, which is not a point. */
static rp_status check_finite(const rp_groth16_proof *proof, rp_error *err) {
  static const char *const name[] = {"pi_a", "pi_b", "pi_c"};
  const uint8_t *const point[] = {proof->a, proof->b, proof->c};
  for (int i = 0; i < 3; i++)
    if (g16_is_infinity(point[i], i == 1 ? 128 : 64))
      return support_fail(err, RP_ERR_INPUT, "The proof: %s is the point at infinity, which no calldata is made of.",
                          name[i]);
  return RP_OK;
}

static rp_status check(const rp_groth16_proof *proof, const uint8_t *signals, size_t n, rp_error *err) {
  const g16_family *bn254 = g16_family_by_g1(RP_CURVE_BN254_G1);
  if (proof->g1 != bn254->g1 || proof->g2 != bn254->g2)
    return support_fail(err, RP_ERR_MISMATCH, "The proof is not over bn128, the only curve of Solidity verifiers.");
  rp_status status = g16_proof_check_reduced(proof, err);
  if (status == RP_OK) status = g16_proof_check("The proof", proof, err);
  if (status == RP_OK) status = check_finite(proof, err);
  return status == RP_OK ? g16_public_check(bn254, signals, n, err) : status;
}

/* [first, second]: an element of Fq2 has its imaginary part first (EIP-197). */
static void put_pair(support_text *text, const uint8_t *first, const uint8_t *second) {
  support_put(text, "[");
  g16_put_coordinate_word(text, "\"", first);
  support_put(text, ", ");
  g16_put_coordinate_word(text, "\"", second);
  support_put(text, "]");
}

rp_status rp_groth16_calldata(const rp_groth16_proof *proof, const uint8_t *public_signals, size_t n_public, char *text,
                              size_t capacity, size_t *bytes, rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_calldata: proof or public_signals is NULL.");
  const rp_status status = check(proof, public_signals, n_public, err);
  if (status != RP_OK) return status;
  put_pair(&all, proof->a, proof->a + 32);
  support_put(&all, ",[");
  put_pair(&all, proof->b + 32, proof->b);
  support_put(&all, ",");
  put_pair(&all, proof->b + 96, proof->b + 64);
  support_put(&all, "],");
  put_pair(&all, proof->c, proof->c + 32);
  support_put(&all, ",");
  g16_put_words(&all, "\"", public_signals, n_public);
  return support_text_give(support_put_end(&all, err), &all, text, capacity, bytes, err);
}
