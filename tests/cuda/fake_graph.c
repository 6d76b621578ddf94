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

/* A node's handle is its number in its graph, from 1 on, and the graph's serial number above that. */
enum { NUMBER_BITS = 24 };
static uint32_t graphs;

static uint32_t number_of(CUgraphNode node) { return (uint32_t)((uintptr_t)node & ((1u << NUMBER_BITS) - 1)); }
static uint32_t serial_of(CUgraphNode node) { return (uint32_t)((uintptr_t)node >> NUMBER_BITS); }

fake_object *fake_new_graph(void) {
  fake_object *o = fake_new(FAKE_GRAPH, fake_current());
  o->serial = ++graphs;
  return o;
}

FAKE_CALL cuGraphCreate(CUgraph *graph, unsigned flags) {
  (void)flags;
  FAKE_ENTER(0);
  *graph = (CUgraph)fake_new_graph();
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphDestroy(CUgraph graph) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(graph, FAKE_GRAPH, __func__);
  if (o && o->around)
    fake_violate(__func__, "the body of a conditional node");
  else if (o)
    fake_delete(o);
  return fake_leave(told);
}

fake_node *fake_add_node(CUgraph graph, CUgraphNode *handle, const CUgraphNode *deps, size_t n_deps,
                         const char *function) {
  fake_object *o = fake_find(graph, FAKE_GRAPH, function);
  if (!o) return NULL;
  const uint32_t n = o->n_nodes;
  if ((n & (n - 1)) == 0) o->nodes = realloc(o->nodes, (n ? 2 * (size_t)n : 1) * sizeof *o->nodes);
  fake_node *node = &o->nodes[o->n_nodes];
  memset(node, 0, sizeof *node);
  node->deps = calloc(n_deps + 1, sizeof *node->deps);
  node->n_deps = (uint32_t)n_deps;
  for (size_t i = 0; i < n_deps; i++) {
    const uint32_t number = number_of(deps[i]);
    if (number == 0 || number > o->n_nodes || serial_of(deps[i]) != o->serial) {
      fake_violate(function, "depends on a node that is not there");
      free(node->deps);
      return NULL;
    }
    node->deps[i] = number - 1;
    for (size_t j = 0; j < i; j++)
      if (deps[j] == deps[i]) fake_violate(function, "depends on a node twice");
  }
  *handle = (CUgraphNode)((uintptr_t)o->serial << NUMBER_BITS | ++o->n_nodes);
  return node;
}

FAKE_CALL cuGraphAddKernelNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                               const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_ENTER(1);
  fake_object *function = fake_find(params->func, FAKE_FUNCTION, __func__);
  fake_node *node = fake_add_node(graph, handle, deps, n_deps, __func__);
  if (!node || !function) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (params->blockDimX == 0 || params->gridDimX == 0) fake_violate(__func__, "an empty grid");
  node->what = FAKE_KERNEL;
  node->kernel = function->kernel;
  node->threads = (uint64_t)params->gridDimX * params->gridDimY * params->gridDimZ * params->blockDimX;
  memcpy(node->args, params->kernelParams[0], function->kernel->args_bytes);
  return fake_leave(CUDA_SUCCESS);
}

/* Other arguments for the node of a graph or of what was made of it. */
static CUresult set_params(fake_object *o, CUgraphNode handle, const CUDA_KERNEL_NODE_PARAMS *params,
                           const char *name) {
  const fake_object *function = fake_find(params->func, FAKE_FUNCTION, name);
  fake_node *node = o ? fake_find_node(o->nodes, o->n_nodes, o->serial, serial_of(handle), number_of(handle)) : NULL;
  if (!function || !node) return CUDA_ERROR_INVALID_VALUE;
  const uint64_t threads = (uint64_t)params->gridDimX * params->gridDimY * params->gridDimZ * params->blockDimX;
  if (node->what != FAKE_KERNEL || node->kernel != function->kernel || node->threads != threads)
    fake_violate(name, "another kernel, or another grid, than when the graph was made");
  memcpy(node->args, params->kernelParams[0], function->kernel->args_bytes);
  return CUDA_SUCCESS;
}

FAKE_CALL cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_ENTER(1);
  return fake_leave(set_params(fake_find(exec, FAKE_EXEC, __func__), node, params, __func__));
}

FAKE_CALL cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  FAKE_ENTER(1);
  fake_object *o = fake.objects;
  while (o && !(o->kind == FAKE_GRAPH && o->serial == serial_of(node))) o = o->next;
  return fake_leave(set_params(o, node, params, __func__));
}

FAKE_CALL cuGraphAddChildGraphNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                                   CUgraph child) {
  FAKE_ENTER(1);
  const fake_object *from = fake_find(child, FAKE_GRAPH, __func__);
  fake_node *node = fake_add_node(graph, handle, deps, n_deps, __func__);
  if (!from || !node) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (fake_find_branches(from, NULL)) fake_violate(__func__, "a child with conditional nodes");
  node->what = FAKE_CHILD;
  node->n_child = from->n_nodes;
  node->child = malloc((from->n_nodes + 1) * sizeof *node->child);
  if (from->n_nodes) memcpy(node->child, from->nodes, from->n_nodes * sizeof *node->child);
  return fake_leave(CUDA_SUCCESS);
}

/* ---- Capturing: what a stream is given becomes nodes, of which the fake driver knows only children --------------- */

FAKE_CALL cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  (void)mode;
  FAKE_ENTER(1);
  fake_object *o = fake_find(stream, FAKE_STREAM, __func__);
  if (!o || o->capture) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  o->capture = fake_new_graph();
  o->last = NULL;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(stream, FAKE_STREAM, __func__);
  if (!o || !o->capture) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  *graph = (CUgraph)o->capture;
  o->capture = NULL;
  return fake_leave(CUDA_SUCCESS);
}

#if CUDA_VERSION >= 13000
#define EDGES(name) const CUgraphEdgeData name,
#else
#define EDGES(name)
#endif
FAKE_CALL cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  static _Thread_local CUstreamCaptureMode now = CU_STREAM_CAPTURE_MODE_GLOBAL;
  FAKE_ENTER(1);
  const CUstreamCaptureMode before = now;
  now = *mode;
  *mode = before;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                 const CUgraphNode **deps, EDGES(**edges) size_t *n_deps) {
  FAKE_ENTER(1);
  const fake_object *o = fake_find(stream, FAKE_STREAM, __func__);
  if (!o) return fake_leave(CUDA_ERROR_INVALID_VALUE);
#if CUDA_VERSION >= 13000
  if (edges) *edges = NULL;
#endif
  if (id) *id = 1;
  *status = o->capture ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  *graph = (CUgraph)o->capture;
  *deps = &o->last;
  *n_deps = o->last ? 1 : 0;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *deps, EDGES(*edges) size_t n_deps,
                                            unsigned flags) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(stream, FAKE_STREAM, __func__);
  if (!o || !o->capture || n_deps != 1) return fake_leave(CUDA_ERROR_INVALID_VALUE);
#if CUDA_VERSION >= 13000
  (void)edges;
#endif
  if (flags != CU_STREAM_SET_CAPTURE_DEPENDENCIES) fake_violate(__func__, "adds to what the stream has");
  o->last = deps[0];
  return fake_leave(CUDA_SUCCESS);
}

static void set_copy(fake_node *node, const CUDA_MEMCPY3D *copy, const char *name) {
  int up = copy->srcMemoryType == CU_MEMORYTYPE_HOST;
  node->what = FAKE_COPY;
  node->dst = up ? (void *)copy->dstDevice : copy->dstHost;
  node->src = up ? copy->srcHost : (const void *)copy->srcDevice;
  node->bytes = copy->WidthInBytes;
  fake_object *device = fake_find_memory(up ? node->dst : node->src, node->bytes),
              *host = fake_find_memory(up ? node->src : node->dst, node->bytes);
  if (!device || device->kind != FAKE_MEMORY || device->context != fake_current() || !host || host->kind != FAKE_PINNED)
    fake_violate(name, "not between pinned memory and device memory of this context");
}

FAKE_CALL cuGraphAddMemcpyNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                               const CUDA_MEMCPY3D *copy, CUcontext context) {
  FAKE_ENTER(1);
  fake_node *node = fake_add_node(graph, handle, deps, n_deps, __func__);
  if (!node || !fake_find(context, FAKE_CONTEXT, __func__)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  set_copy(node, copy, __func__);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode handle, const CUDA_MEMCPY3D *copy,
                                         CUcontext context) {
  FAKE_ENTER(1);
  const fake_object *o = fake_find(exec, FAKE_EXEC, __func__);
  fake_node *node = o ? fake_find_node(o->nodes, o->n_nodes, o->serial, serial_of(handle), number_of(handle)) : NULL;
  if (!node || !fake_find(context, FAKE_CONTEXT, __func__)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (node->what != FAKE_COPY || node->bytes != copy->WidthInBytes || node->dst != (void *)copy->dstDevice)
    fake_violate(__func__, "another copy than when the graph was made");
  set_copy(node, copy, __func__);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphAddEventRecordNode(CUgraphNode *handle, CUgraph graph, const CUgraphNode *deps, size_t n_deps,
                                    CUevent event) {
  FAKE_ENTER(1);
  fake_node *node = fake_add_node(graph, handle, deps, n_deps, __func__);
  if (!node) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (((fake_object *)graph)->around) fake_violate(__func__, "an event in the body of a conditional node");
  node->what = FAKE_RECORD;
  node->event = fake_find(event, FAKE_EVENT, __func__);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, unsigned long long flags) {
  (void)flags;
  FAKE_ENTER(1);
  fake_object *from = fake_find(graph, FAKE_GRAPH, __func__);
  if (!from) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (fake_find_branches(from, NULL))
    for (const fake_object *o = fake.objects; o; o = o->next)
      if (o->kind == FAKE_EXEC && o->from == from) fake_violate(__func__, "a second one with conditional nodes");
  fake_object *o = fake_new(FAKE_EXEC, fake_current());
  o->from = from;
  o->serial = from->serial;
  o->n_nodes = from->n_nodes;
  o->nodes = fake_copy_nodes(from); /* the lists of edges still belong to the graph */
  *exec = (CUgraphExec)o;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuGraphExecDestroy(CUgraphExec exec) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find(exec, FAKE_EXEC, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

static uint32_t bodies_run;
static void execute_all(const fake_node *nodes, uint32_t n, uint32_t serial);

uint32_t fake_bodies_run(void) { return bodies_run; }

uint32_t fake_branches(void) {
  uint32_t n = 0;
  for (const fake_object *o = fake.objects; o; o = o->next)
    if (o->kind == FAKE_GRAPH && !o->around) n += fake_find_branches(o, NULL);
  return n;
}

static void execute_branch(const fake_node *node) {
  if (!fake_condition(node)) return;
  bodies_run++;
  execute_all(node->child, node->n_child, node->child_serial);
}

static void execute(const fake_node *node) {
  switch (node->what) {
  case FAKE_KERNEL: node->kernel->fn(node->args, node->threads); break;
  case FAKE_COPY: memcpy(node->dst, node->src, node->bytes); break;
  case FAKE_RECORD: record(node->event); break;
  case FAKE_CHILD: execute_all(node->child, node->n_child, 0); break;
  case FAKE_BRANCH: execute_branch(node); break;
  }
}

static int is_ready(const fake_node *node, const unsigned char *done) {
  for (uint32_t i = 0; i < node->n_deps; i++)
    if (!done[node->deps[i]]) return 0;
  return 1;
}

/* Each of the nodes that can run next is as likely as the others. */
static uint32_t choose(const fake_node *nodes, uint32_t n, const unsigned char *done) {
  uint32_t chosen = 0, seen = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (done[i] || !is_ready(&nodes[i], done)) continue;
    fake.seed = fake.seed * 6364136223846793005u + 1442695040888963407u;
    if ((fake.seed >> 33) % ++seen == 0) chosen = i;
  }
  return chosen;
}

static void execute_all(const fake_node *nodes, uint32_t n, uint32_t serial) {
  unsigned char *done = calloc(n + 1, 1);
  for (uint32_t left = n; left; left--) {
    const uint32_t i = choose(nodes, n, done);
    fake.running = serial;
    execute(&nodes[i]);
    done[i] = 1;
  }
  free(done);
}

/* Does the work at once, node by node in a random order that the edges allow. */
FAKE_CALL cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  FAKE_ENTER(1);
  fake_object *o = fake_find(exec, FAKE_EXEC, __func__);
  if (!o || !fake_find(stream, FAKE_STREAM, __func__)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  fake.last_stream = stream;
  bodies_run = 0;
  fake_begin_conditions(o->from);
  execute_all(o->nodes, o->n_nodes, o->serial);
  return fake_leave(CUDA_SUCCESS);
}
