/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The graph builder: nodes.
 */
#include "called.h"
#include "expand.h"
#include "schema.h"

#include <reprise/group.h>

#include <stdarg.h>
#include <stdio.h>

rp_status rp_shape_fail(const rp_shape *shape, rp_status status, const char *format, ...) {
  va_list args;
  if (!shape || !format) return RP_ERR_ARGUMENT;
  va_start(args, format);
  shape->err->status = status;
  vsnprintf(shape->err->reason, sizeof shape->err->reason, format, args);
  va_end(args);
  return status;
}

/* What a shape rule asks and says about forms. */
struct rp_shape_forms {
  rp_graph *graph;
  const rp_value *in;
  const rp_form **out; /* n_out */
  const void **out_data;
};

const void *rp_shape_in_form(const rp_shape *shape, uint32_t i, const rp_form *form) {
  if (!shape || i >= shape->n_in) return NULL;
  return rp_form_data_of(rp_graph_value_of(shape->forms->graph, shape->forms->in[i]), form);
}

rp_status rp_shape_out_form(const rp_shape *shape, uint32_t i, const rp_form *form, const void *data) {
  if (!shape) return RP_ERR_ARGUMENT;
  if (i >= shape->n_out || !form || !form->name || (!data && form->data_bytes))
    return rp_shape_fail(shape, RP_ERR_ARGUMENT,
                         "its shape rule gives a form with neither name nor data, or to a "
                         "result that it does not have");
  void *copy = rp_arena_alloc(&shape->forms->graph->arena, form->data_bytes ? form->data_bytes : 1, 8);
  if (!copy) return rp_shape_fail(shape, RP_ERR_MEMORY, "out of host memory for the graph");
  if (form->data_bytes) memcpy(copy, data, form->data_bytes);
  shape->forms->out[i] = form;
  shape->forms->out_data[i] = copy;
  return RP_OK;
}

/* "prove/msm_a/digits", with "#2" for the second node of that operation in the scope. NULL when out of memory. */
static const char *name_node(rp_graph *g, const char *op) {
  rp_scope *s = g->scope;
  const rp_name *known = rp_names_find(&g->names, RP_NAME_OP, s, op);
  uint32_t *count = known ? known->what : rp_arena_alloc(&g->arena, sizeof *count, _Alignof(uint32_t));
  if (!count) return NULL;
  if (!known) {
    const char *own = rp_arena_string(&g->arena, op);
    if (!own ||
        !rp_names_add(&g->names, g->context, &(rp_name){.text = own, .owner = s, .kind = RP_NAME_OP, .what = count}))
      return NULL;
  }
  if (++*count == 1) return rp_arena_path(&g->arena, s->path, op);
  char numbered[300];
  const int length = snprintf(numbered, sizeof numbered, "%s#%u", op, *count);
  if (length < (int)sizeof numbered) return rp_arena_path(&g->arena, s->path, numbered);
  return rp_arena_format(&g->arena, "%s%s%s#%u", s->path, *s->path ? "/" : "", op, *count);
}

/* Sets the graph's error, prefixed with the node's name instead of the scope that rp_graph_fail would write. */
static rp_value fail_node(rp_graph *g, const char *name, rp_status status, const char *reason) {
  rp_graph_fail(g, status, "%s", "");
  (void)rp_fail(&g->error, g->error.status, "%.200s: %.300s", name, reason);
  return RP_NO_VALUE;
}

static rp_value fail_memory(rp_graph *g) { return rp_graph_fail(g, RP_ERR_MEMORY, "out of host memory for the graph"); }

static bool op_is_good(const rp_op *op) {
  return op && RP_HAS(op, n_strategies) && op->name && *op->name && op->shape &&
         ((op->strategies && op->n_strategies) || rp_op_expand(op));
}

bool rp_op_is_slice(const rp_op *op) { return RP_HAS(op, slice_first) && op->slice_first; }

/* A node that is being added, with the arrays that are needed only until it is there. */
typedef struct draft {
  rp_node node;
  rp_value *in, *out;
  const rp_type **in_type, **out_type;
  uint64_t *in_len, *out_len;
  const rp_form **out_form;
  const void **out_data; /* of the forms */
  void *scratch;         /* what these eight lie in: `room`, or memory that drop_draft frees */
  size_t scratch_bytes;
  _Alignas(8) unsigned char room[512];
} draft;

static void *take(unsigned char **at, size_t n) {
  void *array = *at;
  *at += n * sizeof(uint64_t);
  return array;
}

/* The arrays of each kind have elements of 8 bytes. */
static bool make_scratch(rp_graph *g, draft *d, uint32_t n_in, uint32_t n_out) {
  const size_t bytes = (2 * (size_t)n_in + 4 * (size_t)n_out) * sizeof(uint64_t);
  d->scratch_bytes = bytes;
  d->scratch = bytes <= sizeof d->room ? d->room : rp_host_alloc(g->context, bytes, _Alignof(uint64_t));
  if (!d->scratch) return 0;
  memset(d->scratch, 0, bytes);
  unsigned char *at = d->scratch;
  d->in_type = take(&at, n_in);
  d->in_len = take(&at, n_in);
  d->out_type = take(&at, n_out);
  d->out_len = take(&at, n_out);
  d->out_form = take(&at, n_out);
  d->out_data = take(&at, n_out);
  return 1;
}

static void drop_draft(const rp_graph *g, draft *d) {
  if (d->scratch != d->room) rp_host_free(g->context, d->scratch, d->scratch_bytes);
}

/* What stays in the graph lies side by side: the note, operands and results. */
static bool make_draft(rp_graph *g, draft *d, uint32_t n_in, uint32_t n_out) {
  const size_t bytes = sizeof *d->node.note + ((size_t)n_in + n_out) * sizeof(rp_value);
  unsigned char *kept = rp_arena_alloc(&g->arena, bytes, sizeof *d->node.note);
  if (!kept) return 0;
  d->node.note = (void *)kept;
  atomic_init(d->node.note, 0);
  d->in = (void *)(kept + sizeof *d->node.note);
  d->out = d->in + n_in;
  return make_scratch(g, d, n_in, n_out);
}

/* What the operation's schema demands. RP_OK, or sets the graph's error. */
static rp_status check_draft(rp_graph *g, const draft *d) {
  const rp_node *node = &d->node;
  rp_error why = {0};
  const rp_draft asked = {
      .graph = g, .params = node->params, .in = d->in, .n_in = node->n_in, .n_out = node->n_out, .err = &why};
  const rp_status status = rp_draft_check(node->op, &asked);
  if (status) fail_node(g, node->name, status, why.reason[0] ? why.reason : rp_status_text(status));
  return status;
}

/* Runs the shape rule. RP_OK, or sets the graph's error. */
static rp_status shape_draft(rp_graph *g, draft *d) {
  rp_node *node = &d->node;
  rp_error why = {0};
  const rp_shape_forms forms = {.graph = g, .in = d->in, .out = d->out_form, .out_data = d->out_data};
  rp_shape shape = {.params = node->params,
                    .n_in = node->n_in,
                    .in_type = d->in_type,
                    .in_len = d->in_len,
                    .n_out = node->n_out,
                    .out_type = d->out_type,
                    .out_len = d->out_len,
                    .err = &why,
                    .out_id = g->n_values + 1,
                    .forms = &forms};
  rp_status status = node->op->shape(&shape);
  if (status) {
    fail_node(g, node->name, status, why.reason[0] ? why.reason : rp_status_text(status));
    return status;
  }
  for (uint32_t i = 0; i < node->n_out; i++) {
    const rp_type *t = d->out_type[i];
    const char *problem = rp_type_problem(t);
    if (!problem && (d->out_len[i] == 0 || d->out_len[i] > RP_VALUE_BYTES_MAX / t->size_bytes))
      problem = "comes with a length that is 0 or too large";
    if (!problem) continue;
    (void)rp_fail(&why, RP_ERR_SHAPE, "the type of its output %u %s", i, problem);
    fail_node(g, node->name, RP_ERR_SHAPE, why.reason);
    return RP_ERR_SHAPE;
  }
  return RP_OK;
}

/* Adds the values of the outputs: all or none. */
static bool add_values(rp_graph *g, draft *d) {
  bool secret = 0, constant = 1;
  for (uint32_t i = 0; i < d->node.n_in; i++) {
    const rp_graph_value *v = rp_graph_value_of(g, d->in[i]);
    secret |= v->secret;
    constant &= v->constant;
  }
  uint32_t before = g->n_values;
  for (uint32_t i = 0; i < d->node.n_out; i++) {
    d->out[i] = rp_graph_add_value(g, &(rp_graph_value){.type = d->out_type[i],
                                                        .len = d->out_len[i],
                                                        .device = g->device,
                                                        .storage = RP_STORAGE_INTERMEDIATE,
                                                        .secret = secret,
                                                        .constant = constant,
                                                        .node = g->n_nodes,
                                                        .index = i,
                                                        .form = d->out_form[i],
                                                        .form_data = d->out_data[i]});
    if (!d->out[i].id) {
      g->n_values = before;
      return 0;
    }
  }
  return 1;
}

/* Whether a node of this operation, on the device that is chosen, may read the value: it is there, or can be made
 * there, or the node is what copies it. */
static bool is_within_reach(const rp_graph *g, const rp_op *op, const rp_graph_value *v) {
  return v->device == g->device || v->constant || rp_op_is_slice(op);
}

static rp_value fail_place(rp_graph *g, const char *name, uint32_t operand, uint32_t device) {
  rp_error why;
  (void)rp_fail(&why, RP_ERR_MISMATCH,
                "its input %u is on device %u, and the node on device %u: copy it with rp_copy_to", operand, device,
                g->device);
  return fail_node(g, name, RP_ERR_MISMATCH, why.reason);
}

/* The parameters of the node: `params` if they live as long as the graph, else a copy. NULL when out of memory. */
static const void *keep_params(rp_graph *g, const rp_op *op, const void *params, bool lasting) {
  if (lasting && params) return params;
  void *copy = rp_arena_array(&g->arena, 1, op->params_bytes);
  if (copy && op->params_bytes) memcpy(copy, params, op->params_bytes);
  return copy;
}

/* Adds the node of a draft to which operands have been given. */
static rp_value add_draft(rp_graph *graph, draft *d, const rp_value *in, const rp_value **outs) {
  for (uint32_t i = 0; i < d->node.n_in; i++) {
    const rp_graph_value *v = rp_graph_value_of(graph, in[i]);
    if (!v) {
      rp_error why;
      (void)rp_fail(&why, RP_ERR_ARGUMENT, "its input %u %s", i, rp_value_problem(graph->mark, in[i]));
      return fail_node(graph, d->node.name, RP_ERR_ARGUMENT, why.reason);
    }
    if (!is_within_reach(graph, d->node.op, v)) return fail_place(graph, d->node.name, i, v->device);
    d->in[i] = in[i];
    d->in_type[i] = v->type;
    d->in_len[i] = v->len;
  }
  if (check_draft(graph, d) || shape_draft(graph, d)) return RP_NO_VALUE;
  if (!rp_grow(graph->context, (void **)&graph->nodes, &graph->cap_nodes, graph->n_nodes, sizeof *graph->nodes))
    return fail_memory(graph);
  if (!add_values(graph, d)) return RP_NO_VALUE;
  d->node.in = d->in;
  d->node.out = d->out;
  graph->nodes[graph->n_nodes++] = d->node;
  graph->n_calls += d->node.op == &rp_op_call;
  *outs = d->out;
  return d->out[0];
}

static rp_value add_node(rp_graph *graph, const char *given, const rp_op *op, const void *params, bool lasting,
                         const rp_value *in, uint32_t n_in, uint32_t n_out, const rp_value **outs) {
  if (!graph || graph->error.status) return RP_NO_VALUE;
  if (!op_is_good(op))
    return rp_graph_fail(graph, RP_ERR_ARGUMENT,
                         "an op needs struct_size, a name, a shape rule, and a strategy or an expansion");
  if (graph->n_nodes >= RP_NODES_MAX)
    return rp_graph_fail(graph, RP_ERR_UNSUPPORTED, "a graph has at most %u nodes: make several", RP_NODES_MAX);
  const char *name = given ? given : name_node(graph, op->name);
  if (!name) return fail_memory(graph);
  if (n_out == 0 || (!in && n_in))
    return fail_node(graph, name, RP_ERR_ARGUMENT, "it needs inputs and room for outputs");
  if (graph->device == RP_ON_HOST)
    return fail_node(graph, name, RP_ERR_ARGUMENT, "only inputs are on the host: choose a device with rp_on");
  if (!params && op->params_bytes) return fail_node(graph, name, RP_ERR_ARGUMENT, "its parameters are NULL");
  if (params && !op->params_bytes)
    return fail_node(graph, name, RP_ERR_ARGUMENT, "parameters are given, and the op's params_bytes is 0");

  draft d;
  d.node = (rp_node){.op = op, .name = name, .scope = graph->scope, .n_in = n_in, .n_out = n_out};
  d.node.section = graph->section_depth ? graph->sections : 0;
  d.node.device = graph->device;
  d.node.condition = graph->condition;
  d.node.params = keep_params(graph, op, params, lasting);
  if (!d.node.params || !make_draft(graph, &d, n_in, n_out)) return fail_memory(graph);
  const rp_value first = add_draft(graph, &d, in, outs);
  drop_draft(graph, &d);
  return first;
}

static rp_value add_and_copy(rp_graph *graph, const char *name, const rp_op *op, const void *params, bool lasting,
                             const rp_value *in, uint32_t n_in, rp_value *out, uint32_t n_out) {
  const rp_value *outs = NULL;
  for (uint32_t i = 0; out && i < n_out; i++) out[i] = RP_NO_VALUE;
  if (!out && n_out > 1)
    return rp_graph_fail(graph, RP_ERR_ARGUMENT, "%s: it has several outputs, and the array for them is NULL",
                         op ? op->name : "node");
  rp_value first = add_node(graph, name, op, params, lasting, in, n_in, n_out, &outs);
  for (uint32_t i = 0; out && outs && i < n_out; i++) out[i] = outs[i];
  return first;
}

rp_value rp_graph_node(rp_graph *graph, const rp_op *op, const void *params, const rp_value *in, uint32_t n_in,
                       rp_value *out, uint32_t n_out) {
  return add_and_copy(graph, NULL, op, params, 0, in, n_in, out, n_out);
}

rp_value rp_graph_node_like(rp_graph *graph, const rp_node *node, const char *name, const rp_value *in, rp_value *out) {
  return add_and_copy(graph, name, node->op, node->op->params_bytes ? node->params : NULL, 1, in, node->n_in, out,
                      node->n_out);
}

uint32_t rp_on(rp_graph *graph, uint32_t device) {
  if (!graph) return 0;
  const uint32_t before = graph->device;
  if (device <= RP_ON_HOST)
    graph->device = device;
  else
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "rp_on: device %u: a group has at most %d devices", device, RP_GROUP_MOST);
  return before;
}

void rp_recompute_begin(rp_graph *graph) {
  if (graph && !graph->error.status && graph->section_depth++ == 0) graph->sections++;
}

void rp_recompute_end(rp_graph *graph) {
  if (!graph || graph->error.status) return;
  if (graph->section_depth)
    graph->section_depth--;
  else
    rp_graph_fail(graph, RP_ERR_STATE, "rp_recompute_end without its beginning");
}
