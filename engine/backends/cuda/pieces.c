/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where a long program is cut, so that a run that is cancelled ends early: each piece is the body of a conditional
 * node, which asks when the piece begins whether the run has been cancelled.
 *
 * The prediction puts each step into a window of time. The steps of one window that edges connect, and that begin after
 * the same copies of inputs, are a piece: pieces of one window that know nothing of each other still run side by side,
 * and no work on one input waits for a later one. Edges lead to the same window or a later one, and to as many copies
 * or more; so pieces cannot wait for each other in a circle, and numbers by window, then by copies, are in their order.
 *
 * A piece begins when all that its steps wait for is done, and what waits for one of them waits for the whole piece.
 * The run with these waits and nodes is predicted like the one without. If it takes too much longer, the windows become
 * longer.
 */
#include "core.h"
#include "cost.h"
#include "graph.h"

#include <string.h>

#define LEAST_NS UINT64_C(40000000) /* shorter programs are not cut */
#define WINDOW_NS UINT64_C(5000000)
/* What a run may take longer because it is cut: one part of this many. */
enum { LOSS = 200 };
/* A conditional node and the kernel in front of it: 17 us for each of 60 pieces in a row on an H200. */
enum { NODE_NS = 17000, NODE_SHARE = RP_COST_WHOLE / 4 };

bool rp_cuda_may_be_cut(const rp_program_desc *d) {
  uint64_t ns = 0;
  for (uint32_t i = 0; i < d->n_steps && ns < LEAST_NS; i++) ns += d->steps[i].alone_ns;
  return ns >= LEAST_NS && !d->once && !(d->flags & RP_RECORD_PROFILE);
}

uint32_t rp_cuda_needed_uploads(const rp_program_desc *d, const rp_step *step) {
  uint32_t n = d->n_uploads;
  while (n && !rp_needs_upload(step, &d->uploads[n - 1])) n--;
  return n;
}

typedef struct place_of {
  uint64_t window;
  uint32_t up;   /* how many copies of inputs are finished when it begins */
  uint32_t root; /* the least step that it is connected with inside the window */
  uint32_t step;
} place_of;

typedef struct cutting {
  const rp_program_desc *d;
  uint64_t *begin_ns; /* per step */
  uint32_t *up;       /* per step: how many copies of inputs it waits for, alone or through the steps before it */
  place_of *places;   /* in the order of pieces */
  uint32_t *of, n;    /* per step: its piece; how many there are */
  uint32_t n_edges;
  /* A program of the steps, then two nodes for each piece: its conditional node, and its end. */
  rp_cost *costs;
  const uint32_t **preds;
  uint32_t *n_preds, *edges, *waited; /* waited: per piece, 1 + the last one that was found to wait for it */
} cutting;

static bool make_room(cutting *c, rp_arena *arena) {
  const uint32_t n = c->d->n_steps, nodes = 3 * n;
  for (uint32_t i = 0; i < n; i++) c->n_edges += c->d->steps[i].n_preds;
  c->begin_ns = rp_arena_array(arena, n, sizeof *c->begin_ns);
  c->up = rp_arena_array(arena, n, sizeof *c->up);
  c->places = rp_arena_array(arena, n, sizeof *c->places);
  c->costs = rp_arena_array(arena, nodes, sizeof *c->costs);
  c->preds = rp_arena_array(arena, nodes, sizeof *c->preds);
  c->n_preds = rp_arena_array(arena, nodes, sizeof *c->n_preds);
  c->edges = rp_arena_array(arena, 2 * ((size_t)c->n_edges + n), sizeof *c->edges);
  c->waited = rp_arena_array(arena, n, sizeof *c->waited);
  return c->begin_ns && c->up && c->places && c->costs && c->preds && c->n_preds && c->edges && c->waited;
}

static bool predict(const rp_program *p, const cutting *c, uint32_t n, uint32_t n_edges, uint64_t *begin_ns,
                    uint64_t *ns) {
  const rp_cost_program program = {
      .costs = c->costs, .preds = c->preds, .n_preds = c->n_preds, .n = n, .n_edges = n_edges, .begin_ns = begin_ns};
  return rp_cost_predict(p->cuda->context, RP_DEVICE_CUDA, &program, ns);
}

static bool predict_whole(const rp_program *p, cutting *c, uint64_t *ns) {
  for (uint32_t i = 0; i < c->d->n_steps; i++) {
    const rp_step *step = &c->d->steps[i];
    c->costs[i] = (rp_cost){.alone_ns = step->alone_ns, .share = step->share};
    c->preds[i] = step->preds;
    c->n_preds[i] = step->n_preds;
  }
  return predict(p, c, c->d->n_steps, c->n_edges, c->begin_ns, ns);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

static int compare(const void *x, const void *y) {
  const place_of *a = x, *b = y;
  if (a->window != b->window) return a->window < b->window ? -1 : 1;
  if (a->up != b->up) return a->up < b->up ? -1 : 1;
  if (a->root != b->root) return a->root < b->root ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

static void count_uploads(cutting *c) {
  for (uint32_t i = 0; i < c->d->n_steps; i++) {
    const rp_step *step = &c->d->steps[i];
    c->up[i] = rp_cuda_needed_uploads(c->d, step);
    for (uint32_t k = 0; k < step->n_preds; k++)
      if (c->up[i] < c->up[step->preds[k]]) c->up[i] = c->up[step->preds[k]];
  }
}

static void cut(cutting *c, uint64_t window_ns) {
  const uint32_t n = c->d->n_steps;
  for (uint32_t i = 0; i < n; i++) {
    const rp_step *step = &c->d->steps[i];
    c->of[i] = i;
    for (uint32_t k = 0; k < step->n_preds; k++) {
      const uint32_t before = step->preds[k];
      if (c->begin_ns[before] / window_ns == c->begin_ns[i] / window_ns && c->up[before] == c->up[i])
        rp_cuda_connect(c->of, before, i);
    }
  }
  for (uint32_t i = 0; i < n; i++)
    c->places[i] =
        (place_of){.window = c->begin_ns[i] / window_ns, .up = c->up[i], .root = rp_cuda_root_of(c->of, i), .step = i};
  rp_sort(c->places, n, sizeof *c->places, compare);
  c->n = 0;
  for (uint32_t i = 0; i < n; i++) {
    const place_of *own = &c->places[i], *last = own - (i != 0);
    c->n += !i || own->window != last->window || own->up != last->up || own->root != last->root;
    c->of[c->places[i].step] = c->n - 1;
  }
}

/* ---- What they cost ---------------------------------------------------------------------------------------------- */

/* The edges of a step are those inside its piece, or one from the piece's conditional node. */
static uint32_t add_step(cutting *c, uint32_t i, uint32_t used) {
  const rp_step *step = &c->d->steps[i];
  c->preds[i] = c->edges + used;
  c->n_preds[i] = 0;
  for (uint32_t k = 0; k < step->n_preds; k++)
    if (c->of[step->preds[k]] == c->of[i]) c->edges[used + c->n_preds[i]++] = step->preds[k];
  if (!c->n_preds[i]) c->edges[used + c->n_preds[i]++] = c->d->n_steps + 2 * c->of[i];
  return used + c->n_preds[i];
}

/* The piece of the places from `first` up to `end`. */
static uint32_t add_piece(cutting *c, uint32_t first, uint32_t end, uint32_t used) {
  const uint32_t piece = c->of[c->places[first].step], node = c->d->n_steps + 2 * piece;
  c->costs[node] = (rp_cost){.alone_ns = NODE_NS, .share = NODE_SHARE};
  c->costs[node + 1] = (rp_cost){.alone_ns = 0, .share = 1};
  c->preds[node] = c->edges + used;
  c->n_preds[node] = 0;
  for (uint32_t i = first; i < end; i++) {
    const rp_step *step = &c->d->steps[c->places[i].step];
    for (uint32_t k = 0; k < step->n_preds; k++) {
      const uint32_t before = c->of[step->preds[k]];
      if (before == piece || c->waited[before] == piece + 1) continue;
      c->waited[before] = piece + 1;
      c->edges[used + c->n_preds[node]++] = c->d->n_steps + 2 * before + 1;
    }
  }
  used += c->n_preds[node];
  c->preds[node + 1] = c->edges + used;
  c->n_preds[node + 1] = end - first;
  for (uint32_t i = first; i < end; i++) c->edges[used++] = c->places[i].step;
  return used;
}

static bool predict_cut(const rp_program *p, cutting *c, uint64_t *ns) {
  uint32_t used = 0;
  memset(c->waited, 0, c->n * sizeof *c->waited);
  for (uint32_t i = 0; i < c->d->n_steps; i++) used = add_step(c, i, used);
  for (uint32_t first = 0, end; first < c->d->n_steps; first = end) {
    for (end = first + 1; end < c->d->n_steps && c->of[c->places[end].step] == c->of[c->places[first].step];) end++;
    used = add_piece(c, first, end, used);
  }
  return predict(p, c, c->d->n_steps + 2 * c->n, used, NULL, ns);
}

static bool choose(const rp_program *p, cutting *c) {
  uint64_t whole_ns, cut_ns = 0;
  if (!predict_whole(p, c, &whole_ns)) return 0;
  count_uploads(c);
  for (uint64_t window_ns = WINDOW_NS; whole_ns >= LEAST_NS && window_ns <= whole_ns / 2; window_ns *= 2) {
    cut(c, window_ns);
    if (!predict_cut(p, c, &cut_ns)) return 0;
    if (cut_ns <= whole_ns + whole_ns / LOSS) return 1;
  }
  c->n = 1;
  memset(c->of, 0, c->d->n_steps * sizeof *c->of);
  return 1;
}

rp_status rp_cuda_find_pieces(const rp_program *p, uint32_t *of, uint32_t *n, rp_error *err) {
  cutting c = {.d = p->desc, .of = of};
  rp_arena arena;
  rp_arena_init(&arena, p->cuda->context);
  const bool good = make_room(&c, &arena) && choose(p, &c);
  rp_arena_free(&arena);
  *n = c.n;
  return good ? RP_OK : rp_fail_memory(err, "the pieces of a CUDA graph");
}
