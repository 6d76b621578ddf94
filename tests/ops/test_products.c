/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many products of field elements dispatches say that they compute (rp_kernel.products, rp_view_steps): closed
 * forms for operations that have one, and of every operation on every kind of device a number that makes sense. Nothing
 * is computed: plans are made on a null device that claims to be of the kind.
 */
#include "every_op.h"

#include "engine/device.h"
#include "msm/eisenstein.h"
#include "msm/msm_small.h"

#include <reprise/expr.h>
#include <reprise/inspect.h>
#include <reprise/transcript.h>
#include <reprise/view.h>

#include <math.h>
#include <stdio.h>

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

/* x^2 y + x: a square and a product for each row. */
static void check_expr(void) {
  static const rp_expr_code code[] = {{.op = RP_EXPR_COLUMN}, {.op = RP_EXPR_SQR},    {.op = RP_EXPR_COLUMN, 1},
                                      {.op = RP_EXPR_MUL},    {.op = RP_EXPR_COLUMN}, {.op = RP_EXPR_ADD}};
  for (uint32_t columns = 2; columns <= 200; columns *= 10) { /* all three sizes of arguments */
    const rp_expr_options options = {.struct_size = sizeof options, .code = code, .n_code = 6};
    rp_value list[200];
    begin();
    for (uint32_t i = 0; i < columns; i++) {
      char name[16];
      snprintf(name, sizeof name, "x%u", i);
      list[i] = input(rp_type_field(RP_FIELD_BN254_FP2), N, name);
    }
    assert_true(all_products(rp_expr(g, list, columns, RP_NO_VALUE, &options), "bn254_fp") == 3 * 2 * N);
  }
}

/* Products of a permutation: of its S-boxes, then of its matrices. */
static void check_hashes(void) {
  const double poseidon = 3 * (8 * 3 + 57) + 65 * 9, poseidon2 = 3 * (8 * 3 + 56),
               babybear = 4 * (8 * 16 + 13) + 13 * 16, koalabear = 2 * (8 * 16 + 20) + 20 * 16,
               sboxes = 7 * 12 * (4 + 72), rescue = sboxes + 14 * 144;
  const struct {
    rp_hash hash;
    uint32_t row_len;
    double products;
  } cases[] = {{RP_HASH_POSEIDON_BN254, 2, poseidon},
               {RP_HASH_RESCUE_RP64_256, 8, rescue},
               {RP_HASH_RESCUE_RP64_256, 9, 2 * rescue},
               {RP_HASH_RESCUE_RP64_256_WINTERFELL, 8, kind == RP_DEVICE_CPU ? rescue : -2},
               {RP_HASH_POSEIDON2_BN254_T3, 2, poseidon2},
               {RP_HASH_POSEIDON2_BN254_T3, 3, 2 * poseidon2},
               {RP_HASH_POSEIDON2_BABYBEAR, 8, babybear},
               {RP_HASH_POSEIDON2_KOALABEAR, 8, koalabear}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const rp_field field = rp_hash_field(cases[i].hash);
    begin();
    const rp_value rows = input(rp_type_field(field), N * (uint64_t)cases[i].row_len, "rows");
    const double found = all_products(rp_hash_rows(g, cases[i].hash, rows, cases[i].row_len), rp_field_name(field));
    if (cases[i].products > 0) assert_true(found == N * cases[i].products);
    /* On a GPU the circulant matrix takes no products, except where a thread has one element. */
    if (cases[i].products < 0) assert_true(found == N * sboxes || found == N * rescue);
  }
  begin();
  const rp_value leaves = input(rp_type_field(RP_FIELD_BN254_FR), N, "leaves");
  assert_true(all_products(rp_merkle_tree(g, RP_HASH_POSEIDON_BN254, leaves, NULL), "bn254_fr") == (N - 1) * poseidon);
}

static void check_multiples(void) {
  begin();
  rp_value points = input(rp_type_affine(RP_CURVE_BN254_G1), N, "points");
  assert_true(all_products(rp_window_multiples(g, points, 16, 4), "bn254_fp") == 3.0 * N * (16 * 9 + 7));
  for (int g2 = 0; g2 < 2; g2++) { /* by the binary digits of the base, and a product by beta for each coefficient */
    const rp_curve curve = g2 ? RP_CURVE_BN254_G2 : RP_CURVE_BN254_G1;
    const uint32_t base = rp_eisenstein_of(curve, 12).base;
    const double window = 9.0 * (31 - __builtin_clz(base)) + 10.0 * (__builtin_popcount(base) - 1) + 7;
    begin();
    points = input(rp_type_affine(curve), N, "points");
    const double found = all_products(rp_eisenstein_multiples(g, points, 12), "bn254_fp");
    assert_true(fabs(found - N * (11 * window * (g2 ? 3 : 1) + 12 * (1 + g2))) < 1);
  }
  begin();
  points = input(rp_type_affine(RP_CURVE_BN254_G1), N, "points");
  assert_true(all_products(rp_point_check(g, points, 0), "bn254_fp") == 3 * N);
  begin(); /* membership in the subgroup is not counted */
  points = input(rp_type_affine(RP_CURVE_BN254_G2), N, "points");
  assert_true(all_products(rp_point_check(g, points, 1), "bn254_fp") == -1);
  begin(); /* two parts of 32 bytes */
  const rp_value digests = input(&RP_TYPE_U8, 64 * N, "digests");
  assert_true(all_products(rp_challenge(g, digests, 64, RP_FIELD_BN254_FR, RP_BIG_ENDIAN), "bn254_fr") == 4 * N);
}

static void check_fixed(void) {
  const double windows = 32, addition = kind == RP_DEVICE_CPU ? 6 : 10;
  begin();
  const rp_value base = input(rp_type_affine(RP_CURVE_BN254_G1), 1, "base"),
                 scalars = input(rp_type_canonical(RP_FIELD_BN254_FR), N, "scalars");
  const rp_fixed_base multiples = rp_fixed_base_table(g, base, 8);
  const double both = all_products(rp_fixed_base_mul(g, &multiples, scalars), "bn254_fp"),
               products = N * addition * (windows * 255 / 256 - 1);
  /* A row of the table has 255 entries, one of them a copy on CPUs. */
  const double rows = both - products, shifts = 8 * 32 * 31 / 2 * 9 * (kind == RP_DEVICE_CPU ? 1 : 2);
  if (kind == RP_DEVICE_CPU) assert_true(fabs(rows - (shifts + windows * 254 * 6)) < 1);
  double entries = 0; /* on a GPU, bit by bit */
  for (uint32_t m = 1; m < 256; m++) entries += 9 * (31 - __builtin_clz(m)) + 14 * (__builtin_popcount(m) - 1) + 7;
  if (kind != RP_DEVICE_CPU) assert_true(fabs(rows - (shifts + windows * entries)) < 1);
}

/* Few points: doublings of 254 bits, and an addition for each digit of each scalar. */
static void check_few(void) {
  begin();
  const rp_value points = input(rp_type_affine(RP_CURVE_BN254_G1), 8, "points"),
                 scalars = input(rp_type_canonical(RP_FIELD_BN254_FR), 8, "scalars");
  const double found = all_products(rp_msm_small(g, scalars, points, 1), "bn254_fp");
  const double digits = kind == RP_DEVICE_CPU ? 254.0 / 6 + 7 : 254.0 / 4 * 15 / 16 + 15, /* and the table's */
      doublings = kind == RP_DEVICE_CPU ? 254 + 8 : 254 * 8;
  assert_true(fabs(found - (8 * digits * 14 + doublings * 9)) < 1);
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
    check_expr();
    check_hashes();
    check_multiples();
    check_fixed();
    check_few();
    check_msm();
    close_kind();
  }
}

/* ---- Every operation --------------------------------------------------------------------------------------------- */

/* Kernels whose work depends on data are not counted (docs/view.md), and all others are. */
static bool is_counted(const char *kernel) {
  static const char *const not_counted[] = {"bucket_accumulate_long", "bucket_pair", "point_check", "spmv_heavy"};
  for (size_t i = 0; i < sizeof not_counted / sizeof *not_counted; i++)
    if (!strncmp(kernel, not_counted[i], strlen(not_counted[i]))) return 0; /* ".bn254_g1" follows */
  return 1;
}

/* A name of a field where there are products, and only there. */
static void check_steps(const char *name, const rp_recording *r) {
  static rp_step_info steps[4096] = {{.struct_size = sizeof *steps}};
  uint32_t n = 0;
  assert_int_equal(rp_view_steps(r, steps, 4096, &n, NULL), RP_OK);
  assert_true(n <= 4096);
  static rp_node_info nodes[4096] = {{.struct_size = sizeof *nodes}};
  assert_int_equal(rp_recording_nodes(r, nodes, 4096, &n, NULL), RP_OK);
  for (uint32_t i = 0; i < n; i++) {
    const rp_step_info *s = &steps[i];
    rp_field field = RP_FIELD_COUNT;
    if (s->field) rp_type_is_field(rp_type_by_name(s->field), &field);
    if (s->products < 0 && is_counted(nodes[i].kernel)) fail_msg("%s: %s is not counted", name, nodes[i].kernel);
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
