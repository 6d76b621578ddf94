/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ranges of a long array, side by side, for loading files: through the caller's executor, or on threads that live only
 * as long as the call.
 */
#ifndef REPRISE_FORMATS_PARALLEL_H
#define REPRISE_FORMATS_PARALLEL_H

#include <reprise/reprise.h>

#include <pthread.h>

/* Work on elements [first, first + n). `part` counts the ranges from 0, in order. May fail. */
typedef rp_status (*g16_range_fn)(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err);

/* pthread_create for a thread that leaves the host program's signals to the program's own threads. */
int g16_thread_start(pthread_t *thread, void *(*fn)(void *), void *argument);

/* Processors that the process may run on, at least 1. */
uint32_t g16_processors(void);

/* How many ranges an array of n elements is cut into, at most `limit`: one if n is below `grain`. */
uint32_t g16_parts(const rp_executor *executor, uint64_t n, uint64_t grain, uint32_t limit);
/* Runs `fn` on `parts` ranges of nearly equal length that cover [0, n). Returns the first failure in range order.
 * `executor` NULL: own threads, as many as the process may run on. */
rp_status g16_parallel(const rp_executor *executor, uint32_t parts, uint64_t n, g16_range_fn fn, void *arg,
                       rp_error *err);

#endif
