/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/fail.h"

rp_status g16_proof_write(const rp_groth16_proof *proof, support_text *text, rp_error *err) {
  const g16_family *family = g16_family_by_g1(proof->g1);
  if (!family || proof->g2 != family->g2)
    return support_fail(err, RP_ERR_ARGUMENT, "The proof is of no curve that circom knows.");
  support_put(text, "{");
  support_put_member(text, 1, "pi_a");
  g16_put_point(text, family, 1, proof->a, 1);
  support_put_member(text, 0, "pi_b");
  g16_put_point(text, family, 2, proof->b, 1);
  support_put_member(text, 0, "pi_c");
  g16_put_point(text, family, 1, proof->c, 1);
  support_put_member_string(text, 0, "protocol", "groth16");
  support_put_member_string(text, 0, "curve", family->name);
  support_put_close(text, "}", 0);
  return support_put_end(text, err);
}

/* Writes e(alpha, beta) in the tower of snarkjs: 2 times 3 times 2 coefficients. */
static void put_alpha_beta(support_text *text, const g16_family *family, const uint8_t *coefficient) {
  support_put_member(text, 0, "vk_alphabeta_12");
  support_put(text, "[");
  for (int i = 0; i < 2; i++) {
    support_put_item(text, i == 0, 2);
    support_put(text, "[");
    for (int j = 0; j < 3; j++) {
      support_put_item(text, j == 0, 3);
      g16_put_element(text, family, coefficient, 2, 3);
      coefficient += 2 * family->fq_bytes;
    }
    support_put_close(text, "]", 2);
  }
  support_put_close(text, "]", 1);
}

rp_status g16_vkey_write(const g16_vkey *vkey, const void *alpha_beta, support_text *text, rp_error *err) {
  const g16_family *family = vkey->family;
  support_put(text, "{");
  support_put_member_string(text, 1, "protocol", "groth16");
  support_put_member_string(text, 0, "curve", family->name);
  support_put_member_count(text, 0, "nPublic", vkey->n_public);
  support_put_member(text, 0, "vk_alpha_1");
  g16_put_point(text, family, 1, &vkey->alpha_1, 1);
  support_put_member(text, 0, "vk_beta_2");
  g16_put_point(text, family, 2, &vkey->beta_2, 1);
  support_put_member(text, 0, "vk_gamma_2");
  g16_put_point(text, family, 2, &vkey->gamma_2, 1);
  support_put_member(text, 0, "vk_delta_2");
  g16_put_point(text, family, 2, &vkey->delta_2, 1);
  if (alpha_beta) put_alpha_beta(text, family, alpha_beta);
  support_put_member(text, 0, "IC");
  support_put(text, "[");
  for (uint64_t i = 0; i <= vkey->n_public; i++) {
    support_put_item(text, i == 0, 2);
    g16_put_point(text, family, 1, vkey->ic + i * g16_g1_bytes(family), 2);
  }
  support_put_close(text, "]", 1);
  support_put_close(text, "}", 0);
  return support_put_end(text, err);
}
