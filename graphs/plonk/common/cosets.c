/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

/* s has order 8n; for the largest domain there is no such root of unity, but a shift outside all of them. */
void plonk_cosets(const plonk_builder *b, plonk_coset cosets[PLONK_COSETS]) {
  const uint32_t log_n = b->key->log_domain;
  plonk_fr w, s;
  (void)b->fr->root(&w, RP_ROOT_SNARKJS, log_n + 2); /* the reader has checked that there is one */
  if (!b->fr->root(&s, RP_ROOT_SNARKJS, log_n + 3)) g16_largest_shift(b->key->family, s.limb);
  for (int k = 0; k < PLONK_COSETS; k++) {
    cosets[k] = (plonk_coset){s, s};
    for (uint32_t i = 0; i < log_n; i++) b->fr->sqr(&cosets[k].c, &cosets[k].c);
    b->fr->mul(&s, &s, &w);
  }
}

/* The coefficient of X^m in the polynomial of degree below n that is 1 at c_k, and 0 at the other c. */
static plonk_fr lagrange(const rp_field_host *fr, const plonk_coset *cosets, uint32_t n, uint32_t k, uint32_t m) {
  plonk_fr p[PLONK_COSETS] = {{{0}}}, scale, x;
  fr->one(&p[0]);
  fr->one(&scale);
  for (uint32_t j = 0; j < n; j++) {
    if (j == k) continue;
    for (uint32_t i = n; i-- > 0;) { /* times X - c_j */
      fr->mul(&x, &p[i], &cosets[j].c);
      if (i > 0)
        fr->sub(&p[i], &p[i - 1], &x);
      else
        fr->neg(&p[i], &x);
    }
    fr->sub(&x, &cosets[k].c, &cosets[j].c);
    fr->mul(&scale, &scale, &x);
  }
  fr->inv(&scale, &scale);
  fr->mul(&x, &p[m], &scale);
  return x;
}

rp_value plonk_coset_part(plonk_builder *b, const plonk_coset *cosets, uint32_t n, const rp_value *modulo, uint32_t m) {
  rp_expr_code code[4 * PLONK_COSETS];
  plonk_fr factor[PLONK_COSETS];
  uint32_t n_code = 0;
  for (uint32_t k = 0; k < n; k++) {
    factor[k] = lagrange(b->fr, cosets, n, k, m);
    code[n_code++] = (rp_expr_code)PLONK_COLUMN(k);
    code[n_code++] = (rp_expr_code)PLONK_CONSTANT(k);
    code[n_code++] = (rp_expr_code)PLONK_MUL;
    if (k > 0) code[n_code++] = (rp_expr_code)PLONK_ADD;
  }
  return plonk_expr(b, modulo, n, plonk_constant(b, "factors", factor, n), code, n_code);
}
