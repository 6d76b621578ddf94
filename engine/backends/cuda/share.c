/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory that other programs, or Vulkan, share: memory of the driver's virtual memory management with a file
 * descriptor, and opaque descriptors of Vulkan.
 */
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* What rp_memory.native points to. */
typedef struct shared_block {
  CUdeviceptr base; /* of a range of addresses into which memory is mapped, or of an external buffer */
  size_t bytes;
  CUexternalMemory external; /* NULL: a range */
} shared_block;

/* ---- Mappings ---------------------------------------------------------------------------------------------------- */

static rp_status new_block(rp_cuda *cuda, shared_block **block, rp_error *err) {
  *block = rp_host_alloc(cuda->context, sizeof **block, _Alignof(shared_block));
  if (!*block) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for a block of device memory");
  **block = (shared_block){0};
  return RP_OK;
}

static void unmap(rp_cuda *cuda, const shared_block *block) {
  if (block->external) {
    if (block->base) cuda->driver.cuMemFree(block->base);
    cuda->driver.cuDestroyExternalMemory(block->external);
  } else if (block->bytes) {
    cuda->driver.cuMemUnmap(block->base, block->bytes);
    cuda->driver.cuMemAddressFree(block->base, block->bytes);
  }
}

void rp_cuda_memory_unshare(rp_cuda *cuda, rp_memory *memory) {
  shared_block *block = memory->native;
  if (rp_cuda_enter_to_give_back(cuda)) { /* else it is gone already */
    unmap(cuda, block);
    rp_cuda_leave(cuda);
  }
  rp_host_free(cuda->context, block, sizeof *block);
  *memory = (rp_memory){0};
}

/* Maps the memory, which stays as long as it is mapped anywhere. On failure nothing is mapped. */
static rp_status map(rp_cuda *cuda, CUmemGenericAllocationHandle handle, size_t bytes, shared_block *block,
                     rp_error *err) {
  const CUmemAccessDesc access = {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = cuda->device},
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUdeviceptr base = 0;
  rp_status status = RP_CUDA(cuda, err, cuMemAddressReserve, &base, bytes, 0, 0, 0);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuMemMap, base, bytes, 0, handle, 0);
  const bool mapped = status == RP_OK;
  if (mapped) status = RP_CUDA(cuda, err, cuMemSetAccess, base, bytes, &access, 1);
  if (status == RP_OK) {
    *block = (shared_block){.base = base, .bytes = bytes};
    return RP_OK;
  }
  if (mapped) cuda->driver.cuMemUnmap(base, bytes);
  cuda->driver.cuMemAddressFree(base, bytes);
  return status;
}

/* ---- Making it --------------------------------------------------------------------------------------------------- */

/* Makes memory with a descriptor, and maps it. */
static rp_status make(rp_cuda *cuda, uint64_t bytes, shared_block *block, int *fd, rp_error *err) {
  const CUmemAllocationProp what = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                    .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                    .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = cuda->device}};
  CUmemGenericAllocationHandle handle;
  size_t unit = 1;
  rp_status status = RP_CUDA(cuda, err, cuMemGetAllocationGranularity, &unit, &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  if (status != RP_OK) return status;
  if (bytes > SIZE_MAX - unit) return rp_fail(err, RP_ERR_DEVICE_MEMORY, "CUDA: a buffer of that size fits nowhere");
  const size_t whole = ((size_t)bytes + unit - 1) / unit * unit;
  const CUresult result = cuda->driver.cuMemCreate(&handle, whole, &what, 0);
  if (result == CUDA_ERROR_NOT_SUPPORTED)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "CUDA: this GPU does not share memory by file descriptors");
  status = rp_cuda_check(cuda, result, "cuMemCreate", err);
  if (status != RP_OK) return status;
  status = RP_CUDA(cuda, err, cuMemExportToShareableHandle, fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
  if (status == RP_OK) {
    (void)fcntl(*fd, F_SETFD, FD_CLOEXEC); /* fails for no open descriptor */
    status = map(cuda, handle, whole, block, err);
    if (status != RP_OK) (void)close(*fd); /* nothing is in it */
  }
  cuda->driver.cuMemRelease(handle);
  return status;
}

rp_status rp_cuda_memory_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared,
                               rp_error *err) {
  rp_cuda *cuda = state;
  shared_block *block;
  int fd = -1;
  CUuuid uuid = {0};
  rp_status status = new_block(cuda, &block, err);
  if (status != RP_OK) return status;
  status = rp_cuda_enter(cuda, err);
  if (status == RP_OK) {
    status = RP_CUDA(cuda, err, cuDeviceGetUuid, &uuid, cuda->device);
    if (status == RP_OK) status = make(cuda, bytes, block, &fd, err);
    rp_cuda_leave(cuda);
  }
  if (status != RP_OK) {
    rp_host_free(cuda->context, block, sizeof *block);
    return status;
  }
  *memory = (rp_memory){.address = block->base, .bytes = bytes, .native = block};
  *shared = (rp_shared_memory){.kind = RP_SHARE_CUDA, .fd = fd, .memory_bytes = block->bytes, .size_bytes = bytes};
  memcpy(shared->device, uuid.bytes, sizeof shared->device);
  return RP_OK;
}

/* ---- Importing it ------------------------------------------------------------------------------------------------ */

static rp_status check_device(rp_cuda *cuda, const rp_shared_memory *shared, rp_error *err) {
  static const uint8_t unknown[16];
  CUuuid uuid = {0};
  if (shared->kind != RP_SHARE_CUDA && shared->kind != RP_SHARE_VULKAN)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "CUDA devices import memory of CUDA and of Vulkan (RP_SHARE_CUDA, RP_SHARE_VULKAN) only");
  const rp_status status = RP_CUDA(cuda, err, cuDeviceGetUuid, &uuid, cuda->device);
  if (status != RP_OK || memcmp(shared->device, unknown, sizeof unknown) == 0 ||
      memcmp(shared->device, uuid.bytes, sizeof uuid.bytes) == 0)
    return status;
  return rp_fail(err, RP_ERR_MISMATCH, "the shared memory is that of another GPU");
}

/* A descriptor or sizes of somebody else: what the driver does not accept is a wrong argument. */
static rp_status check_import(rp_cuda *cuda, CUresult result, const char *what, int fd, rp_error *err) {
  if (result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_INVALID_HANDLE &&
      result != CUDA_ERROR_OPERATING_SYSTEM && result != CUDA_ERROR_UNKNOWN)
    return rp_cuda_check(cuda, result, what, err);
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: descriptor %d is no shared memory of that kind and size", what, fd);
}

static rp_status import_cuda(rp_cuda *cuda, const rp_shared_memory *m, shared_block *block, rp_error *err) {
  CUmemGenericAllocationHandle handle;
  rp_status status = check_import(cuda,
                                  cuda->driver.cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)m->fd,
                                                                              CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
                                  "cuMemImportFromShareableHandle", m->fd, err);
  if (status != RP_OK) return status;
  rp_error why = {0};
  status = map(cuda, handle, (size_t)m->memory_bytes, block, &why);
  if (status == RP_ERR_INTERNAL) /* the driver compares the size with that of the memory */
    status = rp_fail(err, RP_ERR_ARGUMENT, "the shared memory does not have the given %llu bytes: %s",
                     (unsigned long long)m->memory_bytes, why.reason);
  else if (status != RP_OK && err)
    *err = why;
  cuda->driver.cuMemRelease(handle);
  return status;
}

/* The driver takes a descriptor of its own, and only if it succeeds. */
static rp_status import_vulkan(rp_cuda *cuda, const rp_shared_memory *m, shared_block *block, rp_error *err) {
  const int fd = fcntl(m->fd, F_DUPFD_CLOEXEC, 3);
  if (fd < 0) return rp_fail(err, RP_ERR_ARGUMENT, "descriptor %d: %s", (int)m->fd, strerror(errno));
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC what = {.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
                                                 .handle = {.fd = fd},
                                                 .size = m->memory_bytes,
                                                 .flags = m->dedicated ? CUDA_EXTERNAL_MEMORY_DEDICATED : 0};
  const CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {.offset = 0, .size = m->memory_bytes};
  rp_status status = check_import(cuda, cuda->driver.cuImportExternalMemory(&block->external, &what),
                                  "cuImportExternalMemory", m->fd, err);
  if (status != RP_OK) {
    (void)close(fd); /* nothing has been written through it */
    block->external = NULL;
    return status;
  }
  block->bytes = (size_t)m->memory_bytes;
  status = RP_CUDA(cuda, err, cuExternalMemoryGetMappedBuffer, &block->base, block->external, &part);
  if (status != RP_OK) {
    block->base = 0;
    unmap(cuda, block);
  }
  return status;
}

rp_status rp_cuda_memory_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err) {
  rp_cuda *cuda = state;
  shared_block *block;
  rp_status status = new_block(cuda, &block, err);
  if (status != RP_OK) return status;
  status = rp_cuda_enter(cuda, err);
  if (status == RP_OK) {
    status = check_device(cuda, shared, err);
    if (status == RP_OK)
      status = shared->kind == RP_SHARE_CUDA ? import_cuda(cuda, shared, block, err)
                                             : import_vulkan(cuda, shared, block, err);
    rp_cuda_leave(cuda);
  }
  if (status != RP_OK) {
    rp_host_free(cuda->context, block, sizeof *block);
    return status;
  }
  *memory = (rp_memory){.address = block->base + shared->offset_bytes, .bytes = shared->size_bytes, .native = block};
  return RP_OK;
}
