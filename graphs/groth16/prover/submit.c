/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs: graphs/tasks.h makes them.
 */
#include "formats/fail.h"
#include "prove.h"

/* A task of this interface is one of graphs/tasks.h. */
static graphs_task *task_of(rp_groth16_task *task) { return (graphs_task *)task; }

static rp_status start(void *prover, const g16_witness *witness, uint64_t timeout_ns, void *proof,
                       uint8_t *public_signals, void *flight, rp_error *err) {
  const g16_source from = {.witness = *witness};
  return g16_flight_start(prover, &from, timeout_ns, proof, public_signals, flight, err);
}

static rp_run *watch(void *flight, const atomic_int *cancelled, void (*ending)(void *user), void *user) {
  g16_flight *f = flight;
  f->cancelled = cancelled;
  f->ending = ending;
  f->ending_user = user;
  return f->run;
}

static rp_status finish(void *flight, rp_run_counters *counters, rp_error *err) {
  return g16_flight_finish(flight, counters, err);
}

typedef void (*done_fn)(void *user, rp_groth16_task *task);
static void tell(void (*done)(void), void *user, graphs_task *task) {
  ((done_fn)done)(user, (rp_groth16_task *)task); /* what rp_groth16_submit was given */
}

_Static_assert(sizeof(g16_flight) <= GRAPHS_MOST_FLIGHT_BYTES, "a proof in progress has room");
const graphs_tasks_kind g16_tasks_kind = {.name = "rp_groth16",
                                          .proof_bytes = sizeof(rp_groth16_proof),
                                          .start = start,
                                          .watch = watch,
                                          .finish = finish,
                                          .tell = tell};

rp_status rp_groth16_submit(rp_groth16_prover *prover, const rp_groth16_request *request, uint64_t timeout_ns,
                            rp_groth16_task **task, rp_error *err) {
  rp_groth16_request r;
  if (!task) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_submit: task is NULL.");
  *task = NULL;
  if (!prover || !request)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_submit: a prover and a request are needed.");
  rp_status status = graphs_options(&r, sizeof r, request, "A request for a proof", err);
  if (status != RP_OK) return status;
  const graphs_request given = GRAPHS_REQUEST(&r);
  graphs_task *made = NULL;
  status = graphs_task_new(prover->queue, &given, &made, err);
  if (status != RP_OK) return status;
  *task = (rp_groth16_task *)made;
  status = graphs_task_begin(made, timeout_ns, err);
  if (status != RP_OK) *task = NULL;
  return status;
}

rp_status rp_groth16_wait(rp_groth16_task *task, uint64_t timeout_ns) {
  return graphs_task_wait(task_of(task), timeout_ns);
}

rp_status rp_groth16_poll(rp_groth16_task *task) { return graphs_task_wait(task_of(task), 0); }

void rp_groth16_cancel(rp_groth16_task *task) { graphs_task_cancel(task_of(task)); }

rp_status rp_groth16_result(rp_groth16_task *task, rp_groth16_proof *proof, uint8_t *public_signals,
                            rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_groth16_proof){0};
  return graphs_task_result(task_of(task), proof, public_signals, counters, err);
}

void rp_groth16_end(rp_groth16_task *task) { graphs_task_end(task_of(task)); }
