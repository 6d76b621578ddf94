/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "subgroup_grid.h"

#include "formats/fail.h"

#include <stdbool.h>

enum { SCALAR_BYTES = 32, PLACE_BITS = 44 };

/* Window bits with which digits can be placed side by side in a scalar: a digit below 2^(window_bits - 1) has a unique
 * representation. */
static uint32_t window_bits_of(const g16_grid *grid) {
  uint32_t most = 0, bits = 1;
  for (int k = 0; k < G16_GRID_DIMENSIONS; k++)
    if (grid->lines[k] > most) most = grid->lines[k];
  while (most >> (bits - 1)) bits++;
  return bits;
}

g16_grid g16_grid_of(uint64_t points) {
  g16_grid grid = {.cells = 1};
  for (int k = 0; k < G16_GRID_DIMENSIONS; k++) grid.cells *= grid.side[k] = G16_GRID_LEAST_SIDE;
  for (int k = 0; grid.cells < points; k = (k + 1) % G16_GRID_DIMENSIONS) {
    grid.cells = grid.cells / grid.side[k] * (grid.side[k] + 1);
    grid.side[k]++;
  }
  for (int k = 0; k < G16_GRID_DIMENSIONS; k++) grid.lines[k] = grid.cells / grid.side[k];
  grid.window_bits = window_bits_of(&grid);
  return grid;
}

uint32_t g16_grid_line(const g16_grid *grid, uint32_t cell, uint32_t dimension) {
  uint32_t line = 0, radix = 1;
  for (uint32_t k = 0; k < G16_GRID_DIMENSIONS; k++) {
    if (k != dimension) {
      line += cell % grid->side[k] * radix;
      radix *= grid->side[k];
    }
    cell /= grid->side[k];
  }
  return line;
}

/* Writes `value`, or order + value if it is negative. */
static void write_scalar(uint8_t *out, int64_t value, const uint8_t *order) {
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  if (value >= 0) {
    memset(out, 0, SCALAR_BYTES);
    for (int i = 0; i < 8; i++) out[i] = (uint8_t)(rest >> 8 * i);
    return;
  }
  bool borrow = 0;
  for (int i = 0; i < SCALAR_BYTES; i++, rest >>= 8) {
    const int digit = order[i] - (int)(rest & 0xff) - borrow;
    borrow = digit < 0;
    out[i] = (uint8_t)(digit & 0xff);
  }
}

static int64_t digits_of(const g16_grid *grid, uint32_t cell, uint8_t signs) {
  int64_t value = 0;
  for (uint32_t k = G16_GRID_DIMENSIONS; k-- > 0;) {
    const int64_t line = (int64_t)g16_grid_line(grid, cell, k) + 1;
    value = value * ((int64_t)1 << grid->window_bits) + (signs >> k & 1 ? -line : line);
  }
  return value;
}

/* Makes cells[0 ... points) a random selection without repetition (the first steps of a Fisher-Yates shuffle). */
static void shuffle(uint32_t *cells, uint32_t n_cells, uint64_t points, const uint8_t *random) {
  for (uint32_t i = 0; i < n_cells; i++) cells[i] = i;
  for (uint32_t i = 0; i < points; i++) {
    const uint64_t bits = g16_u64(random + (size_t)i * 8) & (((uint64_t)1 << PLACE_BITS) - 1);
    const uint32_t j = i + (uint32_t)(bits * (n_cells - i) >> PLACE_BITS), cell = cells[j];
    cells[j] = cells[i];
    cells[i] = cell;
  }
}

rp_status g16_grid_scalars(rp_context *context, const g16_grid *grid, const rp_curve_host *curve, uint64_t points,
                           g16_random_fn random, uint8_t *scalars) {
  uint8_t *places = rp_context_alloc(context, points * 8), *signs = rp_context_alloc(context, points);
  uint32_t *cells = rp_context_alloc(context, grid->cells * sizeof *cells);
  rp_status status = places && signs && cells ? random(places, points * 8) : RP_ERR_MEMORY;
  if (status == RP_OK) status = random(signs, points);
  if (status == RP_OK) {
    shuffle(cells, grid->cells, points, places);
    for (uint64_t i = 0; i < points; i++)
      write_scalar(scalars + i * SCALAR_BYTES, digits_of(grid, cells[i], signs[i]), curve->order_le);
  }
  rp_context_free(cells);
  rp_context_free(signs);
  rp_context_free(places);
  return status;
}
