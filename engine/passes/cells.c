/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Cells with boundary tags, in rings by pool and size class: four classes for each power of two, as in "TLSF: a new
 * dynamic memory allocator for real-time systems" (Masmano, Ripoll, Crespo, Real, 2004).
 */
#include "cells.h"

enum { TRIES = 8 }; /* number of cells tried in one ring */

/* ---- Pools ------------------------------------------------------------------------------------------------------- */

/* The pool that holds the cells of this one now; *lift is the least stamp that they have there. */
static uint32_t root_of(const rp_cells *c, uint32_t pool, uint32_t *lift) {
  uint32_t root = pool;
  *lift = 0;
  while (c->pools[root].into != root) {
    *lift = c->pools[root].lift; /* the last is the largest: pools are absorbed with growing stamps */
    root = c->pools[root].into;
  }
  while (c->pools[pool].into != root && pool != root) { /* shortens the path for the next query */
    const uint32_t next = c->pools[pool].into;
    c->pools[pool].into = root;
    c->pools[pool].lift = *lift;
    pool = next;
  }
  return root;
}

static uint32_t class_of(uint64_t units) {
  const uint32_t log = 63 - (uint32_t)__builtin_clzll(units);
  return 4 * log + (uint32_t)(log >= 2 ? units >> (log - 2) & 3 : units << (2 - log) & 3);
}

static uint32_t add_cell(rp_cells *c) {
  if (!rp_grow(c->context, (void **)&c->cells, &c->cap_cells, c->n_cells, sizeof *c->cells)) return RP_NO_CELL;
  c->cells[c->n_cells] = (rp_cell){.below = RP_NO_CELL, .above = RP_NO_CELL, .pool = RP_NO_CELL};
  return c->n_cells++;
}

/* The ring of a class in a pool; RP_NO_CELL when out of memory. */
static uint32_t ring_of(rp_cells *c, uint32_t pool, uint32_t class) {
  uint32_t before = RP_NO_CELL, bin = c->pools[pool].bins;
  while (bin != RP_NO_CELL && c->bins[bin].class < class) before = bin, bin = c->bins[bin].next;
  if (bin != RP_NO_CELL && c->bins[bin].class == class) return c->bins[bin].ring;
  const uint32_t ring = add_cell(c);
  if (ring == RP_NO_CELL) return ring;
  if (!rp_grow(c->context, (void **)&c->bins, &c->cap_bins, c->n_bins, sizeof *c->bins)) return RP_NO_CELL;
  c->cells[ring].left = c->cells[ring].right = ring;
  c->bins[c->n_bins] = (rp_cell_bin){.class = class, .ring = ring, .next = bin};
  *(before == RP_NO_CELL ? &c->pools[pool].bins : &c->bins[before].next) = c->n_bins++;
  return ring;
}

static void unlink_cell(rp_cells *c, uint32_t cell) {
  rp_cell *x = &c->cells[cell];
  c->cells[x->left].right = x->right;
  c->cells[x->right].left = x->left;
  x->pool = RP_NO_CELL;
}

static bool link_cell(rp_cells *c, uint32_t cell, uint32_t pool, uint32_t stamp) {
  uint32_t lift;
  const uint32_t ring = ring_of(c, root_of(c, pool, &lift), class_of(c->cells[cell].bytes / c->align_bytes));
  if (ring == RP_NO_CELL) return 0;
  rp_cell *x = &c->cells[cell], *r = &c->cells[ring];
  x->pool = pool;
  x->stamp = stamp;
  x->left = ring;
  x->right = r->right;
  c->cells[x->right].left = cell;
  r->right = cell;
  return 1;
}

/* ---- Neighbours -------------------------------------------------------------------------------------------------- */

/* Cuts a cell after its first `bytes`; the rest becomes a free cell with this pool and stamp. */
static bool cut(rp_cells *c, uint32_t cell, uint64_t bytes, uint32_t pool, uint32_t stamp) {
  const uint32_t rest = add_cell(c);
  if (rest == RP_NO_CELL) return 0;
  rp_cell *x = &c->cells[cell], *y = &c->cells[rest];
  *y = *x;
  y->offset += bytes;
  y->bytes -= bytes;
  y->below = cell;
  x->bytes = bytes;
  x->above = rest;
  if (y->above != RP_NO_CELL) c->cells[y->above].below = rest;
  if (c->top == cell) c->top = rest;
  return link_cell(c, rest, pool, stamp);
}

/* Makes the upper cell, which is free and in no ring, part of the lower one. */
static void join(rp_cells *c, uint32_t lower, uint32_t upper) {
  rp_cell *x = &c->cells[lower], *y = &c->cells[upper];
  x->bytes += y->bytes;
  x->above = y->above;
  if (x->above != RP_NO_CELL) c->cells[x->above].below = lower;
  if (c->top == upper) c->top = lower;
}

/* If a neighbour is free and in the pool, takes it out of its ring and returns true. */
static bool absorb_neighbour(rp_cells *c, uint32_t cell, uint32_t pool) {
  uint32_t lift;
  if (cell == RP_NO_CELL || c->cells[cell].pool == RP_NO_CELL) return 0;
  if (root_of(c, c->cells[cell].pool, &lift) != pool) return 0;
  unlink_cell(c, cell);
  return 1;
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

static uint32_t stamp_of(const rp_cells *c, uint32_t cell) {
  uint32_t lift;
  (void)root_of(c, c->cells[cell].pool, &lift);
  return c->cells[cell].stamp > lift ? c->cells[cell].stamp : lift;
}

/* The best cell that a choice allows, among the first of each ring, from the smallest class that has one. */
static uint32_t best_of(const rp_cells *c, const rp_cell_choice *choice, uint64_t bytes, uint64_t need) {
  const uint32_t class = class_of(need / c->align_bytes);
  uint32_t best = RP_NO_CELL, bin = c->pools[choice->pool].bins;
  for (; bin != RP_NO_CELL && best == RP_NO_CELL; bin = c->bins[bin].next) {
    if (c->bins[bin].class < class) continue;
    uint32_t tries = TRIES;
    for (uint32_t x = c->cells[c->bins[bin].ring].right; x != c->bins[bin].ring && tries > 0; tries--) {
      const rp_cell *k = &c->cells[x];
      if (k->bytes >= need && bytes <= c->most_bytes - k->offset && stamp_of(c, x) <= choice->stamp &&
          (best == RP_NO_CELL || k->bytes < c->cells[best].bytes))
        best = x;
      x = k->right;
    }
  }
  return best;
}

/* The free cell at the end of the last block, made larger; or a new cell at that end; or the first cell of a new
 * block. */
static uint32_t extend(rp_cells *c, const rp_cell_choice *choices, uint32_t n, uint64_t bytes, uint64_t need) {
  rp_cell *top = c->top == RP_NO_CELL ? NULL : &c->cells[c->top];
  for (uint32_t i = 0; i < n && top && top->pool != RP_NO_CELL; i++) {
    uint32_t lift;
    if (root_of(c, top->pool, &lift) != choices[i].pool || stamp_of(c, c->top) > choices[i].stamp) continue;
    if (top->offset > c->most_bytes || bytes > c->most_bytes - top->offset) break;
    unlink_cell(c, c->top);
    top->bytes = need;
    return c->top;
  }
  const uint64_t end = top ? top->offset + top->bytes : 0;
  const bool fits = top && end <= c->most_bytes && bytes <= c->most_bytes - end;
  const uint32_t cell = add_cell(c), below = c->top;
  if (cell == RP_NO_CELL) return cell;
  rp_cell *x = &c->cells[cell];
  x->bytes = need;
  x->block = fits ? c->n_blocks - 1 : c->n_blocks++;
  if (fits) {
    x->offset = end;
    x->below = below;
    c->cells[below].above = cell;
  }
  c->top = cell;
  return cell;
}

/* ---- Interface --------------------------------------------------------------------------------------------------- */

bool rp_cells_open(rp_cells *c, rp_context *context, uint32_t n_pools, uint64_t align_bytes, uint64_t most_bytes) {
  *c = (rp_cells){.context = context,
                  .align_bytes = align_bytes ? align_bytes : 1,
                  .most_bytes = most_bytes,
                  .n_pools = n_pools,
                  .top = RP_NO_CELL};
  c->pools = rp_host_alloc(context, n_pools * sizeof *c->pools, 8);
  for (uint32_t p = 0; p < n_pools && c->pools; p++) c->pools[p] = (rp_cell_pool){.into = p, .bins = RP_NO_CELL};
  return c->pools != NULL;
}

void rp_cells_close(rp_cells *c) {
  rp_grow_free(c->context, c->cells, c->cap_cells, sizeof *c->cells);
  rp_grow_free(c->context, c->bins, c->cap_bins, sizeof *c->bins);
  rp_host_free(c->context, c->pools, c->n_pools * sizeof *c->pools);
}

uint32_t rp_cells_take(rp_cells *c, const rp_cell_choice *choices, uint32_t n, uint64_t bytes) {
  const uint64_t need = rp_align_up(bytes, c->align_bytes);
  uint32_t best = RP_NO_CELL;
  for (uint32_t i = 0; i < n; i++) {
    if (c->pools[choices[i].pool].into != choices[i].pool) continue;
    const uint32_t x = best_of(c, &choices[i], bytes, need);
    if (x != RP_NO_CELL && (best == RP_NO_CELL || c->cells[x].bytes < c->cells[best].bytes)) best = x;
    if (best != RP_NO_CELL && c->cells[best].bytes == need) break;
  }
  if (best == RP_NO_CELL) return extend(c, choices, n, bytes, need);
  const uint32_t pool = c->cells[best].pool, stamp = c->cells[best].stamp;
  unlink_cell(c, best);
  return c->cells[best].bytes == need || cut(c, best, need, pool, stamp) ? best : RP_NO_CELL;
}

bool rp_cells_release(rp_cells *c, uint32_t cell, uint32_t pool, uint32_t stamp) {
  const uint32_t above = c->cells[cell].above, below = c->cells[cell].below;
  if (absorb_neighbour(c, above, pool)) join(c, cell, above);
  if (absorb_neighbour(c, below, pool)) {
    join(c, below, cell);
    cell = below;
  }
  return link_cell(c, cell, pool, stamp);
}

bool rp_cells_absorb(rp_cells *c, uint32_t into, uint32_t from, uint32_t stamp) {
  if (into == from) return 1;
  for (uint32_t bin = c->pools[from].bins; bin != RP_NO_CELL; bin = c->bins[bin].next) {
    const uint32_t theirs = c->bins[bin].ring, first = c->cells[theirs].right, last = c->cells[theirs].left;
    if (first == theirs) continue;
    const uint32_t ours = ring_of(c, into, c->bins[bin].class);
    if (ours == RP_NO_CELL) return 0;
    const uint32_t next = c->cells[ours].right;
    c->cells[ours].right = first;
    c->cells[first].left = ours;
    c->cells[last].right = next;
    c->cells[next].left = last;
    c->cells[theirs].left = c->cells[theirs].right = theirs;
  }
  c->pools[from].into = into;
  c->pools[from].lift = stamp;
  return 1;
}
