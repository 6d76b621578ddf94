/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which steps under a condition share the body of a conditional node, and these nodes.
 *
 * A body begins when all that its steps wait for is done, and what waits for one of them waits for the whole body. So
 * steps come into one body if they have the same guard, the same depth, and are connected, or can begin equally early.
 * The depth of a step is how often the guard changes on the way to it, at most. An edge never leads to a smaller depth,
 * and one between different guards leads to a larger one; so bodies cannot wait for each other in a circle, and numbers
 * by depth are in their order.
 */
#include "core.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* REPRISE_CUDA_SERIAL=1: each step waits for the one before it. Checkers that keep track of which memory has been
 * written need this, because they lose track where branches run side by side. */
bool rp_cuda_is_serial(void) {
  const char *wish = getenv("REPRISE_CUDA_SERIAL");
  return wish && !strcmp(wish, "1");
}

uint32_t rp_cuda_guard_word(const rp_ref *guard) { return (uint32_t)((guard->offset - sizeof(rp_error_record)) / 8); }

uint32_t rp_cuda_word_of(const rp_step *step) {
  const rp_ref guard = rp_step_guard(step);
  return rp_cuda_guard_word(&guard);
}

typedef struct place_of {
  uint32_t piece;
  uint32_t depth;
  uint32_t guard; /* 1 + its word; 0: none */
  uint32_t level; /* of the body's latest predecessor; 0: no guard */
  uint32_t step;
} place_of;

static int compare(const void *x, const void *y) {
  const place_of *a = x, *b = y;
  if (a->piece != b->piece) return a->piece < b->piece ? -1 : 1;
  if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
  if (a->guard != b->guard) return a->guard < b->guard ? -1 : 1;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

static bool are_together(const place_of *a, const place_of *b) {
  return a->piece == b->piece && a->guard == b->guard && a->depth == b->depth;
}

uint32_t rp_cuda_root_of(uint32_t *of, uint32_t step) {
  while (of[step] != step) step = of[step] = of[of[step]];
  return step;
}

void rp_cuda_connect(uint32_t *of, uint32_t a, uint32_t b) {
  a = rp_cuda_root_of(of, a), b = rp_cuda_root_of(of, b);
  of[a < b ? b : a] = a < b ? a : b;
}

/* Guards and depths; connected steps of one piece, guard and depth get one root in `of`. */
static void connect(const rp_program_desc *d, const uint32_t *pieces, place_of *places, uint32_t *of) {
  for (uint32_t i = 0; i < d->n_steps; i++) {
    const rp_step *step = &d->steps[i];
    places[i] =
        (place_of){.piece = pieces[i], .guard = rp_step_guarded(step) ? 1 + rp_cuda_word_of(step) : 0, .step = i};
    of[i] = i;
    for (uint32_t k = 0; k < step->n_preds; k++) {
      const place_of *before = &places[step->preds[k]];
      const uint32_t depth = before->depth + (before->guard != places[i].guard);
      if (places[i].depth < depth) places[i].depth = depth;
    }
    for (uint32_t k = 0; places[i].guard && k < step->n_preds; k++)
      if (are_together(&places[step->preds[k]], &places[i])) rp_cuda_connect(of, step->preds[k], i);
  }
}

/* Of each guarded step, the level after which all that is connected with it can begin. */
static void find_levels(const rp_program_desc *d, place_of *places, uint32_t *of) {
  for (uint32_t i = 0; i < d->n_steps; i++)
    for (uint32_t k = 0; places[i].guard && k < d->steps[i].n_preds; k++) {
      const uint32_t before = d->steps[i].preds[k], root = rp_cuda_root_of(of, i);
      if (are_together(&places[before], &places[i])) continue;
      if (places[root].level < d->steps[before].level + 1) places[root].level = d->steps[before].level + 1;
    }
  for (uint32_t i = 0; i < d->n_steps; i++) places[i].level = places[rp_cuda_root_of(of, i)].level;
}

static bool is_in_the_same_body(const place_of *a, const place_of *b) {
  return a->guard && are_together(a, b) && a->level == b->level;
}

static void number(const rp_program_desc *d, const place_of *places, rp_cuda_units *u) {
  u->n = u->n_bodies = 0;
  for (uint32_t i = 0; i < d->n_steps; i++) {
    if (!i || !is_in_the_same_body(&places[i - 1], &places[i])) {
      u->n++;
      u->n_bodies += places[i].guard != 0;
    }
    u->of[places[i].step] = u->n - 1;
    u->order[i] = places[i].step;
  }
}

static void each_alone(const rp_program_desc *d, rp_cuda_units *u) {
  u->n = d->n_steps;
  u->n_bodies = 0;
  for (uint32_t i = 0; i < d->n_steps; i++) {
    u->of[i] = u->order[i] = i;
    u->n_bodies += rp_step_guarded(&d->steps[i]);
  }
}

rp_status rp_cuda_find_units(const rp_program *p, const uint32_t *pieces, bool alone, rp_cuda_units *u, rp_error *err) {
  const rp_program_desc *d = p->desc;
  if (alone) {
    each_alone(d, u);
    return RP_OK;
  }
  const size_t bytes = d->n_steps * sizeof(place_of);
  place_of *places = rp_host_alloc(p->cuda->context, bytes, _Alignof(place_of));
  if (!places) return rp_fail_memory(err, "the branches of a CUDA graph");
  connect(d, pieces, places, u->of);
  find_levels(d, places, u->of);
  rp_sort(places, d->n_steps, sizeof *places, compare);
  number(d, places, u);
  rp_host_free(p->cuda->context, places, bytes);
  return RP_OK;
}

/* ---- Conditional nodes ------------------------------------------------------------------------------------------- */

/* REPRISE_CUDA_SERIAL is for tools that may not know such nodes. */
bool rp_cuda_skips(const void *state) {
#if CUDA_VERSION >= 12040
  const rp_cuda_driver *d = &((const rp_cuda *)state)->driver;
  return d->version >= 12040 && d->cuGraphConditionalHandleCreate && d->cuGraphAddNode && !rp_cuda_is_serial();
#else
  (void)state;
  return false;
#endif
}

#if CUDA_VERSION >= 12040
/* Whatever does not set a handle leaves 0 in it. */
rp_status rp_cuda_new_handle(rp_program *p, CUgraph graph, unsigned long long *handle, rp_error *err) {
  CUgraphConditionalHandle made = 0;
  const rp_status status = RP_CUDA(p->cuda, err, cuGraphConditionalHandleCreate, &made, graph, p->cuda->cu_context, 0,
                                   CU_GRAPH_COND_ASSIGN_DEFAULT);
  *handle = made;
  return status;
}

rp_status rp_cuda_add_branch(rp_program *p, const rp_cuda_place *at, unsigned long long handle, CUgraphNode *node,
                             CUgraph *body, rp_error *err) {
  CUgraphNodeParams params;
  memset(&params, 0, sizeof params); /* the driver checks what is reserved */
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = handle;
  params.conditional.type = CU_GRAPH_COND_TYPE_IF;
  params.conditional.size = 1;
  params.conditional.ctx = p->cuda->cu_context;
  const rp_status status =
      RP_CUDA(p->cuda, err, cuGraphAddNode, node, at->graph, at->deps, RP_CUDA_NO_EDGE_DATA at->n_deps, &params);
  if (status == RP_OK) *body = params.conditional.phGraph_out[0];
  return status;
}
#else
rp_status rp_cuda_new_handle(rp_program *p, CUgraph graph, unsigned long long *handle, rp_error *err) {
  (void)p, (void)graph, (void)handle;
  return rp_fail(err, RP_ERR_INTERNAL, "a guard, and this build has no conditional nodes");
}

rp_status rp_cuda_add_branch(rp_program *p, const rp_cuda_place *at, unsigned long long handle, CUgraphNode *node,
                             CUgraph *body, rp_error *err) {
  (void)p, (void)at, (void)handle, (void)node, (void)body;
  return rp_fail(err, RP_ERR_INTERNAL, "a guard, and this build has no conditional nodes");
}
#endif
