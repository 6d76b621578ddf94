/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digits of scalars as sparse matrices, and the whole product with points that begins with them.
 *
 * op-test lavapipe:slow curves:e97,banderwagon,bn254_g1 log:8 least label:sources
 *
 * mistake ops/msm/scalars_to_ell_cpu.c: "if (limb < 7) x |=" is "if (limb < 6) x |="
 * mistake ops/msm/scalars_to_ell_item.h: "> 32 && limb < 7)" is "> 32 && limb < 6)"
 */
#include "data.h"
#include "device.h"
#include "points_data.h"
#include "ref/points.h"

#include <stdio.h>

typedef uint8_t bytes;
typedef rp_scalars_to_ell_options ell_options;

static uint64_t up(uint64_t n, uint64_t d) { return (n + d - 1) / d; }

static void check(rp_curve curve, scalar_kind kind, uint64_t n, uint64_t rows, uint32_t bits, uint32_t first,
                  uint32_t windows) {
  const ell_options o = {.struct_size = sizeof o,
                         .curve = curve,
                         .window_bits = bits,
                         .first_window = first,
                         .windows = windows,
                         .rows = rows};
  const uint64_t places = windows * rows * up(n, rows);
  bytes *scalars = data_scalars(curve, kind, n + bits, n);
  uint32_t *got[3], *want[3];
  const uint64_t len[3] = {windows * rows, places, places};
  job j;
  for (int i = 0; i < 3; i++) got[i] = malloc(len[i] * 4), want[i] = malloc(len[i] * 4);
  job_begin(&j);
  const rp_ell m = rp_scalars_to_ell(j.graph, job_input(&j, &RP_TYPE_U256, n, scalars), &o);
  assert_int_equal(m.rows, windows * rows);
  assert_int_equal(m.cols, (uint64_t)windows << bits);
  assert_int_equal(m.width, up(n, rows));
  job_output(&j, m.row_len, got[0]);
  job_output(&j, m.col, got[1]);
  job_output(&j, m.val, got[2]);
  job_check(&j);
  ref_scalars_to_ell(scalars, n, rows, bits, first, windows, want[0], want[1], want[2]);
  for (int i = 0; i < 3; i++) {
    for (uint64_t at = 0; at < len[i]; at++)
      if (got[i][at] != want[i][at])
        fail_msg("%s, kind %d, n %llu, rows %llu, %u bits: output %d, element %llu is %u, not %u", device_name(), kind,
                 (unsigned long long)n, (unsigned long long)rows, bits, i, (unsigned long long)at, got[i][at],
                 want[i][at]);
    free(got[i]), free(want[i]);
  }
  free(scalars);
}

static void test_digits(void **state) {
  static const uint64_t shapes[][2] = {{1, 1}, {2, 1}, {7, 3}, {8, 4}, {33, 32}, {257, 64}, {1000, 129}, {5000, 5000}};
  static const uint32_t bits[] = {1, 3, 8, 13, 16, 23};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
      for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
        if (!data_fits(shapes[s][0])) continue;
        const uint32_t all = rp_msm_windows(curve, bits[b]);
        const scalar_kind kind = (scalar_kind)((s + b) % SCALAR_KINDS);
        check(curve, kind, shapes[s][0], shapes[s][1], bits[b], 0, all);
        check(curve, SCALAR_MINUS_ONE, shapes[s][0], shapes[s][1], bits[b], all - 1, 1);
        if (all > 3) check(curve, kind, shapes[s][0], shapes[s][1], bits[b], 1, all - 2);
      }
}

/* Scalars at and above the order are faults, whatever their digits. */
static void test_range(void **state) {
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (int wrong = 0; wrong < 4; wrong++) {
      const ell_options o = {.struct_size = sizeof o, .curve = curve, .window_bits = 4, .windows = 1, .rows = 3};
      bytes *scalars = data_scalars(curve, SCALAR_MINUS_ONE, 1, 8);
      uint32_t out[3];
      job j;
      if (wrong) memcpy(scalars + (size_t)wrong * 2 * 32 - 32, rp_curve_get(curve)->order_le, 32);
      if (wrong == 2) memset(scalars + 3 * 32, 0xff, 32);
      if (wrong == 3) memset(scalars + 5 * 32, 0, 16), scalars[5 * 32 + 16]++; /* above in the middle only */
      job_begin(&j);
      job_output(&j, rp_scalars_to_ell(j.graph, job_input(&j, &RP_TYPE_U256, 8, scalars), &o).row_len, out);
      assert_int_equal(job_run(&j), wrong ? RP_ERR_INPUT : RP_OK);
      if (wrong && !strstr(j.error.reason, "scalar is not below the group order")) fail_msg("%s", j.error.reason);
      free(scalars);
    }
}

/* Scalars, digits in ELLPACK, compressed rows, transpose, bucket sums, windows, result. Column 0 of each window has no
 * entries: without it at the front, it is the last bucket of the window before. */
static rp_value product(rp_graph *g, rp_value scalars, rp_value points, const ell_options *o, rp_spmv_scheme scheme) {
  const rp_ell ell = rp_scalars_to_ell(g, scalars, o);
  const rp_csr csr = rp_ell_to_csr(g, &ell), t = rp_csr_transpose(g, &csr);
  const rp_value rows[] = {rp_slice(g, t.row_ptr, 1, t.rows), rp_slice(g, t.row_ptr, t.rows, 1)};
  const rp_csr buckets = {
      .row_ptr = rp_concat(g, rows, 2), .col = t.val, .rows = t.rows, .cols = rp_value_len(g, points)};
  const uint32_t windows = (uint32_t)(ell.cols >> o->window_bits);
  const rp_buckets b = {.windows = windows,
                        .window_bits = o->window_bits,
                        .buckets = 1u << o->window_bits,
                        .n = rp_value_len(g, points),
                        .merged = 1};
  return rp_window_reduce(g, &b, rp_bucket_reduce(g, &b, rp_spmv_points(g, &buckets, points, scheme)));
}

static void test_product(void **state) {
  static const uint64_t sizes[] = {1, 5, 14, 300};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (scalar_kind kind = 0; kind < SCALAR_KINDS; kind++) {
        if (device_is_software() && kind % 3 != s % 3) continue;
        const uint64_t n = sizes[s];
        const point_kind pk = (point_kind)((s + kind) % POINT_KINDS);
        const ell_options o = {
            .struct_size = sizeof o, .curve = curve, .window_bits = s % 2 ? 4 : 5, .rows = up(n, 1 + kind)};
        const rp_field field = rp_curve_scalar_field(curve);
        const int montgomery = kind % 2 && curve != RP_CURVE_E97;
        int64_t *multiples = malloc(n * sizeof *multiples);
        bytes *scalars = data_scalars(curve, kind, n, n), *elements = NULL;
        void *points = data_points(curve, pk, n, multiples);
        uint64_t got[24], want[24];
        job j;
        if (!data_fits(n)) goto next;
        if (montgomery) elements = data_from_canonical(field, scalars, n);
        job_begin(&j);
        const rp_value in =
            montgomery ? job_input(&j, rp_type_field(field), n, elements) : job_input(&j, &RP_TYPE_U256, n, scalars);
        const rp_value q = product(j.graph, in, job_input(&j, rp_type_affine(curve), n, points), &o,
                                   (rp_spmv_scheme)(1 + (s + kind) % 3));
        job_output(&j, rp_to_affine(j.graph, q), got);
        job_check(&j);
        data_msm(curve, scalars, multiples, n, want);
        data_assert_points(curve, got, want, 1, "product");
      next:
        free(points), free(scalars), free(elements), free(multiples);
      }
}

/* What is chosen: L + 2 - floor(L / 3) bits for up to 2^L scalars, and a row for 32 of them. */
static void test_chosen(void **state) {
  static const uint64_t chosen[][2] = {{1, 2}, {2, 3}, {3, 4}, {8, 4}, {9, 5}, {1 << 18, 14}, {1 << 20, 16}};
  (void)state;
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
    const ell_options o = {.struct_size = sizeof o, .curve = RP_CURVE_BN254_G1};
    const uint64_t n = chosen[i][0], rows = up(n, 32);
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "chosen", &g, NULL), RP_OK);
    const rp_ell m = rp_scalars_to_ell(g, rp_graph_input(g, "s", &RP_TYPE_U256, n, 0), &o);
    const uint32_t windows = rp_msm_windows(o.curve, (uint32_t)chosen[i][1]);
    assert_int_equal(m.rows, rows * windows);
    assert_int_equal(m.cols, (uint64_t)windows << chosen[i][1]);
    assert_int_equal(m.width, up(n, rows));
    rp_graph_destroy(g);
  }
}

static void test_refused(void **state) {
  (void)state;
  for (int what = 0; what < 12; what++) {
    ell_options o = {.struct_size = sizeof o, .curve = RP_CURVE_BN254_G1, .window_bits = 8, .rows = 4};
    const rp_type *type = what == 1 ? rp_type_field(RP_FIELD_BN254_FP) : &RP_TYPE_U256;
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    const rp_value s = rp_graph_input(g, "s", type, 10, 0);
    if (what == 2) o.rows = 11;
    if (what == 3) o.window_bits = 24;
    if (what == 4) o.curve = RP_CURVE_COUNT;
    if (what == 5) o.windows = 33;
    if (what == 6) o.first_window = 32;
    if (what == 7) o.first_window = 31, o.windows = 2;
    if (what == 8) o.first_window = UINT32_MAX, o.windows = 1;
    if (what == 9) o.struct_size = 0;
    if (what == 10) o.first_window = 31, o.windows = 1; /* nothing wrong */
    rp_scalars_to_ell(g, s, what == 11 ? NULL : &o);
    if ((rp_graph_error(g)->status == RP_OK) != (what == 0 || what == 10)) fail_msg("case %d", what);
    rp_graph_destroy(g);
  }
}

/* Sums of other products are reduced with dimensions alone, if these are possible. */
static void test_dimensions(void **state) {
  (void)state;
  for (int what = 0; what < 10; what++) {
    rp_buckets b = {.windows = 2, .window_bits = 3, .buckets = 8, .merged = 1};
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "dimensions", &g, NULL), RP_OK);
    const rp_value sums = rp_graph_input(g, "sums", rp_type_accumulator(RP_CURVE_BN254_G1), 16, 0);
    if (what == 1) b.windows = 0;
    if (what == 2) b.windows = 257;
    if (what == 3) b.window_bits = 0;
    if (what == 4) b.window_bits = 25;
    if (what == 5) b.buckets = 7;
    if (what == 6) b.buckets = 0;
    if (what == 7) b.merged = 0;
    if (what == 8) b.row_ptr = rp_graph_input(g, "row_ptr", &RP_TYPE_U32, 17, 0);
    if (what == 9) b.buckets = 1u << 24;
    rp_window_reduce(g, &b, rp_bucket_reduce(g, &b, sums));
    if ((rp_graph_error(g)->status == RP_OK) != (what == 0)) fail_msg("case %d: %s", what, rp_graph_error(g)->reason);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_digits),  cmocka_unit_test(test_range),
                                     cmocka_unit_test(test_product), cmocka_unit_test(test_chosen),
                                     cmocka_unit_test(test_refused), cmocka_unit_test(test_dimensions)};
  return device_run_tests("scalars_to_ell", tests, sizeof tests / sizeof tests[0]);
}
