/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A program with a CUDA context and a stream of its own. The stream fills a buffer, a recording doubles it, and the
 * stream copies the result to the host: the run waits for what the stream has been given, and what it is given next
 * waits for the run. The host waits once, for the stream. Prints 6 6 6 6 (every 32-bit half of an element was filled
 * with 3). */

#include <reprise/host_program.h>
#include <reprise/ops.h>
#include <reprise/page.h>
#include <cuda.h>
#include <stdio.h>

enum { N = 1024, BYTES = 8 * N };

typedef struct program {
  CUdevice device;
  CUcontext context;
  CUstream stream;
  CUdeviceptr memory;
  uint32_t *result; /* pinned */
} program;

static bool open_cuda(program *p) {
  return cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&p->device, 0) == CUDA_SUCCESS &&
         cuDevicePrimaryCtxRetain(&p->context, p->device) == CUDA_SUCCESS &&
         cuCtxSetCurrent(p->context) == CUDA_SUCCESS &&
         cuStreamCreate(&p->stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS &&
         cuMemAlloc(&p->memory, 2 * BYTES) == CUDA_SUCCESS &&
         cuMemAllocHost((void **)&p->result, BYTES) == CUDA_SUCCESS;
}

static void close_cuda(program *p) {
  if (p->result) cuMemFreeHost(p->result);
  if (p->memory) cuMemFree(p->memory);
  if (p->stream) cuStreamDestroy(p->stream);
  if (p->context) cuDevicePrimaryCtxRelease(p->device);
}

/* One half of the buffer is the run's input and the other its output, which kernels access in place. */
static rp_status run_between(program *p, rp_run *run, rp_value in, rp_value out, rp_buffer *buffer) {
  const rp_sync stream = {RP_SYNC_CUDA_STREAM, p->stream, 0};
  const rp_submit_options links = {
      .struct_size = sizeof links, .waits = &stream, .n_waits = 1, .signals = &stream, .n_signals = 1};
  rp_status status = rp_run_bind_input(run, in, buffer, 0);
  if (status == RP_OK) status = rp_run_bind_output(run, out, buffer, BYTES);
  if (status == RP_OK && cuMemsetD32Async(p->memory, 3, BYTES / 4, p->stream) != CUDA_SUCCESS) status = RP_ERR_INTERNAL;
  if (status == RP_OK) status = rp_run_submit_with(run, &links);
  if (status == RP_OK && (cuMemcpyDtoHAsync(p->result, p->memory + BYTES, BYTES, p->stream) != CUDA_SUCCESS ||
                          cuStreamSynchronize(p->stream) != CUDA_SUCCESS))
    status = RP_ERR_INTERNAL;
  return status == RP_OK ? rp_run_poll(run) : status; /* it is finished, since the stream is */
}

static bool compute(program *p, const char *page) {
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CUDA, .native = {p->context}};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_graph *g = NULL;
  rp_recording *recording = NULL;
  rp_buffer *buffer = NULL;
  rp_run *run = NULL;
  rp_value in = RP_NO_VALUE, out = RP_NO_VALUE;
  rp_error err = {0};
  rp_status status = rp_context_create(NULL, &context, &err);
  if (status == RP_OK) status = rp_device_open_for(context, &options, NULL, &device, &err);
  if (status == RP_OK) status = rp_buffer_wrap(device, (void *)p->memory, 2 * BYTES, &buffer, &err);
  if (status == RP_OK) status = rp_graph_create(context, "double", &g, &err);
  if (status == RP_OK) {
    in = rp_graph_input(g, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, RP_RESIDENT);
    rp_scope_begin(g, "double");
    rp_scope_title(g, "Double: %d elements", N);
    out = rp_add(g, in, in);
    rp_graph_output(g, "out", out, RP_RESIDENT);
    rp_scope_end(g);
    status = rp_record(device, g, NULL, &recording, &err);
  }
  if (status == RP_OK) status = rp_run_begin(recording, UINT64_MAX, &run, &err);
  if (status == RP_OK && (status = run_between(p, run, in, out, buffer)) != RP_OK) err = *rp_run_error(run);
  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (status == RP_OK && page) status = rp_view_write(&view, page, &err); /* the graph, for a browser */
  if (status == RP_OK)
    printf("%u %u %u %u\n", p->result[0], p->result[1], p->result[2], p->result[2 * N - 1]);
  else
    fprintf(stderr, "%s: %s\n", rp_status_name(status), err.reason);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  rp_buffer_destroy(buffer);
  rp_device_close(device);
  rp_context_destroy(context);
  return status == RP_OK;
}

int main(int argc, char **argv) {
  program p = {.device = 0};
  const int opened = open_cuda(&p), computed = opened && compute(&p, argc > 1 ? argv[1] : NULL);
  if (!opened) fprintf(stderr, "SKIP: no CUDA device\n");
  close_cuda(&p);
  return computed ? 0 : opened ? 1 : 77;
}
