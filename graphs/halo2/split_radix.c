/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The split-radix 2/8 transform, with v = w^(N/8) and d_s = x[i + s N/8] - x[i + s N/8 + N/2]:
 *   X[2k]     = DFT_{N/2}(x[i] + x[i + N/2])[k]
 *   X[8k + q] = DFT_{N/8}((d_0 + v^q d_1 + v^(2q) d_2 + v^(3q) d_3) w^(q i))[k],  q = 1, 3, 5, 7
 */
#include "transform.h"

#include "job.h"

#include <reprise/view.h>

typedef struct split {
  halo2_transform t;
  uint32_t least; /* log2 of the largest transform that is not split */
} split;

enum { ODD = 4 };

/* Step q of the radix-8 half: the four differences by Horner's rule, then the twiddle factors. */
static rp_value odd_part(split *s, const rp_value difference[4], uint64_t v[HALO2_ELEMENT_WORDS],
                         uint64_t w[HALO2_ELEMENT_WORDS], uint8_t q) {
  static const rp_expr_code code[] = {{RP_EXPR_COLUMN, 3, 0},   {RP_EXPR_CONSTANT, 0, 0}, {RP_EXPR_MUL, 0, 0},
                                      {RP_EXPR_COLUMN, 2, 0},   {RP_EXPR_ADD, 0, 0},      {RP_EXPR_CONSTANT, 0, 0},
                                      {RP_EXPR_MUL, 0, 0},      {RP_EXPR_COLUMN, 1, 0},   {RP_EXPR_ADD, 0, 0},
                                      {RP_EXPR_CONSTANT, 0, 0}, {RP_EXPR_MUL, 0, 0},      {RP_EXPR_COLUMN, 0, 0},
                                      {RP_EXPR_ADD, 0, 0}};
  uint64_t vq[HALO2_ELEMENT_WORDS], wq[HALO2_ELEMENT_WORDS];
  s->t.f->pow(vq, v, &q, 1);
  s->t.f->pow(wq, w, &q, 1);
  rp_value sum = rp_expr(
      s->t.g, difference, 4, halo2_element(&s->t, "v_q", vq),
      &(rp_expr_options){.struct_size = sizeof(rp_expr_options), .code = code, .n_code = sizeof code / sizeof *code});
  return rp_mul_powers(s->t.g, sum, halo2_element(&s->t, "w_q", wq), RP_NO_VALUE);
}

/* out[2k] = even[k], out[8k + 2j + 1] = odd[j n/8 + k] */
static rp_value interleave(split *s, rp_value even, rp_value odd, uint64_t n) {
  uint32_t *index = rp_context_alloc(rp_graph_context(s->t.g), n * 4);
  if (!index) return rp_graph_fail(s->t.g, RP_ERR_MEMORY, "split radix: out of host memory");
  for (uint64_t i = 0; i < n; i++) index[i] = (uint32_t)(i % 2 ? n / 2 + i % 8 / 2 * (n / 8) + i / 8 : i / 2);
  rp_value order = rp_graph_constant(s->t.g, "order", &RP_TYPE_U32, n, index, 0);
  rp_context_free(index);
  return rp_gather(s->t.g, rp_concat(s->t.g, (rp_value[]){even, odd}, 2), order);
}

/* Splits down to transforms of 2^least points; without the factor 1/n. */
static rp_value step(split *s, rp_value x, uint32_t log_n) {
  static const uint8_t odd[ODD] = {1, 3, 5, 7};
  const uint64_t n = (uint64_t)1 << log_n, eighth = n / 8;
  rp_value difference[4], part[ODD];
  uint64_t w[HALO2_ELEMENT_WORDS], v[HALO2_ELEMENT_WORDS];
  if (log_n <= s->least) return halo2_parts(&s->t, x, 1);
  halo2_root(&s->t, log_n, w);
  halo2_root(&s->t, 3, v);
  rp_value low = rp_slice(s->t.g, x, 0, n / 2), high = rp_slice(s->t.g, x, n / 2, n / 2);
  rp_value d = rp_sub(s->t.g, low, high);
  for (uint32_t i = 0; i < 4; i++) difference[i] = rp_slice(s->t.g, d, i * eighth, eighth);
  for (uint32_t i = 0; i < ODD; i++) part[i] = odd_part(s, difference, v, w, odd[i]);
  rp_value even = step(s, rp_add(s->t.g, low, high), log_n - 1), odds;
  if (log_n - 3 <= s->least) {
    odds = halo2_parts(&s->t, rp_concat(s->t.g, part, ODD), ODD);
  } else {
    for (uint32_t i = 0; i < ODD; i++) part[i] = step(s, part[i], log_n - 3);
    odds = rp_concat(s->t.g, part, ODD);
  }
  return interleave(s, even, odds, n);
}

rp_value rp_ntt_split_radix(rp_graph *g, rp_value x, const rp_split_radix_options *options) {
  enum { LEAST_LOG = 3 };
  rp_split_radix_options o = {0};
  if (!options || graphs_options(&o, sizeof o, options, "split radix", NULL) != RP_OK)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "split radix: options->struct_size is not set");
  split s = {.t = {.g = g, .root = o.root, .inverse = o.inverse}};
  if (!halo2_transform_of(&s.t, x, "split radix", LEAST_LOG)) return RP_NO_VALUE;
  if (o.base_log && o.base_log < LEAST_LOG)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "split radix: transforms of 2^%u points are not split into", o.base_log);
  s.least = o.base_log ? o.base_log : s.t.log_n - 1;
  rp_scope_begin(g, "split_radix");
  rp_scope_title(g, "Transform of 2^%u by split radix", s.t.log_n);
  const rp_value y = halo2_scaled(&s.t, step(&s, x, s.t.log_n));
  rp_scope_end(g);
  return y;
}
