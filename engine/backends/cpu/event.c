/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An event count on a futex: waiting costs nothing while nobody sleeps. The sequentially consistent order of (sleepers
 * up, epoch read by the kernel) against (epoch up, sleepers read) makes sure that one of the two sides sees the other.
 */
#include "cpu.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

uint32_t cpu_event_key(const cpu_event *event) { return atomic_load(&event->epoch); }

bool cpu_event_spin(const cpu_event *event, uint32_t key) {
  for (int i = 0; i < 16; i++) {
    if (atomic_load_explicit(&event->epoch, memory_order_acquire) != key) return 1;
    pause_briefly();
  }
  return 0;
}

void cpu_event_wait(cpu_event *event, uint32_t key, uint64_t spin_ns, uint64_t deadline_ns) {
  if (spin_ns) {
    for (uint64_t until = rp_now_ns() + spin_ns; rp_now_ns() < until;)
      if (cpu_event_spin(event, key)) return;
  }
  struct timespec span, *timeout = NULL;
  if (deadline_ns != UINT64_MAX) {
    uint64_t now = rp_now_ns();
    if (now >= deadline_ns) return;
    span.tv_sec = (time_t)((deadline_ns - now) / 1000000000u);
    span.tv_nsec = (long)((deadline_ns - now) % 1000000000u);
    timeout = &span;
  }
  atomic_fetch_add(&event->sleepers, 1);
  /* A signal, a change of `epoch` or the timeout may have ended the wait: the caller looks again. */
  (void)syscall(SYS_futex, &event->epoch, FUTEX_WAIT_PRIVATE, key, timeout, NULL, 0);
  atomic_fetch_sub(&event->sleepers, 1);
}

void cpu_event_notify(cpu_event *event, uint32_t threads) {
  atomic_fetch_add(&event->epoch, 1);
  if (atomic_load(&event->sleepers) == 0) return;
  int n = threads > INT_MAX ? INT_MAX : (int)threads;
  /* The result says only how many threads woke. */
  (void)syscall(SYS_futex, &event->epoch, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}
