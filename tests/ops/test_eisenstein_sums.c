/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products by digits of Eisenstein integers, from scalars and points to the sum, against the known multiple of the
 * generator.
 *
 * op-test lavapipe:slow curves:bn254_g1 log:6 least
 */
#include "data.h"
#include "device.h"
#include "points_data.h"

#include "msm/eisenstein.h"

#include <stdio.h>

typedef uint8_t bytes;

static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1, RP_CURVE_BN254_G2, RP_CURVE_BLS12_381_G2};
enum { N_CURVES = sizeof curves / sizeof *curves };

/* The product over all points, and over those in a support. */
static void check(rp_curve curve, scalar_kind sk, point_kind pk, uint64_t n, uint32_t windows) {
  int64_t *multiples = malloc(n * sizeof *multiples);
  bytes *scalars = data_scalars(curve, sk, n + windows, n), *points = data_points(curve, pk, n, multiples);
  uint32_t *support = calloc((n + 31) / 32, sizeof *support);
  uint64_t got[2][24], want[24], seed = n;
  char what[96];
  job j;
  assert_non_null(support);
  for (uint64_t i = 0; i < (n + 31) / 32; i++) support[i] = (uint32_t)data_next(&seed);
  job_begin(&j);
  const rp_value of = rp_eisenstein_multiples(j.graph, job_input(&j, rp_type_affine(curve), n, points), windows);
  const rp_buckets all = rp_eisenstein_matrix(j.graph, job_input(&j, &RP_TYPE_U256, n, scalars), curve, windows);
  const rp_buckets some = rp_bucket_filter(j.graph, &all, job_input(&j, &RP_TYPE_U32, (n + 31) / 32, support));
  job_output(&j, rp_to_affine(j.graph, rp_eisenstein_sums(j.graph, &all, of, windows)), got[0]);
  job_output(&j, rp_to_affine(j.graph, rp_eisenstein_sums(j.graph, &some, of, windows)), got[1]);
  job_check(&j);
  for (int which = 0; which < 2; which++) {
    for (uint64_t i = 0; which && i < n; i++)
      if (!(support[i / 32] >> i % 32 & 1)) multiples[i] = 0;
    data_msm(curve, scalars, multiples, n, want);
    snprintf(what, sizeof what, "%u windows, n=%llu, scalars %d, points %d, filter %d", windows, (unsigned long long)n,
             sk, pk, which);
    data_assert_points(curve, got[which], want, 1, what);
  }
  free(support);
  free(points);
  free(scalars);
  free(multiples);
}

static bool is_tested(rp_curve curve) { return data_curve(curve) == curve; }

static void test_products(void **state) {
  (void)state;
  for (int i = 0; i < N_CURVES; i++)
    for (scalar_kind sk = 0; sk < SCALAR_KINDS && is_tested(curves[i]); sk++) {
      check(curves[i], sk, (point_kind)(sk % POINT_KINDS), 37, 43);
      if (!device_is_software()) check(curves[i], sk, POINT_DISTINCT, 130, 20);
    }
}

/* Many buckets for the points, and one scalar. */
static void test_windows(void **state) {
  (void)state;
  for (int i = 0; i < N_CURVES; i++) {
    if (!is_tested(curves[i])) continue;
    check(curves[i], SCALAR_RANDOM, POINT_DISTINCT, 1, 20);
    check(curves[i], SCALAR_RUNS, POINT_DISTINCT, 5, device_is_software() ? 24 : 12);
  }
}

/* Kernels use the contents of a matrix as indices, unchecked, so that its dimensions must fit the rest. */
static void test_refused(void **state) {
  enum { N = 40, WINDOWS = 20 };
  const rp_curve curve = RP_CURVE_BN254_G1;
  (void)state;
  for (int what = 0; what < 6; what++) {
    job j;
    job_begin(&j);
    rp_graph *g = j.graph;
    const rp_value scalars = rp_graph_input(g, "scalars", &RP_TYPE_U256, N, 0);
    const rp_bucket_options usual = {
        .struct_size = sizeof usual, .curve = curve, .window_bits = 5, .merged = what == 4 ? 51 : 0};
    rp_buckets b = rp_eisenstein_matrix(g, scalars, curve, WINDOWS);
    uint64_t n = 3 * WINDOWS * N;
    uint32_t windows = WINDOWS;
    rp_curve of = curve;
    switch (what) {
    case 0: break; /* nothing wrong */
    case 1: n--; break;
    case 2: windows++; break;
    case 3:
      b.entries = rp_eisenstein_matrix(g, rp_graph_input(g, "others", &RP_TYPE_U256, N, 0), curve, WINDOWS).entries;
      break;
    case 4:
      b = rp_bucket_matrix(g, scalars, &usual);
      n = b.n * b.merged, windows = b.merged / 3;
      break;
    default: of = RP_CURVE_SECP256K1;
    }
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    rp_eisenstein_sums(g, &b, rp_graph_input(g, "points", rp_type_affine(of), n, 0), windows);
    if ((rp_graph_error(g)->status == RP_OK) != (what == 0)) fail_msg("case %d: %s", what, rp_graph_error(g)->reason);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_windows),
      cmocka_unit_test(test_refused),
  };
  return device_run_tests("eisenstein_sums", tests, sizeof tests / sizeof *tests);
}
