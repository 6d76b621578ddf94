/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The line of calls of rp_run_begin that wait for memory of a device. Threads that have runs which they have not ended
 * stand in front, since others may wait for these; among those with runs, and among those without, the first that came
 * is the first.
 */
#ifndef REPRISE_ENGINE_LINE_H
#define REPRISE_ENGINE_LINE_H

#include "recording.h"

typedef struct rp_waiter {
  struct rp_waiter *next;
  rp_recording *recording;
  uintptr_t thread;
  uint64_t ticket;
  int holds;   /* the thread has runs of the device that it has not ended */
  int in_line; /* see rp_line_wait_turn */
  int turn;    /* it may take a slot of a recording that is loaded: nobody came before it, or it has been the first */
  struct timespec deadline;
  int expired; /* nothing more is waited for */
} rp_waiter;

/* A call arrives; timeout_ns as in rp_run_begin. */
void rp_line_arrive(rp_waiter *waiter, rp_recording *recording, uint64_t timeout_ns);
/* Waits in the line until all before it are served; sets `turn`, or `expired`. It stays in the line. */
void rp_line_wait_turn(rp_waiter *waiter);
void rp_line_leave(rp_waiter *waiter);
/* What the first in the line knows before it tries to load its recording. */
uint64_t rp_line_news(rp_waiter *waiter);
/* The first in the line, which found memory held by runs, waits for other news than those, or sets `expired`. 0: there
 * can be none, for all that it needs is held by runs of threads that stand in the line, its own among them. */
int rp_line_wait_memory(rp_waiter *waiter, uint64_t news);

/* A run begins, and ends. */
void rp_line_take(rp_run *run);
void rp_line_give(rp_run *run);

#endif
