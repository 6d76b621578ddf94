/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "watch.h"

#include <time.h>

enum { LOOKS_PER_TIME = 16 }; /* asking for the time takes as long as a few looks */

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

uint64_t support_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool support_watch(const atomic_uint *counter, unsigned seen, uint64_t timeout_ns) {
  const uint64_t begin = support_now_ns();
  do {
    for (int i = 0; i < LOOKS_PER_TIME; i++) {
      if (atomic_load_explicit(counter, memory_order_acquire) != seen) return 1;
      pause_briefly();
    }
  } while (support_now_ns() - begin < timeout_ns);
  return 0;
}
