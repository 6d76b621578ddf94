/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round 3: alpha, and the quotient t, coset by coset. The points x with x^(4n) = s^(4n) are four cosets of the domain,
 * on each of which X^n is a constant c, and X^n - 1 another, which is not 0. The quotient is computed point by point;
 * an inverse transform of the n values on a coset gives t modulo X^n - c, which is t_0 + c t_1 + c^2 t_2 + c^3 t_3 if
 * t_m are the coefficients of t from m n on. From four values of c follow the four t_m. Blinding is added to the values
 * of the unblinded polynomials: (b_0 + b_1 x) (c - 1).
 */
#include "builder.h"

#include <reprise/view.h>

#include <string.h>

enum { COSETS = PLONK_COSETS };

/* Constants of the program of a coset; G: blinding, times powers of the shift, times c - 1. */
enum {
  G_A0,
  G_A1,
  G_B0,
  G_B1,
  G_C0,
  G_C1,
  G_Z0,
  G_Z1,
  G_Z2,
  BETA_X, /* beta times the shift, and times k1, k2: at the point shift omega^i, times omega^i */
  BETA_X1,
  BETA_X2,
  BETA,
  GAMMA,
  ALPHA,
  ALPHA_2,
  OVER_ZH, /* 1 / (c - 1) */
  ONE
};
enum { BLINDING = G_Z2 + 1 };
/* Columns. L1: L_1 / (X^n - 1). */
enum { A, B, C, Z, QM, QL, QR, QO, QC, S1, S2, S3, L1, OMEGA, COLUMNS, PI = COLUMNS };
enum { AT_A, AT_B, AT_C, AT_Z, AT_ZW }; /* temporaries: blinded values, at x and at omega x */

#define WIRE(w)                                                                          \
  PLONK_COLUMN(A + (w)), PLONK_CONSTANT(G_A0 + 2 * (w)), PLONK_ADD, PLONK_COLUMN(OMEGA), \
      PLONK_CONSTANT(G_A1 + 2 * (w)), PLONK_MUL, PLONK_ADD, PLONK_STORE(AT_A + (w))
/* `at` is PLONK_COLUMN or PLONK_NEXT. */
#define PERMUTATION(at)                                                                                                \
  at(Z), PLONK_CONSTANT(G_Z0), PLONK_ADD, PLONK_CONSTANT(G_Z2), at(OMEGA), PLONK_MUL, PLONK_CONSTANT(G_Z1), PLONK_ADD, \
      at(OMEGA), PLONK_MUL, PLONK_ADD
#define FACTOR(w, factor, column)                                                                                    \
  PLONK_LOAD(AT_A + (w)), PLONK_CONSTANT(factor), PLONK_COLUMN(column), PLONK_MUL, PLONK_ADD, PLONK_CONSTANT(GAMMA), \
      PLONK_ADD

/* All but the public signals. */
static const rp_expr_code program[] = {
    WIRE(0), WIRE(1), WIRE(2), PERMUTATION(PLONK_COLUMN), PLONK_STORE(AT_Z), PERMUTATION(PLONK_NEXT),
    PLONK_STORE(AT_ZW),
    /* alpha (own factors times z(x) - others' times z(omega x)) */
    FACTOR(0, BETA_X, OMEGA), FACTOR(1, BETA_X1, OMEGA), PLONK_MUL, FACTOR(2, BETA_X2, OMEGA), PLONK_MUL,
    PLONK_LOAD(AT_Z), PLONK_MUL, FACTOR(0, BETA, S1), FACTOR(1, BETA, S2), PLONK_MUL, FACTOR(2, BETA, S3), PLONK_MUL,
    PLONK_LOAD(AT_ZW), PLONK_MUL, PLONK_SUB, PLONK_CONSTANT(ALPHA), PLONK_MUL,
    /* the gates */
    PLONK_LOAD(AT_A), PLONK_LOAD(AT_B), PLONK_MUL, PLONK_COLUMN(QM), PLONK_MUL, PLONK_ADD, PLONK_LOAD(AT_A),
    PLONK_COLUMN(QL), PLONK_MUL, PLONK_ADD, PLONK_LOAD(AT_B), PLONK_COLUMN(QR), PLONK_MUL, PLONK_ADD, PLONK_LOAD(AT_C),
    PLONK_COLUMN(QO), PLONK_MUL, PLONK_ADD, PLONK_COLUMN(QC), PLONK_ADD, PLONK_CONSTANT(OVER_ZH), PLONK_MUL,
    /* alpha^2 (z - 1) L_1 */
    PLONK_LOAD(AT_Z), PLONK_CONSTANT(ONE), PLONK_SUB, PLONK_COLUMN(L1), PLONK_MUL, PLONK_CONSTANT(ALPHA_2), PLONK_MUL,
    PLONK_ADD};
static const rp_expr_code public_signals[] = {PLONK_COLUMN(PI), PLONK_CONSTANT(OVER_ZH), PLONK_MUL, PLONK_ADD};
enum { PROGRAM = sizeof program / sizeof *program, SIGNALS = sizeof public_signals / sizeof *public_signals };

/* What the constants are made of: each coset multiplies them by numbers of its own. */
static rp_value common_constants(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  const rp_value parts[] = {
      rp_slice(g, b->blinding, 0, BLINDING), b->beta, b->beta, b->beta, b->beta, b->gamma, r->alpha,
      rp_mul(g, r->alpha, r->alpha),         b->one,  b->one};
  return rp_concat(g, parts, sizeof parts / sizeof *parts);
}

static rp_value constants_of(plonk_builder *b, const plonk_coset *at, rp_value common) {
  const rp_field_host *fr = b->fr;
  plonk_fr factor[ONE + 1], zh;
  for (int i = 0; i <= ONE; i++) fr->one(&factor[i]);
  fr->sub(&zh, &at->c, &factor[ONE]);
  fr->inv(&factor[OVER_ZH], &zh);
  for (int i = 0; i < BLINDING; i++) {
    const int power = i < G_Z0 ? i % 2 : i - G_Z0;
    factor[i] = zh;
    for (int k = 0; k < power; k++) fr->mul(&factor[i], &factor[i], &at->shift);
  }
  factor[BETA_X] = at->shift;
  fr->mul(&factor[BETA_X1], &at->shift, &b->key->k1);
  fr->mul(&factor[BETA_X2], &at->shift, &b->key->k2);
  return rp_mul(b->g, common, plonk_constant(b, "factors", factor, ONE + 1));
}

/* 1 / (n (x - 1)) */
static rp_value l1_over_zh(plonk_builder *b, const plonk_coset *at) {
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  plonk_fr n = {{b->n}}, scale;
  (void)b->fr->from_canonical(&n, &n);
  b->fr->mul(&scale, &n, &at->shift);
  rp_value x = rp_powers(b->g, plonk_constant(b, "omega", &b->omega, 1), plonk_constant(b, "scale", &scale, 1), b->n);
  return rp_batch_inverse(b->g, rp_sub(b->g, x, plonk_constant(b, "n", &n, 1)), &strict);
}

/* The polynomials whose values are computed in each run: those of the wires and signals; lean: of the key, too. */
static rp_value all_unblinded(plonk_builder *b) {
  rp_value parts[1 + PLONK_KEY_POINTS] = {b->unblinded};
  if (b->kind != PLONK_GRAPH_LEAN) return b->unblinded;
  for (int i = 0; i < PLONK_KEY_POINTS; i++) parts[1 + i] = rp_slice(b->g, b->coef[i], 0, b->n);
  return rp_concat(b->g, parts, 1 + PLONK_KEY_POINTS);
}

/* The quotient modulo X^n - c. */
static rp_value on_coset(plonk_rounds *r, rp_value unblinded, const plonk_coset *at, rp_value common) {
  plonk_builder *b = &r->common;
  const uint32_t own = plonk_n_columns(b), lean = b->kind == PLONK_GRAPH_LEAN;
  rp_value columns[COLUMNS + 1];
  rp_value values = plonk_ntt(b, unblinded, own + (lean ? PLONK_KEY_POINTS : 0), 0, &at->shift);
  for (uint32_t i = 0; i < 3; i++) columns[A + i] = plonk_part(b, values, i, b->n);
  if (own > 3) columns[PI] = plonk_part(b, values, 3, b->n);
  columns[Z] = plonk_ntt(b, b->unblinded_z, 1, 0, &at->shift);
  for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++)
    columns[QM + i] = lean ? plonk_part(b, values, own + i, b->n)
                           : plonk_ntt(b, rp_slice(b->g, b->coef[i], 0, b->n), 1, 0, &at->shift);
  columns[L1] = l1_over_zh(b, at);
  columns[OMEGA] = b->omegas;
  rp_expr_code code[PROGRAM + SIGNALS];
  memcpy(code, program, sizeof program);
  memcpy(code + PROGRAM, public_signals, sizeof public_signals);
  rp_value t = plonk_expr(b, columns, own > 3 ? COLUMNS + 1 : COLUMNS, constants_of(b, at, common), code,
                          own > 3 ? PROGRAM + SIGNALS : PROGRAM);
  return plonk_ntt(b, t, 1, 1, &at->shift);
}

/* t_0 + b_10 X^n, t_1 - b_10 + b_11 X^n, t_2 - b_11 + X^n t_3, of which t_3 has six coefficients. */
static rp_value blinded(plonk_rounds *r, const rp_value t[COSETS]) {
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  const uint64_t n = b->n;
  rp_value b_10 = rp_slice(g, b->blinding, 9, 1), b_11 = rp_slice(g, b->blinding, 10, 1);
  rp_value zeros = rp_slice(g, r->zeros, 0, PLONK_TAU_MORE - 1);
  const rp_value parts[] = {t[0],
                            b_10,
                            zeros,
                            rp_sub(g, rp_slice(g, t[1], 0, 1), b_10),
                            rp_slice(g, t[1], 1, n - 1),
                            b_11,
                            zeros,
                            rp_sub(g, rp_slice(g, t[2], 0, 1), b_11),
                            rp_slice(g, t[2], 1, n - 1),
                            t[3]};
  return rp_concat(g, parts, sizeof parts / sizeof *parts);
}

void plonk_round_3(plonk_rounds *r) {
  static const char *const name[COSETS] = {"coset_0", "coset_1", "coset_2", "coset_3"};
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  plonk_coset cosets[COSETS];
  rp_value modulo[COSETS], ends[COSETS], t[COSETS];
  plonk_cosets(b, cosets);
  rp_scope_begin(g, "round_3");
  const rp_value hashed[] = {plonk_integers_of_elements(b, b->beta), plonk_integers_of_elements(b, b->gamma),
                             plonk_integers_of_points(b, r->round_points[1])};
  r->alpha = plonk_challenge(b, "alpha", hashed, 3);
  rp_value common = common_constants(r), unblinded = all_unblinded(b);
  rp_scope_title(g, "Round 3: quotient");
  for (int k = 0; k < COSETS; k++) {
    rp_scope_begin(g, name[k]);
    rp_scope_title(g, "Quotient on coset %d of %d", k + 1, COSETS);
    modulo[k] = on_coset(r, unblinded, &cosets[k], common);
    ends[k] = rp_slice(g, modulo[k], 0, PLONK_TAU_MORE);
    rp_scope_end(g);
  }
  for (uint32_t m = 0; m < COSETS; m++) t[m] = plonk_coset_part(b, cosets, COSETS, m < COSETS - 1 ? modulo : ends, m);
  r->t = blinded(r, t);
  r->round_points[2] = plonk_commit(b, r->t, 3);
  rp_scope_end(g);
}
