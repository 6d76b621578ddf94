/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A prover that JavaScript holds, and its proofs in flight. */
#ifndef REPRISE_NODE_PROVER_H
#define REPRISE_NODE_PROVER_H

#include "addon.h"

/* Of the thread of its environment, except that threads of the prover call `finished`. */
typedef struct node_prover {
  const node_protocol *protocol;
  rp_device *device; /* retained */
  void *prover;      /* NULL: closed */
  uint64_t n_public;
  void *data;                        /* a prerecorded key in memory, which the prover uses */
  napi_threadsafe_function finished; /* called with the node_task; keeps the event loop while proofs run */
  uint32_t pending;                  /* proofs that were submitted and not reported */
  napi_env env;
} node_prover;

node_prover *node_prover_of(napi_env env, napi_value external); /* throws if it is none, or closed */
/* Creates `finished`, whose calls report proofs (prove.c). */
napi_status node_prover_listen(napi_env env, node_prover *p);

#endif
