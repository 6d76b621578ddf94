/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The fake driver's modules, streams, events and graphs.
 */
#include "fake_state.h"

#include <stdlib.h>
#include <string.h>

#define FAKE_CALL FAKE_API CUresult CUDAAPI

/* ---- Modules and functions --------------------------------------------------------------------------------------- */

FAKE_CALL cuModuleLoadData(CUmodule *module, const void *image) {
  FAKE_ENTER(1);
  if (!image) fake_violate(__func__, "no image");
  *module = (CUmodule)fake_new(FAKE_MODULE, fake_current());
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuModuleUnload(CUmodule module) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(module, FAKE_MODULE, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

FAKE_CALL cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  FAKE_ENTER(1);
  if (!fake_find(module, FAKE_MODULE, __func__)) return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  for (uint32_t i = 0; i < fake.n_kernels; i++)
    if (strcmp(fake.kernels[i].entry, name) == 0) {
      fake_object *o = fake_new(FAKE_FUNCTION, fake_current());
      o->kernel = &fake.kernels[i];
      *function = (CUfunction)o;
      return fake_leave(CUDA_SUCCESS);
    }
  return fake_leave(CUDA_ERROR_NOT_FOUND);
}

FAKE_CALL cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  (void)attribute, (void)value;
  FAKE_ENTER(1);
  return fake_leave(fake_find(function, FAKE_FUNCTION, __func__) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

/* ---- Streams and events ------------------------------------------------------------------------------------------ */

FAKE_CALL cuStreamCreate(CUstream *stream, unsigned flags) {
  (void)flags;
  FAKE_ENTER(1);
  *stream = (CUstream)fake_new(FAKE_STREAM, fake_current());
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuStreamDestroy(CUstream stream) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(stream, FAKE_STREAM, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

static void until_released(void) {
  while (fake.held) pthread_cond_wait(&fake.changed, &fake.lock);
}

FAKE_CALL cuStreamSynchronize(CUstream stream) {
  FAKE_ENTER(1);
  if (stream && !fake_find(stream, FAKE_STREAM, __func__)) return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  until_released();
  return fake_leave(CUDA_SUCCESS);
}

/* Everything is done at the launch, so that there is nothing to wait for. The default stream is no object here. */
FAKE_CALL cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  (void)flags;
  FAKE_ENTER(1);
  fake_object *o = fake_find_anywhere(event, FAKE_EVENT, __func__); /* a stream may wait for another device */
  if (!o || (stream && !fake_find(stream, FAKE_STREAM, __func__))) return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!o->recorded) fake_violate(__func__, "an event that was never recorded");
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuEventCreate(CUevent *event, unsigned flags) {
  FAKE_ENTER(1);
  fake_object *o = fake_new(FAKE_EVENT, fake_current());
  o->timing = !(flags & CU_EVENT_DISABLE_TIMING);
  *event = (CUevent)o;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuEventDestroy(CUevent event) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(event, FAKE_EVENT, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

static void record(fake_object *event) {
  event->recorded = 1;
  event->time = ++fake.time;
}

FAKE_CALL cuEventRecord(CUevent event, CUstream stream) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(event, FAKE_EVENT, __func__);
  if (!o || !fake_find(stream, FAKE_STREAM, __func__)) return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  record(o);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuEventQuery(CUevent event) {
  FAKE_ENTER(1);
  if (!fake_find(event, FAKE_EVENT, __func__)) return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  return fake_leave(fake.held ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS);
}

FAKE_CALL cuEventSynchronize(CUevent event) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(event, FAKE_EVENT, __func__);
  if (!o) return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!o->recorded) fake_violate(__func__, "an event that was never recorded");
  until_released();
  return fake_leave(CUDA_SUCCESS);
}

/* Defined under its plain name, whatever cuda.h maps that to, because older drivers have no other. */
#undef cuEventElapsedTime
FAKE_CALL cuEventElapsedTime(float *ms, CUevent begin, CUevent end) {
  FAKE_ENTER(1);
  fake_object *a = fake_find(begin, FAKE_EVENT, __func__), *b = fake_find(end, FAKE_EVENT, __func__);
  if (!a || !b || !a->timing || !b->timing || !a->recorded || !b->recorded) {
    fake_violate(__func__, "not two recorded events that take the time");
    return fake_leave(CUDA_ERROR_INVALID_HANDLE);
  }
  *ms = (float)(b->time - a->time);
  return fake_leave(CUDA_SUCCESS);
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

FAKE_CALL cuGraphCreate(CUgraph *graph, unsigned flags) {
  (void)flags;
  FAKE_ENTER(0);
  *graph = (CUgraph)fake_new(FAKE_GRAPH, fake_current());
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphDestroy(CUgraph graph) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(graph, FAKE_GRAPH, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

/* A node's handle is its number from 1 on. */
static fake_node *add(CUgraph graph, CUgraphNode *handle, const CUgraphNode *deps, size_t n_deps,
                      const char *function) {
  fake_object *o = fake_find(graph, FAKE_GRAPH, function);
  if (!o) return NULL;
  o->nodes = realloc(o->nodes, (o->n_nodes + 1) * sizeof *o->nodes);
  fake_node *node = &o->nodes[o->n_nodes];
  memset(node, 0, sizeof *node);
  node->deps = calloc(n_deps + 1, sizeof *node->deps);
  node->n_deps = (uint32_t)n_deps;
  for (size_t i = 0; i < n_deps; i++) {
    uintptr_t number = (uintptr_t)deps[i];
    if (number == 0 || number > o->n_nodes) fake_violate(function, "depends on a node that is not there");
    node->deps[i] = (uint32_t)number - 1;
    for (size_t j = 0; j < i; j++)
      if (deps[j] == deps[i]) fake_violate(function, "depends on a node twice");
  }
  *handle = (CUgraphNode)(uintptr_t)++o->n_nodes;
  return node;
}

FAKE_CALL cuGraphAddKernelNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                               const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_ENTER(1);
  fake_object *function = fake_find(params->func, FAKE_FUNCTION, __func__);
  fake_node *node = add(graph, handle, deps, n_deps, __func__);
  if (!node || !function) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (params->blockDimX == 0 || params->gridDimX == 0) fake_violate(__func__, "an empty grid");
  node->what = FAKE_KERNEL;
  node->kernel = function->kernel;
  node->threads = (uint64_t)params->gridDimX * params->gridDimY * params->gridDimZ * params->blockDimX;
  memcpy(node->args, params->kernelParams[0], function->kernel->args_bytes);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode handle, const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(exec, FAKE_EXEC, __func__), *function = fake_find(params->func, FAKE_FUNCTION, __func__);
  const uintptr_t number = (uintptr_t)handle;
  if (!o || !function || number == 0 || number > o->n_nodes) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  fake_node *node = &o->nodes[number - 1];
  const uint64_t threads = (uint64_t)params->gridDimX * params->gridDimY * params->gridDimZ * params->blockDimX;
  if (node->what != FAKE_KERNEL || node->kernel != function->kernel || node->threads != threads)
    fake_violate(__func__, "another kernel, or another grid, than when the graph was made");
  memcpy(node->args, params->kernelParams[0], function->kernel->args_bytes);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphAddMemcpyNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                               const CUDA_MEMCPY3D *copy, CUcontext context) {
  FAKE_ENTER(1);
  fake_node *node = add(graph, handle, deps, n_deps, __func__);
  if (!node || !fake_find(context, FAKE_CONTEXT, __func__)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  int up = copy->srcMemoryType == CU_MEMORYTYPE_HOST;
  node->what = FAKE_COPY;
  node->dst = up ? (void *)copy->dstDevice : copy->dstHost;
  node->src = up ? copy->srcHost : (const void *)copy->srcDevice;
  node->bytes = copy->WidthInBytes;
  fake_object *device = fake_find_memory(up ? node->dst : node->src, node->bytes),
              *host = fake_find_memory(up ? node->src : node->dst, node->bytes);
  if (!device || device->kind != FAKE_MEMORY || device->context != fake_current() || !host || host->kind != FAKE_PINNED)
    fake_violate(__func__, "not between pinned memory and device memory of this context");
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphAddEventRecordNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                                    CUevent event) {
  FAKE_ENTER(1);
  fake_node *node = add(graph, handle, deps, n_deps, __func__);
  if (!node) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  node->what = FAKE_RECORD;
  node->event = fake_find(event, FAKE_EVENT, __func__);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  (void)flags;
  FAKE_ENTER(1);
  fake_object *from = fake_find(graph, FAKE_GRAPH, __func__);
  if (!from) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  fake_object *o = fake_new(FAKE_EXEC, fake_current());
  o->n_nodes = from->n_nodes;
  o->nodes = malloc((o->n_nodes + 1) * sizeof *o->nodes); /* the lists of edges still belong to the graph */
  if (o->n_nodes) memcpy(o->nodes, from->nodes, o->n_nodes * sizeof *o->nodes);
  *exec = (CUgraphExec)o;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphExecDestroy(CUgraphExec exec) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(exec, FAKE_EXEC, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

FAKE_CALL cuGraphUpload(CUgraphExec exec, CUstream stream) {
  FAKE_ENTER(1);
  int good = fake_find(exec, FAKE_EXEC, __func__) && fake_find(stream, FAKE_STREAM, __func__);
  return fake_leave(good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

static void execute(const fake_node *node) {
  switch (node->what) {
  case FAKE_KERNEL: node->kernel->fn(node->args, node->threads); break;
  case FAKE_COPY: memcpy(node->dst, node->src, node->bytes); break;
  case FAKE_RECORD: record(node->event); break;
  }
}

static int is_ready(const fake_node *node, const unsigned char *done) {
  for (uint32_t i = 0; i < node->n_deps; i++)
    if (!done[node->deps[i]]) return 0;
  return 1;
}

/* Does the work at once, node by node in a random order that the edges allow. */
FAKE_CALL cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(exec, FAKE_EXEC, __func__);
  if (!o || !fake_find(stream, FAKE_STREAM, __func__)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  fake.last_stream = stream;
  unsigned char *done = calloc(o->n_nodes + 1, 1);
  for (uint32_t left = o->n_nodes; left;) {
    fake.seed = fake.seed * 6364136223846793005u + 1442695040888963407u;
    uint32_t i = (uint32_t)((fake.seed >> 33) % o->n_nodes);
    while (done[i] || !is_ready(&o->nodes[i], done)) i = (i + 1) % o->n_nodes;
    execute(&o->nodes[i]);
    done[i] = 1;
    left--;
  }
  free(done);
  return fake_leave(CUDA_SUCCESS);
}
