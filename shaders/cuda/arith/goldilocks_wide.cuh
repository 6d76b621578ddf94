/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Goldilocks arithmetic for chains of products, where latency determines the time: all elements are loose
 * (goldilocks.cuh), and a reduction corrects for its carry and its borrow at once. With f = 2^32: f^2 = f - 1 and f^3 =
 * -1 modulo p.
 */
#ifndef REPRISE_CUDA_GOLDILOCKS_WIDE_CUH
#define REPRISE_CUDA_GOLDILOCKS_WIDE_CUH

#include "arith/goldilocks.cuh"

RP_DEV uint32_t low_word(uint64_t a) { return (uint32_t)a; }
RP_DEV uint32_t high_word(uint64_t a) { return (uint32_t)(a >> 32); }

/* a b = lo + 2^64 (x + f y) = lo + x (f - 1) - y modulo p. As an integer that is v + 2^64 k, with 0 <= v < 2^64 and k
 * from -1 to 1. 2^64 k is worth k (f - 1), and v is far enough from the end of its range that adding this neither
 * carries nor borrows. */
RP_DEV uint64_t wide_mul(uint64_t a, uint64_t b) {
  const uint64_t lo = a * b, hi = __umul64hi(a, b);
  uint32_t v0, v1;
  asm("{.reg .u32 k, upper;\n\t"
      "mad.lo.cc.u32 %0, %4, %6, %2;\n\t"
      "madc.hi.cc.u32 %1, %4, %6, %3;\n\t"
      "addc.u32 k, 0, 0;\n\t"
      "sub.cc.u32 %0, %0, %5;\n\t"
      "subc.cc.u32 %1, %1, 0;\n\t"
      "subc.u32 k, k, 0;\n\t"
      "shr.s32 upper, k, 31;\n\t"
      "sub.u32 upper, k, upper;\n\t"
      "sub.cc.u32 %0, %0, k;\n\t"
      "subc.u32 %1, %1, 0;\n\t"
      "add.u32 %1, %1, upper;}"
      : "=&r"(v0), "=&r"(v1)
      : "r"(low_word(lo)), "r"(high_word(lo)), "r"(low_word(hi)), "r"(high_word(hi)), "r"(0xffffffffu));
  return goldilocks_join(v0, v1);
}

/* A sum of products of 32-bit words: 64 bits, and a third word for the overflow. */
struct wide_sum {
  uint32_t v[3];
};
RP_DEV void wide_add(wide_sum &s, uint32_t a, uint32_t b) {
  asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
      "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
      "addc.u32 %2, %2, 0;"
      : "+r"(s.v[0]), "+r"(s.v[1]), "+r"(s.v[2])
      : "r"(a), "r"(b));
}

/* A sum of up to 16 products of elements, as four sums that do not wait for each other. */
struct wide_dot {
  wide_sum low, mid[2], high;
};
RP_DEV wide_dot wide_dot_of(uint64_t a) {
  return wide_dot{{{low_word(a), high_word(a), 0}}, {{{0, 0, 0}}, {{0, 0, 0}}}, {{0, 0, 0}}};
}
RP_DEV void wide_dot_add(wide_dot &s, uint64_t a, uint64_t b) {
  wide_add(s.low, low_word(a), low_word(b));
  wide_add(s.mid[0], low_word(a), high_word(b));
  wide_add(s.mid[1], high_word(a), low_word(b));
  wide_add(s.high, high_word(a), high_word(b));
}
/* one + f more, each of them between -2^62 and 2^62, reduced to 64 bits in the same way. */
RP_DEV uint64_t wide_reduce(int64_t one, int64_t more) {
  const int32_t over = (int32_t)(more >> 32);
  const int64_t lo = (int64_t)low_word((uint64_t)one) - over;
  const int64_t hi = (int64_t)low_word((uint64_t)more) + over + (one >> 32) + (lo >> 32);
  const int32_t k = (int32_t)(hi >> 32);
  return goldilocks_join((uint32_t)lo, (uint32_t)hi) + ((uint64_t)(uint32_t)k << 32) - (uint64_t)(int64_t)k;
}
/* The sum low + f mid + f^2 high, each of which has words of weight 1, f and f^2: (l0 - h1 - m2 - rest) + f (l1 + m0 -
 * h2 + rest), where rest = h0 + m1 + l2 is the coefficient of f^2. */
RP_DEV uint64_t wide_dot_reduce(const wide_dot &s) {
  const uint32_t *l = s.low.v, *m = s.mid[0].v, *n = s.mid[1].v, *h = s.high.v;
  const uint64_t rest = (uint64_t)l[2] + m[1] + n[1] + h[0];
  return wide_reduce((int64_t)((uint64_t)l[0] - m[2] - n[2] - h[1] - rest),
                     (int64_t)((uint64_t)l[1] + m[0] + n[0] - h[2] + rest));
}

#endif
