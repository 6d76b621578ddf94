/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2 (ops/hash/poseidon2_args.h). If there are many states, each gets one thread. If there are few, as near the
 * root of a tree, there are WIDTH threads per state, one per element, which exchange elements within a warp; the
 * threads after the last element hold zeros. The fewest states of wide elements, as in a transcript, get a warp each.
 */
#include "kernel/kernel.cuh"

#include "arith/field.cuh"
#include "hash/merkle.cuh"
#include "hash/poseidon2_args.h"

enum { WIDTH = RP_POSEIDON2_WIDTH };

RP_DEV fp sbox(const fp &x, uint32_t alpha) {
  const fp square = fp_mul(x, x), cube = fp_mul(square, x);
  if (alpha == 5) return fp_mul(cube, square);
  return alpha == 7 ? fp_mul(fp_mul(cube, cube), x) : cube;
}

RP_DEV uint32_t diagonal_at(const rp_hash_args &k) { return k.width * k.full_rounds + k.partial_rounds; }
/* The last element of a state before a row is absorbed. */
RP_DEV fp capacity(const rp_hash_args &k) { return ((const fp *)k.constants)[diagonal_at(k) + k.width]; }

/* Element i of (x[0] ... x[3]) times the four by four matrix of the instance. */
RP_DEV void four_layer(fp *x) {
  const fp low = fp_add(x[0], x[1]), high = fp_add(x[2], x[3]);
#if FP_WORD_BYTES == 4
  const fp sum = fp_add(low, high), first = x[0];
  x[0] = fp_add(fp_add(sum, x[0]), fp_dbl(x[1]));
  x[1] = fp_add(fp_add(sum, x[1]), fp_dbl(x[2]));
  x[2] = fp_add(fp_add(sum, x[2]), fp_dbl(x[3]));
  x[3] = fp_add(fp_add(sum, x[3]), fp_dbl(first));
#else
  const fp second = fp_add(fp_dbl(x[1]), high), fourth = fp_add(fp_dbl(x[3]), low);
  x[3] = fp_add(fp_dbl(fp_dbl(high)), fourth);
  x[1] = fp_add(fp_dbl(fp_dbl(low)), second);
  x[0] = fp_add(fourth, x[1]);
  x[2] = fp_add(second, x[3]);
#endif
}

/* ---- One thread per state ---------------------------------------------------------------------------------------- */

RP_DEV fp sum_of(const fp *x) {
  fp sum = x[0];
#pragma unroll
  for (int i = 1; i < WIDTH; i++) sum = fp_add(sum, x[i]);
  return sum;
}

/* Elements beyond the width are zero, and stay so. */
RP_DEV void external_layer(fp *x, uint32_t t) {
#if FP_WORD_BYTES == 4
#pragma unroll
  for (int b = 0; b < WIDTH; b += 4) four_layer(x + b);
  fp column[4];
#pragma unroll
  for (int i = 0; i < 4; i++) column[i] = fp_add(fp_add(x[i], x[i + 4]), fp_add(x[i + 8], x[i + 12]));
#pragma unroll
  for (int i = 0; i < WIDTH; i++) x[i] = fp_add(x[i], column[i % 4]);
#else
  if (t == 4) {
    four_layer(x);
    return;
  }
  const fp sum = sum_of(x);
#pragma unroll
  for (int i = 0; i < WIDTH; i++)
    if (i < t) x[i] = fp_add(x[i], sum);
#endif
}

RP_DEV void internal_layer(fp *x, uint32_t t, const fp *diagonal) {
  const fp sum = sum_of(x);
#if FP_WORD_BYTES == 4
#pragma unroll
  for (int i = 0; i < WIDTH; i++) x[i] = fp_add(fp_mul(x[i], diagonal[i]), sum);
#else
#pragma unroll
  for (int i = 0; i < WIDTH; i++) {
    if (i >= t) break;
    if (t == 4)
      x[i] = fp_mul(x[i], diagonal[i]);
    else if (i + 1 == t)
      x[i] = fp_dbl(x[i]); /* the diagonal is 1, 1, 2 */
    x[i] = fp_add(x[i], sum);
  }
#endif
}

/* Wide elements take turns at x[0], so that the code has one S-box. */
RP_DEV void full_sboxes(const rp_hash_args &k, fp *x, const fp *constant) {
#if FP_WORD_BYTES == 4
#pragma unroll
  for (int i = 0; i < WIDTH; i++) x[i] = sbox(fp_add(x[i], constant[i]), k.alpha);
#else
#pragma unroll 1
  for (int i = 0; i < WIDTH; i++) {
    const fp y = i < k.width ? sbox(fp_add(x[0], constant[i]), k.alpha) : x[0];
#pragma unroll
    for (int j = 0; j + 1 < WIDTH; j++) x[j] = x[j + 1];
    x[WIDTH - 1] = y;
  }
#endif
}

static __device__ __noinline__ void permute(const rp_hash_args &k, fp *state) {
  const uint32_t t = k.width, half = k.full_rounds / 2, rounds = k.full_rounds + k.partial_rounds;
  const fp *constant = (const fp *)k.constants, *diagonal = constant + diagonal_at(k);
  fp x[WIDTH];
#pragma unroll
  for (int i = 0; i < WIDTH; i++) x[i] = state[i];
  external_layer(x, t);
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++) {
    if (r < half || r >= half + k.partial_rounds) {
      full_sboxes(k, x, constant);
      external_layer(x, t);
      constant += t;
    } else {
      x[0] = sbox(fp_add(x[0], *constant++), k.alpha);
      internal_layer(x, t, diagonal);
    }
  }
#pragma unroll
  for (int i = 0; i < WIDTH; i++) state[i] = x[i];
}

extern "C" __global__ void __launch_bounds__(128) poseidon2_rows(const rp_hash_args k) {
  const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
  if (i >= k.n) return;
  const fp *row = (const fp *)k.in + i * (k.row_len ? k.row_len : k.width);
  fp *out = (fp *)k.out + i * k.out_len, x[WIDTH];
#pragma unroll
  for (uint32_t j = 0; j < WIDTH; j++) {
    x[j] = fp_zero();
    if (j < k.width && !k.row_len) x[j] = row[j];
    if (j + 1 == k.width && k.row_len) x[j] = capacity(k);
  }
  if (!k.row_len) permute(k, x);
#pragma unroll 1
  for (uint32_t at = 0; at < k.row_len; at += k.rate) {
#pragma unroll
    for (uint32_t j = 0; j < WIDTH; j++) {
      if (j >= k.rate || at + j >= k.row_len) continue;
      x[j] = FP_WORD_BYTES == 4 ? row[at + j] : fp_add(x[j], row[at + j]);
    }
    permute(k, x);
  }
  if (k.width == 2 && k.row_len) x[0] = fp_add(x[0], row[0]);
#pragma unroll 1
  for (uint32_t at = 0; at < k.out_len; at += k.rate) {
    if (at) permute(k, x);
#pragma unroll
    for (uint32_t j = 0; j < WIDTH; j++)
      if (j < k.rate && at + j < k.out_len) out[at + j] = x[j];
  }
}

/* ---- One thread per element -------------------------------------------------------------------------------------- */

RP_DEV fp of_lane(const fp &x, uint32_t lane) {
  fp r;
#pragma unroll
  for (int i = 0; i < FP_N; i++) r.v[i] = __shfl_sync(0xffffffffu, x.v[i], lane, WIDTH);
  return r;
}

RP_DEV fp sum_of_lanes(fp x, uint32_t lane, uint32_t first) {
#pragma unroll
  for (uint32_t distance = first; distance < WIDTH; distance *= 2) x = fp_add(x, of_lane(x, lane ^ distance));
  return x;
}

RP_DEV fp external_lane(const fp &x, uint32_t lane, uint32_t t) {
#if FP_WORD_BYTES == 4
  const uint32_t block = lane / 4 * 4;
  fp sum = fp_add(x, of_lane(x, lane ^ 1));
  sum = fp_add(sum, of_lane(sum, lane ^ 2));
  const fp y = fp_add(fp_add(sum, x), fp_dbl(of_lane(x, block + (lane + 1) % 4)));
  return fp_add(y, sum_of_lanes(y, lane, 4));
#else
  if (t == 4) {
    fp all[4] = {of_lane(x, 0), of_lane(x, 1), of_lane(x, 2), of_lane(x, 3)};
    four_layer(all);
    return lane < 2 ? lane == 0 ? all[0] : all[1] : lane == 2 ? all[2] : all[3];
  }
  const fp sum = sum_of_lanes(x, lane, 1);
  return lane < t ? fp_add(x, sum) : x;
#endif
}

/* A partial round of the threads of one state; c is the round's constant for element 0. */
RP_DEV fp partial_lane(const rp_hash_args &k, const fp &x, const fp &c, const fp &factor, uint32_t lane) {
#if FP_WORD_BYTES == 4
  const fp power = lane == 0 ? sbox(fp_add(x, c), k.alpha) : x, sum = sum_of_lanes(power, lane, 1);
  return lane < k.width ? fp_add(fp_mul(power, factor), sum) : x;
#else
  /* While element 0 is squared, the others are multiplied by their factors: a product is long, and most of the round
   * waits for element 0. Its own factor is 1 in states of two and three elements. */
  const bool first = lane == 0;
  const fp y = fp_select(first, x, fp_add(x, c)), product = fp_mul(y, fp_select(first, factor, y));
  fp power = x;
  if (first) power = fp_mul(fp_mul(product, y), product);
  __syncwarp();
  const fp sum = sum_of_lanes(power, lane, 1);
  fp scaled = fp_select(first, product, power);
  if (k.width == 4 && first) scaled = fp_mul(power, factor);
  __syncwarp();
  return lane < k.width ? fp_add(scaled, sum) : x;
#endif
}

/* All threads of a warp call together. x is zero in threads after the last element. Constants are loaded a round ahead,
 * since nothing else hides how long memory takes. */
static __device__ fp permute_lane(const rp_hash_args &k, fp x, uint32_t lane) {
  const uint32_t t = k.width, half = k.full_rounds / 2, rounds = k.full_rounds + k.partial_rounds;
  const bool element = lane < t;
  const fp *constant = (const fp *)k.constants + (element ? lane : 0);
  const fp factor = element ? constant[diagonal_at(k)] : fp_zero();
  fp next = *constant;
  x = external_lane(x, lane, t);
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++) {
    const bool full = r < half || r >= half + k.partial_rounds;
    const fp c = next;
    constant += full ? t : 1;
    next = *constant; /* the factors follow the constants of the last round */
    if (full) {
      if (element) x = sbox(fp_add(x, c), k.alpha);
      __syncwarp();
      x = external_lane(x, lane, t);
    } else {
      x = partial_lane(k, x, c, factor, lane);
    }
  }
  return x;
}

/* Absorbs a row, or permutes a state; `there` says whether the threads have a state. */
RP_DEV fp absorb_lane(const rp_hash_args &k, const fp *row, uint32_t lane, bool there) {
  fp x = fp_zero();
  if (!k.row_len) {
    if (there && lane < k.width) x = row[lane];
    return permute_lane(k, x, lane);
  }
  if (lane + 1 == k.width) x = capacity(k);
#pragma unroll 1
  for (uint32_t at = 0; at < k.row_len; at += k.rate) {
    if (there && lane < k.rate && at + lane < k.row_len)
      x = FP_WORD_BYTES == 4 ? row[at + lane] : fp_add(x, row[at + lane]);
    x = permute_lane(k, x, lane);
  }
  if (k.width == 2 && lane == 0 && there) x = fp_add(x, row[0]);
  return x;
}

extern "C" __global__ void __launch_bounds__(128) poseidon2_lanes(const rp_hash_args k) {
  const uint64_t i = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / WIDTH;
  const uint32_t lane = threadIdx.x % WIDTH;
  const bool there = i < k.n;
  fp x = absorb_lane(k, (const fp *)k.in + i * (k.row_len ? k.row_len : k.width), lane, there);
#pragma unroll 1
  for (uint32_t at = 0; at < k.out_len; at += k.rate) {
    if (at) x = permute_lane(k, x, lane);
    if (there && lane < k.rate && at + lane < k.out_len) ((fp *)k.out)[i * k.out_len + at + lane] = x;
  }
}

struct join_in_lanes {
  static __device__ __forceinline__ void call(const rp_hash_args &k, const uint64_t *children, uint64_t *near,
                                              uint64_t *node) {
    const uint32_t lane = threadIdx.x % WIDTH;
    const fp x = absorb_lane(k, (const fp *)children, lane, children != nullptr);
    if (children && lane < k.out_len) ((fp *)near)[lane] = ((fp *)node)[lane] = x;
  }
};

extern "C" __global__ void __launch_bounds__(RP_MERKLE_SHARED_THREADS) poseidon2_merkle_shared(const rp_merkle_args k) {
  merkle_shared<join_in_lanes, WIDTH>(k);
}

/* ---- One warp per state ------------------------------------------------------------------------------------------ */

#if FP_WORD_BYTES != 4
#include "hash/poseidon2_limbs.cuh"

extern "C" __global__ void __launch_bounds__(32) poseidon2_limbs(const rp_hash_args k) { limbs::hash_item(k); }
#endif
