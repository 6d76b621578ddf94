/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls in a graph. A call of a long body is one node, of an operation that no program can make: its plan consists of
 * the dispatches of the body, which is planned once (template.h). Where the nodes of the body are needed one by one,
 * the graph is flattened. A call of a short body, or one that would lose something as one node, adds the nodes of the
 * body (call_node.c says which).
 */
#ifndef REPRISE_ENGINE_CALLED_H
#define REPRISE_ENGINE_CALLED_H

#include "graph.h"

#include <reprise/call.h>

/* What a node that is a call calls: its parameters. It lies in the graph of the node, or in a body of it. */
typedef struct rp_call_what rp_call_what;
struct rp_call_what {
  const rp_graph *body;
  const rp_call_what *next; /* others of the same body */
  /* Values of the body, as indices: those that the operands stand for, first all inputs, then the constants and what is
   * computed of constants alone, as far as other nodes read it; and those that the results stand for. */
  const uint32_t *ins, *outs;
  uint32_t n_ins, n_outs;
};

/* A body that a graph calls. */
struct rp_called {
  rp_called *next;
  const rp_graph *body;
  rp_value *at; /* per value of the body: the value of the calling graph that stands for it in the latest call; for
                 * constants it is the same in all calls */
  uint32_t *condition; /* per condition of the body, in the latest call: its number in the calling graph; 0: none yet */
  rp_scope **scope;    /* per scope of the body, of the latest call; NULL: it has no node so far */
  rp_value *in;        /* room for the operands and results of any node */
  rp_value *out;
  /* Calls as nodes. */
  bool by_node;    /* calls may be nodes */
  rp_value *kept;  /* per value of the body that is computed of constants alone: where the calling graph has it */
  bool has_kept;   /* those nodes have been added */
  uint64_t *given; /* the inputs of earlier calls, as keys in a table with linear probing, at most half full */
  uint32_t n_given, cap_given;
  unsigned char *secret; /* per value of the body: it depends on a secret input of the latest call */
  unsigned char *same;   /* per value of the body: it depends on inputs alone that earlier calls had too */
  uint32_t *ins;         /* of all rp_call_what */
  uint32_t n_ins;
  const rp_call_what *whats;
};

typedef struct rp_call_state {
  rp_graph *g;
  uint32_t around; /* the condition that is open */
  const rp_graph *body;
  const char *name;
  rp_called *called;
  bool flattens; /* the nodes of the body replace a node: they have the names of the body's, and what depends on
                  * constants alone is there */
} rp_call_state;

/* ---- called.c ---------------------------------------------------------------------------------------------------- */

/* Whether what the node computes depends on constants of the body alone. */
static inline bool rp_called_is_constant_node(const rp_graph *body, const rp_node *node) {
  return body->values[node->out[0].id - 1].constant;
}
/* The body's entry in the graph, which is made at its first call. NULL when out of memory. */
rp_called *rp_called_find(const rp_call_state *c);
rp_status rp_called_fail_memory(const rp_call_state *c);
/* Adds a node that stands for one of the body, whose operands stand in called->at, as the results will. `path`: it has
 * the name of the body's node below the call's scope, instead of a number of its own. */
rp_status rp_called_add_node(const rp_call_state *c, const rp_node *node, bool path);
/* Begins the nodes of a call in a scope. */
void rp_called_enter(const rp_call_state *c, rp_scope *scope);
/* The nodes of the body, after all of its inputs and constants stand in called->at. */
rp_status rp_called_add_nodes(const rp_call_state *c);

/* ---- call_node.c ------------------------------------------------------------------------------------------------- */

/* Whether the call, whose inputs stand in called->at, is to be a node. The outputs have values of the body. */
bool rp_call_is_node(const rp_call_state *c, const rp_call_port *outputs, uint32_t n_outputs);
/* Adds it; the scope of the call is open, and the constants stand in called->at. */
rp_status rp_call_add_node(const rp_call_state *c, const rp_call_port *outputs, uint32_t n_outputs);

/* ---- call_op.c --------------------------------------------------------------------------------------------------- */

extern const rp_op rp_op_call;

/* ---- flatten.c --------------------------------------------------------------------------------------------------- */

/* *flat gets a graph without nodes that are calls, which has the values of `graph` under the same ids, or `graph`
 * itself. The caller owns a reference to it. */
rp_status rp_graph_flatten(const rp_graph *graph, const rp_graph **flat, rp_error *err);
/* The same as rp_graph_flatten, kept by the graph; `graph` itself when out of memory. */
const rp_graph *rp_graph_flat(const rp_graph *graph);

#endif
