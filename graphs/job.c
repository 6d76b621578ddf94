/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "job.h"

rp_status graphs_options(void *dst, size_t bytes, const void *options, const char *what, rp_error *err) {
  if (rp_options_read(dst, bytes, options)) return RP_OK;
  return support_fail(err, RP_ERR_ARGUMENT, "%s: struct_size is not set; it is the sizeof of the struct.", what);
}

rp_status graphs_built(const rp_graph *graph, rp_error *err) {
  const rp_error *error = rp_graph_error(graph);
  if (error->status != RP_OK && err) *err = *error;
  return error->status;
}

rp_status graphs_run(rp_recording *recording, const graphs_job *job, rp_run_counters *counters, rp_error *err) {
  rp_run *run;
  rp_status status = rp_run_begin(recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = job->set(job->user, run);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status == RP_OK && job->take) job->take(job->user, run);
  if (status != RP_OK && err) *err = *rp_run_error(run);
  if (counters) rp_run_get_counters(run, counters);
  rp_run_end(run);
  return status;
}
