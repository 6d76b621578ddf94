/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pass of the NTT over elements of one 32-bit word. Included by ntt_cpu_tmpl.c. The tile is stored by rows, so that
 * the butterflies of a row's columns are consecutive elements, for vectors (arith/fields/fp_vector32.h): element r of
 * column c is tile[r * columns + c].
 */
#ifndef REPRISE_OPS_NTT_SMALL_H
#define REPRISE_OPS_NTT_SMALL_H

#include <stdbool.h>

enum { SMALL_COLUMNS = 32 }; /* of a full tile; ntt_lower.c reads RP_NTT_SMALL_RUN_BYTES per row */
_Static_assert(SMALL_COLUMNS * sizeof(fe) == RP_NTT_SMALL_RUN_BYTES, "the width of a tile");

/* row[c] = element `first` + c of the transform, for n of them; and the reverse. */
static void read_row(const struct rp_ntt_args *k, uint64_t base, fe *restrict row, uint64_t first, uint32_t n) {
  const fe *in = (const fe *)k->in + first;
  const uint32_t step = k->factor_step;
  if (!(k->flags & RP_NTT_FACTOR_IN)) {
    memcpy(row, in, n * sizeof *row);
    return;
  }
  const fe *factors = (const fe *)k->factors + (first - base) * step;
  if (step)
    for (uint32_t c = 0; c < n; c++) fe_mul(&row[c], &in[c], &factors[c]);
  else
    for (uint32_t c = 0; c < n; c++) fe_mul(&row[c], &in[c], &factors[0]);
}

static void write_row(const struct rp_ntt_args *k, uint64_t base, uint64_t first, const fe *restrict row, uint32_t n) {
  const uint32_t step = k->factor_step;
  fe *out = (fe *)k->out + first;
  if (!(k->flags & RP_NTT_FACTOR_OUT)) {
    memcpy(out, row, n * sizeof *row);
    return;
  }
  const fe *factors = (const fe *)k->factors + (first - base) * step;
  if (step)
    for (uint32_t c = 0; c < n; c++) fe_mul(&out[c], &row[c], &factors[c]);
  else
    for (uint32_t c = 0; c < n; c++) fe_mul(&out[c], &row[c], &factors[0]);
}

static void gather_rows(const struct rp_ntt_args *k, const struct tile *at, fe *tile) {
  const uint32_t rows = 1u << k->layers, columns = 1u << k->log_columns;
  if (!(k->flags & RP_NTT_PERMUTE_IN) && at->row > 1) {
    const uint64_t first = origin_of(k, at, 0);
    for (uint32_t r = 0; r < rows; r++)
      read_row(k, at->base, &tile[r * columns], first + (uint64_t)r * at->row, columns);
    return;
  }
  for (uint32_t c = 0; c < columns; c++) {
    if (k->flags & RP_NTT_PERMUTE_IN) {
      const uint64_t first = at->base + ((uint64_t)rp_bit_reverse(at->column + c, k->log_n - k->layers) << k->layers);
      for (uint32_t r = 0; r < rows; r++)
        read_element(k, at->base, &tile[rp_bit_reverse(r, k->layers) * columns + c], first + r);
    } else {
      const uint64_t first = origin_of(k, at, c);
      for (uint32_t r = 0; r < rows; r++) read_element(k, at->base, &tile[r * columns + c], first + r);
    }
  }
}

static void scatter_rows(const struct rp_ntt_args *k, const struct tile *at, const fe *tile) {
  const uint32_t rows = 1u << k->layers, columns = 1u << k->log_columns;
  if (k->flags & RP_NTT_PERMUTE_OUT || at->row > 1) {
    const uint64_t origin = k->flags & RP_NTT_PERMUTE_OUT ? at->base + at->column : origin_of(k, at, 0);
    for (uint32_t r = 0; r < rows; r++) {
      const uint64_t row = k->flags & RP_NTT_PERMUTE_OUT ? (uint64_t)rp_bit_reverse(r, k->layers) << k->first_layer
                                                         : (uint64_t)r * at->row;
      write_row(k, at->base, origin + row, &tile[r * columns], columns);
    }
    return;
  }
  for (uint32_t c = 0; c < columns; c++) {
    const uint64_t first = origin_of(k, at, c);
    for (uint32_t r = 0; r < rows; r++) write_element(k, at->base, first + r, &tile[r * columns + c]);
  }
}

/* (x, y) <- (x + w y, x - w y), or (x + y, w (x - y)) in the transposed network. */
static inline __attribute__((always_inline)) void butterfly(fe *x, fe *y, const fe *w, bool transposed) {
  fe t, u = *x;
  if (transposed) {
    fe_sub(&t, &u, y);
    fe_add(x, &u, y);
    fe_mul(y, &t, w);
  } else {
    fe_mul(&t, y, w);
    fe_add(x, &u, &t);
    fe_sub(y, &u, &t);
  }
}

#if FPV_LANES
static inline __attribute__((always_inline)) void butterflies(fe *x, fe *y, fpv w, bool transposed) {
  const fpv u = fpv_load(x), v = fpv_load(y), t = transposed ? v : fpv_mul(v, w), d = fpv_sub(u, t);
  fpv_store(x, fpv_add(u, t));
  fpv_store(y, transposed ? fpv_mul(d, w) : d);
}
#endif

/* n butterflies with one twiddle; `one`: it is 1. */
static inline __attribute__((always_inline)) void same_twiddle(fe *restrict x, fe *restrict y, uint32_t n, fe w,
                                                               bool one, bool transposed) {
  uint32_t j = 0;
#if FPV_LANES
  const fpv wv = fpv_set1(&w);
  for (; j + FPV_LANES <= n; j += FPV_LANES) {
    if (one) {
      const fpv u = fpv_load(&x[j]), v = fpv_load(&y[j]);
      fpv_store(&x[j], fpv_add(u, v));
      fpv_store(&y[j], fpv_sub(u, v));
    } else {
      butterflies(&x[j], &y[j], wv, transposed);
    }
  }
#endif
  for (; j < n; j++) {
    if (one) {
      const fe u = x[j];
      fe_add(&x[j], &u, &y[j]);
      fe_sub(&y[j], &u, &y[j]);
    } else {
      butterfly(&x[j], &y[j], &w, transposed);
    }
  }
}

/* `half` rows of butterflies, with one twiddle per column. */
static inline __attribute__((always_inline)) void
own_twiddles(fe *restrict x, fe *restrict y, uint32_t half, uint32_t columns, const fe *restrict w, bool transposed) {
  for (uint32_t j = 0; j < half; j++) {
    uint32_t c = 0;
#if FPV_LANES
    for (; c + FPV_LANES <= columns; c += FPV_LANES)
      butterflies(&x[j * columns + c], &y[j * columns + c], fpv_load(&w[c]), transposed);
#endif
    for (; c < columns; c++) butterfly(&x[j * columns + c], &y[j * columns + c], &w[c], transposed);
  }
}

/* The twiddle of block b, with its sign. */
static inline fe signed_twiddle(const struct rp_ntt_args *k, uint32_t b) {
  fe w = *twiddle_of(k, b);
  if (b && k->flags & RP_NTT_INVERSE) fe_neg(&w, &w);
  return w;
}

/* Layer i of the sub-transforms in the tile, whose columns are in blocks block[c]; in the same one if `shared`. */
static inline __attribute__((always_inline)) void layer_rows(const struct rp_ntt_args *k, fe *tile, uint32_t i,
                                                             const uint32_t *block, bool shared, bool transposed) {
  const uint32_t columns = 1u << k->log_columns, half = 1u << (k->layers - 1 - i);
  for (uint32_t q = 0; q < 1u << i; q++) {
    fe *x = tile + (size_t)2 * half * q * columns, *y = x + (size_t)half * columns, w[SMALL_COLUMNS];
    if (shared) {
      const uint32_t b = (block[0] << i) + q;
      if (b)
        same_twiddle(x, y, half * columns, signed_twiddle(k, b), 0, transposed);
      else
        same_twiddle(x, y, half * columns, *x, 1, transposed);
      continue;
    }
    for (uint32_t c = 0; c < columns; c++) w[c] = signed_twiddle(k, (block[c] << i) + q);
    if (columns == SMALL_COLUMNS)
      own_twiddles(x, y, half, SMALL_COLUMNS, w, transposed);
    else
      own_twiddles(x, y, half, columns, w, transposed);
  }
}

static void tile_rows(const struct rp_ntt_args *k, const struct tile *at, fe *tile) {
  const uint32_t columns = 1u << k->log_columns, transposed = k->flags & RP_NTT_TRANSPOSED;
  const bool shared = at->row > 1 || columns == 1;
  uint32_t block[SMALL_COLUMNS];
  for (uint32_t c = 0; c < columns; c++) block[c] = block_of(k, at, c);
  gather_rows(k, at, tile);
  for (uint32_t layer = 0; layer < k->layers; layer++) {
    const uint32_t i = transposed ? k->layers - 1 - layer : layer;
    if (transposed)
      layer_rows(k, tile, i, block, shared, 1);
    else
      layer_rows(k, tile, i, block, shared, 0);
  }
  scatter_rows(k, at, tile);
}

#endif
