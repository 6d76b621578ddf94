/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The thread that proves: batches go in, and come out in the same order. It holds at most two batches, one of which
 * waits.
 */
#ifndef REPRISE_FARM_PROVE_THREAD_H
#define REPRISE_FARM_PROVE_THREAD_H

#include "worker.h"

#include <pthread.h>

typedef struct farm_prove_thread {
  const farm_prover *prover;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  farm_batch *waiting, *running, *done; /* `done` is a list, the first at its head */
  double seconds_per_job;               /* measured; 0: not yet */
  bool has_ended;
  int event_fd; /* readable when a batch came out */
} farm_prove_thread;

rp_status farm_prove_thread_begin(farm_prove_thread *t, const farm_prover *prover, rp_error *err);
/* Waits for the batch that is being proved; frees what is left. */
void farm_prove_thread_end(farm_prove_thread *t);
bool farm_prove_thread_has_room(farm_prove_thread *t); /* 1: a batch may be put in */
void farm_prove_thread_put(farm_prove_thread *t, farm_batch *batch);
farm_batch *farm_prove_thread_take(farm_prove_thread *t);   /* NULL: none is done */
farm_batch *farm_prove_thread_recall(farm_prove_thread *t); /* the one that waits; NULL: none */
bool farm_prove_thread_is_empty(farm_prove_thread *t);      /* nothing inside */

#endif
