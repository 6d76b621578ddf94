/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rounds 3, 4 and 5: xi and the evaluations; alpha and the quotient of all openings; y, and the opening of what remains
 * at y. C0 is opened where X^8 = xi. Its polynomials there are p_i(xi), and the quotient of C0, less its value there,
 * by X^8 - xi consists of the quotients of p_0 ... p_7 by X - xi, combined as C0 is. The same holds for C1 and X^4 =
 * xi, and for C2, which is opened where X^3 = xi and where X^3 = xi omega. A quotient by X - x does not depend on the
 * constant coefficient, so that nothing that is opened need be subtracted.
 */
#include "builder.h"

#include <reprise/view.h>

/* xi = seed^24 */
static rp_value xi_of(fflonk_rounds *r) {
  static const rp_expr_code code[] = {PLONK_COLUMN(0), PLONK_SQR, PLONK_SQR,     PLONK_SQR, PLONK_STORE(0),
                                      PLONK_LOAD(0),   PLONK_SQR, PLONK_LOAD(0), PLONK_MUL};
  return plonk_expr(&r->common, &r->seed, 1, RP_NO_VALUE, code, sizeof code / sizeof *code);
}

void fflonk_round_3(fflonk_rounds *r) {
  /* In the order of the proof. */
  static const uint8_t key[PLONK_KEY_POINTS] = {FFLONK_KEY_QL, FFLONK_KEY_QR, FFLONK_KEY_QM, FFLONK_KEY_QO,
                                                FFLONK_KEY_QC, PLONK_KEY_S1,  PLONK_KEY_S2,  PLONK_KEY_S3};
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  rp_value at_xi[FFLONK_HASHED_SCALARS - 3], value[FFLONK_HASHED_SCALARS];
  rp_scope_begin(g, "round_3");
  rp_scope_title(g, "Round 3: values at the challenge");
  const rp_value hashed[] = {plonk_integers_of_elements(b, b->gamma), plonk_integers_of_points(b, r->c2)};
  r->seed = plonk_challenge(b, "seed", hashed, 2);
  b->xi = xi_of(r);
  b->xi_omega = rp_mul(g, b->xi, plonk_constant(b, "omega", &b->omega, 1));
  for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++) at_xi[i] = b->coef[key[i]];
  for (uint32_t i = 0; i < 3; i++) at_xi[PLONK_KEY_POINTS + i] = plonk_part(b, b->unblinded, i, b->n);
  at_xi[PLONK_KEY_POINTS + 3] = r->z;
  const rp_value at_xi_omega[] = {r->z, r->t1, r->t2};
  uint32_t n = 0;
  for (uint32_t i = 0; i < FFLONK_HASHED_SCALARS - 3; i++) value[n++] = rp_poly_eval(g, at_xi[i], b->xi);
  for (uint32_t i = 0; i < 3; i++) value[n++] = rp_poly_eval(g, at_xi_omega[i], b->xi_omega);
  r->evaluations = plonk_integers_of_elements(b, rp_concat(g, value, n));
  rp_scope_end(g);
}

/* The quotient of C0, C1 or C2 by what is 0 where it is opened. */
static rp_value quotient_of(fflonk_rounds *r, uint32_t i) {
  rp_graph *g = r->common.g;
  rp_value parts[PLONK_KEY_POINTS];
  fflonk_parts_of(r, i, parts);
  for (uint32_t k = 0; k < fflonk_combined_of[i].parts; k++) {
    parts[k] = rp_poly_divide(g, parts[k], r->common.xi);
    if (i == 2) parts[k] = rp_poly_divide(g, parts[k], r->common.xi_omega);
  }
  return fflonk_combine_parts(r, i, parts, i == 2 ? 2 : 1);
}

void fflonk_round_4(fflonk_rounds *r) {
  static const rp_expr_code code[] = {PLONK_COLUMN(0), PLONK_COLUMN(1),   PLONK_CONSTANT(0), PLONK_MUL, PLONK_ADD,
                                      PLONK_COLUMN(2), PLONK_CONSTANT(1), PLONK_MUL,         PLONK_ADD};
  plonk_builder *b = &r->common;
  rp_value columns[FFLONK_COMBINED];
  rp_scope_begin(b->g, "round_4");
  rp_scope_title(b->g, "Round 4: first opening proof");
  const rp_value hashed[] = {plonk_integers_of_elements(b, r->seed), r->evaluations};
  r->alpha = plonk_challenge(b, "alpha", hashed, 2);
  for (uint32_t i = 0; i < FFLONK_COMBINED; i++) columns[i] = quotient_of(r, i);
  r->f = PLONK_EXPR(b, columns, rp_powers(b->g, r->alpha, r->alpha, 2), code);
  r->w1 = plonk_commit(b, r->f, 1);
  rp_scope_end(b->g);
}

/* ---- The opening at y: programs over single elements ------------------------------------------------------------- */

enum { Y, XI, XI_OMEGA, ALPHA, OVER_1, OVER_2, SINGLES };

#define Y_3 PLONK_COLUMN(Y), PLONK_SQR, PLONK_COLUMN(Y), PLONK_MUL
#define Y_8_LESS_XI PLONK_COLUMN(Y), PLONK_SQR, PLONK_SQR, PLONK_SQR, PLONK_COLUMN(XI), PLONK_SUB
/* y^4 - xi, and (y^3 - xi) (y^3 - xi omega) */
static const rp_expr_code set_1[] = {PLONK_COLUMN(Y), PLONK_SQR, PLONK_SQR, PLONK_COLUMN(XI), PLONK_SUB};
static const rp_expr_code set_2[] = {Y_3,       PLONK_COLUMN(XI), PLONK_SUB, Y_3, PLONK_COLUMN(XI_OMEGA),
                                     PLONK_SUB, PLONK_MUL};
/* y^8 - xi, times alpha / (y^4 - xi), and times alpha^2 / ((y^3 - xi) (y^3 - xi omega)) */
static const rp_expr_code set_0[] = {Y_8_LESS_XI};
static const rp_expr_code of_c1[] = {Y_8_LESS_XI, PLONK_COLUMN(ALPHA), PLONK_MUL, PLONK_COLUMN(OVER_1), PLONK_MUL};
static const rp_expr_code of_c2[] = {Y_8_LESS_XI, PLONK_COLUMN(ALPHA),  PLONK_SQR,
                                     PLONK_MUL,   PLONK_COLUMN(OVER_2), PLONK_MUL};

/* The factors of C1, C2 and f in what is opened. A fault of the run if y is a point of a set. */
static rp_value factors_of(fflonk_rounds *r) {
#define SINGLE(code, n) plonk_expr(b, single, n, RP_NO_VALUE, code, sizeof(code) / sizeof *(code))
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  plonk_builder *b = &r->common;
  rp_value single[SINGLES] = {[Y] = r->y, [XI] = b->xi, [XI_OMEGA] = b->xi_omega, [ALPHA] = r->alpha};
  rp_scope_begin(b->g, "factors");
  rp_scope_title(b->g, "Factors of the linear combination");
  const rp_value sets[] = {SINGLE(set_1, OVER_1), SINGLE(set_2, OVER_1)};
  rp_value over = rp_batch_inverse(b->g, rp_concat(b->g, sets, 2), &strict);
  single[OVER_1] = rp_slice(b->g, over, 0, 1);
  single[OVER_2] = rp_slice(b->g, over, 1, 1);
  const rp_value all[] = {SINGLE(of_c1, SINGLES), SINGLE(of_c2, SINGLES), SINGLE(set_0, OVER_1)};
  rp_value factors = rp_concat(b->g, all, 3);
  rp_scope_end(b->g);
  return factors;
#undef SINGLE
}

void fflonk_round_5(fflonk_rounds *r) {
  enum { F = FFLONK_COMBINED };
  static const rp_expr_code code[] = {PLONK_COLUMN(0), PLONK_COLUMN(1), PLONK_CONSTANT(0), PLONK_MUL,
                                      PLONK_ADD,       PLONK_COLUMN(2), PLONK_CONSTANT(1), PLONK_MUL,
                                      PLONK_ADD,       PLONK_COLUMN(F), PLONK_CONSTANT(2), PLONK_MUL,
                                      PLONK_SUB};
  plonk_builder *b = &r->common;
  rp_value parts[PLONK_KEY_POINTS];
  rp_scope_begin(b->g, "key");
  rp_scope_title(b->g, "Polynomials of the key, combined");
  fflonk_parts_of(r, 0, parts);
  r->c[0] = fflonk_combine_parts(r, 0, parts, 0);
  rp_scope_end(b->g);
  rp_scope_begin(b->g, "round_5");
  rp_scope_title(b->g, "Round 5: second opening proof");
  const rp_value hashed[] = {plonk_integers_of_elements(b, r->alpha), plonk_integers_of_points(b, r->w1)};
  r->y = plonk_challenge(b, "y", hashed, 2);
  const rp_value columns[] = {r->c[0], r->c[1], r->c[2], r->f};
  rp_value quotient = rp_poly_divide(b->g, PLONK_EXPR(b, columns, factors_of(r), code), r->y);
  r->w2 = plonk_commit(b, rp_concat(b->g, (rp_value[]){quotient, rp_slice(b->g, r->zeros, 0, 1)}, 2), 1);
  rp_scope_end(b->g);
}
