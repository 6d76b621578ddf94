/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 of rows of bytes (FIPS 180-4, section 6.2; ops/hash/sha256_args.h). If there are many rows, each gets one
 * thread. A transcript is one row, whose blocks wait for each other; there the threads of a warp expand 32 blocks of
 * the message at once, so that only the rounds remain of the chain; they read the expanded words from shared memory.
 */
#include "kernel/kernel.cuh"

#include "hash/sha256_args.h"

enum { STATE = 8 };

static __device__ const uint32_t constants[RP_SHA256_ROUNDS] = {RP_SHA256_CONSTANTS};

static __device__ __forceinline__ uint32_t turn(uint32_t x, uint32_t n) { return __funnelshift_r(x, x, n); }
static __device__ __forceinline__ uint32_t bytes_reversed(uint32_t x) { return __byte_perm(x, 0, 0x0123); }

/* Word i of a row with its padding, most significant byte first. */
static __device__ __forceinline__ uint32_t message_word(const uint8_t *row, uint32_t bytes, uint32_t i) {
  const uint32_t at = 4 * i;
  if (at + 4 <= bytes && ((uintptr_t)row & 3) == 0) return bytes_reversed(*(const uint32_t *)(row + at));
  uint32_t x = 0;
#pragma unroll
  for (uint32_t b = 0; b < 4; b++) x = x << 8 | (at + b < bytes ? row[at + b] : at + b == bytes ? 0x80u : 0u);
  return i + 1 == 16 * RP_SHA256_BLOCKS(bytes) ? 8 * bytes : x;
}

/* The word that follows the sixteen in w. */
static __device__ __forceinline__ uint32_t next_word(const uint32_t w[16], uint32_t i) {
  const uint32_t a = w[(i + 1) % 16], b = w[(i + 14) % 16];
  return w[i % 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[(i + 9) % 16] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
}

/* x: the word and the round's constant. */
static __device__ __forceinline__ void step(uint32_t s[STATE], uint32_t x) {
  const uint32_t a = s[0], e = s[4];
  const uint32_t t1 = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + x;
  const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
  s[7] = s[6], s[6] = s[5], s[5] = e, s[4] = s[3] + t1, s[3] = s[2], s[2] = s[1], s[1] = a, s[0] = t1 + t2;
}

static __device__ __forceinline__ void begin(uint32_t state[STATE]) {
  constexpr uint32_t initial[STATE] = {RP_SHA256_INITIAL};
#pragma unroll
  for (uint32_t i = 0; i < STATE; i++) state[i] = initial[i];
}

extern "C" __global__ void __launch_bounds__(RP_SHA256_GROUP) sha256(const rp_sha256_args k) {
  const uint64_t row = (uint64_t)blockIdx.x * RP_SHA256_GROUP + threadIdx.x;
  if (row >= k.n) return;
  const uint8_t *bytes = k.in + row * k.row_bytes;
  uint32_t state[STATE];
  begin(state);
#pragma unroll 1
  for (uint32_t block = 0; block < RP_SHA256_BLOCKS(k.row_bytes); block++) {
    uint32_t w[16], s[STATE];
#pragma unroll
    for (uint32_t i = 0; i < 16; i++) w[i] = message_word(bytes, k.row_bytes, 16 * block + i);
#pragma unroll
    for (uint32_t i = 0; i < STATE; i++) s[i] = state[i];
#pragma unroll 1
    for (uint32_t first = 0; first < RP_SHA256_ROUNDS; first += 16) {
#pragma unroll
      for (uint32_t i = 0; i < 16; i++) {
        step(s, w[i] + constants[first + i]);
        w[i] = next_word(w, i);
      }
    }
#pragma unroll
    for (uint32_t i = 0; i < STATE; i++) state[i] += s[i];
  }
#pragma unroll
  for (uint32_t i = 0; i < STATE; i++) k.out[STATE * row + i] = bytes_reversed(state[i]);
}

extern "C" __global__ void __launch_bounds__(RP_SHA256_LANES_GROUP) sha256_lanes(const rp_sha256_args k) {
  /* One more word per block, so that threads which write the same word of different blocks use different banks. */
  __shared__ uint32_t words[RP_SHA256_LANES_GROUP][RP_SHA256_ROUNDS + 1];
  const uint32_t blocks = RP_SHA256_BLOCKS(k.row_bytes);
  const uint8_t *bytes = k.in + (uint64_t)blockIdx.x * k.row_bytes;
  uint32_t state[STATE];
  begin(state);
#pragma unroll 1
  for (uint32_t first = 0; first < blocks; first += RP_SHA256_LANES_GROUP) {
    const uint32_t own = first + threadIdx.x;
    if (own < blocks) {
      uint32_t w[16];
#pragma unroll
      for (uint32_t i = 0; i < 16; i++) w[i] = message_word(bytes, k.row_bytes, 16 * own + i);
#pragma unroll 1
      for (uint32_t round = 0; round < RP_SHA256_ROUNDS; round += 16) {
#pragma unroll
        for (uint32_t i = 0; i < 16; i++) {
          words[threadIdx.x][round + i] = w[i] + constants[round + i];
          w[i] = next_word(w, i);
        }
      }
    }
    __syncwarp();
#pragma unroll 1
    for (uint32_t block = 0; block < RP_SHA256_LANES_GROUP && first + block < blocks; block++) {
      uint32_t s[STATE];
#pragma unroll
      for (uint32_t i = 0; i < STATE; i++) s[i] = state[i];
#pragma unroll 16
      for (uint32_t round = 0; round < RP_SHA256_ROUNDS; round++) step(s, words[block][round]);
#pragma unroll
      for (uint32_t i = 0; i < STATE; i++) state[i] += s[i];
    }
    __syncwarp();
  }
  if (threadIdx.x != 0) return;
#pragma unroll
  for (uint32_t i = 0; i < STATE; i++) k.out[(uint64_t)STATE * blockIdx.x + i] = bytes_reversed(state[i]);
}
