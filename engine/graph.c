/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The graph builder: inputs, constants, outputs and scopes. Nodes: node.c.
 */
#include "called.h"

#include <reprise/view.h>

#include <stdarg.h>
#include <stdio.h>

/* ---- Life -------------------------------------------------------------------------------------------------------- */

rp_scope *rp_scope_new(rp_graph *g, rp_scope *parent, const char *name) {
  if (!rp_grow(g->context, (void **)&g->scopes, &g->cap_scopes, g->n_scopes, sizeof *g->scopes)) return NULL;
  rp_scope *s = rp_arena_alloc(&g->arena, sizeof *s, _Alignof(rp_scope));
  char *own = rp_arena_string(&g->arena, name);
  if (!s || !own) return NULL;
  const char *path = parent && *parent->path ? rp_arena_path(&g->arena, parent->path, name) : own;
  if (!path) return NULL;
  *s = (rp_scope){
      .parent = parent, .name = own, .path = path, .id = g->n_scopes++, .depth = parent ? parent->depth + 1 : 0};
  g->scopes[s->id] = s;
  return s;
}

/* The only state of the process instead of a context: a new context may have the address of one that is gone, but a
 * value must never match a graph that it was not made for. */
static _Atomic uint32_t n_made = 1;

rp_status rp_graph_create(rp_context *context, const char *name, rp_graph **graph, rp_error *err) {
  if (graph) *graph = NULL;
  if (!context || !graph) return rp_fail_null(err, "rp_graph_create");
  const rp_status usable = rp_context_check(context, err);
  if (usable) return usable;
  rp_graph *g = rp_host_alloc(context, sizeof *g, _Alignof(rp_graph));
  if (!g) return rp_fail_memory(err, "a graph");
  memset(g, 0, sizeof *g);
  g->context = context;
  do g->mark = atomic_fetch_add(&n_made, 1);
  while (!g->mark);
  atomic_fetch_add(&context->graphs, 1);
  rp_context_retain(context);
  atomic_init(&g->references, 1);
  atomic_init(&g->complete, 0);
  rp_arena_init(&g->arena, context);
  g->name = rp_arena_string(&g->arena, name && *name ? name : "graph");
  g->scope = rp_scope_new(g, NULL, "");
  if (!g->name || !g->scope) {
    rp_graph_release(g);
    return rp_fail_memory(err, "a graph");
  }
  *graph = g;
  return RP_OK;
}

void rp_graph_retain(const rp_graph *graph) { atomic_fetch_add(&((rp_graph *)graph)->references, 1); }

void rp_graph_release(const rp_graph *graph) {
  rp_graph *g = (rp_graph *)graph;
  if (atomic_fetch_sub(&g->references, 1) != 1) return;
  rp_context *context = g->context;
  const rp_graph *unexpanded = g->unexpanded, *flat = atomic_load(&g->flat);
  if (flat) rp_graph_release(flat);
  for (const rp_kept *k = g->kept; k; k = k->next) k->release(k->object);
  rp_grow_free(g->context, g->scopes, g->cap_scopes, sizeof *g->scopes);
  rp_grow_free(g->context, g->values, g->cap_values, sizeof *g->values);
  rp_grow_free(g->context, g->nodes, g->cap_nodes, sizeof *g->nodes);
  rp_grow_free(g->context, g->inputs, g->cap_inputs, sizeof *g->inputs);
  rp_grow_free(g->context, g->outputs, g->cap_outputs, sizeof *g->outputs);
  rp_grow_free(g->context, g->conditions, g->cap_conditions, sizeof *g->conditions);
  rp_names_free(&g->names, g->context);
  rp_arena_free(&g->arena);
  rp_host_free(context, g, sizeof *g);
  atomic_fetch_sub(&context->graphs, 1);
  if (unexpanded) rp_graph_release(unexpanded);
  rp_context_release(context);
}

void rp_graph_destroy(rp_graph *graph) {
  if (graph) rp_graph_release(graph);
}

rp_status rp_graph_keep(rp_graph *graph, void *object, void (*release)(void *object), rp_error *err) {
  if (!graph || !object || !release) return rp_fail_null(err, "rp_graph_keep");
  rp_kept *kept = rp_arena_alloc(&graph->arena, sizeof *kept, _Alignof(rp_kept));
  if (!kept) return rp_fail_memory(err, "what a graph keeps");
  *kept = (rp_kept){graph->kept, object, release};
  graph->kept = kept;
  return RP_OK;
}

/* ---- The error that sticks --------------------------------------------------------------------------------------- */

const rp_error *rp_graph_error(const rp_graph *graph) { return graph ? &graph->error : NULL; }

rp_value rp_graph_fail(rp_graph *graph, rp_status status, const char *format, ...) {
  if (!graph || graph->error.status) return RP_NO_VALUE;
  char reason[sizeof graph->error.reason];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  const char *path = graph->scope->path;
  graph->error.status = status ? status : RP_ERR_ARGUMENT;
  snprintf(graph->error.reason, sizeof graph->error.reason, "%.120s%s%.380s", path, *path ? ": " : "", reason);
  return RP_NO_VALUE;
}

static rp_value fail_memory(rp_graph *g) { return rp_graph_fail(g, RP_ERR_MEMORY, "out of host memory for the graph"); }

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static bool name_is_good(const char *name) {
  if (!name || !*name) return 0;
  for (; *name; name++) {
    char c = *name;
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && !strchr("_-./#[] ", c)) return 0;
  }
  return 1;
}

/* Whether `what` may be made with this name, type and length; else sets the graph's error. */
static bool border_is_good(rp_graph *g, const char *what, const char *name, const rp_type *type, uint64_t len) {
  if (!name_is_good(name)) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "%s '%.100s': a name is made of letters, digits and \"_-./#[] \"", what,
                  name ? name : "(NULL)");
    return 0;
  }
  const char *problem = rp_type_problem(type);
  if (problem) {
    rp_graph_fail(g, RP_ERR_TYPE, "%s '%s': its type %s", what, name, problem);
    return 0;
  }
  if (len == 0 || len > RP_VALUE_BYTES_MAX / type->size_bytes) {
    rp_graph_fail(g, RP_ERR_SHAPE, "%s '%s': %llu elements of %u bytes cannot be an array", what, name,
                  (unsigned long long)len, type->size_bytes);
    return 0;
  }
  return 1;
}

const char *rp_type_problem(const rp_type *type) {
  if (!type) return "is NULL";
  if (!type->name) return "has no name";
  if (type->size_bytes == 0) return "has no size";
  uint32_t a = type->align_bytes;
  if (a == 0 || a > 64 || (a & (a - 1)) || type->size_bytes % a) return "has an alignment that is not allowed";
  return NULL;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

rp_graph_value *rp_graph_value_of(const rp_graph *graph, rp_value value) {
  return graph && value.graph == graph->mark && value.id && value.id <= graph->n_values ? &graph->values[value.id - 1]
                                                                                        : NULL;
}

const char *rp_value_problem(uint32_t mark, rp_value value) {
  if (value.id && value.graph && value.graph != mark)
    return "is a value of another graph: a value serves only the graph that made it";
  return "is not a value of this graph";
}

bool rp_value_check(rp_graph *graph, rp_value value, const char *op, const char *operand) {
  if (!graph) return false;
  if (rp_graph_value_of(graph, value)) return true;
  rp_graph_fail(graph, RP_ERR_ARGUMENT, "%s: %s %s", op, operand, rp_value_problem(graph->mark, value));
  return false;
}

/* A body of calls is the same in all of them. True if the graph is one; its error says so then. */
static bool is_complete(rp_graph *g) {
  if (!atomic_load(&g->complete)) return 0;
  rp_graph_fail(g, RP_ERR_STATE, "%.100s is the body of a call, and complete since then", g->name);
  return 1;
}

rp_value rp_graph_add_value(rp_graph *g, const rp_graph_value *value) {
  if (is_complete(g)) return RP_NO_VALUE;
  if (g->n_values >= RP_VALUES_MAX)
    return rp_graph_fail(g, RP_ERR_UNSUPPORTED, "a graph has at most %u values: make several", RP_VALUES_MAX);
  if (!rp_grow(g->context, (void **)&g->values, &g->cap_values, g->n_values, sizeof *g->values)) return fail_memory(g);
  g->values[g->n_values++] = *value;
  return (rp_value){g->n_values, g->mark};
}

rp_value rp_graph_input(rp_graph *graph, const char *name, const rp_type *type, uint64_t len, uint32_t flags) {
  if (!graph || graph->error.status || !border_is_good(graph, "input", name, type, len)) return RP_NO_VALUE;
  if (flags & ~(RP_SECRET | RP_RESIDENT | RP_BINDABLE | RP_LENDABLE))
    return rp_graph_fail(graph, RP_ERR_ARGUMENT, "input '%s': flags 0x%x are not for inputs", name, flags);
  if (flags & RP_LENDABLE && flags & (RP_RESIDENT | RP_BINDABLE))
    return rp_graph_fail(graph, RP_ERR_ARGUMENT,
                         "input '%s': it is either lent or bound, so RP_LENDABLE is not for RP_RESIDENT or RP_BINDABLE",
                         name);
  if (rp_names_find(&graph->names, RP_NAME_INPUT, NULL, name))
    return rp_graph_fail(graph, RP_ERR_ARGUMENT, "input '%s': the graph already has an input of that name", name);
  if (!rp_grow(graph->context, (void **)&graph->inputs, &graph->cap_inputs, graph->n_inputs, sizeof *graph->inputs))
    return fail_memory(graph);
  const char *own = rp_arena_string(&graph->arena, name);
  if (!own || !rp_names_add(&graph->names, graph->context,
                            &(rp_name){.text = own, .kind = RP_NAME_INPUT, .number = graph->n_inputs}))
    return fail_memory(graph);
  rp_value v = rp_graph_add_value(graph, &(rp_graph_value){.type = type,
                                                           .len = len,
                                                           .device = graph->device,
                                                           .storage = RP_STORAGE_INPUT,
                                                           .flags = flags,
                                                           .secret = (flags & RP_SECRET) != 0,
                                                           .node = RP_NONE,
                                                           .name = own});
  if (v.id) graph->inputs[graph->n_inputs++] = v;
  return v;
}

static rp_value add_constant(rp_graph *graph, const rp_graph_value *from) {
  rp_graph_value value = *from;
  value.name = rp_arena_string(&graph->arena, from->name);
  if (!value.name) return fail_memory(graph);
  value.device = graph->device;
  value.storage = RP_STORAGE_CONSTANT;
  value.constant = 1;
  value.node = RP_NONE;
  return rp_graph_add_value(graph, &value);
}

bool rp_same_source(const rp_constant_source *a, const rp_constant_source *b) {
  if (!a || !b) return 0;
  return (a->read == b->read && a->user == b->user) ||
         (a->has_digest && b->has_digest && memcmp(a->digest, b->digest, sizeof a->digest) == 0);
}

rp_value rp_graph_constant_from(rp_graph *graph, const char *name, const rp_type *type, uint64_t len,
                                const rp_constant_source *source) {
  if (!graph || graph->error.status || !border_is_good(graph, "constant", name, type, len)) return RP_NO_VALUE;
  rp_constant_source *own = rp_arena_alloc(&graph->arena, sizeof *own, _Alignof(rp_constant_source));
  if (!own) return fail_memory(graph);
  if (!source || !rp_options_read(own, sizeof *own, source) || !own->read)
    return rp_graph_fail(graph, RP_ERR_ARGUMENT, "constant '%s': its source has no struct_size, or no function", name);
  return add_constant(graph, &(rp_graph_value){.name = name, .type = type, .len = len, .source = own});
}

rp_value rp_graph_constant(rp_graph *graph, const char *name, const rp_type *type, uint64_t len, const void *data,
                           uint32_t flags) {
  if (!graph || graph->error.status || !border_is_good(graph, "constant", name, type, len)) return RP_NO_VALUE;
  if (!data) return rp_graph_fail(graph, RP_ERR_ARGUMENT, "constant '%s': data is NULL", name);
  if (flags & ~(RP_BORROW | RP_REPLACEABLE))
    return rp_graph_fail(graph, RP_ERR_ARGUMENT, "constant '%s': flags 0x%x are not for constants", name, flags);
  if (!(flags & RP_BORROW)) {
    uint64_t bytes = len * type->size_bytes;
    void *copy = bytes <= SIZE_MAX / 2 ? rp_arena_alloc(&graph->arena, bytes, 64) : NULL;
    if (!copy) return fail_memory(graph);
    memcpy(copy, data, bytes);
    data = copy;
    graph->copied_bytes += bytes;
  }
  return add_constant(graph, &(rp_graph_value){.name = name, .type = type, .len = len, .flags = flags, .data = data});
}

void rp_graph_output(rp_graph *graph, const char *name, rp_value value, uint32_t flags) {
  if (!graph || graph->error.status || is_complete(graph)) return;
  rp_graph_value *v = rp_graph_value_of(graph, value);
  if (!name_is_good(name)) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "output '%.100s': a name is made of letters, digits and \"_-./#[] \"",
                  name ? name : "(NULL)");
  } else if (!v) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "output '%s': it %s", name, rp_value_problem(graph->mark, value));
  } else if (flags & ~(RP_RESIDENT | RP_BINDABLE)) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "output '%s': flags 0x%x are not for outputs", name, flags);
  } else if (v->node == RP_NONE) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "output '%s': '%s' is given, and an output is a value that a node computes",
                  name, v->name);
  } else if (graph->nodes[v->node].condition) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT,
                  "output '%s': its node runs only under a condition: select between it and another value", name);
  } else if (v->output) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "output '%s': the value is already the output '%s'", name, v->output);
  } else if (rp_names_find(&graph->names, RP_NAME_OUTPUT, NULL, name)) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "output '%s': the graph already has an output of that name", name);
  } else if (!rp_grow(graph->context, (void **)&graph->outputs, &graph->cap_outputs, graph->n_outputs,
                      sizeof *graph->outputs)) {
    fail_memory(graph);
  } else {
    const char *own = rp_arena_string(&graph->arena, name);
    if (own && !rp_names_add(&graph->names, graph->context,
                             &(rp_name){.text = own, .kind = RP_NAME_OUTPUT, .number = graph->n_outputs}))
      own = NULL;
    v->output = own;
    v->output_flags = flags;
    if (own)
      graph->outputs[graph->n_outputs++] = value;
    else
      fail_memory(graph);
  }
}

/* ---- Scopes ------------------------------------------------------------------------------------------------------ */

void rp_scope_begin(rp_graph *graph, const char *name) {
  if (!graph || graph->error.status) return;
  if (!name_is_good(name)) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "scope '%.100s': a name is made of letters, digits and \"_-./#[] \"",
                  name ? name : "(NULL)");
    return;
  }
  if (graph->scope->depth == RP_SCOPE_DEPTH) {
    rp_graph_fail(graph, RP_ERR_ARGUMENT, "scope '%s': scopes nest at most %u deep", name, RP_SCOPE_DEPTH);
    return;
  }
  const rp_name *known = rp_names_find(&graph->names, RP_NAME_SCOPE, graph->scope, name);
  if (known) {
    graph->scope = known->what; /* opened again: its nodes are numbered on */
    return;
  }
  rp_scope *s = rp_scope_new(graph, graph->scope, name);
  if (s && rp_names_add(&graph->names, graph->context,
                        &(rp_name){.text = s->name, .owner = graph->scope, .kind = RP_NAME_SCOPE, .what = s}))
    graph->scope = s;
  else
    fail_memory(graph);
}

void rp_scope_end(rp_graph *graph) {
  if (!graph || graph->error.status) return;
  if (graph->scope->parent)
    graph->scope = graph->scope->parent;
  else
    rp_graph_fail(graph, RP_ERR_STATE, "rp_scope_end: no scope is open");
}

void rp_scope_title(rp_graph *graph, const char *format, ...) {
  char text[201];
  if (!graph || graph->error.status || !format) return;
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0) return;
  const char *title = rp_arena_string(&graph->arena, text);
  if (title)
    graph->scope->title = title;
  else
    fail_memory(graph);
}
