/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums in a tree are computed in one order on every device, whatever its lanes and blocks: neighbours are added first,
 * then their sums. Only the coordinates of the accumulators show the order; affine points and encodings do not.
 */
#include <reprise/ops.h>

#include "data.h"
#include "device.h"
#include "points_data.h"

enum { AFFINE_BYTES = 192, ACC_BYTES = 384, WIDTH_MOST = 2500 };

static uint64_t points[WIDTH_MOST * AFFINE_BYTES / 8], given[WIDTH_MOST * ACC_BYTES / 8];
static uint64_t sums[WIDTH_MOST * ACC_BYTES / 8], want[WIDTH_MOST * ACC_BYTES / 8], got[WIDTH_MOST * ACC_BYTES / 8];

static uint8_t *at(uint64_t *array, uint64_t i, uint32_t bytes) { return (uint8_t *)array + i * bytes; }

/* Computes `want`, the sums of the groups, from the accumulators in `given`. */
static void sum_groups(const rp_curve_host *c, uint64_t width, uint64_t groups) {
  const uint32_t bytes = c->accumulator_bytes;
  memcpy(sums, given, width * groups * bytes);
  for (uint64_t g = 0; g < groups; g++) {
    for (uint64_t stride = 1; stride < width; stride *= 2)
      for (uint64_t i = 0; i + stride < width; i += 2 * stride)
        c->acc_add(at(sums, g * width + i, bytes), at(sums, g * width + i, bytes),
                   at(sums, g * width + i + stride, bytes));
    memcpy(at(want, g, bytes), at(sums, g * width, bytes), bytes);
  }
}

static void check(const rp_curve_host *c, int affine, uint64_t width, uint64_t groups, const char *what) {
  const uint32_t bytes = c->accumulator_bytes;
  job j;
  sum_groups(c, width, groups);
  memset(got, 0xa5, groups * bytes);
  job_begin(&j);
  const rp_value in = affine ? job_input(&j, rp_type_affine(c->id), width * groups, points)
                             : job_input(&j, rp_type_accumulator(c->id), width * groups, given);
  job_output(&j, rp_tree_reduce(j.graph, in, width), got);
  job_check(&j);
  for (uint64_t g = 0; g < groups; g++)
    if (memcmp(at(got, g, bytes), at(want, g, bytes), bytes))
      fail_msg("%s on %s: sum %llu of %llu %s has other coordinates", c->name, device_name(), (unsigned long long)g,
               (unsigned long long)width, what);
}

/* Sums affine points, then accumulators, then accumulators of which every third is doubled. Infinity among them has the
 * coordinates that the library gives it. */
static void check_width(rp_curve curve, point_kind kind, uint64_t width, uint64_t groups) {
  const rp_curve_host *c = rp_curve_get(curve);
  const uint64_t n = width * groups;
  int64_t *multiples = malloc(n * sizeof *multiples);
  void *made = data_points(curve, kind, n, multiples);
  memcpy(points, made, n * c->affine_bytes);
  for (uint64_t i = 0; i < n; i++)
    c->acc_from_affine(at(given, i, c->accumulator_bytes), at(points, i, c->affine_bytes));
  check(c, 1, width, groups, "affine points");
  check(c, 0, width, groups, "accumulators");
  for (uint64_t i = 0; i < n; i += 3)
    c->acc_double(at(given, i, c->accumulator_bytes), at(given, i, c->accumulator_bytes));
  check(c, 0, width, groups, "accumulators, some doubled");
  free(made), free(multiples);
}

static void coordinates(void **state) {
  static const uint64_t widths[][2] = {{2, 3},    {8, 3},    {15, 3},   {16, 3},  {17, 2},  {24, 2},
                                       {31, 2},   {57, 2},   {64, 3},   {67, 1},  {255, 2}, {256, 3},
                                       {1000, 1}, {1024, 2}, {1025, 1}, {2500, 1}};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
      for (point_kind kind = 0; kind < POINT_KINDS; kind++)
        if (data_fits(widths[i][0])) check_width(curve, kind, widths[i][0], widths[i][1]);
}

/* The width of Verkle nodes, for which GPUs have a kernel of its own, whatever the sizes are that other tests are cut
 * to. A second group of other points follows the first. */
static void fixed_width(void **state) {
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (point_kind kind = 0; kind < POINT_KINDS; kind++) check_width(curve, kind, 256, 2);
}

static void fixed_width_has_its_kernel(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  const rp_curve curve = data_curve(0);
  job j;
  (void)state;
  rp_device_get_info(device_current(), &info);
  memset(points, 0, 256 * rp_curve_get(curve)->affine_bytes);
  job_begin(&j);
  j.strategy_of = "tree_reduce";
  job_output(&j, rp_tree_reduce(j.graph, job_input(&j, rp_type_affine(curve), 256, points), 256), got);
  job_check(&j);
  assert_string_equal(j.strategy, info.kind == RP_DEVICE_CPU ? "blocks" : "w256");
}

/* Infinity may have other coordinates than those that the library gives it (X and Y not zero, ZZ = ZZZ = 0). It keeps
 * them where nothing is added to it. */
static void other_zeros(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  if (info.kind != RP_DEVICE_CPU) return;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    uint64_t point[AFFINE_BYTES / 8], zero[ACC_BYTES / 8];
    if (curve == RP_CURVE_BANDERWAGON) continue; /* in its coordinates the Z of the neutral element is not zero */
    c->generator(point);
    c->acc_from_affine(zero, point);
    memset((uint8_t *)zero + c->accumulator_bytes / 2, 0, c->accumulator_bytes / 2); /* ZZ and ZZZ */
    for (uint64_t width = 9; width < 48; width++) {
      for (uint64_t i = 0; i < width; i++) memcpy(at(given, i, c->accumulator_bytes), zero, c->accumulator_bytes);
      check(c, 0, width, 1, "zeros");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coordinates), cmocka_unit_test(fixed_width),
                                     cmocka_unit_test(fixed_width_has_its_kernel), cmocka_unit_test(other_zeros)};
  return device_run_tests("neighbours", tests, sizeof tests / sizeof tests[0]);
}
