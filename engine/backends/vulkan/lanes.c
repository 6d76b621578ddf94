/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Steps are taken in the order of the longest path that begins with them, which is an order that the edges allow, and
 * each goes to the lane where it can begin first. Then it is known, for each step, how many steps of each lane have
 * ended before it begins: those that its lane has waited for, and those that these had waited for. An edge between two
 * lanes becomes a wait if its first step is not among them.
 *
 * The upload and the download are two more nodes here, numbered behind the steps.
 */
#include "lanes.h"

#define NONE UINT32_MAX

typedef struct node {
  uint64_t tail_ns; /* the longest path that begins with it */
  uint64_t end_ns;
  uint32_t lane, place;         /* place: its index among the nodes of its lane */
  uint32_t number, batch;       /* of its batch: the number on its lane, and among all batches */
  bool begins, is_waited_for;   /* it is the first node of its batch; it is the last one */
  uint32_t first_wait, n_waits; /* in `waits` */
} node;

typedef struct laying {
  const rp_step *steps;
  const rp_vk_lane_cost *costs;
  const rp_vk_lane_options *options;
  uint32_t n, upload, download, n_lanes;
  node *nodes;
  uint32_t *order; /* upload, steps, download */
  uint32_t *known; /* per node and lane: how many of the lane's nodes have ended before the node begins */
  uint32_t *sinks, n_sinks;
  uint32_t *waits, n_waits; /* nodes */
} laying;

static uint64_t max_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The predecessors of a node, upload and download included. */
static const uint32_t *preds_of(const laying *l, uint32_t i, uint32_t *n) {
  if (i == l->upload) return *n = 0, NULL;
  if (i == l->download) return *n = l->n_sinks, l->sinks;
  if (l->steps[i].n_preds == 0) return *n = 1, &l->upload;
  return *n = l->steps[i].n_preds, l->steps[i].preds;
}

static rp_vk_lane_cost cost_of(const laying *l, uint32_t i) { return i < l->n ? l->costs[i] : (rp_vk_lane_cost){0}; }

/* ---- The order --------------------------------------------------------------------------------------------------- */

static void find_tails(laying *l) {
  for (uint32_t i = l->n; i-- > 0;) {
    for (uint32_t j = 0; j < l->steps[i].n_succs; j++)
      l->nodes[i].tail_ns = max_of(l->nodes[i].tail_ns, l->nodes[l->steps[i].succs[j]].tail_ns);
    l->nodes[i].tail_ns += l->costs[i].ns + 1; /* so that those of its successors are shorter */
    if (l->steps[i].n_succs == 0) l->sinks[l->n_sinks++] = i;
  }
  if (l->n == 0) l->sinks[l->n_sinks++] = l->upload;
}

typedef struct ranked {
  uint64_t tail_ns;
  uint32_t step;
} ranked;

static int longest_first(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->tail_ns != y->tail_ns) return x->tail_ns > y->tail_ns ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static void find_order(laying *l, ranked *by_tail) {
  l->order[0] = l->upload;
  l->order[l->n + 1] = l->download;
  if (l->options->order) {
    memcpy(l->order + 1, l->options->order, l->n * sizeof *l->order);
    return;
  }
  for (uint32_t i = 0; i < l->n; i++) by_tail[i] = (ranked){l->nodes[i].tail_ns, i};
  rp_sort(by_tail, l->n, sizeof *by_tail, longest_first);
  for (uint32_t i = 0; i < l->n; i++) l->order[i + 1] = by_tail[i].step;
}

/* ---- The lanes --------------------------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
  return *seed;
}

/* When a node could begin on a lane. */
static uint64_t beginning(const laying *l, uint32_t i, uint32_t lane, uint64_t free_ns) {
  uint32_t n_preds;
  const uint32_t *preds = preds_of(l, i, &n_preds);
  for (uint32_t j = 0; j < n_preds; j++) {
    const node *p = &l->nodes[preds[j]];
    free_ns = max_of(free_ns, p->end_ns + (p->lane != lane ? l->options->hop_ns : 0));
  }
  return free_ns;
}

static void choose_lanes(laying *l) {
  uint64_t free_ns[RP_VK_MOST_LANES] = {0}, seed = l->options->random_seed;
  uint32_t n_nodes[RP_VK_MOST_LANES] = {0};
  for (uint32_t k = 0; k < l->n + 2; k++) {
    const uint32_t i = l->order[k], n_lanes = i < l->n ? l->options->n_lanes : 1;
    node *at = &l->nodes[i];
    uint64_t first = UINT64_MAX;
    for (uint32_t lane = 0; lane < n_lanes; lane++) {
      const uint64_t begin = beginning(l, i, lane, free_ns[lane]);
      if (begin < first) first = begin, at->lane = lane;
    }
    if (seed && i < l->n) {
      at->lane = (uint32_t)(next_random(&seed) % n_lanes);
      first = beginning(l, i, at->lane, free_ns[at->lane]);
    }
    at->end_ns = free_ns[at->lane] = first + cost_of(l, i).ns;
    at->place = n_nodes[at->lane]++;
    if (at->lane >= l->n_lanes) l->n_lanes = at->lane + 1;
  }
}

/* ---- The waits --------------------------------------------------------------------------------------------------- */

static uint32_t *known_at(const laying *l, uint32_t i) { return l->known + (size_t)i * l->options->n_lanes; }

/* Whether it is known that a node has ended, from what was known when node `by` began and that `by` has ended. */
static bool tells(const laying *l, uint32_t by, uint32_t i) {
  const node *n = &l->nodes[i];
  if (l->nodes[by].lane == n->lane) return n->place <= l->nodes[by].place;
  return n->place < known_at(l, by)[n->lane];
}

static void learn(const laying *l, uint32_t *known, uint32_t ended) {
  const uint32_t *its = known_at(l, ended);
  for (uint32_t lane = 0; lane < l->n_lanes; lane++)
    if (its[lane] > known[lane]) known[lane] = its[lane];
  const node *n = &l->nodes[ended];
  if (n->place + 1 > known[n->lane]) known[n->lane] = n->place + 1;
}

/* For each lane, the last predecessor of node i there that is not known to have ended; NONE if there is none. */
static void find_unknown(const laying *l, uint32_t i, uint32_t unknown[RP_VK_MOST_LANES]) {
  uint32_t n_preds;
  const uint32_t *preds = preds_of(l, i, &n_preds), *known = known_at(l, i);
  for (uint32_t lane = 0; lane < RP_VK_MOST_LANES; lane++) unknown[lane] = NONE;
  for (uint32_t j = 0; j < n_preds; j++) {
    const node *p = &l->nodes[preds[j]];
    if (p->lane == l->nodes[i].lane || p->place < known[p->lane]) continue;
    uint32_t *at = &unknown[p->lane];
    if (*at == NONE || p->place > l->nodes[*at].place) *at = preds[j];
  }
}

static void find_waits_of(laying *l, uint32_t i) {
  uint32_t unknown[RP_VK_MOST_LANES];
  node *at = &l->nodes[i];
  find_unknown(l, i, unknown);
  at->first_wait = l->n_waits;
  for (uint32_t lane = 0; lane < l->n_lanes; lane++) {
    bool is_told = unknown[lane] == NONE;
    for (uint32_t other = 0; other < l->n_lanes && !is_told; other++)
      is_told = other != lane && unknown[other] != NONE && tells(l, unknown[other], unknown[lane]);
    if (is_told) continue;
    l->waits[l->n_waits++] = unknown[lane];
    l->nodes[unknown[lane]].is_waited_for = true;
  }
  at->n_waits = l->n_waits - at->first_wait;
  for (uint32_t j = 0; j < at->n_waits; j++) learn(l, known_at(l, i), l->waits[at->first_wait + j]);
}

static void find_waits(laying *l) {
  uint32_t latest[RP_VK_MOST_LANES];
  for (uint32_t lane = 0; lane < l->n_lanes; lane++) latest[lane] = NONE;
  for (uint32_t k = 0; k < l->n + 2; k++) {
    const uint32_t i = l->order[k], before = latest[l->nodes[i].lane];
    if (before != NONE) memcpy(known_at(l, i), known_at(l, before), l->options->n_lanes * sizeof *l->known);
    find_waits_of(l, i);
    latest[l->nodes[i].lane] = i;
  }
}

/* ---- The batches ------------------------------------------------------------------------------------------------- */

/* A batch begins with a node that waits, behind a node that another lane waits for, and after much work. */
static void find_batches(laying *l, uint32_t *n_batches) {
  uint64_t most_ns[RP_VK_MOST_LANES] = {0};
  uint32_t latest[RP_VK_MOST_LANES];
  for (uint32_t lane = 0; lane < l->n_lanes; lane++) latest[lane] = NONE;
  for (uint32_t k = 0; k < l->n + 2; k++) {
    const uint32_t i = l->order[k];
    node *at = &l->nodes[i];
    const node *before = latest[at->lane] == NONE ? NULL : &l->nodes[latest[at->lane]];
    const uint64_t own_ns = cost_of(l, i).most_ns, lane_ns = most_ns[at->lane];
    const bool is_full = lane_ns && own_ns && lane_ns + own_ns > l->options->batch_ns;
    at->begins = !before || before->is_waited_for || at->n_waits || is_full;
    at->number = (before ? before->number : 0) + at->begins;
    at->batch = at->begins || !before ? (*n_batches)++ : before->batch;
    most_ns[at->lane] = own_ns + (at->begins ? 0 : lane_ns);
    latest[at->lane] = i;
  }
}

static void list_batches(const laying *l, rp_vk_lanes *lanes) {
  uint32_t done[RP_VK_MOST_LANES] = {0}, first = 0;
  for (uint32_t k = 0; k < l->n + 2; k++) {
    const node *n = &l->nodes[l->order[k]];
    rp_vk_lane_batch *b = &lanes->batches[n->batch];
    if (n->begins)
      *b = (rp_vk_lane_batch){.lane = n->lane, .number = n->number, .first_wait = n->first_wait, .n_waits = n->n_waits};
    if (l->order[k] < l->n) b->n++, done[n->lane]++;
    b->n_done = done[n->lane];
  }
  for (uint32_t b = 0; b < lanes->n_batches; b++) {
    lanes->batches[b].first = first;
    first += lanes->batches[b].n;
    lanes->batches[b].n = 0;
  }
  for (uint32_t k = 0; k < l->n + 2; k++) {
    rp_vk_lane_batch *b = &lanes->batches[l->nodes[l->order[k]].batch];
    if (l->order[k] < l->n) lanes->order[b->first + b->n++] = l->order[k];
  }
  for (uint32_t w = 0; w < l->n_waits; w++) {
    const node *n = &l->nodes[l->waits[w]];
    lanes->waits[w] = (rp_vk_lane_wait){.lane = n->lane, .number = n->number};
  }
}

static bool take_memory(laying *l, rp_arena *scratch, ranked **by_tail) {
  const size_t n = (size_t)l->n + 2;
  *by_tail = rp_arena_array(scratch, n, sizeof **by_tail);
  l->nodes = rp_arena_array(scratch, n, sizeof *l->nodes);
  l->order = rp_arena_array(scratch, n, sizeof *l->order);
  l->sinks = rp_arena_array(scratch, n, sizeof *l->sinks);
  l->known = rp_arena_array(scratch, n * l->options->n_lanes, sizeof *l->known);
  l->waits = rp_arena_array(scratch, n * l->options->n_lanes, sizeof *l->waits);
  return *by_tail && l->nodes && l->order && l->sinks && l->known && l->waits;
}

bool rp_vk_find_lanes(rp_arena *arena, rp_arena *scratch, const rp_step *steps, uint32_t n,
                      const rp_vk_lane_cost *costs, const rp_vk_lane_options *options, rp_vk_lanes *lanes) {
  laying l = {.steps = steps, .costs = costs, .options = options, .n = n, .upload = n, .download = n + 1};
  ranked *by_tail;
  *lanes = (rp_vk_lanes){0};
  if (!take_memory(&l, scratch, &by_tail)) return false;
  find_tails(&l);
  find_order(&l, by_tail);
  choose_lanes(&l);
  find_waits(&l);
  find_batches(&l, &lanes->n_batches);
  lanes->n_lanes = l.n_lanes;
  lanes->n_waits = l.n_waits;
  lanes->end_ns = l.nodes[l.download].end_ns;
  lanes->order = rp_arena_array(arena, (size_t)n + 1, sizeof *lanes->order);
  lanes->batches = rp_arena_array(arena, lanes->n_batches, sizeof *lanes->batches);
  lanes->waits = rp_arena_array(arena, (size_t)l.n_waits + 1, sizeof *lanes->waits);
  if (!lanes->order || !lanes->batches || !lanes->waits) return false;
  list_batches(&l, lanes);
  return true;
}
