/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The library's own threads.
 */
#ifndef REPRISE_ENGINE_THREAD_H
#define REPRISE_ENGINE_THREAD_H

#include <pthread.h>

/* pthread_create, with signals blocked in the new thread, since they are for the program's own threads. Signals that an
 * instruction of the thread itself raises stay unblocked: if they were blocked, they would end the process without
 * calling the program's handler. */
int rp_thread_start(pthread_t *thread, const pthread_attr_t *attributes, void *(*fn)(void *), void *argument);

#endif
