/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A few threads that live as long as a prover and share its work on the host, so that a proof starts none. They sleep
 * between jobs. Several callers may have jobs at once; each caller works on its own job alone and is never held up by
 * another's, since it can always finish the job without help.
 */
#ifndef REPRISE_GROTH16_CREW_H
#define REPRISE_GROTH16_CREW_H

#include <reprise/reprise.h>

typedef struct g16_crew g16_crew;

/* `threads` besides the caller's own, at least 1. With fewer than asked for, or none, if the system gives no more: the
 * work is the same, only slower. NULL when out of memory. */
g16_crew *g16_crew_new(uint32_t threads);
/* Ends the threads. No job may be under way. NULL: nothing. */
void g16_crew_destroy(g16_crew *crew);
/* Gives back the memory alone, in a process that was forked and does not have the threads. */
void g16_crew_forget(g16_crew *crew);
/* The crew as an executor, valid as long as the crew; NULL for NULL. Tasks of a job are begun in order. */
const rp_executor *g16_crew_executor(const g16_crew *crew);

#endif
