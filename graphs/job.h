/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What ready graphs share: reporting errors, reading options, and running once.
 */
#ifndef REPRISE_GRAPHS_JOB_H
#define REPRISE_GRAPHS_JOB_H

#include "text/error.h"

#include <reprise/op.h>

/* rp_options_read; if struct_size is not set, fails with a reason in which `what` names the struct. */
rp_status graphs_options(void *dst, size_t bytes, const void *options, const char *what, rp_error *err);

/* RP_OK, or the graph's first error. */
rp_status graphs_built(const rp_graph *graph, rp_error *err);

/* Waits for a slot of the recording and runs it once. `set` gives the inputs, and `take` (may be NULL) reads the
 * outputs. */
typedef struct graphs_job {
  rp_status (*set)(void *user, rp_run *run);
  void (*take)(void *user, rp_run *run);
  void *user;
} graphs_job;
rp_status graphs_run(rp_recording *recording, const graphs_job *job, rp_run_counters *counters, rp_error *err);

#endif
