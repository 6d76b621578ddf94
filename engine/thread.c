/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "thread.h"

#include "backend.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

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

/* On a machine with more processors than cpu_set_t has room for, all of them. */
uint32_t rp_processors(void) {
  cpu_set_t set;
  const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : (uint32_t)n;
}

void rp_cond_init(pthread_cond_t *condition) {
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attr);
  pthread_condattr_destroy(&attr);
}

struct timespec rp_deadline_after(uint64_t now_ns, uint64_t timeout_ns) {
  const uint64_t at = timeout_ns < INT64_MAX - now_ns ? now_ns + timeout_ns : INT64_MAX;
  return (struct timespec){.tv_sec = (time_t)(at / 1000000000u), .tv_nsec = (long)(at % 1000000000u)};
}

struct timespec rp_deadline(uint64_t timeout_ns) {
  return rp_deadline_after(rp_now_ns(), timeout_ns);
}
