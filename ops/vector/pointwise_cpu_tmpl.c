/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations. Sums and differences take no longer than their loads and stores; only products gain from
 * eight lanes (docs/notes/cpu-vectors.md).
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/pointwise_args.h"

void RP_FN(vec_add)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_binary_args *k = args;
  const fe *a = k->a, *b = k->b;
  fe *out = k->out;
  (void)w;
  for (uint64_t i = begin; i < end; i++) fe_add(&out[i], &a[i * k->a_step], &b[i * k->b_step]);
}

void RP_FN(vec_sub)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_binary_args *k = args;
  const fe *a = k->a, *b = k->b;
  fe *out = k->out;
  (void)w;
  for (uint64_t i = begin; i < end; i++) fe_sub(&out[i], &a[i * k->a_step], &b[i * k->b_step]);
}

#if RP_LANES
/* out = a b, or a b - c if c is given, eight elements at a time; returns where the rest begins. b is loaded as a
 * working value, so that the product is a memory value. Operands that are broadcast are loaded once. */
static inline uint64_t mul_lanes(fe *out, const fe *a, uint32_t a_step, const fe *b, uint32_t b_step, const fe *c,
                                 uint32_t c_step, uint64_t begin, uint64_t end) {
  fe8 x, y, z;
  fe8_set1_raw(&x, a);
  fe8_set1(&y, b);
  fe8_set1_raw(&z, c ? c : a);
  for (; begin + 8 <= end; begin += 8) {
    fe8 r;
    if (a_step) fe8_load_raw(&x, &a[begin]);
    if (b_step) fe8_load(&y, &b[begin]);
    if (c && c_step) fe8_load_raw(&z, &c[begin]);
    fe8_mul(&r, &x, &y);
    if (c) fe8_sub(&r, &r, &z);
    fe8_store_raw(&out[begin], &r);
  }
  return begin;
}
#endif

void RP_FN(vec_mul)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_binary_args *k = args;
  const fe *a = k->a, *b = k->b;
  fe *out = k->out;
  (void)w;
#if RP_LANES
  begin = mul_lanes(out, a, k->a_step, b, k->b_step, NULL, 0, begin, end);
#endif
  for (uint64_t i = begin; i < end; i++) fe_mul(&out[i], &a[i * k->a_step], &b[i * k->b_step]);
}

void RP_FN(vec_neg)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_unary_args *k = args;
  const fe *a = k->a;
  fe *out = k->out;
  (void)w;
  for (uint64_t i = begin; i < end; i++) fe_neg(&out[i], &a[i]);
}

void RP_FN(vec_mul_sub)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_ternary_args *k = args;
  const fe *a = k->a, *b = k->b, *c = k->c;
  fe *out = k->out;
  (void)w;
#if RP_LANES
  begin = mul_lanes(out, a, k->a_step, b, k->b_step, c, k->c_step, begin, end);
#endif
  for (uint64_t i = begin; i < end; i++) {
    fe product;
    fe_mul(&product, &a[i * k->a_step], &b[i * k->b_step]);
    fe_sub(&out[i], &product, &c[i * k->c_step]);
  }
}
