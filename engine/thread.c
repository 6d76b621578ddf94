/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "thread.h"

#include <signal.h>

int rp_thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *argument) {
  static const int own[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP};
  sigset_t all, old;
  sigfillset(&all);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  const int error = pthread_create(thread, attributes, fn, argument);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return error;
}
