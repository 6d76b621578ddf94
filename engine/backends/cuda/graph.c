/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Builds a CUDA graph of explicit nodes from a plan. Branches that the plan proves independent run side by side.
 */
#include "core.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "bind_copy.h"
#include "clear.h"
extern const unsigned char reprise_cuda_bind_copy[], reprise_cuda_clear[]; /* embedded */

/* Nodes that everything else waits for. */
typedef struct rp_roots {
  CUgraphNode nodes[8];
  uint32_t n;
} rp_roots;

static uint64_t address_of(const rp_program *p, const rp_ref *ref) {
  const rp_block *block = &p->desc->blocks[ref->block];
  return (block->space == RP_SPACE_BOUND ? p->words[block->word] : p->blocks[ref->block].address) + ref->offset;
}

bool rp_cuda_is_bound(const rp_program_desc *desc, const rp_step *step) {
  bool bound = 0;
  for (uint32_t i = 0; i < step->n_refs; i++) bound |= desc->blocks[step->refs[i].block].space == RP_SPACE_BOUND;
  return bound;
}

static rp_status add_copy(rp_program *p, CUgraphNode *node, const CUgraphNode *deps, size_t n_deps, void *host,
                          uint64_t device, uint64_t bytes, bool up, rp_error *err) {
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = up ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy.dstMemoryType = up ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  if (up)
    copy.srcHost = host, copy.dstDevice = device;
  else
    copy.srcDevice = device, copy.dstHost = host;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  if (up)
    p->per_run.uploads++, p->per_run.bytes_up += bytes;
  else
    p->per_run.downloads++, p->per_run.bytes_down += bytes;
  return RP_CUDA(p->cuda, err, cuGraphAddMemcpyNode, node, p->graph, deps, n_deps, &copy, p->cuda->cu_context);
}

/* In profiled programs a step is three nodes: event, work, event. */
static rp_status add_event(rp_program *p, CUgraphNode *node, const CUgraphNode *deps, size_t n_deps, uint32_t event,
                           rp_error *err) {
  return RP_CUDA(p->cuda, err, cuGraphAddEventRecordNode, node, p->graph, deps, n_deps, p->events[event]);
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

static rp_status add_kernel(rp_program *p, CUgraphNode *node, const CUgraphNode *deps, size_t n_deps, CUfunction f,
                            const uint32_t groups[3], uint32_t block, uint32_t shared, void *args, rp_error *err) {
  void *params[1] = {args};
  const CUDA_KERNEL_NODE_PARAMS launch = launch_of(f, groups, block, shared, params);
  return RP_CUDA(p->cuda, err, cuGraphAddKernelNode, node, p->graph, deps, n_deps, &launch);
}

/* Clears pinned memory, whose address is the same for the device and the host (unified addressing). */
static rp_status add_clear(rp_program *p, const CUgraphNode *after, void *host, uint64_t bytes, rp_error *err) {
  rp_clear_args args = {.memory = host, .bytes_lo = (uint32_t)bytes, .bytes_hi = (uint32_t)(bytes >> 32)};
  const uint32_t groups[3] = {RP_CLEAR_GROUPS, 1, 1};
  CUgraphNode node;
  CUfunction f;
  rp_status status = rp_cuda_function(p->cuda, reprise_cuda_clear, "clear", 0, &f, err);
  if (status == RP_OK) status = add_kernel(p, &node, after, 1, f, groups, RP_CLEAR_BLOCK, 0, &args, err);
  return status;
}

enum { MOST_ARGS = 512 }; /* words of limits.max_args_bytes */

static void fill_args(const rp_program *p, const rp_step *step, uint64_t args[MOST_ARGS]) {
  memcpy(args, step->args, step->kernel->args_bytes);
  for (uint32_t i = 0; i < step->n_refs; i++) args[step->refs[i].address] = address_of(p, &step->refs[i]);
}

static rp_status add_dispatch(rp_program *p, const rp_step *step, CUgraphNode *node, const CUgraphNode *deps,
                              size_t n_deps, rp_error *err) {
  const rp_kernel *k = step->kernel;
  if (!RP_HAS(k, cuda) || !k->cuda.image)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "kernel %s (%s) has no CUDA variant; use another device", k->name,
                   step->label);
  uint64_t args[MOST_ARGS];
  if (k->args_bytes > sizeof args || k->n_binds * 8 > k->args_bytes)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "kernel %s: %u bytes of arguments do not fit", k->name, k->args_bytes);
  fill_args(p, step, args);
  CUfunction f;
  rp_status status = rp_cuda_function(p->cuda, k->cuda.image, k->cuda.entry, k->cuda.dynamic_shared_bytes, &f, err);
  if (status == RP_OK)
    status = add_kernel(p, node, deps, n_deps, f, step->groups, k->cuda.block, k->cuda.dynamic_shared_bytes, args, err);
  if (status == RP_OK && rp_cuda_is_bound(p->desc, step))
    p->bound[p->n_bound++] = (rp_cuda_bound){(uint32_t)(step - p->desc->steps), *node, f};
  return status;
}

/* In the executable graph, or in that of which it was made. */
static rp_status set_bound(rp_program *p, const uint64_t *words, bool executable, rp_error *err) {
  rp_status status = RP_OK;
  memcpy(p->words, words, p->n_words * sizeof *words);
  for (uint32_t i = 0; i < p->n_bound && status == RP_OK; i++) {
    const rp_step *step = &p->desc->steps[p->bound[i].step];
    const rp_kernel *k = step->kernel;
    uint64_t args[MOST_ARGS];
    void *params[1] = {args};
    fill_args(p, step, args);
    const CUDA_KERNEL_NODE_PARAMS launch =
        launch_of(p->bound[i].function, step->groups, k->cuda.block, k->cuda.dynamic_shared_bytes, params);
    status = executable ? RP_CUDA(p->cuda, err, cuGraphExecKernelNodeSetParams, p->exec, p->bound[i].node, &launch)
                        : RP_CUDA(p->cuda, err, cuGraphKernelNodeSetParams, p->bound[i].node, &launch);
  }
  return status;
}

/* Launches of a graph that are in flight keep the parameters that they were launched with. */
rp_status rp_cuda_bind(rp_program *p, const uint64_t *words, rp_error *err) {
  if (!p->n_bound || (p->words_known && !memcmp(p->words, words, p->n_words * sizeof *words))) return RP_OK;
  p->words_known = 0;
  const rp_status status = set_bound(p, words, 1, err);
  p->words_known = status == RP_OK;
  return status;
}

rp_status rp_cuda_bind_source(rp_program *p, const uint64_t *words, rp_error *err) {
  p->words_known = 0;
  return set_bound(p, words, 0, err);
}

static rp_status add_bind(rp_program *p, const rp_step *step, CUgraphNode *node, const CUgraphNode *deps, size_t n_deps,
                          rp_error *err) {
  uint64_t record = p->blocks[p->parameter_block].address;
  rp_bind_copy_args args = {
      .value = (void *)(uintptr_t)address_of(p, &step->refs[0]),
      .word = (void *)(uintptr_t)(record + sizeof(rp_error_record) + 8 * (uint64_t)step->word),
      .record = (void *)(uintptr_t)record,
      .bytes_lo = (uint32_t)step->refs[0].bytes,
      .bytes_hi = (uint32_t)(step->refs[0].bytes >> 32),
      .out = step->kind == RP_STEP_BIND_OUT,
  };
  CUfunction f;
  rp_status status = rp_cuda_function(p->cuda, reprise_cuda_bind_copy, "bind_copy", 0, &f, err);
  uint64_t wanted = step->refs[0].bytes / (16 * RP_BIND_COPY_BLOCK) + 1;
  uint32_t most = p->cuda->multiprocessors * 4;
  uint32_t groups[3] = {wanted < most ? (uint32_t)wanted : most, 1, 1};
  if (status == RP_OK) status = add_kernel(p, node, deps, n_deps, f, groups, RP_BIND_COPY_BLOCK, 0, &args, err);
  return status;
}

static rp_status add_step(rp_program *p, uint32_t i, const CUgraphNode *deps, size_t n_deps, CUgraphNode *node,
                          rp_error *err) {
  const rp_step *step = &p->desc->steps[i];
  rp_status status = RP_OK;
  CUgraphNode before, work;
  if (p->events) {
    status = add_event(p, &before, deps, n_deps, 2 * i, err);
    deps = &before, n_deps = 1;
  }
  rp_cuda_range_push(p->cuda->ranges, step->label); /* profilers show it with the node */
  if (status == RP_OK)
    status = step->kind == RP_STEP_DISPATCH ? add_dispatch(p, step, &work, deps, n_deps, err)
                                            : add_bind(p, step, &work, deps, n_deps, err);
  rp_cuda_range_pop(p->cuda->ranges);
  if (status == RP_OK && p->events) return add_event(p, node, &work, 1, 2 * i + 1, err);
  *node = work;
  return status;
}

static rp_status add_uploads(rp_program *p, rp_roots *roots, rp_error *err) {
  rp_status status = RP_OK;
  uint32_t upload_event = 2 * p->desc->n_steps;
  CUgraphNode begin;
  size_t n_deps = 0;
  if (p->events) status = add_event(p, &begin, NULL, 0, upload_event, err), n_deps = 1;
  uint64_t offset = 0;
  for (uint32_t b = 0; status == RP_OK && b < p->desc->n_blocks; b++) {
    if (p->desc->blocks[b].space == RP_SPACE_PARAMETER)
      status = add_copy(p, &roots->nodes[roots->n++], &begin, n_deps, p->control.host, p->blocks[b].address,
                        sizeof(rp_error_record) + 8 * (uint64_t)p->n_words, 1, err);
    if (p->desc->blocks[b].space != RP_SPACE_INPUT) continue;
    if (roots->n == sizeof roots->nodes / sizeof *roots->nodes)
      return rp_fail(err, RP_ERR_UNSUPPORTED, "the inputs take more blocks than one upload may have");
    char *staging = (char *)p->staging_up.host + offset;
    CUgraphNode *copy = &roots->nodes[roots->n++];
    status = add_copy(p, copy, &begin, n_deps, staging, p->blocks[b].address, p->desc->blocks[b].bytes, 1, err);
    if (status == RP_OK && p->clears_staging) status = add_clear(p, copy, staging, p->desc->blocks[b].bytes, err);
    offset += p->desc->blocks[b].bytes;
  }
  if (status == RP_OK && p->events) {
    CUgraphNode end;
    status = add_event(p, &end, roots->nodes, roots->n, upload_event + 1, err);
    roots->nodes[0] = end, roots->n = 1;
  }
  return status;
}

static rp_status add_downloads(rp_program *p, const CUgraphNode *sinks, size_t n_sinks, rp_error *err) {
  rp_status status = RP_OK;
  uint32_t download_event = 2 * p->desc->n_steps + 2;
  CUgraphNode begin, nodes[8];
  uint32_t n = 0;
  if (p->events) {
    status = add_event(p, &begin, sinks, n_sinks, download_event, err);
    sinks = &begin, n_sinks = 1;
  }
  uint64_t offset = 0;
  for (uint32_t b = 0; status == RP_OK && b < p->desc->n_blocks; b++) {
    if (n == sizeof nodes / sizeof *nodes)
      return rp_fail(err, RP_ERR_UNSUPPORTED, "the outputs take more blocks than one download may have");
    if (p->desc->blocks[b].space == RP_SPACE_PARAMETER)
      status =
          add_copy(p, &nodes[n++], sinks, n_sinks, (char *)p->control.host + p->control.bytes - sizeof(rp_error_record),
                   p->blocks[b].address, sizeof(rp_error_record), 0, err);
    if (p->desc->blocks[b].space != RP_SPACE_OUTPUT) continue;
    status = add_copy(p, &nodes[n++], sinks, n_sinks, (char *)p->staging_down.host + offset, p->blocks[b].address,
                      p->desc->blocks[b].bytes, 0, err);
    offset += p->desc->blocks[b].bytes;
  }
  CUgraphNode end;
  if (status == RP_OK && p->events) status = add_event(p, &end, nodes, n, download_event + 1, err);
  return status;
}

/* REPRISE_CUDA_SERIAL=1: each step waits for the one before it. Checkers that keep track of which memory has been
 * written need this, because they lose track where branches run side by side. */
static bool is_serial(void) {
  const char *wish = getenv("REPRISE_CUDA_SERIAL");
  return wish && !strcmp(wish, "1");
}

rp_status rp_cuda_build_graph(rp_program *p, CUgraphNode *nodes, rp_error *err) {
  const rp_program_desc *desc = p->desc;
  CUgraphNode *deps = nodes + desc->n_steps; /* room for as many again */
  rp_roots roots = {.n = 0};
  rp_status status = add_uploads(p, &roots, err);
  size_t n_sinks = 0;
  const bool serial = is_serial();
  for (uint32_t i = 0; status == RP_OK && i < desc->n_steps; i++) {
    const rp_step *step = &desc->steps[i];
    const uint32_t n_deps = serial ? i != 0 : step->n_preds;
    for (uint32_t j = 0; j < n_deps; j++) deps[j] = nodes[serial ? i - 1 : step->preds[j]];
    status =
        n_deps ? add_step(p, i, deps, n_deps, &nodes[i], err) : add_step(p, i, roots.nodes, roots.n, &nodes[i], err);
  }
  for (uint32_t i = 0; status == RP_OK && i < desc->n_steps; i++)
    if (!desc->steps[i].n_succs) deps[n_sinks++] = nodes[i];
  if (status == RP_OK)
    status = n_sinks ? add_downloads(p, deps, n_sinks, err) : add_downloads(p, roots.nodes, roots.n, err);
  return status;
}
