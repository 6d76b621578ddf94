/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/fail.h"

rp_status g16_proof_write(const rp_groth16_proof *proof, g16_text *text, rp_error *err) {
  const g16_family *family = g16_family_by_g1(proof->g1);
  if (!family || proof->g2 != family->g2)
    return graphs_fail(err, RP_ERR_ARGUMENT, "The proof is of no curve that circom knows.");
  g16_put(text, "{");
  g16_put_member(text, 1, "pi_a");
  g16_put_point(text, family, 1, proof->a, 1);
  g16_put_member(text, 0, "pi_b");
  g16_put_point(text, family, 2, proof->b, 1);
  g16_put_member(text, 0, "pi_c");
  g16_put_point(text, family, 1, proof->c, 1);
  g16_put_member_string(text, 0, "protocol", "groth16");
  g16_put_member_string(text, 0, "curve", family->name);
  g16_put_close(text, "}", 0);
  return g16_put_end(text, err);
}

/* Writes e(alpha, beta) in the tower of snarkjs: 2 times 3 times 2 coefficients. */
static void put_alpha_beta(g16_text *text, const g16_family *family, const uint8_t *coefficient) {
  g16_put_member(text, 0, "vk_alphabeta_12");
  g16_put(text, "[");
  for (int i = 0; i < 2; i++) {
    g16_put_item(text, i == 0, 2);
    g16_put(text, "[");
    for (int j = 0; j < 3; j++) {
      g16_put_item(text, j == 0, 3);
      g16_put_element(text, family, coefficient, 2, 3);
      coefficient += 2 * family->fq_bytes;
    }
    g16_put_close(text, "]", 2);
  }
  g16_put_close(text, "]", 1);
}

rp_status g16_vkey_write(const g16_vkey *vkey, const void *alpha_beta, g16_text *text, rp_error *err) {
  const g16_family *family = vkey->family;
  g16_put(text, "{");
  g16_put_member_string(text, 1, "protocol", "groth16");
  g16_put_member_string(text, 0, "curve", family->name);
  g16_put_member_count(text, 0, "nPublic", vkey->n_public);
  g16_put_member(text, 0, "vk_alpha_1");
  g16_put_point(text, family, 1, &vkey->alpha_1, 1);
  g16_put_member(text, 0, "vk_beta_2");
  g16_put_point(text, family, 2, &vkey->beta_2, 1);
  g16_put_member(text, 0, "vk_gamma_2");
  g16_put_point(text, family, 2, &vkey->gamma_2, 1);
  g16_put_member(text, 0, "vk_delta_2");
  g16_put_point(text, family, 2, &vkey->delta_2, 1);
  if (alpha_beta) put_alpha_beta(text, family, alpha_beta);
  g16_put_member(text, 0, "IC");
  g16_put(text, "[");
  for (uint64_t i = 0; i <= vkey->n_public; i++) {
    g16_put_item(text, i == 0, 2);
    g16_put_point(text, family, 1, vkey->ic + i * g16_g1_bytes(family), 2);
  }
  g16_put_close(text, "]", 1);
  g16_put_close(text, "}", 0);
  return g16_put_end(text, err);
}
