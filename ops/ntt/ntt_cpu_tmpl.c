/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A pass of the NTT (ntt/ntt_args.h). Each item gathers its columns into the worker's tile, one contiguous
 * sub-transform per column, transforms them in the L1 cache, and writes them back.
 */
#include "kernel/bits.h"
#include "kernel/cpu.h"

#include "ntt/ntt_args.h"
#include "kernel/lanes.h"
#include "ntt/ntt_butterflies.h"

#define NTT_LANES (RP_LANES && FE_DEGREE == 1 && FP_LIMBS == 4 && FP_BITS <= 255)

/* Where the columns of a tile are in memory. */
struct tile {
  uint64_t base;   /* first element of the transform in a batch */
  uint32_t row;    /* distance between two rows of a column, in elements */
  uint32_t block;  /* block of column 0; it begins at element block << log2 of the block size */
  uint32_t column; /* offset of column 0 in the block; if row == 1, the number of the block of column 0 */
};

static struct tile tile_of(const struct rp_ntt_args *k, uint64_t item) {
  uint32_t log_tiles = k->log_n - k->layers - k->log_columns, log_row = k->log_n - k->first_layer - k->layers;
  uint32_t t = (uint32_t)(item & (((uint64_t)1 << log_tiles) - 1));
  struct tile at = {.base = item >> log_tiles << k->log_n, .row = 1u << log_row};
  if (log_row) {
    uint32_t log_groups = log_row - k->log_columns;
    at.block = t >> log_groups;
    at.column = (t & ((1u << log_groups) - 1)) << k->log_columns;
  } else {
    at.column = t << k->log_columns;
  }
  return at;
}

/* The block of column c: the columns of a tile share one block, or each has its own. */
static uint32_t block_of(const struct rp_ntt_args *k, const struct tile *at, uint32_t c) {
  if (at->row > 1) return at->block;
  uint32_t b = at->column + c;
  return k->flags & RP_NTT_PERMUTE_OUT ? rp_bit_reverse(b, k->first_layer) : b;
}

/* Index of row 0 of column c if elements are in position order. */
static uint64_t origin_of(const struct rp_ntt_args *k, const struct tile *at, uint32_t c) {
  uint64_t first = at->base + ((uint64_t)block_of(k, at, c) << (k->log_n - k->first_layer));
  return at->row > 1 ? first + at->column + c : first;
}

static inline void read_element(const struct rp_ntt_args *k, uint64_t base, fe *r, uint64_t index) {
  const fe *in = k->in, *factors = k->factors;
  if (k->flags & RP_NTT_FACTOR_IN)
    fe_mul(r, &in[index], &factors[(index - base) * k->factor_step]);
  else
    *r = in[index];
}

/* The layers leave elements unreduced (ntt_butterflies.h); a product accepts that of its first operand and reduces
 * it. */
static inline void write_element(const struct rp_ntt_args *k, uint64_t base, uint64_t index, const fe *a) {
  const fe *factors = k->factors;
  fe *out = k->out;
  if (k->flags & RP_NTT_FACTOR_OUT) {
    fe_mul(&out[index], a, &factors[(index - base) * k->factor_step]);
  } else {
    fe r = *a;
    ntt_reduce(&r);
    out[index] = r;
  }
}

#if FP_WORD_BYTES == 8
static void gather(const struct rp_ntt_args *k, const struct tile *at, fe *tile, uint32_t pitch) {
  uint32_t rows = 1u << k->layers, columns = 1u << k->log_columns;
  if (k->flags & RP_NTT_PERMUTE_IN) {
    for (uint32_t c = 0; c < columns; c++) {
      uint64_t first = at->base + ((uint64_t)rp_bit_reverse(at->column + c, k->log_n - k->layers) << k->layers);
      for (uint32_t r = 0; r < rows; r++)
        read_element(k, at->base, &tile[c * pitch + rp_bit_reverse(r, k->layers)], first + r);
    }
  } else if (at->row > 1) {
    uint64_t first = origin_of(k, at, 0);
    for (uint32_t r = 0; r < rows; r++)
      for (uint32_t c = 0; c < columns; c++)
        read_element(k, at->base, &tile[c * pitch + r], first + (uint64_t)r * at->row + c);
  } else {
    for (uint32_t c = 0; c < columns; c++) {
      uint64_t first = origin_of(k, at, c);
      for (uint32_t r = 0; r < rows; r++) read_element(k, at->base, &tile[c * pitch + r], first + r);
    }
  }
}

static void scatter(const struct rp_ntt_args *k, const struct tile *at, const fe *tile, uint32_t pitch) {
  uint32_t rows = 1u << k->layers, columns = 1u << k->log_columns;
  if (k->flags & RP_NTT_PERMUTE_OUT) {
    for (uint32_t r = 0; r < rows; r++) {
      uint64_t first = at->base + ((uint64_t)rp_bit_reverse(r, k->layers) << k->first_layer) + at->column;
      for (uint32_t c = 0; c < columns; c++) write_element(k, at->base, first + c, &tile[c * pitch + r]);
    }
  } else if (at->row > 1) {
    uint64_t first = origin_of(k, at, 0);
    for (uint32_t r = 0; r < rows; r++)
      for (uint32_t c = 0; c < columns; c++)
        write_element(k, at->base, first + (uint64_t)r * at->row + c, &tile[c * pitch + r]);
  } else {
    for (uint32_t c = 0; c < columns; c++) {
      uint64_t first = origin_of(k, at, c);
      for (uint32_t r = 0; r < rows; r++) write_element(k, at->base, first + r, &tile[c * pitch + r]);
    }
  }
}

#endif

#if NTT_LANES
#include "ntt/ntt_lanes.h"
#endif
#if FP_WORD_BYTES == 4
#include "ntt/ntt_small.h"
#endif

void RP_FN(ntt_pass)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_ntt_args *k = args;
  fe *tile = (fe *)k->tile + (size_t)w->index * k->tile_stride;
  for (uint64_t item = begin; item < end; item++) {
    struct tile at = tile_of(k, item);
#if FP_WORD_BYTES == 4
    tile_rows(k, &at, tile);
#else
    const uint32_t columns = 1u << k->log_columns, pitch = (1u << k->layers) + 2;
#if NTT_LANES
    if (columns == LANES) {
      tile_lanes(k, &at, (fp8 *)(void *)tile);
      continue;
    }
#endif
    gather(k, &at, tile, pitch);
    for (uint32_t c = 0; c < columns; c++) {
      if (k->flags & RP_NTT_TRANSPOSED)
        layers_transposed(k, tile + c * pitch, block_of(k, &at, c));
      else
        layers_plain(k, tile + c * pitch, block_of(k, &at, c));
    }
    scatter(k, &at, tile, pitch);
#endif
  }
}
