/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations. Sums and differences take no longer than their loads and stores; only products gain from
 * eight lanes (docs/notes/cpu-vectors.md). Over elements of one 32-bit word the compiler makes vectors of the loops, if
 * it knows the steps: each case of broadcast has a loop of its own there.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/pointwise_args.h"

typedef void (*binary_op)(fe *r, const fe *a, const fe *b);

/* Inlined, so that the operation is known. */
static inline __attribute__((always_inline)) void binary(const struct rp_binary_args *k, uint64_t begin, uint64_t end,
                                                         binary_op op) {
  const fe *a = k->a, *b = k->b;
  const uint32_t a_step = k->a_step, b_step = k->b_step;
  fe *out = k->out;
#if FP_WORD_BYTES == 4
  const fe first_a = *a, first_b = *b;
  if (a_step && b_step)
    for (uint64_t i = begin; i < end; i++) op(&out[i], &a[i], &b[i]);
  else if (a_step)
    for (uint64_t i = begin; i < end; i++) op(&out[i], &a[i], &first_b);
  else
    for (uint64_t i = begin; i < end; i++) op(&out[i], &first_a, &b[i * b_step]);
#else
  for (uint64_t i = begin; i < end; i++) op(&out[i], &a[i * a_step], &b[i * b_step]);
#endif
}

void RP_FN(vec_add)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  (void)w;
  binary(args, begin, end, fe_add);
}

void RP_FN(vec_sub)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  (void)w;
  binary(args, begin, end, fe_sub);
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
  (void)w;
#if RP_LANES
  begin = mul_lanes(k->out, k->a, k->a_step, k->b, k->b_step, NULL, 0, begin, end);
#endif
  binary(k, begin, end, fe_mul);
}

void RP_FN(vec_neg)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_unary_args *k = args;
  const fe *a = k->a;
  fe *out = k->out;
  (void)w;
  for (uint64_t i = begin; i < end; i++) fe_neg(&out[i], &a[i]);
}

static inline void mul_sub(fe *r, const fe *a, const fe *b, const fe *c) {
  fe product;
  fe_mul(&product, a, b);
  fe_sub(r, &product, c);
}

void RP_FN(vec_mul_sub)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_ternary_args *k = args;
  const fe *a = k->a, *b = k->b, *c = k->c;
  fe *out = k->out;
  (void)w;
#if RP_LANES
  begin = mul_lanes(out, a, k->a_step, b, k->b_step, c, k->c_step, begin, end);
#endif
#if FP_WORD_BYTES == 4
  if (k->a_step && k->b_step && k->c_step) {
    for (uint64_t i = begin; i < end; i++) mul_sub(&out[i], &a[i], &b[i], &c[i]);
    return;
  }
#endif
  const uint32_t a_step = k->a_step, b_step = k->b_step, c_step = k->c_step;
  for (uint64_t i = begin; i < end; i++) mul_sub(&out[i], &a[i * a_step], &b[i * b_step], &c[i * c_step]);
}
