/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs: graphs/tasks.h makes them.
 */
#include "formats/fail.h"
#include "prove.h"

/* A task of this interface is one of graphs/tasks.h. */
static graphs_task *task_of(rp_groth16_task *task) { return (graphs_task *)task; }

/* A task has room for a proof of gnark, of which Groth16's is the first part. */
static rp_status start(void *prover, const graphs_request *request, uint64_t timeout_ns, void *proof,
                       uint8_t *public_signals, void *flight, rp_error *err) {
  rp_gnark_proof *made = proof;
  const g16_source plain = {.witness = request->witness},
                   solved = {.solution = request->has_solution ? &request->solution : NULL,
                             .solution_path = request->witness.path,
                             .solution_file = request->witness.wtns,
                             .solution_bytes = request->witness.wtns_bytes,
                             .gnark = made};
  return g16_flight_start(prover, request->solved ? &solved : &plain, timeout_ns, &made->groth16, public_signals,
                          flight, err);
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
                                          .proof_bytes = sizeof(rp_gnark_proof),
                                          .start = start,
                                          .watch = watch,
                                          .finish = finish,
                                          .tell = tell};

/* Completes the request by what is given for a key of gnark. */
static rp_status take_solution(const rp_groth16_prover *prover, const rp_groth16_request *r, graphs_request *given,
                               rp_error *err) {
  given->solved = prover->key->info.gnark != 0;
  given->has_solution = r->solution != NULL;
  if (r->solution && !given->solved)
    return support_fail(err, RP_ERR_MISMATCH,
                        "rp_groth16_submit: %s is not a key of gnark: its proofs are made from a witness, not from a "
                        "solution.",
                        support_label(g16_key_name(prover->key)));
  if (r->values && given->solved)
    return support_fail(err, RP_ERR_MISMATCH,
                        "rp_groth16_submit: %s is a key of gnark: its proofs are made from a solution or its file, not "
                        "from values.",
                        support_label(g16_key_name(prover->key)));
  return r->solution ? graphs_options(&given->solution, sizeof given->solution, r->solution, "A solution", err) : RP_OK;
}

rp_status rp_groth16_submit(rp_groth16_prover *prover, const rp_groth16_request *request, uint64_t timeout_ns,
                            rp_groth16_task **task, rp_error *err) {
  rp_groth16_request r;
  if (!task) return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_submit: task is NULL.");
  *task = NULL;
  if (!prover || !request)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_submit: a prover and a request are needed.");
  rp_status status = graphs_options(&r, sizeof r, request, "A request for a proof", err);
  if (status != RP_OK) return status;
  graphs_request given = GRAPHS_REQUEST(&r);
  graphs_task *made = NULL;
  status = take_solution(prover, &r, &given, err);
  if (status == RP_OK) status = graphs_task_new(prover->queue, &given, &made, err);
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

static rp_status result(rp_groth16_task *task, bool solved, rp_gnark_proof *made, uint8_t *public_signals,
                        rp_run_counters *counters, rp_error *err) {
  if (task && graphs_task_request(task_of(task))->solved != solved)
    return support_fail(err, RP_ERR_MISMATCH,
                        solved ? "The key of the task is not one of gnark: rp_groth16_result gives its proof."
                               : "The key of the task is one of gnark: rp_gnark_result gives its proof.");
  return graphs_task_result(task_of(task), made, public_signals, counters, err);
}

rp_status rp_groth16_result(rp_groth16_task *task, rp_groth16_proof *proof, uint8_t *public_signals,
                            rp_run_counters *counters, rp_error *err) {
  rp_gnark_proof made;
  if (proof) *proof = (rp_groth16_proof){0};
  const rp_status status = result(task, 0, &made, public_signals, counters, err);
  if (proof && status == RP_OK) *proof = made.groth16;
  return status;
}

rp_status rp_gnark_result(rp_groth16_task *task, rp_gnark_proof *proof, uint8_t *public_signals,
                          rp_run_counters *counters, rp_error *err) {
  rp_gnark_proof made;
  if (proof) *proof = (rp_gnark_proof){0};
  const rp_status status = result(task, 1, &made, public_signals, counters, err);
  if (proof && status == RP_OK) *proof = made;
  return status;
}

void rp_groth16_end(rp_groth16_task *task) { graphs_task_end(task_of(task)); }
