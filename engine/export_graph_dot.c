/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A graph as it was built, as Graphviz DOT. Boxes say what they compute, so that lines need no labels, and name the
 * constants and challenges that they read, which have no lines: both would make the picture several times as wide.
 */
#include "export.h"

/* Colours are those of the storage classes. */
static const char *colour(const rp_graph *g, const rp_graph_value *v) {
  switch (rp_value_storage(g, (rp_value){(uint32_t)(v - g->values) + 1, g->mark})) {
  case RP_STORAGE_INPUT: return "#1f6feb";
  case RP_STORAGE_CONSTANT: return "#8c6d1f";
  case RP_STORAGE_OUTPUT: return "#1a7f37";
  default: return "#57606a";
  }
}

static bool is_constant(const rp_graph *g, const rp_graph_value *v) {
  return v->node == RP_NONE &&
         rp_value_storage(g, (rp_value){(uint32_t)(v - g->values) + 1, g->mark}) == RP_STORAGE_CONSTANT;
}

/* "bn254_fr x 8192" */
static void dot_type(rp_text *t, const rp_graph_value *v) {
  rp_text_escape(t, v->type->name);
  rp_text_format(t, " x %llu", (unsigned long long)v->len);
}

static const char *name_of(const rp_graph *g, const rp_graph_value *v) {
  if (v->node == RP_NONE) return v->name;
  const rp_node *n = &g->nodes[v->node];
  return n->scope->title ? n->scope->title : n->name;
}

/* ---- What stands in a box ---------------------------------------------------------------------------------------- */

/* Numbers of values in the label of a node: even with the longest names they take less than Graphviz's 16 KiB. */
enum { DOT_LISTED = 12, DOT_RESULTS = 3, DOT_COLUMNS = 40 };

/* Values, of those with the same name and type only one. `more`: not all of them fit. */
typedef struct dot_list {
  const rp_graph_value *of[DOT_LISTED];
  uint32_t n, most;
  bool more;
} dot_list;

static void add_to(dot_list *list, const rp_graph *g, const rp_graph_value *v, bool by_name) {
  for (uint32_t i = 0; i < list->n; i++) {
    const rp_graph_value *u = list->of[i];
    if (u->type == v->type && u->len == v->len && (!by_name || strcmp(name_of(g, u), name_of(g, v)) == 0)) return;
  }
  list->more |= list->n == list->most;
  if (list->n < list->most) list->of[list->n++] = v;
}

/* "+ Qm, Ql, Qr: bn254_fr x 8192", a line for each type and length; long lines are broken. */
static void dot_names(rp_text *t, const rp_graph *g, dot_list *list) {
  for (uint32_t i = 0; i < list->n; i++) {
    const rp_graph_value *v = list->of[i];
    if (!v) continue;
    size_t columns = 0;
    rp_text_put(t, "\\n+ ");
    for (uint32_t j = i; j < list->n; j++) {
      const rp_graph_value *u = list->of[j];
      if (!u || u->type != v->type || u->len != v->len) continue;
      const char *name = name_of(g, u);
      if (j > i) rp_text_put(t, columns > DOT_COLUMNS ? ",\\n" : ", ");
      columns = (columns > DOT_COLUMNS ? 0 : columns) + strlen(name) + 2;
      rp_text_escape(t, name);
      list->of[j] = NULL;
    }
    rp_text_put(t, ": ");
    dot_type(t, v);
  }
  if (list->more) rp_text_put(t, "\\n...");
}

/* What the nodes of a box yield, and what they read without lines. */
static void dot_values(rp_text *t, const rp_graph *g, const rp_drawing *d, uint32_t box) {
  dot_list results = {.most = DOT_RESULTS}, named = {.most = DOT_LISTED};
  for (uint32_t at = box; at != RP_NONE; at = d->next[at]) {
    const rp_node *n = &g->nodes[at];
    for (uint32_t i = 0; i < n->n_out; i++) add_to(&results, g, &g->values[n->out[i].id - 1], 0);
    for (uint32_t i = 0; i < n->n_in; i++) {
      const uint32_t value = n->in[i].id - 1;
      const rp_graph_value *v = &g->values[value];
      if (is_constant(g, v) || rp_export_is_named(g, d, value, at)) add_to(&named, g, v, 1);
    }
  }
  for (uint32_t i = 0; i < results.n; i++) {
    rp_text_put(t, "\\n= ");
    dot_type(t, results.of[i]);
    rp_text_put(t, ", ");
    rp_text_bytes(t, results.of[i]->len * results.of[i]->type->size_bytes);
  }
  if (results.more) rp_text_put(t, "\\n= ...");
  dot_names(t, g, &named);
}

static void dot_box(rp_text *t, const rp_graph *g, const rp_drawing *d, uint32_t box, int indent) {
  const rp_node *n = &g->nodes[box];
  char words[200];
  uint32_t count = 0;
  for (uint32_t at = box; at != RP_NONE; at = d->next[at]) count++;
  rp_text_format(t, "%*sn%u [label=\"", indent, "", box);
  if (count > 1) rp_text_format(t, "%u x ", count);
  (void)rp_export_dot_words(t, n->op->name); /* what is behind a full stop stands in the tooltip */
  if (*rp_export_describe(n, words, sizeof words)) {
    rp_text_put(t, "\\n");
    rp_text_escape(t, words);
  }
  if (n->condition) {
    const rp_condition *c = &g->conditions[n->condition - 1];
    rp_text_put(t, "\\nif ");
    rp_text_escape(t, name_of(g, &g->values[c->value.id - 1]));
    rp_text_put(t, c->when ? " is not 0" : " is 0");
  }
  dot_values(t, g, d, box);
  rp_text_put(t, "\", tooltip=");
  rp_text_quote(t, n->name);
  rp_text_put(t, "];\n");
}

static void dot_scope(rp_text *t, const rp_graph *g, const rp_drawing *d, const rp_scope *scope, int depth) {
  if (d->drawn_as[scope->id] != scope->id) return;
  if (scope->parent) {
    const rp_scope *first = g->scopes[d->first_copy[scope->id]];
    rp_text_format(t, "%*ssubgraph cluster_%u {\n%*slabel=\"", 2 * depth, "", scope->id, 2 * depth + 2, "");
    if (d->copies[scope->id] > 1) rp_text_format(t, "%u x ", d->copies[scope->id]);
    rp_text_escape(t, first->title ? first->title : first->name);
    rp_text_format(t, "%s\"; color=\"#d0d7de\"; style=rounded;\n", d->copies[scope->id] > 1 ? ", ..." : "");
  }
  for (uint32_t i = d->first_node[scope->id]; i != RP_NONE; i = d->next_node[i])
    if (d->box[i] == i) dot_box(t, g, d, i, 2 * depth + 2);
  for (uint32_t i = d->first_scope[scope->id]; i != RP_NONE; i = d->next_scope[i])
    dot_scope(t, g, d, g->scopes[i], depth + 1); /* RP_SCOPE_DEPTH bounds the depth */
  if (scope->parent) rp_text_format(t, "%*s}\n", 2 * depth, "");
}

/* ---- Inputs, outputs and lines ----------------------------------------------------------------------------------- */

static void dot_size(rp_text *t, const rp_graph_value *v) {
  rp_text_put(t, "\\n");
  dot_type(t, v);
  rp_text_put(t, "\\n");
  rp_text_bytes(t, v->len * v->type->size_bytes);
}

static void dot_border(rp_text *t, const rp_graph *g, const rp_drawing *d, uint32_t i) {
  const rp_graph_value *v = &g->values[i];
  if (v->node == RP_NONE && !is_constant(g, v)) {
    rp_text_format(t, "  v%u [shape=invhouse, color=\"%s\", label=\"", i + 1, colour(g, v));
    rp_text_escape(t, v->name);
    dot_size(t, v);
    rp_text_format(t, "%s\"];\n", v->secret ? "\\nsecret" : "");
  }
  if (v->output) {
    rp_text_format(t, "  o%u [shape=house, color=\"%s\", label=\"", i + 1, colour(g, v));
    rp_text_escape(t, v->output);
    dot_size(t, v);
    if (v->node == RP_NONE)
      rp_text_format(t, "\"];\n  v%u", i + 1);
    else
      rp_text_format(t, "\"];\n  n%u", d->box[v->node]);
    rp_text_format(t, " -> o%u [color=\"%s\", weight=100];\n", i + 1, colour(g, v));
  }
}

/* Whether an earlier operand of the box has the same line as operand i of its node `node`. */
static bool is_drawn(const rp_graph *g, const rp_drawing *d, uint32_t box, uint32_t node, uint32_t i) {
  const rp_graph_value *v = &g->values[g->nodes[node].in[i].id - 1];
  const bool named = rp_export_is_named(g, d, (uint32_t)(v - g->values), node);
  for (uint32_t at = box; at != RP_NONE; at = d->next[at]) {
    const uint32_t end = at == node ? i : g->nodes[at].n_in;
    for (uint32_t j = 0; j < end; j++) {
      const uint32_t value = g->nodes[at].in[j].id - 1;
      const rp_graph_value *u = &g->values[value];
      if (rp_export_is_named(g, d, value, at) != named) continue;
      if (u == v || (u->node != RP_NONE && v->node != RP_NONE && d->box[u->node] == d->box[v->node])) return 1;
    }
    if (at == node) break;
  }
  return 0;
}

static const rp_scope *phase_of(const rp_node *n) {
  const rp_scope *s = n->scope;
  while (s->depth > 1) s = s->parent;
  return s;
}

/* A line to each box from the boxes and inputs that it reads; where it names them, one that is not seen. Lines within a
 * phase pull their ends together, so that dot puts phases below each other and not beside each other. */
static void dot_edges(rp_text *t, const rp_graph *g, const rp_drawing *d, uint32_t box) {
  for (uint32_t at = box; at != RP_NONE; at = d->next[at]) {
    for (uint32_t i = 0; i < g->nodes[at].n_in; i++) {
      const uint32_t value = g->nodes[at].in[i].id - 1;
      const rp_graph_value *v = &g->values[value];
      if (is_constant(g, v) || is_drawn(g, d, box, at, i)) continue;
      if (rp_export_is_named(g, d, value, at)) {
        rp_text_format(t, "  n%u -> n%u [style=invis, weight=0];\n", d->box[v->node], box);
      } else if (v->node == RP_NONE) {
        rp_text_format(t, "  v%u -> n%u [color=\"%s\"];\n", value + 1, box, colour(g, v));
      } else if (d->box[v->node] != box) {
        const bool within = phase_of(&g->nodes[v->node]) == phase_of(&g->nodes[box]);
        rp_text_format(t, "  n%u -> n%u [color=\"%s\"%s];\n", d->box[v->node], box, colour(g, v),
                       within ? ", weight=100" : "");
      }
    }
  }
}

bool rp_export_graph_dot(rp_text *t, const rp_graph *g) {
  rp_arena arena;
  rp_drawing d;
  rp_arena_init(&arena, g->context);
  const bool good = rp_export_drawing(&arena, g, &d);
  if (good) {
    rp_export_dot_head(t, g->name, "operations", g->n_nodes);
    dot_scope(t, g, &d, g->scopes[0], 0);
    for (uint32_t i = 0; i < g->n_values; i++) dot_border(t, g, &d, i);
    for (uint32_t i = 0; i < g->n_nodes; i++)
      if (d.box[i] == i) dot_edges(t, g, &d, i);
    rp_export_dot_legend(t, 0);
    rp_text_put(t, "}\n");
  }
  rp_arena_free(&arena);
  return good;
}
