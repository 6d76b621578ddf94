/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A graph as it was built, as JSON and as Graphviz DOT.
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

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

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

/* ---- DOT: colours are those of the storage classes --------------------------------------------------------------- */

static const char *colour(const rp_graph *g, const rp_graph_value *v) {
  switch (rp_value_storage(g, (rp_value){(uint32_t)(v - g->values) + 1, g->mark})) {
  case RP_STORAGE_INPUT: return "#1f6feb";
  case RP_STORAGE_CONSTANT: return "#8c6d1f";
  case RP_STORAGE_OUTPUT: return "#1a7f37";
  default: return "#57606a";
  }
}

/* "bn254_fr x 8192\n256.0 KiB" */
static void dot_size(rp_text *t, const rp_graph_value *v) {
  rp_text_escape(t, v->type->name);
  rp_text_format(t, " x %llu\\n", (unsigned long long)v->len);
  rp_text_bytes(t, v->len * v->type->size_bytes);
}

/* The caller's constants stand in the boxes of what reads them: boxes of their own would hide the rest, since keys have
 * many. */
static bool is_constant(const rp_graph *g, const rp_graph_value *v) {
  return v->node == RP_NONE &&
         rp_value_storage(g, (rp_value){(uint32_t)(v - g->values) + 1, g->mark}) == RP_STORAGE_CONSTANT;
}

/* Number of constants in the label of a node: even with the longest names they take less than Graphviz's 16 KiB. */
enum { DOT_LISTED = 16 };

static void dot_constants(rp_text *t, const rp_graph *g, const rp_alike *alike, uint32_t box) {
  uint32_t listed = 0;
  for (uint32_t at = box; at != RP_NONE; at = alike->next[at]) {
    const rp_node *n = &g->nodes[at];
    for (uint32_t i = 0; i < n->n_in && listed <= DOT_LISTED; i++) {
      const rp_graph_value *v = &g->values[n->in[i].id - 1];
      bool again = !is_constant(g, v);
      for (uint32_t j = 0; j < i; j++) again |= n->in[j].id == n->in[i].id;
      if (again) continue;
      rp_text_put(t, listed == DOT_LISTED ? "\\n..." : "\\n+ ");
      if (listed++ == DOT_LISTED) continue;
      rp_text_escape(t, v->name);
      rp_text_put(t, ", ");
      rp_text_escape(t, v->type->name);
      rp_text_format(t, " x %llu", (unsigned long long)v->len);
    }
  }
}

static void dot_border(rp_text *t, const rp_graph *g, uint32_t i) {
  const rp_graph_value *v = &g->values[i];
  if (v->node == RP_NONE && !is_constant(g, v)) {
    rp_text_format(t, "  v%u [shape=invhouse, color=\"%s\", label=\"", i + 1, colour(g, v));
    rp_text_escape(t, v->name);
    rp_text_put(t, "\\n");
    dot_size(t, v);
    rp_text_format(t, "%s\"];\n", v->secret ? "\\nsecret" : "");
  }
  if (v->output) {
    rp_text_format(t, "  o%u [shape=house, color=\"%s\", label=\"", i + 1, colour(g, v));
    rp_text_escape(t, v->output);
    rp_text_put(t, "\\n");
    dot_size(t, v);
    rp_text_format(t, "\"];\n  n%u -> o%u [color=\"%s\"];\n", v->node, i + 1, colour(g, v));
  }
}

/* Lists of nodes and of scopes by the scope that they are in: indices, with RP_NONE at the end. */
typedef struct family {
  uint32_t *first_node, *next_node;   /* per scope, per node: in the order in which they were built */
  uint32_t *first_scope, *next_scope; /* per scope: latest first */
} family;

static bool find_family(rp_arena *arena, const rp_graph *g, family *f) {
  f->first_node = rp_arena_array(arena, g->n_scopes, sizeof *f->first_node);
  f->next_node = rp_arena_array(arena, g->n_nodes, sizeof *f->next_node);
  f->first_scope = rp_arena_array(arena, g->n_scopes, sizeof *f->first_scope);
  f->next_scope = rp_arena_array(arena, g->n_scopes, sizeof *f->next_scope);
  if (!f->first_node || !f->next_node || !f->first_scope || !f->next_scope) return 0;
  for (uint32_t i = 0; i < g->n_scopes; i++) f->first_node[i] = f->first_scope[i] = RP_NONE;
  for (uint32_t i = g->n_nodes; i-- > 0;) {
    f->next_node[i] = f->first_node[g->nodes[i].scope->id];
    f->first_node[g->nodes[i].scope->id] = i;
  }
  for (uint32_t i = 0; i < g->n_scopes; i++) {
    const rp_scope *parent = g->scopes[i]->parent;
    if (!parent) continue;
    f->next_scope[i] = f->first_scope[parent->id];
    f->first_scope[parent->id] = i;
  }
  return 1;
}

static void dot_scope(rp_text *t, const rp_graph *g, const family *f, const rp_alike *alike, const rp_scope *scope,
                      int depth) {
  char words[200];
  if (scope->parent) {
    rp_text_format(t, "%*ssubgraph cluster_%u {\n%*slabel=", 2 * depth, "", scope->id, 2 * depth + 2, "");
    rp_text_quote(t, scope->title ? scope->title : scope->name);
    rp_text_put(t, "; color=\"#d0d7de\"; style=rounded;\n");
  }
  for (uint32_t i = f->first_node[scope->id]; i != RP_NONE; i = f->next_node[i]) {
    const rp_node *n = &g->nodes[i];
    if (alike->box[i] != i) continue;
    uint32_t count = 0;
    for (uint32_t at = i; at != RP_NONE; at = alike->next[at]) count++;
    rp_text_format(t, "%*sn%u [label=\"", 2 * depth + 2, "", i);
    if (count > 1) rp_text_format(t, "%u x ", count);
    (void)rp_export_dot_words(t, n->op->name); /* what is behind a full stop stands in the tooltip */
    if (*rp_export_describe(n, words, sizeof words)) {
      rp_text_put(t, "\\n");
      rp_text_escape(t, words);
    }
    if (n->condition)
      rp_text_format(t, "\\nif v%u is %s", g->conditions[n->condition - 1].value.id,
                     g->conditions[n->condition - 1].when ? "not 0" : "0");
    dot_constants(t, g, alike, i);
    rp_text_put(t, "\", tooltip=");
    rp_text_quote(t, n->name);
    rp_text_put(t, "];\n");
  }
  for (uint32_t i = f->first_scope[scope->id]; i != RP_NONE; i = f->next_scope[i])
    dot_scope(t, g, f, alike, g->scopes[i], depth + 1); /* RP_SCOPE_DEPTH bounds the depth */
  if (scope->parent) rp_text_format(t, "%*s}\n", 2 * depth, "");
}

/* Whether an earlier operand of the box has the same line as operand i of its node `node`. */
static bool is_drawn(const rp_graph *g, const rp_alike *alike, uint32_t box, uint32_t node, uint32_t i) {
  const rp_graph_value *v = &g->values[g->nodes[node].in[i].id - 1];
  for (uint32_t at = box; at != RP_NONE; at = alike->next[at]) {
    const uint32_t end = at == node ? i : g->nodes[at].n_in;
    for (uint32_t j = 0; j < end; j++) {
      const rp_graph_value *u = &g->values[g->nodes[at].in[j].id - 1];
      if (u == v) return 1;
      if (u->node != RP_NONE && v->node != RP_NONE && alike->box[u->node] == alike->box[v->node] && u->len == v->len &&
          u->type->id == v->type->id)
        return 1;
    }
    if (at == node) break;
  }
  return 0;
}

/* The boxes and inputs that a box reads: a line for each of them and each size of value. */
static void dot_edges(rp_text *t, const rp_graph *g, const rp_alike *alike, uint32_t box) {
  for (uint32_t at = box; at != RP_NONE; at = alike->next[at]) {
    for (uint32_t i = 0; i < g->nodes[at].n_in; i++) {
      const rp_value in = g->nodes[at].in[i];
      const rp_graph_value *v = &g->values[in.id - 1];
      if (is_constant(g, v) || is_drawn(g, alike, box, at, i)) continue;
      if (v->node == RP_NONE) {
        rp_text_format(t, "  v%u -> n%u [color=\"%s\"];\n", in.id, box, colour(g, v));
        continue;
      }
      rp_text_format(t, "  n%u -> n%u [color=\"%s\", label=\"", alike->box[v->node], box, colour(g, v));
      dot_size(t, v);
      rp_text_put(t, "\"];\n");
    }
  }
}

static void to_dot(rp_text *t, const rp_graph *g, const family *f, const rp_alike *alike) {
  rp_export_dot_head(t, g->name, "operations", g->n_nodes);
  dot_scope(t, g, f, alike, g->scopes[0], 0);
  for (uint32_t i = 0; i < g->n_values; i++) dot_border(t, g, i);
  for (uint32_t i = 0; i < g->n_nodes; i++)
    if (alike->box[i] == i) dot_edges(t, g, alike, i);
  rp_export_dot_legend(t, 0);
  rp_text_put(t, "}\n");
}

rp_status rp_graph_export(const rp_graph *graph, rp_export_format format, rp_write_fn write, void *user,
                          rp_error *err) {
  if (!graph || !write) return rp_fail_null(err, "rp_graph_export");
  if (format != RP_EXPORT_DOT && format != RP_EXPORT_JSON)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_graph_export: %d is not a format", (int)format);
  rp_text text;
  rp_arena arena;
  family f;
  rp_alike alike;
  rp_arena_init(&arena, graph->context);
  const bool good =
      format == RP_EXPORT_JSON || (find_family(&arena, graph, &f) && rp_export_alike(&arena, graph, &alike));
  (format == RP_EXPORT_DOT ? rp_text_open_dot : rp_text_open)(&text, write, user);
  if (format == RP_EXPORT_JSON) {
    rp_export_graph(&text, graph);
    rp_text_put(&text, "\n");
  } else if (good) {
    to_dot(&text, graph, &f, &alike);
  }
  rp_arena_free(&arena);
  return good ? rp_text_close(&text, err) : rp_fail_memory(err, "the graph's picture");
}
