/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pass of the NTT (ops/ntt/ntt_args.h): a workgroup gathers a tile, does all its layers and writes it back. A thread
 * holds 2^NTT_RADIX elements in registers and does NTT_RADIX layers between two exchanges through shared memory, so
 * that the multiplier limits the pass, and not shared memory.
 */
#include "kernel/kernel.glsl"

#include "ntt/ntt_args.h"
#include "arith/field.glsl"

RP_ARGS(rp_ntt_args)
#include "ntt/ntt_tile.h"

#ifdef ENTRY_ntt_pass_transposed
#define TRANSPOSED true
#define TRANSPOSED_PASS 1
#else
#define TRANSPOSED false
#define TRANSPOSED_PASS 0
#endif

/* A thread's registers hold four elements of eight words, or eight of one or two. */
#if FP_N <= 2
#define NTT_RADIX 3
#else
#define NTT_RADIX 2
#endif

uint index_of(rp_ntt_tile t, uint i) { return (t.transform << k.log_n) + i; }

fe factor(uint i) { return fe_load(k.factors, i * k.factor_step); }

uint in_position(rp_ntt_tile t, uint local) {
  const uint i = rp_ntt_position_of(t, local);
  return (k.flags & RP_NTT_PERMUTE_IN) != 0 ? rp_bit_reverse(i, k.log_n) : i;
}

uint out_position(rp_ntt_tile t, uint local) {
  const uint i = rp_ntt_position_of(t, local);
  return (k.flags & RP_NTT_PERMUTE_OUT) != 0 ? rp_bit_reverse(i, k.log_n) : i;
}

/* Drops v[0], moves the others down by one and appends x. A loop of turns with x = v[0] times a factor multiplies every
 * element in one place of the code. */
#define NTT_TURN(v, x)                                               \
  {                                                                  \
    const fe last = x;                                               \
    [[unroll]] for (int i = 0; i + 1 < 1 << R; i++) v[i] = v[i + 1]; \
    v[(1 << R) - 1] = last;                                          \
  }

/* In shared memory the 16-byte words of an element are far apart, in one plane each, so that neighbouring threads touch
 * neighbouring banks. The places in a plane are shuffled, because where the elements of a thread are neighbours, those
 * of neighbouring threads are a power of two apart. */
#if FP_N % 4 == 0
#define PLANES (FP_N / 4)
shared uvec4 words[16384 / 16]; /* every device has that; ops/ntt/ntt_args.h says why no more */
uint shuffled(uint i) { return i ^ (i >> 3 & 7); }
void put(uint n, uint i, fe x) {
  [[unroll]] for (int p = 0; p < PLANES; p++)
    words[p * n + shuffled(i)] = uvec4(x.v[4 * p], x.v[4 * p + 1], x.v[4 * p + 2], x.v[4 * p + 3]);
}
fe get(uint n, uint i) {
  fe x;
  [[unroll]] for (int p = 0; p < PLANES; p++) {
    const uvec4 w = words[p * n + shuffled(i)];
    x.v[4 * p] = w.x, x.v[4 * p + 1] = w.y, x.v[4 * p + 2] = w.z, x.v[4 * p + 3] = w.w;
  }
  return x;
}
#else
/* Shared memory for the tile, as much as the device has, in bytes: a power of two. */
layout(constant_id = 1) const uint SHARED_BYTES = 16384;
uint shuffled(uint i) { return i ^ (i >> 4 & 15); }
#if FP_N == 1
shared uint words[SHARED_BYTES / 4];
void put(uint n, uint i, fe x) { words[shuffled(i)] = x.v[0]; }
fe get(uint n, uint i) { return fp_of_word(words[shuffled(i)]); }
#else
shared uvec2 words[SHARED_BYTES / 8];
void put(uint n, uint i, fe x) { words[shuffled(i)] = uvec2(x.v[0], x.v[1]); }
fe get(uint n, uint i) {
  const uvec2 w = words[shuffled(i)];
  fe x;
  x.v[0] = w.x, x.v[1] = w.y;
  return x;
}
#endif
#endif

/* The twiddle of block b > 0. */
fe twiddle(uint b) {
  const fe w = fe_load(k.twiddles, rp_ntt_twiddle_at(b));
  return (k.flags & RP_NTT_INVERSE) != 0 ? fe_neg(w) : w;
}

/* The twiddle of block 0 is 1: leaving out its product saves two layers' worth of products per transform. */
void butterfly(inout fe x, inout fe y, fe w, bool multiplies) {
#if TRANSPOSED_PASS
  const fe sum = fe_add(x, y);
  y = fe_sub(x, y);
  x = sum;
  if (multiplies) y = fe_mul(y, w);
#else
  if (multiplies) y = fe_mul(y, w);
  const fe difference = fe_sub(x, y);
  x = fe_add(x, y);
  y = difference;
#endif
}

#define R NTT_RADIX
#define NTT_STEP long_step
#include "ntt/ntt_step.glsl"
#undef R
#undef NTT_STEP
#define R 1
#define NTT_STEP short_step
#include "ntt/ntt_step.glsl"
#undef R
#undef NTT_STEP
#if NTT_RADIX > 2
#define R 2
#define NTT_STEP middle_step
#include "ntt/ntt_step.glsl"
#undef R
#undef NTT_STEP
#endif

void main() {
  const rp_ntt_tile t = rp_ntt_tile_of(GROUP);
  if (k.layers == 0) { /* a transform of one element */
    for (uint i = THREAD; i < 1u << k.log_columns; i += THREADS) {
      fe x = fe_load(k.in, index_of(t, i));
      if ((k.flags & (RP_NTT_FACTOR_IN | RP_NTT_FACTOR_OUT)) != 0) x = fe_mul(x, factor(0));
      fe_store(k.out, index_of(t, i), x);
    }
    return;
  }
  const uint rest = k.layers % NTT_RADIX, steps = k.layers / NTT_RADIX + (rest != 0 ? 1 : 0);
  for (uint i = 0; i < steps; i++) {
    const uint s = TRANSPOSED ? steps - 1 - i : i, first = rp_ntt_first_of_step(k.layers, NTT_RADIX, s);
    const bool from = i == 0, to = i + 1 == steps;
    if (s != 0 || rest == 0) long_step(t, first, from, to);
#if NTT_RADIX > 2
    else if (rest == 2)
      middle_step(t, first, from, to);
#endif
    else
      short_step(t, first, from, to);
  }
}
