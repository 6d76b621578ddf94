/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * BLAKE2b of rows of bytes (RFC 7693, section 3; ops/hash/blake2b_args.h).
 */
#include <reprise/kernel.h>

#include "hash/blake2b_args.h"

#include <stdbool.h>
#include <string.h>

enum { STATE = 8, WORDS = 16 };

static inline uint64_t turn(uint64_t x, uint32_t n) { return x >> n | x << (64 - n); }

static inline void mix(uint64_t *v, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint64_t x, uint64_t y) {
  v[a] += v[b] + x, v[d] = turn(v[d] ^ v[a], 32);
  v[c] += v[d], v[b] = turn(v[b] ^ v[c], 24);
  v[a] += v[b] + y, v[d] = turn(v[d] ^ v[a], 16);
  v[c] += v[d], v[b] = turn(v[b] ^ v[c], 63);
}

static uint64_t iv(uint32_t i) {
  static const uint32_t words[2 * STATE] = {RP_BLAKE2B_IV};
  return (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
}

/* `hashed`: the bytes of the message up to the end of this block. */
static void compress(uint64_t h[STATE], const uint8_t block[RP_BLAKE2B_BLOCK], uint64_t hashed, bool last) {
  static const uint8_t sigma[10 * WORDS] = {RP_BLAKE2B_SIGMA};
  uint64_t v[WORDS], m[WORDS];
  memcpy(m, block, sizeof m);
  for (uint32_t i = 0; i < STATE; i++) v[i] = h[i], v[i + STATE] = iv(i);
  v[12] ^= hashed;
  if (last) v[14] = ~v[14];
  for (uint32_t round = 0; round < RP_BLAKE2B_ROUNDS; round++) {
    const uint8_t *s = &sigma[round % 10 * WORDS];
    for (uint32_t i = 0; i < 4; i++) mix(v, i, i + 4, i + 8, i + 12, m[s[2 * i]], m[s[2 * i + 1]]);
    for (uint32_t i = 0; i < 4; i++)
      mix(v, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12, m[s[2 * i + 8]], m[s[2 * i + 9]]);
  }
  for (uint32_t i = 0; i < STATE; i++) h[i] ^= v[i] ^ v[i + STATE];
}

void rp_cpu_blake2b(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_blake2b_args *k = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint8_t *row = k->in + i * k->row_bytes;
    uint8_t block[RP_BLAKE2B_BLOCK] = {0};
    uint64_t h[STATE];
    uint32_t done = 0;
    for (uint32_t j = 0; j < STATE; j++) h[j] = iv(j);
    h[0] ^= 0x01010000u ^ k->digest_bytes; /* no key, one lane */
    h[6] ^= (uint64_t)k->personal_1 << 32 | k->personal_0;
    h[7] ^= (uint64_t)k->personal_3 << 32 | k->personal_2;
    for (; k->row_bytes - done > RP_BLAKE2B_BLOCK; done += RP_BLAKE2B_BLOCK)
      compress(h, row + done, done + RP_BLAKE2B_BLOCK, 0);
    memcpy(block, row + done, k->row_bytes - done);
    compress(h, block, k->row_bytes, 1);
    memcpy((uint8_t *)k->out + i * k->digest_bytes, h, k->digest_bytes);
  }
}
