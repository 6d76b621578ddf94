/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the tests of the CUDA device share: a context with a counting allocator, a device, and a graph with a constant,
 * a one-time part, a check and two branches.
 */
#ifndef REPRISE_TESTS_CUDA_BENCH_H
#define REPRISE_TESTS_CUDA_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "interpose.h"
#include "toy_op.h"

#include <stdlib.h>
#include <string.h>

enum { N = 1024, BYTES = 8 * N, BAD = 0x7fffffff };

typedef struct bench {
  rp_context *context;
  rp_device *device;
} bench;

/* Opens cuda:index; with budget 0, the device's own budget. On failure `err` gets the reason. */
rp_status bench_try(bench *b, uint32_t index, uint64_t budget_bytes, rp_error *err);
/* 1 if there is no CUDA device to test on; prints the reason. */
int bench_absent(void);
void bench_open(bench *b, uint32_t index, uint64_t budget_bytes);
void bench_close(bench *b);

/* Recordings of the graph are predicted as if every dispatch of these operations' kernels took this time, and others
 * none. */
void bench_predict(const bench *b, rp_graph *graph, uint64_t ns);

/* out = 12 in + 9 key i, with a check and two branches. If `pause` is not 0, the graph has a pause before its end. */
typedef struct work {
  rp_graph *graph;
  rp_recording *recording;
  rp_value in, out;
  uint32_t key;
} work;
rp_status work_try(bench *b, work *w, uint32_t key, uint32_t flags, uint32_t pause_us, const rp_record_options *options,
                   rp_error *err);
void work_make(bench *b, work *w, uint32_t key, uint32_t slots);
void work_drop(work *w);
void work_fill(uint64_t in[N], uint64_t seed);
void work_check(const work *w, const uint64_t in[N], const uint64_t *out);
/* work_start begins a run, gives it the input and submits it. work_finish waits, compares the result with the expected
 * one, and ends the run. */
rp_run *work_start(const work *w, const uint64_t in[N]);
void work_finish(const work *w, rp_run *run, const uint64_t in[N]);
void work_once(const work *w, uint64_t seed);

/* Fails the test with the reason unless the status is the expected one. */
void check_status(rp_status expected, rp_status status, const rp_error *err, const char *file, int line);
#define EXPECT(expected, call, err) check_status(expected, call, err, __FILE__, __LINE__)

#endif
