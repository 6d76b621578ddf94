/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "batch.h"

#include "job.h"

#include <inttypes.h>
#include <string.h>

typedef struct batch {
  const graphs_batch *kind;
  void *prover;
  uint32_t places;
  uint8_t *jobs; /* the caller's, each of `stride` bytes */
  uint32_t stride;
  uint8_t *flights; /* a ring: job i in place i % places */
  uint8_t *flies;   /* of each place: 1 if its flight must be finished */
  size_t started, finished;
} batch;

/* The bytes of a member that the caller's struct has: an older one may end before it. */
static size_t bytes_there(const batch *b, size_t offset, size_t bytes) {
  const size_t rest = offset < b->stride ? b->stride - offset : 0;
  return bytes < rest ? bytes : rest;
}

static void get_member(const batch *b, size_t i, size_t offset, void *member, size_t bytes) {
  memset(member, 0, bytes);
  memcpy(member, b->jobs + i * b->stride + offset, bytes_there(b, offset, bytes));
}

static void set_member(const batch *b, size_t i, size_t offset, const void *member, size_t bytes) {
  memcpy(b->jobs + i * b->stride + offset, member, bytes_there(b, offset, bytes));
}

static void set_result(const batch *b, size_t i, rp_status status, const rp_error *why) {
  static const rp_error none;
  set_member(b, i, b->kind->status, &status, sizeof status);
  set_member(b, i, b->kind->error, status == RP_OK ? &none : why, sizeof none);
}

static void clear_proof(const batch *b, size_t i) {
  void *proof;
  get_member(b, i, b->kind->proof, &proof, sizeof proof);
  if (proof) memset(proof, 0, b->kind->proof_bytes);
}

/* Checks that all jobs have the struct_size of the first. */
static rp_status read_stride(batch *b, size_t n_jobs, rp_error *err) {
  for (size_t i = 0; i < n_jobs; i++) {
    uint32_t size;
    memcpy(&size, b->jobs + i * b->stride, sizeof size);
    if (i == 0) b->stride = size;
    if (size < sizeof size)
      return graphs_fail(err, RP_ERR_ARGUMENT, "%s: jobs[%zu].struct_size is not set.", b->kind->call, i);
    if (size != b->stride)
      return graphs_fail(err, RP_ERR_ARGUMENT,
                         "%s: jobs[%zu].struct_size is %" PRIu32 ", and that of the first %" PRIu32 ".", b->kind->call,
                         i, size, b->stride);
  }
  return RP_OK;
}

static void finish_one(batch *b) {
  const size_t i = b->finished++;
  const size_t place = i % b->places; /* NOLINT(clang-analyzer-core.DivideZero): at least 1 */
  rp_error why = {0};
  if (!b->flies[place]) return;
  b->flies[place] = 0;
  const rp_status status = b->kind->finish(b->flights + place * b->kind->flight_bytes, &why);
  set_result(b, i, status, &why);
}

static void start_one(batch *b) {
  const size_t i = b->started, place = i % b->places;
  rp_error why = {0};
  rp_status status;
  clear_proof(b, i);
  /* Other threads may hold the slots. A thread that waits for one must hold none, or two threads could wait for each
   * other. */
  do {
    const uint64_t timeout = b->finished == i ? UINT64_MAX : 0;
    status = b->kind->start(b->prover, b->jobs + i * b->stride, i, timeout, b->flights + place * b->kind->flight_bytes,
                            &why);
    if (status == RP_ERR_BUSY) finish_one(b);
  } while (status == RP_ERR_BUSY);
  b->flies[place] = status == RP_OK;
  set_result(b, i, status, &why);
  b->started++;
}

/* No job is tried: all get the status and the reason of the call. */
static rp_status fail_all(const batch *b, size_t n_jobs, const rp_error *why, rp_error *err) {
  for (size_t i = 0; i < n_jobs; i++) {
    set_result(b, i, why->status, why);
    clear_proof(b, i);
  }
  if (err) *err = *why;
  return why->status;
}

static rp_status first_failure(const batch *b, size_t n_jobs, rp_error *err) {
  rp_status status = RP_OK;
  for (size_t i = 0; i < n_jobs && status == RP_OK; i++) {
    get_member(b, i, b->kind->status, &status, sizeof status);
    if (status != RP_OK && err) get_member(b, i, b->kind->error, err, sizeof *err);
  }
  return status;
}

rp_status graphs_batch_prove(const graphs_batch *kind, void *prover, rp_context *context, uint32_t max_in_flight,
                             void *jobs, size_t n_jobs, rp_error *err) {
  batch b = {.kind = kind, .prover = prover, .places = max_in_flight, .jobs = jobs};
  rp_error why = {0};
  if (!prover || (!jobs && n_jobs != 0))
    (void)graphs_fail(&why, RP_ERR_ARGUMENT, "%s: prover or jobs is NULL.", kind->call);
  if (!jobs && n_jobs != 0) return fail_all(&b, 0, &why, err);
  const rp_status sizes = read_stride(&b, n_jobs, err);
  if (sizes != RP_OK) return sizes;
  if (!prover) return fail_all(&b, n_jobs, &why, err);
  b.flights = rp_context_alloc(context, max_in_flight * (kind->flight_bytes + 1));
  if (!b.flights) {
    (void)graphs_fail(&why, RP_ERR_MEMORY, "Out of memory for %" PRIu32 " runs.", max_in_flight);
    return fail_all(&b, n_jobs, &why, err);
  }
  b.flies = b.flights + max_in_flight * kind->flight_bytes;
  while (b.started < n_jobs) {
    if (b.started - b.finished == max_in_flight) finish_one(&b);
    start_one(&b);
  }
  while (b.finished < n_jobs) finish_one(&b);
  rp_context_free(b.flights);
  return first_failure(&b, n_jobs, err);
}
