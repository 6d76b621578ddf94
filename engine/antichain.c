/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * By the weighted form of Dilworth's theorem the heaviest antichain weighs as much as all elements less the largest
 * flow from elements to later ones, where as much leaves an element as it weighs, and as much enters it (Ford and
 * Fulkerson, "Flows in Networks", 1962, II.9). Flow is added along shortest paths from one element after the other.
 * Once there is no path from an element, flow along other paths makes none.
 */
#include "antichain.h"

typedef struct search {
  uint32_t n;
  size_t words; /* of a row */
  const uint64_t *later;
  uint64_t *senders;           /* n rows: from which elements flow enters this one */
  uint64_t *flow;              /* [from * n + to] */
  uint64_t *leaves, *enters;   /* what each may still send and receive */
  uint64_t *unseen;            /* receivers, as a row */
  uint32_t *queue;             /* senders */
  bool *reached;               /* the same */
  uint32_t *sender, *receiver; /* the paths: of a receiver the sender before it, of a sender the receiver before it */
} search;

static bool open_search(search *s, rp_arena *arena, const uint64_t *weights) {
  s->senders = rp_arena_array(arena, s->n * s->words, sizeof *s->senders);
  s->flow = rp_arena_array(arena, (size_t)s->n * s->n, sizeof *s->flow);
  s->leaves = rp_arena_array(arena, s->n, sizeof *s->leaves);
  s->enters = rp_arena_array(arena, s->n, sizeof *s->enters);
  s->unseen = rp_arena_array(arena, s->words, sizeof *s->unseen);
  s->queue = rp_arena_array(arena, s->n, sizeof *s->queue);
  s->reached = rp_arena_array(arena, s->n, sizeof *s->reached);
  s->sender = rp_arena_array(arena, s->n, sizeof *s->sender);
  s->receiver = rp_arena_array(arena, s->n, sizeof *s->receiver);
  if (!s->senders || !s->flow || !s->leaves || !s->enters || !s->unseen || !s->queue || !s->reached || !s->sender ||
      !s->receiver)
    return 0;
  memcpy(s->leaves, weights, s->n * sizeof *weights);
  memcpy(s->enters, weights, s->n * sizeof *weights);
  return 1;
}

/* Takes the first element out of a word of a row. */
static uint32_t take(uint64_t *word, size_t index) {
  const uint32_t element = (uint32_t)(index * 64) + (uint32_t)__builtin_ctzll(*word);
  *word &= *word - 1;
  return element;
}

/* What is sent to `to` can be sent elsewhere: queues those who send it. */
static void queue_senders(search *s, uint32_t to, uint32_t *n_queue) {
  for (size_t k = 0; k < s->words; k++)
    for (uint64_t word = s->senders[to * s->words + k]; word;) {
      const uint32_t from = take(&word, k);
      if (s->reached[from]) continue;
      s->reached[from] = 1;
      s->receiver[from] = to;
      s->queue[(*n_queue)++] = from;
    }
}

/* Looks for a path on which more can leave `source`. Returns the receiver at its end, or n. */
static uint32_t find_path(search *s, uint32_t source) {
  uint32_t n_queue = 1;
  memset(s->unseen, 0xff, s->words * sizeof *s->unseen);
  memset(s->reached, 0, s->n * sizeof *s->reached);
  s->reached[source] = 1;
  s->queue[0] = source;
  for (uint32_t q = 0; q < n_queue; q++) {
    const uint32_t from = s->queue[q];
    for (size_t k = 0; k < s->words; k++) {
      uint64_t word = s->later[from * s->words + k] & s->unseen[k];
      s->unseen[k] &= ~word;
      while (word) {
        const uint32_t to = take(&word, k);
        s->sender[to] = from;
        if (s->enters[to]) return to;
        queue_senders(s, to, &n_queue);
      }
    }
  }
  return s->n;
}

static uint64_t *flow_of(const search *s, uint32_t from, uint32_t to) { return &s->flow[(size_t)from * s->n + to]; }

static void set_flow(search *s, uint32_t from, uint32_t to, uint64_t amount) {
  const uint64_t bit = 1ull << (from % 64);
  uint64_t *word = &s->senders[to * s->words + from / 64];
  *flow_of(s, from, to) = amount;
  *word = amount ? *word | bit : *word & ~bit;
}

/* Sends as much as the path from `source` to the receiver `end` has room for, and returns it. */
static uint64_t send(search *s, uint32_t source, uint32_t end) {
  uint64_t amount = s->leaves[source] < s->enters[end] ? s->leaves[source] : s->enters[end];
  for (uint32_t from = s->sender[end]; from != source; from = s->sender[s->receiver[from]])
    if (*flow_of(s, from, s->receiver[from]) < amount) amount = *flow_of(s, from, s->receiver[from]);
  for (uint32_t to = end, from = s->sender[to];; to = s->receiver[from], from = s->sender[to]) {
    set_flow(s, from, to, *flow_of(s, from, to) + amount);
    if (from == source) break;
    set_flow(s, from, s->receiver[from], *flow_of(s, from, s->receiver[from]) - amount);
  }
  s->leaves[source] -= amount;
  s->enters[end] -= amount;
  return amount;
}

void rp_antichain_close(uint64_t *later, uint32_t n) {
  const size_t words = (n + 63u) / 64;
  for (uint32_t a = n; a-- > 0;)
    for (uint32_t b = a + 1; b < n; b++)
      for (size_t k = 0; later[a * words + b / 64] >> (b % 64) & 1 && k < words; k++)
        later[a * words + k] |= later[b * words + k];
}

bool rp_antichain_weigh(rp_arena *arena, uint32_t n, const uint64_t *weights, const uint64_t *later, uint64_t *weight) {
  search s = {.n = n, .words = (n + 63u) / 64, .later = later};
  if (!open_search(&s, arena, weights)) return 0;
  *weight = 0;
  for (uint32_t i = 0; i < n; i++) *weight += weights[i];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t end; s.leaves[i] && (end = find_path(&s, i)) != n;) *weight -= send(&s, i, end);
  return 1;
}
