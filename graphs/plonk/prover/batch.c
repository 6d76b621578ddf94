/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many witnesses, several in flight.
 */
#include "prove.h"

#include "formats/fail.h"

#include <inttypes.h>

typedef struct batch {
  rp_plonk_prover *prover;
  uint8_t *jobs; /* the caller's, each of `stride` bytes */
  uint32_t stride;
  plonk_flight *flights; /* a ring: job i in flights[i % max_in_flight] */
  size_t started, finished;
} batch;

static rp_plonk_job job_read(const batch *b, size_t i) {
  rp_plonk_job job;
  (void)rp_options_read(&job, sizeof job, b->jobs + i * b->stride); /* read_stride has checked its size */
  return job;
}

static rp_status job_set(const batch *b, size_t i, rp_status status, const rp_error *why) {
  rp_plonk_job job = job_read(b, i);
  job.status = status;
  job.error = (rp_error){0};
  if (status != RP_OK) job.error = *why;
  (void)rp_info_write(b->jobs + i * b->stride, &job, sizeof job);
  return status;
}

/* Checks that all jobs have the struct_size of the first. */
static rp_status read_stride(batch *b, size_t n_jobs, rp_error *err) {
  for (size_t i = 0; i < n_jobs; i++) {
    uint32_t size;
    memcpy(&size, b->jobs + i * b->stride, sizeof size);
    if (i == 0) b->stride = size;
    if (size < sizeof size || size != b->stride)
      return graphs_fail(err, RP_ERR_ARGUMENT,
                         "rp_plonk_prove_batch: jobs[%zu].struct_size is %" PRIu32 ", and that of the first %" PRIu32
                         "; all must be the size of the struct.",
                         i, size, b->stride);
  }
  return RP_OK;
}

static void finish_one(batch *b) {
  const size_t i = b->finished++;
  plonk_flight *f = &b->flights[i % b->prover->max_in_flight]; /* NOLINT(clang-analyzer-core.DivideZero): at least 1 */
  rp_error why = {0};
  if (f->run) (void)job_set(b, i, plonk_flight_finish(f, NULL, &why), &why);
}

static void start_one(batch *b) {
  const rp_plonk_job job = job_read(b, b->started);
  plonk_flight *f = &b->flights[b->started % b->prover->max_in_flight];
  const plonk_source from = {
      .witness = {.path = job.wtns ? NULL : job.wtns_path, .wtns = job.wtns, .wtns_bytes = job.wtns_bytes}};
  rp_error why = {0};
  rp_status status = RP_ERR_ARGUMENT;
  *f = (plonk_flight){0};
  if (job.proof) *job.proof = (rp_plonk_proof){0};
  if ((!job.wtns && !job.wtns_path) || !job.proof) {
    (void)graphs_fail(&why, status, "Job %zu has no witness or no room for the proof.", b->started);
  } else {
    /* Other threads may hold the slots. A thread that waits for one must hold none, or two threads could wait for each
     * other. */
    do {
      const uint64_t timeout = b->finished == b->started ? UINT64_MAX : 0;
      status = plonk_flight_start(b->prover, &from, timeout, job.proof, job.public_signals, f, &why);
      if (status == RP_ERR_BUSY) finish_one(b);
    } while (status == RP_ERR_BUSY);
  }
  (void)job_set(b, b->started++, status, &why);
}

static rp_status first_failure(const batch *b, size_t n_jobs, rp_error *err) {
  for (size_t i = 0; i < n_jobs; i++) {
    const rp_plonk_job job = job_read(b, i);
    if (job.status == RP_OK) continue;
    if (err) *err = job.error;
    return job.status;
  }
  return RP_OK;
}

/* No job is tried: all get the status and the reason of the call. */
static rp_status fail_all(const batch *b, size_t n_jobs, const rp_error *why, rp_error *err) {
  for (size_t i = 0; i < n_jobs; i++) {
    const rp_plonk_job job = job_read(b, i);
    (void)job_set(b, i, why->status, why);
    if (job.proof) *job.proof = (rp_plonk_proof){0};
  }
  if (err) *err = *why;
  return why->status;
}

rp_status rp_plonk_prove_batch(rp_plonk_prover *prover, rp_plonk_job *jobs, size_t n_jobs, rp_error *err) {
  batch b = {.prover = prover, .jobs = (uint8_t *)jobs};
  rp_error why = {RP_ERR_ARGUMENT, "rp_plonk_prove_batch: prover or jobs is NULL."};
  if (!jobs && n_jobs != 0) return fail_all(&b, 0, &why, err);
  const rp_status sizes = read_stride(&b, n_jobs, err);
  if (sizes != RP_OK) return sizes;
  if (!prover) return fail_all(&b, n_jobs, &why, err);
  b.flights = rp_context_alloc(prover->context, prover->max_in_flight * sizeof *b.flights);
  if (!b.flights) {
    (void)graphs_fail(&why, RP_ERR_MEMORY, "Out of memory for %" PRIu32 " runs.", prover->max_in_flight);
    return fail_all(&b, n_jobs, &why, err);
  }
  while (b.started < n_jobs) {
    if (b.started - b.finished == prover->max_in_flight) finish_one(&b);
    start_one(&b);
  }
  while (b.finished < n_jobs) finish_one(&b);
  rp_context_free(b.flights);
  return first_failure(&b, n_jobs, err);
}
