/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Dispatches as strategies add them. Every bind is checked here, so that later passes and backends need not.
 */
#include "lowering.h"

#include <stdio.h>

#include <reprise/rewrite.h>

/* Why this node may not access the value in this way; NULL if it may. */
static const char *access_problem(const rp_lower *l, uint32_t value, uint32_t access) {
  const rp_plan_value *v = &l->plan->values[value];
  const bool writes = (access & RP_WRITE) != 0, own = v->node == l->node;
  switch (v->origin) {
  case RP_ORIGIN_INPUT:
  case RP_ORIGIN_GIVEN:
    if (v->reader != l->node) return "is not an input of the node";
    if (writes) return "is written, and it is not the node's own";
    break;
  case RP_ORIGIN_FILLED:
    if (writes) return "is written, and it is a constant";
    break;
  case RP_ORIGIN_COMPUTED:
    if (!own && v->reader != l->node) return "is not an input of the node";
    if (!own && writes) return "is written, and it is not the node's own";
    break;
  case RP_ORIGIN_SCRATCH:
    if (!own) return "is scratch of another node";
    break;
  case RP_ORIGIN_ERROR: return NULL;
  case RP_ORIGIN_GUARD: return "is not a value of operations";
  }
  if (own && !writes && !v->written) return "is read before anything wrote it";
  return NULL;
}

/* Resolves a bind, or reports why it cannot be. */
static bool resolve(rp_lower *l, const char *label, const rp_bind *bind, rp_touch *touch) {
  rp_plan *p = l->plan;
  char name[256];
  if (bind->value.id == 0 || bind->value.id > p->n_values || bind->value.graph != p->graph->mark) {
    const bool foreign = bind->value.id && bind->value.graph && bind->value.graph != p->graph->mark;
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "dispatch %s binds a value %s", label,
                        foreign ? "of another graph" : "that does not exist");
    return 0;
  }
  uint32_t value = bind->value.id - 1;
  const rp_plan_value *v = &p->values[value];
  const uint32_t in_place = bind->access & RP_IN_PLACE;
  if (!(bind->access & RP_READ_WRITE) || (bind->access & ~(RP_READ_WRITE | RP_ATOMIC | RP_IN_PLACE | RP_ANY_ADDRESS)) ||
      (in_place && bind->access != (RP_READ | RP_IN_PLACE)) ||
      (bind->access & RP_ANY_ADDRESS && bind->access != (RP_READ | RP_ANY_ADDRESS))) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "dispatch %s binds %s with access 0x%x", label,
                        rp_plan_value_name(p, value, name, sizeof name), bind->access);
    return 0;
  }
  if (bind->first >= v->len || bind->count > v->len - bind->first) {
    (void)rp_lower_fail(l, RP_ERR_SHAPE, "dispatch %s binds elements %llu + %llu of %s, which has %llu", label,
                        (unsigned long long)bind->first, (unsigned long long)bind->count,
                        rp_plan_value_name(p, value, name, sizeof name), (unsigned long long)v->len);
    return 0;
  }
  uint64_t count = bind->count ? bind->count : v->len - bind->first;
  if (bind->first / v->segment_len != (bind->first + count - 1) / v->segment_len) {
    (void)rp_lower_fail(
        l, RP_ERR_UNSUPPORTED,
        "dispatch %s needs elements %llu + %llu of %s in one place, and this device holds no more than %llu of "
        "them in one allocation: take smaller values or another device",
        label, (unsigned long long)bind->first, (unsigned long long)count,
        rp_plan_value_name(p, value, name, sizeof name), (unsigned long long)v->segment_len);
    return 0;
  }
  const char *problem = access_problem(l, value, bind->access);
  if (problem) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "dispatch %s: %s %s", label,
                        rp_plan_value_name(p, value, name, sizeof name), problem);
    return 0;
  }
  *touch = (rp_touch){.value = value, .bound = value, .access = bind->access, .first = bind->first, .count = count};
  return 1;
}

static bool is_absent(const rp_bind *bind) { return bind->access == RP_ABSENT && !bind->value.id; }

/* Resolves the binds that are there to `touches`, and clears the addresses of the others in `args`. */
static bool resolve_all(rp_lower *l, const char *label, const rp_dispatch *d, rp_touch *touches, void *args) {
  for (uint32_t i = 0, n = 0; i < d->n_binds; i++) {
    if (is_absent(&d->binds[i])) {
      memset((char *)args + i * sizeof(uint64_t), 0, sizeof(uint64_t));
    } else {
      if (!resolve(l, label, &d->binds[i], &touches[n])) return 0;
      touches[n++].address = i;
    }
  }
  return 1;
}

static bool head_is_good(rp_lower *l, const rp_dispatch *d) {
  if (!d) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "a dispatch that is NULL");
    return 0;
  }
  const rp_kernel *k = d->kernel;
  if (!k) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "a dispatch without a kernel");
    return 0;
  }
  if (!RP_HAS(k, cpu) || !k->name || (k->n_cpu && !k->cpu)) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "a kernel needs struct_size, a name, and as many CPU variants as it says");
    return 0;
  }
  const char *label = d->label ? d->label : k->name;
  const rp_device_limits *limits = rp_lower_limits(l);
  if (d->n_binds != k->n_binds || (d->n_binds && !d->binds)) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "dispatch %s has %u binds, and kernel %s wants %u", label, d->n_binds,
                        k->name, k->n_binds);
  } else if (d->args_bytes != k->args_bytes || (d->args_bytes && !d->args)) {
    (void)rp_lower_fail(l, RP_ERR_ARGUMENT, "dispatch %s has %u bytes of arguments, and kernel %s wants %u", label,
                        d->args_bytes, k->name, k->args_bytes);
  } else if (k->args_bytes / 8 < k->n_binds || (limits->max_args_bytes && k->args_bytes > limits->max_args_bytes)) {
    (void)rp_lower_fail(l, RP_ERR_UNSUPPORTED, "kernel %s: %u bytes of arguments do not hold %u addresses or pass %u",
                        k->name, k->args_bytes, k->n_binds, limits->max_args_bytes);
  } else {
    return 1;
  }
  return 0;
}

static bool grid_is_good(rp_lower *l, const char *label, const uint32_t groups[3]) {
  const rp_device_limits *limits = rp_lower_limits(l);
  uint64_t most = limits->max_groups ? limits->max_groups : UINT64_MAX;
  uint64_t plane = (uint64_t)groups[0] * groups[1], all;
  if (!__builtin_mul_overflow(plane, groups[2], &all) && all <= most) return 1;
  (void)rp_lower_fail(l, RP_ERR_UNSUPPORTED, "dispatch %s has %u x %u x %u groups, and the device allows %llu", label,
                      groups[0], groups[1], groups[2], (unsigned long long)most);
  return 0;
}

/* Appends a dispatch of the node with n touches; `touches` has room for one more. */
static void add(rp_lower *l, const rp_pattern *step, rp_touch *touches, uint32_t n) {
  rp_plan *p = l->plan;
  const int part = p->nodes[l->node].once ? RP_PART_ONCE : RP_PART_RUN;
  const uint32_t condition = p->nodes[l->node].condition;
  rp_plan_pattern pattern = {.step = *step, .touches = touches, .node = l->node};
  pattern.step.n_refs = n;
  pattern.step.guarded = condition != 0;
  for (uint32_t i = 0; i < n; i++) {
    p->values[touches[i].value].written |= (touches[i].access & RP_WRITE) != 0;
    rp_plan_find(p, &touches[i].value, &touches[i].first);
    p->values[touches[i].value].in_part[part] = 1;
  }
  if (condition) touches[n] = rp_plan_guard_touch(p, condition);
  if (!rp_part_add_own(p, part, &pattern)) (void)rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
}

void rp_lower_dispatch(rp_lower *l, const rp_dispatch *d) {
  if (!l || l->error.status || !head_is_good(l, d)) return;
  rp_plan *p = l->plan;
  const char *label = d->label ? d->label : d->kernel->name;
  rp_pattern out = {.kind = RP_STEP_DISPATCH, .kernel = d->kernel, .grain = d->grain};
  uint32_t n_there = 0; /* binds that are not absent */
  for (uint32_t i = 0; i < d->n_binds; i++) n_there += !is_absent(&d->binds[i]);
  for (int i = 0; i < 3; i++) out.groups[i] = d->groups[i] ? d->groups[i] : 1;
  if (!grid_is_good(l, label, out.groups)) return;
  const uint32_t n_touches = n_there + (p->nodes[l->node].condition != 0);
  const char *full = rp_plan_is_full(p, n_touches);
  if (full) {
    (void)rp_lower_fail(l, RP_ERR_UNSUPPORTED, "%s", full);
    return;
  }
  rp_touch *touches = rp_arena_array(&p->arena, n_touches, sizeof *touches);
  void *args = rp_arena_alloc(&p->arena, d->args_bytes, 16);
  out.label = rp_arena_path(&p->arena, p->nodes[l->node].node.name, label);
  if (!touches || !args || !out.label) {
    (void)rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
    return;
  }
  if (d->args_bytes) memcpy(args, d->args, d->args_bytes);
  out.args = args;
  if (resolve_all(l, label, d, touches, args)) add(l, &out, touches, n_there);
}
