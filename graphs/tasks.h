/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls of provers that submit proofs (rp_groth16_submit, rp_plonk_submit, rp_fflonk_submit, and those on tasks):
 * tasks in the order of submission, and the prover's threads that make their proofs.
 */
#ifndef REPRISE_GRAPHS_TASKS_H
#define REPRISE_GRAPHS_TASKS_H

#include "formats/witness.h"

#include <reprise/gnark.h>

#include <stdatomic.h>
#include <stdbool.h>

enum { GRAPHS_MOST_FLIGHT_BYTES = 1024 };

typedef struct graphs_queue graphs_queue;
typedef struct graphs_task graphs_task; /* what rp_groth16_task, rp_plonk_task and rp_fflonk_task are */

/* What a proof is made from, and who is told. */
typedef struct graphs_request {
  g16_witness witness; /* exactly one of path, wtns and values, or none of them with a solution; the path is copied */
  bool solved;         /* the key is one of gnark: the path or the bytes of `witness` are those of a solution's file */
  bool has_solution;
  rp_gnark_solution solution; /* its arrays are the caller's */
  void (*done)(void);         /* NULL: none. What `tell` of the kind gets */
  void *user;
} graphs_request;

/* What differs between proof systems. A flight is a proof that has been started, and has room for
 * GRAPHS_MOST_FLIGHT_BYTES bytes. */
typedef struct graphs_tasks_kind {
  const char *name; /* what its calls begin with, for reasons: "rp_plonk" */
  size_t proof_bytes;
  /* Starts a proof. RP_ERR_BUSY: no slot became free within the time. After any failure there is nothing to finish. */
  rp_status (*start)(void *prover, const graphs_request *from, uint64_t timeout_ns, void *proof,
                     uint8_t *public_signals, void *flight, rp_error *err);
  /* Has the flight call ending(user) before its run is ended; work after the run, if there is any, stops once
   * *cancelled is not 0. Returns the run. */
  rp_run *(*watch)(void *flight, const atomic_int *cancelled, void (*ending)(void *user), void *user);
  rp_status (*finish)(void *flight, rp_run_counters *counters, rp_error *err);
  /* Calls the caller's function, which has the type of the proof system. */
  void (*tell)(void (*done)(void), void *user, graphs_task *task);
} graphs_tasks_kind;

/* The graphs_request of a request of the public interface, which has the same members in each proof system. */
#define GRAPHS_REQUEST(r)                                \
  {                                                      \
    .witness = {.path = (r)->wtns_path,                  \
                .wtns = (r)->wtns,                       \
                .wtns_bytes = (r)->wtns_bytes,           \
                .values = (r)->values,                   \
                .n_values = (r)->n_values},              \
    .done = (void (*)(void))(r)->done, .user = (r)->user \
  }

/* Starts no thread. NULL when out of memory. */
graphs_queue *graphs_queue_new(const graphs_tasks_kind *kind, rp_context *context, void *prover, uint32_t max_in_flight,
                               uint64_t n_public);
/* Cancels unfinished tasks, waits until every task is finished and its callback has returned, and ends the threads.
 * Tasks that the caller still holds keep their results. In a forked child, which does not have the threads, it frees
 * only the memory. NULL does nothing. */
void graphs_queue_destroy(graphs_queue *queue);

/* Submission in two steps, so that the caller's pointer to the task is set before a thread can call its callback. On
 * failure of either there is no task. */
rp_status graphs_task_new(graphs_queue *queue, const graphs_request *request, graphs_task **task, rp_error *err);
rp_status graphs_task_begin(graphs_task *task, uint64_t timeout_ns, rp_error *err);

/* As it was submitted, with the task's copy of the path. */
const graphs_request *graphs_task_request(const graphs_task *task);

/* These do what the public headers say of the calls with these names. The task may be NULL, as there. */
rp_status graphs_task_wait(graphs_task *task, uint64_t timeout_ns);
void graphs_task_cancel(graphs_task *task);
/* The caller has cleared the room for the proof. */
rp_status graphs_task_result(graphs_task *task, void *proof, uint8_t *public_signals, rp_run_counters *counters,
                             rp_error *err);
void graphs_task_end(graphs_task *task);

#endif
