/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar products over one to four devices, split by points, are byte for byte those of one device. Also what is
 * refused.
 */
#include "data.h"
#include "group.h"
#include "points_data.h"

#include <reprise/msm.h>

#include <stdio.h>

enum { POINT = 192 };

static group the_group;

/* rp_msm on the first device. */
static void one_device(rp_curve curve, const uint8_t *scalars, const uint8_t *points, uint64_t n, uint8_t *result) {
  rp_graph *g;
  rp_recording *recording;
  rp_error err = {0};
  assert_int_equal(rp_graph_create(the_group.context, "one", &g, NULL), RP_OK);
  const rp_value s = rp_graph_input(g, "scalars", &RP_TYPE_U256, n, 0),
                 p = rp_graph_constant(g, "points", rp_type_affine(curve), n, points, RP_BORROW);
  rp_graph_output(g, "sum", rp_to_affine(g, rp_msm(g, s, p, NULL)), 0);
  if (rp_record(the_group.devices[0], g, NULL, &recording, &err)) fail_msg("%s", err.reason);
  const rp_replay_input in = {.name = "scalars", .data = scalars, .size_bytes = 32 * n};
  const rp_replay_output out = {.name = "sum", .data = result, .size_bytes = rp_type_affine(curve)->size_bytes};
  if (rp_replay(recording, &in, 1, &out, 1, &err)) fail_msg("%s", err.reason);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
}

static uint8_t *random_scalars(rp_curve curve, uint64_t n, uint64_t seed, data_kind kind) {
  void *elements = data_field(rp_curve_get(curve)->scalar, kind, seed, n);
  uint8_t *scalars = data_canonical(rp_curve_get(curve)->scalar, elements, n);
  free(elements);
  return scalars;
}

static rp_msm_group *open_group(rp_curve curve, const uint8_t *points, uint64_t n, uint32_t bits, uint32_t tables) {
  const rp_msm_group_options o = {
      .struct_size = sizeof o, .split = RP_MSM_SPLIT_POINTS, .window_bits = bits, .tables = tables};
  rp_msm_group *msm;
  rp_error err = {0};
  if (rp_msm_group_create(the_group.devices, the_group.n, curve, points, n, &o, &msm, &err)) fail_msg("%s", err.reason);
  return msm;
}

static void check(rp_curve curve, uint64_t n, uint32_t bits, data_kind kind) {
  int64_t *multiples = malloc(n * sizeof *multiples);
  const rp_curve_host *c = rp_curve_get(curve);
  uint8_t *points = data_points(curve, POINT_DISTINCT, n, multiples);
  for (uint64_t i = 3; i < n; i += 19) c->identity(points + i * c->affine_bytes);
  rp_msm_group *msm = open_group(curve, points, n, bits, 1);
  for (uint64_t run = 0; run < 2; run++) { /* with other scalars */
    uint8_t *scalars = random_scalars(curve, n, n + run, kind), want[POINT] = {0}, got[POINT] = {0};
    rp_error err = {0};
    one_device(curve, scalars, points, n, want);
    if (rp_msm_group_run(msm, scalars, got, &err)) fail_msg("%s", err.reason);
    assert_memory_equal(got, want, sizeof got);
    free(scalars);
  }
  rp_msm_group_destroy(msm);
  free(points);
  free(multiples);
}

static void products_are_those_of_one_device(void **state) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G2, RP_CURVE_BANDERWAGON};
  (void)state;
  for (uint32_t n = 1; n <= 4; n++) {
    group_open(&the_group, n);
    for (size_t i = 0; i < 3 && the_group.n == n; i++) {
      for (uint64_t len = 1; len < 6; len++) check(curves[i], len, 0, DATA_EDGES); /* devices without a point */
      check(curves[i], 701, 0, DATA_RANDOM);
      check(curves[i], 701, 7, DATA_SPARSE);
    }
    if (the_group.n == n && data_fits(1 << 13)) check(RP_CURVE_BN254_G1, (1 << 13) + 5, 0, DATA_RANDOM);
    group_close(&the_group);
  }
}

static void what_is_not_allowed(void **state) {
  enum { N = 40 };
  const rp_curve curve = RP_CURVE_BN254_G1;
  int64_t multiples[N];
  (void)state;
  group_open(&the_group, 2);
  uint8_t *points = data_points(curve, POINT_DISTINCT, N, multiples),
          *scalars = random_scalars(curve, N, 5, DATA_RANDOM);
  const rp_msm_group_options o = {.struct_size = sizeof o, .split = RP_MSM_SPLIT_POINTS},
                             unknown = {.struct_size = sizeof o, .split = (rp_msm_split)3};
  rp_device *const twice[] = {the_group.devices[0], the_group.devices[0]};
  rp_msm_group *msm;
  rp_error err = {0};
  assert_int_equal(rp_msm_group_create(twice, 2, curve, points, N, &o, &msm, &err), RP_ERR_ARGUMENT);
  assert_null(msm);
  assert_int_equal(rp_msm_group_create(the_group.devices, 1, curve, points, N, &unknown, &msm, &err), RP_ERR_ARGUMENT);
  msm = open_group(curve, points, N, 0, 0);
  assert_int_equal(rp_msm_group_windows(msm, 0), 0);
  uint8_t got[POINT];
  memset(scalars + 32 * (N - 1), 0xff, 32); /* of the last device */
  assert_int_equal(rp_msm_group_run(msm, scalars, got, &err), RP_ERR_INPUT);
  char device[16];
  snprintf(device, sizeof device, "device %u (", the_group.n - 1);
  assert_non_null(strstr(err.reason, device));
  memset(scalars + 32 * (N - 1), 0, 32);
  assert_int_equal(rp_msm_group_run(msm, scalars, got, &err), RP_OK);
  rp_msm_group_destroy(msm);
  free(points);
  free(scalars);
  group_close(&the_group);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_those_of_one_device),
                                     cmocka_unit_test(what_is_not_allowed)};
  return cmocka_run_group_tests_name("products over several devices", tests, NULL, NULL);
}
