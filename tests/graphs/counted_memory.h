/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Measures the memory of the C library and the processor time that a call takes on a small stack. For programs that are
 * linked with --wrap for malloc, calloc, realloc, aligned_alloc and free. One source file of a program includes it,
 * after cmocka.h.
 */
#ifndef REPRISE_TESTS_COUNTED_MEMORY_H
#define REPRISE_TESTS_COUNTED_MEMORY_H

#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

#if defined(__has_feature)
#define HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define HAS_SANITIZER 0
#endif
enum { STACK = HAS_SANITIZER ? 1 << 20 : 128 << 10 }; /* sanitizers make every stack frame larger */

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

/* ---- One call, on a small stack ---------------------------------------------------------------------------------- */

typedef struct cost {
  size_t peak, allocations; /* in the last repetition */
  double seconds;           /* the least of several repetitions, so that a busy machine changes little */
} cost;
typedef struct measured {
  void (*run)(void *arg);
  void *arg;
  cost cost;
} measured;

static void *measure(void *user) {
  measured *m = user;
  struct timespec begin, end;
  live_bytes = peak_bytes = allocations = 0;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  m->run(m->arg);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  const double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
  m->cost.peak = peak_bytes;
  m->cost.allocations = allocations;
  if (m->cost.seconds == 0 || seconds < m->cost.seconds) m->cost.seconds = seconds;
  return NULL;
}

/* Calls `run` several times, each time on a new thread with a stack of STACK bytes. */
static cost cost_of(void (*run)(void *arg), void *arg) {
  enum { REPEATS = 3 };
  measured m = {.run = run, .arg = arg};
  pthread_attr_t attributes;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
  for (int i = 0; i < REPEATS; i++) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, &attributes, measure, &m), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
  }
  pthread_attr_destroy(&attributes);
  return m.cost;
}

#endif
