/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conflicts by a sweep over the spans of each place; closure and reduction in one walk over the steps, which are in
 * topological order because every edge goes from a smaller number to a larger one.
 */
#include "dag.h"

static int by_place_then_begin(const void *x, const void *y) {
  const rp_span *a = x, *b = y;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

/* Row j comes to hold the earlier steps that conflict with j. */
static void mark_conflicts(rp_dag *dag, const rp_span *spans, uint32_t n_spans) {
  for (uint32_t i = 0; i < n_spans; i++) {
    for (uint32_t j = i + 1; j < n_spans && spans[j].place == spans[i].place && spans[j].begin < spans[i].end; j++) {
      uint32_t a = spans[i].step, b = spans[j].step;
      if (a == b || !rp_access_conflict(spans[i].access, spans[j].access)) continue;
      if (a > b) a = spans[j].step, b = spans[i].step;
      dag->before[b * dag->row_words + a / 64] |= 1ull << (a % 64);
    }
  }
}

static void merge_row(rp_dag *dag, uint32_t to, uint32_t from) {
  uint64_t *row = dag->before + to * dag->row_words;
  const uint64_t *more = dag->before + from * dag->row_words;
  for (size_t w = 0; w <= from / 64; w++) row[w] |= more[w];
  row[from / 64] |= 1ull << (from % 64);
}

static int add_edge(rp_dag *dag, uint32_t from) {
  if (!rp_grow(dag->context, (void **)&dag->preds, &dag->cap_edges, dag->n_edges, sizeof *dag->preds)) return 0;
  dag->preds[dag->n_edges++] = from;
  return 1;
}

/* Turns rows of conflicts into rows of all predecessors. Conflicts are taken from the latest to the earliest, so that
 * one which other edges imply is in the row already when its turn comes, and gets no edge. `conflicts` is room for a
 * row. */
static int reduce(rp_dag *dag, uint64_t *conflicts) {
  for (uint32_t j = 0; j < dag->n; j++) {
    uint64_t *row = dag->before + j * dag->row_words;
    memcpy(conflicts, row, dag->row_words * sizeof *row);
    memset(row, 0, dag->row_words * sizeof *row);
    dag->first[j] = dag->n_edges;
    for (size_t w = j / 64 + 1; w-- > 0;) {
      for (uint64_t left; (left = conflicts[w] & ~row[w]) != 0;) {
        uint32_t from = (uint32_t)(64 * w) + 63 - (uint32_t)__builtin_clzll(left);
        merge_row(dag, j, from);
        if (!add_edge(dag, from)) return 0;
      }
    }
    for (uint32_t a = dag->first[j], b = dag->n_edges; a + 1 < b; a++, b--) { /* ascending */
      uint32_t t = dag->preds[a];
      dag->preds[a] = dag->preds[b - 1];
      dag->preds[b - 1] = t;
    }
  }
  dag->first[dag->n] = dag->n_edges;
  return 1;
}

static size_t row_bytes(const rp_dag *dag) { return dag->n * dag->row_words * sizeof(uint64_t); }

int rp_dag_build(rp_dag *dag, rp_context *context, uint32_t n, rp_span *spans, uint32_t n_spans) {
  *dag = (rp_dag){.context = context, .n = n, .row_words = (n + 63u) / 64u};
  dag->before = rp_host_alloc(context, row_bytes(dag), 64);
  dag->first = rp_host_alloc(context, (n + 1u) * sizeof *dag->first, 64);
  uint64_t *conflicts = rp_host_alloc(context, dag->row_words * sizeof *conflicts, 64);
  int good = dag->before && dag->first && conflicts;
  if (good) {
    memset(dag->before, 0, row_bytes(dag));
    rp_sort(spans, n_spans, sizeof *spans, by_place_then_begin);
    mark_conflicts(dag, spans, n_spans);
    good = reduce(dag, conflicts);
  }
  rp_host_free(context, conflicts, dag->row_words * sizeof *conflicts);
  if (!good) rp_dag_free(dag);
  return good;
}

void rp_dag_free(rp_dag *dag) {
  if (!dag->context) return;
  rp_host_free(dag->context, dag->before, row_bytes(dag));
  rp_host_free(dag->context, dag->first, (dag->n + 1u) * sizeof *dag->first);
  rp_grow_free(dag->context, dag->preds, dag->cap_edges, sizeof *dag->preds);
  *dag = (rp_dag){0};
}
