/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hash/poseidon_grain.h"

#include <stdbool.h>
#include <string.h>

enum { STATE_BITS = 80, WARM_UP = 160, AT_ONCE = 16, WIDTH_MAX = 17, ELEMENT_WORDS = 6 };

typedef struct grain {
  uint64_t low, high; /* the state, oldest bit first: 64 and 16 bits */
  uint32_t fresh;     /* bits that were computed and not used yet, the next one lowest */
  uint32_t n_fresh;
} grain;

/* The next 16 bits, the first one lowest. The youngest tap is 62 of 80, so that 18 bits do not depend on each other. */
static uint32_t step(grain *g) {
  static const uint32_t taps[] = {62, 51, 38, 23, 13};
  uint64_t x = g->low;
  for (size_t i = 0; i < sizeof taps / sizeof *taps; i++) x ^= g->low >> taps[i] | g->high << (64 - taps[i]);
  x &= (1u << AT_ONCE) - 1;
  g->low = g->low >> AT_ONCE | g->high << (64 - AT_ONCE);
  g->high = x;
  return (uint32_t)x;
}

/* Self-shrinking: of each pair of bits, the second is used if the first is set. */
static uint32_t next_bit(grain *g) {
  for (;;) {
    if (!g->n_fresh) {
      g->fresh = step(g);
      g->n_fresh = AT_ONCE;
    }
    const uint32_t pair = g->fresh & 3;
    g->fresh >>= 2;
    g->n_fresh -= 2;
    if (pair & 1) return pair >> 1;
  }
}

static void put_bits(grain *g, uint32_t *at, uint32_t value, uint32_t n) {
  while (n-- > 0) {
    const uint64_t bit = value >> n & 1u;
    if (*at < 64)
      g->low |= bit << *at;
    else
      g->high |= bit << (*at - 64);
    (*at)++;
  }
}

static void seed(grain *g, const rp_poseidon_params *p, uint32_t modulus_bits) {
  uint32_t at = 0;
  *g = (grain){0};
  put_bits(g, &at, 1, 2); /* prime field */
  put_bits(g, &at, 0, 4); /* x^alpha */
  put_bits(g, &at, modulus_bits, 12);
  put_bits(g, &at, p->width, 12);
  put_bits(g, &at, p->full_rounds, 10);
  put_bits(g, &at, p->partial_rounds, 10);
  while (at < STATE_BITS) put_bits(g, &at, 1, 1);
  for (int i = 0; i < WARM_UP; i += AT_ONCE) step(g);
}

/* Draws an integer of `bits` bits, most significant first, as little-endian bytes. */
static void draw(grain *g, uint32_t bits, uint8_t le[8 * ELEMENT_WORDS]) {
  memset(le, 0, 8 * ELEMENT_WORDS);
  while (bits-- > 0) le[bits / 8] |= (uint8_t)(next_bit(g) << (bits % 8));
}

/* Values at or above the modulus are drawn again. Returns the end. */
static uint8_t *draw_elements(grain *g, const rp_field_host *f, uint32_t n, uint8_t *out) {
  uint8_t le[8 * ELEMENT_WORDS];
  for (uint32_t i = 0; i < n; i++, out += f->size_bytes) {
    do draw(g, f->modulus_bits, le);
    while (!f->from_canonical(out, le));
  }
  return out;
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
  out = draw_elements(&g, f, n_round, out);
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

/* ---- Poseidon2 --------------------------------------------------------------------------------------------------- */

/* numerator / 2^halvings */
typedef struct entry {
  int8_t numerator;
  uint8_t halvings;
} entry;

static void put_entry(const rp_field_host *f, entry e, void *out) {
  const uint8_t two[ELEMENT_WORDS * 8] = {2}, numerator = (uint8_t)(e.numerator < 0 ? -e.numerator : e.numerator);
  uint64_t half[ELEMENT_WORDS];
  f->from_canonical(half, two);
  f->inv(half, half);
  f->from_bytes_reduce(out, &numerator, 1);
  if (e.numerator < 0) f->neg(out, out);
  while (e.halvings-- > 0) f->mul(out, out, half);
}

/* BN254: by the authors' script. For a state of four elements it draws diagonals until the minimal polynomials of the
 * matrix's first powers are irreducible of full degree; the fifth diagonal is the first of which this holds. It draws
 * the diagonal with the one that the matrix of ones has there, and reduces instead of drawing again. */
static void draw_diagonal(grain *g, const rp_field_host *f, uint8_t *out) {
  enum { CANDIDATES = 5, WIDTH = 4 };
  uint64_t one[ELEMENT_WORDS];
  uint8_t le[8 * ELEMENT_WORDS];
  f->one(one);
  for (uint32_t i = 0; i < CANDIDATES * WIDTH; i++) {
    uint8_t *at = out + i % WIDTH * f->size_bytes;
    draw(g, f->modulus_bits, le);
    f->from_bytes_reduce(at, le, f->size_bytes);
    f->sub(at, at, one);
  }
}

/* Plonky3's choice for 16 elements: products by powers of two and small numbers. */
static const entry babybear_diagonal[] = {{-2, 0}, {1, 0}, {2, 0}, {1, 1}, {3, 0},  {4, 0},  {-1, 1}, {-3, 0},
                                          {-4, 0}, {1, 8}, {1, 2}, {1, 3}, {1, 27}, {-1, 8}, {-1, 4}, {-1, 27}};
static const entry koalabear_diagonal[] = {{-2, 0}, {1, 0}, {2, 0}, {1, 1},  {3, 0},  {4, 0},  {-1, 1}, {-3, 0},
                                           {-4, 0}, {1, 8}, {1, 3}, {1, 24}, {-1, 8}, {-1, 3}, {-1, 4}, {-1, 24}};
static const entry narrow_diagonal[] = {{1, 0}, {1, 0}, {2, 0}}; /* the last `width` of these */

rp_status rp_poseidon2_constants(const void *user, void *dst, uint64_t len) {
  const rp_poseidon2_params *p = user;
  const rp_field_host *f = rp_field_get(p->poseidon.field);
  const uint32_t t = p->poseidon.width, n = t * p->poseidon.full_rounds + p->poseidon.partial_rounds;
  const bool small = f->id == RP_FIELD_BABYBEAR || f->id == RP_FIELD_KOALABEAR;
  uint8_t capacity[8 + sizeof p->row_len] = {0}, *out = dst;
  grain g;
  if (len != rp_poseidon2_constants_len(p) || t < 2 || (small ? t != 16 : t > 4)) return RP_ERR_ARGUMENT;
  seed(&g, &p->poseidon, f->modulus_bits);
  out = draw_elements(&g, f, n, out);
  const entry *e = f->id == RP_FIELD_BABYBEAR ? babybear_diagonal
                   : small                    ? koalabear_diagonal
                   : t == 4                   ? NULL
                                              : narrow_diagonal + 3 - t;
  if (t == 4)
    draw_diagonal(&g, f, out);
  else
    for (uint32_t i = 0; i < t; i++) put_entry(f, e[i], out + (size_t)i * f->size_bytes);
  out += (size_t)t * f->size_bytes;
  if (!small && t > 2) memcpy(capacity + 8, &p->row_len, sizeof p->row_len); /* row_len * 2^64 */
  f->from_bytes_reduce(out, capacity, sizeof capacity);
  return RP_OK;
}
