/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs a part of a test in a child of a fork, with an alarm, so that a hang is reported as a failure.
 */
#ifndef REPRISE_TESTS_FORK_CHILD_H
#define REPRISE_TESTS_FORK_CHILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/reprise.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 300 };

/* For use in a child: prints where the condition fails, and ends the child. cmocka's assertions would continue with the
 * parent's tests. */
#define CHILD_CHECK(condition)                                                 \
  do {                                                                         \
    if (!(condition)) {                                                        \
      dprintf(2, "%s:%d: in the child: %s\n", __FILE__, __LINE__, #condition); \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

/* The call must be refused, with a sentence that says why. */
#define CHILD_REFUSED(call, error)                                                                         \
  do {                                                                                                     \
    *(error) = (rp_error){0};                                                                              \
    const rp_status refused_ = (call);                                                                     \
    if (refused_ != RP_ERR_STATE) dprintf(2, "%s: %s\n", rp_status_name(refused_), (error)->reason);       \
    CHILD_CHECK(refused_ == RP_ERR_STATE && (error)->status == RP_ERR_STATE);                              \
    CHILD_CHECK(strstr((error)->reason, "forked") != NULL && strstr((error)->reason, "create a context")); \
  } while (0)

/* For use in a child: the signal ends it, even if the parent process ignored or blocked the signal. */
static inline void child_ends_by(int number) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  signal(number, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
}

static inline void child_wait(pid_t child, int *state) {
  pid_t ended;
  do ended = waitpid(child, state, 0);
  while (ended < 0 && errno == EINTR);
  assert_int_equal(ended, child);
}

/* The exit code of a child that cannot make its test here. */
enum { CHILD_SKIPS = 77 };

/* Returns 0 if the child could not make its test. */
static inline int in_child_or_skip(void (*work)(void *), void *arg) {
  int state;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    child_ends_by(SIGALRM);
    alarm(CHILD_SECONDS);
    work(arg);
    _exit(0);
  }
  child_wait(child, &state);
  if (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM) fail_msg("the child hung");
  if (WIFSIGNALED(state)) fail_msg("the child died of signal %d", WTERMSIG(state));
  if (WEXITSTATUS(state) == CHILD_SKIPS) return 0;
  assert_int_equal(WEXITSTATUS(state), 0);
  return 1;
}

static inline void in_child(void (*work)(void *), void *arg) { assert_true(in_child_or_skip(work, arg)); }

#endif
