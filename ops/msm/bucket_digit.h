/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The digits of a scalar as entries of a bucket matrix, for CUDA C and GLSL, which compute them anew in each kernel.
 */
#ifndef REPRISE_OPS_BUCKET_DIGIT_H
#define REPRISE_OPS_BUCKET_DIGIT_H

#include "msm/scalar_recode.h"

#define RP_NO_ROW 0xffffffffu

struct rp_bucket_digit {
  uint32_t row;   /* RP_NO_ROW if the digit is zero */
  uint32_t entry; /* index << 1 | negative */
};

/* s := scalar i, recoded. Returns whether it was negated. A scalar that is not below the order counts as zero, and is
 * a fault with `report`. So does one with i >= k.n, without a fault. */
RP_SHARED bool rp_bucket_scalar(RP_ARGS_OF(rp_gpu_digits_args) RP_CHANGED uint32_t s[9], uint32_t i, bool report) {
  uint32_t a[8], negated[8], order[8], bias[8];
  RP_UNROLLED for (uint32_t j = 0u; j < 8u; j++) {
    a[j] = i < k.n && j < k.scalar_words ? load_u32(at(k.scalars, i, 4u * k.scalar_words), j) : 0u;
    order[j] = k.order[j];
    bias[j] = k.bias[j];
  }
  if (k.montgomery != 0u) rp_scalar_reduce(a, order, k.order_inverse[0], k.scalar_words);
  if (!rp_scalar_negate(negated, a, order) && report) rp_fault(k.error, RP_FAULT_SCALAR_RANGE, k.site, i);
  return rp_scalar_bias(s, a, negated, bias);
}

RP_SHARED uint32_t rp_word_of(const uint32_t s[9], uint32_t j) {
  uint32_t r = 0u;
  RP_UNROLLED for (uint32_t i = 0u; i < 9u; i++) r = i == j ? s[i] : r;
  return r;
}

/* Digit w of scalar i, which rp_bucket_scalar made s and `negated` of. */
RP_SHARED RP_TYPE_OF(rp_bucket_digit)
    rp_bucket_digit_of(RP_ARGS_OF(rp_gpu_digits_args) const uint32_t s[9], bool negated, uint32_t i, uint32_t w) {
  RP_TYPE_OF(rp_bucket_digit) d;
  const uint32_t bit = w * k.window_bits, word = bit / 32u, middle = 1u << (k.window_bits - 1u);
  const uint32_t bits = RP_BITS_FROM(rp_word_of(s, word), rp_word_of(s, word + 1u), bit) & (2u * middle - 1u);
  const bool top = w + 1u == k.windows, below = !top && bits < middle;
  const uint32_t magnitude = top ? bits : below ? middle - bits : bits - middle, set = w / k.merged;
  d.row = magnitude != 0u ? set * k.buckets + magnitude - 1u : RP_NO_ROW;
  d.entry = ((w - set * k.merged) * k.n + i) << 1u | (below != negated ? 1u : 0u);
  return d;
}

#endif
