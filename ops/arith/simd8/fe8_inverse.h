/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inversion of many elements with one inversion (Montgomery's trick), across lanes and vectors, and the loads and
 * stores that all fields share. Contracts: ops/arith/simd8/fe8.h.
 */
#ifndef REPRISE_OPS_CPU_FE8_INVERSE_H
#define REPRISE_OPS_CPU_FE8_INVERSE_H

static inline void fe8_rows(const void *at[8], const void *memory) {
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = (const char *)memory + (size_t)i * FE_BYTES;
}

static inline void fe8_load(fe8 *r, const void *memory) {
  const void *at[8];
  fe8_rows(at, memory);
  fe8_load_at(r, at);
}

static inline void fe8_load_raw(fe8 *r, const void *memory) {
  const void *at[8];
  fe8_rows(at, memory);
  fe8_load_raw_at(r, at);
}

static inline void fe8_store(void *memory, const fe8 *a) {
  void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = (char *)memory + (size_t)i * FE_BYTES;
  fe8_store_at(at, a);
}

static inline void fe8_store_raw(void *memory, const fe8 *a) {
  void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = (char *)memory + (size_t)i * FE_BYTES;
  fe8_store_raw_at(at, a);
}

/* A product tree over the lanes by rotations: p1 = a rot4(a) is the product of two lanes, p2 of four, p3 of all eight,
 * in every lane. The inverse of a lane is the inverse of p3 times the other seven lanes: rot4(a) rot2(p1) rot1(p2). */
FP8_CALL void fe8_inv_var(fe8 *r, const fe8 *a) {
  fe8 x = *a, one, p1, p2, p3, t;
  fe all[8];
  const m8 zero = fe8_is_zero(a);
  fe8_one(&one);
  fe8_cmov(&x, &one, zero);
  fe8_rotate(&t, &x, 4);
  fe8_mul(&p1, &x, &t);
  fe8 others = t;
  fe8_rotate(&t, &p1, 2);
  fe8_mul(&p2, &p1, &t);
  fe8_mul(&others, &others, &t);
  fe8_rotate(&t, &p2, 1);
  fe8_mul(&p3, &p2, &t);
  fe8_mul(&others, &others, &t);
  fe8_store(all, &p3);
  fe_inv_var(&all[0], &all[0]);
  fe8_set1(&t, &all[0]);
  fe8_mul(r, &others, &t);
  fe8_zero(&t);
  fe8_cmov(r, &t, zero);
}

/* scratch[i] is the product of the vectors before i, with zeros replaced by one. */
FP8_CALL void fe8_batch_inv_var(fe8 *a, fe8 *scratch, size_t n) {
  fe8 one, zero, product, x;
  fe8_one(&one);
  fe8_zero(&zero);
  product = one;
  for (size_t i = 0; i < n; i++) {
    scratch[i] = product;
    x = a[i];
    fe8_cmov(&x, &one, fe8_is_zero(&x));
    fe8_mul(&product, &product, &x);
  }
  fe8_inv_var(&product, &product);
  for (size_t i = n; i-- > 0;) {
    const m8 none = fe8_is_zero(&a[i]);
    x = a[i];
    fe8_cmov(&x, &one, none);
    fe8_mul(&a[i], &product, &scratch[i]);
    fe8_cmov(&a[i], &zero, none);
    fe8_mul(&product, &product, &x);
  }
}

#endif
