/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory, pinned staging and the caller's device pointers.
 */
#include "state.h"

#include <string.h>

rp_status rp_cuda_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  rp_cuda *cuda = state;
  memset(memory, 0, sizeof *memory);
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  if (kind == RP_MEMORY_DEVICE) {
    CUdeviceptr pointer = 0;
    status = RP_CUDA(cuda, err, cuMemAlloc, &pointer, (size_t)bytes);
    memory->address = pointer;
  } else {
    status = RP_CUDA(cuda, err, cuMemHostAlloc, &memory->host, (size_t)bytes, CU_MEMHOSTALLOC_PORTABLE);
    memory->native = memory->host;
  }
  rp_cuda_leave(cuda);
  if (status == RP_OK) memory->bytes = bytes;
  return status;
}

void rp_cuda_memory_free(void *state, rp_memory *memory) {
  rp_cuda *cuda = state;
  /* A lost context has taken its memory with it. */
  if (memory->bytes && rp_cuda_enter(cuda, NULL) == RP_OK) {
    if (memory->native)
      cuda->driver.cuMemFreeHost(memory->native);
    else
      cuda->driver.cuMemFree(memory->address);
    rp_cuda_leave(cuda);
  }
  memset(memory, 0, sizeof *memory);
}

rp_status rp_cuda_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err) {
  (void)state, (void)err;
  *memory = (rp_memory){.address = (uint64_t)(uintptr_t)native, .bytes = bytes};
  return RP_OK;
}

rp_status rp_cuda_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                               rp_error *err) {
  rp_cuda *cuda = state;
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuMemcpyHtoD, memory->address + offset, data, (size_t)bytes);
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
