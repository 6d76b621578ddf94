/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Host memory from a caller's allocator, or the C library's when there is none.
 */
#ifndef REPRISE_GROTH16_MEMORY_H
#define REPRISE_GROTH16_MEMORY_H

#include <reprise/reprise.h>

#include <stdlib.h>

/* 64-byte aligned, not cleared; NULL if there is none. `bytes` is rounded up to a multiple of 64 and must not be 0. */
static inline void *g16_alloc(const rp_allocator *allocator, uint64_t *bytes) {
  if (*bytes > SIZE_MAX - 64) return NULL;
  *bytes = (*bytes + 63) & ~(uint64_t)63;
  if (allocator && allocator->alloc) return allocator->alloc(allocator->user, (size_t)*bytes, 64);
  return aligned_alloc(64, (size_t)*bytes);
}

static inline void g16_free(const rp_allocator *allocator, void *memory, uint64_t bytes) {
  if (!memory) return;
  if (allocator && allocator->free)
    allocator->free(allocator->user, memory, (size_t)bytes);
  else
    free(memory);
}

#endif
