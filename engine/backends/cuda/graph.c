/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Builds a CUDA graph of explicit nodes from a plan. Branches that the plan proves independent run side by side.
 */
#include "graph.h"

#include <string.h>

/* The copies up. Several of the inputs follow each other, so that the link carries what is needed first alone; then a
 * step that waits for one of them has waited for those before it, and for the parameters. */
typedef struct rp_uploads {
  CUgraphNode parameters;
  CUgraphNode *inputs; /* desc->n_uploads */
  bool has_parameters;
} rp_uploads;

/* In profiled programs a step is three nodes: event, work, event. */
static rp_status add_event(rp_program *p, const rp_cuda_place *at, CUgraphNode *node, uint32_t event, rp_error *err) {
  return RP_CUDA(p->cuda, err, cuGraphAddEventRecordNode, node, at->graph, at->deps, at->n_deps, p->events[event]);
}

/* All copies: lists at most two nodes, and returns how many. */
static uint32_t all_uploads(const rp_program *p, const rp_uploads *up, CUgraphNode *nodes) {
  uint32_t n = 0;
  if (up->has_parameters) nodes[n++] = up->parameters;
  if (p->desc->n_uploads) nodes[n++] = up->inputs[p->desc->n_uploads - 1];
  return n;
}

static rp_status add_inputs(rp_program *p, rp_cuda_place at, rp_uploads *up, rp_error *err) {
  const rp_program_desc *d = p->desc;
  rp_status status = RP_OK;
  if (d->n_uploads > 1 && up->has_parameters) at.deps = &up->parameters, at.n_deps = 1;
  for (uint32_t u = 0; u < d->n_uploads && status == RP_OK; u++) {
    const rp_upload *c = &d->uploads[u];
    status = rp_cuda_add_copy(p, &at, &up->inputs[u], (char *)p->staging_up.host + c->staging,
                              p->blocks[c->block].address + c->offset, c->bytes, 1, err);
    if (p->n_loans && at.graph == p->graph.graph) p->loans[u] = up->inputs[u];
    at.deps = &up->inputs[u], at.n_deps = 1;
  }
  return status;
}

/* Behind all copies, because the link is theirs first. */
static rp_status add_clears(rp_program *p, const rp_cuda_place *at, rp_error *err) {
  rp_status status = RP_OK;
  uint64_t offset = 0;
  for (uint32_t b = 0; status == RP_OK && b < p->desc->n_blocks; b++) {
    if (p->desc->blocks[b].space != RP_SPACE_INPUT) continue;
    status = rp_cuda_add_clear(p, at, (char *)p->staging_up.host + offset, p->desc->blocks[b].bytes, err);
    offset += p->desc->blocks[b].bytes;
  }
  return status;
}

static rp_status add_uploads(rp_program *p, CUgraph graph, rp_uploads *up, rp_error *err) {
  const uint32_t upload_event = 2 * p->desc->n_steps, n_blocks = p->desc->n_blocks;
  rp_status status = RP_OK;
  CUgraphNode begin, end, all[2];
  rp_cuda_place at = {graph, &begin, 0};
  if (p->events) status = add_event(p, &at, &begin, upload_event, err), at.n_deps = 1;
  for (uint32_t b = 0; status == RP_OK && b < n_blocks; b++) {
    if (p->desc->blocks[b].space != RP_SPACE_PARAMETER) continue;
    status = rp_cuda_add_copy(p, &at, &up->parameters, p->control.host, p->blocks[b].address,
                              sizeof(rp_error_record) + 8 * (uint64_t)p->n_words, 1, err);
    up->has_parameters = 1;
  }
  if (status == RP_OK) status = add_inputs(p, at, up, err);
  if (status != RP_OK) return status;
  const rp_cuda_place behind = {graph, all, all_uploads(p, up, all)};
  if (p->clears_staging) status = add_clears(p, &behind, err);
  return status == RP_OK && p->events ? add_event(p, &behind, &end, upload_event + 1, err) : status;
}

static rp_status add_downloads(rp_program *p, rp_cuda_place at, rp_error *err) {
  rp_status status = RP_OK;
  uint32_t download_event = 2 * p->desc->n_steps + 2;
  CUgraphNode begin, nodes[8];
  uint32_t n = 0;
  if (p->events) {
    status = add_event(p, &at, &begin, download_event, err);
    at.deps = &begin, at.n_deps = 1;
  }
  uint64_t offset = 0;
  for (uint32_t b = 0; status == RP_OK && b < p->desc->n_blocks; b++) {
    if (n == sizeof nodes / sizeof *nodes)
      return rp_fail(err, RP_ERR_UNSUPPORTED, "the outputs take more blocks than one download may have");
    if (p->desc->blocks[b].space == RP_SPACE_PARAMETER)
      status =
          rp_cuda_add_copy(p, &at, &nodes[n++], (char *)p->control.host + p->control.bytes - sizeof(rp_error_record),
                           p->blocks[b].address, sizeof(rp_error_record), 0, err);
    if (p->desc->blocks[b].space != RP_SPACE_OUTPUT) continue;
    status = rp_cuda_add_copy(p, &at, &nodes[n++], (char *)p->staging_down.host + offset, p->blocks[b].address,
                              p->desc->blocks[b].bytes, 0, err);
    offset += p->desc->blocks[b].bytes;
  }
  CUgraphNode end;
  if (status == RP_OK && p->events)
    status = add_event(p, &(rp_cuda_place){at.graph, nodes, n}, &end, download_event + 1, err);
  return status;
}

/* ---- Units ------------------------------------------------------------------------------------------------------- */

typedef struct builder {
  rp_program *p;
  rp_cuda_graph *to;
  const rp_step *steps;
  rp_cuda_units units;
  rp_uploads uploads;
  bool serial;
  CUgraph in;                 /* where units go: to->graph, or the body of the piece that is being built */
  uint32_t n_pieces;          /* 1: it is not cut */
  uint32_t *piece;            /* per step */
  CUgraphNode *pieces;        /* per piece */
  CUgraphNode *nodes;         /* per unit */
  CUgraphNode *inside;        /* per step in a body */
  CUgraphNode *deps;          /* room for all units, or for all steps, and for two copies */
  CUgraphNode *again;         /* per parameter word: what gives an earlier piece's guard to the handles of this one */
  uint32_t *up;               /* per piece, if it is cut, or per unit: how many copies are finished when it begins */
  uint32_t *reader;           /* per unit: 1 + the last unit of its piece that was found to depend on it; 0: none */
  uint32_t *piece_reader;     /* the same of pieces */
  uint32_t *next;             /* per parameter word: the next handle of its guard */
  uint32_t *home, *has_again; /* per parameter word: 1 + the piece that computes the guard, that `again` is in */
} builder;

static size_t bytes_of(const rp_program *p) {
  const size_t n = p->desc->n_steps, words = (size_t)p->n_words + 1;
  return (4 * n + 2 + p->desc->n_uploads + words) * sizeof(CUgraphNode) + (6 * n + 3 * words) * sizeof(uint32_t);
}

static void lay_out(builder *b, void *memory) {
  const size_t n = b->p->desc->n_steps, words = (size_t)b->p->n_words + 1;
  memset(memory, 0, bytes_of(b->p));
  b->nodes = memory;
  b->inside = b->nodes + n;
  b->deps = b->inside + n;
  b->pieces = b->deps + n + 2;
  b->uploads.inputs = b->pieces + n;
  b->again = b->uploads.inputs + b->p->desc->n_uploads;
  b->reader = (uint32_t *)(b->again + words);
  b->piece_reader = b->reader + n;
  b->piece = b->piece_reader + n;
  b->units.of = b->piece + n;
  b->units.order = b->units.of + n;
  b->up = b->units.order + n;
  b->next = b->up + n;
  b->home = b->next + words;
  b->has_again = b->home + words;
}

/* The end of the steps that follow each other in the order from `first` on and have one unit (of = units.of), or one
 * piece. */
static uint32_t end_of(const builder *b, const uint32_t *of, uint32_t first) {
  const uint32_t *order = b->units.order;
  uint32_t end = first + 1;
  while (end < b->p->desc->n_steps && of[order[end]] == of[order[first]]) end++;
  return end;
}

/* Of the steps of the order from `first` up to `end`. */
static uint32_t needed_uploads(const builder *b, uint32_t first, uint32_t end) {
  uint32_t needed = 0;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t n = rp_cuda_needed_uploads(b->p->desc, &b->steps[b->units.order[i]]);
    if (needed < n) needed = n;
  }
  return needed;
}

/* Completes what a node waits for that needs these copies, and of which the others have waited for `up`. Returns how
 * many are finished when it begins. */
static uint32_t await_uploads(builder *b, rp_cuda_place *at, uint32_t up, uint32_t needed) {
  if (!at->n_deps && b->uploads.has_parameters) b->deps[at->n_deps++] = b->uploads.parameters;
  if (up >= needed) return up;
  b->deps[at->n_deps++] = b->uploads.inputs[needed - 1];
  return needed;
}

/* What a unit waits for in its piece, in front of it. Without pieces it also waits for the copies for which none of
 * the units before it has waited. */
static rp_cuda_place before_unit(builder *b, uint32_t first, uint32_t end) {
  const uint32_t *of = b->units.of, step = b->units.order[first], unit = of[step];
  const uint32_t word = rp_step_guarded(&b->steps[step]) ? rp_cuda_word_of(&b->steps[step]) : UINT32_MAX;
  rp_cuda_place at = {b->in, b->deps, 0};
  uint32_t up = 0;
  for (uint32_t i = first; i < end; i++) {
    const rp_step *s = &b->steps[b->units.order[i]];
    for (uint32_t k = 0; k < s->n_preds; k++) {
      const uint32_t before = of[s->preds[k]];
      if (before == unit || b->piece[s->preds[k]] != b->piece[step] || b->reader[before] == unit + 1) continue;
      b->reader[before] = unit + 1;
      b->deps[at.n_deps++] = b->nodes[before];
      if (up < b->up[before]) up = b->up[before];
    }
  }
  if (b->to->cut) {
    if (b->to->skips && word != UINT32_MAX && b->has_again[word] == b->piece[step] + 1)
      b->deps[at.n_deps++] = b->again[word];
    return at;
  }
  if (b->serial) {
    if (unit) return (rp_cuda_place){b->in, &b->nodes[unit - 1], 1};
    at.n_deps = all_uploads(b->p, &b->uploads, b->deps);
    return at;
  }
  b->up[unit] = await_uploads(b, &at, up, needed_uploads(b, first, end));
  return at;
}

/* What a step of a body waits for in there; `i` is its place in the order. */
static rp_cuda_place inside_body(builder *b, CUgraph body, uint32_t first, uint32_t i) {
  const uint32_t *order = b->units.order, *of = b->units.of;
  const rp_step *step = &b->steps[order[i]];
  rp_cuda_place at = {body, b->deps, 0};
  for (uint32_t k = 0; k < step->n_preds; k++)
    if (of[step->preds[k]] == of[order[i]]) b->deps[at.n_deps++] = b->inside[step->preds[k]];
  if (b->serial && i > first) at.deps = &b->inside[order[i - 1]], at.n_deps = 1;
  return at;
}

static rp_status add_body(builder *b, uint32_t first, uint32_t end, const rp_cuda_place *at, CUgraphNode *node,
                          rp_error *err) {
  const uint32_t *order = b->units.order, word = rp_cuda_word_of(&b->steps[order[first]]);
  CUgraph body = NULL;
  rp_status status = rp_cuda_add_branch(b->p, at, b->p->handles[b->next[word]++], node, &body, err);
  for (uint32_t i = first; i < end && status == RP_OK; i++) {
    const rp_cuda_place place = inside_body(b, body, first, i);
    status = rp_cuda_add_step(b->p, b->to, order[i], &place, &b->inside[order[i]], err);
  }
  return status;
}

/* The steps of the order from `first` up to `end`. In profiled programs there is an event on either side; none can be
 * in a body. */
static rp_status add_unit(builder *b, uint32_t first, uint32_t end, rp_error *err) {
  rp_program *p = b->p;
  const uint32_t step = b->units.order[first];
  CUgraphNode *node = &b->nodes[b->units.of[step]], before, work;
  rp_cuda_place at = before_unit(b, first, end);
  rp_status status = RP_OK;
  if (p->events) {
    status = add_event(p, &at, &before, 2 * step, err);
    at.deps = &before, at.n_deps = 1;
  }
  if (status == RP_OK)
    status = b->to->skips && rp_step_guarded(&b->steps[step]) ? add_body(b, first, end, &at, &work, err)
                                                              : rp_cuda_add_step(p, b->to, step, &at, &work, err);
  if (status == RP_OK && p->events) return add_event(p, &(rp_cuda_place){b->in, &work, 1}, node, 2 * step + 1, err);
  if (status == RP_OK) *node = work;
  return status;
}

/* ---- Guards ------------------------------------------------------------------------------------------------------ */

/* One handle for each body, and those of one guard follow each other, first those in the piece that computes it. */
static rp_status make_handles(builder *b, rp_error *err) {
  rp_program *p = b->p;
  const uint32_t n = p->desc->n_steps, *order = b->units.order;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n; i++)
    if (b->steps[i].pattern->kind == RP_STEP_GUARD)
      b->home[rp_cuda_guard_word(&b->steps[i].pattern->refs[0])] = 1 + b->piece[i];
  for (uint32_t i = 0; i < n; i = end_of(b, b->units.of, i)) {
    if (!rp_step_guarded(&b->steps[order[i]])) continue;
    const uint32_t word = rp_cuda_word_of(&b->steps[order[i]]);
    p->handles_at[word + 1]++;
    p->handles_end[word] += b->home[word] == 1 + b->piece[order[i]];
  }
  for (uint32_t w = 0; w < p->n_words; w++) {
    p->handles_at[w + 1] += p->handles_at[w];
    p->handles_end[w] += p->handles_at[w];
  }
  memcpy(b->next, p->handles_at, (p->n_words + 1) * sizeof *b->next);
  for (uint32_t i = 0; i < b->units.n_bodies && status == RP_OK; i++)
    status = rp_cuda_new_handle(p, b->to->graph, &p->handles[i], err);
  return status;
}

/* For guards of earlier pieces that bodies of this one have. */
static rp_status add_guards_again(builder *b, uint32_t first, uint32_t end, rp_error *err) {
  const uint32_t *order = b->units.order, piece = b->piece[order[first]];
  rp_status status = RP_OK;
  for (uint32_t i = first; i < end && status == RP_OK; i = end_of(b, b->units.of, i)) {
    if (!rp_step_guarded(&b->steps[order[i]])) continue;
    const rp_ref guard = rp_step_guard(&b->steps[order[i]]);
    const uint32_t word = rp_cuda_guard_word(&guard);
    if (b->home[word] == piece + 1 || b->has_again[word] == piece + 1) continue;
    uint32_t bodies = 0;
    for (uint32_t k = i; k < end; k = end_of(b, b->units.of, k))
      bodies += rp_step_guarded(&b->steps[order[k]]) && rp_cuda_word_of(&b->steps[order[k]]) == word;
    status = rp_cuda_add_again(b->p, &guard, b->next[word], b->next[word] + bodies, b->in, &b->again[word], err);
    b->has_again[word] = piece + 1;
  }
  return status;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

/* The pieces before it, and the copies for which none of these has waited. */
static rp_cuda_place before_piece(builder *b, uint32_t first, uint32_t end) {
  const uint32_t *order = b->units.order, piece = b->piece[order[first]];
  rp_cuda_place at = {b->to->graph, b->deps, 0};
  uint32_t up = 0;
  for (uint32_t i = first; i < end; i++) {
    const rp_step *step = &b->steps[order[i]];
    for (uint32_t k = 0; k < step->n_preds; k++) {
      const uint32_t before = b->piece[step->preds[k]];
      if (before == piece || b->piece_reader[before] == piece + 1) continue;
      b->piece_reader[before] = piece + 1;
      b->deps[at.n_deps++] = b->pieces[before];
      if (up < b->up[before]) up = b->up[before];
    }
  }
  b->up[piece] = await_uploads(b, &at, up, needed_uploads(b, first, end));
  return at;
}

/* The conditional node of a piece, whose units go into its body from then on. */
static rp_status begin_piece(builder *b, uint32_t first, uint32_t end, rp_error *err) {
  rp_cuda_place at = before_piece(b, first, end);
  CUgraphNode look, *node = &b->pieces[b->piece[b->units.order[first]]];
  unsigned long long handle;
  rp_status status = rp_cuda_new_handle(b->p, b->to->graph, &handle, err);
  if (status == RP_OK) status = rp_cuda_add_look(b->p, &at, handle, &look, err);
  at.deps = &look, at.n_deps = 1;
  if (status == RP_OK) status = rp_cuda_add_branch(b->p, &at, handle, node, &b->in, err);
  return status == RP_OK && b->to->skips ? add_guards_again(b, first, end, err) : status;
}

static rp_status add_pieces(builder *b, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t first = 0, end; status == RP_OK && first < b->p->desc->n_steps; first = end) {
    end = end_of(b, b->piece, first);
    if (b->to->cut) status = begin_piece(b, first, end, err);
    for (uint32_t i = first, unit_end; status == RP_OK && i < end; i = unit_end) {
      unit_end = end_of(b, b->units.of, i);
      status = add_unit(b, i, unit_end, err);
    }
  }
  return status;
}

static rp_status add_all(builder *b, rp_error *err) {
  const uint32_t n = b->to->cut ? b->n_pieces : b->units.n, *reader = b->to->cut ? b->piece_reader : b->reader;
  const CUgraphNode *nodes = b->to->cut ? b->pieces : b->nodes;
  rp_status status = add_uploads(b->p, b->to->graph, &b->uploads, err);
  if (status == RP_OK) status = add_pieces(b, err);
  rp_cuda_place at = {b->to->graph, b->deps, 0};
  for (uint32_t u = 0; u < n; u++)
    if (!reader[u]) b->deps[at.n_deps++] = nodes[u];
  if (!at.n_deps) at.n_deps = all_uploads(b->p, &b->uploads, b->deps);
  return status == RP_OK ? add_downloads(b->p, at, err) : status;
}

rp_status rp_cuda_build_graph(rp_program *p, rp_cuda_graph *to, rp_error *err) {
  builder b = {.p = p, .to = to, .steps = p->desc->steps, .serial = rp_cuda_is_serial(), .n_pieces = 1};
  void *memory = rp_host_alloc(p->cuda->context, bytes_of(p), _Alignof(CUgraphNode));
  if (!memory) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for recording %s", p->desc->name);
  lay_out(&b, memory);
  p->per_run = (rp_backend_counters){0};
  rp_status status = to->cut ? rp_cuda_find_pieces(p, b.piece, &b.n_pieces, err) : RP_OK;
  to->cut = b.n_pieces > 1;
  if (status == RP_OK) status = rp_cuda_find_units(p, b.piece, p->events || !(to->skips || to->cut), &b.units, err);
  if (status == RP_OK) status = RP_CUDA(p->cuda, err, cuGraphCreate, &to->graph, 0);
  b.in = to->graph;
  if (status == RP_OK && to->skips) status = make_handles(&b, err);
  if (status == RP_OK) status = add_all(&b, err);
  rp_host_free(p->cuda->context, memory, bytes_of(p));
  return status;
}
