/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fuse: a node and the one that computes an operand of it become one node, if the operation of the first can do that
 * (rp_rewrites.fuse) and nothing else reads that operand. Chains become one node step by step, since a fused node may
 * be fused again. The node keeps the name and the result of the last one; results between have no memory.
 *
 * What the first of the two reads must be kept until the second one runs. They are fused only if that takes no more
 * memory, in the order of the nodes: if no node lies between them, or if what is kept for longer is not larger than the
 * result between.
 *
 * What computes a condition stays a node. A node that runs under one is not fused into a node that runs when the
 * condition does not hold; the other way round, the fused node runs under the condition of its reader.
 */
#include "plan.h"

#include <reprise/rewrite.h>
#include <reprise/schema.h>

typedef struct work {
  rp_plan *plan;
  uint32_t *readers; /* per value: nodes that read it */
  uint32_t *last;    /* per value: place in the order of its last reader, one more; 0: none reads it */
  uint32_t *place;   /* per node: its place in the order */
} work;

static uint32_t index_of(rp_value v) { return v.id - 1; }

static const rp_rewrites *rewrites_of(const rp_op *op) {
  const rp_schema *s = op->struct_size >= offsetof(rp_op, schema) + sizeof op->schema ? op->schema : NULL;
  return s && s->struct_size >= offsetof(rp_schema, rewrites) + sizeof s->rewrites ? s->rewrites : NULL;
}

static bool is_pure(const rp_op *op) {
  return op->struct_size >= offsetof(rp_op, flags) + sizeof op->flags && (op->flags & RP_OP_PURE);
}

/* ---- What operations ask ----------------------------------------------------------------------------------------- */

static const rp_plan_value *value_of(const rp_fuse *f, rp_value v) {
  return f && v.id && v.id <= f->plan->n_graph_values ? &f->plan->values[v.id - 1] : NULL;
}

const rp_type *rp_fuse_type(const rp_fuse *f, rp_value v) {
  const rp_plan_value *x = value_of(f, v);
  return x ? x->type : NULL;
}

uint64_t rp_fuse_len(const rp_fuse *f, rp_value v) {
  const rp_plan_value *x = value_of(f, v);
  return x ? x->len : 0;
}

const void *rp_fuse_data(const rp_fuse *f, rp_value v) {
  const rp_plan_value *x = value_of(f, v);
  return x && x->origin == RP_ORIGIN_GIVEN && !(x->flags & RP_REPLACEABLE) ? x->data : NULL;
}

void *rp_fuse_alloc(const rp_fuse *f, size_t bytes) { return f ? rp_arena_alloc(&f->plan->arena, bytes, 64) : NULL; }

/* ---- Which nodes ------------------------------------------------------------------------------------------------- */

/* Counts a reader of each operand of the node; an operand that occurs twice has one. */
static void count_readers(work *w, const rp_node *n, uint32_t place) {
  for (uint32_t i = 0; i < n->n_in; i++) {
    const uint32_t value = index_of(n->in[i]);
    if (w->last[value] == place + 1) continue;
    w->readers[value]++;
    w->last[value] = place + 1;
  }
}

/* Whether the node's only result may become a step inside the node that reads it. */
static bool is_maker(const work *w, const rp_plan_node *n) {
  if (n->once || !n->live || n->node.n_out != 1 || !is_pure(n->node.op)) return 0;
  const rp_plan_value *v = &w->plan->values[index_of(n->node.out[0])];
  return !v->output && w->readers[index_of(n->node.out[0])] == 1;
}

/* The bytes of the operands that the node at this place in the order is the last to read. */
static uint64_t bytes_that_end(const work *w, const rp_plan_node *n, uint32_t place) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < n->node.n_in; i++) {
    const rp_plan_value *v = &w->plan->values[index_of(n->node.in[i])];
    if (w->last[index_of(n->node.in[i])] != place + 1 || v->output || v->origin != RP_ORIGIN_COMPUTED) continue;
    if (w->plan->nodes[v->node].once) continue;
    uint32_t before = 0;
    while (before < i && n->node.in[before].id != n->node.in[i].id) before++;
    if (before == i) bytes += v->bytes;
  }
  return bytes;
}

/* Whether no node that is left lies between two places. */
static bool are_neighbours(const work *w, uint32_t from, uint32_t to) {
  for (uint32_t i = from + 1; i < to; i++)
    if (w->plan->nodes[w->plan->order[i]].live) return 0;
  return 1;
}

static bool takes_no_memory(const work *w, uint32_t maker, uint32_t reader) {
  const rp_plan_node *m = &w->plan->nodes[maker];
  const uint64_t between = w->plan->values[index_of(m->node.out[0])].bytes;
  return bytes_that_end(w, m, w->place[maker]) <= between || are_neighbours(w, w->place[maker], w->place[reader]);
}

/* ---- Fusing ------------------------------------------------------------------------------------------------------ */

static bool reads(const rp_node *n, rp_value v) {
  for (uint32_t i = 0; i < n->n_in; i++)
    if (n->in[i].id == v.id) return 1;
  return 0;
}

/* The reader becomes the fused node, and reads what the maker has read. */
static void replace(work *w, rp_plan_node *maker, uint32_t reader, const rp_fuse_node *fused) {
  rp_plan_node *r = &w->plan->nodes[reader];
  rp_plan_value *between = &w->plan->values[index_of(maker->node.out[0])];
  const uint32_t end = w->place[reader] + 1;
  for (uint32_t i = 0; i < maker->node.n_in; i++) {
    const uint32_t value = index_of(maker->node.in[i]);
    uint32_t before = 0; /* an operand that occurs twice has one reader */
    while (before < i && maker->node.in[before].id != maker->node.in[i].id) before++;
    if (before == i && reads(&r->node, maker->node.in[i])) w->readers[value]--;
    if (w->last[value] < end) w->last[value] = end;
  }
  maker->live = 0;
  between->live = 0;
  between->fused_into = reader;
  r->node.op = fused->op;
  r->node.params = fused->params;
  r->node.in = fused->in;
  r->node.n_in = fused->n_in;
  r->node.note = NULL; /* the note is about the graph's node, which has another operation and other operands */
}

static bool fuse_operand(work *w, uint32_t reader, uint32_t operand) {
  rp_plan *p = w->plan;
  rp_plan_node *r = &p->nodes[reader];
  const rp_rewrites *rewrites = rewrites_of(r->node.op);
  const rp_plan_value *v = &p->values[index_of(r->node.in[operand])];
  if (!rewrites || !rewrites->fuse || v->origin != RP_ORIGIN_COMPUTED) return 0;
  rp_plan_node *m = &p->nodes[v->node];
  if (!is_maker(w, m) || m->node.device != r->node.device || !rp_plan_implies(p, r->condition, m->condition) ||
      !takes_no_memory(w, v->node, reader))
    return 0;
  rp_fuse f = {.reader = {r->node.op, r->node.params, r->node.in, r->node.n_in},
               .maker = {m->node.op, m->node.params, m->node.in, m->node.n_in},
               .between = r->node.in[operand],
               .out = r->node.out[0],
               .device = p->device->backend->kind,
               .limits = &p->device->info.limits,
               .plan = p};
  if (!rewrites->fuse(&f) || !f.fused.op) return 0;
  replace(w, m, reader, &f.fused);
  return 1;
}

static void fuse_into(work *w, uint32_t reader) {
  const rp_plan_node *n = &w->plan->nodes[reader];
  if (n->once || n->node.n_out != 1 || !is_pure(n->node.op)) return;
  for (uint32_t i = 0; i < n->node.n_in;) i = fuse_operand(w, reader, i) ? 0 : i + 1;
}

static void drop_from_order(rp_plan *p) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->n_order; i++)
    if (p->nodes[p->order[i]].live) p->order[n++] = p->order[i];
  p->n_order = n;
}

rp_status rp_pass_fuse(rp_plan *plan, rp_error *err) {
  work w = {.plan = plan};
  rp_arena arena;
  rp_arena_init(&arena, plan->context);
  w.readers = rp_arena_array(&arena, plan->n_graph_values, sizeof *w.readers);
  w.last = rp_arena_array(&arena, plan->n_graph_values, sizeof *w.last);
  w.place = rp_arena_array(&arena, plan->n_nodes, sizeof *w.place);
  const bool good = w.readers && w.last && w.place;
  for (uint32_t i = 0; good && i < plan->n_order; i++) {
    w.place[plan->order[i]] = i;
    count_readers(&w, &plan->nodes[plan->order[i]].node, i);
  }
  for (uint32_t c = 0; good && c < plan->n_conditions; c++) w.readers[plan->conditions[c].value] += 2;
  for (uint32_t i = 0; good && i < plan->n_order; i++) fuse_into(&w, plan->order[i]);
  drop_from_order(plan);
  rp_arena_free(&arena);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
