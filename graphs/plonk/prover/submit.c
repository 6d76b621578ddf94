/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs: graphs/tasks.h makes them.
 */
#include "formats/fail.h"
#include "plonk/common/prover.h"
#include "plonk/common/submit.h"

/* A task of this interface is one of graphs/tasks.h. */
static graphs_task *task_of(rp_plonk_task *task) { return (graphs_task *)task; }

typedef void (*done_fn)(void *user, rp_plonk_task *task);
static void tell(void (*done)(void), void *user, graphs_task *task) {
  ((done_fn)done)(user, (rp_plonk_task *)task); /* what rp_plonk_submit was given */
}

const graphs_tasks_kind plonk_tasks_kind = {.name = "rp_plonk",
                                            .proof_bytes = sizeof(rp_plonk_proof),
                                            .start = plonk_task_start,
                                            .watch = plonk_task_watch,
                                            .finish = plonk_task_finish,
                                            .tell = tell};

rp_status rp_plonk_submit(rp_plonk_prover *prover, const rp_plonk_request *request, uint64_t timeout_ns,
                          rp_plonk_task **task, rp_error *err) {
  rp_plonk_request r;
  if (!task) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_submit: task is NULL.");
  *task = NULL;
  if (!prover || !request)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_submit: a prover and a request are needed.");
  rp_status status = graphs_options(&r, sizeof r, request, "A request for a proof", err);
  if (status != RP_OK) return status;
  const graphs_request given = GRAPHS_REQUEST(&r);
  graphs_task *made = NULL;
  status = graphs_task_new(((plonk_prover *)prover)->queue, &given, &made, err);
  if (status != RP_OK) return status;
  *task = (rp_plonk_task *)made;
  status = graphs_task_begin(made, timeout_ns, err);
  if (status != RP_OK) *task = NULL;
  return status;
}

rp_status rp_plonk_wait(rp_plonk_task *task, uint64_t timeout_ns) {
  return graphs_task_wait(task_of(task), timeout_ns);
}

rp_status rp_plonk_poll(rp_plonk_task *task) { return graphs_task_wait(task_of(task), 0); }

void rp_plonk_cancel(rp_plonk_task *task) { graphs_task_cancel(task_of(task)); }

rp_status rp_plonk_result(rp_plonk_task *task, rp_plonk_proof *proof, uint8_t *public_signals,
                          rp_run_counters *counters, rp_error *err) {
  if (proof) *proof = (rp_plonk_proof){0};
  return graphs_task_result(task_of(task), proof, public_signals, counters, err);
}

void rp_plonk_end(rp_plonk_task *task) { graphs_task_end(task_of(task)); }
