/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The test of many points at once. With known coins, points outside the subgroup are placed where only one sum detects
 * them, which shows that each sum is tested; with random coins, they are placed wherever an attacker would put them.
 */
#include "common.h"

#include "groth16/prover/subgroup_batch.h"
#include "ops/torsion.h"

#include <math.h>

/* ---- The bound that subgroup_grid.h states ----------------------------------------------------------------------- */

static double log2_choose(double n, double k) { return (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)) / log(2); }

/* A bound on the logarithm (base 2) of the probability that w bad points are overlooked. */
static double log2_overlooked(const g16_grid *grid, uint32_t w) {
  double sets = 0, box = 1;
  for (int k = 0; k < G16_GRID_DIMENSIONS; k++) {
    const double side = grid->side[k], values = fmin(w / 8, side);
    sets += log2_choose(side, values);
    box *= values;
  }
  return fmin(0, sets + log2_choose(box, w) - log2_choose(grid->cells, w)) - 4 * pow(w, 0.75);
}

static void the_error_is_below_what_the_header_says(void **state) {
  (void)state;
  for (uint64_t points = 1; points <= G16_GRID_MOST; points += points < 40000 ? 9999 : 4999) {
    const g16_grid grid = g16_grid_of(points);
    assert_true(grid.cells >= points);
    for (int k = 0; k < G16_GRID_DIMENSIONS; k++) {
      assert_true(grid.side[k] >= G16_GRID_LEAST_SIDE);
      assert_int_equal(grid.lines[k], grid.cells / grid.side[k]);
      assert_true(grid.lines[k] < 1u << (grid.window_bits - 1));
    }
    for (uint32_t w = 16; w < 1000; w++)
      if (log2_overlooked(&grid, w) > -137)
        fail_msg("%u of %u cells: 2^%.1f", w, (unsigned)grid.cells, log2_overlooked(&grid, w));
  }
}

/* ---- The digits -------------------------------------------------------------------------------------------------- */

static rp_status draw_zeros(void *out, size_t bytes) {
  memset(out, 0, bytes);
  return RP_OK;
}

/* The digits of a scalar, recoded as the kernels do: a scalar above half of the order counts as negative. */
static void read_digits(const rp_curve_host *curve, const uint8_t *scalar, uint32_t bits, int64_t digit[4]) {
  uint64_t value = 0;
  const int negative = scalar[31] != 0;
  int borrow = 0;
  for (int i = 0; i < 32; i++) {
    int byte = scalar[i];
    if (negative) {
      byte = curve->order_le[i] - byte - borrow;
      borrow = byte < 0;
    }
    if (i < 8)
      value |= (uint64_t)(byte & 0xff) << 8 * i;
    else
      assert_int_equal(byte & 0xff, 0);
  }
  for (int k = 0; k < 4; k++) {
    int64_t d = (int64_t)(value & (((uint64_t)1 << bits) - 1));
    value >>= bits;
    if (d >> (bits - 1)) d -= (int64_t)1 << bits, value++;
    digit[k] = negative ? -d : d;
  }
}

static void each_point_has_a_cell_of_its_own(void **state) {
  static const uint64_t sizes[] = {1, 38416, 38417, 100000};
  static const rp_curve curves[] = {RP_CURVE_BLS12_381_G1, RP_CURVE_BN254_G2};
  (void)state;
  rp_context *context;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (int at = 0; at < 8; at++) {
    const uint64_t n = sizes[at / 2];
    const rp_curve_host *curve = rp_curve_get(curves[at % 2]);
    const g16_grid grid = g16_grid_of(n);
    uint8_t *scalars = malloc(n * 32), *again = malloc(n * 32), *taken = calloc(grid.cells, 1);
    uint64_t minus[4] = {0};
    assert_int_equal(g16_grid_scalars(context, &grid, curve, n, rp_random_bytes, scalars), RP_OK);
    assert_int_equal(g16_grid_scalars(context, &grid, curve, n, rp_random_bytes, again), RP_OK);
    assert_memory_not_equal(scalars, again, n * 32);
    for (uint64_t i = 0; i < n; i++) {
      int64_t digit[4];
      read_digits(curve, scalars + i * 32, grid.window_bits, digit);
      /* The line along dimension 0 gives the other coordinates, and the line along dimension 1 gives coordinate 0. */
      const uint32_t others = (uint32_t)llabs(digit[0]) - 1, first = ((uint32_t)llabs(digit[1]) - 1) % grid.side[0];
      const uint32_t cell = others * grid.side[0] + first;
      assert_true(cell < grid.cells && !taken[cell]);
      taken[cell] = 1;
      for (uint32_t k = 0; k < 4; k++) {
        assert_int_equal(llabs(digit[k]) - 1, g16_grid_line(&grid, cell, k));
        minus[k] += digit[k] < 0;
      }
    }
    for (int k = 0; k < 4 && n > 1; k++) assert_in_range(minus[k], n / 2 - n / 32, n / 2 + n / 32);
    free(taken), free(again), free(scalars);
  }
  rp_context_destroy(context);
}

/* ---- Points on a device ------------------------------------------------------------------------------------------ */

typedef struct points {
  const rp_curve_host *curve;
  uint8_t *at;
  uint64_t n;
} points;

/* There are few different points, since only their positions matter. Equal and opposite points meet in sums. */
static points make_points(rp_curve id, uint64_t n) {
  points p = {rp_curve_get(id), malloc(n * rp_curve_get(id)->affine_bytes), n};
  g16_g2 point, generator;
  p.curve->generator(&generator);
  point = generator;
  for (uint64_t i = 0; i < n; i++) {
    if (i < 64) p.curve->add(&point, &point, &generator);
    memcpy(p.at + i * p.curve->affine_bytes, i < 64 ? (uint8_t *)&point : p.at + i % 64 * p.curve->affine_bytes,
           p.curve->affine_bytes);
  }
  return p;
}

static void add_to(const points *p, uint64_t i, const void *torsion, int minus) {
  g16_g2 t;
  uint8_t *point = p->at + i * p->curve->affine_bytes;
  memcpy(&t, torsion, p->curve->affine_bytes);
  if (minus) p->curve->neg(&t, &t);
  p->curve->add(point, point, &t);
}

static void expect(bench *b, const points *p, g16_random_fn coins, int good, const char *what, uint64_t which) {
  const g16_point_array array = {p->at, p->n};
  const g16_subgroup_job job = {.context = b->context,
                                .device = b->device,
                                .curve = p->curve->id,
                                .n_arrays = 1,
                                .arrays = &array,
                                .random = coins};
  rp_error err = {0};
  g16_verdict verdict;
  EXPECT(RP_OK, g16_subgroup_batch(&job, &verdict, &err), &err);
  if (verdict != (good ? G16_ALL_GOOD : G16_NOT_ALL))
    fail_msg("%s, %d: %s", what, (int)which, verdict == G16_ALL_GOOD ? "overlooked" : "not passed");
}

/* The coins of the first grid: point i is in cell i, and all signs are plus, except for one point. The coins of later
 * grids are random. */
static struct {
  int calls;
  uint64_t swapped, signed_point;
  uint8_t signs;
} coins;

static rp_status first_known(void *out, size_t bytes) {
  uint8_t *random = out;
  if (coins.calls++ > 1) return rp_random_bytes(out, bytes);
  memset(out, 0, bytes);
  if (coins.calls == 1) memset(random + 8 * coins.swapped + 4, coins.swapped ? 0x0f : 0, 2);
  if (coins.calls == 2) random[coins.signed_point] = coins.signs;
  return RP_OK;
}

/* Adds t or -t to the corners of a box, so that the lines along its dimensions add up to zero. With `minus`, removes
 * them. */
static void add_box(const points *p, const g16_grid *grid, unsigned dimensions, const void *torsion, int minus) {
  static const uint32_t low[4] = {1, 3, 0, 2}, high[4] = {5, 13, 9, 12};
  for (unsigned corner = 0; corner < 16; corner++) {
    uint64_t cell = 0;
    if (corner & ~dimensions) continue;
    for (int k = 3; k >= 0; k--) cell = cell * grid->side[k] + (corner >> k & 1 ? high[k] : low[k]);
    add_to(p, cell, torsion, (__builtin_popcount(corner) & 1) ^ minus);
  }
}

enum { CORNER = 1 + 14 * (3 + 14 * (0 + 14 * 2)) }; /* cell of one corner of the box */

static void every_dimension_and_sign_counts(void **state) {
  bench *b = *state;
  const uint64_t n = 14 * 14 * 14 * 14;
  const points p = make_points(RP_CURVE_BLS12_381_G1, n);
  const g16_grid grid = g16_grid_of(n);
  g16_g2 torsion;
  torsion_point(p.curve->id, 3, 1, &torsion);
  expect(b, &p, NULL, 1, "good points", 0);
  for (unsigned k = 0; k < 4; k++) { /* only the lines along dimension k detect it */
    memset(&coins, 0, sizeof coins);
    add_box(&p, &grid, 0xfu & ~(1u << k), &torsion, 0);
    expect(b, &p, first_known, 0, "a box without dimension", k);
    add_box(&p, &grid, 0xfu & ~(1u << k), &torsion, 1);
  }
  add_box(&p, &grid, 0xfu, &torsion, 0);
  memset(&coins, 0, sizeof coins);
  expect(b, &p, first_known, 1, "a box that nothing sees whose coins are known", 0);
  for (unsigned k = 0; k < 4; k++) {
    memset(&coins, 0, sizeof coins);
    coins.signed_point = CORNER, coins.signs = (uint8_t)(1u << k);
    expect(b, &p, first_known, 0, "a box with another sign in dimension", k);
  }
  memset(&coins, 0, sizeof coins);
  coins.swapped = CORNER;
  expect(b, &p, first_known, 0, "a box with a corner elsewhere", 0);
  expect(b, &p, NULL, 0, "a box under the system's coins", 0);
  free(p.at);
}

/* Scalars of the last stage, 17 bytes each: all are zero except two. */
static struct {
  int has_second;
  unsigned first_bit, second_bit;
} digits;

static rp_status two_scalars(void *out, size_t bytes) {
  uint8_t *scalar = out;
  memset(out, 0, bytes);
  scalar[digits.first_bit / 8] = (uint8_t)(1u << digits.first_bit % 8);
  if (digits.has_second) scalar[17] = (uint8_t)(1u | 1u << digits.second_bit);
  return RP_OK;
}

static void every_window_and_bit_counts(void **state) {
  bench *b = *state;
  const points p = make_points(RP_CURVE_BLS12_381_G1, 3000);
  g16_g2 torsion;
  torsion_point(p.curve->id, 11, 1, &torsion);
  add_to(&p, 0, &torsion, 0);
  memset(&digits, 0, sizeof digits);
  for (unsigned bit = 0; bit < 136; bit += bit % 8 == 0 ? 7 : 1) {
    digits.first_bit = bit;
    expect(b, &p, two_scalars, 0, "a point in one bucket, by bit", bit);
  }
  digits.first_bit = 0;
  digits.has_second = 1;
  add_to(&p, 1, &torsion, 1); /* the two add up to zero */
  for (digits.second_bit = 1; digits.second_bit < 6; digits.second_bit++)
    expect(b, &p, two_scalars, 0, "buckets that differ in bit", digits.second_bit);
  expect(b, &p, draw_zeros, 1, "no coins", 0);
  expect(b, &p, NULL, 0, "the system's coins", 0);
  free(p.at);
}

static void points_outside_are_found_anywhere(void **state) {
  static const struct {
    rp_curve curve;
    uint64_t n, chunk;
  } cases[] = {
      {RP_CURVE_BLS12_381_G1, 65536, 65536}, {RP_CURVE_BLS12_381_G2, 90000, 45000}, {RP_CURVE_BN254_G2, 65536, 65536}};
  bench *b = *state;
  for (int c = 0; c < 3; c++) {
    const points p = make_points(cases[c].curve, cases[c].n);
    const uint64_t *prime = torsion_primes(p.curve->id), border = cases[c].chunk;
    g16_g2 torsion, any;
    torsion_point(p.curve->id, prime[0], 1, &torsion);
    torsion_any(p.curve->id, 2, &any);
    for (int i = 0; i < 3; i++) { /* one point at a random place */
      uint32_t place;
      assert_int_equal(rp_random_bytes(&place, sizeof place), RP_OK);
      add_to(&p, place % p.n, i == 2 ? &any : &torsion, 0);
      expect(b, &p, NULL, 0, "a point at", place % p.n);
      add_to(&p, place % p.n, i == 2 ? &any : &torsion, 1);
    }
    add_to(&p, border - 1, &torsion, 0);
    expect(b, &p, NULL, 0, "the end of a chunk", border - 1);
    add_to(&p, border % p.n, &torsion, 1);
    expect(b, &p, NULL, 0, "a pair across a border", border);
    add_to(&p, border - 1, &torsion, 1);
    expect(b, &p, NULL, 0, "the beginning of a chunk", border % p.n);
    for (uint64_t i = 0; i < p.n; i++)
      if (i != border % p.n) add_to(&p, i, &torsion, (int)(i & 1));
    expect(b, &p, NULL, 0, "all points, by turns", 0);
    free(p.at);
  }
}

static void all_points_are_bad(void **state) {
  bench *b = *state;
  const points p = make_points(RP_CURVE_BLS12_381_G1, 50625);
  g16_g2 torsion;
  /* The grid has sides of 15, so without signs every line adds up to zero. */
  torsion_point(p.curve->id, 3, 1, &torsion);
  for (uint64_t i = 0; i < p.n; i++) add_to(&p, i, &torsion, 0);
  expect(b, &p, NULL, 0, "all points, alike", 0);
  for (uint64_t i = 0; i < p.n; i++) memcpy(p.at + i * p.curve->affine_bytes, &torsion, p.curve->affine_bytes);
  expect(b, &p, NULL, 0, "nothing but a point of order 3", 0);
  free(p.at);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_error_is_below_what_the_header_says),
      cmocka_unit_test(each_point_has_a_cell_of_its_own),
      cmocka_unit_test_prestate(every_dimension_and_sign_counts, state),
      cmocka_unit_test_prestate(every_window_and_bit_counts, state),
      cmocka_unit_test_prestate(points_outside_are_found_anywhere, state),
      cmocka_unit_test_prestate(all_points_are_bad, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
