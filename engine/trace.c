/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A profiled run in the Chrome trace format: one process for the device, one thread per worker.
 */
#include "export.h"

static void put_name(rp_text *t, const char *kind, uint32_t thread, const char *name, uint32_t number) {
  rp_text_format(t, "    {\"ph\": \"M\", \"pid\": 1, \"tid\": %u, \"name\": \"%s\", \"args\": {\"name\": \"", thread,
                 kind);
  rp_text_escape(t, name);
  if (number != RP_NONE) rp_text_format(t, " %u", number);
  rp_text_put(t, "\"}},\n");
}

static void put_micros(rp_text *t, const char *key, uint64_t ns) {
  rp_text_format(t, "\"%s\": %llu.%03u", key, (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static void put_span(rp_text *t, const rp_recording *r, const rp_timing *timing) {
  const rp_step *s = timing->step < r->program.n_steps ? &r->program.steps[timing->step] : NULL;
  rp_text_format(t, "    {\"ph\": \"X\", \"pid\": 1, \"tid\": %u, \"cat\": \"%s\", \"name\": ", timing->worker,
                 s ? "dispatch" : "copy");
  if (s)
    rp_export_label(t, s);
  else
    rp_text_quote(t, timing->step == RP_TIMING_UPLOAD ? "upload" : "download");
  rp_text_put(t, ", ");
  put_micros(t, "ts", timing->begin_ns);
  rp_text_put(t, ", ");
  put_micros(t, "dur", timing->end_ns > timing->begin_ns ? timing->end_ns - timing->begin_ns : 0);
  if (s) {
    rp_text_format(t, ", \"args\": {\"step\": %u, \"level\": %u, \"kernel\": ", timing->step, s->level);
    rp_text_quote(t, s->pattern->kernel ? s->pattern->kernel->name : "");
    rp_text_put(t, "}");
  }
  rp_text_put(t, "}");
}

rp_status rp_run_trace(const rp_run *run, rp_write_fn write, void *user, rp_error *err) {
  if (!run || !write) return rp_fail_null(err, "rp_run_trace");
  const rp_recording *r = run->recording;
  const rp_status status = rp_context_check(r->device->context, err);
  if (status) return status;
  if (!r->samples)
    return rp_fail(err, RP_ERR_STATE, "rp_run_trace: %s was not recorded with RP_RECORD_PROFILE", r->plan->graph->name);
  if (atomic_load(&run->state) != RP_RUN_DONE || run->result)
    return rp_fail(err, RP_ERR_STATE, "rp_run_trace: the run has not finished well");
  rp_text text, *t = &text;
  rp_text_open(t, write, user);
  uint32_t workers = 0;
  for (uint32_t i = 0; i < run->n_timings; i++)
    if (run->timings[i].worker >= workers) workers = run->timings[i].worker + 1;
  rp_text_put(t, "{\n  \"displayTimeUnit\": \"ns\",\n  \"traceEvents\": [\n");
  put_name(t, "process_name", 0, r->device->info.name, RP_NONE);
  for (uint32_t w = 0; w < workers; w++) put_name(t, "thread_name", w, "worker", w);
  for (uint32_t i = 0; i < run->n_timings; i++) {
    put_span(t, r, &run->timings[i]);
    rp_text_put(t, ",\n");
  }
  rp_text_format(t, "    {\"ph\": \"X\", \"pid\": 1, \"tid\": %u, \"cat\": \"run\", \"name\": ", workers);
  rp_text_quote(t, r->plan->graph->name);
  rp_text_put(t, ", \"ts\": 0.000, ");
  put_micros(t, "dur", run->counters.latency_ns);
  rp_text_put(t, "}\n  ]\n}\n");
  return rp_text_close(t, err);
}
