/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Submitted proofs of PLONK and of FFLONK: the members of a graphs_tasks_kind (graphs/tasks.h) that are the same.
 */
#ifndef REPRISE_PLONK_COMMON_SUBMIT_H
#define REPRISE_PLONK_COMMON_SUBMIT_H

#include "tasks.h"

rp_status plonk_task_start(void *prover, const graphs_request *request, uint64_t timeout_ns, void *proof,
                           uint8_t *public_signals, void *flight, rp_error *err);
rp_run *plonk_task_watch(void *flight, const atomic_int *cancelled, void (*ending)(void *user), void *user);
rp_status plonk_task_finish(void *flight, rp_run_counters *counters, rp_error *err);

extern const graphs_tasks_kind plonk_tasks_kind, fflonk_tasks_kind; /* submit.c of either prover */

#endif
