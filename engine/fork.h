/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The mark by which a context knows its process (rp_context.here).
 */
#ifndef REPRISE_ENGINE_FORK_H
#define REPRISE_ENGINE_FORK_H

/* A byte that is 1 in this process and 0 in a child that is forked from it; NULL if the system has no such pages. */
volatile unsigned char *rp_process_mark(void);
void rp_process_unmark(volatile unsigned char *mark);

#endif
