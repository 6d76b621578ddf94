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
/* Frees only the memory, in a forked child, which does not have the threads. */
void g16_crew_forget(g16_crew *crew);
/* The crew as an executor, valid as long as the crew; NULL for NULL. The tasks of a job begin in order. */
const rp_executor *g16_crew_executor(const g16_crew *crew);

#endif
