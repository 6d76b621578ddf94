/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * beta and gamma, and Z, the running product of the rows' quotients.
 */
#include "builder.h"

void plonk_permutation_challenges(plonk_builder *b, const plonk_g1 *key, uint32_t n, rp_value commitment) {
  uint64_t hashed[2 * PLONK_KEY_POINTS][4];
  const rp_field_host *fq = rp_field_get(b->key->family->fq);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < 2; k++) fq->to_canonical(hashed[2 * i + k], key[i].limb + 4 * k);
  rp_value parts[3];
  uint32_t n_parts = 0;
  parts[n_parts++] = rp_graph_constant(b->g, "key", &RP_TYPE_U256, 2 * (uint64_t)n, hashed, 0);
  if (b->signals.id) parts[n_parts++] = b->signals;
  parts[n_parts++] = plonk_integers_of_points(b, commitment);
  b->beta = plonk_challenge(b, "beta", parts, n_parts);
  rp_value beta = plonk_integers_of_elements(b, b->beta);
  b->gamma = plonk_challenge(b, "gamma", &beta, 1);
}

enum { BETA, BETA_K1, BETA_K2, GAMMA }; /* constants of the programs */

/* The products of the factors of each row over those of its permuted positions. */
static rp_value quotients(plonk_builder *b, rp_value constants) {
  enum { A, B, C, S1, S2, S3, OMEGA = S1, INVERSE = S2 };
#define FACTOR(w, beta, column) \
  PLONK_COLUMN(w), PLONK_CONSTANT(beta), PLONK_COLUMN(column), PLONK_MUL, PLONK_ADD, PLONK_CONSTANT(GAMMA), PLONK_ADD
  static const rp_expr_code denominator[] = {FACTOR(A, BETA, S1), FACTOR(B, BETA, S2), PLONK_MUL, FACTOR(C, BETA, S3),
                                             PLONK_MUL};
  static const rp_expr_code quotient[] = {FACTOR(A, BETA, OMEGA),
                                          FACTOR(B, BETA_K1, OMEGA),
                                          PLONK_MUL,
                                          FACTOR(C, BETA_K2, OMEGA),
                                          PLONK_MUL,
                                          PLONK_COLUMN(INVERSE),
                                          PLONK_MUL};
#undef FACTOR
  rp_value columns[6], sigma[PLONK_PERMUTATIONS];
  for (uint32_t i = 0; i < 3; i++) {
    columns[i] = plonk_part(b, b->wires, i, b->n);
    sigma[i] = plonk_ntt(b, rp_slice(b->g, b->coef[PLONK_KEY_S1 + i], 0, b->n), 1, 0, NULL);
    columns[S1 + i] = sigma[i];
  }
  rp_value below = PLONK_EXPR(b, columns, constants, denominator);
  columns[OMEGA] = b->omegas;
  columns[INVERSE] = rp_batch_inverse(b->g, below,
                                      &(rp_batch_inverse_options){.struct_size = sizeof(rp_batch_inverse_options),
                                                                  .zero = RP_ZERO_STRICT,
                                                                  .constant_time = 1});
  return plonk_expr(b, columns, INVERSE + 1, constants, quotient, sizeof quotient / sizeof *quotient);
}

void plonk_permutation(plonk_builder *b) {
  plonk_fr k[3] = {{{0}}, b->key->k1, b->key->k2};
  b->fr->one(&k[0]);
  const rp_value constants[] = {rp_mul(b->g, plonk_constant(b, "shifts", k, 3), b->beta), b->gamma};
  rp_value z = rp_prefix_product(b->g, quotients(b, rp_concat(b->g, constants, 2)), 1);
  b->unblinded_z = plonk_ntt(b, z, 1, 1, NULL);
}
