/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several proofs as one graph: calls of the graph of one proof, which share its constants and nothing else.
 */
#include "graph.h"

#include <reprise/call.h>

#include <stdio.h>

static void call_proof(rp_graph *g, const g16_graph *one, uint32_t i, g16_seat_values *seat) {
  static const char *const outputs[3] = {"pi_a", "pi_b", "pi_c"};
  char name[24];
  rp_call_port points[3];
  for (int k = 0; k < 3; k++) points[k] = (rp_call_port){outputs[k], RP_NO_VALUE};
  snprintf(name, sizeof name, "witness[%u]", i);
  seat->witness = rp_graph_input(g, name, rp_value_type(one->graph, one->witness),
                                 rp_value_len(one->graph, one->witness), RP_SECRET);
  rp_call(g, "proof", one->graph, &(rp_call_port){"witness", seat->witness}, 1, points, 3);
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "%s[%u]", outputs[k], i);
    rp_graph_output(g, name, points[k].value, 0);
  }
  seat->pi_a = points[0].value;
  seat->pi_b = points[1].value;
  seat->pi_c = points[2].value;
}

rp_status g16_graph_build_batch(const rp_groth16_key *key, rp_context *context, bool tables, uint32_t batch,
                                g16_graph *out, rp_error *err) {
  g16_graph one;
  *out = (g16_graph){0};
  rp_status status = g16_graph_build(key, context, tables, &G16_UNCUT, &one, err);
  if (status != RP_OK) return status;
  status = rp_graph_create(context, "groth16", &out->graph, err);
  for (uint32_t i = 0; i < batch && status == RP_OK; i++) call_proof(out->graph, &one, i, &out->seats[i]);
  rp_graph_destroy(one.graph); /* the graph keeps its body */
  if (status != RP_OK) return status;
  out->batch = batch;
  out->witness = out->seats[0].witness;
  out->pi_a = out->seats[0].pi_a;
  out->pi_b = out->seats[0].pi_b;
  out->pi_c = out->seats[0].pi_c;
  const rp_error *error = rp_graph_error(out->graph);
  if (error->status == RP_OK) return RP_OK;
  status = error->status;
  if (err) *err = *error;
  rp_graph_destroy(out->graph);
  *out = (g16_graph){0};
  return status;
}
