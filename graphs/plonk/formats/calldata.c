/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "formats/calldata.h"

#include "formats/fail.h"
#include "vkey.h"

static rp_status check(const rp_plonk_proof *proof, const uint8_t *signals, size_t n, rp_error *err) {
  const uint8_t *bytes = (const uint8_t *)proof;
  rp_status status = plonk_proof_check("The proof", proof, err);
  for (int i = 0; i < PLONK_PROOF_POINTS && status == RP_OK; i++)
    if (g16_is_infinity(bytes + plonk_proof_point[i].offset, 64)) /* snarkjs would print 0 and 1, which is no point */
      status = graphs_fail(err, RP_ERR_INPUT, "The proof: %s is the point at infinity, which no calldata is made of.",
                           plonk_proof_point[i].name);
  return status == RP_OK ? g16_public_check(g16_family_by_g1(proof->g1), signals, n, err) : status;
}

rp_status rp_plonk_calldata(const rp_plonk_proof *proof, const uint8_t *public_signals, size_t n_public, char *text,
                            size_t capacity, size_t *bytes, rp_error *err) {
  const uint8_t *from = (const uint8_t *)proof;
  g16_text all = {0};
  if (bytes) *bytes = 0;
  if (!proof || (n_public != 0 && !public_signals))
    return graphs_fail(err, RP_ERR_ARGUMENT, "rp_plonk_calldata: proof or public_signals is NULL.");
  const rp_status status = check(proof, public_signals, n_public, err);
  if (status != RP_OK) return status;
  for (int i = 0; i < PLONK_PROOF_POINTS; i++) {
    const uint8_t *point = from + plonk_proof_point[i].offset;
    g16_put(&all, i == 0 ? "[" : ",");
    g16_put_coordinate_word(&all, "\"", point);
    g16_put(&all, i == 0 ? ", " : ","); /* the one blank that snarkjs prints */
    g16_put_coordinate_word(&all, "\"", point + 32);
  }
  for (int i = 0; i < PLONK_PROOF_SCALARS; i++) {
    g16_put(&all, ",");
    g16_put_word(&all, "\"", from + plonk_proof_scalar[i].offset);
  }
  g16_put(&all, "]"); /* snarkjs prints no comma here */
  g16_put_words(&all, "\"", public_signals, n_public);
  return g16_text_give(g16_put_end(&all, err), &all, text, capacity, bytes, err);
}
