/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The devices that op tests run on, and how a test body runs a graph there. A body is written once and is run for each
 * device: "cpu" (best instructions), "cpu-c" (plain C kernels), and "cpu-avx2" (AVX2, or MULX and ADX) where the
 * processor also has a better set; or, instead of these, whatever REPRISE_TEST_DEVICES names, for example "cuda" or
 * "cpu,vulkan". A named device that cannot be opened fails the test.
 */
#ifndef REPRISE_TESTS_OPS_DEVICE_H
#define REPRISE_TESTS_OPS_DEVICE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <reprise/ops.h>

/* Runs the group once per device; returns the sum of failures. */
int device_run_tests(const char *group, const struct CMUnitTest *tests, size_t n);

/* The device that the running test is for. */
rp_context *device_context(void);
rp_device *device_current(void);
const char *device_name(void);
/* Whether the device is a software GPU, such as lavapipe. Its kernels take hundreds of times as long as those of a CPU
 * device, so tests give it only the smallest sizes below and above each threshold at which a lowering or kernel
 * changes. CPUs and real GPUs get all sizes. */
int device_is_software(void);
/* n, but at most 4096 on "cpu-avx2", whose kernels differ from those of "cpu-c" only in how they were compiled. */
uint64_t device_cap(uint64_t n);

/* A graph with its inputs' data and its outputs' buffers. */
enum { JOB_MAX_VALUES = 288 };
typedef struct job {
  rp_graph *graph;
  uint32_t n_in, n_out;
  struct {
    rp_value value;
    const void *data;
    uint64_t bytes;
  } in[JOB_MAX_VALUES];
  struct {
    rp_value value;
    void *data;
    uint64_t bytes;
    int unordered;
  } out[JOB_MAX_VALUES];
  rp_error error;    /* after job_run */
  char strategy[32]; /* of the op named in strategy_of, if that is set */
  const char *strategy_of;
} job;

void job_begin(job *j);
/* An input that is given `data` in the run. The data must live until job_run. */
rp_value job_input(job *j, const rp_type *type, uint64_t len, const void *data);
rp_value job_constant(job *j, const rp_type *type, uint64_t len, const void *data);
/* job_run copies the whole value to `data`. */
void job_output(job *j, rp_value value, void *data);
/* Like job_output, for a value whose elements have no defined order, so that two runs may differ. The test sorts them
 * before it compares. */
void job_output_unordered(job *j, rp_value value, void *data);
/* Records the graph, runs it twice (fails the test unless both runs give the same bytes), and destroys it. Returns the
 * status of the first error, whose reason is in j->error. */
rp_status job_run(job *j);
/* Like job_run, but fails the test unless the status is RP_OK. */
void job_check(job *j);

#endif
