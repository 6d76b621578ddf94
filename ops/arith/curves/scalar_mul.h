/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What all curves share: conversion to affine form, scalar multiplication. Contracts: ops/arith/curve.h.
 */
#ifndef REPRISE_OPS_SCALAR_MUL_H
#define REPRISE_OPS_SCALAR_MUL_H

static inline void acc_to_aff(aff *r, const acc *a) {
  fe inv;
  if (acc_is_zero(a)) {
    aff_zero(r);
    return;
  }
  fe_inv_var(&inv, acc_denominator(a));
  acc_scale(r, a, &inv);
}

/* Montgomery's trick; zero points have no denominator and are skipped. */
static inline void acc_batch_to_aff(aff *r, const acc *a, size_t n, fe *scratch) {
  fe product, inv;
  fe_one(&product);
  for (size_t i = 0; i < n; i++) {
    scratch[i] = product;
    if (!acc_is_zero(&a[i])) fe_mul(&product, &product, acc_denominator(&a[i]));
  }
  fe_inv_var(&product, &product);
  for (size_t i = n; i-- > 0;) {
    if (acc_is_zero(&a[i])) {
      aff_zero(&r[i]);
      continue;
    }
    fe_mul(&inv, &product, &scratch[i]);
    fe_mul(&product, &product, acc_denominator(&a[i]));
    acc_scale(&r[i], &a[i], &inv);
  }
}

/* Windows of four bits, most significant first. */
static inline void acc_mul(acc *r, const aff *a, const uint64_t *k, size_t n) {
  acc table[16], sum;
  acc_zero(&table[0]);
  for (int i = 1; i < 16; i++) acc_add_aff(&table[i], &table[i - 1], a);
  acc_zero(&sum);
  for (size_t i = 16 * n; i-- > 0;) {
    for (int j = 0; j < 4; j++) acc_dbl(&sum, &sum);
    acc_add(&sum, &sum, &table[k[i / 16] >> 4 * (i % 16) & 15]);
  }
  *r = sum;
}

static inline void acc_mul_ct(acc *r, const aff *a, const uint64_t *k, size_t n) {
  hom table[16], sum, chosen, base;
  hom_from_aff_ct(&base, a);
  hom_zero(&table[0]);
  for (int i = 1; i < 16; i++) hom_add_ct(&table[i], &table[i - 1], &base);
  hom_zero(&sum);
  for (size_t i = 16 * n; i-- > 0;) {
    for (int j = 0; j < 4; j++) hom_add_ct(&sum, &sum, &sum);
    const unsigned digit = k[i / 16] >> 4 * (i % 16) & 15;
    chosen = table[0];
    for (unsigned j = 1; j < 16; j++) hom_cmov(&chosen, &table[j], ((j ^ digit) - 1) >> 31);
    hom_add_ct(&sum, &sum, &chosen);
  }
  hom_to_acc_ct(r, &sum);
}

#endif
