/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constant points of the caller at addresses that no element would have (RP_ANY_ADDRESS). A CPU uses those of a product
 * in place, with every instruction set, and copies those that another operation needs aligned.
 *
 * op-test lavapipe:none A GPU copies all constants, wherever they lie.
 */
#include "data.h"
#include "device.h"
#include "points_data.h"

#include <stdbool.h>
#include <stdio.h>

enum { FURTHEST = 63 };

/* The points as bytes at `offset` from an address that is a multiple of 64. */
typedef struct moved {
  uint8_t *memory, *points;
} moved;

static moved move_to(const void *points, uint64_t bytes, uint32_t offset) {
  moved m = {.memory = aligned_alloc(64, (bytes + FURTHEST + 64) / 64 * 64)};
  assert_non_null(m.memory);
  m.points = m.memory + offset;
  memcpy(m.points, points, bytes);
  return m;
}

/* Whether this device uses points of that curve in place, at that offset. */
static bool in_place(rp_curve curve, uint32_t offset) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device_current(), &info);
  return info.limits.host_visible &&
         (offset % rp_type_affine(curve)->align_bytes == 0 || curve != RP_CURVE_BANDERWAGON);
}

static uint64_t borrowed_bytes(const rp_graph *g) {
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  if (rp_plan_query(device_current(), g, NULL, &info, &err) != RP_OK) fail_msg("%s", err.reason);
  return info.borrowed_bytes;
}

static void check(rp_curve curve, scalar_kind sk, point_kind pk, uint64_t n, uint32_t offset) {
  const uint64_t bytes = n * rp_type_affine(curve)->size_bytes;
  int64_t *multiples = malloc(n * sizeof *multiples);
  uint8_t *scalars = data_scalars(curve, sk, n, n);
  void *points = data_points(curve, pk, n, multiples);
  moved m = move_to(points, bytes, offset);
  uint64_t got[24], want[24];
  char what[96];
  job j;
  job_begin(&j);
  const rp_value s = job_input(&j, &RP_TYPE_U256, n, scalars);
  const rp_value p = rp_graph_constant(j.graph, "points", rp_type_affine(curve), n, m.points, RP_BORROW);
  job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, NULL)), got);
  assert_int_equal(borrowed_bytes(j.graph), in_place(curve, offset) ? bytes : 0);
  job_check(&j);
  data_msm(curve, scalars, multiples, n, want);
  snprintf(what, sizeof what, "n=%llu scalars %d points %d offset %u", (unsigned long long)n, sk, pk, offset);
  data_assert_points(curve, got, want, 1, what);
  assert_memory_equal(m.points, points, bytes);
  free(m.memory);
  free(points);
  free(scalars);
  free(multiples);
}

static void test_products(void **state) {
  static const uint32_t offsets[] = {4, 1, 60, FURTHEST, 8};
  enum { N = 2500 }; /* few enough for a window of every kind, more than are multiplied without buckets */
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
      check(curve, SCALAR_RANDOM, POINT_DISTINCT, N, offsets[i]);
      check(curve, SCALAR_BITS, POINT_INFINITY, N, offsets[i]);
      check(curve, SCALAR_EQUAL, POINT_OPPOSITE, N, offsets[i]);
    }
}

/* A second reader that needs aligned points: both get the copy. */
static void test_other_readers(void **state) {
  enum { N = 300 };
  const rp_curve curve = RP_CURVE_BN254_G1;
  (void)state;
  if (data_curve(curve) != curve) return;
  int64_t *multiples = malloc(N * sizeof *multiples);
  uint8_t *scalars = data_scalars(curve, SCALAR_RANDOM, 1, N);
  void *points = data_points(curve, POINT_DISTINCT, N, multiples);
  moved m = move_to(points, N * 64, 4);
  uint64_t got[24], want[24];
  uint8_t *doubled = malloc(N * 64);
  job j;
  job_begin(&j);
  const rp_value s = job_input(&j, &RP_TYPE_U256, N, scalars);
  const rp_value p = rp_graph_constant(j.graph, "points", rp_type_affine(curve), N, m.points, RP_BORROW);
  job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, NULL)), got);
  job_output(&j, rp_to_affine(j.graph, rp_point_add(j.graph, p, p)), doubled);
  assert_int_equal(borrowed_bytes(j.graph), 0);
  job_check(&j);
  data_msm(curve, scalars, multiples, N, want);
  data_assert_points(curve, got, want, 1, "beside doublings");
  for (int i = 0; i < N; i++) {
    uint64_t twice[8];
    rp_curve_get(curve)->add(twice, (uint8_t *)points + i * 64, (uint8_t *)points + i * 64);
    assert_memory_equal(doubled + i * 64, twice, sizeof twice);
  }
  free(doubled);
  free(m.memory);
  free(points);
  free(scalars);
  free(multiples);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_other_readers)};
  return device_run_tests("any_address", tests, sizeof tests / sizeof *tests);
}
