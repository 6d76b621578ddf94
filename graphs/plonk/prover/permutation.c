/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round 2: beta and gamma, and Z, the running product of the rows' quotients.
 */
#include "builder.h"

/* beta and gamma, from the key, the public signals and the commitments to the wires. */
static void challenges(plonk_builder *b) {
  rp_graph *g = b->g;
  uint64_t key[2 * PLONK_KEY_POINTS][4];
  const rp_field_host *fq = rp_field_get(b->key->vk.family->fq);
  for (int i = 0; i < PLONK_KEY_POINTS; i++)
    for (int k = 0; k < 2; k++) fq->to_canonical(key[2 * i + k], b->key->vk.point[i].limb + 4 * k);
  rp_value parts[3];
  uint32_t n = 0;
  parts[n++] = rp_graph_constant(g, "key", &RP_TYPE_U256, 2 * PLONK_KEY_POINTS, key, 0);
  if (b->signals.id) parts[n++] = b->signals;
  parts[n++] = plonk_integers_of_points(b, b->round_points[0]);
  b->beta = plonk_challenge(b, "beta", parts, n);
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

/* z(X) + (b_9 + b_8 X + b_7 X^2) (X^n - 1) */
static rp_value blinded(plonk_builder *b) {
  rp_graph *g = b->g;
  rp_value by = rp_slice(g, b->blinding, 6, 3);
  const rp_value parts[] = {rp_sub(g, rp_slice(g, b->unblinded_z, 0, 3), by), rp_slice(g, b->unblinded_z, 3, b->n - 3),
                            by, rp_slice(g, b->zeros, 0, PLONK_TAU_MORE - 3)};
  return rp_concat(g, parts, 4);
}

void plonk_round_2(plonk_builder *b) {
  rp_graph *g = b->g;
  plonk_fr k[3] = {{{0}}, b->key->vk.k1, b->key->vk.k2};
  b->fr->one(&k[0]);
  rp_scope_begin(g, "round_2");
  challenges(b);
  const rp_value constants[] = {rp_mul(g, plonk_constant(b, "shifts", k, 3), b->beta), b->gamma};
  rp_value z = rp_prefix_product(g, quotients(b, rp_concat(g, constants, 2)), 1);
  b->unblinded_z = plonk_ntt(b, z, 1, 1, NULL);
  b->z = blinded(b);
  b->round_points[1] = plonk_commit(b, b->z, 1);
  rp_scope_end(g);
}
