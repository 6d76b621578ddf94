/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The permutation of Rescue Prime Rp64_256, with its arguments in HASH (ops/hash/hash_args.h). A thread keeps a state
 * and rotates it instead of indexing it; with RESCUE_LANES sixteen threads share a state, with one element per thread.
 * RESCUE_CIRCULANT: the variant whose matrix is circulant.
 */
#ifndef REPRISE_VULKAN_RESCUE_GLSL
#define REPRISE_VULKAN_RESCUE_GLSL

#include "arith/field.glsl"

#define WIDTH 12
#define RATE 8
#define DIGEST 4
#define ROUNDS 7
#define LANES 16 /* RP_MERKLE_RESCUE_LANES of ops/hash/merkle_args.h */
#ifdef RESCUE_LANES
#define TOGETHER 1
#else
#define TOGETHER 3
#endif

/* Elements side by side, so that their chains of squares hide each other's latency. */
struct some {
  fp v[TOGETHER];
};

some mul(some a, some b) {
  [[unroll]] for (int i = 0; i < TOGETHER; i++) a.v[i] = fp_mul(a.v[i], b.v[i]);
  return a;
}

/* x^7, or with `inverse` x^(1/7). The exponent of the latter is that of ops/hash/rescue_cpu_tmpl.c, written as
 * 2^31 * 8 b + 8 b + 4 b + 7; each step is r := r^(2^n) s, with n from chain_squares. */
const uint chain_squares[5] = uint[5](3, 6, 12, 6, 31);
some sbox(some x, bool inverse) {
  const some x2 = mul(x, x), x4 = mul(x2, x2), x7 = mul(mul(x, x2), x4);
  if (!inverse) return x7;
  some r = x4, saved = x4;
  [[dont_unroll]] for (uint step = 0; step < 5; step++) {
    some s = r;
    if (step == 1) saved = r;
    if (step == 3) s = saved;
    if (step == 4) { /* r is x^b */
      const some b2 = mul(r, r), b4 = mul(b2, b2);
      r = mul(b4, b4);
      s = mul(mul(r, b4), x7);
    }
    [[dont_unroll]] for (uint n = chain_squares[step]; n != 0; n--) r = mul(r, r);
    r = mul(r, s);
  }
  return r;
}

fp round_constant(uint round, uint i) { return fe_load(HASH.constants, round * WIDTH + i); }
fp matrix_entry(uint i, uint j) { return fe_load(HASH.constants, (2 * ROUNDS + i) * WIDTH + j); }

#ifndef RESCUE_LANES

#ifdef RESCUE_CIRCULANT
/* The entries of the circulant matrix are small: a row times the state is two sums of products of 32-bit words, neither
 * of which overflows 64 bits. */
fp row_product(uint i, fp x[WIDTH], fp constant) {
  wide lo = WIDE_ZERO, hi = WIDE_ZERO;
  [[unroll]] for (int j = 0; j < WIDTH; j++) {
    const uint m = matrix_entry(i, j).v[0];
    ADD_PRODUCT(lo, x[j].v[0], m)
    ADD_PRODUCT(hi, x[j].v[1], m)
  }
  return fp_add(fp_of_words(LOW(lo), HIGH(lo), 0, 0), fp_add(fp_of_words(0, LOW(hi), HIGH(hi), 0), constant));
}
#define RATE_FIRST (WIDTH - RATE) /* the capacity is at the beginning here, and at the end in the other variant */
#define LENGTH_SLOT 0
#else
fp row_product(uint i, fp x[WIDTH], fp constant) {
  [[unroll]] for (int j = 0; j < WIDTH; j++) constant = fp_add(constant, fp_mul(matrix_entry(i, j), x[j]));
  return constant;
}
#define RATE_FIRST 0
#define LENGTH_SLOT (WIDTH - 1)
#endif

fp[WIDTH] permute(fp x[WIDTH]) {
  [[dont_unroll]] for (uint half_round = 0; half_round < 2 * ROUNDS; half_round++) {
    const uint constants = half_round / 2 + (half_round % 2) * ROUNDS;
    [[dont_unroll]] for (int i = 0; i < WIDTH; i += TOGETHER) {
      some s;
      [[unroll]] for (int j = 0; j < TOGETHER; j++) s.v[j] = x[j];
      s = sbox(s, half_round % 2 == 1);
      [[unroll]] for (int j = 0; j + TOGETHER < WIDTH; j++) x[j] = x[j + TOGETHER];
      [[unroll]] for (int j = 0; j < TOGETHER; j++) x[WIDTH - TOGETHER + j] = s.v[j];
    }
    fp y[WIDTH] = x;
    [[dont_unroll]] for (int i = 0; i < WIDTH; i++) {
      const fp last = row_product(i, x, round_constant(constants, i));
      [[unroll]] for (int j = 0; j + 1 < WIDTH; j++) y[j] = y[j + 1];
      y[WIDTH - 1] = last;
    }
    x = y;
  }
  return x;
}

#else

/* Sixteen threads per state, twelve of them with an element. Half-rounds take turns with the halves of the array. */
shared fp elements[2 * gl_WorkGroupSize.x];

fp permute(fp own, uint lane) {
  [[dont_unroll]] for (uint half_round = 0; half_round < 2 * ROUNDS; half_round++) {
    const uint half_at = (half_round % 2) * THREADS;
    elements[half_at + THREAD] = sbox(some(fp[1](own)), half_round % 2 == 1).v[0];
    barrier(); /* every thread has arrived here, so none reads the other half any more */
    own = round_constant(half_round / 2 + (half_round % 2) * ROUNDS, lane);
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
      own = fp_add(own, fp_mul(matrix_entry(lane, j), elements[half_at + THREAD / LANES * LANES + j]));
  }
  return own;
}
#endif

#endif
