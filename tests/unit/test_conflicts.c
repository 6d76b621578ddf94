/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order that spans require, compared with the plain rule: every two spans are compared, and three nested loops
 * close and reduce the result.
 */
#include "dag.h"

#include <reprise/reprise.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 4000, MOST_STEPS = 24, MOST_SPANS = 4 * MOST_STEPS, PLACE_BYTES = 12 };

static uint64_t seed = 7;

static uint32_t below(uint32_t n) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) % n);
}

static int agree(uint32_t a, uint32_t b) { return !((a | b) & RP_WRITE) || (a & b & RP_ATOMIC); }

static uint32_t random_spans(rp_span *spans, uint32_t n_steps, uint32_t n_places) {
  static const uint32_t accesses[] = {RP_READ,
                                      RP_READ,
                                      RP_READ,
                                      RP_WRITE,
                                      RP_READ_WRITE,
                                      RP_READ_WRITE | RP_ATOMIC,
                                      RP_WRITE | RP_ATOMIC,
                                      RP_READ | RP_ATOMIC};
  uint32_t n = 0;
  for (uint32_t step = 0; step < n_steps; step++) {
    for (uint32_t k = below(5); k > 0; k--) {
      const uint64_t begin = below(PLACE_BYTES);
      const uint32_t whole = below(3) == 0;
      spans[n++] = (rp_span){.place = below(n_places),
                             .step = step,
                             .begin = whole ? 0 : begin,
                             .end = whole ? PLACE_BYTES : begin + 1 + below((uint32_t)(PLACE_BYTES - begin)),
                             .access = accesses[below(sizeof accesses / sizeof *accesses)]};
    }
  }
  return n;
}

/* Sets must[i][j] if step i must be finished before step j starts. */
static void plain_order(const rp_span *s, uint32_t n, int must[MOST_STEPS][MOST_STEPS]) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (s[i].step < s[j].step && s[i].place == s[j].place && s[i].begin < s[j].end && s[j].begin < s[i].end &&
          !agree(s[i].access, s[j].access))
        must[s[i].step][s[j].step] = 1;
  for (uint32_t k = 0; k < MOST_STEPS; k++)
    for (uint32_t i = 0; i < MOST_STEPS; i++)
      for (uint32_t j = 0; j < MOST_STEPS; j++) must[i][j] |= must[i][k] && must[k][j];
}

/* Every span has, at its own place, one that is marked as first, in the same step or in one before it, and one that is
 * marked as last, in the same step or in one after it. */
static void check_ends(const rp_span *s, uint32_t n, int must[MOST_STEPS][MOST_STEPS]) {
  for (uint32_t i = 0; i < n; i++) {
    int first = 0, last = 0;
    for (uint32_t j = 0; j < n; j++) {
      if (s[j].place != s[i].place) continue;
      first |= s[j].first && (s[j].step == s[i].step || must[s[j].step][s[i].step]);
      last |= s[j].last && (s[j].step == s[i].step || must[s[i].step][s[j].step]);
    }
    assert_true(first && last);
  }
}

static void check_dag(const rp_dag *dag, uint32_t n_steps, int must[MOST_STEPS][MOST_STEPS], int exact) {
  int way[MOST_STEPS][MOST_STEPS] = {{0}};
  uint32_t n_reduced = 0;
  for (uint32_t j = 0; j < n_steps; j++) {
    for (uint32_t e = dag->first[j]; e < dag->first[j + 1]; e++) {
      const uint32_t i = dag->preds[e];
      assert_true(i < j && (e == dag->first[j] || dag->preds[e - 1] < i));
      for (uint32_t k = 0; k < n_steps; k++) way[k][j] |= k == i || way[k][i];
    }
    for (uint32_t i = 0; i < n_steps; i++) {
      assert_int_equal(way[i][j], must[i][j]);
      assert_true(exact ? rp_dag_before(dag, i, j) == must[i][j] : rp_dag_before(dag, i, j) <= must[i][j]);
      int implied = 0;
      for (uint32_t k = 0; k < n_steps; k++) implied |= must[i][k] && must[k][j];
      n_reduced += must[i][j] && !implied;
    }
  }
  assert_true(exact ? dag->n_edges == n_reduced : dag->n_edges >= n_reduced);
}

static void order_is_the_plain_one(void **state) {
  (void)state;
  rp_context *context;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (int round = 0; round < ROUNDS; round++) {
    rp_span spans[MOST_SPANS];
    int must[MOST_STEPS][MOST_STEPS] = {{0}};
    const uint32_t n_steps = 1 + below(MOST_STEPS), n_places = 1 + below(3);
    const uint32_t n = random_spans(spans, n_steps, n_places);
    plain_order(spans, n, must);
    for (int exact = 0; exact < 2; exact++) {
      rp_dag dag;
      for (uint32_t i = 0; i < n; i++) spans[i].first = spans[i].last = 0;
      assert_true(rp_dag_build(&dag, context, n_steps, spans, n, n_places, exact ? RP_EXACT_STEPS : 0));
      check_dag(&dag, n_steps, must, exact);
      check_ends(spans, n, must);
      rp_dag_free(&dag);
    }
  }
  rp_context_destroy(context);
}

/* ---- So many conflicts that fences are inserted ------------------------------------------------------------------ */

enum { HALF = 2000 };

/* The order holds, with few edges. */
static void check_fenced(rp_context *context, rp_span *spans, uint32_t n) {
  rp_dag dag;
  assert_true(rp_dag_build(&dag, context, n, spans, n, 1, RP_EXACT_STEPS));
  assert_true(dag.n_edges < 2u * RP_FENCE_WORK);
  for (uint32_t j = 0; j < n; j++) {
    assert_int_equal(spans[j].step, j);
    for (uint32_t i = 0; i < j; i++)
      if (!agree(spans[i].access, spans[j].access) && spans[i].begin < spans[j].end && spans[j].begin < spans[i].end &&
          !rp_dag_before(&dag, i, j))
        fail_msg("steps %u and %u of %u are not ordered", i, j, n);
  }
  rp_dag_free(&dag);
}

static void fences_keep_the_order(void **state) {
  (void)state;
  rp_context *context;
  rp_span *spans = calloc(2 * HALF, sizeof *spans);
  assert_non_null(spans);
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (int shape = 0; shape < 4; shape++) {
    for (uint32_t i = 0; i < 2 * HALF; i++) {
      const int turn = shape == 2 ? i % 2 : i >= HALF;
      rp_span *s = &spans[i];
      *s = (rp_span){.step = i, .end = HALF, .access = RP_READ};
      if (shape == 1 && !turn) s->access = RP_READ_WRITE | RP_ATOMIC; /* first the updates, then the readers */
      if (shape == 1) continue;
      if (shape == 3 && i == 0) {
        s->access = RP_WRITE; /* one write, then reads of parts and of the whole in turn, then another write */
      } else if (shape == 3 ? i % 2 : !turn) {
        s->begin = (i * 7) % HALF;
        s->end = s->begin + 1;
        if (shape != 3) s->access = RP_WRITE; /* writes of parts and reads of the whole: first all writes, or in turn */
      }
    }
    if (shape == 3) spans[2 * HALF - 1] = (rp_span){.step = 2 * HALF - 1, .begin = 3, .end = 9, .access = RP_WRITE};
    check_fenced(context, spans, 2 * HALF);
  }
  rp_context_destroy(context);
  free(spans);
}

/* ---- Many spans with few bounds ---------------------------------------------------------------------------------- */

/* Frames of calls: each step overwrites one of some ranges. With `more` ranges than there are few, they are sorted in
 * another way, and give the same edges. */
static void few_bounds(void **state) {
  (void)state;
  enum { STEPS = 1500, RANGES = 40, BYTES = 100 };
  rp_context *context;
  rp_span *spans = calloc(2 * STEPS, sizeof *spans);
  uint32_t *latest = calloc(2 * STEPS, sizeof *latest), state_of = 1;
  assert_true(spans && latest);
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (int more = 0; more < 2; more++) {
    rp_dag dag;
    const uint32_t n_ranges = more ? STEPS : RANGES;
    for (uint32_t r = 0; r < n_ranges; r++) latest[r] = UINT32_MAX;
    for (uint32_t i = 0; i < 2 * STEPS; i++) {
      state_of = state_of * 1664525 + 1013904223;
      const uint32_t r = (state_of >> 8) % n_ranges;
      spans[i] = (rp_span){.step = i, .begin = r * BYTES, .end = (r + 1) * BYTES, .access = RP_WRITE};
    }
    assert_true(rp_dag_build(&dag, context, 2 * STEPS, spans, 2 * STEPS, 1, RP_EXACT_STEPS));
    for (uint32_t i = 0; i < 2 * STEPS; i++) {
      uint32_t *before = &latest[spans[i].begin / BYTES];
      assert_int_equal(dag.first[i + 1] - dag.first[i], *before != UINT32_MAX);
      if (*before != UINT32_MAX) assert_int_equal(dag.preds[dag.first[i]], *before);
      *before = i;
    }
    rp_dag_free(&dag);
  }
  rp_context_destroy(context);
  free(spans), free(latest);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(order_is_the_plain_one), cmocka_unit_test(fences_keep_the_order),
                                     cmocka_unit_test(few_bounds)};
  return cmocka_run_group_tests_name("conflicts", tests, NULL, NULL);
}
