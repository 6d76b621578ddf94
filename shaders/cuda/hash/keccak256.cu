/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 of rows of integers (FIPS 202, section 3; ops/hash/keccak256_args.h). If there are many rows, each gets
 * one thread. A transcript is one row, whose blocks wait for each other; there each lane of the state has one thread of
 * a warp. A round is then three exchanges between threads: for the parities of columns, for theta, and for pi and chi
 * together.
 */
#include "kernel/kernel.cuh"

#include "hash/keccak256_args.h"

static __device__ const uint8_t rho[RP_KECCAK_LANES] = {RP_KECCAK_RHO}, iota[RP_KECCAK_ROUNDS] = {RP_KECCAK_IOTA};

static __device__ __forceinline__ uint64_t join(uint32_t low, uint32_t high) { return (uint64_t)high << 32 | low; }

static __device__ __forceinline__ uint64_t round_constant(uint32_t bits) {
  return join(RP_KECCAK_IOTA_LOW(bits), RP_KECCAK_IOTA_HIGH(bits));
}

static __device__ __forceinline__ uint64_t bytes_reversed(uint64_t x) {
  return join(__byte_perm((uint32_t)(x >> 32), 0, 0x0123), __byte_perm((uint32_t)x, 0, 0x0123));
}

/* x rotated to the left by n < 64 bits: the funnel shift takes the lowest five bits of n, and bit 5 swaps the words. */
static __device__ __forceinline__ uint64_t turn(uint64_t x, uint32_t n) {
  const uint32_t low = n & 32 ? (uint32_t)(x >> 32) : (uint32_t)x, high = n & 32 ? (uint32_t)x : (uint32_t)(x >> 32);
  return join(__funnelshift_l(high, low, n), __funnelshift_l(low, high, n));
}

static __device__ __forceinline__ uint64_t of_thread(uint64_t x, uint32_t thread) {
  return join(__shfl_sync(0xffffffffu, (uint32_t)x, thread), __shfl_sync(0xffffffffu, (uint32_t)(x >> 32), thread));
}

/* ---- One workgroup per row --------------------------------------------------------------------------------------- */

/* What thread x + 5 y needs to know. The threads after the last lane do the work of lane 0; no thread reads their
 * results. */
struct place {
  uint32_t column[4];     /* the other lanes of the column */
  uint32_t left, right;   /* lanes of the neighbouring columns */
  uint32_t from[3], turn; /* what pi moves here and to the next two lanes of the row; rho */
  uint64_t iota;          /* constant of the round whose number is the thread's */
};

static __device__ place place_of(uint32_t thread) {
  const uint32_t lane = thread < RP_KECCAK_LANES ? thread : 0, x = lane % 5, y = lane / 5;
  place p;
#pragma unroll
  for (uint32_t i = 0; i < 4; i++) p.column[i] = (lane + 5 * (i + 1)) % RP_KECCAK_LANES;
  p.left = (x + 4) % 5, p.right = (x + 1) % 5;
#pragma unroll
  for (uint32_t i = 0; i < 3; i++) p.from[i] = RP_KECCAK_PI((x + i) % 5, y);
  p.turn = rho[lane];
  p.iota = thread < RP_KECCAK_ROUNDS ? round_constant(iota[thread]) : 0;
  return p;
}

static __device__ __forceinline__ uint64_t permute_lane(uint64_t a, const place &p, bool first) {
#pragma unroll 2
  for (uint32_t round = 0; round < RP_KECCAK_ROUNDS; round++) {
    const uint64_t constant = of_thread(p.iota, round);
    uint64_t parity = a;
#pragma unroll
    for (uint32_t i = 0; i < 4; i++) parity ^= of_thread(a, p.column[i]);
    const uint64_t left = of_thread(parity, p.left), right = of_thread(parity, p.right);
    const uint64_t b = turn(a ^ left ^ turn(right, 1), p.turn);
    a = of_thread(b, p.from[0]) ^ (~of_thread(b, p.from[1]) & of_thread(b, p.from[2]));
    if (first) a ^= constant;
  }
  return a;
}

/* Lane i of a message of that many lanes, followed by the first bit of the padding; with `last` the padding's last bit
 * is set too. */
static __device__ __forceinline__ uint64_t message_lane(const uint64_t *row, uint32_t lanes, uint32_t i, bool last) {
  uint64_t x = i == lanes;
  if (i < lanes) x = bytes_reversed(row[i ^ 3]);
  return last ? x ^ (uint64_t)1 << 63 : x;
}

extern "C" __global__ void __launch_bounds__(RP_KECCAK_LANES_GROUP) keccak256_lanes(const rp_keccak256_args k) {
  const uint32_t t = threadIdx.x, lanes = 4 * k.row_len, blocks = RP_KECCAK_BLOCKS(lanes);
  const uint64_t *row = k.in + (uint64_t)blockIdx.x * lanes;
  const bool absorbs = t < RP_KECCAK_RATE, ends = t == RP_KECCAK_RATE - 1;
  const place p = place_of(t);
  uint64_t state = 0, next = absorbs ? message_lane(row, lanes, t, ends && blocks == 1) : 0;
#pragma unroll 1
  for (uint32_t block = 1; block <= blocks; block++) {
    state ^= next;
    if (absorbs && block < blocks) /* loaded while the permutation runs */
      next = message_lane(row, lanes, block * RP_KECCAK_RATE + t, ends && block + 1 == blocks);
    state = permute_lane(state, p, t == 0);
  }
  if (t < 4) k.out[4ull * blockIdx.x + 3 - t] = bytes_reversed(state);
}

/* ---- One thread per row ------------------------------------------------------------------------------------------ */

static __device__ __forceinline__ void permute(uint64_t a[RP_KECCAK_LANES]) {
  constexpr uint8_t turns[RP_KECCAK_LANES] = {RP_KECCAK_RHO};
#pragma unroll 1
  for (uint32_t round = 0; round < RP_KECCAK_ROUNDS; round++) {
    uint64_t parity[5], b[RP_KECCAK_LANES];
#pragma unroll
    for (uint32_t x = 0; x < 5; x++) parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
    for (uint32_t i = 0; i < RP_KECCAK_LANES; i++) {
      const uint32_t from = RP_KECCAK_PI(i % 5, i / 5), x = from % 5;
      b[i] = turn(a[from] ^ parity[(x + 4) % 5] ^ turn(parity[(x + 1) % 5], 1), turns[from]);
    }
#pragma unroll
    for (uint32_t y = 0; y < RP_KECCAK_LANES; y += 5)
#pragma unroll
      for (uint32_t x = 0; x < 5; x++) a[y + x] = b[y + x] ^ (~b[y + (x + 1) % 5] & b[y + (x + 2) % 5]);
    a[0] ^= round_constant(iota[round]);
  }
}

extern "C" __global__ void __launch_bounds__(RP_KECCAK_GROUP) keccak256(const rp_keccak256_args k) {
  const uint64_t i = (uint64_t)blockIdx.x * RP_KECCAK_GROUP + threadIdx.x;
  const uint32_t lanes = 4 * k.row_len, blocks = RP_KECCAK_BLOCKS(lanes);
  const uint64_t *row = k.in + i * lanes;
  uint64_t state[RP_KECCAK_LANES] = {};
  if (i >= k.n) return;
#pragma unroll 1
  for (uint32_t block = 0, first = 0; block < blocks; block++, first += RP_KECCAK_RATE) {
#pragma unroll
    for (uint32_t j = 0; j < RP_KECCAK_RATE; j++)
      state[j] ^= message_lane(row, lanes, first + j, j == RP_KECCAK_RATE - 1 && block + 1 == blocks);
    permute(state);
  }
#pragma unroll
  for (uint32_t j = 0; j < 4; j++) k.out[4 * i + 3 - j] = bytes_reversed(state[j]);
}
