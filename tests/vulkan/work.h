/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the tests of the Vulkan device share: a device, and a graph with a constant, a one-time part, a check and
 * branches, whose result is known.
 */
#ifndef REPRISE_TESTS_VULKAN_WORK_H
#define REPRISE_TESTS_VULKAN_WORK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "interpose.h"

#include <reprise/ops.h>

#include <stdlib.h>
#include <string.h>

enum { N = 512, BYTES = 8 * N };

typedef struct bench {
  rp_context *context;
  rp_device *device;
} bench;

extern uint64_t bench_allocations; /* number of allocations of host memory, from all contexts */

/* Opens vulkan:0 and calls interpose_begin. */
void bench_open(bench *b);
void bench_close(bench *b);

/* out = in / key[i] + in * key[i]^2 over Goldilocks; a zero among the inputs is a fault. */
typedef struct work {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
} work;
rp_status work_try(rp_context *context, rp_device *device, work *w, uint32_t flags, const rp_record_options *options,
                   rp_error *err);
void work_make(const bench *b, work *w, uint32_t slots, uint32_t record_flags);
void work_drop(work *w);
void work_fill(uint64_t in[N], uint64_t seed);
void work_check(const uint64_t in[N], const uint64_t *out);
/* work_start begins a run, sets its input and submits it. work_finish waits, compares the output with the expected one,
 * and ends the run. work_once does both. */
rp_run *work_start(const work *w, const uint64_t in[N]);
void work_finish(const work *w, rp_run *run, const uint64_t in[N]);
void work_once(const work *w, uint64_t seed);

/* Fails the test with the reason unless the status is the expected one. */
void check_status(rp_status expected, rp_status status, const rp_error *err, const char *file, int line);
#define EXPECT(expected, call, err) check_status(expected, call, err, __FILE__, __LINE__)

#endif
