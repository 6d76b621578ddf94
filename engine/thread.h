/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Threads of the library's own.
 */
#ifndef REPRISE_ENGINE_THREAD_H
#define REPRISE_ENGINE_THREAD_H

#include <pthread.h>

/* pthread_create, with the host program's signals blocked in the new thread: they are for the program's own threads.
 * Not those that a thread's own instruction raises: blocked, they would end the process before the program's handler is
 * asked. */
int rp_thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *argument);

#endif
