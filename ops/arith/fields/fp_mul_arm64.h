/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products and sums on 64-bit ARM. Compilers turn the carries of the portable code into comparisons, which makes them
 * half of a product; here they stay in the flag. fp_montgomery.h uses it where FP_LIMBS is 4 or 6 and the modulus has a
 * spare bit.
 *
 * Rows alternate: add a_i b, then add the multiple of p that clears the lowest word. That word's register then holds
 * the next row's top word, so that nothing is moved: the names rotate instead. Bounds are those of the portable
 * product.
 */
#ifndef REPRISE_OPS_FP_MUL_ARM64_H
#define REPRISE_OPS_FP_MUL_ARM64_H

/* The modulus, loaded from memory: as immediate values each of its words would take four instructions. */
static inline const uint64_t *fp_modulus_in_memory(void) {
  const uint64_t *p = fp_modulus;
  __asm__("" : "+r"(p));
  return p;
}

#if FP_LIMBS == 4

/* t = x b, of five words. */
static inline void fp_row_first(uint64_t x, const uint64_t b[4], uint64_t *t0, uint64_t *t1, uint64_t *t2, uint64_t *t3,
                                uint64_t *t4) {
  uint64_t h0, h1, h2;
  __asm__ __inline__("mul %[t0], %[x], %[b0]\n\t"
                     "umulh %[h0], %[x], %[b0]\n\t"
                     "mul %[t1], %[x], %[b1]\n\t"
                     "umulh %[h1], %[x], %[b1]\n\t"
                     "mul %[t2], %[x], %[b2]\n\t"
                     "umulh %[h2], %[x], %[b2]\n\t"
                     "mul %[t3], %[x], %[b3]\n\t"
                     "umulh %[t4], %[x], %[b3]\n\t"
                     "adds %[t1], %[t1], %[h0]\n\t"
                     "adcs %[t2], %[t2], %[h1]\n\t"
                     "adcs %[t3], %[t3], %[h2]\n\t"
                     "adc %[t4], %[t4], xzr"
                     : [t0] "=&r"(*t0), [t1] "=&r"(*t1), [t2] "=&r"(*t2), [t3] "=&r"(*t3), [t4] "=&r"(*t4),
                       [h0] "=&r"(h0), [h1] "=&r"(h1), [h2] "=&r"(h2)
                     : [x] "r"(x), [b0] "r"(b[0]), [b1] "r"(b[1]), [b2] "r"(b[2]), [b3] "r"(b[3])
                     : "cc");
}

/* t += x b, where t has four words before, and five after. */
static inline void fp_row_add(uint64_t x, const uint64_t b[4], uint64_t *t0, uint64_t *t1, uint64_t *t2, uint64_t *t3,
                              uint64_t *t4) {
  uint64_t l0, l1, l2, l3;
  __asm__ __inline__("mul %[l0], %[x], %[b0]\n\t"
                     "mul %[l1], %[x], %[b1]\n\t"
                     "mul %[l2], %[x], %[b2]\n\t"
                     "mul %[l3], %[x], %[b3]\n\t"
                     "adds %[t0], %[t0], %[l0]\n\t"
                     "umulh %[l0], %[x], %[b0]\n\t"
                     "adcs %[t1], %[t1], %[l1]\n\t"
                     "umulh %[l1], %[x], %[b1]\n\t"
                     "adcs %[t2], %[t2], %[l2]\n\t"
                     "umulh %[l2], %[x], %[b2]\n\t"
                     "adcs %[t3], %[t3], %[l3]\n\t"
                     "umulh %[l3], %[x], %[b3]\n\t"
                     "adc %[t4], %[l3], xzr\n\t"
                     "adds %[t1], %[t1], %[l0]\n\t"
                     "adcs %[t2], %[t2], %[l1]\n\t"
                     "adcs %[t3], %[t3], %[l2]\n\t"
                     "adc %[t4], %[t4], xzr"
                     : [t0] "+&r"(*t0), [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3), [t4] "=&r"(*t4),
                       [l0] "=&r"(l0), [l1] "=&r"(l1), [l2] "=&r"(l2), [l3] "=&r"(l3)
                     : [x] "r"(x), [b0] "r"(b[0]), [b1] "r"(b[1]), [b2] "r"(b[2]), [b3] "r"(b[3])
                     : "cc");
}

/* t = (t + m p) / 2^64, in the words from t1 on: m clears t0, whose sum with the low word of m p_0 is 2^64 unless t0 is
 * 0. */
static inline void fp_row_reduce(const uint64_t p[4], uint64_t t0, uint64_t *t1, uint64_t *t2, uint64_t *t3,
                                 uint64_t *t4) {
  const uint64_t m = t0 * FP_N0_64;
  uint64_t l0, l1, l2, l3;
  __asm__ __inline__("mul %[l1], %[m], %[p1]\n\t"
                     "mul %[l2], %[m], %[p2]\n\t"
                     "mul %[l3], %[m], %[p3]\n\t"
                     "umulh %[l0], %[m], %[p0]\n\t"
                     "cmp %[t0], #1\n\t"
                     "adcs %[t1], %[t1], %[l1]\n\t"
                     "umulh %[l1], %[m], %[p1]\n\t"
                     "adcs %[t2], %[t2], %[l2]\n\t"
                     "umulh %[l2], %[m], %[p2]\n\t"
                     "adcs %[t3], %[t3], %[l3]\n\t"
                     "umulh %[l3], %[m], %[p3]\n\t"
                     "adc %[t4], %[t4], xzr\n\t"
                     "adds %[t1], %[t1], %[l0]\n\t"
                     "adcs %[t2], %[t2], %[l1]\n\t"
                     "adcs %[t3], %[t3], %[l2]\n\t"
                     "adc %[t4], %[t4], %[l3]"
                     : [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3), [t4] "+&r"(*t4), [l0] "=&r"(l0),
                       [l1] "=&r"(l1), [l2] "=&r"(l2), [l3] "=&r"(l3)
                     : [t0] "r"(t0), [m] "r"(m), [p0] "r"(p[0]), [p1] "r"(p[1]), [p2] "r"(p[2]), [p3] "r"(p[3])
                     : "cc");
}

static inline uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  const uint64_t *p = fp_modulus_in_memory();
  uint64_t t0, t1, t2, t3, t4;
  fp_row_first(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4);
  fp_row_reduce(p, t0, &t1, &t2, &t3, &t4);
  fp_row_add(a->v[1], b->v, &t1, &t2, &t3, &t4, &t0);
  fp_row_reduce(p, t1, &t2, &t3, &t4, &t0);
  fp_row_add(a->v[2], b->v, &t2, &t3, &t4, &t0, &t1);
  fp_row_reduce(p, t2, &t3, &t4, &t0, &t1);
  fp_row_add(a->v[3], b->v, &t3, &t4, &t0, &t1, &t2);
  fp_row_reduce(p, t3, &t4, &t0, &t1, &t2);
  t[0] = t4;
  t[1] = t0;
  t[2] = t1;
  t[3] = t2;
  return 0;
}

/* r = t - p if t >= p, else t. */
static inline void fp_reduce_words(fp *r, const uint64_t t[FP_LIMBS]) {
  const uint64_t *p = fp_modulus_in_memory();
  uint64_t d0, d1, d2, d3;
  __asm__ __inline__("subs %[d0], %[t0], %[p0]\n\t"
                     "sbcs %[d1], %[t1], %[p1]\n\t"
                     "sbcs %[d2], %[t2], %[p2]\n\t"
                     "sbcs %[d3], %[t3], %[p3]\n\t"
                     "csel %[d0], %[t0], %[d0], lo\n\t"
                     "csel %[d1], %[t1], %[d1], lo\n\t"
                     "csel %[d2], %[t2], %[d2], lo\n\t"
                     "csel %[d3], %[t3], %[d3], lo"
                     : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3)
                     : [t0] "r"(t[0]), [t1] "r"(t[1]), [t2] "r"(t[2]), [t3] "r"(t[3]), [p0] "r"(p[0]), [p1] "r"(p[1]),
                       [p2] "r"(p[2]), [p3] "r"(p[3])
                     : "cc");
  r->v[0] = d0;
  r->v[1] = d1;
  r->v[2] = d2;
  r->v[3] = d3;
}

/* t = a + b, which fits the words. */
static inline void fp_add_words(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t d0, d1, d2, d3;
  __asm__ __inline__("adds %[d0], %[a0], %[b0]\n\t"
                     "adcs %[d1], %[a1], %[b1]\n\t"
                     "adcs %[d2], %[a2], %[b2]\n\t"
                     "adc %[d3], %[a3], %[b3]"
                     : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3)
                     : [a0] "r"(a->v[0]), [a1] "r"(a->v[1]), [a2] "r"(a->v[2]), [a3] "r"(a->v[3]), [b0] "r"(b->v[0]),
                       [b1] "r"(b->v[1]), [b2] "r"(b->v[2]), [b3] "r"(b->v[3])
                     : "cc");
  t[0] = d0;
  t[1] = d1;
  t[2] = d2;
  t[3] = d3;
}

/* r = a - b mod p, for a and b below p: p is added if there is a borrow. */
static inline void fp_sub_words(fp *r, const fp *a, const fp *b) {
  const uint64_t *p = fp_modulus_in_memory();
  uint64_t d0, d1, d2, d3;
  uint64_t p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
  __asm__ __inline__("subs %[d0], %[a0], %[b0]\n\t"
                     "sbcs %[d1], %[a1], %[b1]\n\t"
                     "sbcs %[d2], %[a2], %[b2]\n\t"
                     "sbcs %[d3], %[a3], %[b3]\n\t"
                     "csel %[p0], %[p0], xzr, lo\n\t"
                     "csel %[p1], %[p1], xzr, lo\n\t"
                     "csel %[p2], %[p2], xzr, lo\n\t"
                     "csel %[p3], %[p3], xzr, lo\n\t"
                     "adds %[d0], %[d0], %[p0]\n\t"
                     "adcs %[d1], %[d1], %[p1]\n\t"
                     "adcs %[d2], %[d2], %[p2]\n\t"
                     "adc %[d3], %[d3], %[p3]"
                     : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3), [p0] "+&r"(p0), [p1] "+&r"(p1),
                       [p2] "+&r"(p2), [p3] "+&r"(p3)
                     : [a0] "r"(a->v[0]), [a1] "r"(a->v[1]), [a2] "r"(a->v[2]), [a3] "r"(a->v[3]), [b0] "r"(b->v[0]),
                       [b1] "r"(b->v[1]), [b2] "r"(b->v[2]), [b3] "r"(b->v[3])
                     : "cc");
  r->v[0] = d0;
  r->v[1] = d1;
  r->v[2] = d2;
  r->v[3] = d3;
}

#elif FP_LIMBS == 6

static inline void fp_row_first(uint64_t x, const uint64_t b[6], uint64_t *t0, uint64_t *t1, uint64_t *t2, uint64_t *t3,
                                uint64_t *t4, uint64_t *t5, uint64_t *t6) {
  uint64_t h0, h1, h2, h3, h4;
  __asm__ __inline__(
      "mul %[t0], %[x], %[b0]\n\t"
      "umulh %[h0], %[x], %[b0]\n\t"
      "mul %[t1], %[x], %[b1]\n\t"
      "umulh %[h1], %[x], %[b1]\n\t"
      "mul %[t2], %[x], %[b2]\n\t"
      "umulh %[h2], %[x], %[b2]\n\t"
      "mul %[t3], %[x], %[b3]\n\t"
      "umulh %[h3], %[x], %[b3]\n\t"
      "mul %[t4], %[x], %[b4]\n\t"
      "umulh %[h4], %[x], %[b4]\n\t"
      "mul %[t5], %[x], %[b5]\n\t"
      "umulh %[t6], %[x], %[b5]\n\t"
      "adds %[t1], %[t1], %[h0]\n\t"
      "adcs %[t2], %[t2], %[h1]\n\t"
      "adcs %[t3], %[t3], %[h2]\n\t"
      "adcs %[t4], %[t4], %[h3]\n\t"
      "adcs %[t5], %[t5], %[h4]\n\t"
      "adc %[t6], %[t6], xzr"
      : [t0] "=&r"(*t0), [t1] "=&r"(*t1), [t2] "=&r"(*t2), [t3] "=&r"(*t3), [t4] "=&r"(*t4), [t5] "=&r"(*t5),
        [t6] "=&r"(*t6), [h0] "=&r"(h0), [h1] "=&r"(h1), [h2] "=&r"(h2), [h3] "=&r"(h3), [h4] "=&r"(h4)
      : [x] "r"(x), [b0] "r"(b[0]), [b1] "r"(b[1]), [b2] "r"(b[2]), [b3] "r"(b[3]), [b4] "r"(b[4]), [b5] "r"(b[5])
      : "cc");
}

static inline void fp_row_add(uint64_t x, const uint64_t b[6], uint64_t *t0, uint64_t *t1, uint64_t *t2, uint64_t *t3,
                              uint64_t *t4, uint64_t *t5, uint64_t *t6) {
  uint64_t l0, l1, l2, l3, l4, l5;
  __asm__ __inline__(
      "mul %[l0], %[x], %[b0]\n\t"
      "mul %[l1], %[x], %[b1]\n\t"
      "mul %[l2], %[x], %[b2]\n\t"
      "mul %[l3], %[x], %[b3]\n\t"
      "mul %[l4], %[x], %[b4]\n\t"
      "mul %[l5], %[x], %[b5]\n\t"
      "adds %[t0], %[t0], %[l0]\n\t"
      "umulh %[l0], %[x], %[b0]\n\t"
      "adcs %[t1], %[t1], %[l1]\n\t"
      "umulh %[l1], %[x], %[b1]\n\t"
      "adcs %[t2], %[t2], %[l2]\n\t"
      "umulh %[l2], %[x], %[b2]\n\t"
      "adcs %[t3], %[t3], %[l3]\n\t"
      "umulh %[l3], %[x], %[b3]\n\t"
      "adcs %[t4], %[t4], %[l4]\n\t"
      "umulh %[l4], %[x], %[b4]\n\t"
      "adcs %[t5], %[t5], %[l5]\n\t"
      "umulh %[l5], %[x], %[b5]\n\t"
      "adc %[t6], %[l5], xzr\n\t"
      "adds %[t1], %[t1], %[l0]\n\t"
      "adcs %[t2], %[t2], %[l1]\n\t"
      "adcs %[t3], %[t3], %[l2]\n\t"
      "adcs %[t4], %[t4], %[l3]\n\t"
      "adcs %[t5], %[t5], %[l4]\n\t"
      "adc %[t6], %[t6], xzr"
      : [t0] "+&r"(*t0), [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3), [t4] "+&r"(*t4), [t5] "+&r"(*t5),
        [t6] "=&r"(*t6), [l0] "=&r"(l0), [l1] "=&r"(l1), [l2] "=&r"(l2), [l3] "=&r"(l3), [l4] "=&r"(l4), [l5] "=&r"(l5)
      : [x] "r"(x), [b0] "r"(b[0]), [b1] "r"(b[1]), [b2] "r"(b[2]), [b3] "r"(b[3]), [b4] "r"(b[4]), [b5] "r"(b[5])
      : "cc");
}

static inline void fp_row_reduce(const uint64_t p[6], uint64_t t0, uint64_t *t1, uint64_t *t2, uint64_t *t3,
                                 uint64_t *t4, uint64_t *t5, uint64_t *t6) {
  const uint64_t m = t0 * FP_N0_64;
  uint64_t l0, l1, l2, l3, l4, l5;
  __asm__ __inline__(
      "mul %[l1], %[m], %[p1]\n\t"
      "mul %[l2], %[m], %[p2]\n\t"
      "mul %[l3], %[m], %[p3]\n\t"
      "mul %[l4], %[m], %[p4]\n\t"
      "mul %[l5], %[m], %[p5]\n\t"
      "umulh %[l0], %[m], %[p0]\n\t"
      "cmp %[t0], #1\n\t"
      "adcs %[t1], %[t1], %[l1]\n\t"
      "umulh %[l1], %[m], %[p1]\n\t"
      "adcs %[t2], %[t2], %[l2]\n\t"
      "umulh %[l2], %[m], %[p2]\n\t"
      "adcs %[t3], %[t3], %[l3]\n\t"
      "umulh %[l3], %[m], %[p3]\n\t"
      "adcs %[t4], %[t4], %[l4]\n\t"
      "umulh %[l4], %[m], %[p4]\n\t"
      "adcs %[t5], %[t5], %[l5]\n\t"
      "umulh %[l5], %[m], %[p5]\n\t"
      "adc %[t6], %[t6], xzr\n\t"
      "adds %[t1], %[t1], %[l0]\n\t"
      "adcs %[t2], %[t2], %[l1]\n\t"
      "adcs %[t3], %[t3], %[l2]\n\t"
      "adcs %[t4], %[t4], %[l3]\n\t"
      "adcs %[t5], %[t5], %[l4]\n\t"
      "adc %[t6], %[t6], %[l5]"
      : [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3), [t4] "+&r"(*t4), [t5] "+&r"(*t5), [t6] "+&r"(*t6),
        [l0] "=&r"(l0), [l1] "=&r"(l1), [l2] "=&r"(l2), [l3] "=&r"(l3), [l4] "=&r"(l4), [l5] "=&r"(l5)
      : [t0] "r"(t0), [m] "r"(m), [p0] "r"(p[0]), [p1] "r"(p[1]), [p2] "r"(p[2]), [p3] "r"(p[3]), [p4] "r"(p[4]),
        [p5] "r"(p[5])
      : "cc");
}

static inline uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  const uint64_t *p = fp_modulus_in_memory();
  uint64_t t0, t1, t2, t3, t4, t5, t6;
  fp_row_first(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_reduce(p, t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_add(a->v[1], b->v, &t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_reduce(p, t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_add(a->v[2], b->v, &t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_reduce(p, t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_add(a->v[3], b->v, &t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_reduce(p, t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_add(a->v[4], b->v, &t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_reduce(p, t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_add(a->v[5], b->v, &t5, &t6, &t0, &t1, &t2, &t3, &t4);
  fp_row_reduce(p, t5, &t6, &t0, &t1, &t2, &t3, &t4);
  t[0] = t6;
  t[1] = t0;
  t[2] = t1;
  t[3] = t2;
  t[4] = t3;
  t[5] = t4;
  return 0;
}

static inline void fp_reduce_words(fp *r, const uint64_t t[FP_LIMBS]) {
  const uint64_t *p = fp_modulus_in_memory();
  uint64_t d0, d1, d2, d3, d4, d5;
  __asm__ __inline__("subs %[d0], %[t0], %[p0]\n\t"
                     "sbcs %[d1], %[t1], %[p1]\n\t"
                     "sbcs %[d2], %[t2], %[p2]\n\t"
                     "sbcs %[d3], %[t3], %[p3]\n\t"
                     "sbcs %[d4], %[t4], %[p4]\n\t"
                     "sbcs %[d5], %[t5], %[p5]\n\t"
                     "csel %[d0], %[t0], %[d0], lo\n\t"
                     "csel %[d1], %[t1], %[d1], lo\n\t"
                     "csel %[d2], %[t2], %[d2], lo\n\t"
                     "csel %[d3], %[t3], %[d3], lo\n\t"
                     "csel %[d4], %[t4], %[d4], lo\n\t"
                     "csel %[d5], %[t5], %[d5], lo"
                     : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3), [d4] "=&r"(d4), [d5] "=&r"(d5)
                     : [t0] "r"(t[0]), [t1] "r"(t[1]), [t2] "r"(t[2]), [t3] "r"(t[3]), [t4] "r"(t[4]), [t5] "r"(t[5]),
                       [p0] "r"(p[0]), [p1] "r"(p[1]), [p2] "r"(p[2]), [p3] "r"(p[3]), [p4] "r"(p[4]), [p5] "r"(p[5])
                     : "cc");
  r->v[0] = d0;
  r->v[1] = d1;
  r->v[2] = d2;
  r->v[3] = d3;
  r->v[4] = d4;
  r->v[5] = d5;
}

static inline void fp_add_words(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t d0, d1, d2, d3, d4, d5;
  __asm__ __inline__("adds %[d0], %[a0], %[b0]\n\t"
                     "adcs %[d1], %[a1], %[b1]\n\t"
                     "adcs %[d2], %[a2], %[b2]\n\t"
                     "adcs %[d3], %[a3], %[b3]\n\t"
                     "adcs %[d4], %[a4], %[b4]\n\t"
                     "adc %[d5], %[a5], %[b5]"
                     : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3), [d4] "=&r"(d4), [d5] "=&r"(d5)
                     : [a0] "r"(a->v[0]), [a1] "r"(a->v[1]), [a2] "r"(a->v[2]), [a3] "r"(a->v[3]), [a4] "r"(a->v[4]),
                       [a5] "r"(a->v[5]), [b0] "r"(b->v[0]), [b1] "r"(b->v[1]), [b2] "r"(b->v[2]), [b3] "r"(b->v[3]),
                       [b4] "r"(b->v[4]), [b5] "r"(b->v[5])
                     : "cc");
  t[0] = d0;
  t[1] = d1;
  t[2] = d2;
  t[3] = d3;
  t[4] = d4;
  t[5] = d5;
}

static inline void fp_sub_words(fp *r, const fp *a, const fp *b) {
  const uint64_t *p = fp_modulus_in_memory();
  uint64_t d0, d1, d2, d3, d4, d5;
  uint64_t p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3], p4 = p[4], p5 = p[5];
  __asm__ __inline__("subs %[d0], %[a0], %[b0]\n\t"
                     "sbcs %[d1], %[a1], %[b1]\n\t"
                     "sbcs %[d2], %[a2], %[b2]\n\t"
                     "sbcs %[d3], %[a3], %[b3]\n\t"
                     "sbcs %[d4], %[a4], %[b4]\n\t"
                     "sbcs %[d5], %[a5], %[b5]\n\t"
                     "csel %[p0], %[p0], xzr, lo\n\t"
                     "csel %[p1], %[p1], xzr, lo\n\t"
                     "csel %[p2], %[p2], xzr, lo\n\t"
                     "csel %[p3], %[p3], xzr, lo\n\t"
                     "csel %[p4], %[p4], xzr, lo\n\t"
                     "csel %[p5], %[p5], xzr, lo\n\t"
                     "adds %[d0], %[d0], %[p0]\n\t"
                     "adcs %[d1], %[d1], %[p1]\n\t"
                     "adcs %[d2], %[d2], %[p2]\n\t"
                     "adcs %[d3], %[d3], %[p3]\n\t"
                     "adcs %[d4], %[d4], %[p4]\n\t"
                     "adc %[d5], %[d5], %[p5]"
                     : [d0] "=&r"(d0), [d1] "=&r"(d1), [d2] "=&r"(d2), [d3] "=&r"(d3), [d4] "=&r"(d4), [d5] "=&r"(d5),
                       [p0] "+&r"(p0), [p1] "+&r"(p1), [p2] "+&r"(p2), [p3] "+&r"(p3), [p4] "+&r"(p4), [p5] "+&r"(p5)
                     : [a0] "r"(a->v[0]), [a1] "r"(a->v[1]), [a2] "r"(a->v[2]), [a3] "r"(a->v[3]), [a4] "r"(a->v[4]),
                       [a5] "r"(a->v[5]), [b0] "r"(b->v[0]), [b1] "r"(b->v[1]), [b2] "r"(b->v[2]), [b3] "r"(b->v[3]),
                       [b4] "r"(b->v[4]), [b5] "r"(b->v[5])
                     : "cc");
  r->v[0] = d0;
  r->v[1] = d1;
  r->v[2] = d2;
  r->v[3] = d3;
  r->v[4] = d4;
  r->v[5] = d5;
}

#endif
#endif
