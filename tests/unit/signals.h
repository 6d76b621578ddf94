/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the threads of every layer must leave unchanged. Engine and graphs start threads by functions of their own,
 * because graphs see only the engine's public headers; the same is required of both.
 */
#ifndef REPRISE_TESTS_SIGNALS_H
#define REPRISE_TESTS_SIGNALS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>

/* Starts a thread as the layer under test does. Returns 0 or an errno value. */
typedef int (*signals_start_fn)(pthread_t *thread, void *(*fn)(void *), void *argument);

static void *own_mask(void *mask) {
  pthread_sigmask(SIG_BLOCK, NULL, mask);
  return NULL;
}

/* Threads of the library must not receive the host program's signals; signals that a thread raises itself stay
 * unblocked. */
static void signals_are_left_alone_by(signals_start_fn start) {
  sigset_t before, mask, after;
  pthread_t thread;
  sigemptyset(&before); /* whatever a start before this one has left */
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  assert_int_equal(start(&thread, own_mask, &mask), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_sigmask(SIG_BLOCK, NULL, &after);
  for (int s = 1; s < 32; s++) {
    const int is_own = s == SIGBUS || s == SIGSEGV || s == SIGFPE || s == SIGILL || s == SIGTRAP;
    if (s != SIGKILL && s != SIGSTOP) assert_int_equal(sigismember(&mask, s), !is_own);
    assert_int_equal(sigismember(&after, s), sigismember(&before, s));
  }
}

#endif
