/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What rp_groth16_submit hands proofs to: tasks in the order in which they came, and the prover's threads that make
 * them.
 */
#ifndef REPRISE_GROTH16_QUEUE_H
#define REPRISE_GROTH16_QUEUE_H

#include <reprise/graphs.h>

typedef struct g16_queue g16_queue;

/* Starts no thread. NULL when out of memory. */
g16_queue *g16_queue_new(rp_groth16_prover *prover);
/* Cancels what is unfinished, waits until every task has been completed and its callback has returned, and ends the
 * threads. Tasks that the caller still holds keep their results. NULL: nothing. */
void g16_queue_destroy(g16_queue *queue);
/* Gives back the memory alone, in a process that was forked and does not have the threads. */
void g16_queue_forget(g16_queue *queue);

#endif
