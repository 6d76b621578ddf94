/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A sweep over the spans of each place in the order of their steps. The place is cut into pieces whose bytes have the
 * same history. Of the history, only the latest group of accesses that do not conflict with each other is kept, and the
 * group before it, for which later members of the latest group must wait too. Everything earlier is implied.
 */
#include "conflicts.h"
#include "starts.h"

#define NONE UINT32_MAX

/* Accesses of one kind do not conflict with each other, except WRITE. WATCH, an atomic read, conflicts only with plain
 * writes: it belongs to no group and is listed separately. */
typedef enum group_kind { EMPTY, WRITE, READ, UPDATE, WATCH } group_kind;

static group_kind kind_of(uint32_t access) {
  if (access & RP_ATOMIC) return access & RP_WRITE ? UPDATE : WATCH;
  return access & RP_WRITE ? WRITE : READ;
}

/* An element of a list: a span, or another list in `other`. Lists share their tails after pieces have been cut. */
typedef struct cell {
  uint32_t span, next, other, seen;
} cell;

typedef struct piece {
  uint32_t end;                      /* number of the bound at its end */
  group_kind kind;                   /* of the latest group */
  uint32_t latest, before, watchers; /* lists */
  uint32_t write;                    /* span of the latest plain write */
} piece;

typedef struct sweep {
  rp_context *context;
  rp_arena arena;
  rp_span *spans;
  rp_edges *edges;
  uint32_t *order, *place_at; /* spans grouped by place; where the spans of each place begin */
  uint32_t *low, *high;       /* per span: numbers of its two bounds among those of the place */
  rp_bound *bounds, *spare;
  uint32_t cap_bounds;
  rp_few *few;
  piece *pieces; /* by the number of the bound at which they begin */
  uint32_t cap_pieces;
  rp_starts starts;
  cell *cells;
  uint32_t n_cells, cap_cells;
  uint32_t *stack; /* lists that are still to be walked */
  uint32_t cap_stack;
  uint32_t cost;            /* of the current span: pieces visited and edges added */
  uint64_t work, much_work; /* cost of all spans; limit from which on fences are used */
  bool failed;
} sweep;

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static void push(sweep *s, uint32_t *list, uint32_t span, uint32_t other) {
  if (!rp_grow(s->context, (void **)&s->cells, &s->cap_cells, s->n_cells, sizeof *s->cells)) {
    s->failed = 1;
    return;
  }
  s->cells[s->n_cells] = (cell){.span = span, .next = *list, .other = other, .seen = NONE};
  *list = s->n_cells++;
}

static void wait_for(sweep *s, uint32_t from_span, uint32_t span) {
  const uint32_t from = s->spans[from_span].step, to = s->spans[span].step;
  rp_edges *e = s->edges;
  if (from == to) return;
  if (!rp_grow(s->context, (void **)&e->items, &e->capacity, e->n, sizeof *e->items)) {
    s->failed = 1;
    return;
  }
  e->items[e->n++] = (rp_edge){from, to};
  s->cost++;
}

#define AS_LAST (NONE - 1) /* in place of the span that waits: see walk */

/* Makes `span` wait for all spans of a list; with AS_LAST, marks them all as last instead. Elements that a walk for the
 * same span has seen are skipped with their tails. */
static void walk(sweep *s, uint32_t list, uint32_t span) {
  uint32_t depth = 0;
  for (uint32_t c = list;;) {
    while (c != NONE && s->cells[c].seen != span) {
      cell *x = &s->cells[c];
      x->seen = span;
      if (x->other != NONE) {
        if (!rp_grow(s->context, (void **)&s->stack, &s->cap_stack, depth, sizeof *s->stack)) {
          s->failed = 1;
          return;
        }
        s->stack[depth++] = x->other;
      } else if (span == AS_LAST) {
        s->spans[x->span].last = 1;
      } else {
        wait_for(s, x->span, span);
      }
      c = x->next;
    }
    if (depth == 0) return;
    c = s->stack[--depth];
  }
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

static const piece untouched = {.kind = EMPTY, .latest = NONE, .before = NONE, .watchers = NONE, .write = NONE};

/* The piece that begins at this bound; the piece around the bound is cut there if necessary. */
static piece *cut(sweep *s, uint32_t bound) {
  const uint32_t at = rp_starts_find(&s->starts, bound);
  if (at != bound) {
    s->pieces[bound] = s->pieces[at];
    s->pieces[at].end = bound;
    rp_starts_add(&s->starts, bound);
  }
  return &s->pieces[bound];
}

static void become_write(sweep *s, piece *p, uint32_t span) {
  p->kind = WRITE;
  p->before = p->watchers = p->latest = NONE;
  p->write = span;
  push(s, &p->latest, span, NONE);
}

static void touch(sweep *s, piece *p, group_kind kind, uint32_t span) {
  rp_span *x = &s->spans[span];
  if (kind == WATCH) {
    if (p->write == NONE)
      x->first = 1;
    else
      wait_for(s, p->write, span);
    push(s, &p->watchers, span, NONE);
  } else if (kind == WRITE) {
    if (p->latest == NONE && p->watchers == NONE) x->first = 1;
    walk(s, p->latest, span);
    walk(s, p->watchers, span);
  } else {
    if (p->kind != kind) {
      p->before = p->latest;
      p->latest = NONE;
      p->kind = kind;
    }
    if (p->before == NONE) x->first = 1;
    walk(s, p->before, span);
    push(s, &p->latest, span, NONE);
  }
}

/* Joins the pieces from one bound to another into the first. */
static void join(sweep *s, uint32_t begin, uint32_t end) {
  for (uint32_t at = s->pieces[begin].end; at != end; at = s->pieces[at].end) rp_starts_remove(&s->starts, at);
  s->pieces[begin].end = end;
}

/* The span waits for all spans that touched the place, and later spans wait for it. */
static void fence(sweep *s, uint32_t end, uint32_t span) {
  for (uint32_t at = 0; at != end; at = s->pieces[at].end) {
    walk(s, s->pieces[at].latest, span);
    walk(s, s->pieces[at].watchers, span);
  }
  join(s, 0, end);
  become_write(s, &s->pieces[0], span);
}

/* Whether there are many pieces from one bound to another, all with a latest group of this kind, which differ only in
 * the members of that group. */
static bool are_alike(const sweep *s, uint32_t low, uint32_t high, group_kind kind) {
  const piece *one = &s->pieces[low];
  uint32_t n = 0;
  for (uint32_t at = low; at != high; at = s->pieces[at].end) {
    const piece *p = &s->pieces[at];
    if (p->kind != kind || p->before != one->before || p->write != one->write) return 0;
    n++;
  }
  return n > RP_FENCE_COST / 2;
}

/* Replaces many pieces by one: a later write of some of its bytes will wait for the readers of all. */
static void merge(sweep *s, uint32_t low, uint32_t high) {
  piece *one = &s->pieces[low];
  for (uint32_t at = one->end; at != high; at = s->pieces[at].end) {
    push(s, &one->latest, NONE, s->pieces[at].latest);
    if (s->pieces[at].watchers != NONE) push(s, &one->watchers, NONE, s->pieces[at].watchers);
  }
  join(s, low, high);
}

static void visit(sweep *s, uint32_t span, uint32_t end_of_place) {
  const group_kind kind = kind_of(s->spans[span].access);
  const uint32_t low = s->low[span], high = s->high[span];
  s->cost = 0;
  cut(s, low);
  if (high != end_of_place) cut(s, high);
  for (uint32_t at = low; at != high; at = s->pieces[at].end) {
    touch(s, &s->pieces[at], kind, span);
    s->cost++;
    if (s->cost <= RP_FENCE_COST || s->work + s->cost <= s->much_work) continue;
    if (are_alike(s, low, high, kind)) {
      merge(s, low, high);
      push(s, &s->pieces[low].latest, span, NONE);
    } else {
      fence(s, end_of_place, span);
    }
    s->work += s->cost;
    return;
  }
  s->work += s->cost;
  if (kind != WRITE) return;
  join(s, low, high);
  become_write(s, &s->pieces[low], span);
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* The same as number_bounds, for many spans with few bounds, as the calls of a body have; 0 if they have more. */
static uint32_t number_few(sweep *s, const uint32_t *list, uint32_t n) {
  rp_few *few = s->few;
  rp_few_reset(few);
  for (uint32_t i = 0; i < n; i++) {
    const rp_span *x = &s->spans[list[i]];
    s->low[list[i]] = rp_few_add(few, x->begin);
    s->high[list[i]] = rp_few_add(few, x->end);
    if (s->low[list[i]] == RP_FEW || s->high[list[i]] == RP_FEW) return 0;
  }
  rp_few_sort(few);
  for (uint32_t i = 0; i < n; i++) {
    s->low[list[i]] = few->rank[s->low[list[i]]];
    s->high[list[i]] = few->rank[s->high[list[i]]];
  }
  return few->n - 1;
}

static bool reserve_bounds(sweep *s, uint32_t n) {
  if (n <= s->cap_bounds) return 1;
  s->cap_bounds = n > 2 * s->cap_bounds ? n : 2 * s->cap_bounds;
  s->bounds = rp_arena_array(&s->arena, s->cap_bounds, sizeof *s->bounds);
  s->spare = rp_arena_array(&s->arena, s->cap_bounds, sizeof *s->spare);
  s->failed = !s->bounds || !s->spare;
  return !s->failed;
}

/* Numbers the distinct bounds of the place's spans; returns the number of the last, 0 when out of memory. */
static uint32_t number_bounds(sweep *s, const uint32_t *list, uint32_t n) {
  const uint32_t last = n > RP_FEW ? number_few(s, list, n) : 0;
  if (last) return last;
  if (!reserve_bounds(s, 2 * n)) return 0;
  const rp_span *one = &s->spans[list[0]];
  uint32_t same = 1, number = 0;
  for (uint32_t i = 0; i < n; i++) {
    const rp_span *x = &s->spans[list[i]];
    same &= x->begin == one->begin && x->end == one->end;
    s->low[list[i]] = 0;
    s->high[list[i]] = 1;
    s->bounds[2 * i] = (rp_bound){.at = x->begin, .whose = 2 * list[i]};
    s->bounds[2 * i + 1] = (rp_bound){.at = x->end, .whose = 2 * list[i] + 1};
  }
  if (same) return 1;
  rp_bounds_sort(s->bounds, s->spare, 2 * n);
  for (uint32_t i = 0; i < 2 * n; i++) {
    const rp_bound *b = &s->bounds[i];
    number += i > 0 && b->at != b[-1].at;
    (b->whose & 1 ? s->high : s->low)[b->whose / 2] = number;
  }
  return number;
}

/* Whether nothing at the place is written, so that nothing waits. */
static bool is_only_read(sweep *s, const uint32_t *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (s->spans[list[i]].access & RP_WRITE) return 0;
  for (uint32_t i = 0; i < n; i++) s->spans[list[i]].first = s->spans[list[i]].last = 1;
  return 1;
}

/* Many spans of a place often have few bounds. */
static bool reserve_pieces(sweep *s, uint32_t n) {
  if (n <= s->cap_pieces) return 1;
  s->cap_pieces = n > 2 * s->cap_pieces ? n : 2 * s->cap_pieces;
  s->pieces = rp_arena_array(&s->arena, s->cap_pieces, sizeof *s->pieces);
  return s->pieces != NULL;
}

static void sweep_place(sweep *s, const uint32_t *list, uint32_t n) {
  if (is_only_read(s, list, n)) return;
  const uint32_t end = number_bounds(s, list, n);
  s->failed |= !reserve_pieces(s, end + 1);
  if (s->failed) return;
  s->n_cells = 0;
  s->pieces[0] = untouched;
  s->pieces[0].end = end;
  rp_starts_reset(&s->starts, end);
  for (uint32_t i = 0; i < n && !s->failed; i++) visit(s, list[i], end);
  for (uint32_t at = 0; at != end && !s->failed; at = s->pieces[at].end) {
    walk(s, s->pieces[at].latest, AS_LAST);
    walk(s, s->pieces[at].watchers, AS_LAST);
  }
}

static bool prepare(sweep *s, uint32_t n_spans, uint32_t n_places) {
  s->order = rp_arena_array(&s->arena, n_spans, sizeof *s->order);
  s->place_at = rp_arena_array(&s->arena, n_places + 2u, sizeof *s->place_at);
  s->low = rp_arena_array(&s->arena, n_spans, sizeof *s->low);
  s->high = rp_arena_array(&s->arena, n_spans, sizeof *s->high);
  if (!s->order || !s->place_at || !s->low || !s->high) return 0;
  for (uint32_t i = 0; i < n_spans; i++) s->place_at[s->spans[i].place + 2]++;
  uint32_t most = 0; /* largest number of spans of one place */
  for (uint32_t p = 2; p <= n_places + 1; p++) {
    if (s->place_at[p] > most) most = s->place_at[p];
    s->place_at[p] += s->place_at[p - 1];
  }
  for (uint32_t i = 0; i < n_spans; i++) s->order[s->place_at[s->spans[i].place + 1]++] = i;
  s->few = most > RP_FEW ? rp_arena_alloc(&s->arena, sizeof *s->few, _Alignof(rp_few)) : NULL;
  return (s->few || most <= RP_FEW) && rp_starts_prepare(&s->starts, &s->arena, 2 * most);
}

bool rp_conflicts_find(rp_context *context, rp_span *spans, uint32_t n_spans, uint32_t n_places, rp_edges *edges) {
  if (n_spans == 0) return 1;
  if (n_spans > UINT32_MAX / 4) return 0;
  sweep s = {.context = context,
             .spans = spans,
             .edges = edges,
             .much_work = RP_FENCE_WORK + RP_FENCE_COST * (uint64_t)n_spans};
  rp_arena_init(&s.arena, context);
  bool good = prepare(&s, n_spans, n_places);
  for (uint32_t p = 0; p < n_places && good; p++) {
    const uint32_t n = s.place_at[p + 1] - s.place_at[p];
    if (n) sweep_place(&s, s.order + s.place_at[p], n);
    good = !s.failed;
  }
  rp_grow_free(context, s.cells, s.cap_cells, sizeof *s.cells);
  rp_grow_free(context, s.stack, s.cap_stack, sizeof *s.stack);
  rp_arena_free(&s.arena);
  return good;
}

void rp_edges_free(rp_context *context, rp_edges *edges) {
  rp_grow_free(context, edges->items, edges->capacity, sizeof *edges->items);
  *edges = (rp_edges){0};
}
