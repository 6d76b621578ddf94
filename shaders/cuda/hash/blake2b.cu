/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * BLAKE2b of rows of bytes (RFC 7693, section 3; ops/hash/blake2b_args.h). If there are many rows, each gets one
 * thread. A transcript is one row, whose blocks wait for each other; there four threads each hold one column of the
 * state, and one diagonal in the second half of a round. The other threads of the warp do the same work, so that none
 * diverges.
 */
#include "kernel/kernel.cuh"

#include "hash/blake2b_args.h"

enum { STATE = 8, WORDS = 16, COLUMNS = 4 };

static __device__ const uint8_t sigma[10 * WORDS] = {RP_BLAKE2B_SIGMA};
static __device__ const uint32_t iv_words[2 * STATE] = {RP_BLAKE2B_IV};

static __device__ __forceinline__ uint64_t join(uint32_t low, uint32_t high) { return (uint64_t)high << 32 | low; }
static __device__ __forceinline__ uint64_t iv(uint32_t i) { return join(iv_words[2 * i], iv_words[2 * i + 1]); }
static __device__ __forceinline__ uint64_t turn(uint64_t x, uint32_t n) { return x >> n | x << (64 - n); }

static __device__ __forceinline__ uint64_t of_column(uint64_t x, uint32_t column) {
  return join(__shfl_sync(0xffffffffu, (uint32_t)x, column, COLUMNS),
              __shfl_sync(0xffffffffu, (uint32_t)(x >> 32), column, COLUMNS));
}

/* Word i of a row; zero beyond its end. */
static __device__ __forceinline__ uint64_t message_word(const uint8_t *row, uint32_t bytes, uint32_t i) {
  const uint32_t at = 8 * i;
  if (at + 8 <= bytes && ((uintptr_t)row & 7) == 0) return *(const uint64_t *)(row + at);
  uint64_t x = 0;
#pragma unroll
  for (uint32_t b = 0; b < 8; b++)
    if (at + b < bytes) x |= (uint64_t)row[at + b] << 8 * b;
  return x;
}

/* Word i of the state before the first block. */
static __device__ __forceinline__ uint64_t initial(const rp_blake2b_args &k, uint32_t i) {
  const uint64_t x = iv(i);
  if (i == 0) return x ^ 0x01010000u ^ k.digest_bytes; /* no key, one lane */
  if (i == 6) return x ^ join(k.personal_0, k.personal_1);
  return i == 7 ? x ^ join(k.personal_2, k.personal_3) : x;
}

static __device__ __forceinline__ void store(const rp_blake2b_args &k, uint64_t row, uint32_t i, uint64_t x) {
  uint32_t *digest = k.out + row * (k.digest_bytes / 4);
  if (8 * i < k.digest_bytes) digest[2 * i] = (uint32_t)x;
  if (8 * i + 4 < k.digest_bytes) digest[2 * i + 1] = (uint32_t)(x >> 32);
}

static __device__ __forceinline__ void mix(uint64_t &a, uint64_t &b, uint64_t &c, uint64_t &d, uint64_t x, uint64_t y) {
  a += b + x, d = turn(d ^ a, 32);
  c += d, b = turn(b ^ c, 24);
  a += b + y, d = turn(d ^ a, 16);
  c += d, b = turn(b ^ c, 63);
}

/* The message words of a round for a column, and for the diagonal that begins in it. */
struct words {
  uint64_t column[2], diagonal[2];
};

static __device__ __forceinline__ words words_of(const uint64_t *m, uint32_t round, uint32_t column) {
  const uint8_t *s = sigma + round % 10 * WORDS + 2 * column;
  return words{{m[s[0]], m[s[1]]}, {m[s[8]], m[s[9]]}};
}

extern "C" __global__ void __launch_bounds__(RP_BLAKE2B_LANES_GROUP) blake2b_lanes(const rp_blake2b_args k) {
  __shared__ uint64_t m[WORDS];
  const uint32_t column = threadIdx.x % COLUMNS, blocks = RP_BLAKE2B_BLOCKS(k.row_bytes);
  const uint8_t *row = k.in + (uint64_t)blockIdx.x * k.row_bytes;
  uint64_t low = initial(k, column), high = initial(k, column + 4); /* of the state */
#pragma unroll 1
  for (uint32_t block = 0; block < blocks; block++) {
    const bool last = block + 1 == blocks;
    if (threadIdx.x < WORDS) m[threadIdx.x] = message_word(row, k.row_bytes, WORDS * block + threadIdx.x);
    __syncwarp();
    uint64_t a = low, b = high, c = iv(column), d = iv(column + 4);
    if (column == 0) d ^= last ? k.row_bytes : RP_BLAKE2B_BLOCK * (block + 1);
    if (column == 2 && last) d = ~d;
    words next = words_of(m, 0, column);
#pragma unroll 2
    for (uint32_t round = 0; round < RP_BLAKE2B_ROUNDS; round++) {
      const words own = next;
      next = words_of(m, round + 1, column); /* a round ahead, since nothing else hides how long memory takes */
      mix(a, b, c, d, own.column[0], own.column[1]);
      b = of_column(b, (column + 1) % COLUMNS), c = of_column(c, (column + 2) % COLUMNS);
      d = of_column(d, (column + 3) % COLUMNS);
      mix(a, b, c, d, own.diagonal[0], own.diagonal[1]);
      b = of_column(b, (column + 3) % COLUMNS), c = of_column(c, (column + 2) % COLUMNS);
      d = of_column(d, (column + 1) % COLUMNS);
    }
    low ^= a ^ c, high ^= b ^ d;
    __syncwarp();
  }
  if (threadIdx.x >= COLUMNS) return;
  store(k, blockIdx.x, column, low);
  store(k, blockIdx.x, column + 4, high);
}

extern "C" __global__ void __launch_bounds__(RP_BLAKE2B_GROUP) blake2b(const rp_blake2b_args k) {
  const uint64_t own = (uint64_t)blockIdx.x * RP_BLAKE2B_GROUP + threadIdx.x;
  constexpr uint8_t order[10 * WORDS] = {RP_BLAKE2B_SIGMA};
  const uint32_t blocks = RP_BLAKE2B_BLOCKS(k.row_bytes);
  const uint8_t *row = k.in + own * k.row_bytes;
  uint64_t h[STATE];
  if (own >= k.n) return;
#pragma unroll
  for (uint32_t i = 0; i < STATE; i++) h[i] = initial(k, i);
#pragma unroll 1
  for (uint32_t block = 0; block < blocks; block++) {
    const bool last = block + 1 == blocks;
    uint64_t v[WORDS], m[WORDS];
#pragma unroll
    for (uint32_t i = 0; i < WORDS; i++) m[i] = message_word(row, k.row_bytes, WORDS * block + i);
#pragma unroll
    for (uint32_t i = 0; i < STATE; i++) v[i] = h[i], v[i + STATE] = iv(i);
    v[12] ^= last ? k.row_bytes : RP_BLAKE2B_BLOCK * (block + 1);
    if (last) v[14] = ~v[14];
#pragma unroll
    for (uint32_t round = 0; round < RP_BLAKE2B_ROUNDS; round++) { /* the message must stay in registers */
      const uint32_t s = round % 10 * WORDS;
#pragma unroll
      for (uint32_t i = 0; i < 4; i++)
        mix(v[i], v[i + 4], v[i + 8], v[i + 12], m[order[s + 2 * i]], m[order[s + 2 * i + 1]]);
#pragma unroll
      for (uint32_t i = 0; i < 4; i++)
        mix(v[i], v[(i + 1) % 4 + 4], v[(i + 2) % 4 + 8], v[(i + 3) % 4 + 12], m[order[s + 2 * i + 8]],
            m[order[s + 2 * i + 9]]);
    }
#pragma unroll
    for (uint32_t i = 0; i < STATE; i++) h[i] ^= v[i] ^ v[i + STATE];
  }
#pragma unroll
  for (uint32_t i = 0; i < STATE; i++) store(k, own, i, h[i]);
}
