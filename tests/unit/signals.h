/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What every layer's threads must leave alone. The layers look one way and graphs see public headers only, so that each
 * starts threads by a function of its own; what is asked of them is the same.
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

/* Starts a thread as the layer does; 0 or an errno value. */
typedef int (*signals_start_fn)(pthread_t *thread, void *(*fn)(void *), void *argument);

static void *own_mask(void *mask) {
  pthread_sigmask(SIG_BLOCK, NULL, mask);
  return NULL;
}

/* The host program's signals are for its own threads; what a thread raises itself is not blocked. */
static void signals_are_left_alone_by(signals_start_fn start) {
  sigset_t before, mask, after;
  pthread_t thread;
  pthread_sigmask(SIG_BLOCK, NULL, &before);
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
