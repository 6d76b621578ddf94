/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Views: a slice of a value is read where it lies instead of being copied, and the parts of a concatenation are
 * computed at their places in the result. The node is then not lowered, and the slice, or the parts, have no memory of
 * their own: accesses to them become accesses to a range of another value (rp_plan_find), which is all that the
 * following passes see.
 *
 * A view begins at a multiple of the device's alignment, as every value does, so that kernels see no difference. Both
 * values lie in one allocation. An output of the graph has memory of its own and is never a view. Neither is a slice of
 * constants, because it may be all of them that has to be kept.
 *
 * A slice that is a view keeps the whole value in the arena as long as the slice is read. It becomes a view only if
 * slices have at least half as many elements as that value, where those that overlap count each for itself, or if the
 * value has memory anyway, as an output or an input. A slice of a view is compared with the view, not with all in which
 * that lies. There is no such bound for concatenations: the result has memory from the first of its parts that is
 * computed to the last reader of any of them.
 */
#include "plan.h"

void rp_plan_find(const rp_plan *plan, uint32_t *value, uint64_t *first) {
  for (; plan->values[*value].view_of != RP_NONE; *value = plan->values[*value].view_of)
    *first += plan->values[*value].view_first;
}

/* Makes the value, and all views in which it lies, refer directly to the value that is not a view, and returns that. */
static uint32_t shorten(rp_plan *plan, uint32_t value) {
  uint32_t root = value;
  uint64_t first = 0;
  rp_plan_find(plan, &root, &first);
  while (value != root) {
    rp_plan_value *v = &plan->values[value];
    const uint64_t step = v->view_first;
    value = v->view_of;
    v->view_of = root;
    v->view_first = first;
    first -= step;
  }
  return root;
}

/* ---- What an op promises ----------------------------------------------------------------------------------------- */

static bool is_concat(const rp_op *op) { return RP_HAS(op, flags) && (op->flags & RP_OP_CONCAT); }

static bool same_type(const rp_plan_value *a, const rp_plan_value *b) {
  return a->type->id == b->type->id && a->type->size_bytes == b->type->size_bytes &&
         a->type->align_bytes == b->type->align_bytes;
}

/* Whether value `v` may lie in `of` from element `first` on. */
static bool fits(const rp_plan *plan, uint32_t v, uint32_t of, uint64_t first) {
  const rp_plan_value *x = &plan->values[v], *y = &plan->values[of];
  return same_type(x, y) && first <= y->len && x->len <= y->len - first && !x->output && x->view_of == RP_NONE;
}

static bool is_aligned(const rp_plan *plan, uint32_t of, uint64_t first) {
  rp_plan_find(plan, &of, &first); /* one step, since it has been shortened */
  const rp_plan_value *root = &plan->values[of];
  return root->n_segments == 1 && first * root->type->size_bytes % plan->device->info.limits.align_bytes == 0;
}

/* ---- Slices ------------------------------------------------------------------------------------------------------ */

static uint32_t index_of(rp_value v) { return v.id - 1; }

/* Whether the value is not in the arena, so that it has its memory whether it is read or not. */
static bool stays_anyway(const rp_plan_value *v) {
  return !(v->flags & RP_COPIED) && (v->origin == RP_ORIGIN_INPUT || v->output);
}

static void view_slice(rp_plan *plan, rp_plan_node *n, const uint64_t *cut) {
  const uint32_t in = index_of(n->node.in[0]), out = index_of(n->node.out[0]);
  const uint64_t first = n->node.op->slice_first(n->node.params);
  const uint32_t root = shorten(plan, in);
  if (!fits(plan, out, in, first) || !is_aligned(plan, in, first)) return;
  if (!stays_anyway(&plan->values[root]) && 2 * cut[in] < plan->values[in].len) return;
  plan->values[out].view_of = in;
  plan->values[out].view_first = first;
  n->elided = 1;
}

/* ---- Concatenations ---------------------------------------------------------------------------------------------- */

/* Whether the value is computed in each run and has one segment. */
static bool is_movable(const rp_plan *plan, uint32_t value) {
  const rp_plan_value *v = &plan->values[value];
  return v->origin == RP_ORIGIN_COMPUTED && !plan->nodes[v->node].once && v->n_segments == 1;
}

/* Places all parts in the result, or none. */
static void place_parts(rp_plan *plan, rp_plan_node *n) {
  const uint32_t out = index_of(n->node.out[0]);
  uint64_t first = 0;
  bool good = 1;
  uint32_t i = 0;
  for (; i < n->node.n_in && good; i++) {
    const uint32_t in = index_of(n->node.in[i]);
    good = fits(plan, in, out, first) && is_movable(plan, in) && is_aligned(plan, out, first);
    if (!good) break;
    plan->values[in].view_of = out; /* a part that occurs twice is a view the second time, and does not fit */
    plan->values[in].view_first = first;
    first += plan->values[in].len;
  }
  n->elided = good && first == plan->values[out].len;
  if (!n->elided)
    while (i-- > 0) plan->values[index_of(n->node.in[i])].view_of = RP_NONE;
}

rp_status rp_pass_views(rp_plan *plan, rp_error *err) {
  rp_arena arena;
  rp_arena_init(&arena, plan->context);
  uint64_t *cut = rp_arena_array(&arena, plan->n_graph_values, sizeof *cut); /* per value: elements in slices of it */
  for (uint32_t i = 0; cut && i < plan->n_order; i++) {
    const rp_node *n = &plan->nodes[plan->order[i]].node;
    if (rp_op_is_slice(n->op) && n->n_in == 1 && n->n_out == 1)
      cut[index_of(n->in[0])] += plan->values[index_of(n->out[0])].len;
  }
  for (uint32_t i = 0; cut && i < plan->n_order; i++) {
    rp_plan_node *n = &plan->nodes[plan->order[i]];
    if (n->once || n->node.n_out != 1 || n->node.n_in == 0) continue;
    if (rp_op_is_slice(n->node.op) && n->node.n_in == 1)
      view_slice(plan, n, cut);
    else if (is_concat(n->node.op))
      place_parts(plan, n);
  }
  for (uint32_t i = 0; i < plan->n_graph_values; i++) (void)shorten(plan, i);
  rp_arena_free(&arena);
  return cut ? RP_OK : rp_plan_fail_memory(err);
}
