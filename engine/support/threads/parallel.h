/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Work on ranges of a long array in parallel, for loading files: by the caller's executor, or by threads that live only
 * during the call.
 */
#ifndef REPRISE_SUPPORT_PARALLEL_H
#define REPRISE_SUPPORT_PARALLEL_H

#include <reprise/reprise.h>

#include <pthread.h>

/* Works on elements [first, first + n). `part` numbers the ranges from 0, in order. May fail. */
typedef rp_status (*support_range_fn)(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err);

/* pthread_create, with signals blocked in the new thread, since they are for the program's own threads. */
int support_thread_start(pthread_t *thread, void *(*fn)(void *), void *argument);

/* Number of processors that the process may run on, at least 1. */
uint32_t support_processors(void);

/* The number of ranges for an array of n elements: at most `limit`, and one if n is below `grain`. */
uint32_t support_parts(const rp_executor *executor, uint64_t n, uint64_t grain, uint32_t limit);
/* Runs `fn` on `parts` ranges of nearly equal length that cover [0, n). Returns the first failure in range order. If
 * `executor` is NULL, uses one thread per processor that the process may run on. */
rp_status support_parallel(const rp_executor *executor, uint32_t parts, uint64_t n, support_range_fn fn, void *arg,
                           rp_error *err);

#endif
