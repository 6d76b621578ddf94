/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * In place: the result of a dispatch takes the bytes of an operand that no later dispatch reads, if the kernel allows
 * it (RP_IN_PLACE). The two are one value from then on: the result lies in the operand or, if it is an output of the
 * graph, the operand in the result, and all following passes see one value that lives as long as both.
 *
 * The dispatch overwrites the operand, so that it must wait for its other readers. It waits for them anyway if it uses
 * what they compute; then the order of the graph is what it was, and no branch waits for another. Where large values
 * share bytes by the numbers of dispatches (arena_place.c), it is enough that the readers have smaller numbers.
 *
 * Only the part that runs each time is changed. An input, a constant, an output as an operand, and values in several
 * segments keep their places.
 */
#include "plan.h"

#include <reprise/rewrite.h>

enum {
  LARGE_BYTES = 1 << 16, /* values for which numbers are enough, where values share by them */
  MOST_WALKED = 64,      /* dispatches that a search for a reader visits */
  MOST_LOOKED_AT = 512   /* users of values that it looks at */
};

typedef struct work {
  rp_plan *plan;
  const rp_part *part;
  uint32_t *at, *users; /* per value, and one more: where its users begin; its users, ascending, each once */
  unsigned char *taken; /* per value: a result has its bytes */
} work;

static const rp_plan_value *value_of(const work *w, const rp_touch *t) { return &w->plan->values[t->value]; }

static bool is_whole(const work *w, const rp_touch *t) { return t->first == 0 && t->count == value_of(w, t)->len; }

static uint32_t n_users(const work *w, uint32_t value) { return w->at[value + 1] - w->at[value]; }

/* ---- Users ------------------------------------------------------------------------------------------------------- */

static void list_users(work *w, uint32_t *latest, bool fill) {
  for (uint32_t i = 0; i < w->plan->n_values; i++) latest[i] = RP_NONE;
  for (uint32_t d = 0; d < w->part->n_dispatches; d++) {
    const rp_plan_dispatch *x = &w->part->dispatches[d];
    for (uint32_t t = 0; t < rp_n_touches(x); t++) {
      const uint32_t value = rp_touch_at(x, t).value;
      if (latest[value] == d) continue;
      latest[value] = d;
      if (fill)
        w->users[w->at[value + 1]++] = d;
      else
        w->at[value + 2]++;
    }
  }
}

/* While the list is filled, at[v + 1] is where the next user of v goes; in the end it is where the users of v end. */
static bool find_users(work *w, rp_arena *arena) {
  const uint32_t n = w->plan->n_values;
  uint32_t *latest = rp_arena_array(arena, n, sizeof *latest);
  w->at = rp_arena_array(arena, n + 2u, sizeof *w->at);
  w->users = rp_arena_array(arena, w->part->n_touches, sizeof *w->users);
  w->taken = rp_arena_array(arena, n, sizeof *w->taken);
  if (!latest || !w->at || !w->users || !w->taken) return 0;
  list_users(w, latest, 0);
  for (uint32_t i = 2; i < n + 2; i++) w->at[i] += w->at[i - 1];
  list_users(w, latest, 1);
  return 1;
}

/* ---- The order of the graph -------------------------------------------------------------------------------------- */

/* Whether dispatch d writes the value; *whole: all of it in one access. */
static bool writes(const work *w, uint32_t d, uint32_t value, bool *whole) {
  const rp_plan_dispatch *x = &w->part->dispatches[d];
  bool found = *whole = 0;
  for (uint32_t t = 0; t < rp_n_touches(x); t++) {
    const rp_touch touch = rp_touch_at(x, t);
    if (touch.value != value || !(touch.access & RP_WRITE)) continue;
    found = 1;
    *whole |= is_whole(w, &touch);
  }
  return found;
}

typedef struct walk {
  uint32_t seen[MOST_WALKED], n, looked_at;
} walk;

static void visit(walk *k, uint32_t d) {
  for (uint32_t i = 0; i < k->n; i++)
    if (k->seen[i] == d) return;
  if (k->n < MOST_WALKED) k->seen[k->n++] = d;
}

/* Visits the dispatches, from `reader` on, that write what this touch of dispatch d reads. */
static void visit_writers(const work *w, walk *k, uint32_t d, const rp_touch *t, uint32_t reader) {
  if (!(t->access & RP_READ) || value_of(w, t)->origin == RP_ORIGIN_ERROR) return;
  const uint32_t *users = w->users + w->at[t->value];
  uint32_t low = 0, high = n_users(w, t->value); /* bounds of the index of the first user that is not before d */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (users[middle] < d)
      low = middle + 1;
    else
      high = middle;
  }
  while (low-- > 0 && users[low] >= reader && k->looked_at++ < MOST_LOOKED_AT) {
    bool whole;
    if (writes(w, users[low], t->value, &whole) && (whole || is_whole(w, t))) visit(k, users[low]);
  }
}

/* Whether dispatch d uses what `reader` computes, directly or through others. False may also mean that the search
 * ended. */
static bool comes_from(const work *w, uint32_t d, uint32_t reader) {
  walk k = {.seen = {d}, .n = 1};
  for (uint32_t i = 0; i < k.n; i++) {
    const rp_plan_dispatch *x = &w->part->dispatches[k.seen[i]];
    if (k.seen[i] == reader) return 1;
    for (uint32_t t = 0; t < rp_n_touches(x); t++) {
      const rp_touch touch = rp_touch_at(x, t);
      visit_writers(w, &k, k.seen[i], &touch, reader);
    }
  }
  return 0;
}

/* Whether all other users of the value come before dispatch d, its last one, in any order that the values allow. */
static bool waits_for_users(const work *w, uint32_t d, uint32_t value) {
  const uint32_t *users = w->users + w->at[value], n = n_users(w, value);
  if (rp_plan_shares_by_number(w->plan) && w->plan->values[value].bytes >= LARGE_BYTES) return 1;
  for (uint32_t i = 0; i + 1 < n; i++) {
    bool whole;
    if (writes(w, users[i], value, &whole)) continue; /* d reads the whole value, and waits for those who write it */
    if (n > MOST_WALKED || !comes_from(w, d, users[i])) return 0;
  }
  return 1;
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

/* Whether the value is computed in each run and may lie in another one, or another in it. */
static bool is_computed(const work *w, const rp_plan_value *v) {
  if (v->n_segments != 1 || v->flags & RP_EXCHANGE) return 0;
  return v->origin == RP_ORIGIN_SCRATCH || (v->origin == RP_ORIGIN_COMPUTED && !w->plan->nodes[v->node].once);
}

/* Whether the touch makes a whole value that nothing has written before. */
static bool makes_value(const work *w, uint32_t d, const rp_touch *t) {
  const rp_plan_dispatch *x = &w->part->dispatches[d];
  if ((t->access & RP_READ_WRITE) != RP_WRITE || !is_whole(w, t) || !is_computed(w, value_of(w, t))) return 0;
  if (w->users[w->at[t->value]] != d) return 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < rp_n_touches(x); i++) n += rp_touch_at(x, i).value == t->value;
  return n == 1;
}

/* Whether the kernel of dispatch d, its last user, may overwrite the value that the touch reads. */
static bool ends_value(const work *w, uint32_t d, const rp_touch *t) {
  const rp_plan_dispatch *x = &w->part->dispatches[d];
  const rp_plan_value *v = value_of(w, t);
  if (!(t->access & RP_IN_PLACE) || !is_whole(w, t) || !is_computed(w, v) || v->output) return 0;
  if (w->taken[t->value]) return 0;
  if (w->users[w->at[t->value + 1] - 1] != d) return 0;
  for (uint32_t i = 0; i < rp_n_touches(x); i++) {
    const rp_touch other = rp_touch_at(x, i);
    if (other.value == t->value && !(other.access & RP_IN_PLACE)) return 0;
  }
  return waits_for_users(w, d, t->value);
}

static bool same_bytes(const rp_plan_value *a, const rp_plan_value *b) {
  return a->type->size_bytes == b->type->size_bytes && a->type->align_bytes == b->type->align_bytes && a->len == b->len;
}

static void put_into(rp_plan *plan, uint32_t value, uint32_t of) {
  rp_plan_value *v = &plan->values[value];
  v->view_of = of;
  v->view_first = 0;
  v->in_place = 1;
  v->in_part[RP_PART_RUN] = 0;
  plan->values[of].secret |= v->secret;
}

/* Looks for an operand of dispatch d whose bytes the result may take. */
static void place_result(work *w, uint32_t d, const rp_touch *result) {
  const rp_plan_dispatch *x = &w->part->dispatches[d];
  rp_plan *p = w->plan;
  if (!makes_value(w, d, result)) return;
  for (uint32_t t = 0; t < rp_n_touches(x); t++) {
    const rp_touch touch = rp_touch_at(x, t);
    uint32_t operand = touch.value;
    uint64_t first = 0;
    if (!same_bytes(value_of(w, &touch), value_of(w, result)) || !ends_value(w, d, &touch)) continue;
    w->taken[operand] = 1;
    rp_plan_find(p, &operand, &first);
    if (p->values[result->value].output)
      put_into(p, operand, result->value);
    else
      put_into(p, result->value, operand);
    return;
  }
}

/* Once for each call. */
static void rename_bases(work *w, const rp_plan_call *call) {
  for (uint32_t i = 0; i < call->n; i++)
    if (call->at[i].value != RP_NONE) rp_plan_find(w->plan, &call->at[i].value, &call->at[i].first);
}

static void rename_touches(work *w) {
  const rp_plan_call *latest = NULL;
  for (uint32_t d = 0; d < w->part->n_dispatches; d++) {
    const rp_plan_dispatch *x = &w->part->dispatches[d];
    rp_touch *touches = (rp_touch *)x->pattern->touches; /* made in the plan's arena */
    for (uint32_t t = 0; t < rp_n_touches(x) && !x->call; t++)
      rp_plan_find(w->plan, &touches[t].value, &touches[t].first);
    if (x->call && x->call != latest) rename_bases(w, x->call);
    latest = x->call;
  }
}

rp_status rp_pass_in_place(rp_plan *plan, rp_error *err) {
  work w = {.plan = plan, .part = &plan->parts[RP_PART_RUN]};
  rp_arena arena;
  rp_arena_init(&arena, plan->context);
  const bool good = find_users(&w, &arena);
  for (uint32_t d = 0; good && d < w.part->n_dispatches; d++) {
    const rp_plan_dispatch *x = &w.part->dispatches[d];
    for (uint32_t t = 0; t < rp_n_touches(x); t++) {
      const rp_touch touch = rp_touch_at(x, t);
      place_result(&w, d, &touch);
    }
  }
  if (good) rename_touches(&w);
  rp_arena_free(&arena);
  return good ? RP_OK : rp_plan_fail_memory(err);
}
