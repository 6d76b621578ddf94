/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keccak256.h"

#include <string.h>

enum { ROUNDS = 24 };

static inline uint64_t turn(uint64_t x, uint32_t n) { return x << n | x >> (64 - n); }

/* Theta: adds the parities of two neighbouring columns to every lane (FIPS 202, 3.2.1). */
static void mix_columns(uint64_t a[KECCAK_LANES]) {
  uint64_t parity[5];
  for (int x = 0; x < 5; x++) parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  for (int x = 0; x < 5; x++) {
    const uint64_t d = parity[(x + 4) % 5] ^ turn(parity[(x + 1) % 5], 1);
    for (int y = 0; y < 25; y += 5) a[x + y] ^= d;
  }
}

/* Rho and pi (3.2.2, 3.2.3): on one walk through all lanes but the first, each moves to the place of the next, rotated
 * by 1, 3, 6, 10, ... bits. */
static void move_lanes(uint64_t a[KECCAK_LANES]) {
  static const uint8_t walk[KECCAK_LANES - 1] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                                 15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
  uint64_t moving = a[1];
  for (uint32_t t = 0, by = 0; t < KECCAK_LANES - 1; t++) {
    const uint64_t next = a[walk[t]];
    by = (by + t + 1) % 64;
    a[walk[t]] = turn(moving, by);
    moving = next;
  }
}

/* Chi (3.2.4). */
static void mix_rows(uint64_t a[KECCAK_LANES]) {
  for (int y = 0; y < 25; y += 5) {
    const uint64_t first = a[y], second = a[y + 1];
    for (int x = 0; x < 3; x++) a[y + x] ^= ~a[y + x + 1] & a[y + x + 2];
    a[y + 3] ^= ~a[y + 4] & first;
    a[y + 4] ^= ~first & second;
  }
}

static void permute(uint64_t a[KECCAK_LANES]) {
  static const uint64_t iota[ROUNDS] = {
      /* bits of a linear feedback shift register at the places 2^j - 1: FIPS 202, 3.2.5 */
      0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
      0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
      0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
      0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
      0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
  for (int round = 0; round < ROUNDS; round++) {
    mix_columns(a);
    move_lanes(a);
    mix_rows(a);
    a[0] ^= iota[round];
  }
}

void plonk_keccak_begin(plonk_keccak *state) { memset(state, 0, sizeof *state); }

static void put(plonk_keccak *state, uint32_t at, uint8_t byte) {
  state->lane[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

void plonk_keccak_add(plonk_keccak *state, const uint8_t *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    put(state, state->held++, text[i]);
    if (state->held < KECCAK_RATE) continue;
    permute(state->lane);
    state->held = 0;
  }
}

void plonk_keccak_end(plonk_keccak *state, uint8_t padding, uint8_t digest[KECCAK_BYTES]) {
  put(state, state->held, padding);
  put(state, KECCAK_RATE - 1, 0x80);
  permute(state->lane);
  for (uint32_t i = 0; i < KECCAK_BYTES; i++) digest[i] = (uint8_t)(state->lane[i / 8] >> 8 * (i % 8));
}

void plonk_keccak256(const uint8_t *text, size_t bytes, uint8_t digest[KECCAK_BYTES]) {
  plonk_keccak state;
  plonk_keccak_begin(&state);
  plonk_keccak_add(&state, text, bytes);
  plonk_keccak_end(&state, KECCAK_PADDING, digest);
}
