/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The thread of a run slot that waits for the runs which ask to be told of their end (rp_submit_options.done). While it
 * waits for a run, it alone calls the backend for that run, `cancel` excepted; those who want the result wait for it.
 */
#ifndef REPRISE_ENGINE_WATCHER_H
#define REPRISE_ENGINE_WATCHER_H

#include "recording.h"

#include <reprise/host_program.h>

struct rp_watcher {
  pthread_t thread;
  pthread_mutex_t lock; /* guards the fields below, and the end of the run (run.c, rp_run_wait) */
  pthread_cond_t moved; /* one of them has changed */
  rp_run *run;
  bool watching; /* a run has been submitted, whose end has not come */
  bool arrived;  /* it has come; the five fields below `fd` say how */
  bool calling;  /* the callback is being called, or the descriptor written to */
  bool quit;
  rp_done_fn done;
  void *user;
  int fd;
  rp_status status;
  rp_error_record fault;
  rp_error why;
  uint64_t end_ns;
};

/* Before the submission: makes the slot's watcher, unless there is one, and tells it whom to tell. */
rp_status rp_watcher_prepare(rp_run *run, const rp_submit_options *options, rp_error *err);
/* After it; from here on the callback may end the run. */
void rp_watcher_begin(rp_run *run);
/* Waits, with the lock held, until the run's end has come; false if the time was over before. */
bool rp_watcher_wait(rp_watcher *watcher, uint64_t timeout_ns);
/* Returns when the end of the slot's latest run has been told, unless the callback itself is the caller. */
void rp_watcher_leave(rp_run *run);
void rp_watcher_close(rp_run *run); /* when no run is left; ends the thread */

#endif
