/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lower: the first strategy of each node that applies turns it into dispatches. Before and after them come the steps
 * that copy inputs and outputs from and to the caller's buffers.
 */
#include "lowering.h"

#include <stdio.h>

static rp_status fail_at(const rp_lower *l, const char *strategy, rp_error *err) {
  const char *name = l->plan->nodes[l->node].node.name;
  return rp_fail(err, l->error.status, "%.180s%s%.60s: %.240s", name, *strategy ? ", strategy " : "", strategy,
                 l->error.reason);
}

static const rp_strategy *choose(const rp_lower *l, const rp_op *op) {
  rp_device_kind kind = rp_lower_device(l);
  for (uint32_t s = 0; s < op->n_strategies; s++) {
    const rp_strategy *strategy = &op->strategies[s];
    if (kind != RP_DEVICE_NULL && !(strategy->devices & RP_ON(kind))) continue;
    if (!strategy->applies || strategy->applies(l)) return strategy;
  }
  return NULL;
}

static rp_status lower_node(rp_plan *plan, uint32_t node, rp_error *err) {
  rp_plan_node *n = &plan->nodes[node];
  rp_lower l = {.plan = plan, .node = node};
  for (uint32_t i = 0; i < n->node.n_in; i++) {
    rp_plan_value *v = &plan->values[n->node.in[i].id - 1];
    l.secret |= v->secret;
    v->reader = node;
  }
  if (n->condition) {
    const rp_status status = rp_plan_add_guard(plan, n->condition, err);
    if (status) return status;
  }
  n->strategy = choose(&l, n->node.op);
  if (!n->strategy) {
    (void)rp_lower_fail(&l, RP_ERR_UNSUPPORTED, "op %s has no way to run this on a %s device", n->node.op->name,
                        rp_device_kind_name(rp_lower_device(&l)));
    return fail_at(&l, "", err);
  }
  rp_status status = n->strategy->lower(&l);
  if (status && !l.error.status) (void)rp_lower_fail(&l, status, "%s", rp_status_text(status));
  for (uint32_t i = 0; i < n->node.n_out && !l.error.status; i++)
    if (!plan->values[n->node.out[i].id - 1].written)
      (void)rp_lower_fail(&l, RP_ERR_ARGUMENT, "no dispatch of its strategy writes output %u", i);
  return l.error.status ? fail_at(&l, n->strategy->name ? n->strategy->name : "", err) : RP_OK;
}

/* Adds a step that copies between a value and the buffer whose address is in a parameter word. */
static bool add_binding(rp_plan *plan, uint32_t value, rp_step_kind kind) {
  rp_plan_value *v = &plan->values[value];
  char name[256];
  rp_touch *touches = rp_arena_array(&plan->arena, 2, sizeof *touches);
  const char *label =
      rp_arena_format(&plan->arena, "%s %s", kind == RP_STEP_BIND_IN ? "bind in" : "bind out",
                      kind == RP_STEP_BIND_IN ? rp_plan_value_name(plan, value, name, sizeof name) : v->output);
  if (!touches || !label) return 0;
  touches[0] = (rp_touch){
      .value = value, .bound = value, .access = kind == RP_STEP_BIND_IN ? RP_WRITE : RP_READ, .count = v->len};
  touches[1] = (rp_touch){.value = plan->error_value, .bound = plan->error_value, .access = RP_READ, .count = 4};
  v->in_part[RP_PART_RUN] = 1;
  v->word = plan->n_words++;
  const rp_pattern step = {
      .kind = kind, .label = label, .groups = {1, 1, 1}, .n_refs = kind == RP_STEP_BIND_IN ? 1 : 2, .word = v->word};
  return rp_part_add_own(plan, RP_PART_RUN, &(rp_plan_pattern){.step = step, .touches = touches, .node = RP_NONE});
}

/* Kernels access a resident value where the caller has bound it. */
static bool is_in_place(const rp_plan_value *v) { return v->flags & RP_RESIDENT && !(v->flags & RP_COPIED); }

/* The word is 0 in runs that have the input in their staging. */
static void add_loans(rp_plan *plan) {
  for (uint32_t i = 0; i < plan->n_graph_values && plan->device->backend->memory_lends; i++) {
    rp_plan_value *v = &plan->values[i];
    if (v->origin == RP_ORIGIN_INPUT && v->flags & RP_LENDABLE && v->n_segments == 1) v->word = plan->n_words++;
  }
}

static rp_status refuse_segments(const rp_plan_value *v, rp_error *err) {
  return rp_fail(err, RP_ERR_UNSUPPORTED,
                 "'%s' has %llu bytes, more than one allocation of this device: it cannot be bound to a buffer",
                 v->output ? v->output : v->name, (unsigned long long)v->bytes);
}

static rp_status add_bindings(rp_plan *plan, rp_step_kind kind, rp_error *err) {
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    const rp_plan_value *v = &plan->values[i];
    bool here = kind == RP_STEP_BIND_IN ? v->origin == RP_ORIGIN_INPUT : v->output != NULL;
    if (!here || !(v->flags & (RP_RESIDENT | RP_BINDABLE))) continue;
    if (v->n_segments > 1) return refuse_segments(v, err);
    if (is_in_place(v)) {
      plan->values[i].word = plan->n_words++;
      continue;
    }
    const char *full = rp_plan_is_full(plan, 2);
    if (full) return rp_fail(err, RP_ERR_UNSUPPORTED, "%s: %s", plan->graph->name, full);
    if (!add_binding(plan, i, kind)) return rp_plan_fail_memory(err);
  }
  return RP_OK;
}

rp_status rp_pass_lower(rp_plan *plan, rp_error *err) {
  rp_status status = add_bindings(plan, RP_STEP_BIND_IN, err);
  add_loans(plan);
  for (uint32_t i = 0; i < plan->n_order && !status; i++)
    if (!plan->nodes[plan->order[i]].elided) status = lower_node(plan, plan->order[i], err);
  return status ? status : add_bindings(plan, RP_STEP_BIND_OUT, err);
}
