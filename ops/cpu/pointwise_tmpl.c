/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations.
 */
#include "cpu.h"

#include "args/pointwise.h"

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

void RP_FN(vec_mul)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_binary_args *k = args;
  const fe *a = k->a, *b = k->b;
  fe *out = k->out;
  (void)w;
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
  for (uint64_t i = begin; i < end; i++) {
    fe product;
    fe_mul(&product, &a[i * k->a_step], &b[i * k->b_step]);
    fe_sub(&out[i], &product, &c[i * k->c_step]);
  }
}
