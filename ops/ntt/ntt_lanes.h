/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A tile of eight columns on eight lanes: row r of the tile holds element r of every column, and lanes never exchange
 * values. Included by ntt_cpu_tmpl.c.
 *
 * Elements of a tile are memory values, twiddles and factors are working values (fe8.h). Digits between layers are
 * loose. Bounds: a product with a twiddle is below 2p for factors up to 32p, since twiddles are below p + 2^-14 p and
 * the modulus has at most 255 bits, or 254 where short steps add a quarter of p. In the plain network each of at most
 * ten layers adds 2p to the bound, so that nothing is reduced before the end. In the transposed one a sum doubles the
 * bound, and sums are reduced in every third layer.
 */
#ifndef REPRISE_OPS_NTT_LANES_H
#define REPRISE_OPS_NTT_LANES_H

#include <stdbool.h>

enum { LANES = 8, GROUP = 3, GROUP_TWIDDLES = (1 << GROUP) - 1 };

/* Whether butterflies are computed two at a time: the columns of two products of six limbs do not fit the registers. */
enum { SIDE_BY_SIDE = FP_LIMBS == 4 };

/* The twiddles of a block in `GROUP` consecutive layers, layer by layer. `one`: the first twiddle of each layer is
 * 1. */
typedef struct twiddles8 {
  fp8 w[GROUP_TWIDDLES];
  bool one;
} twiddles8;

/* From below 32p with loose digits to below p + 2^-14 p with proper digits. */
static inline void ntt8_reduce(fp8 *x) {
  fp8_carry(x);
  fp8_reduce_bits(x, 5);
}

/* t = a w; a may have loose digits, and so has t. */
static inline void ntt8_mul(v8 t[2 * FP8_N], fp8 *a, const fp8 *w) {
  fp8_wide wide;
  fp8_carry(a);
  fp8_wide_zero(&wide);
  fp8_wide_add_mul(&wide, a, w);
  fp8_redc_columns(wide.v);
  RP_UNROLL for (int i = 0; i < FP8_N; i++) t[i] = wide.v[FP8_N + i];
}

/* The same for two products side by side (fp8_mul_two_columns), whose results are in the upper columns. */
static inline void ntt8_mul_two(fp8_wide t[2], fp8 a[2], const fp8 *const w[2]) {
  const fp8 *const left[2] = {&a[0], &a[1]};
  RP_UNROLL for (int c = 0; c < 2; c++) fp8_carry(&a[c]);
  fp8_mul_two_columns(t, left, w);
}

/* Two rows, and the twiddle of their butterfly. */
typedef struct butterfly8 {
  fp8 *x, *y;
  const fp8 *w;
} butterfly8;

/* (sum, difference) <- (x + t, x - t + 2p) for t below 2p. */
static inline void ntt8_cross(fp8 *sum, fp8 *difference, const fp8 *x, const v8 t[FP8_N]) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const v8 a = x->v[i];
    sum->v[i] = v8_add(a, t[i]);
    difference->v[i] = v8_add(v8_sub(a, t[i]), v8_set1(fp8_multiple(2, i)));
  }
}

FP8_CALL void ntt8_plain(fp8 *x, fp8 *y, const fp8 *w, bool inverse) {
  fp8 a = *y;
  v8 t[2 * FP8_N];
  ntt8_mul(t, &a, w);
  a = *x;
  if (inverse)
    ntt8_cross(y, x, &a, t);
  else
    ntt8_cross(x, y, &a, t);
}

FP8_CALL void ntt8_plain_two(const butterfly8 at[2], bool inverse) {
  const fp8 *const w[2] = {at[0].w, at[1].w};
  fp8 y[2] = {*at[0].y, *at[1].y};
  fp8_wide t[2];
  ntt8_mul_two(t, y, w);
  RP_UNROLL for (int c = 0; c < 2; c++) {
    const fp8 x = *at[c].x;
    if (inverse)
      ntt8_cross(at[c].y, at[c].x, &x, t[c].v + FP8_N);
    else
      ntt8_cross(at[c].x, at[c].y, &x, t[c].v + FP8_N);
  }
}

/* The same if the twiddle is 1. */
FP8_CALL void ntt8_plain_first(fp8 *x, fp8 *y) {
  fp8 a = *x, b = *y;
  ntt8_reduce(&b);
  ntt8_cross(x, y, &a, b.v);
}

/* sum = a + b; difference = a - b, or b - a if `swap`, plus `multiple` times p, which must not be less than what is
 * subtracted. */
static inline void ntt8_fold(fp8 *sum, fp8 *difference, const fp8 *a, const fp8 *b, uint64_t multiple, bool swap) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) {
    const v8 x = a->v[i], y = b->v[i];
    sum->v[i] = v8_add(x, y);
    difference->v[i] = v8_add(swap ? v8_sub(y, x) : v8_sub(x, y), v8_set1(fp8_multiple(multiple, i)));
  }
}

/* Layer number `round` of a group of layers: x and y are below 2^(round + 1) (p + 2^-14 p). */
static inline void ntt8_fold_round(fp8 *sum, fp8 *difference, const fp8 *a, const fp8 *b, uint32_t round, bool swap) {
  if (round == 0)
    ntt8_fold(sum, difference, a, b, 3, swap);
  else if (round == 1)
    ntt8_fold(sum, difference, a, b, 5, swap);
  else
    ntt8_fold(sum, difference, a, b, 9, swap);
}

/* `last`: the sum is reduced. */
FP8_CALL void ntt8_transposed(fp8 *x, fp8 *y, const fp8 *w, uint32_t round, bool inverse, bool last) {
  fp8 sum, difference;
  v8 t[2 * FP8_N];
  ntt8_fold_round(&sum, &difference, x, y, round, inverse);
  ntt8_mul(t, &difference, w);
  if (last) ntt8_reduce(&sum);
  *x = sum;
  RP_UNROLL for (int i = 0; i < FP8_N; i++) y->v[i] = t[i];
}

FP8_CALL void ntt8_transposed_two(const butterfly8 at[2], uint32_t round, bool inverse, bool last) {
  const fp8 *const w[2] = {at[0].w, at[1].w};
  fp8 difference[2];
  fp8_wide t[2];
  RP_UNROLL for (int c = 0; c < 2; c++) {
    fp8 sum;
    ntt8_fold_round(&sum, &difference[c], at[c].x, at[c].y, round, inverse);
    if (last) ntt8_reduce(&sum);
    *at[c].x = sum;
  }
  ntt8_mul_two(t, difference, w);
  RP_UNROLL for (int c = 0; c < 2; c++) { RP_UNROLL for (int i = 0; i < FP8_N; i++) at[c].y->v[i] = t[c].v[FP8_N + i]; }
}

FP8_CALL void ntt8_transposed_first(fp8 *x, fp8 *y, uint32_t round, bool last) {
  fp8 sum, difference;
  ntt8_fold_round(&sum, &difference, x, y, round, 0);
  if (last) ntt8_reduce(&sum);
  ntt8_reduce(&difference);
  *x = sum;
  *y = difference;
}

/* Loads the twiddle of block b[c] into lane c. */
static inline void twiddle_lanes(const struct rp_ntt_args *k, fp8 *w, const uint32_t b[LANES], const fe *minus_one) {
  const void *at[LANES];
  for (int c = 0; c < LANES; c++) at[c] = b[c] || !(k->flags & RP_NTT_INVERSE) ? twiddle_of(k, b[c]) : minus_one;
  fp8_load_rows(w, at, 0);
}

/* Loads the twiddles of block q of layer `first` and of the blocks it splits into; block[c] is the block of column
 * c. */
static void twiddles_load(const struct rp_ntt_args *k, twiddles8 *t, const uint32_t block[LANES], bool same,
                          uint32_t first, uint32_t layers, uint32_t q, const fe *minus_one) {
  fp8 *w = t->w;
  t->one = same && block[0] << first == 0 && q == 0;
  for (uint32_t i = 0; i < layers; i++)
    for (uint32_t s = 0; s < 1u << i; s++, w++) {
      uint32_t b[LANES];
      if (t->one && !s) continue;
      for (int c = 0; c < LANES; c++) b[c] = (((block[c] << first) + q) << i) + s;
      if (same)
        fp8_set1(w, twiddle_of(k, b[0]));
      else
        twiddle_lanes(k, w, b, minus_one);
    }
}

/* Butterflies k and k + 1 of the 2^(layers - 1) of layer i, on the rows x, x + step and so on; a single layer has one.
 * Returns how many there are. */
static inline uint32_t butterflies(butterfly8 at[2], const twiddles8 *t, fp8 *x, uint32_t step, uint32_t layers,
                                   uint32_t i, uint32_t k) {
  const uint32_t log_half = layers - 1 - i, half = 1u << log_half, n = layers > 1 ? 2 : 1;
  for (uint32_t c = 0; c < n; c++) {
    const uint32_t s = (k + c) >> log_half, h = (k + c) & (half - 1);
    at[c].x = x + (size_t)step * (2 * half * s + h);
    at[c].y = at[c].x + (size_t)step * half;
    at[c].w = &t->w[(1u << i) - 1 + s];
  }
  return n;
}

/* Whether the butterfly's twiddle is the first of its layer, and 1. */
static inline bool is_first(const twiddles8 *t, const butterfly8 *b, uint32_t i) {
  return t->one && b->w == &t->w[(1u << i) - 1];
}

/* Layers [0, layers) of a group on the 2^layers rows x, x + step and so on. */
static void group_plain(const twiddles8 *t, fp8 *x, uint32_t step, uint32_t layers, bool inverse) {
  for (uint32_t i = 0; i < layers; i++)
    for (uint32_t k = 0; k < 1u << (layers - 1); k += 2) {
      butterfly8 at[2];
      const uint32_t n = butterflies(at, t, x, step, layers, i, k);
      if (SIDE_BY_SIDE && n == 2 && !is_first(t, &at[0], i)) {
        ntt8_plain_two(at, inverse);
        continue;
      }
      for (uint32_t c = 0; c < n; c++)
        if (is_first(t, &at[c], i))
          ntt8_plain_first(at[c].x, at[c].y);
        else
          ntt8_plain(at[c].x, at[c].y, at[c].w, inverse);
    }
}

static void group_transposed(const twiddles8 *t, fp8 *x, uint32_t step, uint32_t layers, bool inverse) {
  for (uint32_t i = layers; i-- > 0;)
    for (uint32_t k = 0; k < 1u << (layers - 1); k += 2) {
      const uint32_t round = layers - 1 - i;
      butterfly8 at[2];
      const uint32_t n = butterflies(at, t, x, step, layers, i, k);
      if (SIDE_BY_SIDE && n == 2 && !is_first(t, &at[0], i)) {
        ntt8_transposed_two(at, round, inverse, i == 0);
        continue;
      }
      for (uint32_t c = 0; c < n; c++)
        if (is_first(t, &at[c], i))
          ntt8_transposed_first(at[c].x, at[c].y, round, i == 0);
        else
          ntt8_transposed(at[c].x, at[c].y, at[c].w, round, inverse, i == 0);
    }
}

/* All layers, in groups of up to three, so that the eight rows of a group stay in the L1 cache. */
static void layers_lanes(const struct rp_ntt_args *k, fp8 *tile, const uint32_t block[LANES], bool same) {
  const uint32_t groups = (k->layers + GROUP - 1) / GROUP;
  const bool inverse = (k->flags & RP_NTT_INVERSE) != 0, transposed = (k->flags & RP_NTT_TRANSPOSED) != 0;
  twiddles8 t;
  fe one, minus_one;
  fe_one(&one);
  fe_neg(&minus_one, &one);
  for (uint32_t i = 0; i < groups; i++) {
    const uint32_t g = transposed ? groups - 1 - i : i;
    const uint32_t first = g * k->layers / groups, layers = (g + 1) * k->layers / groups - first;
    const uint32_t size = k->layers - first, step = 1u << (size - layers);
    for (uint32_t q = 0; q < 1u << first; q++) {
      fp8 *x = tile + ((size_t)q << size);
      twiddles_load(k, &t, block, same, first, layers, q, &minus_one);
      for (uint32_t j = 0; j < step; j++)
        if (transposed)
          group_transposed(&t, x + j, step, layers, inverse);
        else
          group_plain(&t, x + j, step, layers, inverse);
    }
  }
}

/* Loads the factors of the elements whose indices in the transform are index[c]. */
static inline void factors_load(const struct rp_ntt_args *k, fp8 *f, const uint64_t index[LANES]) {
  const fe *factors = k->factors;
  const void *at[LANES];
  for (int c = 0; c < LANES; c++) at[c] = &factors[index[c] * k->factor_step];
  fp8_load_rows(f, at, 0);
}

/* Loads element index[c] of the transform into lane c. */
static inline void read_lanes(const struct rp_ntt_args *k, uint64_t base, fp8 *x, const uint64_t index[LANES]) {
  const fe *in = (const fe *)k->in + base;
  const void *at[LANES];
  for (int c = 0; c < LANES; c++) at[c] = &in[index[c]];
  fp8_load_raw_rows(x, at, 0);
  if (k->flags & RP_NTT_FACTOR_IN) {
    fp8 f;
    factors_load(k, &f, index);
    fp8_mul(x, x, &f);
  }
}

static inline void write_lanes(const struct rp_ntt_args *k, uint64_t base, const uint64_t index[LANES], const fp8 *x) {
  fe *out = (fe *)k->out + base;
  void *at[LANES];
  v8 limb[FP_LIMBS];
  fp8 r = *x;
  for (int c = 0; c < LANES; c++) at[c] = &out[index[c]];
  if (k->flags & RP_NTT_FACTOR_OUT) {
    fp8 f;
    factors_load(k, &f, index);
    fp8_carry(&r);
    fp8_mul(&r, &r, &f);
  } else {
    ntt8_reduce(&r);
  }
  fp8_sub_once(&r, fp8_modulus);
  fp8_join(limb, &r, 0);
  fp8_write(at, 0, limb);
}

static void gather_lanes(const struct rp_ntt_args *k, const struct tile *at, fp8 *tile) {
  const uint32_t rows = 1u << k->layers;
  const uint64_t step = k->flags & RP_NTT_PERMUTE_IN ? 1 : at->row;
  uint64_t index[LANES];
  for (uint32_t c = 0; c < LANES; c++)
    index[c] = k->flags & RP_NTT_PERMUTE_IN
                   ? (uint64_t)rp_bit_reverse(at->column + c, k->log_n - k->layers) << k->layers
                   : origin_of(k, at, c) - at->base;
  for (uint32_t r = 0; r < rows; r++) {
    read_lanes(k, at->base, &tile[k->flags & RP_NTT_PERMUTE_IN ? rp_bit_reverse(r, k->layers) : r], index);
    for (int c = 0; c < LANES; c++) index[c] += step;
  }
}

static void scatter_lanes(const struct rp_ntt_args *k, const struct tile *at, const fp8 *tile) {
  const uint32_t rows = 1u << k->layers;
  uint64_t index[LANES];
  if (!(k->flags & RP_NTT_PERMUTE_OUT))
    for (uint32_t c = 0; c < LANES; c++) index[c] = origin_of(k, at, c) - at->base;
  for (uint32_t r = 0; r < rows; r++) {
    if (k->flags & RP_NTT_PERMUTE_OUT) {
      const uint64_t first = ((uint64_t)rp_bit_reverse(r, k->layers) << k->first_layer) + at->column;
      for (uint32_t c = 0; c < LANES; c++) index[c] = first + c;
    }
    write_lanes(k, at->base, index, &tile[r]);
    if (!(k->flags & RP_NTT_PERMUTE_OUT))
      for (int c = 0; c < LANES; c++) index[c] += at->row;
  }
}

static void tile_lanes(const struct rp_ntt_args *k, const struct tile *at, fp8 *tile) {
  uint32_t block[LANES];
  for (uint32_t c = 0; c < LANES; c++) block[c] = block_of(k, at, c);
  gather_lanes(k, at, tile);
  layers_lanes(k, tile, block, at->row > 1);
  scatter_lanes(k, at, tile);
}

#endif
