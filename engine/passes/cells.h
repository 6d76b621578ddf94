/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The bytes of growing blocks, cut into cells that are in use or free. A free cell is in a pool, with a stamp: whoever
 * asks names pools, and for each the largest stamp that it may take. Best fit within bounded searches; free neighbours
 * of one pool become one cell.
 */
#ifndef REPRISE_ENGINE_PASSES_CELLS_H
#define REPRISE_ENGINE_PASSES_CELLS_H

#include "core.h"

typedef struct rp_cell {
  uint64_t offset, bytes;
  uint32_t block;        /* in the order in which they were begun */
  uint32_t below, above; /* the neighbours in the block, or none */
  uint32_t pool;         /* none: in use */
  uint32_t stamp;
  uint32_t left, right; /* the ring of free cells of about one size in one pool */
} rp_cell;

/* Free cells of a pool whose sizes are of one class. */
typedef struct rp_cell_bin {
  uint32_t class, ring, next; /* ring: a cell that stands for none, and is always in it */
} rp_cell_bin;

typedef struct rp_cell_pool {
  uint32_t into, lift; /* the pool that took it up, itself if none did, and the stamp that its cells then got */
  uint32_t bins;       /* by ascending class */
} rp_cell_pool;

typedef struct rp_cells {
  rp_context *context;
  uint64_t align_bytes, most_bytes; /* of offsets; of a block */
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
  uint32_t pool, stamp; /* that it may have at most */
} rp_cell_choice;

/* 0 when out of memory. */
int rp_cells_open(rp_cells *cells, rp_context *context, uint32_t n_pools, uint64_t align_bytes, uint64_t most_bytes);
void rp_cells_close(rp_cells *cells);
/* A cell for so many bytes, at most the most of a block: a free one of the choices, or a new one. RP_NO_CELL when out
 * of memory. */
uint32_t rp_cells_take(rp_cells *cells, const rp_cell_choice *choices, uint32_t n, uint64_t bytes);
/* Into a pool that no other has taken up. 0 when out of memory. */
int rp_cells_release(rp_cells *cells, uint32_t cell, uint32_t pool, uint32_t stamp);
/* All cells of one pool become the other's, with a stamp that is larger than theirs. 0 when out of memory. */
int rp_cells_absorb(rp_cells *cells, uint32_t into, uint32_t from, uint32_t stamp);

#endif
