/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 of rows of integers (FIPS 202, section 3; ops/hash/keccak256_args.h).
 */
#include <reprise/kernel.h>

#include "hash/keccak256_args.h"

typedef uint64_t keccak_state[RP_KECCAK_LANES];

static inline uint64_t turn(uint64_t x, uint32_t n) { return x << n | x >> (-n & 63); }

/* Unrolled, so that all indices are constants: five times as fast, and gcc does it by itself at -O3 only. */
static void permute(keccak_state a) {
  static const uint8_t rho[RP_KECCAK_LANES] = {RP_KECCAK_RHO}, iota[RP_KECCAK_ROUNDS] = {RP_KECCAK_IOTA};
  for (uint32_t round = 0; round < RP_KECCAK_ROUNDS; round++) {
    uint64_t parity[5], theta[5];
#pragma GCC unroll 5
    for (uint32_t x = 0; x < 5; x++) parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
    for (uint32_t x = 0; x < 5; x++) theta[x] = parity[(x + 4) % 5] ^ turn(parity[(x + 1) % 5], 1);
    keccak_state b;
#pragma GCC unroll 5
    for (uint32_t y = 0; y < 5; y++)
#pragma GCC unroll 5
      for (uint32_t x = 0; x < 5; x++) {
        const uint32_t from = RP_KECCAK_PI(x, y);
        b[x + 5 * y] = turn(a[from] ^ theta[from % 5], rho[from]);
      }
#pragma GCC unroll 5
    for (uint32_t y = 0; y < RP_KECCAK_LANES; y += 5)
#pragma GCC unroll 5
      for (uint32_t x = 0; x < 5; x++) a[y + x] = b[y + x] ^ (~b[y + (x + 1) % 5] & b[y + (x + 2) % 5]);
    a[0] ^= (uint64_t)RP_KECCAK_IOTA_HIGH(iota[round]) << 32 | RP_KECCAK_IOTA_LOW(iota[round]);
  }
}

/* Lane i of a message, whose integers have their least significant word first. */
static inline uint64_t message_lane(const uint64_t *row, uint64_t i) { return __builtin_bswap64(row[i ^ 3]); }

void rp_cpu_keccak256(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_keccak256_args *k = args;
  const uint64_t lanes = 4 * (uint64_t)k->row_len;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint64_t *row = k->in + i * lanes;
    keccak_state state = {0};
    uint32_t at = 0; /* in the block */
    for (uint64_t lane = 0; lane < lanes; lane++) {
      state[at++] ^= message_lane(row, lane);
      if (at < RP_KECCAK_RATE) continue;
      permute(state);
      at = 0;
    }
    state[at] ^= 1; /* the first bit of the padding and the last */
    state[RP_KECCAK_RATE - 1] ^= (uint64_t)1 << 63;
    permute(state);
    for (uint32_t j = 0; j < 4; j++) k->out[4 * i + j] = __builtin_bswap64(state[3 - j]);
  }
}
