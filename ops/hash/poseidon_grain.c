/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/poseidon_grain.h"

#include <string.h>

enum { STATE_BITS = 80, WARM_UP = 160, WIDTH_MAX = 17, ELEMENT_WORDS = 6 };

typedef struct grain {
  uint8_t bit[STATE_BITS];
  uint32_t at; /* of the oldest bit */
} grain;

static uint32_t step(grain *g) {
  static const uint32_t taps[] = {62, 51, 38, 23, 13, 0};
  uint32_t x = 0;
  for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) x ^= g->bit[(g->at + taps[i]) % STATE_BITS];
  g->bit[g->at] = (uint8_t)x;
  g->at = (g->at + 1) % STATE_BITS;
  return x;
}

/* Self-shrinking: of each pair of bits, the second is used if the first is set. */
static uint32_t next_bit(grain *g) {
  for (;;) {
    uint32_t first = step(g), second = step(g);
    if (first) return second;
  }
}

static void put_bits(grain *g, uint32_t *at, uint32_t value, uint32_t n) {
  while (n-- > 0) g->bit[(*at)++] = value >> n & 1u;
}

static void seed(grain *g, const rp_poseidon_params *p, uint32_t modulus_bits) {
  uint32_t at = 0;
  g->at = 0;
  put_bits(g, &at, 1, 2); /* prime field */
  put_bits(g, &at, 0, 4); /* x^alpha */
  put_bits(g, &at, modulus_bits, 12);
  put_bits(g, &at, p->width, 12);
  put_bits(g, &at, p->full_rounds, 10);
  put_bits(g, &at, p->partial_rounds, 10);
  while (at < STATE_BITS) g->bit[at++] = 1;
  for (int i = 0; i < WARM_UP; i++) step(g);
}

/* Draws an integer of `bits` bits, most significant first, as little-endian bytes. */
static void draw(grain *g, uint32_t bits, uint8_t le[8 * ELEMENT_WORDS]) {
  memset(le, 0, 8 * ELEMENT_WORDS);
  while (bits-- > 0) le[bits / 8] |= (uint8_t)(next_bit(g) << (bits % 8));
}

rp_status rp_poseidon_constants(const void *user, void *dst, uint64_t len) {
  const rp_poseidon_params *p = user;
  const rp_field_host *f = rp_field_get(p->field);
  const uint32_t t = p->width, n_round = t * (p->full_rounds + p->partial_rounds);
  uint64_t xy[2 * WIDTH_MAX][ELEMENT_WORDS], sum[ELEMENT_WORDS];
  uint8_t le[8 * ELEMENT_WORDS], *out = dst;
  grain g;
  if (len != rp_poseidon_constants_len(p) || t > WIDTH_MAX) return RP_ERR_ARGUMENT;
  seed(&g, p, f->modulus_bits);
  for (uint32_t i = 0; i < n_round; i++, out += f->size_bytes) {
    do { /* values at or above the modulus are drawn again */
      draw(&g, f->modulus_bits, le);
    } while (!f->from_canonical(out, le));
  }
  for (uint32_t i = 0; i < 2 * t; i++) {
    draw(&g, f->modulus_bits, le);
    f->from_bytes_reduce(xy[i], le, f->size_bytes);
  }
  for (uint32_t i = 0; i < t; i++) { /* Cauchy matrix 1 / (x_i + y_j) */
    for (uint32_t j = 0; j < t; j++, out += f->size_bytes) {
      f->add(sum, xy[i], xy[t + j]);
      f->inv(out, sum);
    }
  }
  return RP_OK;
}
