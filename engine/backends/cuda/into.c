/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs as a child of the caller's graph, or in a stream that is being captured into one.
 */
#include "graph.h"

/* The driver takes no graph with conditional nodes as a child. */
static const rp_cuda_graph *source_of(const rp_program *p) {
  return p->graph.skips || p->graph.cut ? &p->whole : &p->graph;
}

static rp_status make_source(rp_program *p, rp_error *err) {
  if (source_of(p)->graph) return RP_OK;
  const rp_status status = rp_cuda_build_graph(p, &p->whole, err);
  if (status == RP_OK) return RP_OK;
  if (p->whole.graph) p->cuda->driver.cuGraphDestroy(p->whole.graph);
  p->whole.graph = NULL;
  p->whole.n_bound = 0;
  return status;
}

static rp_status add_child(rp_program *p, CUgraph graph, const CUgraphNode *after, size_t n_after, CUgraphNode *node,
                           rp_error *err) {
  return RP_CUDA(p->cuda, err, cuGraphAddChildGraphNode, node, graph, after, n_after, source_of(p)->graph);
}

static rp_status add_to_capture(rp_program *p, CUstream stream, rp_error *err) {
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = NULL;
  CUgraphNode node;
  const CUgraphNode *after = NULL;
  size_t n_after = 0;
  rp_status status = RP_CUDA(p->cuda, err, cuStreamGetCaptureInfo, stream, &capture, NULL, &graph, &after,
                             RP_CUDA_NO_EDGE_DATA & n_after);
  if (status != RP_OK) return status;
  if (capture != CU_STREAM_CAPTURE_STATUS_ACTIVE)
    return rp_fail(err, RP_ERR_STATE, "the stream is not being captured: call cuStreamBeginCapture first");
  status = add_child(p, graph, after, n_after, &node, err);
  if (status != RP_OK) return status;
  return RP_CUDA(p->cuda, err, cuStreamUpdateCaptureDependencies, stream, &node, RP_CUDA_NO_EDGE_DATA 1,
                 CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

static rp_status add_to_graph(rp_program *p, const rp_into *into, rp_error *err) {
  CUgraphNode node = NULL;
  const rp_status status = add_child(p, (CUgraph)into->handle, (const CUgraphNode *)(const void *)into->after,
                                     (size_t)into->n_after, &node, err);
  if (status == RP_OK && into->node) *into->node = node;
  return status;
}

rp_status rp_cuda_record_into(void *state, rp_program *p, const uint64_t *words, uint32_t n_words, const rp_into *into,
                              rp_error *err) {
  rp_cuda *cuda = state;
  uint64_t *up = (uint64_t *)((rp_error_record *)p->control.host + 1);
  if (into->kind != RP_INTO_CUDA_GRAPH && into->kind != RP_INTO_CUDA_STREAM)
    return rp_fail(
        err, RP_ERR_UNSUPPORTED,
        "a run of a CUDA device goes into a CUgraph (kind %d) or a capturing CUstream (kind %d), not kind %d",
        RP_INTO_CUDA_GRAPH, RP_INTO_CUDA_STREAM, (int)into->kind);
  for (uint32_t i = 0; i < p->n_words; i++) up[i] = i < n_words ? words[i] : 0;
  p->phase = RP_CUDA_IDLE;
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  /* A thread that captures may not wait for streams, unless it says that its capture has nothing to do with them. */
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  status = RP_CUDA(cuda, err, cuThreadExchangeStreamCaptureMode, &mode);
  const bool exchanged = status == RP_OK;
  /* The caller's work does not wait for the stream in which the run before is wiped. */
  if (status == RP_OK && p->wipe_pending) status = RP_CUDA(cuda, err, cuStreamSynchronize, p->stream);
  p->wipe_pending = 0;
  if (status == RP_OK) status = make_source(p, err);
  if (status == RP_OK) status = rp_cuda_bind_source(p, source_of(p), up, err);
  if (status == RP_OK)
    status =
        into->kind == RP_INTO_CUDA_GRAPH ? add_to_graph(p, into, err) : add_to_capture(p, (CUstream)into->handle, err);
  if (exchanged) cuda->driver.cuThreadExchangeStreamCaptureMode(&mode);
  rp_cuda_leave(cuda);
  return status;
}

void rp_cuda_latest_fault(void *state, const rp_program *p, rp_error_record *fault) {
  (void)state;
  *fault = *(const rp_error_record *)(const void *)((const char *)p->control.host + p->control.bytes - sizeof *fault);
}
