/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "cost.h"

/* ---- One dispatch ------------------------------------------------------------------------------------------------ */

typedef struct model {
  uint64_t launch_ns; /* from the end of the last predecessor to the first group */
  uint64_t group_ns;  /* a workgroup takes (CPU: an item) */
  uint32_t at_once;   /* groups per multiprocessor (CPU: per thread) */
  uint32_t bytes_per_ns;
} model;

static const model models[RP_DEVICE_KIND_COUNT] = {
    [RP_DEVICE_CPU] = {.launch_ns = 1000, .group_ns = 50, .at_once = 1, .bytes_per_ns = 10},
    [RP_DEVICE_CUDA] = {.launch_ns = 2500, .group_ns = 10000, .at_once = 4, .bytes_per_ns = 1000},
    [RP_DEVICE_VULKAN] = {.launch_ns = 6000, .group_ns = 10000, .at_once = 4, .bytes_per_ns = 1000},
    [RP_DEVICE_NULL] = {.launch_ns = 2500, .group_ns = 10000, .at_once = 4, .bytes_per_ns = 1000}};

rp_cost rp_cost_estimate(const rp_device_info *device, uint64_t groups, uint64_t bytes) {
  const model *m = &models[device->kind];
  const uint64_t workers = device->limits.workers ? device->limits.workers : 1, slots = workers * m->at_once;
  const uint64_t rounds = groups / slots + (groups % slots != 0), moving_ns = bytes / m->bytes_per_ns;
  uint64_t work_ns = m->group_ns * rounds;
  if (work_ns < moving_ns) work_ns = moving_ns;
  const uint64_t share = groups >= slots ? RP_COST_WHOLE : groups * RP_COST_WHOLE / slots;
  return (rp_cost){.alone_ns = m->launch_ns + work_ns, .share = share ? (uint32_t)share : 1};
}

/* ---- Many, by levels --------------------------------------------------------------------------------------------- */

static bool has_barriers(rp_device_kind kind) { return kind == RP_DEVICE_VULKAN; }

static bool by_levels(rp_context *context, const rp_cost_program *p, uint64_t *ns) {
  const size_t bytes = 2 * ((size_t)p->n_levels + 1) * sizeof(uint64_t);
  uint64_t *longest = rp_host_alloc(context, bytes, 8);
  if (!longest) return 0;
  uint64_t *filled = longest + p->n_levels + 1;
  memset(longest, 0, bytes);
  for (uint32_t d = 0; d < p->n; d++) {
    const rp_cost *c = &p->costs[d];
    if (c->alone_ns > longest[p->level[d]]) longest[p->level[d]] = c->alone_ns;
    filled[p->level[d]] += c->alone_ns * c->share / RP_COST_WHOLE;
  }
  *ns = 0;
  for (uint32_t l = 0; l < p->n_levels; l++) *ns += longest[l] > filled[l] ? longest[l] : filled[l];
  rp_host_free(context, longest, bytes);
  return 1;
}

/* ---- Many, by edges ---------------------------------------------------------------------------------------------- */

/* All running dispatches advance at the same rate. Measured in this common progress, the end of each is known when it
 * begins: `ends`. `heap` has the running ones, with the first to end at the top. */
typedef struct simulation {
  const rp_cost_program *program;
  uint32_t *succ_at, *succs, *waits;
  uint32_t *heap, n_heap;
  double *ends, now, ns;
  uint64_t shares; /* of those that run */
} simulation;

static bool is_earlier(const simulation *s, uint32_t a, uint32_t b) {
  return s->ends[a] != s->ends[b] ? s->ends[a] < s->ends[b] : a < b;
}

static void begin(simulation *s, uint32_t dispatch) {
  const rp_cost *c = &s->program->costs[dispatch];
  s->ends[dispatch] = s->now + (double)c->alone_ns;
  if (s->program->begin_ns) s->program->begin_ns[dispatch] = (uint64_t)s->ns;
  s->shares += c->share;
  uint32_t at = s->n_heap++;
  for (; at > 0 && is_earlier(s, dispatch, s->heap[(at - 1) / 2]); at = (at - 1) / 2)
    s->heap[at] = s->heap[(at - 1) / 2];
  s->heap[at] = dispatch;
}

/* Takes the dispatch that ends first from the heap. */
static uint32_t end_first(simulation *s) {
  const uint32_t top = s->heap[0], last = s->heap[--s->n_heap];
  uint32_t at = 0, child;
  while ((child = 2 * at + 1) < s->n_heap) {
    child += child + 1 < s->n_heap && is_earlier(s, s->heap[child + 1], s->heap[child]);
    if (!is_earlier(s, s->heap[child], last)) break;
    s->heap[at] = s->heap[child];
    at = child;
  }
  s->heap[at] = last;
  const double rate = s->shares > RP_COST_WHOLE ? (double)s->shares / RP_COST_WHOLE : 1;
  s->ns += (s->ends[top] - s->now) * rate;
  s->now = s->ends[top];
  s->shares -= s->program->costs[top].share;
  return top;
}

static void simulate(simulation *s) {
  const rp_cost_program *p = s->program;
  for (uint32_t d = 0; d < p->n; d++)
    for (uint32_t i = 0; i < p->n_preds[d]; i++) s->succ_at[p->preds[d][i] + 2]++;
  for (uint32_t d = 2; d < p->n + 2; d++) s->succ_at[d] += s->succ_at[d - 1];
  for (uint32_t d = 0; d < p->n; d++)
    for (uint32_t i = 0; i < p->n_preds[d]; i++) s->succs[s->succ_at[p->preds[d][i] + 1]++] = d;
  for (uint32_t d = 0; d < p->n; d++) {
    s->waits[d] = p->n_preds[d];
    if (!s->waits[d]) begin(s, d);
  }
  while (s->n_heap) {
    const uint32_t d = end_first(s);
    for (uint32_t i = s->succ_at[d]; i < s->succ_at[d + 1]; i++)
      if (!--s->waits[s->succs[i]]) begin(s, s->succs[i]);
  }
}

static bool by_edges(rp_context *context, const rp_cost_program *p, uint64_t *ns) {
  simulation s = {.program = p};
  rp_arena arena;
  rp_arena_init(&arena, context);
  s.succ_at = rp_arena_array(&arena, p->n + 2u, sizeof *s.succ_at);
  s.succs = rp_arena_array(&arena, p->n_edges, sizeof *s.succs);
  s.waits = rp_arena_array(&arena, p->n, sizeof *s.waits);
  s.heap = rp_arena_array(&arena, p->n + 1u, sizeof *s.heap);
  s.ends = rp_arena_array(&arena, p->n, sizeof *s.ends);
  const bool good = s.succ_at && s.succs && s.waits && s.heap && s.ends;
  if (good) simulate(&s);
  rp_arena_free(&arena);
  *ns = (uint64_t)s.ns;
  return good;
}

bool rp_cost_predict(rp_context *context, rp_device_kind kind, const rp_cost_program *program, uint64_t *ns) {
  return has_barriers(kind) ? by_levels(context, program, ns) : by_edges(context, program, ns);
}
