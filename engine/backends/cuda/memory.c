/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory, pinned staging and the caller's device pointers.
 */
#include "state.h"

#include <string.h>

static rp_status fail_full(rp_cuda *cuda, uint64_t bytes, rp_error *err) {
  size_t available = 0, total = 0;
  cuda->driver.cuMemGetInfo(&available, &total);
  return rp_fail(
      err, RP_ERR_DEVICE_MEMORY,
      "CUDA: %llu bytes wanted, %llu of the device's %llu are free; close other programs that use it, or lower "
      "the memory budget",
      (unsigned long long)bytes, (unsigned long long)available, (unsigned long long)total);
}

rp_status rp_cuda_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  rp_cuda *cuda = state;
  memset(memory, 0, sizeof *memory);
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  if (kind == RP_MEMORY_DEVICE) {
    CUdeviceptr pointer = 0;
    CUresult result = cuda->driver.cuMemAlloc(&pointer, (size_t)bytes);
    status = result == CUDA_ERROR_OUT_OF_MEMORY ? fail_full(cuda, bytes, err)
                                                : rp_cuda_check(cuda, result, "cuMemAlloc", err);
    memory->address = pointer;
  } else {
    status = RP_CUDA(cuda, err, cuMemHostAlloc, &memory->host, (size_t)bytes, CU_MEMHOSTALLOC_PORTABLE);
    memory->native = memory->host;
    /* A block goes up in one copy, with the padding between its values, which must not be uninitialized. */
    if (status == RP_OK) memset(memory->host, 0, (size_t)bytes);
  }
  rp_cuda_leave(cuda);
  if (status == RP_OK) memory->bytes = bytes;
  return status;
}

void rp_cuda_memory_free(void *state, rp_memory *memory) {
  rp_cuda *cuda = state;
  if (memory->native && !memory->host) {
    rp_cuda_memory_unshare(cuda, memory);
    return;
  }
  /* The memory of a lost context is gone already. */
  if (memory->bytes && rp_cuda_enter_to_give_back(cuda)) {
    if (memory->native)
      cuda->driver.cuMemFreeHost(memory->native);
    else
      cuda->driver.cuMemFree(memory->address);
    rp_cuda_leave(cuda);
  }
  memset(memory, 0, sizeof *memory);
}

/* A host pointer, or memory of another device, is refused here: a kernel that accessed it would destroy the context. */
rp_status rp_cuda_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err) {
  rp_cuda *cuda = state;
  CUdeviceptr pointer = (CUdeviceptr)(uintptr_t)native;
  unsigned type = 0; /* stays 0 for memory that the driver does not know */
  int ordinal = -1;
  CUpointer_attribute wanted[2] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void *answers[2] = {&type, &ordinal};
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuPointerGetAttributes, 2, wanted, answers, pointer);
  rp_cuda_leave(cuda);
  if (status != RP_OK) return status;
  if (type != CU_MEMORYTYPE_DEVICE) return rp_fail(err, RP_ERR_ARGUMENT, "CUDA: %p is not device memory", native);
  if (ordinal != cuda->device)
    return rp_fail(err, RP_ERR_MISMATCH, "CUDA: %p is memory of device %d, not of %d", native, ordinal, cuda->device);
  *memory = (rp_memory){.address = pointer, .bytes = bytes};
  return RP_OK;
}

/* Whether the driver knows the byte as page-locked, in one piece that begins at *start. */
static bool is_page_locked(rp_cuda *cuda, const char *at, CUdeviceptr *start) {
  unsigned type = 0; /* stays 0 for memory that the driver does not know */
  CUpointer_attribute wanted[2] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
  void *answers[2] = {&type, start};
  *start = 0;
  const rp_status status = RP_CUDA(cuda, NULL, cuPointerGetAttributes, 2, wanted, answers, (CUdeviceptr)(uintptr_t)at);
  return status == RP_OK && type == CU_MEMORYTYPE_HOST;
}

/* The copy up would read pageable memory through a buffer of the driver's, and hold up what is behind it. */
bool rp_cuda_memory_lends(void *state, const void *host, uint64_t bytes) {
  rp_cuda *cuda = state;
  CUdeviceptr first = 0, last = 1;
  if (rp_cuda_enter(cuda, NULL) != RP_OK) return 0;
  const bool lends = is_page_locked(cuda, host, &first) && is_page_locked(cuda, (const char *)host + bytes - 1, &last);
  rp_cuda_leave(cuda);
  return lends && first == last;
}

rp_status rp_cuda_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                               rp_error *err) {
  rp_cuda *cuda = state;
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuMemcpyHtoD, memory->address + offset, data, (size_t)bytes);
  /* From pageable memory the call may return before the last bytes have arrived, and programs run on streams that do
   * not wait for the default one. */
  if (status == RP_OK) status = RP_CUDA(cuda, err, cuStreamSynchronize, NULL);
  rp_cuda_leave(cuda);
  return status;
}

/* From pinned memory the call returns when the bytes have arrived. */
rp_status rp_cuda_memory_send(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                              uint64_t staging_offset, uint64_t bytes, rp_error *err) {
  rp_cuda *cuda = state;
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuMemcpyHtoD, memory->address + offset, (const char *)staging->host + staging_offset,
                   (size_t)bytes);
  rp_cuda_leave(cuda);
  return status;
}

rp_status rp_cuda_memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                              rp_error *err) {
  rp_cuda *cuda = state;
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuMemcpyDtoH, data, memory->address + offset, (size_t)bytes);
  rp_cuda_leave(cuda);
  return status;
}
