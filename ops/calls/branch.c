/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Branches: both bodies are called, each under its condition, and of each pair of outputs the one of the chosen branch
 * is taken.
 */
#include "lower/lower.h"

#include <reprise/subgraph.h>

typedef struct branch {
  rp_graph *g;
  const char *name;
  rp_value condition;
  const rp_call_port *inputs;
  rp_call_port *outputs;
  uint32_t n_inputs, n_outputs;
  rp_call_port *in;     /* of one body */
  rp_call_port *out[2]; /* of either */
} branch;

static bool fail(const branch *b, rp_status status, const char *problem) {
  rp_graph_fail(b->g, status, "if '%.64s': %s", b->name, problem);
  return 0;
}

static bool has_input(const rp_graph *body, const char *name) {
  rp_port_info info = {.struct_size = sizeof info};
  return rp_graph_find_input(body, name, &info, NULL) == RP_OK;
}

/* Calls a body under its condition with those of the inputs that it has. */
static bool call_body(const branch *b, bool then, const rp_graph *body, rp_call_port *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->n_inputs; i++)
    if (has_input(body, b->inputs[i].name)) b->in[n++] = b->inputs[i];
  for (uint32_t i = 0; i < b->n_outputs; i++) out[i] = (rp_call_port){b->outputs[i].name, RP_NO_VALUE};
  rp_condition_begin(b->g, b->condition, then);
  const bool good = rp_call(b->g, then ? "then" : "else", body, b->in, n, out, b->n_outputs).id != 0;
  rp_condition_end(b->g);
  return good;
}

static bool check_inputs(const branch *b, const rp_graph *then_body, const rp_graph *else_body) {
  for (uint32_t i = 0; i < b->n_inputs; i++) {
    const char *name = b->inputs[i].name;
    if (name && (has_input(then_body, name) || has_input(else_body, name))) continue;
    rp_graph_fail(b->g, RP_ERR_ARGUMENT, "if '%.64s': neither body has an input '%.64s'", b->name,
                  name ? name : "(NULL)");
    return 0;
  }
  return 1;
}

static bool run(const branch *b, const rp_graph *then_body, const rp_graph *else_body) {
  if (!check_inputs(b, then_body, else_body)) return 0;
  rp_scope_begin(b->g, b->name);
  if (!call_body(b, 1, then_body, b->out[0]) || !call_body(b, 0, else_body, b->out[1])) return 0;
  for (uint32_t i = 0; i < b->n_outputs; i++) {
    b->outputs[i].value = rp_select(b->g, b->condition, b->out[0][i].value, b->out[1][i].value);
    if (!b->outputs[i].value.id) return 0;
  }
  rp_scope_end(b->g);
  return 1;
}

static bool call_both(branch *b, const rp_graph *then_body, const rp_graph *else_body) {
  const rp_error *error = rp_graph_error(b->g);
  if (!error || error->status) return 0;
  if (!then_body || !else_body || (!b->inputs && b->n_inputs) || !b->outputs || !b->n_outputs)
    return fail(b, RP_ERR_ARGUMENT, "it needs two bodies, their inputs, and at least one output");
  rp_context *context = rp_graph_context(b->g);
  b->in = rp_context_alloc(context, (b->n_inputs + 1u) * sizeof *b->in);
  b->out[0] = rp_context_alloc(context, 2u * (size_t)b->n_outputs * sizeof *b->out[0]);
  if (b->out[0]) b->out[1] = b->out[0] + b->n_outputs;
  const bool good =
      b->in && b->out[0] ? run(b, then_body, else_body) : fail(b, RP_ERR_MEMORY, "out of host memory for the graph");
  rp_context_free(b->in);
  rp_context_free(b->out[0]);
  return good;
}

bool rp_if(rp_graph *graph, const char *name, rp_value condition, const rp_graph *then_body, const rp_graph *else_body,
           const rp_call_port *inputs, uint32_t n_inputs, rp_call_port *outputs, uint32_t n_outputs) {
  branch b = {.g = graph,
              .name = name ? name : "(NULL)",
              .condition = condition,
              .inputs = inputs,
              .outputs = outputs,
              .n_inputs = n_inputs,
              .n_outputs = n_outputs};
  const bool good = call_both(&b, then_body, else_body);
  for (uint32_t i = 0; !good && outputs && i < n_outputs; i++) outputs[i].value = RP_NO_VALUE;
  return good;
}
