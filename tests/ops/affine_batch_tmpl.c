/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batches of affine additions against single ones: test_affine_batch.c.
 */
#include "points/points_cpu.h"
#include "points/affine_batch.h"
#include "affine_batch_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <cmocka.h>

enum { POINTS = 64, MOST = 100, ROUNDS = 80 };

static uint64_t seed = 1;

static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Infinity first; then for each multiple of a point that is drawn, the point and its negative. */
static void draw_points(aff points[POINTS]) {
  acc sum;
  aff step;
  const uint64_t k[4] = {next_random(), next_random(), next_random(), next_random() >> 8};
  aff_generator(&step);
  acc_mul(&sum, &step, k, 4);
  acc_to_aff(&step, &sum);
  aff_zero(&points[0]);
  aff_zero(&points[1]);
  for (int i = 2; i < POINTS; i += 2) {
    acc_to_aff(&points[i], &sum);
    aff_neg(&points[i + 1], &points[i]);
    acc_add_aff(&sum, &sum, &step);
  }
}

static void add_one(aff *r, const aff *p, const aff *q) {
  acc sum;
  acc_from_aff(&sum, p);
  acc_add_aff(&sum, &sum, q);
  acc_to_aff(r, &sum);
}

/* One batch. Of 256 points, `special` are drawn from so few that equal and opposite ones meet, and infinity. In place,
 * the result of a pair replaces its own first operand or that of the pair before it. */
static void check(uint32_t n, unsigned special, bool in_place) {
  static char memory[MOST * 512] __attribute__((aligned(64)));
  aff source[POINTS], points[2 * MOST], out[2 * MOST], want[2 * MOST];
  pair_memory m;
  assert_true(rp_pair_memory_bytes(n, FE_BYTES) <= sizeof memory);
  draw_points(source);
  pair_memory_map(&m, memory, n);
  for (uint32_t i = 0; i < 2 * n; i++) {
    uint64_t at = 2 + next_random() % (POINTS - 2);
    if (next_random() % 256 < special) at = i & 1 ? next_random() % 4 : next_random() % 6;
    points[i] = source[at];
  }
  memcpy(want, points, sizeof want);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t dst = !in_place ? i : 2 * (i && next_random() % 2 ? i - 1 : i);
    m.pairs[i] = (point_pair){.a = 2 * i, .b = 2 * i + 1, .dst = dst, .kind = 77};
    add_one(&want[dst], &points[2 * i], &points[2 * i + 1]);
  }
  if (in_place) {
    pair_add(&m, n, points);
    memcpy(out, points, sizeof out);
  } else {
    pair_add_to(&m, n, points, out);
  }
  for (uint32_t i = 0; i < n; i++) assert_memory_equal(&out[m.pairs[i].dst], &want[m.pairs[i].dst], sizeof(aff));
}

void RP_FN(test_affine_batch)(void) {
  static const unsigned special[] = {0, 8, 64, 200};
  for (uint32_t n = 0; n < 20; n++) check(n, special[n % 4], n & 1);
  for (unsigned i = 0; i < ROUNDS; i++) check((uint32_t)(next_random() % (MOST + 1)), special[i % 4], i & 4);
}
