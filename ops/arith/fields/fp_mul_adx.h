/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The Montgomery product on x86-64 with MULX, ADCX and ADOX: two carry chains side by side, which compilers do not
 * generate from C. fp_montgomery.h uses it where a source is compiled with -mbmi2 -madx and FP_LIMBS is 4 or 6.
 *
 * Rows alternate: add a_i b, then add the multiple of p that clears the lowest word. That word is then 0 and serves as
 * the next row's top word, so that nothing is moved: the names rotate instead. Bounds are those of the portable
 * product. With four limbs, sums and differences choose by conditional moves, for which compilers take three
 * instructions.
 */
#ifndef REPRISE_OPS_FP_MUL_ADX_H
#define REPRISE_OPS_FP_MUL_ADX_H

#if FP_LIMBS == 4

/* t = x b, of five words. */
static inline void fp_row_first(uint64_t x, const uint64_t b[FP_LIMBS], uint64_t *t0, uint64_t *t1, uint64_t *t2,
                                uint64_t *t3, uint64_t *t4) {
  uint64_t lo;
  __asm__("mulx 0(%[b]), %[t0], %[t1]\n\t"
          "mulx 8(%[b]), %[lo], %[t2]\n\t"
          "addq %[lo], %[t1]\n\t"
          "mulx 16(%[b]), %[lo], %[t3]\n\t"
          "adcq %[lo], %[t2]\n\t"
          "mulx 24(%[b]), %[lo], %[t4]\n\t"
          "adcq %[lo], %[t3]\n\t"
          "adcq $0, %[t4]"
          : [t0] "=&r"(*t0), [t1] "=&r"(*t1), [t2] "=&r"(*t2), [t3] "=&r"(*t3), [t4] "=&r"(*t4), [lo] "=&r"(lo)
          : "d"(x), [b] "r"(b), "m"(*(const uint64_t(*)[FP_LIMBS])b)
          : "cc");
}

/* t += x b; the sum must fit the five words. */
static inline void fp_row_adx(uint64_t x, const uint64_t b[FP_LIMBS], uint64_t *t0, uint64_t *t1, uint64_t *t2,
                              uint64_t *t3, uint64_t *t4) {
  uint64_t lo, hi;
  __asm__("xorl %k[lo], %k[lo]\n\t" /* clears both carries */
          "mulx 0(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t0]\n\t"
          "adox %[hi], %[t1]\n\t"
          "mulx 8(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t1]\n\t"
          "adox %[hi], %[t2]\n\t"
          "mulx 16(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t2]\n\t"
          "adox %[hi], %[t3]\n\t"
          "mulx 24(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t3]\n\t"
          "movl $0, %k[lo]\n\t"
          "adox %[hi], %[t4]\n\t"
          "adcx %[lo], %[t4]"
          : [t0] "+&r"(*t0), [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3), [t4] "+&r"(*t4), [lo] "=&r"(lo),
            [hi] "=&r"(hi)
          : "d"(x), [b] "r"(b), "m"(*(const uint64_t(*)[FP_LIMBS])b)
          : "cc");
}

/* Inlined by force, as gcc takes every line of assembly for an instruction of average length. */
static inline __attribute__((always_inline)) uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t t0, t1, t2, t3, t4;
  fp_row_first(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(t0 * FP_N0_64, fp_modulus, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(a->v[1], b->v, &t1, &t2, &t3, &t4, &t0);
  fp_row_adx(t1 * FP_N0_64, fp_modulus, &t1, &t2, &t3, &t4, &t0);
  fp_row_adx(a->v[2], b->v, &t2, &t3, &t4, &t0, &t1);
  fp_row_adx(t2 * FP_N0_64, fp_modulus, &t2, &t3, &t4, &t0, &t1);
  fp_row_adx(a->v[3], b->v, &t3, &t4, &t0, &t1, &t2);
  fp_row_adx(t3 * FP_N0_64, fp_modulus, &t3, &t4, &t0, &t1, &t2);
  t[0] = t4;
  t[1] = t0;
  t[2] = t1;
  t[3] = t2;
  return 0;
}

/* The same for a b + c d, with one reduction: below p + (a b + c d) / R, which is 2p for reduced operands if 4p fits
 * the limbs. */
static inline void fp_mul_two_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b, const fp *c, const fp *d) {
  uint64_t t0, t1, t2, t3, t4;
  fp_row_first(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(c->v[0], d->v, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(t0 * FP_N0_64, fp_modulus, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(a->v[1], b->v, &t1, &t2, &t3, &t4, &t0);
  fp_row_adx(c->v[1], d->v, &t1, &t2, &t3, &t4, &t0);
  fp_row_adx(t1 * FP_N0_64, fp_modulus, &t1, &t2, &t3, &t4, &t0);
  fp_row_adx(a->v[2], b->v, &t2, &t3, &t4, &t0, &t1);
  fp_row_adx(c->v[2], d->v, &t2, &t3, &t4, &t0, &t1);
  fp_row_adx(t2 * FP_N0_64, fp_modulus, &t2, &t3, &t4, &t0, &t1);
  fp_row_adx(a->v[3], b->v, &t3, &t4, &t0, &t1, &t2);
  fp_row_adx(c->v[3], d->v, &t3, &t4, &t0, &t1, &t2);
  fp_row_adx(t3 * FP_N0_64, fp_modulus, &t3, &t4, &t0, &t1, &t2);
  t[0] = t4;
  t[1] = t0;
  t[2] = t1;
  t[3] = t2;
}

/* r = t < p ? t : t - p, for t < 2p. */
static inline void fp_reduce_words(fp *r, const uint64_t t[FP_LIMBS]) {
  uint64_t d0 = t[0], d1 = t[1], d2 = t[2], d3 = t[3];
  __asm__("subq 0(%[p]), %[d0]\n\t"
          "sbbq 8(%[p]), %[d1]\n\t"
          "sbbq 16(%[p]), %[d2]\n\t"
          "sbbq 24(%[p]), %[d3]\n\t"
          "cmovcq %[t0], %[d0]\n\t"
          "cmovcq %[t1], %[d1]\n\t"
          "cmovcq %[t2], %[d2]\n\t"
          "cmovcq %[t3], %[d3]"
          : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3)
          : [t0] "rm"(t[0]), [t1] "rm"(t[1]), [t2] "rm"(t[2]), [t3] "rm"(t[3]), [p] "r"(fp_modulus),
            "m"(*(const uint64_t(*)[FP_LIMBS])fp_modulus)
          : "cc");
  r->v[0] = d0, r->v[1] = d1, r->v[2] = d2, r->v[3] = d3;
}

/* r = a - b mod p. */
static inline void fp_sub_words(fp *r, const fp *a, const fp *b) {
  uint64_t t0 = a->v[0], t1 = a->v[1], t2 = a->v[2], t3 = a->v[3];
  uint64_t p0 = fp_modulus[0], p1 = fp_modulus[1], p2 = fp_modulus[2], p3 = fp_modulus[3];
  __asm__("subq %[b0], %[t0]\n\t"
          "sbbq %[b1], %[t1]\n\t"
          "sbbq %[b2], %[t2]\n\t"
          "sbbq %[b3], %[t3]\n\t"
          "cmovncq %[zero], %[p0]\n\t"
          "cmovncq %[zero], %[p1]\n\t"
          "cmovncq %[zero], %[p2]\n\t"
          "cmovncq %[zero], %[p3]\n\t"
          "addq %[p0], %[t0]\n\t"
          "adcq %[p1], %[t1]\n\t"
          "adcq %[p2], %[t2]\n\t"
          "adcq %[p3], %[t3]"
          : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3), [p0] "+&r"(p0), [p1] "+&r"(p1),
            [p2] "+&r"(p2), [p3] "+&r"(p3)
          : [b0] "rm"(b->v[0]), [b1] "rm"(b->v[1]), [b2] "rm"(b->v[2]), [b3] "rm"(b->v[3]), [zero] "rm"((uint64_t)0)
          : "cc");
  r->v[0] = t0, r->v[1] = t1, r->v[2] = t2, r->v[3] = t3;
}

#elif FP_LIMBS == 6

/* t = x b, of seven words. */
static inline void fp_row_first(uint64_t x, const uint64_t b[FP_LIMBS], uint64_t *t0, uint64_t *t1, uint64_t *t2,
                                uint64_t *t3, uint64_t *t4, uint64_t *t5, uint64_t *t6) {
  uint64_t lo;
  __asm__("mulx 0(%[b]), %[t0], %[t1]\n\t"
          "mulx 8(%[b]), %[lo], %[t2]\n\t"
          "addq %[lo], %[t1]\n\t"
          "mulx 16(%[b]), %[lo], %[t3]\n\t"
          "adcq %[lo], %[t2]\n\t"
          "mulx 24(%[b]), %[lo], %[t4]\n\t"
          "adcq %[lo], %[t3]\n\t"
          "mulx 32(%[b]), %[lo], %[t5]\n\t"
          "adcq %[lo], %[t4]\n\t"
          "mulx 40(%[b]), %[lo], %[t6]\n\t"
          "adcq %[lo], %[t5]\n\t"
          "adcq $0, %[t6]"
          : [t0] "=&r"(*t0), [t1] "=&r"(*t1), [t2] "=&r"(*t2), [t3] "=&r"(*t3), [t4] "=&r"(*t4), [t5] "=&r"(*t5),
            [t6] "=&r"(*t6), [lo] "=&r"(lo)
          : "d"(x), [b] "r"(b), "m"(*(const uint64_t(*)[FP_LIMBS])b)
          : "cc");
}

/* t += x b; the sum must fit the seven words. */
static inline void fp_row_adx(uint64_t x, const uint64_t b[FP_LIMBS], uint64_t *t0, uint64_t *t1, uint64_t *t2,
                              uint64_t *t3, uint64_t *t4, uint64_t *t5, uint64_t *t6) {
  uint64_t lo, hi;
  __asm__("xorl %k[lo], %k[lo]\n\t" /* clears both carries */
          "mulx 0(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t0]\n\t"
          "adox %[hi], %[t1]\n\t"
          "mulx 8(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t1]\n\t"
          "adox %[hi], %[t2]\n\t"
          "mulx 16(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t2]\n\t"
          "adox %[hi], %[t3]\n\t"
          "mulx 24(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t3]\n\t"
          "adox %[hi], %[t4]\n\t"
          "mulx 32(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t4]\n\t"
          "adox %[hi], %[t5]\n\t"
          "mulx 40(%[b]), %[lo], %[hi]\n\t"
          "adcx %[lo], %[t5]\n\t"
          "movl $0, %k[lo]\n\t"
          "adox %[hi], %[t6]\n\t"
          "adcx %[lo], %[t6]"
          : [t0] "+&r"(*t0), [t1] "+&r"(*t1), [t2] "+&r"(*t2), [t3] "+&r"(*t3), [t4] "+&r"(*t4), [t5] "+&r"(*t5),
            [t6] "+&r"(*t6), [lo] "=&r"(lo), [hi] "=&r"(hi)
          : "d"(x), [b] "r"(b), "m"(*(const uint64_t(*)[FP_LIMBS])b)
          : "cc");
}

static inline __attribute__((always_inline)) uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t t0, t1, t2, t3, t4, t5, t6;
  fp_row_first(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_adx(t0 * FP_N0_64, fp_modulus, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_adx(a->v[1], b->v, &t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_adx(t1 * FP_N0_64, fp_modulus, &t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_adx(a->v[2], b->v, &t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_adx(t2 * FP_N0_64, fp_modulus, &t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_adx(a->v[3], b->v, &t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_adx(t3 * FP_N0_64, fp_modulus, &t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_adx(a->v[4], b->v, &t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_adx(t4 * FP_N0_64, fp_modulus, &t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_adx(a->v[5], b->v, &t5, &t6, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(t5 * FP_N0_64, fp_modulus, &t5, &t6, &t0, &t1, &t2, &t3, &t4);
  t[0] = t6;
  t[1] = t0;
  t[2] = t1;
  t[3] = t2;
  t[4] = t3;
  t[5] = t4;
  return 0;
}

/* The same for a b + c d, with one reduction: below p + (a b + c d) / R, which is 2p for reduced operands if 4p fits
 * the limbs. */
static inline void fp_mul_two_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b, const fp *c, const fp *d) {
  uint64_t t0, t1, t2, t3, t4, t5, t6;
  fp_row_first(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_adx(c->v[0], d->v, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_adx(t0 * FP_N0_64, fp_modulus, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
  fp_row_adx(a->v[1], b->v, &t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_adx(c->v[1], d->v, &t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_adx(t1 * FP_N0_64, fp_modulus, &t1, &t2, &t3, &t4, &t5, &t6, &t0);
  fp_row_adx(a->v[2], b->v, &t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_adx(c->v[2], d->v, &t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_adx(t2 * FP_N0_64, fp_modulus, &t2, &t3, &t4, &t5, &t6, &t0, &t1);
  fp_row_adx(a->v[3], b->v, &t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_adx(c->v[3], d->v, &t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_adx(t3 * FP_N0_64, fp_modulus, &t3, &t4, &t5, &t6, &t0, &t1, &t2);
  fp_row_adx(a->v[4], b->v, &t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_adx(c->v[4], d->v, &t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_adx(t4 * FP_N0_64, fp_modulus, &t4, &t5, &t6, &t0, &t1, &t2, &t3);
  fp_row_adx(a->v[5], b->v, &t5, &t6, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(c->v[5], d->v, &t5, &t6, &t0, &t1, &t2, &t3, &t4);
  fp_row_adx(t5 * FP_N0_64, fp_modulus, &t5, &t6, &t0, &t1, &t2, &t3, &t4);
  t[0] = t6;
  t[1] = t0;
  t[2] = t1;
  t[3] = t2;
  t[4] = t3;
  t[5] = t4;
}

#endif
#endif
