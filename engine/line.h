/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The lines of calls that begin a run: one per device, of those that wait for its memory, and one per recording, of
 * those that wait for a slot. Threads that have runs which they have not ended come first, since others may be waiting
 * for these runs; then higher priorities, earlier deadlines, and earlier calls. A call that many later calls have
 * overtaken is not overtaken again.
 */
#ifndef REPRISE_ENGINE_LINE_H
#define REPRISE_ENGINE_LINE_H

#include "recording.h"

enum { RP_LINE_MEMORY, RP_LINE_SLOTS, RP_LINES };

typedef struct rp_waiter {
  struct rp_waiter *next[RP_LINES];
  rp_recording *recording;
  uintptr_t thread;
  int32_t priority;
  uint64_t due_ns; /* the deadline as a time; UINT64_MAX: none */
  uint64_t ticket;
  uint32_t passed;      /* later calls that were placed before it */
  pthread_cond_t woken; /* for a slot; made when `sleeps` becomes 1 */
  bool sleeps;
  bool holds;   /* the thread has runs on the device that it has not ended */
  bool in_line; /* see rp_line_wait_turn */
  bool turn;    /* it may take a slot of a loaded recording: the line was empty, it holds runs, or it is the first */
  struct timespec deadline;
  struct timespec check; /* when it checks whether it waits in vain */
  bool expired;          /* its time is over: it waits no more */
} rp_waiter;

/* Initialises `waiter` for a call. */
void rp_line_arrive(rp_waiter *waiter, rp_recording *recording, const rp_begin_options *options);
/* With recording->lock held: joins and leaves the line for slots, whose first may take one, and wakes the first, or
 * everybody. */
void rp_line_join_slots(rp_waiter *waiter);
void rp_line_leave_slots(rp_waiter *waiter);
void rp_line_wake_first(rp_recording *recording);
void rp_line_wake_all(rp_recording *recording);
/* Waits until it is woken, or sets `expired`. */
void rp_line_sleep(rp_waiter *waiter);
/* Joins the line and waits until it is the first, then sets `turn`; or sets `expired`. It stays in the line. */
void rp_line_wait_turn(rp_waiter *waiter);
/* Before a call whose time is over leaves the line: the next call for the recording gets its place, if it comes soon.
 * Otherwise callers that wait in short steps would be passed by all others for ever. */
void rp_line_keep_place(rp_waiter *waiter);
void rp_line_leave(rp_waiter *waiter);
/* The device's count of news, to be read before the first in the line tries to load its recording. */
uint64_t rp_line_news(rp_waiter *waiter);
/* Called by the first in the line when runs hold the memory that it needs: waits until the count of news differs from
 * `news` or another call has come before it, or sets `expired`. False: waiting is useless, because too much memory is
 * held by runs of threads that are in the line themselves, this one among them. */
bool rp_line_wait_memory(rp_waiter *waiter, uint64_t news);

/* Enters a run that has begun into the device's list, and removes one that has ended. */
void rp_line_take(rp_run *run);
void rp_line_give(rp_run *run);
/* A run of the device that follows this one and is not finished; NULL if there is none. */
rp_run *rp_line_follower(rp_run *run);

#endif
