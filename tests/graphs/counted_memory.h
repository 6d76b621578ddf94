/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a call takes from the C library: for programs that are linked with --wrap for malloc, calloc, realloc,
 * aligned_alloc and free. And how small a stack may be that it runs on. One source file of a program includes it.
 */
#ifndef REPRISE_TESTS_COUNTED_MEMORY_H
#define REPRISE_TESTS_COUNTED_MEMORY_H

#include <malloc.h>
#include <stddef.h>

#if defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define HAS_SANITIZER 0
#endif
enum { STACK = HAS_SANITIZER ? 1 << 20 : 128 << 10 }; /* sanitizers widen every frame */

static size_t live_bytes, peak_bytes, allocations;

static void *taken(void *memory) {
  if (!memory) return NULL;
  allocations++;
  live_bytes += malloc_usable_size(memory);
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  return memory;
}
#define WRAP(type, name, parameters) \
  type __real_##name parameters;     \
  type __wrap_##name parameters;     \
  type __wrap_##name parameters
WRAP(void *, malloc, (size_t n)) { return taken(__real_malloc(n)); }
WRAP(void *, calloc, (size_t n, size_t m)) { return taken(__real_calloc(n, m)); }
WRAP(void *, aligned_alloc, (size_t align, size_t n)) { return taken(__real_aligned_alloc(align, n)); }
WRAP(void, free, (void *memory)) {
  if (memory) live_bytes -= malloc_usable_size(memory);
  __real_free(memory);
}
WRAP(void *, realloc, (void *old, size_t n)) {
  const size_t before = old ? malloc_usable_size(old) : 0;
  void *memory = __real_realloc(old, n);
  if (memory) live_bytes -= before;
  return taken(memory);
}

#endif
