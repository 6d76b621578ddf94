/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The split-radix 2/8 transform, with v = w^(N/8) and d_s = x[i + s N/8] - x[i + s N/8 + N/2]:
 *   X[2k]     = DFT_{N/2}(x[i] + x[i + N/2])[k]
 *   X[8k + q] = DFT_{N/8}((d_0 + v^q d_1 + v^(2q) d_2 + v^(3q) d_3) w^(q i))[k],  q = 1, 3, 5, 7
 */
#include <reprise/halo2.h>

#include "job.h"

#include <stdlib.h>

typedef struct split {
  rp_graph *g;
  const rp_field_host *f;
  rp_split_radix_options o;
  uint32_t least; /* log of the largest transform that is not split */
} split;

enum { ODD = 4, ELEMENT = 6 };

static rp_value element(split *s, const char *name, const void *data) {
  return rp_graph_constant(s->g, name, rp_type_field(s->f->id), 1, data, 0);
}

/* Step q of the radix-8 half: the four differences by Horner's rule, then the twiddle factors. */
static rp_value odd_part(split *s, const rp_value difference[4], uint64_t v[ELEMENT], uint64_t w[ELEMENT], uint8_t q) {
  static const rp_expr_code code[] = {{RP_EXPR_COLUMN, 3, 0},   {RP_EXPR_CONSTANT, 0, 0}, {RP_EXPR_MUL, 0, 0},
                                      {RP_EXPR_COLUMN, 2, 0},   {RP_EXPR_ADD, 0, 0},      {RP_EXPR_CONSTANT, 0, 0},
                                      {RP_EXPR_MUL, 0, 0},      {RP_EXPR_COLUMN, 1, 0},   {RP_EXPR_ADD, 0, 0},
                                      {RP_EXPR_CONSTANT, 0, 0}, {RP_EXPR_MUL, 0, 0},      {RP_EXPR_COLUMN, 0, 0},
                                      {RP_EXPR_ADD, 0, 0}};
  uint64_t vq[ELEMENT], wq[ELEMENT];
  s->f->pow(vq, v, &q, 1);
  s->f->pow(wq, w, &q, 1);
  rp_value sum = rp_expr(
      s->g, difference, 4, element(s, "v_q", vq),
      &(rp_expr_options){.struct_size = sizeof(rp_expr_options), .code = code, .n_code = sizeof code / sizeof *code});
  return rp_mul_powers(s->g, sum, element(s, "w_q", wq), RP_NO_VALUE);
}

/* out[2k] = even[k], out[8k + 2j + 1] = odd[j n/8 + k] */
static rp_value interleave(split *s, rp_value even, rp_value odd, uint64_t n) {
  uint32_t *index = malloc(n * 4);
  if (!index) return rp_graph_fail(s->g, RP_ERR_MEMORY, "split radix: out of host memory");
  for (uint64_t i = 0; i < n; i++) index[i] = (uint32_t)(i % 2 ? n / 2 + i % 8 / 2 * (n / 8) + i / 8 : i / 2);
  rp_value order = rp_graph_constant(s->g, "order", &RP_TYPE_U32, n, index, 0);
  free(index);
  return rp_gather(s->g, rp_concat(s->g, (rp_value[]){even, odd}, 2), order);
}

static rp_value transform(split *s, rp_value x, uint64_t batch) {
  return rp_ntt(s->g, x,
                &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options),
                                  .root = s->o.root,
                                  .inverse = s->o.inverse,
                                  .batch = batch,
                                  .no_scale = 1});
}

/* Without 1/n. Steps left: 0 none, else as far down as `least`. */
static rp_value step(split *s, rp_value x, uint32_t log_n) {
  static const uint8_t odd[ODD] = {1, 3, 5, 7};
  const uint64_t n = (uint64_t)1 << log_n, eighth = n / 8;
  rp_value difference[4], part[ODD];
  uint64_t w[ELEMENT], v[ELEMENT];
  if (log_n <= s->least) return transform(s, x, 1);
  s->f->root(w, s->o.root, log_n);
  s->f->root(v, s->o.root, 3);
  if (s->o.inverse) s->f->inv(w, w), s->f->inv(v, v);
  rp_value low = rp_slice(s->g, x, 0, n / 2), high = rp_slice(s->g, x, n / 2, n / 2);
  rp_value d = rp_sub(s->g, low, high);
  for (uint32_t i = 0; i < 4; i++) difference[i] = rp_slice(s->g, d, i * eighth, eighth);
  for (uint32_t i = 0; i < ODD; i++) part[i] = odd_part(s, difference, v, w, odd[i]);
  rp_value even = step(s, rp_add(s->g, low, high), log_n - 1), odds;
  if (log_n - 3 <= s->least) {
    odds = transform(s, rp_concat(s->g, part, ODD), ODD);
  } else {
    for (uint32_t i = 0; i < ODD; i++) part[i] = step(s, part[i], log_n - 3);
    odds = rp_concat(s->g, part, ODD);
  }
  return interleave(s, even, odds, n);
}

rp_value rp_ntt_split_radix(rp_graph *g, rp_value x, const rp_split_radix_options *options) {
  split s = {.g = g};
  rp_field field = RP_FIELD_COUNT;
  const rp_type *type = rp_value_type(g, x);
  const uint64_t n = rp_value_len(g, x);
  uint32_t log_n = 0;
  uint64_t w[ELEMENT];
  if (!options || graphs_options(&s.o, sizeof s.o, options, "split radix", NULL) != RP_OK)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "split radix: struct_size is not set");
  if (!type || !rp_type_is_field(type, &field) || rp_field_get(field)->degree != 1)
    return rp_graph_fail(g, RP_ERR_TYPE, "split radix: the values are not of a prime field");
  while (log_n < 32 && (uint64_t)1 << log_n < n) log_n++;
  if (n < 8 || n != (uint64_t)1 << log_n || log_n > 31)
    return rp_graph_fail(g, RP_ERR_SHAPE, "split radix: %llu elements, not a power of two from 8 to 2^31",
                         (unsigned long long)n);
  s.f = rp_field_get(field);
  if (!s.f->root(w, s.o.root, log_n))
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "split radix: %s has no root of order 2^%u in that convention", s.f->name,
                         log_n);
  if (s.o.base_log && s.o.base_log < 3)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "split radix: transforms of 2^%u points are not split into", s.o.base_log);
  s.least = s.o.base_log ? s.o.base_log : log_n - 1;
  rp_scope_begin(g, "split_radix");
  rp_value y = step(&s, x, log_n);
  if (s.o.inverse) {
    uint8_t count[8] = {0};
    for (int i = 0; i < 8; i++) count[i] = (uint8_t)(n >> 8 * i);
    s.f->from_bytes_reduce(w, count, 8);
    s.f->inv(w, w);
    y = rp_mul(g, y, element(&s, "1/n", w));
  }
  rp_scope_end(g);
  return y;
}
