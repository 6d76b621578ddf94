/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A prover that JavaScript holds, and its proofs in flight. */
#ifndef REPRISE_NODE_PROVER_H
#define REPRISE_NODE_PROVER_H

#include "addon.h"

/* Memory for a witness, from rp_secret_alloc. */
typedef struct node_secret {
  void *memory;
  size_t bytes;
} node_secret;
enum { NODE_MOST_IN_FLIGHT = 64 };

/* Of the thread of its environment, except that threads of the prover call `finished`. */
typedef struct node_prover {
  const node_protocol *protocol;
  rp_device *device; /* retained */
  void *prover;      /* NULL: closed */
  uint64_t n_public;
  void *data;                        /* a prerecorded key in memory, which the prover uses */
  napi_threadsafe_function finished; /* called with the node_task; keeps the event loop while proofs run */
  uint32_t pending;                  /* proofs that were submitted and not reported */
  node_task *tasks;                  /* these */
  uint32_t last_id;                  /* of a task */
  uint32_t n_spare;                  /* memory of finished proofs, wiped, for the next ones */
  node_secret spare[NODE_MOST_IN_FLIGHT];
  napi_env env;
} node_prover;

node_prover *node_prover_of(napi_env env, napi_value external); /* throws if it is none, or closed */
/* Memory of at least `bytes`, a spare one if there is; `memory` is NULL without memory. */
node_secret node_secret_take(node_prover *p, size_t bytes);
/* Wipes it, and keeps it for the next proof. */
void node_secret_give_back(node_prover *p, node_secret secret);
/* Creates `finished`, whose calls report proofs (prove.c). */
napi_status node_prover_listen(napi_env env, node_prover *p);

#endif
