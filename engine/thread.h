/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The library's own threads.
 */
#ifndef REPRISE_ENGINE_THREAD_H
#define REPRISE_ENGINE_THREAD_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* pthread_create, with signals blocked in the new thread, since they are for the program's own threads. Signals that an
 * instruction of the thread itself raises stay unblocked: if they were blocked, they would end the process without
 * calling the program's handler. */
int rp_thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *argument);

/* How many processors the calling thread may use, at least 1. */
uint32_t rp_processors(void);

/* A condition whose timed waits take times of CLOCK_MONOTONIC, and such a time: timeout_ns after `now_ns` (rp_now_ns),
 * or from now, or never. */
void rp_cond_init(pthread_cond_t *condition);
struct timespec rp_deadline_after(uint64_t now_ns, uint64_t timeout_ns);
struct timespec rp_deadline(uint64_t timeout_ns);

#endif
