/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The queue of rp_groth16_submit: tasks in the order of submission, and the prover's threads that make their proofs.
 */
#ifndef REPRISE_GROTH16_QUEUE_H
#define REPRISE_GROTH16_QUEUE_H

#include <reprise/graphs.h>

typedef struct g16_queue g16_queue;

/* Starts no thread. NULL when out of memory. */
g16_queue *g16_queue_new(rp_groth16_prover *prover);
/* Cancels unfinished tasks, waits until every task is finished and its callback has returned, and ends the threads.
 * Tasks that the caller still holds keep their results. NULL does nothing. */
void g16_queue_destroy(g16_queue *queue);
/* Frees only the memory, in a forked child, which does not have the threads. */
void g16_queue_forget(g16_queue *queue);

#endif
