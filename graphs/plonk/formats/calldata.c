/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "calldata.h"

#include "formats/fail.h"

rp_status plonk_check_finite(const void *proof, const plonk_element *point, int n_points, rp_error *err) {
  for (int i = 0; i < n_points; i++)
    if (g16_is_infinity((const uint8_t *)proof + point[i].offset, 64))
      return support_fail(err, RP_ERR_INPUT, "The proof: %s is the point at infinity, which no calldata is made of.",
                          point[i].name);
  return RP_OK;
}

void plonk_put_calldata(support_text *text, const char *mark, const void *proof, const plonk_element *point,
                        int n_points, const plonk_element *scalar, int n_scalars) {
  const uint8_t *from = proof;
  for (int i = 0; i < n_points; i++) {
    const uint8_t *x = from + point[i].offset;
    support_put(text, i == 0 ? "[" : ",");
    g16_put_coordinate_word(text, mark, x);
    support_put(text, i == 0 ? ", " : ","); /* the one blank that snarkjs prints */
    g16_put_coordinate_word(text, mark, x + 32);
  }
  for (int i = 0; i < n_scalars; i++) {
    support_put(text, ",");
    g16_put_word(text, mark, from + scalar[i].offset);
  }
  support_put(text, "]");
}

rp_status rp_plonk_calldata(const rp_plonk_proof *proof, const uint8_t *public_signals, size_t n_public, char *text,
                            size_t capacity, size_t *bytes, rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_calldata: proof or public_signals is NULL.");
  rp_status status = plonk_proof_check("The proof", proof, err);
  if (status == RP_OK) status = plonk_check_finite(proof, plonk_proof_point, PLONK_PROOF_POINTS, err);
  if (status == RP_OK) status = g16_public_check(g16_family_by_g1(proof->g1), public_signals, n_public, err);
  if (status != RP_OK) return status;
  plonk_put_calldata(&all, "\"", proof, plonk_proof_point, PLONK_PROOF_POINTS, plonk_proof_scalar, PLONK_PROOF_SCALARS);
  g16_put_words(&all, "\"", public_signals, n_public); /* snarkjs prints no comma before it */
  return support_text_give(support_put_end(&all, err), &all, text, capacity, bytes, err);
}
