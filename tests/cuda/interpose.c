/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "interpose.h"

#include "backends/cuda/state.h"
#include "device.h"

#include <stdlib.h>
#include <string.h>

static rp_cuda_driver saved;
static interposed seen;
uint64_t interpose_allocations, interpose_live_bytes;
int64_t interpose_fail_at = -1;

rp_cuda_driver *interpose_driver(rp_device *device) { return &((rp_cuda *)device->state)->driver; }

static CUresult CUDAAPI launch(CUgraphExec exec, CUstream stream) {
  seen.launches++;
  return saved.cuGraphLaunch(exec, stream);
}

static CUresult CUDAAPI synchronize(CUevent event) {
  seen.waits++;
  return saved.cuEventSynchronize(event);
}

static CUresult CUDAAPI record(CUevent event, CUstream stream) {
  seen.records++;
  return saved.cuEventRecord(event, stream);
}

/* Takes the place of functions of any type: it reads no argument, and all of them have the same return type. */
static CUresult CUDAAPI forbidden(void) {
  seen.forbidden++;
  return CUDA_ERROR_NOT_PERMITTED;
}

void interpose_begin(rp_device *device) {
  rp_cuda_driver *d = interpose_driver(device);
  CUresult(CUDAAPI * refuse)(void) = forbidden;
  saved = *d;
  seen = (interposed){0};
#define REFUSE(name) memcpy(&d->name, &refuse, sizeof refuse);
  RP_CUDA_FUNCTIONS(REFUSE)
  RP_CUDA_OPTIONAL(REFUSE)
#undef REFUSE
  d->cuCtxPushCurrent = saved.cuCtxPushCurrent;
  d->cuCtxPopCurrent = saved.cuCtxPopCurrent;
  d->cuGraphLaunch = launch;
  d->cuEventRecord = record;
  d->cuEventSynchronize = synchronize;
}

interposed interpose_end(rp_device *device) {
  *interpose_driver(device) = saved;
  return seen;
}

static void *counting_alloc(void *user, size_t bytes, size_t align) {
  (void)user;
  if (interpose_fail_at >= 0 && interpose_fail_at-- == 0) return NULL;
  interpose_allocations++;
  interpose_live_bytes += bytes;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void counting_free(void *user, void *memory, size_t bytes) {
  (void)user;
  interpose_live_bytes -= bytes;
  free(memory);
}

rp_allocator interpose_allocator(void) { return (rp_allocator){.alloc = counting_alloc, .free = counting_free}; }
