/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "sha256.h"

#include <string.h>

static inline uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* One round on the working variables a to h, of which d and h change. */
static inline void round_of(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
                            uint32_t *h, uint32_t k_and_w) {
  const uint32_t t1 = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k_and_w;
  const uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
  *d += t1;
  *h = t1 + t2;
}

static void compress(uint32_t h[8], const uint8_t block[SHA256_BLOCK]) {
  static const uint32_t k[64] = {
      /* cube roots of the first primes, fractional parts: FIPS 180-4, section 4.2.2 */
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
           (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i += 8) { /* eight rounds rotate the names of the variables once around */
    round_of(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], k[i] + w[i]);
    round_of(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], k[i + 1] + w[i + 1]);
    round_of(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], k[i + 2] + w[i + 2]);
    round_of(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], k[i + 3] + w[i + 3]);
    round_of(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], k[i + 4] + w[i + 4]);
    round_of(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], k[i + 5] + w[i + 5]);
    round_of(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], k[i + 6] + w[i + 6]);
    round_of(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], k[i + 7] + w[i + 7]);
  }
  for (int i = 0; i < 8; i++) h[i] += s[i];
}

void pedersen_sha256_begin(pedersen_sha256_state *state) {
  *state = (pedersen_sha256_state){
      .h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void pedersen_sha256_add(pedersen_sha256_state *state, const uint8_t *text, size_t bytes) {
  const size_t held = state->bytes % SHA256_BLOCK;
  state->bytes += bytes;
  if (held != 0) {
    const size_t part = bytes < SHA256_BLOCK - held ? bytes : SHA256_BLOCK - held;
    if (part) memcpy(state->block + held, text, part);
    if (held + part < SHA256_BLOCK) return;
    compress(state->h, state->block);
    text += part;
    bytes -= part;
  }
  for (; bytes >= SHA256_BLOCK; bytes -= SHA256_BLOCK, text += SHA256_BLOCK) compress(state->h, text);
  if (bytes) memcpy(state->block, text, bytes);
}

void pedersen_sha256_end(pedersen_sha256_state *state, uint8_t digest[SHA256_BYTES]) {
  uint8_t last[2 * SHA256_BLOCK] = {0};
  const uint64_t bits = state->bytes * 8;
  const size_t bytes = state->bytes % SHA256_BLOCK;
  memcpy(last, state->block, bytes);
  last[bytes] = 0x80;
  const size_t end = bytes + 9 <= SHA256_BLOCK ? SHA256_BLOCK : 2 * SHA256_BLOCK;
  for (int i = 0; i < 8; i++) last[end - 1 - (size_t)i] = (uint8_t)(bits >> 8 * i);
  for (size_t at = 0; at < end; at += SHA256_BLOCK) compress(state->h, last + at);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state->h[i / 4] >> (24 - 8 * (i % 4)));
}

void pedersen_sha256(const uint8_t *text, size_t bytes, uint8_t digest[SHA256_BYTES]) {
  pedersen_sha256_state state;
  pedersen_sha256_begin(&state);
  pedersen_sha256_add(&state, text, bytes);
  pedersen_sha256_end(&state, digest);
}
