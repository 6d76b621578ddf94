/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sets of constants. Two recordings share one if everything that their constants are made of is the same: the places,
 * the data that was given, the keys of those that operations fill in, and the dispatches of the one-time part. What is
 * computed there is shared whole, since equal dispatches may leave entries in another order (a bucket matrix).
 */
#include "constants.h"

/* ---- What constants are made of ---------------------------------------------------------------------------------- */

/* The values of a plan that the set holds, or that are touched while it is made, and the number of each among them, so
 * that what runs do with the constants does not matter. */
typedef struct ingredients {
  const rp_plan *plan;
  const rp_part *once;
  uint32_t *values, *number_of;
  uint32_t *number_of_block; /* among the blocks of constants */
  uint32_t n;
} ingredients;

static bool is_constant_block(const rp_plan *p, uint32_t block) {
  return p->blocks[block].block.space == RP_SPACE_CONSTANT;
}

static bool open_ingredients(ingredients *m, const rp_plan *p) {
  rp_context *c = p->context;
  *m = (ingredients){.plan = p, .once = &p->parts[RP_PART_ONCE]};
  m->values = rp_host_alloc(c, p->n_values * sizeof *m->values, _Alignof(uint32_t));
  m->number_of = rp_host_alloc(c, p->n_values * sizeof *m->number_of, _Alignof(uint32_t));
  m->number_of_block = rp_host_alloc(c, p->n_blocks * sizeof *m->number_of_block, _Alignof(uint32_t));
  if (!m->values || !m->number_of || !m->number_of_block) return 0;
  for (uint32_t b = 0, n = 0; b < p->n_blocks; b++) m->number_of_block[b] = is_constant_block(p, b) ? n++ : RP_NONE;
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *v = &p->values[i];
    m->number_of[i] = RP_NONE;
    if (!(v->placed && v->space == RP_SPACE_CONSTANT) && !v->in_part[RP_PART_ONCE] && i != p->error_value) continue;
    m->number_of[i] = m->n;
    m->values[m->n++] = i;
  }
  return 1;
}

static void close_ingredients(ingredients *m) {
  rp_context *c = m->plan->context;
  rp_host_free(c, m->values, m->plan->n_values * sizeof *m->values);
  rp_host_free(c, m->number_of, m->plan->n_values * sizeof *m->number_of);
  rp_host_free(c, m->number_of_block, m->plan->n_blocks * sizeof *m->number_of_block);
}

static uint32_t count_blocks(const rp_plan *p) {
  uint32_t n = 0;
  for (uint32_t b = 0; b < p->n_blocks; b++) n += is_constant_block(p, b) != 0;
  return n;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static uint64_t hash_of(const ingredients *m) {
  uint64_t hash = mix(m->n, m->once->n_dispatches);
  for (uint32_t i = 0; i < m->n; i++) {
    const rp_plan_value *v = &m->plan->values[m->values[i]];
    hash = mix(mix(mix(hash, v->origin), v->type ? v->type->id : 0), v->bytes);
  }
  for (uint32_t i = 0; i < m->once->n_dispatches; i++) {
    const rp_pattern *x = m->once->steps[i].pattern;
    hash = mix(mix(hash, (uintptr_t)x->kernel), x->groups[0]);
  }
  return hash;
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

static bool same_places(const ingredients *a, const rp_plan_value *x, const ingredients *b, const rp_plan_value *y) {
  if (x->placed != y->placed || x->space != y->space || x->n_segments != y->n_segments ||
      x->segment_len != y->segment_len)
    return 0;
  if (!x->placed || x->space != RP_SPACE_CONSTANT) return 1;
  for (uint32_t s = 0; s < x->n_segments; s++) {
    const rp_segment *p = &x->segments[s], *q = &y->segments[s];
    if (p->offset != q->offset || p->bytes != q->bytes || a->number_of_block[p->block] != b->number_of_block[q->block])
      return 0;
  }
  return 1;
}

/* Both plans belong to recordings, so that the data of both is still there. What may be replaced is never the same. */
static bool same_data(const rp_plan_value *x, const rp_plan_value *y) {
  if (x->origin == RP_ORIGIN_GIVEN && (x->flags | y->flags) & RP_REPLACEABLE) return 0;
  if (x->origin == RP_ORIGIN_FILLED)
    return x->fill == y->fill && x->fill_part == y->fill_part && strcmp(x->name, y->name) == 0;
  if (x->source || y->source) return rp_same_source(x->source, y->source);
  return x->origin != RP_ORIGIN_GIVEN || x->data == y->data || memcmp(x->data, y->data, x->bytes) == 0;
}

static bool same_values(const ingredients *a, const ingredients *b) {
  if (a->n != b->n) return 0;
  for (int data = 0; data < 2; data++) /* the data last, since there may be much of it */
    for (uint32_t i = 0; i < a->n; i++) {
      const rp_plan_value *x = &a->plan->values[a->values[i]], *y = &b->plan->values[b->values[i]];
      if (data && !same_data(x, y)) return 0;
      if (data) continue;
      if (x->origin != y->origin || x->len != y->len || x->bytes != y->bytes || !x->type != !y->type) return 0;
      if (x->type && (x->type->id != y->type->id || x->type->align_bytes != y->type->align_bytes)) return 0;
      if (!same_places(a, x, b, y)) return 0;
    }
  return 1;
}

static bool same_touches(const ingredients *a, const rp_plan_dispatch *x, const ingredients *b,
                         const rp_plan_dispatch *y) {
  if (rp_n_touches(x) != rp_n_touches(y)) return 0;
  for (uint32_t i = 0; i < rp_n_touches(x); i++) {
    const rp_touch t = rp_touch_at(x, i), u = rp_touch_at(y, i);
    if (t.access != u.access || t.address != u.address || t.first != u.first || t.count != u.count ||
        a->number_of[t.value] != b->number_of[u.value])
      return 0;
  }
  return 1;
}

static bool same_dispatches(const ingredients *a, const ingredients *b) {
  if (a->once->n_dispatches != b->once->n_dispatches) return 0;
  for (uint32_t i = 0; i < a->once->n_dispatches; i++) {
    const rp_plan_dispatch one = rp_dispatch_of(a->once, i), other = rp_dispatch_of(b->once, i);
    const rp_pattern *x = &one.pattern->step, *y = &other.pattern->step;
    if (x->kernel != y->kernel || memcmp(x->groups, y->groups, sizeof x->groups) != 0 ||
        memcmp(x->args, y->args, x->kernel->args_bytes) != 0 || !same_touches(a, &one, b, &other))
      return 0;
  }
  return 1;
}

static bool same_blocks(const rp_plan *p, const rp_plan *q) {
  uint32_t c = 0;
  if (count_blocks(p) != count_blocks(q)) return 0;
  for (uint32_t b = 0; b < p->n_blocks; b++) {
    if (!is_constant_block(p, b)) continue;
    while (!is_constant_block(q, c)) c++;
    if (p->blocks[b].block.bytes != q->blocks[c++].block.bytes) return 0;
  }
  return 1;
}

static bool is_same(const ingredients *mine, const rp_plan *other) {
  ingredients theirs;
  const bool same = open_ingredients(&theirs, other) && same_blocks(mine->plan, other) && same_values(mine, &theirs) &&
                    same_dispatches(mine, &theirs);
  close_ingredients(&theirs);
  return same;
}

/* The set of the device that holds the constants of this plan, or NULL. */
static rp_constants *find(const rp_device *d, const ingredients *m, uint64_t hash) {
  for (rp_constants *set = d->constants; set; set = set->next)
    if (set->hash == hash && is_same(m, set->users->plan)) return set;
  return NULL;
}

/* ---- Users ------------------------------------------------------------------------------------------------------- */

static rp_constants *add_set(rp_recording *r, uint64_t hash, uint32_t n_blocks) {
  rp_context *c = r->device->context;
  rp_constants *set = rp_host_alloc(c, sizeof *set, _Alignof(rp_constants));
  rp_memory *blocks = rp_host_alloc(c, n_blocks * sizeof *blocks, _Alignof(rp_memory));
  if (!set || !blocks) {
    rp_host_free(c, set, sizeof *set);
    rp_host_free(c, blocks, n_blocks * sizeof *blocks);
    return NULL;
  }
  memset(blocks, 0, n_blocks * sizeof *blocks);
  *set = (rp_constants){.next = r->device->constants, .hash = hash, .n_blocks = n_blocks, .blocks = blocks};
  r->device->constants = set;
  return set;
}

bool rp_constants_join(rp_recording *r) {
  ingredients m;
  rp_constants *set = NULL;
  const uint32_t n_blocks = count_blocks(r->plan);
  if (!n_blocks) return 1;
  if (open_ingredients(&m, r->plan)) {
    const uint64_t hash = hash_of(&m);
    set = find(r->device, &m, hash);
    if (!set) set = add_set(r, hash, n_blocks);
  }
  close_ingredients(&m);
  if (!set) return 0;
  r->constants = set;
  r->next_user = set->users;
  set->users = r;
  return 1;
}

void rp_constants_leave(rp_recording *r) {
  rp_device *d = r->device;
  rp_constants *set = r->constants;
  if (!set) return;
  rp_recording **at = &set->users;
  while (*at != r) at = &(*at)->next_user;
  *at = r->next_user;
  r->constants = NULL;
  if (set->users) return;
  rp_constants **link = &d->constants;
  while (*link != set) link = &(*link)->next;
  *link = set->next;
  rp_host_free(d->context, set->blocks, set->n_blocks * sizeof *set->blocks);
  rp_host_free(d->context, set, sizeof *set);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

void rp_constants_hold(rp_recording *r) {
  r->holds = 1;
  if (r->constants) r->constants->n_holders++;
}

void rp_constants_unhold(rp_recording *r) {
  rp_constants *set = r->constants;
  if (!r->holds) return;
  r->holds = 0;
  if (!set || --set->n_holders) return;
  for (uint32_t i = 0; i < set->n_blocks; i++) rp_device_free(r->device, &set->blocks[i]);
  r->device->reserved_bytes -= set->reserved_bytes;
  set->reserved_bytes = 0;
  set->ready = 0;
}

bool rp_constants_are_ready(const rp_recording *r) { return r->constants && r->constants->ready; }

void rp_constants_take(rp_recording *r) {
  for (uint32_t b = 0, i = 0; b < r->plan->n_blocks; b++)
    if (is_constant_block(r->plan, b)) r->shared[b] = r->constants->blocks[i++];
}

void rp_constants_give(rp_recording *r) {
  rp_constants *set = r->constants;
  if (!set || set->ready) return;
  for (uint32_t b = 0, i = 0; b < r->plan->n_blocks; b++)
    if (is_constant_block(r->plan, b)) set->blocks[i++] = r->shared[b];
  set->ready = 1;
  set->reserved_bytes = r->plan->info.constant_bytes;
  r->reserved_bytes -= set->reserved_bytes;
}

/* ---- Shares of the budget ---------------------------------------------------------------------------------------- */

static uint32_t count(const rp_constants *set, rp_recording_is_fn is, const void *user) {
  uint32_t n = 0;
  for (const rp_recording *r = set->users; r; r = r->next_user) n += r->holds && is(r, user);
  return n;
}

uint64_t rp_constants_bytes_of_all(const rp_device *d, rp_recording_is_fn is, const void *user) {
  uint64_t bytes = 0;
  for (const rp_constants *set = d->constants; set; set = set->next)
    if (count(set, is, user) == set->n_holders) bytes += set->reserved_bytes;
  return bytes;
}

uint64_t rp_constants_bytes_of_any(const rp_device *d, rp_recording_is_fn is, const void *user) {
  uint64_t bytes = 0;
  for (const rp_constants *set = d->constants; set; set = set->next)
    if (count(set, is, user)) bytes += set->reserved_bytes;
  return bytes;
}

uint64_t rp_constants_bytes_there(rp_device *d, const rp_plan *plan, rp_recording_is_fn is, const void *user) {
  ingredients m;
  uint64_t bytes = 0;
  if (!d->constants || !count_blocks(plan)) return 0;
  if (open_ingredients(&m, plan)) {
    const rp_constants *set = find(d, &m, hash_of(&m));
    if (set && set->ready && count(set, is, user) != set->n_holders) bytes = set->reserved_bytes;
  }
  close_ingredients(&m);
  return bytes;
}
