/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Random graphs on lanes, without a device. An executor that knows only batches, lanes and waits runs them in random
 * orders: every step finds its predecessors ended. A wait that follows from others would be found, too, and so would
 * queues that stand still.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backends/vulkan/lanes.h"

enum { MOST = 64 };

static uint64_t seed = 1;
static uint32_t below(uint32_t n) {
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return (uint32_t)(seed >> 20) % n;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static rp_step steps[MOST];
static uint32_t preds[MOST][MOST], succs[MOST][MOST], n_steps;
static rp_vk_lane_cost costs[MOST];

static void make_graph(uint32_t n, uint32_t most_preds) {
  n_steps = n;
  for (uint32_t i = 0; i < n; i++) {
    steps[i] = (rp_step){.preds = preds[i], .succs = succs[i]};
    costs[i] = (rp_vk_lane_cost){.ns = below(50000), .most_ns = 1 + below(1000)};
    for (uint32_t p = 0; p < i && steps[i].n_preds < most_preds; p++)
      if (below(i) < 2) preds[i][steps[i].n_preds++] = p;
    for (uint32_t j = 0; j < steps[i].n_preds; j++) {
      const uint32_t p = preds[i][j];
      succs[p][steps[p].n_succs++] = i;
    }
  }
}

/* ---- The executor ------------------------------------------------------------------------------------------------ */

typedef struct executor {
  const rp_vk_lanes *lanes;
  uint32_t next[RP_VK_MOST_LANES];  /* per queue: how many of its batches have ended */
  uint32_t ended[RP_VK_MOST_LANES]; /* per lane: the same */
  bool is_up, is_ended[MOST], is_down;
} executor;

static bool may_begin(const executor *x, const rp_vk_lane_batch *b) {
  for (uint32_t w = 0; w < b->n_waits; w++) {
    const rp_vk_lane_wait *wait = &x->lanes->waits[b->first_wait + w];
    if (x->ended[wait->lane] < wait->number) return false;
  }
  return true;
}

/* False if a step's predecessor has not ended, neither before nor in this batch. */
static bool execute(executor *x, uint32_t index) {
  const rp_vk_lane_batch *b = &x->lanes->batches[index];
  bool good = true;
  if (index == 0) x->is_up = true;
  good &= x->is_up;
  for (uint32_t k = b->first; k < b->first + b->n; k++) {
    const uint32_t i = x->lanes->order[k];
    for (uint32_t j = 0; j < steps[i].n_preds; j++) good &= x->is_ended[preds[i][j]];
    good &= !x->is_ended[i];
    x->is_ended[i] = true;
  }
  if (index + 1 == x->lanes->n_batches) {
    for (uint32_t i = 0; i < n_steps; i++) good &= x->is_ended[i];
    x->is_down = true;
  }
  x->ended[b->lane]++;
  return good;
}

/* The batch that a queue executes next; n_batches: none. */
static uint32_t head(const executor *x, uint32_t queue, uint32_t n_queues) {
  uint32_t skip = x->next[queue];
  for (uint32_t b = 0; b < x->lanes->n_batches; b++)
    if (x->lanes->batches[b].lane % n_queues == queue && !skip--) return b;
  return x->lanes->n_batches;
}

/* Executes all batches, in a random order that the queues allow. */
static bool run_all(const rp_vk_lanes *lanes, uint32_t n_queues) {
  executor x = {.lanes = lanes};
  bool good = true;
  for (uint32_t n = 0; n < lanes->n_batches; n++) {
    uint32_t ready[RP_VK_MOST_LANES], n_ready = 0;
    for (uint32_t q = 0; q < n_queues; q++) {
      const uint32_t b = head(&x, q, n_queues);
      if (b < lanes->n_batches && may_begin(&x, &lanes->batches[b])) ready[n_ready++] = q;
    }
    assert_true(n_ready > 0);
    const uint32_t q = ready[below(n_ready)];
    good &= execute(&x, head(&x, q, n_queues));
    x.next[q]++;
  }
  return good && x.is_down;
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

/* What the header says of a result. */
static void check_form(const rp_vk_lanes *l, const rp_vk_lane_options *o) {
  uint32_t numbers[RP_VK_MOST_LANES] = {0}, done[RP_VK_MOST_LANES] = {0}, first = 0;
  assert_in_range(l->n_lanes, 1, o->n_lanes);
  for (uint32_t b = 0; b < l->n_batches; b++) {
    const rp_vk_lane_batch *batch = &l->batches[b];
    uint64_t ns = 0;
    assert_true(batch->lane < l->n_lanes);
    assert_int_equal(batch->number, ++numbers[batch->lane]);
    assert_int_equal(batch->first, first);
    assert_int_equal(batch->n_done, done[batch->lane] += batch->n);
    first += batch->n;
    for (uint32_t k = 0; k < batch->n; k++) ns += costs[l->order[batch->first + k]].most_ns;
    assert_true(batch->n <= 1 || ns <= o->batch_ns);
    for (uint32_t w = batch->first_wait; w < batch->first_wait + batch->n_waits; w++) {
      assert_true(l->waits[w].lane != batch->lane);
      assert_in_range(l->waits[w].number, 1, numbers[l->waits[w].lane]);
    }
  }
  assert_int_equal(first, n_steps);
  assert_int_equal(l->batches[0].lane, 0);
  assert_int_equal(l->batches[l->n_batches - 1].lane, 0);
}

/* Whether the end of the batch that wait `w` names follows from everything else that its batch waits for. */
static bool follows(const rp_vk_lanes *l, uint32_t index, uint32_t w) {
  bool known[3 * MOST] = {0}; /* batches that have ended before this one begins */
  for (uint32_t b = index + 1; b-- > 0;) {
    const rp_vk_lane_batch *batch = &l->batches[b];
    if (b != index && !known[b]) continue;
    for (uint32_t c = 0; c < b; c++) /* a lane's batches follow each other */
      if (l->batches[c].lane == batch->lane && b != index) known[c] = true;
    for (uint32_t c = 0; c < b && b == index; c++) /* what its lane has waited for before */
      if (l->batches[c].lane == batch->lane)
        for (uint32_t v = 0; v < l->batches[c].n_waits; v++)
          for (uint32_t d = 0; d < c; d++)
            known[d] |= l->batches[d].lane == l->waits[l->batches[c].first_wait + v].lane &&
                        l->batches[d].number <= l->waits[l->batches[c].first_wait + v].number;
    for (uint32_t v = batch->first_wait; v < batch->first_wait + batch->n_waits; v++)
      for (uint32_t c = 0; c < b && v != w; c++)
        known[c] |= l->batches[c].lane == l->waits[v].lane && l->batches[c].number == l->waits[v].number;
  }
  for (uint32_t c = 0; c < index; c++)
    if (l->batches[c].lane == l->waits[w].lane && l->batches[c].number == l->waits[w].number) return known[c];
  fail_msg("batch %u waits for one that stands behind it", index);
  return true;
}

static void try_graph(rp_context *context, const rp_vk_lane_options *o) {
  rp_arena arena, scratch;
  rp_vk_lanes l;
  rp_arena_init(&arena, context);
  rp_arena_init(&scratch, context);
  assert_true(rp_vk_find_lanes(&arena, &scratch, steps, n_steps, costs, o, &l));
  rp_arena_free(&scratch);
  check_form(&l, o);
  for (uint32_t n_queues = 1; n_queues <= o->n_lanes; n_queues++)
    for (uint32_t round = 0; round < 4; round++) assert_true(run_all(&l, n_queues));
  for (uint32_t b = 0; b < l.n_batches; b++)
    for (uint32_t w = 0; w < l.batches[b].n_waits; w++) assert_false(follows(&l, b, l.batches[b].first_wait + w));
  rp_arena_free(&arena);
}

static void random_graphs(void **state) {
  (void)state;
  rp_context *context;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (uint32_t round = 0; round < 4000; round++) {
    make_graph(below(MOST), 1 + below(5));
    const rp_vk_lane_options o = {.n_lanes = 1 + below(RP_VK_MOST_LANES),
                                  .hop_ns = below(3) * 10000,
                                  .batch_ns = below(2) ? UINT64_MAX : 1 + below(3000),
                                  .random_seed = below(2) ? 1 + below(1000) : 0};
    try_graph(context, &o);
  }
  rp_context_destroy(context);
}

/* Chains of long steps go to a lane each, and the short step beside one stays on its lane. */
static void branches_get_lanes(void **state) {
  (void)state;
  rp_context *context;
  rp_arena arena;
  rp_vk_lanes l;
  enum { CHAINS = 3, LENGTH = 4, SHORT = CHAINS * LENGTH };
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  rp_arena_init(&arena, context);
  make_graph(SHORT + 1, 0);
  for (uint32_t i = 0; i <= SHORT; i++) costs[i] = (rp_vk_lane_cost){.ns = i < SHORT ? 100000 : 1000};
  for (uint32_t i = CHAINS; i <= SHORT; i++) {
    preds[i][steps[i].n_preds++] = i - CHAINS;
    succs[i - CHAINS][steps[i - CHAINS].n_succs++] = i;
  }
  const rp_vk_lane_options o = {.n_lanes = RP_VK_MOST_LANES, .hop_ns = 20000, .batch_ns = UINT64_MAX};
  assert_true(rp_vk_find_lanes(&arena, &arena, steps, n_steps, costs, &o, &l));
  assert_int_equal(l.n_lanes, CHAINS);
  assert_int_equal(l.n_waits, 2 * (CHAINS - 1)); /* for the upload, and for the download */
  assert_int_equal(l.n_batches, CHAINS + 2);
  assert_true(l.end_ns < 2 * 100000 * LENGTH);
  rp_arena_free(&arena);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs), cmocka_unit_test(branches_get_lanes)};
  return cmocka_run_group_tests_name("vulkan_lanes", tests, NULL, NULL);
}
