/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The line of calls of rp_run_begin that wait for memory of a device. Threads that have runs which they have not ended
 * come first, since others may be waiting for these runs; among threads with runs, and among those without, the order
 * is first come, first served.
 */
#ifndef REPRISE_ENGINE_LINE_H
#define REPRISE_ENGINE_LINE_H

#include "recording.h"

typedef struct rp_waiter {
  struct rp_waiter *next;
  rp_recording *recording;
  uintptr_t thread;
  uint64_t ticket;
  int holds;   /* the thread has runs on the device that it has not ended */
  int in_line; /* see rp_line_wait_turn */
  int turn;    /* it may take a slot of a loaded recording: the line was empty, it holds runs, or it is the first */
  struct timespec deadline;
  struct timespec check; /* when it checks whether it waits in vain */
  int expired;           /* its time is over: it waits no more */
} rp_waiter;

/* Initialises `waiter` for a call; timeout_ns as in rp_run_begin. */
void rp_line_arrive(rp_waiter *waiter, rp_recording *recording, uint64_t timeout_ns);
/* Joins the line and waits until it is the first, then sets `turn`; or sets `expired`. It stays in the line. */
void rp_line_wait_turn(rp_waiter *waiter);
/* Before a call whose time is over leaves the line: the next call for the recording gets its place, if it comes soon.
 * Otherwise callers that wait in short steps would be passed by all others for ever. */
void rp_line_keep_place(rp_waiter *waiter);
void rp_line_leave(rp_waiter *waiter);
/* The device's count of news, to be read before the first in the line tries to load its recording. */
uint64_t rp_line_news(rp_waiter *waiter);
/* Called by the first in the line when runs hold the memory that it needs: waits until the count of news differs from
 * `news` or another call has come before it, or sets `expired`. 0: waiting is useless, because too much memory is held
 * by runs of threads that are in the line themselves, this one among them. */
int rp_line_wait_memory(rp_waiter *waiter, uint64_t news);

/* Enters a run that has begun into the device's list, and removes one that has ended. */
void rp_line_take(rp_run *run);
void rp_line_give(rp_run *run);
/* A run of the device that follows this one and is not finished; NULL if there is none. */
rp_run *rp_line_follower(rp_run *run);

#endif
