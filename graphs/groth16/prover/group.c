/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "group.h"

#include "batch.h"
#include "formats/fail.h"

enum { VALUE_BYTES = G16_VALUE_BYTES };

static uint64_t signal_bytes(const rp_groth16_prover *prover) { return prover->key->info.n_public * VALUE_BYTES; }

/* ---- Starting ---------------------------------------------------------------------------------------------------- */

/* A seat whose witness cannot be read is left empty. */
static rp_status fill_seat(g16_group *g, const g16_source *from, uint32_t i, rp_error *err) {
  g16_seat *seat = &g->seats[i];
  uint8_t *input = g16_seat_staging(g->prover, g->run, i, err);
  if (!input) return RP_ERR_INTERNAL;
  seat->status = g16_fill_scalars(g->prover, from, input, &seat->error);
  if (seat->status == RP_OK)
    memcpy(g->signals + i * signal_bytes(g->prover), input + VALUE_BYTES, signal_bytes(g->prover));
  else
    rp_wipe(input, g16_seat_bytes(g->prover));
  return RP_OK;
}

static rp_status fail_all(g16_group *g, rp_status status, const rp_error *why) {
  for (uint32_t i = 0; i < g->n; i++) {
    g->seats[i].status = status;
    g->seats[i].error = *why;
  }
  return status;
}

static rp_status first_failure(const g16_group *g, rp_error *err) {
  for (uint32_t i = 0; i < g->n; i++) {
    if (g->seats[i].status == RP_OK) continue;
    if (err) *err = g->seats[i].error;
    return g->seats[i].status;
  }
  return RP_OK;
}

static void end_group(g16_group *g) {
  rp_run_end(g->run);
  g->run = NULL;
  if (g->signals) rp_wipe(g->signals, g->n * signal_bytes(g->prover));
  rp_context_free(g->signals);
  g->signals = NULL;
}

static rp_status fill_group(g16_group *g, const g16_source *from, uint32_t *good, rp_error *why) {
  g->signals = rp_context_alloc(g->prover->context, g->n * signal_bytes(g->prover) + 1);
  if (!g->signals) return support_fail(why, RP_ERR_MEMORY, "Out of memory for the public signals of %u proofs.", g->n);
  rp_status status = g16_group_empty(g->prover, g->run, g->n, why);
  for (uint32_t i = 0; i < g->n && status == RP_OK; i++) {
    status = fill_seat(g, &from[i], i, why);
    *good += g->seats[i].status == RP_OK;
  }
  return status;
}

rp_status g16_group_start(rp_groth16_prover *prover, const g16_source *from, uint64_t timeout_ns, g16_group *group,
                          rp_error *err) {
  rp_error why = {0};
  uint32_t good = 0;
  group->prover = prover;
  group->run = NULL;
  group->signals = NULL;
  rp_status status = rp_run_begin(prover->recording, timeout_ns, &group->run, &why);
  if (status == RP_OK) status = fill_group(group, from, &good, &why);
  if (status == RP_OK && good && (status = rp_run_submit(group->run)) != RP_OK) why = *rp_run_error(group->run);
  if (status == RP_OK && good) return RP_OK;
  if (status != RP_OK && status != RP_ERR_BUSY) (void)fail_all(group, status, &why);
  end_group(group);
  if (status == RP_OK) return first_failure(group, err);
  if (err) *err = why;
  return status;
}

/* ---- Finishing --------------------------------------------------------------------------------------------------- */

/* The seats that have a proof so far, in their order. */
static uint32_t list_good(const g16_group *g, uint32_t place[G16_BATCH_MAX]) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->n; i++)
    if (g->seats[i].status == RP_OK) place[n++] = i;
  return n;
}

/* Proofs to verify, in shares. */
typedef struct checking {
  g16_group *group;
  const rp_groth16_proof *proofs;
  const uint32_t *place;
  uint32_t n, shares;
} checking;

/* All of a share together, which is faster, and one by one if that does not accept them: the result is the same for
 * each. */
static void verify_share(void *arg, uint32_t share) {
  const checking *c = arg;
  const rp_groth16_prover *prover = c->group->prover;
  const uint64_t n_public = prover->key->info.n_public, bytes = signal_bytes(prover);
  const uint32_t begin = c->n * share / c->shares, end = c->n * (share + 1) / c->shares;
  const uint8_t *signals = c->group->signals;
  if (end - begin > 1 && rp_groth16_verify_batch(prover->vkey, c->proofs + begin, signals + begin * bytes, end - begin,
                                                 n_public, NULL, NULL) == RP_OK)
    return;
  for (uint32_t k = begin; k < end; k++) {
    g16_seat *seat = &c->group->seats[c->place[k]];
    seat->status = g16_verify_release(prover->vkey, &c->proofs[k], signals + k * bytes, n_public, &seat->error);
  }
}

/* The threads that copied the witnesses also verify. A share of fewer than four proofs would cost more than it
 * saves. */
static void verify(g16_group *g, const rp_groth16_proof *proofs, const uint32_t *place, uint32_t n) {
  enum { LEAST_SHARE = 4 };
  const rp_executor *e = g->prover->copiers.executor;
  checking c = {.group = g, .proofs = proofs, .place = place, .n = n, .shares = 1};
  if (e && n >= 2 * LEAST_SHARE) c.shares = n / LEAST_SHARE < e->workers ? n / LEAST_SHARE : e->workers;
  if (c.shares > 1)
    e->parallel(e->user, c.shares, verify_share, &c);
  else
    verify_share(&c, 0);
}

/* The caller gets a proof only after verification, since a wrong one could reveal the witness. */
static void release(g16_group *g, const rp_groth16_proof *proofs, const uint32_t *place, uint32_t n) {
  const uint64_t bytes = signal_bytes(g->prover);
  for (uint32_t k = 0; k < n; k++) {
    const g16_seat *seat = &g->seats[place[k]];
    if (seat->status != RP_OK) continue;
    *seat->proof = proofs[k];
    if (seat->public_signals) memcpy(seat->public_signals, g->signals + k * bytes, bytes);
  }
}

rp_status g16_group_finish(g16_group *group, rp_error *err) {
  const rp_groth16_prover *prover = group->prover;
  const uint64_t bytes = signal_bytes(prover);
  rp_groth16_proof proofs[G16_BATCH_MAX] = {0};
  uint32_t place[G16_BATCH_MAX], n = 0;
  const rp_status status = rp_run_wait(group->run, UINT64_MAX);
  if (status != RP_OK) (void)fail_all(group, status, rp_run_error(group->run));
  if (status == RP_OK) n = list_good(group, place);
  for (uint32_t k = 0; k < n; k++) {
    g16_take_points(prover, group->run, &prover->graph.seats[place[k]], &proofs[k]);
    memmove(group->signals + k * bytes, group->signals + place[k] * bytes, bytes); /* towards the front, in order */
  }
  if (prover->inspect) prover->inspect(prover->inspect_user, group->run);
  rp_run_end(group->run);
  group->run = NULL;
  if (prover->vkey) verify(group, proofs, place, n);
  release(group, proofs, place, n);
  rp_wipe(proofs, sizeof proofs);
  end_group(group);
  return first_failure(group, err);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

/* Jobs that one run serves, as a job of graphs_batch_prove. */
typedef struct group_job {
  uint32_t struct_size;
  rp_status status;
  rp_error error;
  void *proof; /* NULL: the jobs have theirs */
  const graphs_jobs *jobs;
  size_t first;
  uint32_t n, *n_tried; /* n_tried: how often any of them was started */
} group_job;

/* A group in flight, with the seat of each job that has one. */
typedef struct group_flight {
  g16_group group;
  const graphs_jobs *jobs;
  size_t job[G16_BATCH_MAX];
} group_flight;

static void report(group_flight *b) {
  for (uint32_t i = 0; i < b->group.n; i++)
    graphs_jobs_end(b->jobs, b->job[i], b->group.seats[i].status, &b->group.seats[i].error);
}

static rp_status group_job_start(void *prover, const void *at, size_t index, uint64_t timeout_ns, void *flight,
                                 rp_error *err) {
  const group_job *c = at;
  group_flight *b = flight;
  g16_source from[G16_BATCH_MAX] = {0};
  (void)index;
  ++*c->n_tried;
  b->jobs = c->jobs;
  b->group.n = 0;
  for (size_t i = c->first; i < c->first + c->n; i++) {
    rp_groth16_job job;
    rp_error why = {0};
    graphs_jobs_get(c->jobs, i, &job, sizeof job);
    const rp_status status = g16_job_source(&job, i, &from[b->group.n], &why);
    graphs_jobs_begin(c->jobs, i);
    if (status != RP_OK) {
      graphs_jobs_end(c->jobs, i, status, &why);
      continue;
    }
    b->group.seats[b->group.n] = (g16_seat){.proof = job.proof, .public_signals = job.public_signals};
    b->job[b->group.n++] = i;
  }
  if (!b->group.n) return support_fail(err, RP_ERR_ARGUMENT, "No job of the run has a witness and room for its proof.");
  const rp_status status = g16_group_start(prover, from, timeout_ns, &b->group, err);
  if (status != RP_OK && status != RP_ERR_BUSY) report(b);
  return status;
}

static rp_status group_job_finish(void *flight, rp_error *err) {
  group_flight *b = flight;
  const rp_status status = g16_group_finish(&b->group, err);
  report(b);
  return status;
}

rp_status g16_group_prove(rp_groth16_prover *prover, const graphs_batch *kind, rp_groth16_job *jobs, size_t n_jobs,
                          rp_error *err) {
  static const graphs_batch group_jobs = {.call = "rp_groth16_prove_batch",
                                          .status = offsetof(group_job, status),
                                          .error = offsetof(group_job, error),
                                          .proof = offsetof(group_job, proof),
                                          .proof_bytes = 0,
                                          .flight_bytes = sizeof(group_flight),
                                          .start = group_job_start,
                                          .finish = group_job_finish};
  const uint32_t batch = prover->graph.batch;
  const size_t n = (n_jobs + batch - 1) / batch;
  graphs_jobs all;
  rp_status status = graphs_jobs_open(&all, kind, jobs, n_jobs, err);
  if (status != RP_OK || !n) return status;
  rp_error why = {0};
  group_job *list = rp_context_alloc(prover->context, n * sizeof *list);
  uint32_t n_tried = 0;
  for (size_t i = 0; list && i < n; i++) {
    const size_t first = i * batch, rest = n_jobs - first;
    list[i] = (group_job){.struct_size = sizeof(group_job), .jobs = &all, .first = first, .n_tried = &n_tried};
    list[i].n = rest < batch ? (uint32_t)rest : batch;
  }
  if (list)
    (void)!graphs_batch_prove(&group_jobs, prover, prover->context, prover->max_in_flight, list, n, &why);
  else
    (void)support_fail(&why, RP_ERR_MEMORY, "Out of memory for %zu proofs.", n_jobs);
  rp_context_free(list);
  return n_tried ? graphs_jobs_result(&all, err) : graphs_jobs_fail(&all, &why, err);
}
