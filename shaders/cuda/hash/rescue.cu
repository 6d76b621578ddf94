/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rescue Prime Rp64_256 (ops/hash/hash_args.h). Compiled for Goldilocks alone. Inside a permutation elements are loose
 * (goldilocks_wide.cuh). A thread keeps a state in registers and rotates them instead of indexing them; where there are
 * few states, sixteen lanes share one, with one element per lane.
 */
#include "kernel/kernel.cuh"

#include "hash/hash_args.h"
#include "arith/goldilocks_wide.cuh"
#include "hash/merkle.cuh"

enum { WIDTH = 12, RATE = 8, DIGEST = 4, ROUNDS = 7, LANES = RP_MERKLE_RESCUE_LANES };

RP_DEV uint64_t canonical(uint64_t a) { return fp_canonical(fp{a}).v; }
RP_DEV uint64_t add(uint64_t a, uint64_t b) { return fp_add(fp{canonical(a)}, fp{b}).v; } /* b below p */

/* N elements side by side, so that their chains of squares hide each other's latency. */
template <int N> struct some { uint64_t v[N]; };
template <int N> RP_DEV some<N> mul(const some<N> &a, const some<N> &b) {
  some<N> r;
#pragma unroll
  for (int i = 0; i < N; i++) r.v[i] = wide_mul(a.v[i], b.v[i]);
  return r;
}
/* a^(2^n). With N = 1 the loop is unrolled, because a single chain leaves nothing to overlap with the end of a loop. */
template <int N> RP_DEV some<N> sqr(some<N> a, int n = 1) {
#pragma unroll(N == 1 ? 4 : 1)
  for (; n; n--) {
#pragma unroll
    for (int i = 0; i < N; i++) a.v[i] = wide_mul(a.v[i], a.v[i]);
  }
  return a;
}
/* x^7 */
template <int N> RP_DEV some<N> sbox(const some<N> &x) {
  const some<N> xx = sqr(x);
  return mul(sqr(xx), mul(xx, x));
}
/* x^(1/7) in 71 products, of which 68 wait for each other. The exponent is that of ops/hash/rescue_cpu_tmpl.c, written
 * as 2^31 * 8 b + 8 b + 4 b + 7: of the factors that are multiplied at the end, all but the first are known long
 * before. */
template <int N> RP_DEV some<N> inverse_sbox(const some<N> &x) {
  const some<N> x2 = sqr(x), x4 = sqr(x2), b3 = mul(sqr(x4, 3), x4), b6 = mul(sqr(b3, 6), b3);
  const some<N> b = mul(sqr(mul(sqr(b6, 12), b6), 6), b3), b4 = sqr(b, 2), b8 = sqr(b4);
  const some<N> last = mul(mul(b8, b4), mul(x, mul(x2, x4)));
  return mul(sqr(b8, 31), last);
}

/* ---- One thread per state ---------------------------------------------------------------------------------------- */

enum { SIDE_BY_SIDE = 3 };

template <bool INVERSE> RP_DEV void sboxes(uint64_t *x) {
#pragma unroll 1
  for (int i = 0; i < WIDTH; i += SIDE_BY_SIDE) {
    some<SIDE_BY_SIDE> s;
#pragma unroll
    for (int j = 0; j < SIDE_BY_SIDE; j++) s.v[j] = x[j];
    s = INVERSE ? inverse_sbox(s) : sbox(s);
#pragma unroll
    for (int j = 0; j + SIDE_BY_SIDE < WIDTH; j++) x[j] = x[j + SIDE_BY_SIDE];
#pragma unroll
    for (int j = 0; j < SIDE_BY_SIDE; j++) x[WIDTH - SIDE_BY_SIDE + j] = s.v[j];
  }
}

/* The entries of the circulant matrix are small: a row times the state is two sums of products of 32-bit words, neither
 * of which overflows 64 bits. */
template <bool CIRCULANT> RP_DEV uint64_t row_product(const uint64_t *row, const uint64_t *x, uint64_t constant) {
  if (CIRCULANT) {
    uint64_t lo = 0, hi = 0;
#pragma unroll
    for (int j = 0; j < WIDTH; j++) {
      const uint32_t m = (uint32_t)row[j];
      lo += (uint64_t)low_word(x[j]) * m;
      hi += (uint64_t)high_word(x[j]) * m;
    }
    return wide_reduce((int64_t)(lo + low_word(constant)), (int64_t)(hi + high_word(constant)));
  }
  wide_dot s = wide_dot_of(constant);
#pragma unroll
  for (int j = 0; j < WIDTH; j++) wide_dot_add(s, row[j], x[j]);
  return wide_dot_reduce(s);
}

template <bool CIRCULANT> RP_DEV void mix(uint64_t *x, const uint64_t *matrix, const uint64_t *constants) {
  uint64_t y[WIDTH];
#pragma unroll
  for (int i = 0; i < WIDTH; i++) y[i] = 0;
#pragma unroll 1
  for (int i = 0; i < WIDTH; i++) {
    const uint64_t last = row_product<CIRCULANT>(matrix + i * WIDTH, x, constants[i]);
#pragma unroll
    for (int j = 0; j + 1 < WIDTH; j++) y[j] = y[j + 1];
    y[WIDTH - 1] = last;
  }
#pragma unroll
  for (int i = 0; i < WIDTH; i++) x[i] = y[i];
}

template <bool CIRCULANT> RP_DEV void permute(const rp_hash_args &k, uint64_t *x) {
  const uint64_t *ark = k.constants, *matrix = ark + 2 * ROUNDS * WIDTH;
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
    sboxes<false>(x);
    mix<CIRCULANT>(x, matrix, ark + round * WIDTH);
    sboxes<true>(x);
    mix<CIRCULANT>(x, matrix, ark + (ROUNDS + round) * WIDTH);
  }
}

template <bool CIRCULANT> RP_DEV void permute_states(const rp_hash_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= k.n) return;
  uint64_t x[WIDTH];
#pragma unroll
  for (int j = 0; j < WIDTH; j++) x[j] = k.in[(uint64_t)i * WIDTH + j];
  permute<CIRCULANT>(k, x);
#pragma unroll
  for (int j = 0; j < WIDTH; j++) k.out[(uint64_t)i * WIDTH + j] = canonical(x[j]);
}

/* The capacity is at the beginning of the state in the circulant variant, and at its end in the other. */
template <bool CIRCULANT> RP_DEV void hash_row(const rp_hash_args &k, const uint64_t *row, uint64_t *digest) {
  constexpr int first = CIRCULANT ? WIDTH - RATE : 0, length = CIRCULANT ? 0 : WIDTH - 1;
  uint64_t x[WIDTH];
#pragma unroll
  for (int j = 0; j < WIDTH; j++) x[j] = j == length ? k.row_len : 0;
#pragma unroll 1
  for (uint64_t at = 0; at < k.row_len; at += RATE) {
#pragma unroll
    for (int j = 0; j < RATE; j++)
      if (at + j < k.row_len) x[first + j] = add(x[first + j], row[at + j]);
    permute<CIRCULANT>(k, x);
  }
#pragma unroll
  for (int j = 0; j < DIGEST; j++) digest[j] = canonical(x[first + j]);
}

template <bool CIRCULANT> RP_DEV void hash_rows(const rp_hash_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < k.n) hash_row<CIRCULANT>(k, k.in + (uint64_t)i * k.row_len, k.out + (uint64_t)i * DIGEST);
}

template <bool CIRCULANT> struct join_in_thread {
  static __device__ __forceinline__ void call(const rp_hash_args &k, const uint64_t *children, uint64_t *node) {
    hash_row<CIRCULANT>(k, children, node);
  }
};

#define KERNEL extern "C" __global__ void __launch_bounds__(128)
KERNEL rescue_permute(const rp_hash_args k) { permute_states<false>(k); }
KERNEL rescue_permute_circulant(const rp_hash_args k) { permute_states<true>(k); }
KERNEL rescue_rows(const rp_hash_args k) { hash_rows<false>(k); }
KERNEL rescue_rows_circulant(const rp_hash_args k) { hash_rows<true>(k); }
extern "C" __global__ void __launch_bounds__(RP_MERKLE_GROUP_MOST) rescue_merkle(const rp_merkle_args k) {
  merkle_group<join_in_thread<false>>(k);
}
extern "C" __global__ void __launch_bounds__(RP_MERKLE_GROUP_MOST) rescue_merkle_circulant(const rp_merkle_args k) {
  merkle_group<join_in_thread<true>>(k);
}

/* ---- Sixteen lanes per state, twelve of them with an element ----------------------------------------------------- */

RP_DEV uint64_t lane_mix(uint64_t x, const uint64_t *row, uint64_t constant) {
  wide_dot s = wide_dot_of(constant);
#pragma unroll
  for (int j = 0; j < WIDTH; j++) wide_dot_add(s, row[j], __shfl_sync(0xffffffffu, x, j, LANES));
  return wide_dot_reduce(s);
}

RP_DEV uint64_t lane_permute(const rp_hash_args &k, uint64_t x, uint32_t lane, const uint64_t *row) {
  const uint64_t *ark = k.constants + lane;
#pragma unroll 1
  for (int round = 0; round < ROUNDS; round++) {
    x = lane_mix(sbox(some<1>{x}).v[0], row, ark[round * WIDTH]);
    x = lane_mix(inverse_sbox(some<1>{x}).v[0], row, ark[(ROUNDS + round) * WIDTH]);
  }
  return x;
}

KERNEL rescue_lanes(const rp_hash_args k) {
  const uint32_t own = threadIdx.x % LANES, lane = own < WIDTH ? own : WIDTH - 1; /* idle lanes repeat the last one */
  const uint64_t i = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  const bool valid = i < k.n;
  uint64_t row[WIDTH];
#pragma unroll
  for (int j = 0; j < WIDTH; j++) row[j] = k.constants[2 * ROUNDS * WIDTH + lane * WIDTH + j];
  if (!k.row_len) {
    const uint64_t x = lane_permute(k, valid ? k.in[i * WIDTH + lane] : 0, lane, row);
    if (valid && own < WIDTH) k.out[i * WIDTH + own] = canonical(x);
    return;
  }
  uint64_t x = lane == k.length_slot ? k.row_len : 0;
  const uint32_t j = lane - k.rate_first; /* wraps, and is not below RATE, for a lane before the rate */
#pragma unroll 1
  for (uint64_t at = 0; at < k.row_len; at += RATE) {
    if (valid && j < RATE && at + j < k.row_len) x = add(x, k.in[i * k.row_len + at + j]);
    x = lane_permute(k, x, lane, row);
  }
  const uint32_t d = own - k.digest_first;
  if (valid && own < WIDTH && d < DIGEST) k.out[i * DIGEST + d] = canonical(x);
}

/* Each lane has its own row of the matrix. */
struct join_in_lanes {
  static __device__ __forceinline__ void call(const rp_hash_args &k, const uint64_t *children, uint64_t *near,
                                              uint64_t *node) {
    const uint32_t own = threadIdx.x % LANES, lane = own < WIDTH ? own : WIDTH - 1, j = lane - k.rate_first;
    uint64_t row[WIDTH], x = lane == k.length_slot ? k.row_len : 0;
#pragma unroll
    for (int c = 0; c < WIDTH; c++) row[c] = k.constants[2 * ROUNDS * WIDTH + lane * WIDTH + c];
    if (children && j < RATE) x = children[j];
    x = canonical(lane_permute(k, x, lane, row));
    const uint32_t d = own - k.digest_first;
    if (children && own < WIDTH && d < DIGEST) near[d] = node[d] = x;
  }
};

extern "C" __global__ void __launch_bounds__(RP_MERKLE_SHARED_THREADS) rescue_merkle_shared(const rp_merkle_args k) {
  merkle_shared<join_in_lanes, LANES>(k);
}
