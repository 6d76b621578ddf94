/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conflicts by a sweep over the spans of each place; closure and reduction in one walk over the steps, which are in
 * topological order because every edge goes from a smaller number to a larger one.
 */
#include "dag.h"

typedef struct pair {
  uint32_t to, from;
} pair;

static int by_place_then_begin(const void *x, const void *y) {
  const rp_span *a = x, *b = y;
  if (a->place != b->place) return a->place < b->place ? -1 : 1;
  if (a->begin != b->begin) return a->begin < b->begin ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

/* By the later step, its predecessors from the latest to the earliest. */
static int by_step(const void *x, const void *y) {
  const pair *a = x, *b = y;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return a->from > b->from ? -1 : a->from < b->from;
}

static int find_pairs(rp_context *context, const rp_span *spans, uint32_t n_spans, pair **pairs, uint32_t *n,
                      uint32_t *capacity) {
  for (uint32_t i = 0; i < n_spans; i++) {
    for (uint32_t j = i + 1; j < n_spans && spans[j].place == spans[i].place && spans[j].begin < spans[i].end; j++) {
      if (spans[i].step == spans[j].step || !rp_access_conflict(spans[i].access, spans[j].access)) continue;
      if (!rp_grow(context, (void **)pairs, capacity, *n, sizeof **pairs)) return 0;
      uint32_t a = spans[i].step, b = spans[j].step;
      (*pairs)[(*n)++] = a < b ? (pair){.to = b, .from = a} : (pair){.to = a, .from = b};
    }
  }
  return 1;
}

static void merge_row(rp_dag *dag, uint32_t to, uint32_t from) {
  uint64_t *row = dag->before + to * dag->row_words;
  const uint64_t *more = dag->before + from * dag->row_words;
  for (size_t w = 0; w <= from / 64; w++) row[w] |= more[w];
  row[from / 64] |= 1ull << (from % 64);
}

/* An edge that other edges imply is left out: predecessors come latest first, so an implied one is already in the row.
 */
static int reduce(rp_dag *dag, const pair *pairs, uint32_t n_pairs) {
  uint32_t p = 0;
  for (uint32_t j = 0; j < dag->n; j++) {
    dag->first[j] = dag->n_edges;
    for (; p < n_pairs && pairs[p].to == j; p++) {
      if (rp_dag_before(dag, pairs[p].from, j)) continue;
      merge_row(dag, j, pairs[p].from);
      if (!rp_grow(dag->context, (void **)&dag->preds, &dag->cap_edges, dag->n_edges, sizeof *dag->preds)) return 0;
      dag->preds[dag->n_edges++] = pairs[p].from;
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
  if (dag->before) memset(dag->before, 0, row_bytes(dag));
  rp_sort(spans, n_spans, sizeof *spans, by_place_then_begin);

  pair *pairs = NULL;
  uint32_t n_pairs = 0, cap_pairs = 0;
  int good = dag->before && dag->first && find_pairs(context, spans, n_spans, &pairs, &n_pairs, &cap_pairs);
  if (good) rp_sort(pairs, n_pairs, sizeof *pairs, by_step);
  good = good && reduce(dag, pairs, n_pairs);
  rp_grow_free(context, pairs, cap_pairs, sizeof *pairs);
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
