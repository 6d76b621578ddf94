/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Device memory of the CPU comes from the context's allocator, in whole pages; so does staging.
 */
#include "cpu.h"

#include "secret.h"

#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

/* The size of whole pages that hold so many bytes: secrets share no page with anything else. */
static size_t in_pages(uint64_t bytes) {
  const size_t page = rp_page_bytes();
  return (size_t)((bytes + page - 1) & ~(uint64_t)(page - 1));
}

rp_status cpu_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  cpu_device *device = state;
  uint64_t most = device->info.limits.max_allocation_bytes;
  (void)kind;
  if (bytes > most)
    return rp_fail(err, RP_ERR_DEVICE_MEMORY, "a block of %llu bytes does not fit in this machine's %llu bytes",
                   (unsigned long long)bytes, (unsigned long long)most);
  /* Pages of 2 MiB avoid most TLB misses in large tables. This is only advice, so it may fail. */
  bool large = bytes >= 2 * HUGE_PAGE;
  void *p = rp_host_alloc(device->context, in_pages(bytes), large ? HUGE_PAGE : rp_page_bytes());
  if (!p) return rp_fail(err, RP_ERR_DEVICE_MEMORY, "out of memory: a block of %llu bytes", (unsigned long long)bytes);
  if (large) (void)madvise(p, (size_t)bytes & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
  *memory = (rp_memory){.address = (uint64_t)(uintptr_t)p, .host = p, .bytes = bytes};
  return RP_OK;
}

void cpu_memory_free(void *state, rp_memory *memory) {
  cpu_device *device = state;
  if (memory->native) {
    cpu_memory_unmap(memory);
    return;
  }
  rp_host_free(device->context, memory->host, in_pages(memory->bytes));
  *memory = (rp_memory){0};
}

/* Kernels read whatever the process can read. */
bool cpu_memory_lends(void *state, const void *host, uint64_t bytes) {
  (void)state;
  return host && bytes;
}

rp_status cpu_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err) {
  (void)state;
  if (!native) return rp_fail(err, RP_ERR_ARGUMENT, "the memory to wrap is NULL");
  if (bytes > UINTPTR_MAX - (uintptr_t)native)
    return rp_fail(err, RP_ERR_ARGUMENT, "the memory to wrap, %llu bytes, does not fit in the address space",
                   (unsigned long long)bytes);
  *memory = (rp_memory){.address = (uint64_t)(uintptr_t)native, .host = native, .bytes = bytes};
  return RP_OK;
}

static rp_status check_range(const rp_memory *memory, uint64_t offset, uint64_t bytes, rp_error *err) {
  if (offset <= memory->bytes && bytes <= memory->bytes - offset) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "the bytes from %llu on, %llu of them, are not inside a block of %llu bytes",
                 (unsigned long long)offset, (unsigned long long)bytes, (unsigned long long)memory->bytes);
}

rp_status cpu_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                           rp_error *err) {
  (void)state;
  rp_status status = check_range(memory, offset, bytes, err);
  if (status == RP_OK && bytes) memcpy((char *)memory->host + offset, data, (size_t)bytes);
  return status;
}

rp_status cpu_memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                          rp_error *err) {
  (void)state;
  rp_status status = check_range(memory, offset, bytes, err);
  if (status == RP_OK && bytes) memcpy(data, (const char *)memory->host + offset, (size_t)bytes);
  return status;
}
