/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Values that come from other devices, and inputs of a group of devices: they are copied in a stream of their own,
 * beside what the device works on, by its copy engines. The program's stream waits for the last of them, and other
 * programs that copy what is shared wait for the last of those that are.
 */
#include "program.h"

/* The driver copies between any two of its devices; with access to the other's memory straight over NVLink or PCIe. Two
 * openings of one device share its memory. */
bool rp_cuda_reaches(void *state, void *other) {
  rp_cuda *cuda = state, *from = other;
  int can = 0;
  if (cuda->device == from->device) return 1;
  if (rp_cuda_enter(cuda, NULL) != RP_OK) return 0;
  CUresult result = cuda->driver.cuDeviceCanAccessPeer(&can, cuda->device, from->device);
  if (result == CUDA_SUCCESS && can) result = cuda->driver.cuCtxEnablePeerAccess(from->cu_context, 0);
  rp_cuda_leave(cuda);
  return can && (result == CUDA_SUCCESS || result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
}

static rp_status copy(rp_program *p, const rp_arrival *a, rp_error *err) {
  rp_cuda *cuda = p->cuda;
  if (!a->from)
    return RP_CUDA(cuda, err, cuMemcpyHtoDAsync, a->to_address, a->from_host, (size_t)a->bytes, p->arrivals);
  const rp_cuda *from = a->from_state;
  const CUevent behind = a->arrived ? a->from->shared : a->from->waiting;
  const rp_status status = RP_CUDA(cuda, err, cuStreamWaitEvent, p->arrivals, behind, 0);
  if (status != RP_OK) return status;
  return RP_CUDA(cuda, err, cuMemcpyPeerAsync, a->to_address, cuda->cu_context, a->from_address, from->cu_context,
                 (size_t)a->bytes, p->arrivals);
}

/* The program's own stream may still wipe what the run before has left at the same place. */
rp_status rp_cuda_arrive(rp_program *p, CUstream stream, const rp_arrival *arrivals, uint32_t n, rp_error *err) {
  rp_cuda *cuda = p->cuda;
  rp_status status = RP_CUDA(cuda, err, cuEventRecord, p->arrived, p->stream);
  if (status == RP_OK) status = RP_CUDA(cuda, err, cuStreamWaitEvent, p->arrivals, p->arrived, 0);
  for (uint32_t i = 0; i < n && status == RP_OK; i++) {
    status = copy(p, &arrivals[i], err);
    const bool is_last = arrivals[i].shared && (i + 1 == n || !arrivals[i + 1].shared);
    if (status == RP_OK && is_last) status = RP_CUDA(cuda, err, cuEventRecord, p->shared, p->arrivals);
  }
  if (status == RP_OK) status = RP_CUDA(cuda, err, cuEventRecord, p->arrived, p->arrivals);
  if (status == RP_OK) status = RP_CUDA(cuda, err, cuStreamWaitEvent, stream, p->arrived, 0);
  return status;
}

rp_status rp_cuda_await_arrivals(void *state, rp_program *p, rp_error *err) {
  rp_cuda *cuda = state;
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuEventSynchronize, p->arrived);
  rp_cuda_leave(cuda);
  return status;
}
