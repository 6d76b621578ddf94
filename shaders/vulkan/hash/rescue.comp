/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rescue Prime Rp64_256 (ops/hash/hash_args.h): one thread per state, or sixteen where there are few of them. Compiled
 * for Goldilocks alone.
 */
#include "kernel/kernel.glsl"

#include "hash/hash_args.h"

RP_ARGS(rp_hash_args)

#define HASH k
#ifdef ENTRY_rescue_lanes
#define RESCUE_LANES
#endif
#if defined(ENTRY_rescue_permute_circulant) || defined(ENTRY_rescue_rows_circulant)
#define RESCUE_CIRCULANT
#endif
#include "hash/rescue.glsl"

#ifndef ENTRY_rescue_lanes

void main() {
  const uint i = INDEX;
  if (i >= k.n) return;
  fp x[WIDTH];
#if defined(ENTRY_rescue_permute) || defined(ENTRY_rescue_permute_circulant)
  [[unroll]] for (int j = 0; j < WIDTH; j++) x[j] = fe_load(k.in, i * WIDTH + j);
  x = permute(x);
  [[unroll]] for (int j = 0; j < WIDTH; j++) fe_store(k.out, i * WIDTH + j, x[j]);
#else
  const addr row = at(k.in, i * k.row_len, FE_BYTES);
  [[unroll]] for (int j = 0; j < WIDTH; j++) x[j] = fp_of_u32(j == LENGTH_SLOT ? k.row_len : 0);
  [[dont_unroll]] for (uint at = 0; at < k.row_len; at += RATE) {
    [[unroll]] for (int j = 0; j < RATE; j++)
      if (at + j < k.row_len) x[RATE_FIRST + j] = fp_add(x[RATE_FIRST + j], fe_load(row, at + j));
    x = permute(x);
  }
  [[unroll]] for (int j = 0; j < DIGEST; j++) fe_store(k.out, i * DIGEST + j, x[RATE_FIRST + j]);
#endif
}

#else

void main() {
  const uint own = THREAD % LANES, lane = min(own, WIDTH - 1); /* idle threads repeat the last one */
  const uint i = INDEX / LANES;
  const bool valid = i < k.n;
  if (k.row_len == 0) {
    fp x = fp_zero();
    if (valid) x = fe_load(k.in, i * WIDTH + lane);
    x = permute(x, lane);
    if (valid && own < WIDTH) fe_store(k.out, i * WIDTH + lane, x);
    return;
  }
  const addr row = at(k.in, i * k.row_len, FE_BYTES);
  const uint j = lane - k.rate_first; /* wraps, and is not below RATE, for a lane before the rate */
  fp x = fp_of_u32(lane == k.length_slot ? k.row_len : 0);
  [[dont_unroll]] for (uint at = 0; at < k.row_len; at += RATE) {
    if (valid && j < RATE && at + j < k.row_len) x = fp_add(x, fe_load(row, at + j));
    x = permute(x, lane);
  }
  const uint d = own - k.digest_first;
  if (valid && own < WIDTH && d < DIGEST) fe_store(k.out, i * DIGEST + d, x);
}
#endif
