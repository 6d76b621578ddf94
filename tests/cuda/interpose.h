/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sits between an open device and its driver: between begin and end, launches and waits are counted, and every call but
 * those of a replay is refused and counted as forbidden. Works with the real driver and with the fake one.
 */
#ifndef REPRISE_TESTS_CUDA_INTERPOSE_H
#define REPRISE_TESTS_CUDA_INTERPOSE_H

#include "backends/cuda/driver.h"

#include <reprise/reprise.h>

typedef struct interposed {
  uint64_t launches, waits, records, forbidden;
} interposed;

rp_cuda_driver *interpose_driver(rp_device *device); /* the device's table of functions */
void interpose_begin(rp_device *device);
interposed interpose_end(rp_device *device);

/* A counting allocator for contexts. */
extern uint64_t interpose_allocations, interpose_live_bytes;
extern int64_t interpose_fail_at; /* counts down; the allocation that meets 0 fails. Negative: none */
rp_allocator interpose_allocator(void);

#endif
