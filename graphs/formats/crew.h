/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A few threads that live as long as a prover and share its work on the host, so that no proof starts threads. They
 * sleep between jobs. Several callers may have jobs at once; each caller works only on its own job and never waits for
 * another's, since it can always finish its job without help.
 */
#ifndef REPRISE_FORMATS_CREW_H
#define REPRISE_FORMATS_CREW_H

#include <reprise/op.h>

typedef struct g16_crew g16_crew;

/* Starts `threads` threads, at least 1, in addition to the caller's. If the system gives fewer, or none, everything
 * works, but slower. NULL when out of memory. */
g16_crew *g16_crew_new(rp_context *context, uint32_t threads);
/* Ends the threads. No job may be running. NULL does nothing. */
void g16_crew_destroy(g16_crew *crew);
/* The crew as an executor, valid as long as the crew; NULL for NULL. The tasks of a job begin in order. */
const rp_executor *g16_crew_executor(const g16_crew *crew);

/* Who copies and checks the witnesses of a prover: the caller's executor, a crew, or, if `executor` is NULL, the thread
 * that proves. It must not be moved between begin and end. */
typedef struct g16_copiers {
  const rp_executor *executor;
  rp_executor callers;
  g16_crew *crew;
} g16_copiers;

/* For witnesses of n values that are copied to `device`. `callers` may be NULL; it is copied. On failure there is
 * nothing to end. */
rp_status g16_copiers_begin(g16_copiers *copiers, rp_device *device, const rp_executor *callers, uint64_t n,
                            rp_error *err);
/* No witness may be being copied. In a forked child, which does not have the threads, only memory is freed. A zeroed
 * struct is accepted, and nothing is done. */
void g16_copiers_end(g16_copiers *copiers, const rp_context *context);

#endif
