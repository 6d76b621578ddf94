/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round 1: the wires, whose last two rows are random, and t0, the quotient of the gates' equation by X^n - 1. It has
 * fewer than 2n coefficients, which follow from its values on two cosets of the domain.
 */
#include "builder.h"

#include <reprise/view.h>
#include <string.h>

enum { A, B, C, QL, QR, QO, QM, QC, COLUMNS, PI = COLUMNS };

#define PRODUCT(q, w) PLONK_COLUMN(q), PLONK_COLUMN(w), PLONK_MUL, PLONK_ADD
static const rp_expr_code gates[] = {PLONK_COLUMN(QC), PRODUCT(QL, A),  PRODUCT(QR, B), PRODUCT(QO, C),
                                     PLONK_COLUMN(A),  PLONK_COLUMN(B), PLONK_MUL,      PLONK_COLUMN(QM),
                                     PLONK_MUL,        PLONK_ADD};
static const rp_expr_code signals[] = {PLONK_COLUMN(PI), PLONK_ADD};
static const rp_expr_code over_zh[] = {PLONK_CONSTANT(0), PLONK_MUL};

static rp_value equation(plonk_builder *b, const rp_value *columns, bool with_signals, rp_value constant) {
  rp_expr_code code[sizeof gates / sizeof *gates + 4];
  uint32_t n = sizeof gates / sizeof *gates;
  memcpy(code, gates, sizeof gates);
  if (with_signals) memcpy(code + n, signals, sizeof signals), n += 2;
  memcpy(code + n, over_zh, sizeof over_zh), n += 2;
  return plonk_expr(b, columns, with_signals ? COLUMNS + 1 : COLUMNS, constant, code, n);
}

/* t0 modulo X^n - c. */
static rp_value on_coset(fflonk_rounds *r, rp_value polynomials, const plonk_coset *at, rp_value *wires) {
  plonk_builder *b = &r->common;
  const uint32_t own = plonk_n_columns(b), lean = b->kind == PLONK_GRAPH_LEAN;
  plonk_fr over;
  rp_value columns[COLUMNS + 1];
  rp_value values = plonk_ntt(b, polynomials, own + (lean ? PLONK_SELECTORS : 0), 0, &at->shift);
  for (uint32_t i = 0; i < 3; i++) columns[A + i] = plonk_part(b, values, i, b->n);
  if (own > 3) columns[PI] = plonk_part(b, values, 3, b->n);
  for (uint32_t i = 0; i < PLONK_SELECTORS; i++)
    columns[QL + i] = lean ? plonk_part(b, values, own + i, b->n) : plonk_ntt(b, b->coef[i], 1, 0, &at->shift);
  b->fr->one(&over);
  b->fr->sub(&over, &at->c, &over);
  b->fr->inv(&over, &over);
  if (!lean) *wires = rp_slice(b->g, values, 0, 3 * b->n);
  return plonk_ntt(b, equation(b, columns, own > 3, plonk_constant(b, "over_zh", &over, 1)), 1, 1, &at->shift);
}

void fflonk_round_1(fflonk_rounds *r) {
  static const char *const name[FFLONK_T0_COSETS] = {"coset_0", "coset_1"};
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  plonk_coset cosets[PLONK_COSETS];
  rp_value modulo[FFLONK_T0_COSETS], t0[FFLONK_T0_COSETS], parts[PLONK_KEY_POINTS];
  /* The memory form of a blinding value b is b 2^256, which snarkjs takes for the value of the row. */
  plonk_fr factor;
  b->fr->one(&factor);
  (void)b->fr->from_canonical(&factor, &factor);
  plonk_wires(b, RP_FFLONK_BLINDING, 3 * FFLONK_BLINDED_ROWS, &factor);
  plonk_cosets(b, cosets);
  rp_scope_begin(g, "round_1");
  rp_scope_title(g, "Round 1: commitment to the wires and the gates");
  plonk_wires_transform(b);
  parts[0] = b->unblinded;
  for (uint32_t i = 0; i < PLONK_SELECTORS; i++) parts[1 + i] = b->coef[i];
  rp_value polynomials = b->kind == PLONK_GRAPH_LEAN ? rp_concat(g, parts, 1 + PLONK_SELECTORS) : b->unblinded;
  for (uint32_t k = 0; k < FFLONK_T0_COSETS; k++) {
    rp_scope_begin(g, name[k]);
    rp_scope_title(g, "Gates on coset %u of %d", k + 1, FFLONK_T0_COSETS);
    modulo[k] = on_coset(r, polynomials, &cosets[k], &r->wires_on[k]);
    rp_scope_end(g);
  }
  for (uint32_t m = 0; m < FFLONK_T0_COSETS; m++) t0[m] = plonk_coset_part(b, cosets, FFLONK_T0_COSETS, modulo, m);
  r->t0 = rp_concat(g, t0, FFLONK_T0_COSETS);
  fflonk_parts_of(r, 1, parts);
  r->c[1] = fflonk_combine_parts(r, 1, parts, 0);
  r->c1 = plonk_commit(b, r->c[1], 1);
  rp_scope_end(g);
}
