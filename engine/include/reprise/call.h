/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: a graph called in another graph. subgraph.h builds loops, batches and branches on it. Calling rules:
 * reprise.h.
 *
 * A body is a graph like any other: made by rp_graph_create, with inputs and outputs by name. It may be recorded by
 * itself too. A call computes what its nodes would if they were built in the calling graph by hand, so that all that
 * holds for graphs holds for calls: devices, secrets, faults and saved graphs, in which no trace of the body is left.
 * A call of a long body is planned once for all calls, and is one node in exports (rp_graph_export) and in plans, where
 * the names of dispatches tell the nodes inside. Bodies may call others.
 */
#ifndef REPRISE_CALL_H
#define REPRISE_CALL_H

#include <reprise/op.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An input or an output of a body, by its name there, and the value of the calling graph that stands for it. */
typedef struct rp_call_port {
  const char *name;
  rp_value value;
} rp_call_port;

/* Adds a call of `body` to `graph`, in a scope "NAME[i]" of the open one; i counts the calls of that name there,
 * from 0. With an empty name, or NULL, the scope is "[i]". Scopes of the body lie in it, with their titles.
 *
 * inputs: each input of the body once, in any order, with a value of its type and length. A value may be given for
 * several inputs. Where the body's input is RP_SECRET, the value must be secret too; RP_RESIDENT, RP_BINDABLE and
 * RP_LENDABLE have no effect in a call.
 * outputs: at least one output of the body by name; the call writes their values, which the caller may use and make
 * outputs of `graph`. Of the body, only what they need is computed. On error all are RP_NO_VALUE.
 *
 * Returns the value of the first output. Constants of the body are shared by all calls: `graph` has each of them once,
 * and uses it where it lies. From its first call on a body is complete: adding to it is an error of the body. Then
 * several threads may call it, each in a graph of its own. `graph` and its recordings keep the body alive, so that the
 * caller may destroy it at once; data that the body borrows (RP_BORROW) must live as long as they do.
 *
 * Errors of `graph`: the body has an error, belongs to another context or is `graph` itself (RP_ERR_ARGUMENT, or the
 * body's own status); an input is missing, unknown or given twice, or an output is unknown (RP_ERR_ARGUMENT); a type or
 * a length differs (RP_ERR_TYPE, RP_ERR_SHAPE). The message names the call and the input or output. */
RP_API rp_value rp_call(rp_graph *graph, const char *name, const rp_graph *body, const rp_call_port *inputs,
                        uint32_t n_inputs, rp_call_port *outputs, uint32_t n_outputs);

#ifdef __cplusplus
}
#endif
#endif
