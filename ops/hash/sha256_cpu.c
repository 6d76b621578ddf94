/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 of rows of bytes (FIPS 180-4, section 6.2; ops/hash/sha256_args.h).
 */
#include <reprise/kernel.h>

#include "hash/sha256_args.h"

#include <string.h>

enum { BLOCK = 64, STATE = 8, LENGTH_BYTES = 8 };

static inline uint32_t turn(uint32_t x, uint32_t n) { return x >> n | x << (32 - n); }

static inline uint32_t load_word(const uint8_t *at) {
  uint32_t x;
  memcpy(&x, at, sizeof x);
  return __builtin_bswap32(x);
}

static void compress(uint32_t state[STATE], const uint8_t block[BLOCK]) {
  static const uint32_t constants[RP_SHA256_ROUNDS] = {RP_SHA256_CONSTANTS};
  uint32_t w[RP_SHA256_ROUNDS], s[STATE];
  for (uint32_t i = 0; i < 16; i++) w[i] = load_word(block + 4 * i);
  for (uint32_t i = 16; i < RP_SHA256_ROUNDS; i++) {
    const uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
  memcpy(s, state, sizeof s);
  for (uint32_t i = 0; i < RP_SHA256_ROUNDS; i++) {
    const uint32_t a = s[0], e = s[4];
    const uint32_t t1 =
        s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & s[5]) ^ (~e & s[6])) + constants[i] + w[i];
    const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
    s[7] = s[6], s[6] = s[5], s[5] = e, s[4] = s[3] + t1, s[3] = s[2], s[2] = s[1], s[1] = a, s[0] = t1 + t2;
  }
  for (uint32_t i = 0; i < STATE; i++) state[i] += s[i];
}

/* The last block, or the last two: what is left of the row, the bit 1, zeros, and the length in bits. */
static void finish(uint32_t state[STATE], const uint8_t *rest, uint32_t n, uint32_t row_bytes) {
  uint8_t block[2 * BLOCK] = {0};
  const uint32_t bytes = n + 1 + LENGTH_BYTES <= BLOCK ? BLOCK : 2 * BLOCK, bits = __builtin_bswap32(8 * row_bytes);
  memcpy(block, rest, n);
  block[n] = 0x80;
  memcpy(block + bytes - sizeof bits, &bits, sizeof bits);
  for (uint32_t at = 0; at < bytes; at += BLOCK) compress(state, block + at);
}

void rp_cpu_sha256(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  static const uint32_t initial[STATE] = {RP_SHA256_INITIAL};
  const struct rp_sha256_args *k = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint8_t *row = k->in + i * k->row_bytes;
    uint32_t state[STATE], left = k->row_bytes;
    memcpy(state, initial, sizeof state);
    for (; left >= BLOCK; left -= BLOCK, row += BLOCK) compress(state, row);
    finish(state, row, left, k->row_bytes);
    for (uint32_t j = 0; j < STATE; j++) k->out[STATE * i + j] = __builtin_bswap32(state[j]);
  }
}
