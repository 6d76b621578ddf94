/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Host memory from the caller's allocator, or from the C library if there is none.
 */
#ifndef REPRISE_FORMATS_MEMORY_H
#define REPRISE_FORMATS_MEMORY_H

#include <reprise/reprise.h>

#include <stdlib.h>
#include <sys/mman.h>

/* Large blocks are requested in pages of this size (advice only): a key is written once, and page faults of small pages
 * would take a tenth of that time. */
#define G16_HUGE_PAGE ((uint64_t)2 << 20)

/* Aligned to 64 bytes, not cleared; NULL when out of memory. *bytes must not be 0; it is rounded up to a multiple of
 * 64. */
static inline void *g16_alloc(const rp_allocator *allocator, uint64_t *bytes) {
  if (*bytes > SIZE_MAX - 64) return NULL;
  *bytes = (*bytes + 63) & ~(uint64_t)63;
  if (allocator && allocator->alloc) return allocator->alloc(allocator->user, (size_t)*bytes, 64);
  if (*bytes < 2 * G16_HUGE_PAGE) return aligned_alloc(64, (size_t)*bytes);
  void *memory = NULL; /* unlike aligned_alloc, it accepts any size */
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
