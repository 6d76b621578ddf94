/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The Montgomery product on x86-64 with MULX, ADCX and ADOX: two carry chains side by side, which compilers do not
 * generate from C. fp_montgomery.h uses it where a source is compiled with -mbmi2 -madx and FP_LIMBS is 4 or 6.
 *
 * Rows alternate: add a_i b, then add the multiple of p that clears the lowest word. That word is then 0 and serves as
 * the next row's top word, so that nothing is moved: the names rotate instead. Bounds are those of the portable
 * product.
 */
#ifndef REPRISE_OPS_FP_MUL_ADX_H
#define REPRISE_OPS_FP_MUL_ADX_H

#if FP_LIMBS == 4

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

static inline uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0;
  fp_row_adx(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4);
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

#elif FP_LIMBS == 6

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

static inline uint64_t fp_mul_unreduced(uint64_t t[FP_LIMBS], const fp *a, const fp *b) {
  uint64_t t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6 = 0;
  fp_row_adx(a->v[0], b->v, &t0, &t1, &t2, &t3, &t4, &t5, &t6);
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

#endif
#endif
