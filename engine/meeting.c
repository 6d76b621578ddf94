/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Steps are visited in the order of the longest paths to them, so that all paths to a step are known when it is
 * visited.
 */
#include "meeting.h"

bool rp_meeting_open(rp_meeting *m, rp_arena *arena, const rp_dag *dag) {
  uint32_t *at = rp_arena_array(arena, dag->n + 2u, sizeof *at);
  m->succs = rp_arena_array(arena, dag->n_edges, sizeof *m->succs);
  m->first = at;
  if (!at || !m->succs) return 0;
  for (uint32_t e = 0; e < dag->n_edges; e++) at[dag->preds[e] + 2]++;
  for (uint32_t i = 2; i <= dag->n + 1; i++) at[i] += at[i - 1];
  for (uint32_t j = 0; j < dag->n; j++)
    for (uint32_t e = dag->first[j]; e < dag->first[j + 1]; e++) m->succs[at[dag->preds[e] + 1]++] = j;
  return 1;
}

enum { FEW = 8, TURNS = 16, WAITING = 32, SUCCS_ASKED = 8 };

typedef struct queue {
  /* Sorted by path length, the longest first; `from` has one bit for each start from which a path leads to the step. */
  uint32_t step[WAITING], from[WAITING];
  uint32_t n;
} queue;

static void enter(queue *q, const uint32_t *length, uint32_t step, uint32_t from) {
  uint32_t k = q->n;
  for (; k > 0 && length[q->step[k - 1]] <= length[step]; k--) {
    if (q->step[k - 1] != step) continue;
    q->from[k - 1] |= from;
    return;
  }
  if (q->n == WAITING) return;
  memmove(q->step + k + 1, q->step + k, (q->n - k) * sizeof *q->step);
  memmove(q->from + k + 1, q->from + k, (q->n - k) * sizeof *q->from);
  q->step[k] = step;
  q->from[k] = from;
  q->n++;
}

static uint32_t search(const rp_meeting *m, const rp_dag *dag, const uint32_t *steps, uint32_t n) {
  queue q = {.n = 0};
  for (uint32_t i = 0; i < n; i++) enter(&q, dag->up.depth, steps[i], 1u << i);
  for (uint32_t turn = 0; turn < TURNS && q.n > 0; turn++) {
    const uint32_t step = q.step[--q.n], from = q.from[q.n];
    if (from == (1u << n) - 1) return step;
    for (uint32_t e = m->first[step]; e < m->first[step + 1] && e < m->first[step] + SUCCS_ASKED; e++)
      enter(&q, dag->up.depth, m->succs[e], from);
  }
  return dag->n;
}

uint32_t rp_meeting_find(const rp_meeting *m, const rp_dag *dag, const uint32_t *steps, uint32_t n) {
  uint32_t at = n <= FEW ? search(m, dag, steps, n) : dag->n;
  if (at != dag->n) return at;
  at = steps[0];
  for (uint32_t i = 1; i < n && at != dag->n; i++) at = rp_forest_meet(&dag->down, at, steps[i]);
  return at;
}
