/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Edges from conflicts, grouped by step; then transitive closure and reduction in one walk over the steps, or forests
 * if there are many steps. Steps are in topological order, because every edge goes from a smaller number to a larger
 * one.
 */
#include "dag.h"

/* ---- Grouping ---------------------------------------------------------------------------------------------------- */

/* Writes the edges to `to`, sorted by one of their ends; stable. `at` has room for n + 1 counters. */
static void group(const rp_edge *edges, uint32_t n_edges, rp_edge *to, uint32_t *at, uint32_t n, bool by_to) {
  memset(at, 0, (n + 1u) * sizeof *at);
  for (uint32_t e = 0; e < n_edges; e++) at[(by_to ? edges[e].to : edges[e].from) + 1]++;
  for (uint32_t i = 0; i < n; i++) at[i + 1] += at[i];
  for (uint32_t e = 0; e < n_edges; e++) to[at[by_to ? edges[e].to : edges[e].from]++] = edges[e];
}

/* The predecessors of each step, in ascending order and without repetition. */
static bool group_edges(rp_dag *dag, rp_edges *edges) {
  rp_context *context = dag->arena.context;
  rp_edge *spare = rp_host_alloc(context, edges->n * sizeof *spare, 8);
  dag->first = rp_arena_array(&dag->arena, dag->n + 1u, sizeof *dag->first);
  dag->preds = rp_arena_array(&dag->arena, edges->n, sizeof *dag->preds);
  const bool good = spare && dag->first && dag->preds;
  if (good) {
    group(edges->items, edges->n, spare, dag->first, dag->n, 0);
    group(spare, edges->n, edges->items, dag->first, dag->n, 1);
    uint32_t at = 0, n = 0;
    for (uint32_t j = 0; j < dag->n; j++) {
      dag->first[j] = n;
      for (; at < edges->n && edges->items[at].to == j; at++)
        if (n == dag->first[j] || dag->preds[n - 1] != edges->items[at].from) dag->preds[n++] = edges->items[at].from;
    }
    dag->first[dag->n] = dag->n_edges = n;
  }
  rp_host_free(context, spare, edges->n * sizeof *spare);
  return good;
}

/* ---- The whole order --------------------------------------------------------------------------------------------- */

static void merge_row(rp_dag *dag, uint32_t to, uint32_t from) {
  uint64_t *row = dag->before + to * dag->row_words;
  const uint64_t *more = dag->before + from * dag->row_words;
  for (size_t w = 0; w <= from / 64; w++) row[w] |= more[w];
  row[from / 64] |= 1ull << (from % 64);
}

/* Removes the edges for which `is_implied` returns 1. For each step it is called from the latest predecessor to the
 * earliest, with the predecessors that have been kept so far in kept[0 .. n). */
static void reduce(rp_dag *dag,
                   bool (*is_implied)(rp_dag *dag, uint32_t step, uint32_t from, const uint32_t *kept, uint32_t n)) {
  uint32_t n_edges = 0;
  for (uint32_t j = 0; j < dag->n; j++) {
    uint32_t *begin = dag->preds + dag->first[j], *end = dag->preds + dag->first[j + 1], *kept = end;
    for (uint32_t *p = end; p-- > begin;)
      if (!is_implied(dag, j, *p, kept, (uint32_t)(end - kept))) *--kept = *p;
    dag->first[j] = n_edges;
    memmove(dag->preds + n_edges, kept, (size_t)(end - kept) * sizeof *kept);
    n_edges += (uint32_t)(end - kept);
  }
  dag->first[dag->n] = dag->n_edges = n_edges;
}

/* Since the latest predecessor comes first, the bit of an edge that others imply is set by then. */
static bool is_in_row(rp_dag *dag, uint32_t step, uint32_t from, const uint32_t *kept, uint32_t n) {
  (void)kept, (void)n;
  if (rp_dag_bit(dag, from, step)) return 1;
  merge_row(dag, step, from);
  return 0;
}

static bool close_whole(rp_dag *dag) {
  dag->row_words = (dag->n + 63u) / 64u;
  dag->before = rp_arena_array(&dag->arena, dag->n * dag->row_words, sizeof *dag->before);
  if (!dag->before) return 0;
  reduce(dag, is_in_row);
  return 1;
}

/* ---- Forests ----------------------------------------------------------------------------------------------------- */

/* Chooses for each step the predecessor to which the longest path leads, the latest if there are several; `length` has
 * n zeros. */
static void choose_preds(const rp_dag *dag, uint32_t *parent, uint32_t *length) {
  for (uint32_t j = 0; j < dag->n; j++) {
    parent[j] = dag->n;
    for (uint32_t e = dag->first[j]; e < dag->first[j + 1]; e++) {
      if (length[dag->preds[e]] + 1 < length[j]) continue;
      parent[j] = dag->preds[e];
      length[j] = length[parent[j]] + 1;
    }
  }
}

/* Chooses for each step the successor from which the longest path leads on, the earliest if there are several. */
static void choose_succs(const rp_dag *dag, uint32_t *parent, uint32_t *length) {
  for (uint32_t j = 0; j < dag->n; j++) parent[j] = dag->n;
  for (uint32_t j = dag->n; j-- > 0;) {
    for (uint32_t e = dag->first[j]; e < dag->first[j + 1]; e++) {
      const uint32_t i = dag->preds[e];
      if (length[j] + 1 < length[i]) continue;
      parent[i] = j;
      length[i] = length[j] + 1;
    }
  }
}

enum { MOST_KEPT = 16 }; /* an edge is compared with at most this many others */

static bool is_behind_kept(rp_dag *dag, uint32_t step, uint32_t from, const uint32_t *kept, uint32_t n) {
  (void)step;
  for (uint32_t k = 0; k < n && k < MOST_KEPT; k++)
    if (rp_dag_before(dag, from, kept[k])) return 1;
  return 0;
}

bool rp_dag_build_forests(rp_dag *dag) {
  if (dag->up.parent) return 1;
  uint32_t *up = rp_arena_array(&dag->arena, dag->n + 1u, sizeof *up);
  uint32_t *down = rp_arena_array(&dag->arena, dag->n + 1u, sizeof *down);
  uint32_t *to = rp_arena_array(&dag->arena, dag->n, sizeof *to);
  uint32_t *from = rp_arena_array(&dag->arena, dag->n, sizeof *from);
  if (!up || !down || !to || !from) return 0;
  choose_preds(dag, up, to);
  choose_succs(dag, down, from);
  return rp_forest_build(&dag->up, &dag->arena, dag->n, up, RP_PARENTS_BEFORE) &&
         rp_forest_build(&dag->down, &dag->arena, dag->n, down, RP_PARENTS_AFTER);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

bool rp_dag_build(rp_dag *dag, rp_context *context, uint32_t n, rp_span *spans, uint32_t n_spans, uint32_t n_places,
                  uint32_t exact_steps) {
  *dag = (rp_dag){.n = n};
  rp_arena_init(&dag->arena, context);
  rp_edges edges = {0};
  bool good = rp_conflicts_find(context, spans, n_spans, n_places, &edges) && group_edges(dag, &edges);
  rp_edges_free(context, &edges);
  if (good && n <= exact_steps) {
    good = close_whole(dag);
  } else if (good) {
    good = rp_dag_build_forests(dag);
    if (good) reduce(dag, is_behind_kept);
  }
  if (!good) rp_dag_free(dag);
  return good;
}

void rp_dag_free(rp_dag *dag) {
  if (dag->arena.context) rp_arena_free(&dag->arena);
  *dag = (rp_dag){0};
}
