/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rounds 4 and 5: xi and the evaluations; v, the linearisation, and the openings at xi and at xi omega. A quotient by
 * X - x does not depend on the constant coefficient, so that the constants of the linearisation, the public signals'
 * among them, and the values that are opened need not be subtracted.
 */
#include "builder.h"

#include <reprise/view.h>

void plonk_round_4(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  rp_scope_begin(g, "round_4");
  rp_scope_title(g, "Round 4: values at the challenge");
  const rp_value hashed[] = {plonk_integers_of_elements(b, r->alpha), plonk_integers_of_points(b, r->round_points[2])};
  b->xi = plonk_challenge(b, "xi", hashed, 2);
  b->xi_omega = rp_mul(g, b->xi, plonk_constant(b, "omega", &b->omega, 1));
  const rp_value opened[] = {plonk_part(b, r->abc, 0, r->len), plonk_part(b, r->abc, 1, r->len),
                             plonk_part(b, r->abc, 2, r->len), b->coef[PLONK_KEY_S1], b->coef[PLONK_KEY_S2]};
  for (int i = 0; i < PLONK_EVAL_ZW; i++) r->eval[i] = rp_poly_eval(g, opened[i], b->xi);
  r->eval[PLONK_EVAL_ZW] = rp_poly_eval(g, r->z, b->xi_omega);
  r->evaluations = plonk_integers_of_elements(b, rp_concat(g, r->eval, PLONK_PROOF_SCALARS));
  rp_scope_end(g);
}

/* ---- The coefficients of the linearisation: programs over single elements ---------------------------------------- */

enum { A, B, C, S1, S2, ZW, BETA, GAMMA, ALPHA, XI, XI_N, K1, K2, ONE, N, OVER, SINGLES };

#define FACTOR(w, s) \
  PLONK_COLUMN(w), PLONK_COLUMN(BETA), PLONK_COLUMN(s), PLONK_MUL, PLONK_ADD, PLONK_COLUMN(GAMMA), PLONK_ADD

static rp_value xi_to_n(plonk_builder *b) {
  rp_expr_code code[1 + 32] = {PLONK_COLUMN(0)};
  const rp_expr_code square = PLONK_SQR;
  const uint32_t log_n = b->key->log_domain;
  for (uint32_t i = 0; i < log_n; i++) code[1 + i] = square;
  return plonk_expr(b, &b->xi, 1, RP_NO_VALUE, code, 1 + log_n);
}

/* 1 / (n (xi - 1)), a fault of the run if xi is 1. It does not wait for the evaluations. */
static rp_value over(plonk_builder *b, rp_value n) {
  enum { POINT, UNIT, LENGTH };
  static const rp_expr_code code[] = {PLONK_COLUMN(POINT), PLONK_COLUMN(UNIT), PLONK_SUB, PLONK_COLUMN(LENGTH),
                                      PLONK_MUL};
  const rp_value columns[] = {b->xi, b->one, n};
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  return rp_batch_inverse(b->g, PLONK_EXPR(b, columns, RP_NO_VALUE, code), &strict);
}

/* alpha (a + beta xi + gamma) (b + beta k1 xi + gamma) (c + beta k2 xi + gamma) + alpha^2 L_1(xi) */
static const rp_expr_code of_z[] = {
    PLONK_COLUMN(BETA),  PLONK_COLUMN(XI),  PLONK_MUL,           PLONK_STORE(0),      PLONK_COLUMN(A),
    PLONK_LOAD(0),       PLONK_ADD,         PLONK_COLUMN(GAMMA), PLONK_ADD,           PLONK_COLUMN(B),
    PLONK_LOAD(0),       PLONK_COLUMN(K1),  PLONK_MUL,           PLONK_ADD,           PLONK_COLUMN(GAMMA),
    PLONK_ADD,           PLONK_MUL,         PLONK_COLUMN(C),     PLONK_LOAD(0),       PLONK_COLUMN(K2),
    PLONK_MUL,           PLONK_ADD,         PLONK_COLUMN(GAMMA), PLONK_ADD,           PLONK_MUL,
    PLONK_COLUMN(XI_N),  PLONK_COLUMN(ONE), PLONK_SUB,           PLONK_COLUMN(OVER),  PLONK_MUL,
    PLONK_COLUMN(ALPHA), PLONK_MUL,         PLONK_ADD,           PLONK_COLUMN(ALPHA), PLONK_MUL};
/* -alpha beta z(xi omega) (a + beta s1 + gamma) (b + beta s2 + gamma) */
static const rp_expr_code of_s3[] = {
    FACTOR(A, S1),       FACTOR(B, S2), PLONK_MUL,          PLONK_COLUMN(ZW), PLONK_MUL,
    PLONK_COLUMN(ALPHA), PLONK_MUL,     PLONK_COLUMN(BETA), PLONK_MUL,        PLONK_NEG};
/* 1 - xi^n, and times xi^n, and times xi^2n */
static const rp_expr_code of_t1[] = {PLONK_COLUMN(ONE), PLONK_COLUMN(XI_N), PLONK_SUB};
static const rp_expr_code of_t2[] = {PLONK_COLUMN(ONE), PLONK_COLUMN(XI_N), PLONK_SUB, PLONK_COLUMN(XI_N), PLONK_MUL};
static const rp_expr_code of_t3[] = {PLONK_COLUMN(ONE),  PLONK_COLUMN(XI_N), PLONK_SUB,
                                     PLONK_COLUMN(XI_N), PLONK_SQR,          PLONK_MUL};
static const rp_expr_code of_qm[] = {PLONK_COLUMN(A), PLONK_COLUMN(B), PLONK_MUL};

/* Factors of what is summed, in the order of the columns below; that of Qc is 1 and left out. */
static rp_value factors_of(plonk_rounds *r) {
#define SINGLE(code) plonk_expr(b, single, SINGLES, RP_NO_VALUE, code, sizeof(code) / sizeof *(code))
  plonk_builder *b = &r->common;
  plonk_fr n = {{b->n}};
  (void)b->fr->from_canonical(&n, &n);
  rp_scope_begin(b->g, "factors");
  rp_scope_title(b->g, "Factors of the linear combination");
  rp_value single[SINGLES] = {[A] = r->eval[PLONK_EVAL_A],
                              [B] = r->eval[PLONK_EVAL_B],
                              [C] = r->eval[PLONK_EVAL_C],
                              [S1] = r->eval[PLONK_EVAL_S1],
                              [S2] = r->eval[PLONK_EVAL_S2],
                              [ZW] = r->eval[PLONK_EVAL_ZW],
                              [BETA] = b->beta,
                              [GAMMA] = b->gamma,
                              [ALPHA] = r->alpha,
                              [XI] = b->xi,
                              [XI_N] = xi_to_n(b),
                              [K1] = plonk_constant(b, "k1", &b->key->k1, 1),
                              [K2] = plonk_constant(b, "k2", &b->key->k2, 1),
                              [ONE] = b->one,
                              [N] = plonk_constant(b, "n", &n, 1)};
  single[OVER] = over(b, single[N]);
  const rp_value all[] = {SINGLE(of_qm), single[A],     single[B],     single[C],     SINGLE(of_z),
                          SINGLE(of_s3), SINGLE(of_t1), SINGLE(of_t2), SINGLE(of_t3), rp_powers(b->g, r->v, r->v, 5)};
  rp_value factors = rp_concat(b->g, all, sizeof all / sizeof *all);
  rp_scope_end(b->g);
  return factors;
#undef SINGLE
}

/* The linearisation and v a + v^2 b + v^3 c + v^4 S1 + v^5 S2, but for the constant coefficient. */
static rp_value opened_at_xi(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  enum { QM, QL, QR, QO, QC, KEY_S1, KEY_S2, KEY_S3, WIRE, Z = WIRE + 3, T, COLUMNS = T + 3 };
  enum { F_QM, F_QL, F_QR, F_QO, F_Z, F_S3, F_T, F_V = F_T + 3 };
#define TERM(column, factor) PLONK_COLUMN(column), PLONK_CONSTANT(factor), PLONK_MUL, PLONK_ADD
  static const rp_expr_code code[] = {PLONK_COLUMN(QC),        TERM(QM, F_QM),        TERM(QL, F_QL),
                                      TERM(QR, F_QR),          TERM(QO, F_QO),        TERM(Z, F_Z),
                                      TERM(KEY_S3, F_S3),      TERM(T, F_T),          TERM(T + 1, F_T + 1),
                                      TERM(T + 2, F_T + 2),    TERM(WIRE, F_V),       TERM(WIRE + 1, F_V + 1),
                                      TERM(WIRE + 2, F_V + 2), TERM(KEY_S1, F_V + 3), TERM(KEY_S2, F_V + 4)};
#undef TERM
  rp_value columns[COLUMNS];
  for (int i = 0; i < PLONK_KEY_POINTS; i++) columns[i] = b->coef[i];
  for (uint32_t i = 0; i < 3; i++) {
    columns[WIRE + i] = plonk_part(b, r->abc, i, r->len);
    columns[T + i] = plonk_part(b, r->t, i, r->len);
  }
  columns[Z] = r->z;
  return PLONK_EXPR(b, columns, factors_of(r), code);
}

void plonk_round_5(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  rp_scope_begin(g, "round_5");
  rp_scope_title(g, "Round 5: opening proofs");
  rp_value zero = rp_slice(g, r->zeros, 0, 1); /* a quotient has one coefficient less */
  const rp_value hashed[] = {plonk_integers_of_elements(b, b->xi), r->evaluations};
  r->v = plonk_challenge(b, "v", hashed, 2);
  const rp_value quotients[] = {rp_poly_divide(g, opened_at_xi(r), b->xi), zero, rp_poly_divide(g, r->z, b->xi_omega),
                                zero};
  r->round_points[3] = plonk_commit(b, rp_concat(g, quotients, 4), 2);
  rp_scope_end(g);
}
