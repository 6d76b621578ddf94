/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls of templates as they are lowered, and what is asked of their dispatches later.
 */
#include "template_body.h"

#include <reprise/rewrite.h>

#include <stdio.h>

static const rp_type frame_type = {.id = 0, .size_bytes = 1, .align_bytes = 1, .name = "byte"};

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

typedef struct call {
  rp_lower *l;
  rp_template *t;
  rp_value frame;
  uint32_t site; /* the number of the first node of the body */
} call;

/* The value of the calling plan at a base, and from which element on. */
static rp_plan_base find_base(const call *c, uint32_t base) {
  const rp_plan *p = c->l->plan;
  const rp_node *node = &p->nodes[c->l->node].node;
  const uint32_t n_ins = c->t->what->n_ins, n_outs = c->t->what->n_outs;
  uint32_t value;
  if (base == BASE_GUARD) {
    const rp_touch guard = rp_plan_guard_touch(p, p->nodes[c->l->node].condition);
    return (rp_plan_base){guard.value, guard.bound, guard.first};
  }
  if (base == BASE_FRAME)
    value = c->frame.id - 1;
  else if (base == BASE_ERROR)
    value = p->error_value;
  else if (base < BASES + n_ins)
    value = node->in[base - BASES].id - 1;
  else if (base < BASES + n_ins + n_outs)
    value = node->out[base - BASES - n_ins].id - 1;
  else
    value = c->t->filled[base - BASES - n_ins - n_outs].outer;
  return (rp_plan_base){value, value, 0};
}

/* The bases that dispatches use; others have no value. */
static bool make_bases(const call *c, rp_plan_call *to, int part) {
  rp_plan *p = c->l->plan;
  const bool guarded = p->nodes[c->l->node].condition != 0;
  to->n = c->t->n_bases;
  to->at = rp_arena_array(&p->arena, to->n, sizeof *to->at);
  if (!to->at) return 0;
  for (uint32_t i = 0; i < to->n; i++) {
    const uint32_t access = i == BASE_GUARD ? guarded : c->t->access[i];
    to->at[i] = access ? find_base(c, i) : (rp_plan_base){RP_NONE, RP_NONE, 0};
    if (!access || i == BASE_GUARD) continue;
    p->values[to->at[i].value].written |= (access & RP_WRITE) != 0;
    rp_plan_find(p, &to->at[i].value, &to->at[i].first);
    p->values[to->at[i].value].in_part[part] = 1;
  }
  return 1;
}

static rp_status add_dispatches(const call *c) {
  rp_lower *l = c->l;
  rp_plan *p = l->plan;
  const int part = p->nodes[l->node].once ? RP_PART_ONCE : RP_PART_RUN;
  const uint32_t condition = p->nodes[l->node].condition, n = rp_template_part(c->t)->n_dispatches;
  rp_plan_call *to = rp_arena_alloc(&p->arena, sizeof *to, _Alignof(rp_plan_call));
  if (!to || !make_bases(c, to, part)) return rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
  to->step.scope = p->nodes[l->node].node.scope->path;
  to->step.site = c->site;
  to->step.guarded = condition != 0;
  to->node = l->node;
  for (uint32_t d = 0; d < n; d++) {
    const rp_plan_dispatch x = {&c->t->patterns[d], to};
    const char *full = rp_plan_is_full(p, rp_n_touches(&x));
    if (full) return rp_lower_fail(l, RP_ERR_UNSUPPORTED, "%s", full);
    if (!rp_part_add(p, part, &x)) return rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
  }
  return RP_OK;
}

/* Constants that operations fill are those of the calling plan. */
static rp_status find_filled(const call *c) {
  for (uint32_t i = 0; i < c->t->n_filled; i++) {
    rp_filled *f = &c->t->filled[i];
    if (f->outer != RP_NONE) continue;
    const rp_value v = rp_lower_constant_of(c->l, &c->t->plan->values[f->inner]);
    if (!v.id) return c->l->error.status;
    f->outer = v.id - 1;
  }
  return RP_OK;
}

/* Numbers for the nodes of the body in this call. */
static rp_status add_sites(call *c) {
  rp_plan *p = c->l->plan;
  if (!c->t->patch_at) return RP_OK;
  if (!rp_grow(p->context, (void **)&p->sites, &p->cap_site_ranges, p->n_site_ranges, sizeof *p->sites))
    return rp_lower_fail(c->l, RP_ERR_MEMORY, "out of host memory for the plan");
  p->sites[p->n_site_ranges++] = (rp_sites){.first = p->n_sites, .node = c->l->node, .of = c->t};
  c->site = p->site_base + p->n_sites;
  p->n_sites += c->t->plan->n_sites;
  p->uses_sites = 1;
  return RP_OK;
}

rp_status rp_template_lower(rp_lower *l) {
  call c = {.l = l, .t = (rp_template *)rp_template_find(l->plan, l->plan->nodes[l->node].node.params)};
  if (!c.t) return rp_lower_fail(l, RP_ERR_INTERNAL, "its body has not been planned");
  if (c.t->frame_bytes) c.frame = rp_lower_scratch(l, "frame", &frame_type, c.t->frame_bytes);
  rp_status status = l->error.status;
  if (!status) status = find_filled(&c);
  if (!status) status = add_sites(&c);
  return status ? status : add_dispatches(&c);
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

const rp_plan_node *rp_dispatch_node(const rp_plan *plan, const rp_plan_dispatch *d) {
  for (; d->pattern->inner; d = d->pattern->inner) plan = d->pattern->body;
  return rp_node_of(d) == RP_NONE ? NULL : &plan->nodes[rp_node_of(d)];
}

rp_touch rp_dispatch_touch(const rp_plan *plan, const rp_plan_dispatch *d, uint32_t i, const rp_type **type) {
  for (; d->pattern->inner && i < rp_n_touches(d->pattern->inner); d = d->pattern->inner) plan = d->pattern->body;
  const rp_touch touch = rp_touch_at(d, i); /* of a guard, that of a call */
  *type = plan->values[touch.bound].type;
  return touch;
}

/* Of a number that is not of a node of this plan. NULL: it is of none. */
static const rp_sites *find_sites(const rp_plan *plan, uint32_t site) {
  uint32_t low = 0, high = plan->n_site_ranges;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (plan->sites[middle].first <= site)
      low = middle + 1;
    else
      high = middle;
  }
  return low && site < plan->n_sites ? &plan->sites[low - 1] : NULL;
}

/* Operand i of the node with this number, as a value of the plan; RP_NONE if it is inside a call. */
static uint32_t operand_of(const rp_plan *plan, uint32_t site, uint32_t i) {
  if (site < plan->n_nodes) return plan->nodes[site].given_in[i].id - 1;
  const rp_sites *s = find_sites(plan, site);
  const uint32_t inner = operand_of(s->of->plan, site - s->first, i);
  if (inner == RP_NONE || s->of->spots[inner].kind != AT_OPERAND) return RP_NONE;
  return plan->nodes[s->node].given_in[s->of->spots[inner].index].id - 1;
}

/* Appends the name of the node to the text, and returns it; NULL: there is none. */
static const rp_node *find_node(const rp_plan *plan, uint32_t site, char *text, size_t bytes) {
  const rp_sites *s;
  size_t used = 0;
  text[0] = 0;
  for (; site >= plan->n_nodes; plan = s->of->plan) {
    s = find_sites(plan, site);
    if (!s) return NULL;
    const char *path = plan->nodes[s->node].node.scope->path;
    used += (size_t)snprintf(text + used, bytes - used, "%s%s", path, *path ? "/" : "");
    if (used >= bytes) used = bytes - 1;
    site -= s->first;
  }
  snprintf(text + used, bytes - used, "%s", plan->nodes[site].node.name);
  return &plan->nodes[site].node;
}

bool rp_site_find(const rp_plan *plan, uint32_t site, char *text, size_t bytes, const char **given) {
  const rp_node *node = find_node(plan, site, text, bytes);
  *given = NULL;
  for (uint32_t i = 0; node && i < node->n_in; i++) {
    const uint32_t value = operand_of(plan, site, i);
    const rp_plan_value *v = value == RP_NONE ? NULL : &plan->values[value];
    if (!v || (v->origin != RP_ORIGIN_INPUT && v->origin != RP_ORIGIN_GIVEN)) continue;
    const bool second = *given && strcmp(*given, v->name) != 0;
    *given = second ? NULL : v->name;
    if (second) break;
  }
  return node != NULL;
}
