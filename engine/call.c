/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls: the nodes of a body are added to the calling graph by the calls with which a program adds nodes, so that every
 * check of the builder holds for them. What remains between two calls of a body is the list of its constants.
 */
#include "called.h"

#include <reprise/call.h>

#include <stdio.h>

static rp_status fail(const rp_call_state *c, rp_status status, const char *what, const char *port,
                      const char *problem) {
  rp_graph_fail(c->g, status, "call '%.64s': %s '%.64s' %.200s", c->name, what, port ? port : "(NULL)", problem);
  return status;
}

static rp_status fail_call(const rp_call_state *c, rp_status status, const char *problem) {
  rp_graph_fail(c->g, status, "call '%.64s': %.300s", c->name, problem);
  return status;
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

static rp_status check_body(const rp_call_state *c) {
  if (!c->body) return fail_call(c, RP_ERR_ARGUMENT, "the body is NULL");
  if (c->body == c->g) return fail_call(c, RP_ERR_ARGUMENT, "a graph cannot be its own body");
  if (c->body->context != c->g->context) return fail_call(c, RP_ERR_ARGUMENT, "the body belongs to another context");
  if (c->body->error.status) {
    rp_graph_fail(c->g, c->body->error.status, "call '%.64s': its body: %.300s", c->name, c->body->error.reason);
    return c->body->error.status;
  }
  if (atomic_load(&c->g->complete))
    return fail_call(c, RP_ERR_STATE, "the calling graph is itself a body that has been called, and complete");
  return RP_OK;
}

/* ---- Inputs and outputs ------------------------------------------------------------------------------------------ */

static rp_status bind_input(const rp_call_state *c, const rp_call_port *port) {
  const rp_name *known = port->name ? rp_names_find(&c->body->names, RP_NAME_INPUT, NULL, port->name) : NULL;
  if (!known) return fail(c, RP_ERR_ARGUMENT, "the body has no input", port->name, "");
  const rp_value input = c->body->inputs[known->number];
  const rp_graph_value *want = rp_graph_value_of(c->body, input), *have = rp_graph_value_of(c->g, port->value);
  if (!have) return fail(c, RP_ERR_ARGUMENT, "input", port->name, rp_value_problem(c->g->mark, port->value));
  if (c->called->at[input.id - 1].id) return fail(c, RP_ERR_ARGUMENT, "input", port->name, "is given twice");
  if (have->type->id != want->type->id || have->type->size_bytes != want->type->size_bytes ||
      have->type->align_bytes != want->type->align_bytes) {
    rp_graph_fail(c->g, RP_ERR_TYPE, "call '%.64s': input '%.64s' has elements of %.32s, and the value has %.32s",
                  c->name, port->name, want->type->name, have->type->name);
    return RP_ERR_TYPE;
  }
  if (have->len != want->len) {
    rp_graph_fail(c->g, RP_ERR_SHAPE, "call '%.64s': input '%.64s' has %llu elements, and the value has %llu", c->name,
                  port->name, (unsigned long long)want->len, (unsigned long long)have->len);
    return RP_ERR_SHAPE;
  }
  if (want->secret && !have->secret)
    return fail(c, RP_ERR_ARGUMENT, "input", port->name,
                "is secret, and the value is not: give the graph's input the flag RP_SECRET");
  c->called->at[input.id - 1] = port->value;
  return RP_OK;
}

static rp_status bind_inputs(const rp_call_state *c, const rp_call_port *ports, uint32_t n) {
  for (uint32_t i = 0; i < c->body->n_inputs; i++) c->called->at[c->body->inputs[i].id - 1] = RP_NO_VALUE;
  for (uint32_t i = 0; i < n; i++) {
    const rp_status status = bind_input(c, &ports[i]);
    if (status) return status;
  }
  for (uint32_t i = 0; i < c->body->n_inputs; i++) {
    const rp_value input = c->body->inputs[i];
    if (!c->called->at[input.id - 1].id)
      return fail(c, RP_ERR_ARGUMENT, "input", rp_graph_value_of(c->body, input)->name, "is not given");
  }
  return RP_OK;
}

/* Writes the body's own values to the ports. */
static rp_status find_outputs(const rp_call_state *c, rp_call_port *ports, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const rp_name *known = ports[i].name ? rp_names_find(&c->body->names, RP_NAME_OUTPUT, NULL, ports[i].name) : NULL;
    if (!known) return fail(c, RP_ERR_ARGUMENT, "the body has no output", ports[i].name, "");
    ports[i].value = c->body->outputs[known->number];
  }
  return RP_OK;
}

/* ---- Adding the body --------------------------------------------------------------------------------------------- */

/* Constants of the body lie in its memory or in the caller's, and stay there as long as the body lives. */
static rp_status add_constants(const rp_call_state *c) {
  for (uint32_t i = 0; i < c->body->n_values; i++) {
    const rp_graph_value *v = &c->body->values[i];
    if (v->storage != RP_STORAGE_CONSTANT || c->called->at[i].id) continue;
    c->called->at[i] = v->source ? rp_graph_constant_from(c->g, v->name, v->type, v->len, v->source)
                                 : rp_graph_constant(c->g, v->name, v->type, v->len, v->data, RP_BORROW);
    if (!c->called->at[i].id) return c->g->error.status;
  }
  return RP_OK;
}

/* Opens the scope "NAME[i]". */
static rp_status begin_scope(const rp_call_state *c) {
  rp_graph *g = c->g;
  char path[256];
  const rp_name *known = rp_names_find(&g->names, RP_NAME_CALL, g->scope, c->name);
  uint32_t *count = known ? known->what : rp_arena_alloc(&g->arena, sizeof *count, _Alignof(uint32_t));
  if (!count) return rp_called_fail_memory(c);
  if (!known) {
    const char *own = rp_arena_string(&g->arena, c->name);
    if (!own || !rp_names_add(&g->names, g->context,
                              &(rp_name){.text = own, .owner = g->scope, .kind = RP_NAME_CALL, .what = count}))
      return rp_called_fail_memory(c);
  }
  if (snprintf(path, sizeof path, "%s[%u]", c->name, *count) >= (int)sizeof path)
    return fail_call(c, RP_ERR_ARGUMENT, "its name has more than 240 characters");
  ++*count;
  rp_scope_begin(g, path);
  return g->error.status;
}

static rp_status add_body(const rp_call_state *c, const rp_call_port *outputs, uint32_t n_outputs) {
  rp_scope *outside = c->g->scope;
  const bool by_node = rp_call_is_node(c, outputs, n_outputs);
  rp_status status = begin_scope(c);
  if (status) return status;
  rp_called_enter(c, c->g->scope);
  status = add_constants(c);
  if (!status) status = by_node ? rp_call_add_node(c, outputs, n_outputs) : rp_called_add_nodes(c);
  c->g->scope = outside;
  c->g->condition = c->around;
  return status;
}

static rp_status run_call(rp_call_state *c, const rp_call_port *inputs, uint32_t n_inputs, rp_call_port *outputs,
                          uint32_t n_outputs) {
  rp_status status = check_body(c);
  if (status) return status;
  if ((!inputs && n_inputs) || !outputs || !n_outputs)
    return fail_call(c, RP_ERR_ARGUMENT, "it needs its inputs, and at least one output");
  c->called = rp_called_find(c);
  if (!c->called) return rp_called_fail_memory(c);
  status = bind_inputs(c, inputs, n_inputs);
  if (!status) status = find_outputs(c, outputs, n_outputs);
  return status ? status : add_body(c, outputs, n_outputs);
}

rp_value rp_call(rp_graph *graph, const char *name, const rp_graph *body, const rp_call_port *inputs, uint32_t n_inputs,
                 rp_call_port *outputs, uint32_t n_outputs) {
  rp_call_state c = {.g = graph, .body = body, .name = name ? name : "", .around = graph ? graph->condition : 0};
  const bool asked = graph && !graph->error.status;
  const rp_status status = asked ? run_call(&c, inputs, n_inputs, outputs, n_outputs) : RP_ERR_ARGUMENT;
  for (uint32_t i = 0; outputs && i < n_outputs; i++)
    outputs[i].value = status ? RP_NO_VALUE : c.called->at[outputs[i].value.id - 1];
  return outputs && n_outputs ? outputs[0].value : RP_NO_VALUE;
}
