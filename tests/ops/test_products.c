/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many products of field elements dispatches say that they compute (rp_kernel.products, rp_view_steps): closed
 * forms for operations that have one, and of every operation on every kind of device a number that makes sense. Nothing
 * is computed: plans are made on a null device that claims to be of the kind.
 */
#include "every_op.h"

#include "engine/device.h"

#include <reprise/view.h>

#include <math.h>

enum { N = 1 << 10 };

static rp_device_kind kind;
static rp_status open_like(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                           rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = kind;
  info->limits.workers = kind == RP_DEVICE_CPU ? 2 : 64;
  info->limits.shared_bytes = kind == RP_DEVICE_CUDA ? 227u << 10 : 32u << 10;
  return status;
}

static rp_context *context;
static rp_device *device;
static rp_backend table;

static void open_kind(rp_device_kind wanted) {
  const rp_device_options options = {.struct_size = sizeof options};
  kind = wanted;
  table = rp_backend_null;
  table.kind = kind;
  table.open = open_like;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, &table, &options, &device, NULL), RP_OK);
}

static void close_kind(void) {
  rp_device_close(device);
  rp_context_destroy(context);
}

/* ---- Closed forms ------------------------------------------------------------------------------------------------ */

static rp_graph *g;
static void begin(void) { assert_int_equal(rp_graph_create(context, "products", &g, NULL), RP_OK); }

/* The products of all dispatches that compute `result`, each of which must be of this field; -1 if one is not counted.
 */
static double all_products(rp_value result, const char *field) {
  rp_error err = {0};
  rp_recording *r = NULL;
  uint32_t n = 0;
  double sum = 0;
  rp_graph_output(g, "result", result, 0);
  if (rp_record(device, g, NULL, &r, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_view_steps(r, NULL, 0, &n, NULL), RP_OK);
  rp_step_info *steps = calloc(n, sizeof *steps);
  assert_true(n > 0 && steps);
  steps->struct_size = sizeof *steps;
  assert_int_equal(rp_view_steps(r, steps, n, &n, NULL), RP_OK);
  for (uint32_t i = 0; i < n; i++) {
    if (steps[i].field) assert_string_equal(steps[i].field, field);
    sum = steps[i].products < 0 || sum < 0 ? -1 : sum + steps[i].products;
  }
  free(steps);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  return sum;
}

static rp_value input(const rp_type *type, uint64_t n, const char *name) { return rp_graph_input(g, name, type, n, 0); }

static void check_fields(void) {
  const rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS};
  begin();
  rp_value x = input(rp_type_field(RP_FIELD_BN254_FR), N, "x");
  assert_true(all_products(rp_mul(g, x, x), "bn254_fr") == N);
  begin();
  x = input(rp_type_field(RP_FIELD_BN254_FR), N, "x");
  assert_true(all_products(rp_add(g, x, x), "no field") == 0);
  begin(); /* three in the prime field for each in the extension */
  x = input(rp_type_field(RP_FIELD_BLS12_381_FP2), N, "x");
  assert_true(all_products(rp_mul(g, x, x), "bls12_381_fp") == 3 * N);
  begin(); /* log n layers of n / 2 butterflies, however many passes share them */
  x = input(rp_type_field(RP_FIELD_BN254_FR), N, "x");
  assert_true(all_products(rp_ntt(g, x, &there), "bn254_fr") == N / 2 * 10);
}

static void check_points(void) {
  for (int c = 0; c < 2; c++) {
    const rp_curve curve = c ? RP_CURVE_BN254_G2 : RP_CURVE_BN254_G1;
    const double in_base = c ? 3 : 1;
    begin();
    const rp_value p = input(rp_type_affine(curve), N, "p");
    assert_true(all_products(rp_point_add(g, p, p), "bn254_fp") == 6 * in_base * N);
  }
}

/* Each digit of a scalar is an addition, which takes 6 to 14 products, and each bucket at most two. */
static void check_msm(void) {
  const uint64_t n = 1 << 14;
  begin();
  const rp_value points = input(rp_type_affine(RP_CURVE_BN254_G1), n, "points"),
                 scalars = input(rp_type_canonical(RP_FIELD_BN254_FR), n, "scalars");
  const uint32_t bits = rp_msm_window_bits(kind, RP_CURVE_BN254_G1, n, 0),
                 windows = rp_msm_windows(RP_CURVE_BN254_G1, bits);
  const double digits = (double)windows * (double)n, buckets = (double)windows * (double)(1ull << (bits - 1));
  double sum = 0;
  rp_recording *r = NULL;
  uint32_t count;
  static rp_step_info steps[256] = {{.struct_size = sizeof *steps}};
  rp_graph_output(g, "sum", rp_msm(g, scalars, points, NULL), 0);
  rp_error err = {0};
  if (rp_record(device, g, NULL, &r, &err)) fail_msg("%s", err.reason);
  assert_int_equal(rp_view_steps(r, steps, 256, &count, NULL), RP_OK);
  for (uint32_t i = 0; i < count; i++) sum += steps[i].products > 0 ? steps[i].products : 0;
  assert_true(sum > 6 * (digits - buckets) && sum < 14 * digits + 3 * 14 * buckets + 1e5);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
}

static const rp_device_kind kinds[] = {RP_DEVICE_CPU, RP_DEVICE_CUDA, RP_DEVICE_VULKAN};

static void closed_forms(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    open_kind(kinds[k]);
    check_fields();
    check_points();
    check_msm();
    close_kind();
  }
}

/* ---- Every operation --------------------------------------------------------------------------------------------- */

/* A name of a field where there are products, and only there. */
static void check_steps(const char *name, const rp_recording *r) {
  static rp_step_info steps[4096] = {{.struct_size = sizeof *steps}};
  uint32_t n = 0;
  assert_int_equal(rp_view_steps(r, steps, 4096, &n, NULL), RP_OK);
  assert_true(n <= 4096);
  for (uint32_t i = 0; i < n; i++) {
    const rp_step_info *s = &steps[i];
    rp_field field = RP_FIELD_COUNT;
    if (s->field) rp_type_is_field(rp_type_by_name(s->field), &field);
    const bool prime = field != RP_FIELD_COUNT && rp_field_get(field)->degree == 1;
    if (!isfinite(s->products) || s->products > 1e12 || (s->products > 0) != prime || (s->field != NULL) != prime)
      fail_msg("%s, step %u: %f products in %s", name, i, s->products, s->field ? s->field : "no field");
  }
}

static void every_operation(void **state) {
  (void)state;
  uint32_t recorded = 0;
  for (int k = 0; k < 3; k++) {
    open_kind(kinds[k]);
    for (size_t i = 0; i < every_op_count(); i++) {
      const every_op *op = every_op_get(i);
      for (int id = 0; id < every_op_ids(op); id++) {
        rp_recording *r = NULL;
        every_op_case c = {.n = 500};
        begin();
        c.g = g;
        const rp_value result = every_op_build(op, id, &c);
        if (result.id) rp_graph_output(g, "result", result, 0);
        if (result.id && rp_record(device, g, NULL, &r, NULL) == RP_OK) {
          check_steps(op->name, r);
          recorded++;
        }
        rp_recording_destroy(r);
        rp_graph_destroy(g);
      }
    }
    close_kind();
  }
  assert_true(recorded > 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(every_operation)};
  return cmocka_run_group_tests_name("products", tests, NULL, NULL);
}
