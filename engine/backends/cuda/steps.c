/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of steps as nodes, and their arguments.
 */
#include "core.h"
#include "graph.h"

#include <string.h>

#include "bind_copy.h"
#include "clear.h"
#include "guard.h"
#include "piece.h"
extern const unsigned char reprise_cuda_bind_copy[], reprise_cuda_clear[], reprise_cuda_guard[],
    reprise_cuda_piece[]; /* embedded */

static uint64_t address_of(const rp_program *p, rp_ref ref) {
  const rp_block *block = &p->desc->blocks[ref.block];
  return (block->space == RP_SPACE_BOUND ? p->words[block->word] : p->blocks[ref.block].address) + ref.offset;
}

bool rp_cuda_is_bound(const rp_program_desc *desc, const rp_step *step) {
  bool bound = 0;
  for (uint32_t i = 0; i < step->pattern->n_refs; i++)
    bound |= desc->blocks[rp_step_ref(step, i).block].space == RP_SPACE_BOUND;
  return bound;
}

/* `params` points to the argument struct. */
static CUDA_KERNEL_NODE_PARAMS launch_of(CUfunction f, const uint32_t groups[3], uint32_t block, uint32_t shared,
                                         void **params) {
  CUDA_KERNEL_NODE_PARAMS launch;
  memset(&launch, 0, sizeof launch);
  launch.func = f;
  launch.gridDimX = groups[0], launch.gridDimY = groups[1], launch.gridDimZ = groups[2];
  launch.blockDimX = block, launch.blockDimY = launch.blockDimZ = 1;
  launch.sharedMemBytes = shared;
  launch.kernelParams = params;
  return launch;
}

static rp_status add_kernel(rp_program *p, const rp_cuda_place *at, CUgraphNode *node, CUfunction f,
                            const uint32_t groups[3], uint32_t block, uint32_t shared, void *args, rp_error *err) {
  void *params[1] = {args};
  const CUDA_KERNEL_NODE_PARAMS launch = launch_of(f, groups, block, shared, params);
  return RP_CUDA(p->cuda, err, cuGraphAddKernelNode, node, at->graph, at->deps, at->n_deps, &launch);
}

/* The address of pinned memory is the same for the device and the host (unified addressing). */
rp_status rp_cuda_add_clear(rp_program *p, const rp_cuda_place *at, void *host, uint64_t bytes, rp_error *err) {
  rp_clear_args args = {.memory = host, .bytes_lo = (uint32_t)bytes, .bytes_hi = (uint32_t)(bytes >> 32)};
  const uint32_t groups[3] = {RP_CLEAR_GROUPS, 1, 1};
  CUgraphNode node;
  CUfunction f;
  rp_status status = rp_cuda_function(p->cuda, reprise_cuda_clear, "clear", 0, &f, err);
  if (status == RP_OK) status = add_kernel(p, at, &node, f, groups, RP_CLEAR_BLOCK, 0, &args, err);
  return status;
}

/* ---- Dispatches -------------------------------------------------------------------------------------------------- */

enum { MOST_ARGS = 512 }; /* words of limits.max_args_bytes */

static void fill_args(const rp_program *p, const rp_step *step, uint64_t args[MOST_ARGS]) {
  rp_step_args(step, args);
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) {
    const rp_ref ref = rp_step_ref(step, i);
    args[ref.address] = address_of(p, ref);
  }
}

static rp_status add_dispatch(rp_program *p, const rp_step *step, const rp_cuda_place *at, CUgraphNode *node,
                              CUfunction *f, rp_error *err) {
  const rp_kernel *k = step->pattern->kernel;
  char text[RP_LABEL_BYTES];
  if (!RP_HAS(k, cuda) || !k->cuda.image)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "kernel %s (%s) has no CUDA variant; use another device", k->name,
                   rp_step_label(step, text));
  uint64_t args[MOST_ARGS];
  if (k->args_bytes > sizeof args || k->n_binds * 8 > k->args_bytes)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "kernel %s: %u bytes of arguments do not fit", k->name, k->args_bytes);
  fill_args(p, step, args);
  rp_status status = rp_cuda_function(p->cuda, k->cuda.image, k->cuda.entry, k->cuda.dynamic_shared_bytes, f, err);
  if (status == RP_OK)
    status = add_kernel(p, at, node, *f, step->pattern->groups, k->cuda.block, k->cuda.dynamic_shared_bytes, args, err);
  return status;
}

static rp_status add_bind(rp_program *p, const rp_step *step, const rp_cuda_place *at, CUgraphNode *node,
                          rp_error *err) {
  uint64_t record = p->blocks[p->parameter_block].address;
  const rp_ref value = rp_step_ref(step, 0);
  rp_bind_copy_args args = {
      .value = (void *)(uintptr_t)address_of(p, value),
      .word = (void *)(uintptr_t)(record + sizeof(rp_error_record) + 8 * (uint64_t)step->pattern->word),
      .record = (void *)(uintptr_t)record,
      .bytes_lo = (uint32_t)value.bytes,
      .bytes_hi = (uint32_t)(value.bytes >> 32),
      .out = step->pattern->kind == RP_STEP_BIND_OUT,
  };
  CUfunction f;
  rp_status status = rp_cuda_function(p->cuda, reprise_cuda_bind_copy, "bind_copy", 0, &f, err);
  uint64_t wanted = value.bytes / (16 * RP_BIND_COPY_BLOCK) + 1;
  uint32_t most = p->cuda->multiprocessors * 4;
  uint32_t groups[3] = {wanted < most ? (uint32_t)wanted : most, 1, 1};
  if (status == RP_OK) status = add_kernel(p, at, node, f, groups, RP_BIND_COPY_BLOCK, 0, &args, err);
  return status;
}

/* ---- Guards ------------------------------------------------------------------------------------------------------ */

static const uint32_t one[3] = {1, 1, 1};

/* Of the first launch for a guard; it may read what runs bind. */
static rp_guard_args guard_args(const rp_program *p, const rp_step *step, bool skips) {
  const rp_ref guard = rp_step_ref(step, 0);
  const uint32_t word = rp_cuda_guard_word(&guard);
  rp_guard_args a = {.guard = (void *)(uintptr_t)address_of(p, guard),
                     .condition = (void *)(uintptr_t)address_of(p, rp_step_ref(step, 1)),
                     .when = step->pattern->when};
  if (step->pattern->n_refs > 2) a.around = (void *)(uintptr_t)address_of(p, rp_step_ref(step, 2));
  if (skips)
    for (uint32_t i = p->handles_at[word]; i < p->handles_end[word] && a.n < RP_GUARD_HANDLES; i++)
      a.handles[a.n++] = p->handles[i];
  return a;
}

/* Further launches read the guard itself, and give it to the handles from `i` up to `end`. They follow *node, if it is
 * not NULL, and each other. */
static rp_status add_more(rp_program *p, const rp_ref *ref, uint32_t i, uint32_t end, CUgraph graph, CUgraphNode *node,
                          CUfunction f, rp_error *err) {
  void *guard = (void *)(uintptr_t)address_of(p, *ref);
  rp_status status = RP_OK;
  while (i < end && status == RP_OK) {
    const CUgraphNode before = *node;
    rp_guard_args a = {.guard = guard, .condition = guard, .when = 1};
    while (i < end && a.n < RP_GUARD_HANDLES) a.handles[a.n++] = p->handles[i++];
    status = add_kernel(p, &(rp_cuda_place){graph, &before, before != NULL}, node, f, one, 1, 0, &a, err);
  }
  return status;
}

rp_status rp_cuda_add_again(rp_program *p, const rp_ref *guard, uint32_t first, uint32_t end, CUgraph graph,
                            CUgraphNode *node, rp_error *err) {
  CUfunction f;
  const rp_status status = rp_cuda_function(p->cuda, reprise_cuda_guard, "guard", 0, &f, err);
  *node = NULL;
  return status == RP_OK ? add_more(p, guard, first, end, graph, node, f, err) : status;
}

static rp_status add_guard(rp_program *p, const rp_step *step, bool skips, const rp_cuda_place *at, CUgraphNode *node,
                           CUgraphNode *first, CUfunction *f, rp_error *err) {
  const rp_ref guard = rp_step_ref(step, 0);
  const uint32_t word = rp_cuda_guard_word(&guard);
  rp_guard_args args = guard_args(p, step, skips);
  rp_status status = rp_cuda_function(p->cuda, reprise_cuda_guard, "guard", 0, f, err);
  if (status == RP_OK) status = add_kernel(p, at, first, *f, one, 1, 0, &args, err);
  *node = *first;
  if (status != RP_OK || !skips) return status;
  return add_more(p, &guard, p->handles_at[word] + RP_GUARD_HANDLES, p->handles_end[word], at->graph, node, *f, err);
}

rp_status rp_cuda_add_look(rp_program *p, const rp_cuda_place *at, unsigned long long handle, CUgraphNode *node,
                           rp_error *err) {
  rp_piece_args args = {.cancelled = p->cancelled, .handle = handle};
  CUfunction f;
  rp_status status = rp_cuda_function(p->cuda, reprise_cuda_piece, "piece", 0, &f, err);
  if (status == RP_OK) status = add_kernel(p, at, node, f, one, 1, 0, &args, err);
  return status;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

rp_status rp_cuda_add_step(rp_program *p, rp_cuda_graph *graph, uint32_t i, const rp_cuda_place *at, CUgraphNode *node,
                           rp_error *err) {
  const rp_step *step = &p->desc->steps[i];
  rp_cuda_bound bound = {.step = i};
  rp_status status = RP_OK;
  char text[RP_LABEL_BYTES];
  rp_cuda_range_push(p->cuda->ranges, rp_step_label(step, text)); /* profilers show it with the node */
  switch (step->pattern->kind) {
  case RP_STEP_DISPATCH:
    status = add_dispatch(p, step, at, node, &bound.function, err);
    bound.node = *node;
    break;
  case RP_STEP_GUARD: status = add_guard(p, step, graph->skips, at, node, &bound.node, &bound.function, err); break;
  default: status = add_bind(p, step, at, node, err);
  }
  rp_cuda_range_pop(p->cuda->ranges);
  if (status == RP_OK && rp_cuda_is_bound(p->desc, step)) graph->bound[graph->n_bound++] = bound;
  return status;
}

/* ---- What runs bind ---------------------------------------------------------------------------------------------- */

/* In the executable graph, or in that of which it was made. */
static rp_status set_node(rp_program *p, const rp_cuda_graph *graph, const rp_cuda_bound *bound, bool executable,
                          rp_error *err) {
  const rp_step *step = &p->desc->steps[bound->step];
  uint64_t args[MOST_ARGS];
  void *params[1] = {args};
  CUDA_KERNEL_NODE_PARAMS launch = launch_of(bound->function, one, 1, 0, params);
  if (step->pattern->kind == RP_STEP_GUARD) {
    const rp_guard_args a = guard_args(p, step, graph->skips);
    memcpy(args, &a, sizeof a);
  } else {
    const rp_kernel *k = step->pattern->kernel;
    fill_args(p, step, args);
    launch = launch_of(bound->function, step->pattern->groups, k->cuda.block, k->cuda.dynamic_shared_bytes, params);
  }
  return executable ? RP_CUDA(p->cuda, err, cuGraphExecKernelNodeSetParams, p->exec, bound->node, &launch)
                    : RP_CUDA(p->cuda, err, cuGraphKernelNodeSetParams, bound->node, &launch);
}

static rp_status set_bound(rp_program *p, const rp_cuda_graph *graph, const uint64_t *words, bool executable,
                           rp_error *err) {
  rp_status status = RP_OK;
  memcpy(p->words, words, p->n_words * sizeof *words);
  for (uint32_t i = 0; i < graph->n_bound && status == RP_OK; i++)
    status = set_node(p, graph, &graph->bound[i], executable, err);
  return status;
}

/* Launches of a graph that are in flight keep the parameters that they were launched with. */
rp_status rp_cuda_bind(rp_program *p, const uint64_t *words, rp_error *err) {
  if (!p->graph.n_bound && !p->n_loans) return RP_OK;
  if (p->words_known && !memcmp(p->words, words, p->n_words * sizeof *words)) return RP_OK;
  rp_status status = rp_cuda_set_loans(p, words, err);
  p->words_known = 0;
  if (status == RP_OK) status = set_bound(p, &p->graph, words, 1, err);
  p->words_known = status == RP_OK;
  return status;
}

rp_status rp_cuda_bind_source(rp_program *p, const rp_cuda_graph *graph, const uint64_t *words, rp_error *err) {
  p->words_known = 0;
  return set_bound(p, graph, words, 0, err);
}
