/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The graph that a file describes, built by the calls that any program makes.
 */
#include "build.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct builder {
  const saved_parts *p;
  rp_graph *graph;
  uint32_t *parent;           /* per scope; 0 is the outermost */
  uint32_t *name;             /* per scope: index of its name */
  uint32_t n_scopes;          /* with the outermost */
  uint32_t scope;             /* the one that is open */
  uint32_t section, sections; /* the rp_recompute_begin that is open, or 0; how many there were */
  saved_cursor conditions;    /* the next node's */
  const uint8_t *condition;   /* per condition: value, when, parent */
  uint32_t n_conditions;
  uint32_t *open, n_open; /* numbers of those that are open, the innermost last; room for all */
  rp_value *values;       /* by id - 1 */
  uint32_t n_values, room;
  uint32_t item;
  rp_error *err;
} builder;

/* Returns what saved_damaged does, as a constant, so that callers and checkers of code see that it is no success. */
static rp_status damaged(const builder *b, const char *why) {
  (void)saved_damaged(b->p->container->file, why, b->err);
  return RP_ERR_FORMAT;
}

static rp_status out_of_memory(const builder *b) {
  return support_fail(b->err, RP_ERR_MEMORY, "%s: out of memory.", support_file_name(b->p->container->file));
}

/* RP_OK, or what the builder of the graph said. */
static rp_status built(const builder *b) {
  const rp_error *error = rp_graph_error(b->graph);
  if (error->status == RP_OK) return RP_OK;
  return support_fail(b->err, error->status, "%.120s: the saved graph cannot be built: %.360s",
                      support_file_name(b->p->container->file), error->reason);
}

/* ---- Scopes ------------------------------------------------------------------------------------------------------ */

/* Makes a scope the open one: closes scopes that do not contain it, and opens those around it. */
static rp_status enter(builder *b, uint32_t scope) {
  uint32_t way[SAVED_DEPTH_MAX];
  uint32_t n = 0, common = scope;
  if (scope == b->scope) return RP_OK;
  for (; common && n < SAVED_DEPTH_MAX; common = b->parent[common]) way[n++] = common;
  if (common) return damaged(b, "its scopes nest too deep");
  while (b->scope) { /* up to the first scope that contains the wanted one */
    uint32_t i = 0;
    while (i < n && way[i] != b->scope) i++;
    if (i < n) break;
    rp_scope_end(b->graph);
    b->scope = b->parent[b->scope];
  }
  while (n && b->scope && way[n - 1] != b->scope) n--;
  if (b->scope) n--;
  while (n--) rp_scope_begin(b->graph, saved_string(b->p, b->name[way[n]]));
  b->scope = scope;
  return built(b);
}

/* The length of a scope's path, if that of its parent is known. */
static uint32_t path_length(const builder *b, const uint32_t *lengths, uint32_t scope) {
  const uint32_t above = lengths[b->parent[scope]];
  return above + (above != 0) + (uint32_t)strlen(saved_string(b->p, b->name[scope]));
}

static rp_status read_scopes(builder *b, saved_cursor *c, uint32_t *lengths) {
  for (uint32_t i = 1; i < b->n_scopes; i++) {
    b->parent[i] = saved_take_u32(c);
    b->name[i] = saved_take_u32(c);
    if (b->parent[i] >= i || !saved_string(b->p, b->name[i])) return damaged(b, "a scope has no parent or no name");
    lengths[i] = path_length(b, lengths, i);
    if (lengths[i] > SAVED_PATH_MAX) return damaged(b, "the path of a scope is too long");
    const rp_status status = enter(b, i);
    if (status != RP_OK) return status;
    if (rp_graph_n_scopes(b->graph) != i + 1) return damaged(b, "a scope is there twice");
  }
  return enter(b, 0);
}

static rp_status make_scopes(builder *b) {
  saved_cursor c = saved_begin(b->p, SAVED_SCOPES);
  (void)saved_take_u32(&c); /* the name of the graph */
  const uint32_t n = saved_take_u32(&c);
  if (c.failed || c.left / 8 != n || c.left % 8) return damaged(b, "its list of scopes does not have its length");
  b->n_scopes = n + 1;
  b->parent = calloc((size_t)n + 1, sizeof *b->parent);
  b->name = calloc((size_t)n + 1, sizeof *b->name);
  uint32_t *lengths = calloc((size_t)n + 1, sizeof *lengths);
  const rp_status status = b->parent && b->name && lengths ? read_scopes(b, &c, lengths) : out_of_memory(b);
  free(lengths);
  return status;
}

/* ---- Values and nodes -------------------------------------------------------------------------------------------- */

static bool have_room(builder *b, uint32_t more) {
  if (more <= b->room - b->n_values) return 1;
  const uint64_t room = 2 * (uint64_t)b->room + more + 64;
  rp_value *values = room <= UINT32_MAX ? realloc(b->values, room * sizeof *values) : NULL;
  if (!values) return 0;
  b->values = values;
  b->room = (uint32_t)room;
  return 1;
}

static const rp_type *type_of(const builder *b, uint32_t index) {
  return index < b->p->n_types ? b->p->types[index] : NULL;
}

/* Kernels rely on the program of an expression, which is checked when its node is made. Whoever writes to a mapped file
 * in place would change it after that, so the graph gets its own copy of whatever may be such a program. */
static bool may_be_program(const rp_type *type, uint64_t len) {
  return type->id == RP_TYPE_U32.id && len <= 2 * (uint64_t)RP_EXPR_MAX_CODE;
}

static rp_status copy_content(const builder *b, saved_content *content) {
  if (!b->p->mapped || content->copied) return RP_OK;
  void *copy = rp_context_alloc(rp_graph_context(b->graph), (size_t)content->size_bytes);
  if (!copy) return out_of_memory(b);
  memcpy(copy, content->data, (size_t)content->size_bytes);
  const rp_status status = rp_graph_keep(b->graph, copy, rp_context_free, b->err);
  if (status != RP_OK) {
    rp_context_free(copy);
    return status;
  }
  content->data = copy;
  content->copied = 1;
  return RP_OK;
}

static rp_status add_constant(builder *b, const char *name, const rp_type *type, uint64_t len, uint32_t index) {
  saved_content *content = index < b->p->n_contents ? &b->p->contents[index] : NULL;
  const uint64_t most = type->size_bytes ? UINT64_MAX / type->size_bytes : 0;
  if (!content || len > most || len * type->size_bytes != content->size_bytes)
    return damaged(b, "the contents of a constant are not there, or do not have its length");
  const rp_status status = may_be_program(type, len) ? copy_content(b, content) : RP_OK;
  if (status != RP_OK) return status;
  b->values[b->n_values++] = rp_graph_constant(b->graph, name, type, len, content->data, RP_BORROW);
  return built(b);
}

static rp_status add_border(builder *b, saved_cursor *c, uint32_t kind) {
  const char *name = saved_string(b->p, saved_take_u32(c));
  const rp_type *type = type_of(b, saved_take_u32(c));
  const uint32_t flags = saved_take_u32(c); /* of a constant, which contents it has */
  const uint64_t len = saved_take_u64(c);
  if (c->failed || !name || !type) return damaged(b, "an input or constant has no name or no type");
  if (!have_room(b, 1)) return out_of_memory(b);
  if (kind == SAVED_CONSTANT) return add_constant(b, name, type, len, flags);
  b->values[b->n_values++] = rp_graph_input(b->graph, name, type, len, flags);
  return built(b);
}

/* Section numbers count from 1 in the order of the nodes; all nodes of one stand together. */
static rp_status set_section(builder *b, uint32_t section) {
  if (section == b->section) return RP_OK;
  if (section && section != b->sections + 1) return damaged(b, "its parts that are computed again are not in order");
  if (b->section) rp_recompute_end(b->graph);
  if (section) rp_recompute_begin(b->graph);
  b->section = section;
  if (section) b->sections = section;
  return built(b);
}

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

enum { CONDITION_BYTES = 12 };

static uint32_t field_of(const builder *b, uint32_t number, uint32_t field) {
  return g16_u32(b->condition + (size_t)(number - 1) * CONDITION_BYTES + 4 * (size_t)field);
}

/* Conditions come after those around them. */
static rp_status begin_conditions(builder *b) {
  if (!b->p->section[SAVED_CONDITIONS]) return RP_OK;
  b->conditions = saved_begin(b->p, SAVED_CONDITIONS);
  b->n_conditions = saved_take_u32(&b->conditions);
  b->condition = saved_take(&b->conditions, (uint64_t)b->n_conditions * CONDITION_BYTES);
  if (b->conditions.failed) return damaged(b, "its list of conditions is cut short");
  for (uint32_t c = 1; c <= b->n_conditions; c++)
    if (field_of(b, c, 1) > 1 || field_of(b, c, 2) >= c) return damaged(b, "a condition is in none before it");
  b->open = calloc((size_t)b->n_conditions + 1, sizeof *b->open);
  return b->open ? RP_OK : out_of_memory(b);
}

/* Opens the condition of the next node: closes those that are not around it, and begins the others. */
static rp_status set_condition(builder *b) {
  if (!b->open) return RP_OK;
  const uint32_t wanted = saved_take_u32(&b->conditions);
  uint32_t way[SAVED_DEPTH_MAX], n = 0, common;
  if (b->conditions.failed || wanted > b->n_conditions) return damaged(b, "a node has no condition of the list");
  for (common = wanted; common; common = field_of(b, common, 2)) {
    uint32_t at = 0;
    while (at < b->n_open && b->open[at] != common) at++;
    if (at < b->n_open) break;
    if (n == SAVED_DEPTH_MAX) return damaged(b, "its conditions nest too deep");
    way[n++] = common;
  }
  while (b->n_open && b->open[b->n_open - 1] != common) {
    rp_condition_end(b->graph);
    b->n_open--;
  }
  while (n--) {
    const uint32_t value = field_of(b, way[n], 0);
    if (value == 0 || value > b->n_values) return damaged(b, "a condition has a value that comes after it");
    rp_condition_begin(b->graph, b->values[value - 1], (int)field_of(b, way[n], 1));
    b->open[b->n_open++] = way[n];
  }
  return built(b);
}

typedef struct node_record {
  saved_ops op;
  uint32_t n_in, n_out, params_bytes;
  const uint8_t *in, *out, *params;
} node_record;

static rp_status read_node(builder *b, saved_cursor *c, node_record *n) {
  const uint32_t op = saved_take_u32(c), scope = saved_take_u32(c), section = saved_take_u32(c);
  static const uint8_t zero[4];
  n->n_in = saved_take_u32(c);
  n->n_out = saved_take_u32(c);
  n->in = saved_take(c, 4 * (uint64_t)n->n_in);
  n->out = saved_take(c, 12 * (uint64_t)n->n_out);
  n->params_bytes = saved_take_u32(c);
  n->params = saved_take(c, n->params_bytes);
  const uint32_t padding = (4 - n->params_bytes % 4) % 4;
  const uint8_t *gap = saved_take(c, padding);
  if (c->failed || memcmp(gap, zero, padding) != 0) return damaged(b, "a node is cut short");
  if (op >= b->p->n_ops || scope >= b->n_scopes) return damaged(b, "a node has no operation or no scope");
  n->op = b->p->ops[op];
  rp_status status = enter(b, scope);
  if (status == RP_OK) status = set_section(b, section);
  return status == RP_OK ? set_condition(b) : status;
}

/* What the shape rule made of the node must be what it was when the graph was saved. */
static rp_status compare_results(const builder *b, const node_record *n, const rp_value *out) {
  for (uint32_t i = 0; i < n->n_out; i++) {
    const rp_type *type = type_of(b, g16_u32(n->out + 12 * (size_t)i));
    const uint64_t len = g16_u64(n->out + 12 * (size_t)i + 4);
    if (type && type->id == rp_value_type(b->graph, out[i])->id && len == rp_value_len(b->graph, out[i])) continue;
    return support_fail(
        b->err, RP_ERR_MISMATCH,
        "%.120s: result %" PRIu32 " of node %" PRIu32 " (%.100s) is %s[%" PRIu64 "] in the saved graph, "
        "and %s[%" PRIu64 "] here: build and save the graph again.",
        support_file_name(b->p->container->file), i, b->item, n->op.op->name, type ? type->name : "(no type)", len,
        rp_value_type(b->graph, out[i])->name, rp_value_len(b->graph, out[i]));
  }
  return RP_OK;
}

/* `in` has room for the operands, `params` for the parameters. */
static rp_status make_node(builder *b, const node_record *n, rp_value *in, void *params) {
  rp_error why = {0};
  for (uint32_t i = 0; i < n->n_in; i++) {
    const uint32_t id = g16_u32(n->in + 4 * (size_t)i);
    if (id == 0 || id > b->n_values) return damaged(b, "a node has an operand that comes after it");
    in[i] = b->values[id - 1];
  }
  const rp_status status = rp_params_decode(n->op.op, n->op.version, n->params, n->params_bytes, params, &why);
  if (status != RP_OK)
    return support_fail(b->err, status, "%.120s: node %" PRIu32 " of the saved graph (written by version %s): %.250s.",
                        support_file_name(b->p->container->file), b->item, b->p->container->writer, why.reason);
  rp_value *out = &b->values[b->n_values];
  rp_graph_node(b->graph, n->op.op, n->op.op->params_bytes ? params : NULL, in, n->n_in, out, n->n_out);
  const rp_status made = built(b);
  if (made != RP_OK) return made;
  b->n_values += n->n_out;
  return compare_results(b, n, out);
}

static rp_status add_node(builder *b, saved_cursor *c) {
  node_record n = {0};
  rp_status status = read_node(b, c, &n);
  if (status != RP_OK) return status;
  if (!have_room(b, n.n_out)) return out_of_memory(b);
  rp_value *in = calloc((size_t)n.n_in + 1, sizeof *in);
  void *params = calloc(1, (size_t)n.op.op->params_bytes + 1);
  status = in && params ? make_node(b, &n, in, params) : out_of_memory(b);
  free(in);
  free(params);
  return status;
}

static rp_status add_items(builder *b) {
  saved_cursor c = saved_begin(b->p, SAVED_ITEMS);
  const uint32_t n = saved_take_u32(&c);
  rp_status status = RP_OK;
  for (b->item = 0; b->item < n && status == RP_OK; b->item++) {
    const uint32_t kind = saved_take_u32(&c);
    if (kind == SAVED_INPUT || kind == SAVED_CONSTANT)
      status = add_border(b, &c, kind);
    else
      status = kind == SAVED_NODE ? add_node(b, &c) : damaged(b, "it has a record that is no value and no node");
  }
  if (status == RP_OK) status = set_section(b, 0);
  if (status == RP_OK) status = enter(b, 0);
  if (status == RP_OK && (c.failed || c.left)) status = damaged(b, "its nodes do not end where they should");
  return status;
}

static rp_status add_outputs(builder *b) {
  saved_cursor c = saved_begin(b->p, SAVED_OUTPUTS);
  const uint32_t n = saved_take_u32(&c);
  if (c.failed || c.left / 12 != n || c.left % 12) return damaged(b, "its list of outputs does not have its length");
  for (uint32_t i = 0; i < n; i++) {
    const char *name = saved_string(b->p, saved_take_u32(&c));
    const uint32_t id = saved_take_u32(&c), flags = saved_take_u32(&c);
    if (!name || id == 0 || id > b->n_values) return damaged(b, "an output has no name or no value");
    rp_graph_output(b->graph, name, b->values[id - 1], flags);
  }
  return built(b);
}

rp_status saved_build(const saved_parts *p, rp_graph *graph, rp_error *err) {
  builder b = {.p = p, .graph = graph, .err = err};
  rp_status status = make_scopes(&b);
  if (status == RP_OK) status = begin_conditions(&b);
  if (status == RP_OK) status = add_items(&b);
  if (status == RP_OK && (b.conditions.failed || b.conditions.left))
    status = damaged(&b, "its list of conditions does not have its length");
  for (; status == RP_OK && b.n_open; b.n_open--) rp_condition_end(graph);
  if (status == RP_OK) status = add_outputs(&b);
  free(b.parent);
  free(b.name);
  free(b.values);
  free(b.open);
  return status;
}
