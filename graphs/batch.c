/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "batch.h"

#include "job.h"

#include <inttypes.h>
#include <string.h>

/* ---- Jobs -------------------------------------------------------------------------------------------------------- */

/* The bytes of a member that the caller's struct has: an older one may end before it. */
static size_t bytes_there(const graphs_jobs *j, size_t offset, size_t bytes) {
  const size_t rest = offset < j->stride ? j->stride - offset : 0;
  return bytes < rest ? bytes : rest;
}

static void get_member(const graphs_jobs *j, size_t i, size_t offset, void *member, size_t bytes) {
  memset(member, 0, bytes);
  memcpy(member, j->first + i * j->stride + offset, bytes_there(j, offset, bytes));
}

static void set_member(const graphs_jobs *j, size_t i, size_t offset, const void *member, size_t bytes) {
  memcpy(j->first + i * j->stride + offset, member, bytes_there(j, offset, bytes));
}

void graphs_jobs_get(const graphs_jobs *jobs, size_t i, void *job, size_t bytes) { get_member(jobs, i, 0, job, bytes); }

void graphs_jobs_end(const graphs_jobs *jobs, size_t i, rp_status status, const rp_error *why) {
  static const rp_error none;
  set_member(jobs, i, jobs->kind->status, &status, sizeof status);
  set_member(jobs, i, jobs->kind->error, status == RP_OK ? &none : why, sizeof none);
}

void graphs_jobs_begin(const graphs_jobs *jobs, size_t i) {
  void *proof;
  get_member(jobs, i, jobs->kind->proof, &proof, sizeof proof);
  if (proof) memset(proof, 0, jobs->kind->proof_bytes);
}

rp_status graphs_jobs_open(graphs_jobs *jobs, const graphs_batch *kind, void *first, size_t n, rp_error *err) {
  *jobs = (graphs_jobs){.kind = kind, .first = first, .n = n};
  for (size_t i = 0; i < n; i++) {
    uint32_t size;
    memcpy(&size, jobs->first + i * jobs->stride, sizeof size);
    if (i == 0) jobs->stride = size;
    if (size < sizeof size)
      return support_fail(err, RP_ERR_ARGUMENT, "%s: jobs[%zu].struct_size is not set.", kind->call, i);
    if (size != jobs->stride)
      return support_fail(err, RP_ERR_ARGUMENT,
                          "%s: jobs[%zu].struct_size is %" PRIu32 ", and that of the first %" PRIu32 ".", kind->call, i,
                          size, jobs->stride);
  }
  return RP_OK;
}

rp_status graphs_jobs_fail(const graphs_jobs *jobs, const rp_error *why, rp_error *err) {
  for (size_t i = 0; i < jobs->n; i++) {
    graphs_jobs_end(jobs, i, why->status, why);
    graphs_jobs_begin(jobs, i);
  }
  if (err) *err = *why;
  return why->status;
}

rp_status graphs_jobs_result(const graphs_jobs *jobs, rp_error *err) {
  rp_status status = RP_OK;
  for (size_t i = 0; i < jobs->n && status == RP_OK; i++) {
    get_member(jobs, i, jobs->kind->status, &status, sizeof status);
    if (status != RP_OK && err) get_member(jobs, i, jobs->kind->error, err, sizeof *err);
  }
  return status;
}

/* ---- Several in flight ------------------------------------------------------------------------------------------- */

typedef struct batch {
  graphs_jobs jobs;
  void *prover;
  uint32_t places;
  uint8_t *flights; /* a ring: job i in place i % places */
  uint8_t *flies;   /* of each place: 1 if its flight must be finished */
  size_t started, finished;
} batch;

static void finish_one(batch *b) {
  const size_t i = b->finished++;
  const size_t place = i % b->places; /* NOLINT(clang-analyzer-core.DivideZero): at least 1 */
  rp_error why = {0};
  if (!b->flies[place]) return;
  b->flies[place] = 0;
  const rp_status status = b->jobs.kind->finish(b->flights + place * b->jobs.kind->flight_bytes, &why);
  graphs_jobs_end(&b->jobs, i, status, &why);
}

static void start_one(batch *b) {
  const graphs_batch *kind = b->jobs.kind;
  const size_t i = b->started, place = i % b->places;
  rp_error why = {0};
  rp_status status;
  graphs_jobs_begin(&b->jobs, i);
  /* Other threads may hold the slots. A thread that waits for one must hold none, or two threads could wait for each
   * other. */
  do {
    const uint64_t timeout = b->finished == i ? UINT64_MAX : 0;
    status = kind->start(b->prover, b->jobs.first + i * b->jobs.stride, i, timeout,
                         b->flights + place * kind->flight_bytes, &why);
    if (status == RP_ERR_BUSY) finish_one(b);
  } while (status == RP_ERR_BUSY);
  b->flies[place] = status == RP_OK;
  graphs_jobs_end(&b->jobs, i, status, &why);
  b->started++;
}

rp_status graphs_batch_prove(const graphs_batch *kind, void *prover, rp_context *context, uint32_t max_in_flight,
                             void *jobs, size_t n_jobs, rp_error *err) {
  batch b = {.prover = prover, .places = max_in_flight};
  rp_error why = {0};
  if (!prover || (!jobs && n_jobs != 0))
    (void)support_fail(&why, RP_ERR_ARGUMENT, "%s: prover or jobs is NULL.", kind->call);
  if (!jobs && n_jobs != 0) return graphs_jobs_fail(&b.jobs, &why, err); /* of none */
  const rp_status sizes = graphs_jobs_open(&b.jobs, kind, jobs, n_jobs, err);
  if (sizes != RP_OK) return sizes;
  if (!prover) return graphs_jobs_fail(&b.jobs, &why, err);
  b.flights = rp_context_alloc(context, max_in_flight * (kind->flight_bytes + 1));
  if (!b.flights) {
    (void)support_fail(&why, RP_ERR_MEMORY, "Out of memory for %" PRIu32 " runs.", max_in_flight);
    return graphs_jobs_fail(&b.jobs, &why, err);
  }
  b.flies = b.flights + max_in_flight * kind->flight_bytes;
  while (b.started < n_jobs) {
    if (b.started - b.finished == max_in_flight) finish_one(&b);
    start_one(&b);
  }
  while (b.finished < n_jobs) finish_one(&b);
  rp_context_free(b.flights);
  return graphs_jobs_result(&b.jobs, err);
}
