/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The bytes of growing blocks, cut into cells that are in use or free. A free cell is in a pool and has a stamp; a
 * request names pools, and for each the largest stamp that it accepts. Best fit within bounded searches; neighbouring
 * free cells of one pool are joined.
 */
#ifndef REPRISE_ENGINE_PASSES_CELLS_H
#define REPRISE_ENGINE_PASSES_CELLS_H

#include "core.h"

typedef struct rp_cell {
  uint64_t offset, bytes;
  uint32_t block;        /* blocks are numbered in the order in which they were begun */
  uint32_t below, above; /* the neighbours in the block, or RP_NO_CELL */
  uint32_t pool;         /* RP_NO_CELL: in use */
  uint32_t stamp;
  uint32_t left, right; /* neighbours in the ring of free cells of one size class and pool */
} rp_cell;

/* The free cells of a pool in one size class. */
typedef struct rp_cell_bin {
  uint32_t class, ring, next; /* ring: a cell without bytes that is always in the ring */
} rp_cell_bin;

typedef struct rp_cell_pool {
  uint32_t into, lift; /* the pool that absorbed it, or itself, and the least stamp of its cells since then */
  uint32_t bins;       /* by ascending class */
} rp_cell_pool;

typedef struct rp_cells {
  rp_context *context;
  uint64_t align_bytes, most_bytes; /* alignment of offsets; largest size of a block */
  rp_cell *cells;
  uint32_t n_cells, cap_cells;
  rp_cell_bin *bins;
  uint32_t n_bins, cap_bins;
  rp_cell_pool *pools;
  uint32_t n_pools, n_blocks;
  uint32_t top; /* the highest cell of the last block */
} rp_cells;

#define RP_NO_CELL UINT32_MAX

typedef struct rp_cell_choice {
  uint32_t pool, stamp; /* stamp: the largest that is accepted */
} rp_cell_choice;

/* 0 when out of memory. */
bool rp_cells_open(rp_cells *cells, rp_context *context, uint32_t n_pools, uint64_t align_bytes, uint64_t most_bytes);
void rp_cells_close(rp_cells *cells);
/* Takes a cell for `bytes`, at most the largest size of a block: a free one that a choice allows, or a new one.
 * RP_NO_CELL when out of memory. */
uint32_t rp_cells_take(rp_cells *cells, const rp_cell_choice *choices, uint32_t n, uint64_t bytes);
/* Frees a cell into a pool that no other has absorbed, with a stamp that is at least that of every earlier call: so it
 * is the stamp of neighbours that are joined to the cell, too. 0 when out of memory. */
bool rp_cells_release(rp_cells *cells, uint32_t cell, uint32_t pool, uint32_t stamp);
/* Moves all cells of pool `from` to pool `into`, with a stamp that is at least that of every earlier call. 0 when out
 * of memory. */
bool rp_cells_absorb(rp_cells *cells, uint32_t into, uint32_t from, uint32_t stamp);

#endif
