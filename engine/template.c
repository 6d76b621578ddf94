/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Templates. The passes up to placement make the plan of the body: its inputs and constants are operands of the calls,
 * its outputs results, and its arena is the frame. What the plan of the calling graph adds to them, hazards, levels and
 * costs, it derives from the dispatches of all calls, as if the nodes of the bodies were in it.
 *
 * A body that would compute something once, or that needs more than one block, has no template.
 */
#include "template.h"

#include "call_needs.h"
#include "dag.h"

#include <reprise/rewrite.h>

#include <stdio.h>

typedef enum place_kind { AT_NOTHING, AT_OPERAND, AT_RESULT, AT_FRAME, AT_FILLED, AT_ERROR } place_kind;

/* Where a value of the body is in a call. */
typedef struct place {
  place_kind kind;
  uint32_t index; /* of the operand or the result; filled: of the value in the calling plan, or RP_NONE so far */
} place;

struct rp_template {
  rp_template *next;
  const rp_call_what *what;
  rp_plan *plan;
  place *places; /* per value of that plan; all arrays are in its arena */
  uint64_t frame_bytes;
  /* Where the arguments of dispatch i have numbers of nodes for faults: offsets patches[patch_at[i]] to
   * patches[patch_at[i + 1] - 1]. NULL: no kernel reports any. */
  uint32_t *patch_at, *patches;
};

static const rp_type frame_type = {.id = 0, .size_bytes = 1, .align_bytes = 1, .name = "byte"};

static const rp_part *part_of(const rp_template *t) { return &t->plan->parts[RP_PART_RUN]; }

static const rp_template *find(const rp_plan *plan, const rp_call_what *what) {
  const rp_template *t = plan->templates;
  while (t && t->what != what) t = t->next;
  return t;
}

/* ---- Planning a body --------------------------------------------------------------------------------------------- */

static rp_status refuse(rp_error *err, const rp_call_what *what, const char *why) {
  return rp_fail(err, RP_ERR_UNSUPPORTED, "%.100s has no plan by itself: %s", what->body->name, why);
}

/* What is computed of constants alone is an operand, like a constant whose data is not known. */
static void give_constants(rp_plan *p) {
  for (uint32_t n = 0; n < p->n_nodes; n++) {
    rp_node *node = &p->nodes[n].node;
    if (!p->graph->values[node->out[0].id - 1].constant) continue;
    for (uint32_t i = 0; i < node->n_out; i++) {
      rp_plan_value *v = &p->values[node->out[i].id - 1];
      v->origin = RP_ORIGIN_GIVEN;
      v->flags = RP_REPLACEABLE;
      v->node = RP_NONE;
    }
    node->n_out = 0; /* so that it is not live */
  }
}

static void prepare(rp_plan *p, const rp_call_what *what) {
  for (uint32_t i = 0; i < p->n_graph_values; i++) {
    rp_plan_value *v = &p->values[i];
    bool wanted = 0;
    for (uint32_t k = 0; k < what->n_outs; k++) wanted |= what->outs[k] == i;
    if (!wanted) v->output = NULL;
    v->flags = v->origin == RP_ORIGIN_GIVEN ? RP_BORROW : 0;
  }
  give_constants(p);
}

/* Ends with the placement. */
static rp_status plan_body(const rp_plan *outer, const rp_call_what *what, uint32_t site_base, rp_plan **plan,
                           rp_error *err) {
  rp_status status = rp_plan_begin(outer->device, what->body, &outer->options, outer->memory_level, plan, err);
  if (status) return status;
  (*plan)->exact_steps = outer->exact_steps;
  (*plan)->site_base = site_base;
  prepare(*plan, what);
  for (const rp_pass *pass = rp_passes; !status && pass->run != rp_pass_hazards; pass++) status = pass->run(*plan, err);
  for (int part = 0; part < 2; part++)
    if ((*plan)->parts[part].order) rp_dag_free((*plan)->parts[part].order);
  if (!status && (*plan)->parts[RP_PART_ONCE].n_dispatches) status = refuse(err, what, "it computes something once");
  return status;
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static bool find_frame(rp_template *t) {
  const rp_plan *p = t->plan;
  uint32_t block = RP_NONE;
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    if (!v->placed || v->space != RP_SPACE_ARENA) continue;
    if (v->n_segments != 1 || (block != RP_NONE && v->segments[0].block != block)) return 0;
    block = v->segments[0].block;
    t->places[i].kind = AT_FRAME;
  }
  t->frame_bytes = block == RP_NONE ? 0 : p->blocks[block].block.bytes;
  return 1;
}

static rp_status find_places(rp_template *t, rp_error *err) {
  const rp_plan *p = t->plan;
  t->places = rp_arena_array(&t->plan->arena, p->n_values, sizeof *t->places);
  if (!t->places) return rp_plan_fail_memory(err);
  if (!find_frame(t)) return refuse(err, t->what, "its values do not fit one block");
  for (uint32_t i = 0; i < p->n_values; i++)
    if (p->values[i].origin == RP_ORIGIN_FILLED) t->places[i] = (place){AT_FILLED, RP_NONE};
  t->places[p->error_value].kind = AT_ERROR;
  for (uint32_t i = 0; i < t->what->n_ins; i++) t->places[t->what->ins[i]] = (place){AT_OPERAND, i};
  for (uint32_t i = 0; i < t->what->n_outs; i++) t->places[t->what->outs[i]] = (place){AT_RESULT, i};
  for (uint32_t d = 0; d < part_of(t)->n_dispatches; d++) {
    const rp_plan_dispatch *x = &part_of(t)->dispatches[d];
    for (uint32_t i = 0; i < x->n_touches; i++)
      if (t->places[x->touches[i].value].kind == AT_NOTHING)
        return refuse(err, t->what, "it has a constant of its own");
  }
  return RP_OK;
}

/* ---- Numbers of nodes in arguments ------------------------------------------------------------------------------- */

enum { OTHER_BASE = 0x5a5a0000 };

/* Compares the arguments of two plans of the body whose nodes have different numbers. Lists the offsets at which they
 * differ, if `list` is not NULL; *good gets 0 if something else differs. */
static uint32_t compare_args(const rp_plan *a, const rp_plan_dispatch *x, const rp_plan_dispatch *y, uint32_t *list,
                             bool *good) {
  uint32_t n = 0, one, other;
  const uint32_t bytes = x->kernel->args_bytes;
  *good &= x->kernel == y->kernel && bytes % sizeof one == 0;
  for (uint32_t at = 0; *good && at < bytes; at += (uint32_t)sizeof one) {
    memcpy(&one, (const char *)x->args + at, sizeof one);
    memcpy(&other, (const char *)y->args + at, sizeof other);
    if (one == other) continue;
    *good &= one < a->n_sites && other == one + OTHER_BASE;
    if (list) list[n] = at;
    n++;
  }
  return n;
}

static rp_status compare(rp_template *t, const rp_plan *again, rp_error *err) {
  const rp_part *x = part_of(t), *y = &again->parts[RP_PART_RUN];
  bool good = x->n_dispatches == y->n_dispatches;
  uint32_t n = 0;
  for (uint32_t d = 0; good && d < x->n_dispatches; d++)
    n += compare_args(t->plan, &x->dispatches[d], &y->dispatches[d], NULL, &good);
  if (!good) return refuse(err, t->what, "its arguments are not the same when it is planned again");
  t->patch_at = rp_arena_array(&t->plan->arena, x->n_dispatches + 1u, sizeof *t->patch_at);
  t->patches = rp_arena_array(&t->plan->arena, n, sizeof *t->patches);
  if (!t->patch_at || !t->patches) return rp_plan_fail_memory(err);
  for (uint32_t d = 0; d < x->n_dispatches; d++)
    t->patch_at[d + 1] = t->patch_at[d] + compare_args(t->plan, &x->dispatches[d], &y->dispatches[d],
                                                       t->patches + t->patch_at[d], &good);
  return RP_OK;
}

/* Arguments say to kernels under which number they report faults. Where, only the strategies know: the body is planned
 * a second time with other numbers. */
static rp_status find_patches(const rp_plan *outer, rp_template *t, rp_error *err) {
  rp_plan *again = NULL;
  if (!t->plan->uses_sites) return RP_OK;
  rp_status status = plan_body(outer, t->what, OTHER_BASE, &again, err);
  if (!status) status = compare(t, again, err);
  rp_plan_destroy(again);
  return status;
}

/* ---- All templates ----------------------------------------------------------------------------------------------- */

static rp_status make(rp_plan *plan, const rp_call_what *what, rp_error *err) {
  rp_template *t = rp_arena_alloc(&plan->arena, sizeof *t, _Alignof(rp_template));
  if (!t) return rp_plan_fail_memory(err);
  *t = (rp_template){.next = plan->templates, .what = what};
  plan->templates = t; /* which frees it */
  rp_status status = plan_body(plan, what, 0, &t->plan, err);
  if (!status) status = find_places(t, err);
  return status ? status : find_patches(plan, t, err);
}

rp_status rp_templates_make(rp_plan *plan, rp_error *err) {
  const rp_graph *g = plan->graph;
  bool much = 0;
  const rp_status counted = g->n_calls ? rp_calls_compute_much(g, &much, err) : RP_OK;
  if (counted || much) return counted ? counted : RP_ERR_UNSUPPORTED;
  for (uint32_t n = 0; n < g->n_nodes; n++) {
    if (g->nodes[n].op != &rp_op_call || find(plan, g->nodes[n].params)) continue;
    rp_error why = {0};
    const rp_status status = plan->device->members ? RP_ERR_UNSUPPORTED : make(plan, g->nodes[n].params, &why);
    if (!status) continue;
    if (status == RP_ERR_MEMORY && err) *err = why;
    return status == RP_ERR_MEMORY ? status : RP_ERR_UNSUPPORTED;
  }
  return RP_OK;
}

void rp_templates_free(rp_plan *plan) {
  for (rp_template *t = plan->templates; t; t = t->next) rp_plan_destroy(t->plan);
  plan->templates = NULL;
}

uint64_t rp_templates_bytes(const rp_plan *plan) {
  uint64_t bytes = 0;
  for (const rp_template *t = plan->templates; t; t = t->next) bytes += rp_plan_own_bytes(t->plan);
  return bytes;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

typedef struct call {
  rp_lower *l;
  rp_template *t;
  rp_value frame;
  uint32_t site; /* the number of the first node of the body */
} call;

/* The value of the calling plan for one of the body; *first gets the element of it at which that begins. */
static uint32_t value_of(const call *c, uint32_t value, uint64_t *first) {
  const rp_node *node = &c->l->plan->nodes[c->l->node].node;
  const rp_plan_value *v = &c->t->plan->values[value];
  const place p = c->t->places[value];
  switch (p.kind) {
  case AT_OPERAND: return node->in[p.index].id - 1;
  case AT_RESULT: return node->out[p.index].id - 1;
  case AT_FILLED: return p.index;
  case AT_ERROR: return c->l->plan->error_value;
  case AT_FRAME: *first = v->segments[0].offset + *first * v->type->size_bytes; return c->frame.id - 1;
  case AT_NOTHING: break;
  }
  return RP_NONE;
}

static rp_touch touch_of(const call *c, const rp_touch *from) {
  rp_touch to = *from;
  to.value = value_of(c, from->value, &to.first);
  to.bound = to.value;
  if (c->t->places[from->value].kind != AT_FRAME) return to;
  to.count *= c->t->plan->values[from->value].type->size_bytes;
  to.access &= ~(uint32_t)RP_IN_PLACE; /* the values of the frame have their places */
  return to;
}

/* The arguments of the template's dispatch, or a copy with the numbers of this call. NULL when out of memory. */
static const void *args_of(const call *c, uint32_t dispatch) {
  const rp_template *t = c->t;
  const rp_plan_dispatch *d = &part_of(t)->dispatches[dispatch];
  if (!t->patch_at || t->patch_at[dispatch] == t->patch_at[dispatch + 1]) return d->args;
  char *args = rp_arena_alloc(&c->l->plan->arena, d->kernel->args_bytes, 16);
  if (!args) return NULL;
  memcpy(args, d->args, d->kernel->args_bytes);
  for (uint32_t i = t->patch_at[dispatch]; i < t->patch_at[dispatch + 1]; i++) {
    uint32_t site;
    memcpy(&site, args + t->patches[i], sizeof site);
    site += c->site;
    memcpy(args + t->patches[i], &site, sizeof site);
  }
  return args;
}

static rp_status add_dispatch(const call *c, uint32_t dispatch) {
  rp_lower *l = c->l;
  rp_plan *p = l->plan;
  const rp_plan_dispatch *from = &part_of(c->t)->dispatches[dispatch];
  const char *full = rp_plan_is_full(p, from->n_touches + 1);
  if (full) return rp_lower_fail(l, RP_ERR_UNSUPPORTED, "%s", full);
  rp_plan_dispatch to = *from;
  rp_touch *touches = rp_arena_array(&p->arena, from->n_touches + 1u, sizeof *touches);
  to.args = args_of(c, dispatch);
  to.label = rp_arena_path(&p->arena, p->nodes[l->node].node.scope->path, from->label);
  to.inner = dispatch;
  if (!touches || !to.label || !to.args) return rp_lower_fail(l, RP_ERR_MEMORY, "out of host memory for the plan");
  for (uint32_t i = 0; i < from->n_touches; i++) touches[i] = touch_of(c, &from->touches[i]);
  rp_lower_add(l, &to, touches, from->n_touches);
  return l->error.status;
}

/* Constants that operations fill are those of the calling plan. */
static rp_status find_filled(const call *c) {
  const rp_plan *body = c->t->plan;
  for (uint32_t i = body->n_graph_values; i < body->n_values; i++) {
    place *p = &c->t->places[i];
    if (p->kind != AT_FILLED || p->index != RP_NONE) continue;
    const rp_value v = rp_lower_constant_of(c->l, &body->values[i]);
    if (!v.id) return c->l->error.status;
    p->index = v.id - 1;
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
  call c = {.l = l, .t = (rp_template *)find(l->plan, l->plan->nodes[l->node].node.params)};
  if (!c.t) return rp_lower_fail(l, RP_ERR_INTERNAL, "its body has not been planned");
  if (c.t->frame_bytes) c.frame = rp_lower_scratch(l, "frame", &frame_type, c.t->frame_bytes);
  rp_status status = l->error.status;
  if (!status) status = find_filled(&c);
  if (!status) status = add_sites(&c);
  for (uint32_t d = 0; d < part_of(c.t)->n_dispatches && !status; d++) status = add_dispatch(&c, d);
  return status;
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

/* The template of which the dispatch is one; NULL: it is not of a call. */
static const rp_template *template_of(const rp_plan *plan, const rp_plan_dispatch *d) {
  if (d->node == RP_NONE || d->kind != RP_STEP_DISPATCH || plan->nodes[d->node].node.op != &rp_op_call) return NULL;
  return find(plan, plan->nodes[d->node].node.params);
}

const rp_plan_node *rp_dispatch_node(const rp_plan *plan, const rp_plan_dispatch *d) {
  for (const rp_template *t; (t = template_of(plan, d)) != NULL; plan = t->plan) d = &part_of(t)->dispatches[d->inner];
  return d->node == RP_NONE ? NULL : &plan->nodes[d->node];
}

const rp_touch *rp_dispatch_touch(const rp_plan *plan, const rp_plan_dispatch *d, uint32_t i, const rp_type **type) {
  for (const rp_template *t; (t = template_of(plan, d)) != NULL; plan = t->plan) {
    if (i >= part_of(t)->dispatches[d->inner].n_touches) break; /* the guard */
    d = &part_of(t)->dispatches[d->inner];
  }
  *type = plan->values[d->touches[i].bound].type;
  return &d->touches[i];
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
  if (inner == RP_NONE || s->of->places[inner].kind != AT_OPERAND) return RP_NONE;
  return plan->nodes[s->node].given_in[s->of->places[inner].index].id - 1;
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
