/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Placement of an arena with many values. The dispatches are visited in order; a value takes free bytes where its life
 * begins, and releases them where it ends. Two values share bytes by the same rules as in arena_place.c, but not
 * wherever these rules would allow it.
 *
 * The dispatches are covered by chains, in which each is a successor of the one before it. Bytes are released at a
 * dispatch that comes after all users of the value, into the pool of that dispatch's chain. Later dispatches of that
 * chain, and of chains that leave it later, may take them. When a chain ends, the last successor of its last dispatch
 * takes over its pool. Values whose order only follows from other paths do not share bytes, and placement is less
 * compact than with the largest values first.
 *
 * Values that share by number need no proof, and have one pool of their own.
 */
#include "arena_place.h"
#include "cells.h"
#include "meeting.h"

enum {
  PREDS_ASKED = 4,  /* number of predecessors in whose chains a value looks for bytes */
  CHAINS_ASKED = 8, /* number of chains that it goes back, from each to the chain from which it branches off */
  CHOICES = 1 + PREDS_ASKED + CHAINS_ASKED
};

typedef struct walk {
  rp_plan *plan;
  const rp_part *part;
  rp_dag *order;
  rp_space space;
  uint64_t large_bytes;
  uint32_t n;          /* number of dispatches; also the pool of values that share by number */
  uint32_t *chain;     /* per dispatch: the first of its chain, whose number is also that of the pool */
  uint32_t *follower;  /* the next in its chain, or n */
  uint32_t *last_succ; /* or n */
  rp_meeting meeting;
  uint32_t *born_at; /* per dispatch, and one more: where the values whose lives begin there start in `born` */
  uint32_t *born;
  uint32_t *dead_before, *dead_after; /* per dispatch: values whose bytes it, or only later ones, may reuse; RP_NONE */
  uint32_t *next_dead;                /* per value */
  uint32_t *cell_at;                  /* per value: the cell of its first segment in `cells_of` */
  uint32_t *cells_of;
  rp_cells cells;
  rp_arena arena;
} walk;

static bool is_here(const walk *w, uint32_t value) {
  const rp_plan_value *v = &w->plan->values[value];
  return v->placed && v->space == w->space;
}

static bool is_large(const walk *w, uint32_t value) { return w->plan->values[value].bytes >= w->large_bytes; }

static bool is_preloaded(const rp_plan_value *v) {
  return v->origin == RP_ORIGIN_GIVEN || v->origin == RP_ORIGIN_FILLED;
}

/* ---- Chains ------------------------------------------------------------------------------------------------------ */

static bool find_chains(walk *w) {
  w->chain = rp_arena_array(&w->arena, w->n, sizeof *w->chain);
  w->follower = rp_arena_array(&w->arena, w->n, sizeof *w->follower);
  w->last_succ = rp_arena_array(&w->arena, w->n, sizeof *w->last_succ);
  if (!w->chain || !w->follower || !w->last_succ) return 0;
  for (uint32_t d = 0; d < w->n; d++) w->follower[d] = w->last_succ[d] = w->n;
  for (uint32_t d = 0; d < w->n; d++) {
    const uint32_t before = w->order->up.parent[d];
    const bool follows = before != w->n && w->follower[before] == w->n;
    w->chain[d] = follows ? w->chain[before] : d;
    if (follows) w->follower[before] = d;
    for (uint32_t e = w->order->first[d]; e < w->order->first[d + 1]; e++) w->last_succ[w->order->preds[e]] = d;
  }
  return 1;
}

/* The dispatch takes over the pools of chains that have ended and of which it is the last successor. */
static bool take_pools_of_ended_chains(walk *w, uint32_t dispatch) {
  for (uint32_t e = w->order->first[dispatch]; e < w->order->first[dispatch + 1]; e++) {
    const uint32_t d = w->order->preds[e];
    if (w->follower[d] != w->n || w->last_succ[d] != dispatch) continue;
    if (!rp_cells_absorb(&w->cells, w->chain[dispatch], w->chain[d], dispatch)) return 0;
  }
  return 1;
}

/* ---- Lives ------------------------------------------------------------------------------------------------------- */

static void release_value(walk *w, uint32_t value) {
  const rp_lives *l = &w->part->lives;
  const uint32_t *last = l->last + l->last_at[value], n = l->last_at[value + 1] - l->last_at[value];
  uint32_t at = last[n - 1], is_user = 1;
  if (!is_large(w, value) && n > 1) {
    at = rp_meeting_find(&w->meeting, w->order, last, n);
    if (at == w->n) return; /* no dispatch comes after all of them */
    is_user = 0;
    for (uint32_t i = 0; i < n; i++) is_user |= last[i] == at;
  }
  uint32_t *list = is_user ? &w->dead_after[at] : &w->dead_before[at];
  w->next_dead[value] = *list;
  *list = value;
}

static bool list_lives(walk *w) {
  const rp_plan *p = w->plan;
  const rp_lives *l = &w->part->lives;
  w->born_at = rp_arena_array(&w->arena, w->n + 2u, sizeof *w->born_at);
  w->born = rp_arena_array(&w->arena, p->n_values, sizeof *w->born);
  w->dead_before = rp_arena_array(&w->arena, w->n, sizeof *w->dead_before);
  w->dead_after = rp_arena_array(&w->arena, w->n, sizeof *w->dead_after);
  w->next_dead = rp_arena_array(&w->arena, p->n_values, sizeof *w->next_dead);
  w->cell_at = rp_arena_array(&w->arena, p->n_values, sizeof *w->cell_at);
  if (!w->born_at || !w->born || !w->dead_before || !w->dead_after || !w->next_dead || !w->cell_at) return 0;
  for (uint32_t d = 0; d < w->n; d++) w->dead_before[d] = w->dead_after[d] = RP_NONE;
  uint32_t n_cells = 0;
  for (uint32_t v = p->n_values; v-- > 0;) {
    if (!is_here(w, v)) continue;
    w->cell_at[v] = n_cells;
    n_cells += p->values[v].n_segments;
    if (!is_preloaded(&p->values[v])) w->born_at[l->first[l->first_at[v]] + 2]++;
    release_value(w, v);
  }
  for (uint32_t d = 2; d <= w->n + 1; d++) w->born_at[d] += w->born_at[d - 1];
  for (uint32_t v = 0; v < p->n_values; v++)
    if (is_here(w, v) && !is_preloaded(&p->values[v])) w->born[w->born_at[l->first[l->first_at[v]] + 1]++] = v;
  w->cells_of = rp_arena_array(&w->arena, n_cells, sizeof *w->cells_of);
  return w->cells_of != NULL;
}

/* ---- Taking and giving back -------------------------------------------------------------------------------------- */

/* Lists the pools and stamps with bytes that every first user of the value may take. */
static uint32_t choose(const walk *w, uint32_t value, rp_cell_choice *choices) {
  const rp_lives *l = &w->part->lives;
  const uint32_t *first = l->first + l->first_at[value], n_first = l->first_at[value + 1] - l->first_at[value];
  uint32_t n = 0, from = first[0];
  if (is_preloaded(&w->plan->values[value])) return 0;
  if (is_large(w, value)) {
    choices[0] = (rp_cell_choice){.pool = w->n, .stamp = UINT32_MAX};
    return 1;
  }
  for (uint32_t i = 1; i < n_first && from != w->n; i++) from = rp_forest_meet(&w->order->up, from, first[i]);
  if (from == w->n) return 0;
  choices[n++] = (rp_cell_choice){.pool = w->chain[from], .stamp = from};
  const uint32_t *preds = w->order->preds, begin = w->order->first[from], end = w->order->first[from + 1];
  for (uint32_t e = end; e-- > begin && n < 1 + PREDS_ASKED;)
    if (w->chain[preds[e]] != w->chain[from])
      choices[n++] = (rp_cell_choice){.pool = w->chain[preds[e]], .stamp = preds[e]};
  uint32_t head = w->chain[from];
  for (uint32_t i = 0; i < CHAINS_ASKED; i++) {
    const uint32_t before = w->order->up.parent[head];
    if (before == w->n) break;
    head = w->chain[before];
    choices[n++] = (rp_cell_choice){.pool = head, .stamp = before};
  }
  return n;
}

static bool take(walk *w, uint32_t value) {
  const rp_plan_value *v = &w->plan->values[value];
  rp_cell_choice choices[CHOICES];
  const uint32_t n = choose(w, value, choices);
  for (uint32_t s = 0; s < v->n_segments; s++) {
    const uint32_t cell = rp_cells_take(&w->cells, choices, n, rp_segment_bytes(v, s));
    if (cell == RP_NO_CELL) return 0;
    w->cells_of[w->cell_at[value] + s] = cell;
    v->segments[s] = (rp_segment){.block = w->cells.cells[cell].block, .offset = w->cells.cells[cell].offset};
  }
  return 1;
}

static bool give_back(walk *w, uint32_t list, uint32_t dispatch) {
  for (uint32_t v = list; v != RP_NONE; v = w->next_dead[v]) {
    const uint32_t pool = is_large(w, v) ? w->n : w->chain[dispatch];
    for (uint32_t s = 0; s < w->plan->values[v].n_segments; s++)
      if (!rp_cells_release(&w->cells, w->cells_of[w->cell_at[v] + s], pool, dispatch)) return 0;
  }
  return 1;
}

static bool place_values(walk *w) {
  const rp_plan *p = w->plan;
  for (uint32_t v = 0; v < p->n_values; v++)
    if (is_here(w, v) && is_preloaded(&p->values[v]) && !take(w, v)) return 0;
  for (uint32_t d = 0; d < w->n; d++) {
    if (!take_pools_of_ended_chains(w, d) || !give_back(w, w->dead_before[d], d)) return 0;
    for (uint32_t i = w->born_at[d]; i < w->born_at[d + 1]; i++)
      if (!take(w, w->born[i])) return 0;
    if (!give_back(w, w->dead_after[d], d)) return 0;
  }
  return 1;
}

static bool put_values(const walk *w, int part) {
  rp_plan *p = w->plan;
  const uint32_t base = p->n_blocks;
  for (uint32_t b = 0; b < w->cells.n_blocks; b++)
    if (rp_add_block(p, w->space, 1u << part) == RP_NONE) return 0;
  for (uint32_t v = 0; v < p->n_values; v++) {
    if (!is_here(w, v)) continue;
    const rp_segment *at = p->values[v].segments;
    for (uint32_t s = 0; s < p->values[v].n_segments; s++) rp_put_segment(p, v, s, base + at[s].block, at[s].offset);
  }
  return 1;
}

bool rp_place_pools(rp_plan *plan, int part, rp_space space, uint64_t large_bytes) {
  const rp_device_limits *limits = &plan->device->info.limits;
  const rp_part *p = &plan->parts[part];
  walk w = {
      .plan = plan, .part = p, .order = p->order, .space = space, .large_bytes = large_bytes, .n = p->n_dispatches};
  rp_arena_init(&w.arena, plan->context);
  bool good = rp_dag_build_forests(w.order) && find_chains(&w) && rp_meeting_open(&w.meeting, &w.arena, w.order) &&
              list_lives(&w) &&
              rp_cells_open(&w.cells, plan->context, w.n + 1u, limits->align_bytes, limits->max_allocation_bytes);
  good = good && place_values(&w) && put_values(&w, part);
  if (w.cells.context) rp_cells_close(&w.cells);
  rp_arena_free(&w.arena);
  return good;
}
