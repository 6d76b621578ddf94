/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory of the fake driver that programs share: memfds, which are mapped where the driver was told to map them.
 * Descriptors of Vulkan are memfds, too.
 */
#include "fake_state.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FAKE_CALL FAKE_API CUresult CUDAAPI
enum { UNIT = 2 << 20 };

void fake_unmap(fake_object *o) {
  if (o->kind == FAKE_HANDLE || o->kind == FAKE_EXTERNAL) close(o->fd);
  if (o->mapped)
    munmap(o->memory, o->bytes);
  else
    free(o->memory);
}

FAKE_CALL cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  FAKE_ENTER(0);
  memset(uuid, 1 + device, sizeof *uuid);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *what,
                                        CUmemAllocationGranularity_flags option) {
  (void)what, (void)option;
  FAKE_ENTER(0);
  *bytes = UNIT;
  return fake_leave(CUDA_SUCCESS);
}

/* ---- Handles ----------------------------------------------------------------------------------------------------- */

static CUmemGenericAllocationHandle new_handle(int fd) {
  fake_object *o = fake_new(FAKE_HANDLE, fake_current());
  o->fd = fd;
  return (CUmemGenericAllocationHandle)(uintptr_t)o;
}

static fake_object *handle_of(CUmemGenericAllocationHandle handle, const char *function) {
  return fake_find((const void *)(uintptr_t)handle, FAKE_HANDLE, function);
}

FAKE_CALL cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *what,
                      unsigned long long flags) {
  FAKE_ENTER(1);
  const int device = fake_current()->device;
  if (flags || bytes % UNIT || what->requestedHandleTypes != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      what->type != CU_MEM_ALLOCATION_TYPE_PINNED || what->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      what->location.id != device)
    fake_violate(__func__, "no memory of the current device that can be shared, in whole units");
  if (fake.apart) return fake_leave(CUDA_ERROR_NOT_SUPPORTED);
  if (bytes > fake.memory - fake.used[device]) return fake_leave(CUDA_ERROR_OUT_OF_MEMORY);
  const int fd = memfd_create("fake", 0);
  if (fd < 0 || ftruncate(fd, (off_t)bytes)) abort();
  *handle = new_handle(fd);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemRelease(CUmemGenericAllocationHandle handle) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = handle_of(handle, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}

FAKE_CALL cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                       CUmemAllocationHandleType type, unsigned long long flags) {
  FAKE_ENTER(1);
  fake_object *o = handle_of(handle, __func__);
  if (!o || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  *(int *)shareable = dup(o->fd);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                         CUmemAllocationHandleType type) {
  FAKE_ENTER(1);
  const int fd = (int)(intptr_t)shareable;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || fcntl(fd, F_GET_SEALS) < 0)
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  *handle = new_handle(dup(fd));
  return fake_leave(CUDA_SUCCESS);
}

/* ---- Ranges of addresses ----------------------------------------------------------------------------------------- */

static fake_object *range_at(CUdeviceptr base, size_t bytes, const char *function) {
  for (fake_object *o = fake.objects; o; o = o->next)
    if (o->kind == FAKE_RANGE && (CUdeviceptr)o->memory == base && o->bytes == bytes && o->context == fake_current())
      return o;
  fake_violate(function, "no such range of addresses of this context");
  return NULL;
}

FAKE_CALL cuMemAddressReserve(CUdeviceptr *base, size_t bytes, size_t align, CUdeviceptr wish,
                              unsigned long long flags) {
  FAKE_ENTER(1);
  if (align || wish || flags || bytes % UNIT) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  fake_object *o = fake_new(FAKE_RANGE, fake_current());
  o->bytes = bytes;
  o->memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  o->mapped = 1;
  *base = (CUdeviceptr)o->memory;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemAddressFree(CUdeviceptr base, size_t bytes) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = range_at(base, bytes, __func__);
  if (fake_find_memory((void *)base, 0)) fake_violate(__func__, "memory is mapped there");
  if (o) fake_delete(o);
  return fake_leave(told);
}

static fake_object *map(void *at, int fd, uint64_t offset, size_t bytes, int protection) {
  fake_object *o = fake_new(FAKE_MEMORY, fake_current());
  o->bytes = bytes;
  o->memory = mmap(at, bytes, protection, MAP_SHARED | (at ? MAP_FIXED : 0), fd, (off_t)offset);
  if (o->memory == MAP_FAILED) abort();
  o->mapped = 1;
  fake.used[o->device] += bytes;
  return o;
}

static uint64_t bytes_of(int fd) {
  struct stat info;
  return fstat(fd, &info) ? 0 : (uint64_t)info.st_size;
}

FAKE_CALL cuMemMap(CUdeviceptr base, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                   unsigned long long flags) {
  FAKE_ENTER(1);
  const fake_object *memory = handle_of(handle, __func__), *range = range_at(base, bytes, __func__);
  if (!memory || !range || offset || flags || bytes != bytes_of(memory->fd))
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  map((void *)base, memory->fd, 0, bytes, PROT_NONE);
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemSetAccess(CUdeviceptr base, size_t bytes, const CUmemAccessDesc *access, size_t n) {
  FAKE_ENTER(1);
  const fake_object *o = fake_find_memory((void *)base, bytes);
  if (!o || n != 1 || access->location.id != o->device || access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  if (mprotect(o->memory, bytes, PROT_READ | PROT_WRITE)) abort();
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuMemUnmap(CUdeviceptr base, size_t bytes) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find_memory((void *)base, bytes);
  if (!o || o->bytes != bytes || !o->mapped || !range_at(base, bytes, __func__))
    fake_violate(__func__, "nothing is mapped there");
  else {
    o->memory = NULL;
    o->mapped = 0;
    fake_delete(o);
    if (mmap((void *)base, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
      abort();
  }
  return fake_leave(told);
}

/* ---- Memory of another API --------------------------------------------------------------------------------------- */

FAKE_CALL cuImportExternalMemory(CUexternalMemory *memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *what) {
  FAKE_ENTER(1);
  if (what->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD || fcntl(what->handle.fd, F_GET_SEALS) < 0 ||
      bytes_of(what->handle.fd) != what->size)
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
  fake_object *o = fake_new(FAKE_EXTERNAL, fake_current());
  o->fd = what->handle.fd;
  *memory = (CUexternalMemory)o;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuExternalMemoryGetMappedBuffer(CUdeviceptr *pointer, CUexternalMemory memory,
                                          const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *part) {
  FAKE_ENTER(1);
  const fake_object *o = fake_find((const void *)memory, FAKE_EXTERNAL, __func__);
  if (!o || part->offset || part->size > bytes_of(o->fd)) return fake_leave(CUDA_ERROR_INVALID_VALUE);
  *pointer = (CUdeviceptr)map(NULL, o->fd, 0, part->size, PROT_READ | PROT_WRITE)->memory;
  return fake_leave(CUDA_SUCCESS);
}

FAKE_CALL cuDestroyExternalMemory(CUexternalMemory memory) {
  const CUresult told = fake_enter_named(__func__);
  fake_object *o = fake_find((const void *)memory, FAKE_EXTERNAL, __func__);
  if (o) fake_delete(o);
  return fake_leave(told);
}
