/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round 2: z, and the quotients by X^n - 1 of its two equations. t1 is (z - 1) L_1 / (X^n - 1) = (z - 1) / (n (X - 1)),
 * a division by X - 1. t2, of at most 3n coefficients, follows from its values on three cosets of the domain, where z's
 * blinding, (b_9 + b_8 x + b_7 x^2) (x^n - 1), is added to the values of the unblinded polynomial.
 */
#include "builder.h"

#include <reprise/view.h>

/* Columns, constants and temporaries of the program of a coset; G: blinding, times powers of the shift, times c - 1. */
enum { A, B, C, Z, S1, S2, S3, OMEGA, COLUMNS };
enum { G_Z0, G_Z1, G_Z2, BETA_X, BETA_X1, BETA_X2, BETA, GAMMA, OVER_ZH };
enum { BLINDING = 3, FIRST_OF_Z = 3 * FFLONK_BLINDED_ROWS };

/* `at` is PLONK_COLUMN or PLONK_NEXT. */
#define BLINDED_Z(at)                                                                                                  \
  at(Z), PLONK_CONSTANT(G_Z0), PLONK_ADD, PLONK_CONSTANT(G_Z2), at(OMEGA), PLONK_MUL, PLONK_CONSTANT(G_Z1), PLONK_ADD, \
      at(OMEGA), PLONK_MUL, PLONK_ADD
#define FACTOR(w, factor, column) \
  PLONK_COLUMN(w), PLONK_CONSTANT(factor), PLONK_COLUMN(column), PLONK_MUL, PLONK_ADD, PLONK_CONSTANT(GAMMA), PLONK_ADD
static const rp_expr_code program[] = {FACTOR(A, BETA_X, OMEGA),
                                       FACTOR(B, BETA_X1, OMEGA),
                                       PLONK_MUL,
                                       FACTOR(C, BETA_X2, OMEGA),
                                       PLONK_MUL,
                                       BLINDED_Z(PLONK_COLUMN),
                                       PLONK_MUL,
                                       FACTOR(A, BETA, S1),
                                       FACTOR(B, BETA, S2),
                                       PLONK_MUL,
                                       FACTOR(C, BETA, S3),
                                       PLONK_MUL,
                                       BLINDED_Z(PLONK_NEXT),
                                       PLONK_MUL,
                                       PLONK_SUB,
                                       PLONK_CONSTANT(OVER_ZH),
                                       PLONK_MUL};

static rp_value constants_of(fflonk_rounds *r, const plonk_coset *at) {
  plonk_builder *b = &r->common;
  const rp_field_host *fr = b->fr;
  plonk_fr blinding[BLINDING], x[3] = {at->shift}, over;
  fr->one(&over);
  fr->sub(&blinding[0], &at->c, &over);
  fr->inv(&over, &blinding[0]);
  for (int i = 1; i < BLINDING; i++) fr->mul(&blinding[i], &blinding[i - 1], &at->shift);
  fr->mul(&x[1], &at->shift, &b->key->k1);
  fr->mul(&x[2], &at->shift, &b->key->k2);
  rp_graph *g = b->g;
  const rp_value parts[] = {
      rp_mul(g, rp_slice(g, b->blinding, FIRST_OF_Z, BLINDING), plonk_constant(b, "blinding", blinding, BLINDING)),
      rp_mul(g, plonk_constant(b, "shifts", x, 3), b->beta), b->beta, b->gamma, plonk_constant(b, "over_zh", &over, 1)};
  return rp_concat(g, parts, sizeof parts / sizeof *parts);
}

/* The wires, z and, in the lean graph, the permutations on a coset. */
static void columns_on(fflonk_rounds *r, const plonk_coset *at, rp_value wires, rp_value columns[COLUMNS]) {
  plonk_builder *b = &r->common;
  rp_value parts[2 + PLONK_PERMUTATIONS] = {rp_slice(b->g, b->unblinded, 0, 3 * b->n), b->unblinded_z};
  const uint32_t lean = b->kind == PLONK_GRAPH_LEAN, own = wires.id ? 1 : 4;
  for (uint32_t i = 0; i < PLONK_PERMUTATIONS; i++) parts[2 + i] = b->coef[PLONK_KEY_S1 + i];
  rp_value x = rp_concat(b->g, wires.id ? parts + 1 : parts, (wires.id ? 1 : 2) + (lean ? PLONK_PERMUTATIONS : 0));
  rp_value values = plonk_ntt(b, x, own + (lean ? PLONK_PERMUTATIONS : 0), 0, &at->shift);
  for (uint32_t i = 0; i < 3; i++) columns[A + i] = plonk_part(b, wires.id ? wires : values, i, b->n);
  columns[Z] = plonk_part(b, values, own - 1, b->n);
  for (uint32_t i = 0; i < PLONK_PERMUTATIONS; i++)
    columns[S1 + i] =
        lean ? plonk_part(b, values, own + i, b->n) : plonk_ntt(b, b->coef[PLONK_KEY_S1 + i], 1, 0, &at->shift);
  columns[OMEGA] = b->omegas;
}

static rp_value quotient(fflonk_rounds *r) {
  static const char *const name[FFLONK_T2_COSETS] = {"coset_0", "coset_1", "coset_2"};
  plonk_builder *b = &r->common;
  plonk_coset cosets[PLONK_COSETS];
  rp_value modulo[FFLONK_T2_COSETS], t2[FFLONK_T2_COSETS], columns[COLUMNS];
  plonk_cosets(b, cosets);
  for (uint32_t k = 0; k < FFLONK_T2_COSETS; k++) {
    rp_scope_begin(b->g, name[k]);
    rp_scope_title(b->g, "Permutation on coset %u of %d", k + 1, FFLONK_T2_COSETS);
    columns_on(r, &cosets[k], k < FFLONK_T0_COSETS ? r->wires_on[k] : RP_NO_VALUE, columns);
    rp_value t = PLONK_EXPR(b, columns, constants_of(r, &cosets[k]), program);
    modulo[k] = plonk_ntt(b, t, 1, 1, &cosets[k].shift);
    rp_scope_end(b->g);
  }
  for (uint32_t m = 0; m < FFLONK_T2_COSETS; m++) t2[m] = plonk_coset_part(b, cosets, FFLONK_T2_COSETS, modulo, m);
  return rp_concat(b->g, t2, FFLONK_T2_COSETS);
}

/* z(X) + (b_9 + b_8 X + b_7 X^2) (X^n - 1) */
static rp_value blinded(plonk_builder *b) {
  rp_graph *g = b->g;
  rp_value by = rp_slice(g, b->blinding, FIRST_OF_Z, BLINDING);
  const rp_value parts[] = {rp_sub(g, rp_slice(g, b->unblinded_z, 0, BLINDING), by),
                            rp_slice(g, b->unblinded_z, BLINDING, b->n - BLINDING), by};
  return rp_concat(g, parts, 3);
}

void fflonk_round_2(fflonk_rounds *r) {
  plonk_builder *b = &r->common;
  rp_value parts[PLONK_KEY_POINTS];
  plonk_fr over_n = {{b->n}};
  (void)b->fr->from_canonical(&over_n, &over_n);
  b->fr->inv(&over_n, &over_n);
  rp_scope_begin(b->g, "round_2");
  rp_scope_title(b->g, "Round 2: permutation product and its quotients");
  plonk_permutation_challenges(b, &((const rp_fflonk_key *)b->key)->vk.c0, 1, r->c1);
  plonk_permutation(b);
  r->z = blinded(b);
  r->t1 = rp_mul(b->g, rp_poly_divide(b->g, r->z, b->one), plonk_constant(b, "over_n", &over_n, 1));
  r->t2 = quotient(r);
  fflonk_parts_of(r, 2, parts);
  r->c[2] = fflonk_combine_parts(r, 2, parts, 0);
  r->c2 = plonk_commit(b, r->c[2], 1);
  rp_scope_end(b->g);
}
