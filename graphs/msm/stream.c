/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products whose points do not fit the device: one recorded graph for a chunk, with one run slot per chunk in flight.
 * The points of the next chunk are written to the staging of its slot.
 */
#include "msm.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { LEAST_CHUNK = 64, IN_FLIGHT = 2, MOST_IN_FLIGHT = 16, CANCEL_STEP_NS = 20000000 };

struct rp_msm_stream {
  const rp_curve_host *curve;
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars, points, sum;
  uint32_t in_flight;
  rp_msm_stream_info info;
};

/* ---- The graph of a chunk ---------------------------------------------------------------------------------------- */

static rp_status build(rp_msm_stream *s, rp_device *device, uint64_t chunk, rp_error *err) {
  rp_graph_destroy(s->graph);
  rp_status st = rp_graph_create(rp_device_context(device), "msm_stream", &s->graph, err);
  if (st != RP_OK) return st;
  s->scalars = rp_graph_input(s->graph, "scalars", &RP_TYPE_U256, chunk, RP_SECRET);
  s->points = rp_graph_input(s->graph, "points", rp_type_affine(s->curve->id), chunk, 0);
  s->sum = rp_msm(s->graph, s->scalars, s->points, NULL);
  rp_graph_output(s->graph, "sum", s->sum, 0);
  return RP_OK;
}

/* The next smaller chunk size, a power of two. */
static uint64_t smaller(uint64_t chunk) {
  uint64_t half = LEAST_CHUNK;
  while (half * 2 < chunk) half *= 2;
  return half;
}

static void describe(rp_msm_stream_info *info, const rp_curve_host *curve, uint64_t max_points, uint64_t chunk,
                     uint64_t device_bytes) {
  *info = (rp_msm_stream_info){.chunk = chunk,
                               .chunks = (max_points + chunk - 1) / chunk,
                               .key_bytes = max_points * curve->affine_bytes,
                               .device_bytes = device_bytes};
}

static rp_status refuse(const rp_device *device, const rp_msm_stream *s, uint64_t budget, rp_error *err) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device, &info);
  return support_fail(err, RP_ERR_BUDGET,
                      "msm_stream needs %llu bytes on %s:%u, with chunks of %llu points, and the budget is %llu bytes",
                      (unsigned long long)s->info.device_bytes, rp_device_kind_name(info.kind), info.index,
                      (unsigned long long)s->info.chunk, (unsigned long long)budget);
}

/* Chooses the requested chunk size or the largest that fits, and makes its graph and plan, with all slots. A smaller
 * chunk may take more memory, since products choose their windows by length: all sizes are tried before a refusal, and
 * s->info is then that of the size that takes least. */
static rp_status choose(rp_msm_stream *s, rp_device *device, uint64_t max_points, uint64_t chunk,
                        const rp_record_options *record, rp_error *err) {
  const bool fixed = chunk != 0;
  const uint64_t available = rp_device_available_bytes(device), wish = record->memory_budget_bytes;
  rp_msm_stream_info least = {.device_bytes = UINT64_MAX};
  if (!chunk || chunk > max_points) chunk = max_points;
  for (;; chunk = smaller(chunk)) {
    rp_plan_info plan = {.struct_size = sizeof plan};
    rp_status st = build(s, device, chunk, err);
    if (st == RP_OK) st = rp_plan_query(device, s->graph, record, &plan, err);
    if (st != RP_OK && st != RP_ERR_BUDGET) return st;
    describe(&s->info, s->curve, max_points, chunk, plan.total_bytes);
    if (st == RP_OK) return RP_OK;
    if (s->info.device_bytes < least.device_bytes) least = s->info;
    if (fixed || chunk <= LEAST_CHUNK) break;
  }
  s->info = least;
  return refuse(device, s, wish && wish < available ? wish : available, err);
}

static rp_status prepare(rp_device *device, rp_curve curve, uint64_t max_points, const rp_msm_stream_options *options,
                         rp_msm_stream *s, rp_record_options *record, rp_error *err) {
  rp_msm_stream_options o = {0};
  const rp_curve_host *host = rp_curve_get(curve);
  rp_status st = graphs_options(&o, sizeof o, options, "Options of a stream", err);
  if (st != RP_OK) return st;
  if (!device || !host || !max_points || o.in_flight > MOST_IN_FLIGHT)
    return support_fail(err, RP_ERR_ARGUMENT, "msm stream: %s",
                        !device       ? "the device is NULL"
                        : !host       ? "the curve is unknown"
                        : !max_points ? "max_points is 0"
                                      : "more than 16 chunks in flight");
  s->curve = host;
  s->in_flight = o.in_flight ? o.in_flight : IN_FLIGHT;
  *record = (rp_record_options){
      .struct_size = sizeof *record, .max_in_flight = s->in_flight, .memory_budget_bytes = o.memory_budget_bytes};
  return choose(s, device, max_points, o.chunk, record, err);
}

rp_status rp_msm_stream_plan(rp_device *device, rp_curve curve, uint64_t max_points,
                             const rp_msm_stream_options *options, rp_msm_stream_info *info, rp_error *err) {
  rp_msm_stream s = {0};
  rp_record_options record;
  if (!info) return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_stream_plan: info is NULL");
  rp_status st = prepare(device, curve, max_points, options, &s, &record, err);
  if (st != RP_OK && st != RP_ERR_BUDGET) s.info = (rp_msm_stream_info){0};
  if (!rp_info_write(info, &s.info, sizeof s.info) && st == RP_OK)
    st = support_fail(err, RP_ERR_ARGUMENT, "rp_msm_stream_plan: info.struct_size is not set");
  rp_graph_destroy(s.graph);
  return st;
}

rp_status rp_msm_stream_create(rp_device *device, rp_curve curve, uint64_t max_points,
                               const rp_msm_stream_options *options, rp_msm_stream **stream, rp_error *err) {
  rp_record_options record;
  if (!stream) return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_stream_create: stream is NULL");
  *stream = NULL;
  if (!device) return support_fail(err, RP_ERR_ARGUMENT, "msm stream: the device is NULL");
  rp_msm_stream *s = rp_context_alloc(rp_device_context(device), sizeof *s);
  if (!s) return support_fail(err, RP_ERR_MEMORY, "rp_msm_stream_create: out of host memory");
  rp_status st = prepare(device, curve, max_points, options, s, &record, err);
  if (st == RP_OK) st = rp_record(device, s->graph, &record, &s->recording, err);
  if (st == RP_OK)
    *stream = s;
  else
    rp_msm_stream_destroy(s);
  return st;
}

void rp_msm_stream_destroy(rp_msm_stream *stream) {
  if (!stream) return;
  rp_recording_destroy(stream->recording);
  rp_graph_destroy(stream->graph);
  rp_context_free(stream);
}

void rp_msm_stream_get_info(const rp_msm_stream *stream, rp_msm_stream_info *info) {
  static const rp_msm_stream_info none;
  if (info) rp_info_write(info, stream ? &stream->info : &none, sizeof none);
}

/* ---- The pipeline ------------------------------------------------------------------------------------------------ */

typedef struct flight {
  rp_run *run;
  uint32_t job;
} flight;

/* Chunks in flight. */
typedef struct pipeline {
  flight queue[MOST_IN_FLIGHT]; /* a ring */
  uint32_t oldest, n;
  const rp_msm_job *jobs;
  const atomic_int *cancelled;
  uint64_t (*sums)[MSM_MOST_POINT_WORDS]; /* one per job */
  rp_msm_job_counters counters;
} pipeline;

static uint64_t now_ns(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool is_cancelled(const pipeline *p) { return p->cancelled && atomic_load(p->cancelled); }

/* Waits for the oldest chunk and adds its sum. */
static rp_status land(pipeline *p, rp_error *err) {
  const flight f = p->queue[p->oldest];
  p->oldest = (p->oldest + 1) % MOST_IN_FLIGHT;
  p->n--;
  if (is_cancelled(p)) rp_run_cancel(f.run);
  rp_status st = rp_run_wait(f.run, UINT64_MAX);
  if (st == RP_OK) {
    rp_run_counters c = {.struct_size = sizeof c};
    const rp_msm_stream *s = p->jobs[f.job].stream;
    void *sum = p->sums[f.job];
    rp_run_get_counters(f.run, &c);
    p->counters.bytes_up += c.bytes_up;
    s->curve->acc_add(sum, sum, rp_run_output(f.run, s->sum));
  } else if (err) {
    *err = *rp_run_error(f.run);
  }
  rp_run_end(f.run);
  return st;
}

/* Writes the points first, which are most of the data; the last chunk is filled up with zero scalars. */
static rp_status write_chunk(rp_run *run, const rp_msm_job *job, uint64_t first, rp_error *err) {
  const rp_msm_stream *s = job->stream;
  const uint64_t n = job->n - first < s->info.chunk ? job->n - first : s->info.chunk;
  uint8_t *points = rp_run_input(run, s->points), *scalars = rp_run_input(run, s->scalars);
  if (!points || !scalars) return support_fail(err, RP_ERR_INTERNAL, "rp_msm_stream_run: no staging");
  memcpy(points, (const uint8_t *)job->points + first * s->curve->affine_bytes, n * s->curve->affine_bytes);
  for (uint64_t i = n; i < s->info.chunk; i++) s->curve->identity(points + i * s->curve->affine_bytes);
  memcpy(scalars, (const uint8_t *)job->scalars + first * MSM_SCALAR_BYTES, n * MSM_SCALAR_BYTES);
  memset(scalars + n * MSM_SCALAR_BYTES, 0, (s->info.chunk - n) * MSM_SCALAR_BYTES);
  return RP_OK;
}

static rp_status fail_cancelled(rp_error *err) {
  return support_fail(err, RP_ERR_CANCELLED, "The product was cancelled.");
}

/* With chunks in flight it does not wait: other threads may hold the slots, and a thread that waits for one must hold
 * none, or two threads could wait for each other. Without, it waits in steps, so that cancelling ends it. */
static rp_status begin_run(const pipeline *p, const rp_msm_stream *s, rp_run **run, rp_error *err) {
  const uint64_t step_ns = p->n ? 0 : p->cancelled ? CANCEL_STEP_NS : UINT64_MAX;
  rp_status st;
  do st = rp_run_begin(s->recording, step_ns, run, err);
  while (st == RP_ERR_BUSY && !p->n && !is_cancelled(p));
  return st == RP_ERR_BUSY && !p->n ? fail_cancelled(err) : st;
}

static rp_status launch(pipeline *p, uint32_t job, uint64_t first, rp_error *err) {
  const rp_msm_stream *s = p->jobs[job].stream;
  rp_run *run = NULL;
  rp_status st = RP_OK;
  while (p->n >= s->in_flight && st == RP_OK) st = land(p, err);
  if (st == RP_OK) st = begin_run(p, s, &run, err);
  while (st == RP_ERR_BUSY) {
    st = land(p, err);
    if (st == RP_OK) st = begin_run(p, s, &run, err);
  }
  if (st != RP_OK) return st;
  if (is_cancelled(p)) {
    rp_run_end(run);
    return fail_cancelled(err);
  }
  p->counters.overlapped += p->n != 0;
  st = write_chunk(run, &p->jobs[job], first, err);
  if (st == RP_OK) {
    st = rp_run_submit(run);
    if (st != RP_OK && err) *err = *rp_run_error(run);
  }
  if (st != RP_OK) {
    rp_run_end(run);
    return st;
  }
  p->queue[(p->oldest + p->n++) % MOST_IN_FLIGHT] = (flight){run, job};
  p->counters.chunks++;
  return RP_OK;
}

rp_status msm_stream_run(const rp_msm_job *jobs, uint32_t n_jobs, const atomic_int *cancelled,
                         rp_msm_job_counters *counters, rp_error *err) {
  pipeline p = {.jobs = jobs, .cancelled = cancelled};
  const uint64_t begin = now_ns();
  if (counters) rp_info_write(counters, &p.counters, sizeof p.counters);
  if (!jobs && n_jobs) return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_stream_run: jobs is NULL");
  for (uint32_t i = 0; i < n_jobs; i++) {
    const rp_msm_job *j = &jobs[i];
    if (!j->stream || !j->result || (j->n && (!j->scalars || !j->points)))
      return support_fail(err, RP_ERR_ARGUMENT, "rp_msm_stream_run: job %u has a NULL pointer", i);
    if (j->n > j->stream->info.key_bytes / j->stream->curve->affine_bytes)
      return support_fail(err, RP_ERR_SHAPE, "rp_msm_stream_run: job %u has %llu points, more than the stream is for",
                          i, (unsigned long long)j->n);
  }
  if (!n_jobs) return RP_OK;
  p.sums = rp_context_alloc(rp_graph_context(jobs[0].stream->graph), n_jobs * sizeof *p.sums);
  if (!p.sums) return support_fail(err, RP_ERR_MEMORY, "rp_msm_stream_run: out of host memory");
  rp_status st = RP_OK;
  for (uint32_t i = 0; i < n_jobs; i++) jobs[i].stream->curve->acc_identity(p.sums[i]);
  for (uint32_t i = 0; i < n_jobs && st == RP_OK; i++)
    for (uint64_t first = 0; first < jobs[i].n && st == RP_OK; first += jobs[i].stream->info.chunk)
      st = launch(&p, i, first, err);
  while (p.n) {
    const rp_status landed = land(&p, st == RP_OK ? err : NULL);
    if (st == RP_OK) st = landed;
  }
  for (uint32_t i = 0; i < n_jobs && st == RP_OK; i++) jobs[i].stream->curve->acc_to_affine(jobs[i].result, p.sums[i]);
  rp_wipe(p.sums, n_jobs * sizeof *p.sums); /* they depend on the scalars, which are secret */
  rp_context_free(p.sums);
  p.counters.elapsed_ns = now_ns() - begin;
  if (counters) rp_info_write(counters, &p.counters, sizeof p.counters);
  return st;
}

rp_status rp_msm_stream_run(const rp_msm_job *jobs, uint32_t n_jobs, rp_msm_job_counters *counters, rp_error *err) {
  return msm_stream_run(jobs, n_jobs, NULL, counters, err);
}
