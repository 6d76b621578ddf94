/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2 with its arguments in HASH (ops/hash/poseidon2_args.h). With POSEIDON2_LANES a workgroup has WIDTH threads
 * per state, which exchange elements through shared memory; else a thread keeps a state.
 */
#ifndef REPRISE_VULKAN_POSEIDON2_GLSL
#define REPRISE_VULKAN_POSEIDON2_GLSL

#include "arith/field.glsl"

#define WIDTH RP_POSEIDON2_WIDTH

/* x^alpha: 3, 5 or 7, by one product in a loop. */
fp sbox(fp x) {
  const fp square = fp_mul(x, x);
  fp r = x;
  [[dont_unroll]] for (uint i = 1; i < HASH.alpha; i += 2) r = fp_mul(r, square);
  return r;
}

uint diagonal_at() { return HASH.width * HASH.full_rounds + HASH.partial_rounds; }
fp capacity() { return fe_load(HASH.constants, diagonal_at() + HASH.width); }
bool is_full(uint round) { return round < HASH.full_rounds / 2 || round >= HASH.full_rounds / 2 + HASH.partial_rounds; }

/* x times the four by four matrix of the instance. */
fp[4] four_layer(fp x[4]) {
  const fp low = fp_add(x[0], x[1]), high = fp_add(x[2], x[3]);
#if FP_WORD_BYTES == 4
  const fp sum = fp_add(low, high);
  fp y[4];
  [[unroll]] for (int i = 0; i < 4; i++) y[i] = fp_add(fp_add(sum, x[i]), fe_dbl(x[(i + 1) % 4]));
#else
  const fp second = fp_add(fe_dbl(x[1]), high), fourth = fp_add(fe_dbl(x[3]), low);
  fp y[4];
  y[3] = fp_add(fe_dbl(fe_dbl(high)), fourth);
  y[1] = fp_add(fe_dbl(fe_dbl(low)), second);
  y[0] = fp_add(fourth, y[1]);
  y[2] = fp_add(second, y[3]);
#endif
  return y;
}

/* The whole external layer. Elements beyond the width are zero, and stay so. */
fp[WIDTH] external_layer(fp x[WIDTH]) {
#if FP_WORD_BYTES == 4
  fp column[4];
  [[unroll]] for (int b = 0; b < WIDTH; b += 4) {
    const fp y[4] = four_layer(fp[](x[b], x[b + 1], x[b + 2], x[b + 3]));
    [[unroll]] for (int i = 0; i < 4; i++) x[b + i] = y[i];
  }
  [[unroll]] for (int i = 0; i < 4; i++) column[i] = fp_add(fp_add(x[i], x[i + 4]), fp_add(x[i + 8], x[i + 12]));
  [[unroll]] for (int i = 0; i < WIDTH; i++) x[i] = fp_add(x[i], column[i % 4]);
#else
  if (HASH.width == 4) return four_layer(x);
  const fp sum = fp_add(fp_add(x[0], x[1]), x[2]);
  [[unroll]] for (uint i = 0; i < 3; i++)
    if (i < HASH.width) x[i] = fp_add(x[i], sum);
#endif
  return x;
}

fp sum_of(fp x[WIDTH]) {
  fp sum = x[0];
  [[unroll]] for (int i = 1; i < WIDTH; i++) sum = fp_add(sum, x[i]);
  return sum;
}

#ifdef POSEIDON2_LANES
/* Rounds take turns with its halves. */
shared fp elements[2 * gl_WorkGroupSize.x];

/* The state of this thread, of which each thread gives its own element. All threads of the workgroup call together. */
fp[WIDTH] gathered(fp own, uint turn) {
  const uint half_at = (turn & 1) * THREADS;
  elements[half_at + THREAD] = own;
  barrier(); /* every thread has arrived here, so none reads the other half any more */
  fp x[WIDTH];
  [[unroll]] for (uint j = 0; j < WIDTH; j++) x[j] = elements[half_at + THREAD / WIDTH * WIDTH + j];
  return x;
}

fp chosen(fp x[WIDTH], uint lane) {
  fp r = x[0];
  [[unroll]] for (uint j = 1; j < WIDTH; j++) r = fp_select(lane == j, r, x[j]);
  return r;
}

/* `own` is zero in threads after the last element. */
fp permute(fp own, uint lane) {
  const uint rounds = HASH.full_rounds + HASH.partial_rounds, t = HASH.width;
  fp factor = fp_zero();
  if (lane < t) factor = fe_load(HASH.constants, diagonal_at() + lane);
  own = chosen(external_layer(gathered(own, 1)), lane);
  uint constant = 0;
  [[dont_unroll]] for (uint r = 0; r < rounds; r++) {
    const bool full = is_full(r);
    if (lane < (full ? t : 1)) own = sbox(fp_add(own, fe_load(HASH.constants, constant + lane)));
    constant += full ? t : 1;
    const fp x[WIDTH] = gathered(own, r);
    if (full)
      own = chosen(external_layer(x), lane);
    else if (lane < t)
      own = fp_add(fp_mul(own, factor), sum_of(x));
  }
  barrier(); /* the next permutation begins with the second half, which the last round may have used */
  return own;
}
#else
fp[WIDTH] internal_layer(fp x[WIDTH]) {
  const fp sum = sum_of(x);
  const uint first = diagonal_at();
  [[unroll]] for (uint i = 0; i < WIDTH; i++)
    if (i < HASH.width) x[i] = fp_add(fp_mul(x[i], fe_load(HASH.constants, first + i)), sum);
  return x;
}

/* Elements take turns at x[0], so that the code has one S-box. */
fp[WIDTH] full_sboxes(fp x[WIDTH], uint constant) {
  [[dont_unroll]] for (uint i = 0; i < WIDTH; i++) {
    fp y = x[0];
    if (i < HASH.width) y = sbox(fp_add(y, fe_load(HASH.constants, constant + i)));
    [[unroll]] for (int j = 0; j + 1 < WIDTH; j++) x[j] = x[j + 1];
    x[WIDTH - 1] = y;
  }
  return x;
}

fp[WIDTH] permute(fp x[WIDTH]) {
  const uint rounds = HASH.full_rounds + HASH.partial_rounds;
  uint constant = 0;
  x = external_layer(x);
  [[dont_unroll]] for (uint r = 0; r < rounds; r++) {
    if (is_full(r)) {
      x = external_layer(full_sboxes(x, constant));
      constant += HASH.width;
    } else {
      x[0] = sbox(fp_add(x[0], fe_load(HASH.constants, constant++)));
      x = internal_layer(x);
    }
  }
  return x;
}
#endif

#endif
