/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a strategy may query and make while it lowers a node. Dispatches: lowering_dispatch.c.
 */
#include "lowering.h"

#include <stdarg.h>
#include <stdio.h>

rp_status rp_lower_fail(rp_lower *l, rp_status status, const char *format, ...) {
  if (!l || !format) return l ? rp_lower_fail(l, status, "%s", rp_status_text(status)) : RP_ERR_ARGUMENT;
  if (l->error.status) return l->error.status;
  l->error.status = status ? status : RP_ERR_INTERNAL;
  va_list args;
  va_start(args, format);
  vsnprintf(l->error.reason, sizeof l->error.reason, format, args);
  va_end(args);
  return l->error.status;
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

/* The queries accept NULL. */
static const rp_node *node_of(const rp_lower *l) {
  static const rp_node none;
  return l ? &l->plan->nodes[l->node].node : &none;
}

static const rp_plan_value *value_of(const rp_lower *l, rp_value v) {
  return l && v.graph == l->plan->graph->mark && v.id && v.id <= l->plan->n_values ? &l->plan->values[v.id - 1] : NULL;
}

static rp_value value_at(const rp_lower *l, uint32_t index) { return (rp_value){index + 1, l->plan->graph->mark}; }

const void *rp_lower_params(const rp_lower *l) { return node_of(l)->params; }
uint32_t rp_lower_n_in(const rp_lower *l) { return node_of(l)->n_in; }
uint32_t rp_lower_n_out(const rp_lower *l) { return node_of(l)->n_out; }

rp_value rp_lower_in(const rp_lower *l, uint32_t i) {
  const rp_node *n = node_of(l);
  return i < n->n_in ? n->in[i] : RP_NO_VALUE;
}

rp_value rp_lower_out(const rp_lower *l, uint32_t i) {
  const rp_node *n = node_of(l);
  return i < n->n_out ? n->out[i] : RP_NO_VALUE;
}

const rp_type *rp_lower_type(const rp_lower *l, rp_value v) {
  const rp_plan_value *p = value_of(l, v);
  return p ? p->type : NULL;
}

uint64_t rp_lower_len(const rp_lower *l, rp_value v) {
  const rp_plan_value *p = value_of(l, v);
  return p ? p->len : 0;
}

uint64_t rp_lower_segment_len(const rp_lower *l, rp_value v) {
  const rp_plan_value *p = value_of(l, v);
  return p ? p->segment_len : 0;
}

bool rp_lower_is_constant(const rp_lower *l, rp_value v) {
  const rp_plan_value *p = value_of(l, v);
  if (!p) return false;
  switch (p->origin) {
  case RP_ORIGIN_GIVEN:
  case RP_ORIGIN_FILLED: return true;
  case RP_ORIGIN_COMPUTED: return l->plan->nodes[p->node].once;
  default: return false;
  }
}

const void *rp_lower_constant_data(const rp_lower *l, rp_value v) {
  const rp_plan_value *p = value_of(l, v);
  return p && !(p->flags & RP_REPLACEABLE) ? p->data : NULL;
}

rp_device_kind rp_lower_device(const rp_lower *l) { return l ? l->plan->device->backend->kind : RP_DEVICE_AUTO; }
const rp_device_limits *rp_lower_limits(const rp_lower *l) { return l ? &l->plan->device->info.limits : NULL; }
uint32_t rp_lower_memory_level(const rp_lower *l) { return l ? l->plan->memory_level : RP_MEMORY_FULL; }

uint64_t rp_lower_note(const rp_lower *l) {
  const rp_node *n = node_of(l);
  return n->note ? atomic_load_explicit(n->note, memory_order_relaxed) : 0;
}

void rp_lower_set_note(const rp_lower *l, uint64_t note) {
  const rp_node *n = node_of(l);
  if (n->note) atomic_store_explicit(n->note, note, memory_order_relaxed);
}

uint32_t rp_lower_site(const rp_lower *l) {
  if (!l) return 0;
  l->plan->uses_sites = 1;
  return l->plan->site_base + l->node;
}
rp_value rp_lower_error(rp_lower *l) { return l ? value_at(l, l->plan->error_value) : RP_NO_VALUE; }

/* ---- Values of the node ------------------------------------------------------------------------------------------ */

/* A value made while lowering; `name` is copied. */
static rp_value add_value(rp_lower *l, const char *name, rp_plan_value value) {
  if (l->error.status) return RP_NO_VALUE;
  const char *what = value.origin == RP_ORIGIN_SCRATCH ? "scratch" : "constant";
  const char *problem = rp_type_problem(value.type);
  uint64_t most = l->plan->device->info.limits.max_allocation_bytes;
  if (!name || !*name) problem = "has no name";
  if (!problem && value.type->size_bytes > most) problem = "is larger than this device can allocate";
  if (!problem && (value.len == 0 || value.len > RP_VALUE_BYTES_MAX / value.type->size_bytes))
    problem = "comes with a length that is 0 or too large";
  if (problem) {
    (void)rp_lower_fail(l, RP_ERR_SHAPE, "%s '%s': its type %s", what, name ? name : "", problem);
    return RP_NO_VALUE;
  }
  const char *full = rp_plan_is_full(l->plan, 0);
  if (full) {
    (void)rp_lower_fail(l, RP_ERR_UNSUPPORTED, "%s", full);
    return RP_NO_VALUE;
  }
  value.name = rp_arena_string(&l->plan->arena, name);
  value.live = 1;
  uint32_t index = value.name ? rp_plan_add_value(l->plan, &value) : RP_NONE;
  if (index == RP_NONE) {
    (void)rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
    return RP_NO_VALUE;
  }
  return value_at(l, index);
}

rp_value rp_lower_scratch(rp_lower *l, const char *name, const rp_type *type, uint64_t len) {
  if (!l) return RP_NO_VALUE;
  return add_value(
      l, name,
      (rp_plan_value){.origin = RP_ORIGIN_SCRATCH, .type = type, .len = len, .node = l->node, .secret = l->secret});
}

static const void *copy_user(rp_lower *l, const void *user, size_t user_bytes) {
  void *copy = rp_arena_alloc(&l->plan->arena, user_bytes, 16);
  if (copy && user_bytes) memcpy(copy, user, user_bytes);
  return copy;
}

/* One of fill and fill_part is NULL. `user` is copied, unless `lasting`. */
static rp_value add_constant(rp_lower *l, const char *key, const rp_type *type, uint64_t len, rp_fill_fn fill,
                             rp_fill_part_fn fill_part, const void *user, size_t user_bytes, bool lasting) {
  if (!l || l->error.status) return RP_NO_VALUE;
  rp_plan *p = l->plan;
  if (!key || (!fill && !fill_part) || (!user && user_bytes)) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "a constant of an op needs a key and a fill function");
    return RP_NO_VALUE;
  }
  const rp_name *known = rp_names_find(&p->names, RP_NAME_FILLED, NULL, key);
  if (known) {
    const rp_plan_value *v = &p->values[known->number];
    if (type && v->type->id == type->id && v->len == len) return value_at(l, known->number);
    (void)rp_lower_fail(l, RP_ERR_TYPE, "constant '%s' was asked for before with another type or length", key);
    return RP_NO_VALUE;
  }
  const void *copy = lasting ? user : copy_user(l, user, user_bytes);
  if (!copy) {
    (void)rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
    return RP_NO_VALUE;
  }
  rp_value value = add_value(l, key,
                             (rp_plan_value){.origin = RP_ORIGIN_FILLED,
                                             .type = type,
                                             .len = len,
                                             .node = RP_NONE,
                                             .fill = fill,
                                             .fill_part = fill_part,
                                             .fill_user = copy});
  if (!value.id) return value;
  const uint32_t index = value.id - 1;
  if (rp_names_add(&p->names, p->context,
                   &(rp_name){.text = p->values[index].name, .kind = RP_NAME_FILLED, .number = index}))
    return value;
  (void)rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
  return RP_NO_VALUE;
}

rp_value rp_lower_constant(rp_lower *l, const char *key, const rp_type *type, uint64_t len, rp_fill_fn fill,
                           const void *user, size_t user_bytes) {
  return add_constant(l, key, type, len, fill, NULL, user, user_bytes, 0);
}

rp_value rp_lower_constant_parts(rp_lower *l, const char *key, const rp_type *type, uint64_t len, rp_fill_part_fn fill,
                                 const void *user, size_t user_bytes) {
  return add_constant(l, key, type, len, NULL, fill, user, user_bytes, 0);
}

rp_value rp_lower_constant_of(rp_lower *l, const rp_plan_value *v) {
  return add_constant(l, v->name, v->type, v->len, v->fill, v->fill_part, v->fill_user, 0, 1);
}
