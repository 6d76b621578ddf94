/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Templates, after the body has been planned (plan_begin.c): where its values are in a call, and the patterns of its
 * dispatches. What the plan of the calling graph adds to them, hazards, levels and costs, it derives from the
 * dispatches of all calls, as if the nodes of the bodies were in it. Each of these refers to the template's pattern of
 * it and to the bases of its call.
 *
 * A body that would compute something once, or that needs more than one block, has no template.
 */
#include "template_body.h"

#include <reprise/rewrite.h>

const rp_template *rp_template_find(const rp_plan *plan, const rp_call_what *what) {
  const rp_template *t = plan->templates;
  while (t && t->what != what) t = t->next;
  return t;
}

rp_status rp_template_refuse(const rp_call_what *what, const char *why, rp_error *err) {
  return rp_fail(err, RP_ERR_UNSUPPORTED, "%.100s has no plan by itself: %s", what->body->name, why);
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static bool find_frame(rp_template *t) {
  const rp_plan *p = t->plan;
  uint32_t block = RP_NONE;
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    if (!v->placed || v->space != RP_SPACE_ARENA) continue;
    if (block != RP_NONE && v->segments[0].block != block) return 0;
    block = v->segments[0].block;
    t->spots[i].kind = AT_FRAME;
  }
  t->frame_bytes = block == RP_NONE ? 0 : p->blocks[block].block.bytes;
  return 1;
}

static bool list_filled(rp_template *t) {
  const rp_plan *p = t->plan;
  t->filled = rp_arena_array(&t->plan->arena, p->n_values - p->n_graph_values, sizeof *t->filled);
  for (uint32_t i = p->n_graph_values; t->filled && i < p->n_values; i++) {
    if (p->values[i].origin != RP_ORIGIN_FILLED) continue;
    t->spots[i] = (rp_spot){AT_FILLED, t->n_filled};
    t->filled[t->n_filled++] = (rp_filled){i, RP_NONE};
  }
  t->n_bases = BASES + t->what->n_ins + t->what->n_outs + t->n_filled;
  t->access = rp_arena_array(&t->plan->arena, t->n_bases, 1);
  return t->filled && t->access;
}

static uint32_t base_of(const rp_template *t, uint32_t value) {
  const rp_spot p = t->spots[value];
  switch (p.kind) {
  case AT_OPERAND: return BASES + p.index;
  case AT_RESULT: return BASES + t->what->n_ins + p.index;
  case AT_FILLED: return BASES + t->what->n_ins + t->what->n_outs + p.index;
  case AT_FRAME: return BASE_FRAME;
  case AT_ERROR: return BASE_ERROR;
  case AT_NOTHING: break;
  }
  return RP_NONE;
}

/* Every value that a dispatch touches has a place, and one range of bytes there. */
static rp_status check_dispatch(const rp_template *t, const rp_plan_dispatch *x, rp_error *err) {
  for (uint32_t i = 0; i < rp_n_touches(x); i++) {
    const uint32_t value = rp_touch_at(x, i).value;
    if (base_of(t, value) == RP_NONE) return rp_template_refuse(t->what, "it has a constant of its own", err);
    if (t->plan->values[value].n_segments != 1)
      return rp_template_refuse(t->what, "a value does not fit one block", err);
    t->access[base_of(t, value)] |= (unsigned char)(rp_touch_at(x, i).access & RP_READ_WRITE);
  }
  return RP_OK;
}

rp_status rp_template_find_places(rp_template *t, rp_error *err) {
  const rp_plan *p = t->plan;
  t->spots = rp_arena_array(&t->plan->arena, p->n_values, sizeof *t->spots);
  if (!t->spots) return rp_plan_fail_memory(err);
  if (!find_frame(t)) return rp_template_refuse(t->what, "its values do not fit one block", err);
  if (!list_filled(t)) return rp_plan_fail_memory(err);
  t->spots[p->error_value].kind = AT_ERROR;
  for (uint32_t i = 0; i < t->what->n_ins; i++) t->spots[t->what->ins[i]] = (rp_spot){AT_OPERAND, i};
  for (uint32_t i = 0; i < t->what->n_outs; i++) t->spots[t->what->outs[i]] = (rp_spot){AT_RESULT, i};
  rp_status status = RP_OK;
  for (uint32_t d = 0; d < rp_template_part(t)->n_dispatches && !status; d++)
    status = check_dispatch(t, &rp_template_part(t)->dispatches[d], err);
  return status;
}

/* ---- Numbers of nodes in arguments ------------------------------------------------------------------------------- */

/* The arguments of a dispatch without addresses; those of a call in the body have their numbers, in the arena. NULL
 * when out of memory. */
static const void *args_of(rp_arena *arena, const rp_plan_dispatch *d) {
  const rp_pattern *p = &d->pattern->step;
  if (!d->call || !p->n_sites) return p->args;
  void *args = rp_arena_alloc(arena, p->kernel->args_bytes, 16);
  if (args) rp_step_args(&(rp_step){.pattern = p, .call = &d->call->step}, args);
  return args;
}

typedef struct pair {
  const rp_plan_dispatch *x, *y;
  const void *args_x, *args_y;
} pair;

/* Compares the arguments of a dispatch in two plans of the body whose nodes have different numbers. Lists the offsets
 * at which they differ, if `list` is not NULL; *good gets 0 if something else differs. */
static uint32_t compare_args(const rp_plan *a, const pair *p, uint32_t *list, bool *good) {
  const rp_kernel *kernel = p->x->pattern->step.kernel;
  uint32_t n = 0, one, other;
  *good &= kernel == p->y->pattern->step.kernel && kernel->args_bytes % sizeof one == 0;
  for (uint32_t at = 0; *good && at < kernel->args_bytes; at += (uint32_t)sizeof one) {
    memcpy(&one, (const char *)p->args_x + at, sizeof one);
    memcpy(&other, (const char *)p->args_y + at, sizeof other);
    if (one == other) continue;
    *good &= one < a->n_sites && other == one + RP_OTHER_SITE_BASE;
    if (list) list[n] = at;
    n++;
  }
  return n;
}

static rp_status compare_all(rp_template *t, const pair *pairs, uint32_t n_pairs, rp_error *err) {
  uint32_t n = 0;
  bool good = 1;
  for (uint32_t d = 0; good && d < n_pairs; d++) n += compare_args(t->plan, &pairs[d], NULL, &good);
  if (!good) return rp_template_refuse(t->what, "its arguments are not the same when it is planned again", err);
  t->patch_at = rp_arena_array(&t->plan->arena, n_pairs + 1u, sizeof *t->patch_at);
  t->patches = rp_arena_array(&t->plan->arena, n, sizeof *t->patches);
  if (!t->patch_at || !t->patches) return rp_plan_fail_memory(err);
  for (uint32_t d = 0; d < n_pairs; d++)
    t->patch_at[d + 1] = t->patch_at[d] + compare_args(t->plan, &pairs[d], t->patches + t->patch_at[d], &good);
  return RP_OK;
}

rp_status rp_template_find_sites(rp_template *t, rp_plan *again, rp_error *err) {
  const rp_part *x = rp_template_part(t), *y = &again->parts[RP_PART_RUN];
  pair *pairs = rp_arena_array(&again->arena, x->n_dispatches, sizeof *pairs);
  if (!pairs) return rp_plan_fail_memory(err);
  if (x->n_dispatches != y->n_dispatches)
    return rp_template_refuse(t->what, "it has another plan when it is planned again", err);
  for (uint32_t d = 0; d < x->n_dispatches; d++) {
    pairs[d] = (pair){&x->dispatches[d], &y->dispatches[d], args_of(&again->arena, &x->dispatches[d]),
                      args_of(&again->arena, &y->dispatches[d])};
    if (!pairs[d].args_x || !pairs[d].args_y) return rp_plan_fail_memory(err);
  }
  return compare_all(t, pairs, x->n_dispatches, err);
}

/* ---- Patterns ---------------------------------------------------------------------------------------------------- */

/* A touch that counts from its base, in elements of *size bytes. */
static rp_touch relative(const rp_template *t, const rp_touch *from, uint64_t *size) {
  const rp_plan_value *v = &t->plan->values[from->value];
  rp_touch to = *from;
  *size = v->type->size_bytes;
  to.value = to.bound = base_of(t, from->value);
  if (to.value != BASE_FRAME) return to;
  to.first = v->segments[0].offset + to.first * *size;
  to.count *= *size;
  to.access &= ~(uint32_t)RP_IN_PLACE; /* the values of the frame have their places */
  *size = 1;
  return to;
}

static void put_touch(rp_touch *touch, rp_ref *ref, const rp_touch *from, uint64_t size) {
  *touch = *from;
  *ref = (rp_ref){.block = from->value,
                  .offset = from->first * size,
                  .bytes = from->count * size,
                  .access = from->access,
                  .address = from->address};
}

/* With the guard behind the references of the body. */
static bool make_pattern(rp_template *t, uint32_t dispatch) {
  static const rp_touch guard = {.value = BASE_GUARD, .bound = BASE_GUARD, .access = RP_READ, .count = 1};
  const rp_plan_dispatch *from = &rp_template_part(t)->dispatches[dispatch];
  rp_arena *arena = &t->plan->arena;
  const uint32_t n = rp_n_touches(from);
  rp_touch *touches = rp_arena_array(arena, n + 1u, sizeof *touches);
  rp_ref *refs = rp_arena_array(arena, n + 1u, sizeof *refs);
  rp_plan_pattern p = {.step = from->pattern->step, .touches = touches, .body = t->plan, .inner = from};
  p.step.args = args_of(arena, from);
  p.step.label = rp_plan_label(from, arena);
  p.step.refs = refs;
  p.step.sites = t->patch_at ? t->patches + t->patch_at[dispatch] : NULL;
  p.step.n_sites = t->patch_at ? t->patch_at[dispatch + 1] - t->patch_at[dispatch] : 0;
  if (!touches || !refs || !p.step.args || !p.step.label) return 0;
  for (uint32_t i = 0; i < n; i++) {
    const rp_touch touch = rp_touch_at(from, i);
    uint64_t size;
    const rp_touch to = relative(t, &touch, &size);
    put_touch(&touches[i], &refs[i], &to, size);
  }
  put_touch(&touches[n], &refs[n], &guard, sizeof(uint64_t));
  t->patterns[dispatch] = p;
  return 1;
}

rp_status rp_template_make_patterns(rp_template *t, rp_error *err) {
  const uint32_t n = rp_template_part(t)->n_dispatches;
  t->patterns = rp_arena_array(&t->plan->arena, n, sizeof *t->patterns);
  bool good = t->patterns != NULL;
  for (uint32_t d = 0; d < n && good; d++) good = make_pattern(t, d);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
