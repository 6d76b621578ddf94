/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Watches the engine from below: a counting allocator, and a function table that stands between the engine and a
 * backend.
 */
#ifndef REPRISE_TESTS_WATCH_H
#define REPRISE_TESTS_WATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "device.h"
#include "toy_ops.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define WATCH_MEMORIES 256

typedef struct watch {
  const rp_backend *inner;
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  /* The context's allocator. */
  _Atomic uint64_t allocs, frees, live_bytes;
  _Atomic int64_t fail_host_at; /* counts down with each allocation; the one that finds 0 fails; negative: none fails */
  _Atomic uint64_t most_host_bytes; /* of one allocation; 0: no limit */
  /* Calls through the device's function table. */
  _Atomic uint64_t submits, submissions_of_runs, waits, wipes, cancels, programs, memory_allocs;
  _Atomic int64_t fail_memory_at;
  uint64_t limit_bytes; /* what the device really has; 0: no limit */
  _Atomic int lose_device_at_wait, refuse_runs;
  rp_run *cancel_in_submit; /* is cancelled when the device has what is submitted, and the call has not returned */
  _Atomic int32_t priority; /* of the last run that was submitted, or of the last of several */
  pthread_mutex_t lock;     /* guards the members below */
  rp_memory memories[WATCH_MEMORIES];
  uint32_t n_memories;
  /* Bytes that are allocated now, and their peak; on a device that sees host memory, staging counts as device_bytes. */
  uint64_t device_bytes, peak_bytes, staging_bytes;
} watch;

/* There is one watch at a time, because a function table has no user pointer. */
extern watch the_watch;

/* The first opens a context with an empty graph, the second the device, through the watching table. Budget 0: the
 * device's default. */
void watch_open_context(void);
rp_status watch_open_device(const rp_backend *inner, uint64_t budget_bytes, rp_error *err);
void watch_open(const rp_backend *inner, uint64_t budget_bytes);
/* Closes what is open and checks that all memory has been freed. */
void watch_close(void);

/* The number of times that the 8 bytes of `pattern` occur in memory that the device holds and the host can see. */
uint64_t watch_find(uint64_t pattern);
/* Returns 1 if the pattern is gone within some seconds, since backends may wipe the arena in the background. */
int watch_is_wiped(uint64_t pattern);

rp_recording *watch_record(uint32_t max_in_flight, uint32_t flags); /* fails the test unless recording succeeds */
/* Begins a run, sets one input, submits and waits. The caller ends the run. */
rp_run *watch_run(rp_recording *recording, rp_value input, const void *data, uint64_t bytes, rp_status want);

#endif
