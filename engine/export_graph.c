/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A graph as it was built, as JSON; as Graphviz DOT: export_graph_dot.c.
 */
#include "export.h"

static const char *storage_name(const rp_graph *g, const rp_graph_value *v) {
  switch (rp_value_storage(g, (rp_value){(uint32_t)(v - g->values) + 1, g->mark})) {
  case RP_STORAGE_INPUT: return "input";
  case RP_STORAGE_CONSTANT: return "constant";
  case RP_STORAGE_INTERMEDIATE: return "intermediate";
  case RP_STORAGE_OUTPUT: return "output";
  case RP_STORAGE_NONE: break;
  }
  return "none";
}

static void json_ids(rp_text *t, const char *key, const rp_value *list, uint32_t n) {
  rp_text_format(t, "\"%s\": [", key);
  for (uint32_t i = 0; i < n; i++) rp_text_format(t, "%s%u", i ? ", " : "", list[i].id);
  rp_text_put(t, "]");
}

static void json_value(rp_text *t, const rp_graph *g, const rp_graph_value *v) {
  rp_text_format(t, "    {\"id\": %u, \"name\": ", (uint32_t)(v - g->values) + 1);
  rp_text_quote(t, v->name);
  rp_text_put(t, ", \"type\": ");
  rp_text_quote(t, v->type->name);
  rp_text_format(t, ", \"len\": %llu, \"bytes\": %llu, \"storage\": \"%s\", \"secret\": %s, \"output\": ",
                 (unsigned long long)v->len, (unsigned long long)v->len * v->type->size_bytes, storage_name(g, v),
                 v->secret ? "true" : "false");
  rp_text_quote(t, v->output);
  rp_text_put(t, "}");
}

/* The conditions under which a node runs, the innermost first. */
void rp_export_conditions(rp_text *t, const rp_graph *g, uint32_t condition) {
  if (!condition) return;
  rp_text_put(t, ", \"if\": [");
  for (uint32_t c = condition; c; c = g->conditions[c - 1].parent)
    rp_text_format(t, "%s{\"value\": %u, \"is\": \"%s\"}", c == condition ? "" : ", ", g->conditions[c - 1].value.id,
                   g->conditions[c - 1].when ? "not 0" : "0");
  rp_text_put(t, "]");
}

static void json_node(rp_text *t, const rp_graph *g, const rp_node *n) {
  char words[200];
  rp_text_format(t, "    {\"id\": %u, \"name\": ", (uint32_t)(n - g->nodes));
  rp_text_quote(t, n->name);
  rp_text_put(t, ", \"op\": ");
  rp_text_quote(t, n->op->name);
  rp_text_put(t, ", \"params\": ");
  rp_text_quote(t, rp_export_describe(n, words, sizeof words));
  rp_text_put(t, ", \"scope\": ");
  rp_text_quote(t, n->scope->path);
  rp_text_format(t, ", \"scope_id\": %u, ", n->scope->id);
  json_ids(t, "in", n->in, n->n_in);
  rp_text_put(t, ", ");
  json_ids(t, "out", n->out, n->n_out);
  rp_export_conditions(t, g, n->condition);
  rp_text_put(t, "}");
}

/* In the order in which they were opened, so that a scope comes after the one around it. */
static void json_scopes(rp_text *t, const rp_graph *g) {
  rp_text_put(t, "  \"scopes\": [\n");
  for (uint32_t i = 0; i < g->n_scopes; i++) {
    const rp_scope *s = g->scopes[i];
    rp_text_format(t, "    {\"id\": %u, \"parent\": %u, \"name\": ", s->id, s->parent ? s->parent->id : 0);
    rp_text_quote(t, s->name);
    rp_text_put(t, ", \"title\": ");
    rp_text_quote(t, s->title);
    rp_text_put(t, i + 1 < g->n_scopes ? "},\n" : "}\n");
  }
  rp_text_put(t, "  ],\n");
}

void rp_export_graph(rp_text *t, const rp_graph *g) {
  rp_text_put(t, "{\n  \"kind\": \"graph\",\n  \"name\": ");
  rp_text_quote(t, g->name);
  rp_text_put(t, ",\n  ");
  json_ids(t, "inputs", g->inputs, g->n_inputs);
  rp_text_put(t, ",\n  ");
  json_ids(t, "outputs", g->outputs, g->n_outputs);
  rp_text_put(t, ",\n");
  json_scopes(t, g);
  rp_text_put(t, "  \"values\": [\n");
  for (uint32_t i = 0; i < g->n_values; i++) {
    json_value(t, g, &g->values[i]);
    rp_text_put(t, i + 1 < g->n_values ? ",\n" : "\n");
  }
  rp_text_put(t, "  ],\n  \"nodes\": [\n");
  for (uint32_t i = 0; i < g->n_nodes; i++) {
    json_node(t, g, &g->nodes[i]);
    rp_text_put(t, i + 1 < g->n_nodes ? ",\n" : "\n");
  }
  rp_text_put(t, "  ]\n}");
}

rp_status rp_graph_export(const rp_graph *graph, rp_export_format format, rp_write_fn write, void *user,
                          rp_error *err) {
  if (!graph || !write) return rp_fail_null(err, "rp_graph_export");
  if (format != RP_EXPORT_DOT && format != RP_EXPORT_JSON)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_graph_export: %d is not a format", (int)format);
  rp_text text;
  bool good = 1;
  if (format == RP_EXPORT_JSON) {
    rp_text_open(&text, write, user);
    rp_export_graph(&text, graph);
    rp_text_put(&text, "\n");
  } else {
    rp_text_open_dot(&text, write, user);
    good = rp_export_graph_dot(&text, graph);
  }
  return good ? rp_text_close(&text, err) : rp_fail_memory(err, "the graph's picture");
}
