/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * C0, C1 and C2. A polynomial C that holds k polynomials p_0 ... p_(k-1) is p_0(X^k) + X p_1(X^k) + ... + X^(k-1)
 * p_(k-1)(X^k).
 */
#include "builder.h"

const fflonk_combined fflonk_combined_of[FFLONK_COMBINED] = {
    {8, {{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}},
    {4, {{1, 0}, {1, 0}, {1, 0}, {2, 0}}}, /* a, b, c, t0 */
    {3, {{1, 3}, {1, 2}, {3, 0}}},         /* z, t1, t2 */
};

static uint64_t len_of(const fflonk_combined *c, uint32_t k, uint64_t n) {
  return c->len[k].times * n + c->len[k].more;
}

void fflonk_combine_places(uint32_t i, uint64_t n, uint32_t *places) {
  const fflonk_combined *c = &fflonk_combined_of[i];
  const uint64_t len = FFLONK_TAU_TIMES * n;
  uint64_t zero = 0, first = 0;
  for (uint32_t k = 0; k < c->parts; k++) zero += len_of(c, k, n);
  for (uint32_t k = 0; k < c->parts; k++) {
    const uint64_t own = len_of(c, k, n);
    for (uint64_t at = k, m = 0; at < len; at += c->parts, m++) places[at] = (uint32_t)(m < own ? first + m : zero);
    first += own;
  }
}

void fflonk_parts_of(const fflonk_rounds *r, uint32_t i, rp_value parts[PLONK_KEY_POINTS]) {
  const plonk_builder *b = &r->common;
  if (i == 0) {
    for (uint32_t k = 0; k < PLONK_KEY_POINTS; k++) parts[k] = b->coef[k];
  } else if (i == 1) {
    for (uint32_t k = 0; k < 3; k++) parts[k] = plonk_part(b, b->unblinded, k, b->n);
    parts[3] = r->t0;
  } else {
    parts[0] = r->z;
    parts[1] = r->t1;
    parts[2] = r->t2;
  }
}

rp_value fflonk_combine_parts(fflonk_rounds *r, uint32_t i, const rp_value *parts, uint32_t less) {
  rp_graph *g = r->common.g;
  const fflonk_combined *c = &fflonk_combined_of[i];
  rp_value all[2 * PLONK_KEY_POINTS + 1];
  uint32_t n = 0;
  for (uint32_t k = 0; k < c->parts; k++) {
    all[n++] = parts[k];
    if (less) all[n++] = rp_slice(g, r->zeros, 0, less);
  }
  all[n++] = rp_slice(g, r->zeros, 0, 1);
  rp_value places = rp_graph_constant(g, "places", &RP_TYPE_U32, FFLONK_TAU_TIMES * r->common.n,
                                      ((const rp_fflonk_key *)r->common.key)->combine[i], RP_BORROW);
  return rp_gather(g, rp_concat(g, all, n), places);
}
