/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Squeeze: the epochs of a schedule under a cap on memory.
 *
 * List scheduling, epoch by epoch: of the dispatches whose predecessors have run, those that lead farthest come first
 * (Graham, "Bounds on multiprocessing timing anomalies", 1969; critical path first). Under a cap such a search runs
 * into dead ends: it begins many branches and can finish none. So a dispatch is admitted only if after this epoch the
 * rest could still run one after another, in the given order, within the cap, as in the banker's algorithm (Dijkstra,
 * "Cooperating sequential processes", 1965). The first dispatch of that order is always among those that may run, and
 * alone it always fits, so that every cap from the peak of the order on gives a schedule.
 *
 * A tree over the positions of that order keeps what would be alive at each of them: running a dispatch early begins
 * its values for all positions before theirs, and ends those of which it was the last user.
 */
#include "schedule.h"

#include "dag.h"

enum { MOST_REFUSED = 64 }; /* number of dispatches that may be refused in one epoch before it is closed */

typedef struct squeeze {
  const rp_flow *flow;
  uint64_t cap_bytes;
  const uint32_t *sequence;
  uint32_t *position; /* of a dispatch in the sequence */
  uint32_t *begin_at; /* per value: the first position of its users */
  uint32_t *users_at; /* per value: where its last users begin in `users`, as positions, ascending */
  uint32_t *users, *n_users;
  unsigned char *begun, *done;
  uint32_t *waits, *ready, *next_ready, n_ready, n_next;
  uint32_t head;         /* the first position whose dispatch has not run */
  uint64_t alive_bytes;  /* in this epoch */
  uint64_t ending_bytes; /* of alive_bytes: what no later epoch needs */
  int64_t *more,
      *most; /* per node of the tree: what is added at all positions below it; the most bytes at one of them */
  uint32_t leaves;
  uint32_t *undo_value, *undo_users,
      n_undo; /* to undo the dispatch that was admitted last: its values, and their n_users before it */
  rp_arena arena;
} squeeze;

/* ---- The tree ---------------------------------------------------------------------------------------------------- */

static void add_below(squeeze *s, uint32_t node, uint32_t low, uint32_t high, uint32_t begin, uint32_t end,
                      int64_t bytes) {
  if (begin >= high || end <= low) return;
  if (begin <= low && high <= end) {
    s->more[node] += bytes;
    s->most[node] += bytes;
    return;
  }
  const uint32_t middle = low + (high - low) / 2;
  add_below(s, 2 * node, low, middle, begin, end, bytes);
  add_below(s, 2 * node + 1, middle, high, begin, end, bytes);
  const int64_t a = s->most[2 * node], b = s->most[2 * node + 1];
  s->most[node] = s->more[node] + (a > b ? a : b);
}

/* At positions from `begin` to `end` - 1, so many bytes more are alive. */
static void add(squeeze *s, uint32_t begin, uint32_t end, int64_t bytes) {
  if (begin < end) add_below(s, 1, 0, s->leaves, begin, end, bytes);
}

/* Stands in place of the position of a dispatch that has run. */
#define GONE ((int64_t)1 << 60)

/* ---- One dispatch ------------------------------------------------------------------------------------------------ */

/* Where the value ends, in the order of those that have not run; 0 if none of them uses it. */
static uint32_t end_of(const squeeze *s, uint32_t value) {
  const uint32_t n = s->n_users[value];
  return n ? s->users[s->users_at[value] + n - 1] + 1 : 0;
}

static void begin_values(squeeze *s, uint32_t d) {
  const rp_flow *f = s->flow;
  for (uint32_t i = f->begins_at[d]; i < f->begins_at[d + 1]; i++) {
    const uint32_t v = f->begins[i];
    if (s->begun[v]) continue;
    s->begun[v] = 1;
    s->alive_bytes += f->bytes[v];
    add(s, 0, s->begin_at[v], (int64_t)f->bytes[v]);
    s->undo_value[s->n_undo] = v;
    s->undo_users[s->n_undo++] = UINT32_MAX;
  }
}

static void end_values(squeeze *s, uint32_t d) {
  const rp_flow *f = s->flow;
  for (uint32_t i = f->ends_at[d]; i < f->ends_at[d + 1]; i++) {
    const uint32_t v = f->ends[i], before = end_of(s, v);
    s->undo_value[s->n_undo] = v;
    s->undo_users[s->n_undo++] = s->n_users[v];
    while (s->n_users[v] && s->done[s->sequence[s->users[s->users_at[v] + s->n_users[v] - 1]]]) s->n_users[v]--;
    add(s, end_of(s, v), before, -(int64_t)f->bytes[v]);
    if (!s->n_users[v]) s->ending_bytes += f->bytes[v];
  }
}

static void take_back(squeeze *s, uint32_t d) {
  const rp_flow *f = s->flow;
  while (s->n_undo) {
    const uint32_t v = s->undo_value[--s->n_undo], users = s->undo_users[s->n_undo], end = end_of(s, v);
    if (users == UINT32_MAX) {
      s->begun[v] = 0;
      s->alive_bytes -= f->bytes[v];
      add(s, 0, s->begin_at[v], -(int64_t)f->bytes[v]);
    } else {
      if (!s->n_users[v]) s->ending_bytes -= f->bytes[v];
      s->n_users[v] = users;
      add(s, end, end_of(s, v), (int64_t)f->bytes[v]);
    }
  }
  s->done[d] = 0;
  add(s, s->position[d], s->position[d] + 1, GONE);
}

/* Admits the dispatch to the present epoch if that is safe. */
static bool admit(squeeze *s, uint32_t d) {
  s->n_undo = 0;
  s->done[d] = 1;
  add(s, s->position[d], s->position[d] + 1, -GONE);
  begin_values(s, d);
  end_values(s, d);
  if (s->alive_bytes <= s->cap_bytes && s->most[1] <= (int64_t)s->cap_bytes) return 1;
  take_back(s, d);
  return 0;
}

/* ---- Epochs ------------------------------------------------------------------------------------------------------ */

static bool is_farther(const squeeze *s, uint32_t a, uint32_t b) {
  const uint64_t x = s->flow->path_ns[a], y = s->flow->path_ns[b];
  return x != y ? x > y : s->position[a] < s->position[b];
}

/* Puts a dispatch to its place among those that are ready in the next epoch. */
static void make_ready(squeeze *s, uint32_t d) {
  uint32_t low = 0, high = s->n_next;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_farther(s, d, s->next_ready[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  memmove(s->next_ready + low + 1, s->next_ready + low, (s->n_next++ - low) * sizeof *s->next_ready);
  s->next_ready[low] = d;
}

/* Fills one epoch from `ready`, and leaves the rest there. Returns the number of those admitted, which `taken` gets. */
static uint32_t fill(squeeze *s, uint32_t *taken) {
  uint32_t n_taken = 0, n_refused = 0, kept = 0, i = 0;
  for (; i < s->n_ready && n_refused < MOST_REFUSED; i++) {
    if (admit(s, s->ready[i]))
      taken[n_taken++] = s->ready[i];
    else
      s->ready[kept++] = s->ready[i], n_refused++;
  }
  memmove(s->ready + kept, s->ready + i, (s->n_ready - i) * sizeof *s->ready);
  s->n_ready = kept + s->n_ready - i;
  if (n_taken) return n_taken;
  const uint32_t first = s->sequence[s->head]; /* more are ready than were tried: this one always fits */
  for (i = 0; s->ready[i] != first; i++) {}
  memmove(s->ready + i, s->ready + i + 1, (--s->n_ready - i) * sizeof *s->ready);
  (void)admit(s, first);
  taken[0] = first;
  return 1;
}

static uint32_t run(squeeze *s, uint32_t *taken, uint32_t *epoch) {
  const rp_flow *f = s->flow;
  uint32_t n_epochs = 0;
  for (uint32_t n_done = 0; n_done < f->n; n_epochs++) {
    const uint32_t n = fill(s, taken);
    s->alive_bytes -= s->ending_bytes;
    s->ending_bytes = 0;
    memcpy(s->next_ready, s->ready, s->n_ready * sizeof *s->ready);
    s->n_next = s->n_ready;
    for (uint32_t i = 0; i < n; i++) {
      epoch[taken[i]] = n_epochs;
      for (uint32_t k = f->succ_at[taken[i]]; k < f->succ_at[taken[i] + 1]; k++)
        if (!--s->waits[f->succs[k]]) make_ready(s, f->succs[k]);
    }
    uint32_t *const other = s->ready;
    s->ready = s->next_ready, s->next_ready = other;
    s->n_ready = s->n_next;
    n_done += n;
    while (s->head < f->n && s->done[s->sequence[s->head]]) s->head++;
  }
  return n_epochs;
}

/* ---- All together ------------------------------------------------------------------------------------------------ */

static void
sort_positions(uint32_t *list,
               uint32_t n) { /* insertion sort: most lists have one position, and others are almost in order */
  for (uint32_t i = 1; i < n; i++) {
    const uint32_t x = list[i];
    uint32_t k = i;
    for (; k > 0 && list[k - 1] > x; k--) list[k] = list[k - 1];
    list[k] = x;
  }
}

static bool place_values(squeeze *s) {
  const rp_flow *f = s->flow;
  const rp_lives *l = &f->part->lives;
  const uint32_t n_values = f->plan->n_values;
  s->begin_at = rp_arena_array(&s->arena, n_values, sizeof *s->begin_at);
  s->users = rp_arena_array(&s->arena, l->last_at[n_values], sizeof *s->users);
  s->n_users = rp_arena_array(&s->arena, n_values, sizeof *s->n_users);
  s->begun = rp_arena_array(&s->arena, n_values, 1);
  if (!s->begin_at || !s->users || !s->n_users || !s->begun) return 0;
  s->users_at = l->last_at;
  for (uint32_t v = 0; v < n_values; v++) {
    if (!f->bytes[v]) continue;
    s->begin_at[v] = UINT32_MAX;
    for (uint32_t i = l->first_at[v]; i < l->first_at[v + 1]; i++)
      if (s->position[l->first[i]] < s->begin_at[v]) s->begin_at[v] = s->position[l->first[i]];
    for (uint32_t i = l->last_at[v]; i < l->last_at[v + 1]; i++) s->users[i] = s->position[l->last[i]];
    s->n_users[v] = l->last_at[v + 1] - l->last_at[v];
    sort_positions(s->users + l->last_at[v], s->n_users[v]);
    add(s, s->begin_at[v], end_of(s, v), (int64_t)f->bytes[v]);
  }
  return 1;
}

static bool prepare(squeeze *s) {
  const rp_flow *f = s->flow;
  uint32_t most_undo = 0;
  for (s->leaves = 1; s->leaves < f->n; s->leaves *= 2) {}
  for (uint32_t d = 0; d < f->n; d++) {
    const uint32_t n = f->begins_at[d + 1] - f->begins_at[d] + f->ends_at[d + 1] - f->ends_at[d];
    if (n > most_undo) most_undo = n;
  }
  s->more = rp_arena_array(&s->arena, 2 * (size_t)s->leaves, sizeof *s->more);
  s->most = rp_arena_array(&s->arena, 2 * (size_t)s->leaves, sizeof *s->most);
  s->position = rp_arena_array(&s->arena, f->n, sizeof *s->position);
  s->done = rp_arena_array(&s->arena, f->n, 1);
  s->waits = rp_arena_array(&s->arena, f->n, sizeof *s->waits);
  s->ready = rp_arena_array(&s->arena, f->n, sizeof *s->ready);
  s->next_ready = rp_arena_array(&s->arena, f->n, sizeof *s->next_ready);
  s->undo_value = rp_arena_array(&s->arena, most_undo, sizeof *s->undo_value);
  s->undo_users = rp_arena_array(&s->arena, most_undo, sizeof *s->undo_users);
  if (!s->more || !s->most || !s->position || !s->done || !s->waits || !s->ready || !s->next_ready || !s->undo_value ||
      !s->undo_users)
    return 0;
  for (uint32_t i = 0; i < f->n; i++) s->position[s->sequence[i]] = i;
  if (!place_values(s)) return 0;
  for (uint32_t d = 0; d < f->n; d++) {
    s->waits[d] = f->part->order->first[d + 1] - f->part->order->first[d];
    if (!s->waits[d]) make_ready(s, d);
  }
  uint32_t *const other = s->ready;
  s->ready = s->next_ready, s->next_ready = other;
  s->n_ready = s->n_next;
  return 1;
}

uint32_t rp_flow_squeeze(const rp_flow *flow, const uint32_t *sequence, uint64_t cap_bytes, uint32_t *epoch) {
  squeeze s = {.flow = flow, .sequence = sequence, .cap_bytes = cap_bytes};
  rp_arena_init(&s.arena, flow->plan->context);
  uint32_t *taken = rp_arena_array(&s.arena, flow->n, sizeof *taken);
  const uint32_t n_epochs = taken && prepare(&s) ? run(&s, taken, epoch) : 0;
  rp_arena_free(&s.arena);
  return n_epochs;
}
