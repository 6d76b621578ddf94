/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Host memory from a caller's allocator, or the C library's when there is none.
 */
#ifndef REPRISE_FORMATS_MEMORY_H
#define REPRISE_FORMATS_MEMORY_H

#include <reprise/reprise.h>

#include <stdlib.h>
#include <sys/mman.h>

/* Memory of so many bytes is asked for in pages of this size: the key is written once, and page faults would be a tenth
 * of the time that takes. Advice only. */
#define G16_HUGE_PAGE ((uint64_t)2 << 20)

/* 64-byte aligned, not cleared; NULL if there is none. `bytes` is rounded up to a multiple of 64 and must not be 0. */
static inline void *g16_alloc(const rp_allocator *allocator, uint64_t *bytes) {
  if (*bytes > SIZE_MAX - 64) return NULL;
  *bytes = (*bytes + 63) & ~(uint64_t)63;
  if (allocator && allocator->alloc) return allocator->alloc(allocator->user, (size_t)*bytes, 64);
  if (*bytes < 2 * G16_HUGE_PAGE) return aligned_alloc(64, (size_t)*bytes);
  void *memory = NULL; /* posix_memalign: a multiple of the alignment is not asked for */
  if (posix_memalign(&memory, G16_HUGE_PAGE, (size_t)*bytes) != 0) return NULL;
  madvise(memory, (size_t)(*bytes & ~(G16_HUGE_PAGE - 1)), MADV_HUGEPAGE);
  return memory;
}

static inline void g16_free(const rp_allocator *allocator, void *memory, uint64_t bytes) {
  if (!memory) return;
  if (allocator && allocator->free)
    allocator->free(allocator->user, memory, (size_t)bytes);
  else
    free(memory);
}

#endif
