/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Watching the engine from below: a counting allocator, and a device table that stands between the engine and a
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
  _Atomic int64_t fail_host_at; /* counts down; the allocation that meets 0 fails. Negative: none */
  /* The device's table. */
  _Atomic uint64_t submits, waits, wipes, programs, memory_allocs;
  _Atomic int64_t fail_memory_at;
  _Atomic int lose_device_at_wait;
  pthread_mutex_t lock; /* what follows */
  rp_memory memories[WATCH_MEMORIES];
  uint32_t n_memories;
  uint64_t device_bytes, peak_bytes, staging_bytes; /* live; on a device that sees host memory all are device_bytes */
} watch;

/* One at a time: the table has no room for a user pointer. */
extern watch the_watch;

/* Context, and an empty graph; then the device, through the watching table. Budget 0: the device's default. */
void watch_open_context(void);
rp_status watch_open_device(const rp_backend *inner, uint64_t budget_bytes, rp_error *err);
void watch_open(const rp_backend *inner, uint64_t budget_bytes);
/* Closes what is open and checks that all memory came back. */
void watch_close(void);

/* How often the 8 bytes of `pattern` stand in memory that the device holds and the host can see. */
uint64_t watch_find(uint64_t pattern);
/* Backends may wipe the arena in the background: 1 if the pattern is gone within some seconds. */
int watch_is_wiped(uint64_t pattern);

rp_recording *watch_record(uint32_t max_in_flight, uint32_t flags); /* must succeed */
/* Begins, sets one input, submits, waits; the run is still to be ended. */
rp_run *watch_run(rp_recording *recording, rp_value input, const void *data, uint64_t bytes, rp_status want);

#endif
