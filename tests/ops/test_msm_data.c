/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every entry of tests/data/msm_kats.json.
 *
 * Not on lavapipe, for which its products are too large; msm has the same kernels.
 * op-test lavapipe:none label:sources
 */
#include "data.h"
#include "device.h"
#include "kat.h"
#include "points_data.h"

typedef uint8_t bytes;

enum { MAX_POINTS = 64, POINT_BYTES = 192, SCALAR_BYTES = 32 };

static rp_curve curve_of(const json *entry) {
  rp_curve curve = RP_CURVE_COUNT;
  const rp_type *type = rp_type_by_name(json_get(entry, "curve")->text);
  assert_true(type && rp_type_is_affine(type, &curve));
  return curve;
}

/* A field element, hexadecimal text or a pair of them. */
static void coordinate(rp_field field, const json *v, bytes *r) {
  const rp_field_host *f = rp_field_get(field);
  bytes le[96] = {0};
  const uint32_t part = f->canonical_bytes / f->degree;
  for (uint32_t i = 0; i < f->degree; i++)
    json_integer(v->kind == JSON_ARRAY ? json_at(v, i) : v, 1, le + i * part, part);
  assert_true(f->from_canonical(r, le));
}

static void point(rp_curve curve, const json *v, bytes *r) {
  const rp_curve_host *c = rp_curve_get(curve);
  if (v->kind == JSON_NULL) {
    c->identity(r);
    return;
  }
  coordinate(c->base, json_at(v, 0), r);
  coordinate(c->base, json_at(v, 1), r + c->affine_bytes / 2);
  assert_true(c->on_curve(r));
}

static void scalar(const json *v, bytes le[SCALAR_BYTES]) { json_integer(v, 1, le, SCALAR_BYTES); }

static int below_order(rp_curve curve, const bytes s[SCALAR_BYTES]) {
  const bytes *order = rp_curve_get(curve)->order_le;
  for (int i = SCALAR_BYTES - 1; i >= 0; i--)
    if (s[i] != order[i]) return s[i] < order[i];
  return 0;
}

/* Checks the product, also with the reduced scalars as field elements; a scalar that is not below the order is
 * refused. */
static void check(rp_curve curve, const bytes *scalars, const bytes *points, uint64_t n, const bytes *want,
                  const char *name) {
  bytes got[POINT_BYTES];
  int canonical = 1;
  job j;
  for (uint64_t i = 0; i < n; i++) canonical &= below_order(curve, scalars + i * SCALAR_BYTES);
  job_begin(&j);
  rp_value s = job_input(&j, &RP_TYPE_U256, n, scalars), p = job_input(&j, rp_type_affine(curve), n, points);
  rp_value e = rp_from_canonical(j.graph, s, rp_curve_scalar_field(curve),
                                 &(rp_convert_options){.struct_size = sizeof(rp_convert_options), .reduce = 1});
  job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, e, p, NULL)), got);
  job_check(&j);
  data_assert_points(curve, got, want, 1, name);
  for (uint32_t window_bits = 0; window_bits <= 5; window_bits += 5) { /* the small kernel, and buckets */
    job_begin(&j);
    s = job_input(&j, &RP_TYPE_U256, n, scalars);
    p = job_input(&j, rp_type_affine(curve), n, points);
    rp_msm_options o = {.struct_size = sizeof o, .window_bits = window_bits};
    job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, &o)), got);
    assert_int_equal(job_run(&j), canonical ? RP_OK : RP_ERR_INPUT);
    if (canonical) data_assert_points(curve, got, want, 1, name);
  }
}

static void test_cases(void **state) {
  json *root = json_load("msm_kats.json");
  (void)state;
  for (const json *e = json_get(root, "cases_python")->item; e; e = e->next) {
    const rp_curve curve = curve_of(e);
    const rp_curve_host *c = rp_curve_get(curve);
    const json *base = json_get(json_get(root, "base_points"), c->name);
    const uint64_t n = json_u64(json_get(e, "n"));
    bytes points[MAX_POINTS * POINT_BYTES], scalars[MAX_POINTS * SCALAR_BYTES], want[POINT_BYTES];
    assert_true(n <= MAX_POINTS && n == json_get(e, "points")->n);
    for (uint64_t i = 0; i < n; i++) {
      const json *which = json_at(json_get(e, "points"), i);
      bytes *p = points + i * c->affine_bytes;
      if (!strcmp(which->text, "inf")) {
        c->identity(p);
      } else {
        point(curve, json_at(base, (size_t)labs(strtol(which->text, NULL, 10))), p);
        if (which->text[0] == '-') c->neg(p, p);
      }
      scalar(json_at(json_get(e, "scalars"), i), scalars + i * SCALAR_BYTES);
    }
    point(curve, json_get(e, "result"), want);
    check(curve, scalars, points, n, want, json_get(e, "name")->text);
  }
}

/* EIP-2537: coordinates in 64 bytes, most significant first; infinity is all zero. */
static const bytes *eip_point(rp_curve curve, const bytes *be, bytes *r) {
  const rp_curve_host *c = rp_curve_get(curve);
  const uint32_t parts = 2 * rp_field_get(c->base)->degree, part = c->affine_bytes / parts;
  bytes canonical[POINT_BYTES];
  for (uint32_t k = 0; k < parts; k++)
    for (uint32_t i = 0; i < part; i++) canonical[k * part + i] = be[k * 64 + 63 - i];
  assert_true(rp_field_get(c->base)->from_canonical(r, canonical));
  assert_true(rp_field_get(c->base)->from_canonical(r + c->affine_bytes / 2, canonical + c->affine_bytes / 2));
  assert_true(c->on_curve(r));
  return be + 64 * parts;
}

static uint64_t most_bits(const bytes *scalars, uint64_t n) {
  uint64_t most = 0;
  for (uint64_t i = 0; i < n * SCALAR_BYTES; i++)
    for (uint64_t k = 0; k < 8; k++)
      if (scalars[i] >> k & 1 && i % SCALAR_BYTES * 8 + k >= most) most = i % SCALAR_BYTES * 8 + k + 1;
  return most;
}

static void test_eip2537(void **state) {
  json *root = json_load("msm_kats.json");
  (void)state;
  for (const json *e = json_get(root, "KAT_independent_bls12_381_eip2537")->item; e; e = e->next) {
    const rp_curve curve = curve_of(e);
    const uint64_t n = json_u64(json_get(e, "n"));
    bytes input[MAX_POINTS * (256 + 32)], expected[256], want[POINT_BYTES];
    bytes points[MAX_POINTS * POINT_BYTES], scalars[MAX_POINTS * SCALAR_BYTES];
    const bytes *at = input;
    assert_true(n <= MAX_POINTS);
    const size_t length = json_bytes(json_get(e, "input"), input, sizeof input);
    json_bytes(json_get(e, "expected"), expected, sizeof expected);
    for (uint64_t i = 0; i < n; i++, at += SCALAR_BYTES) {
      at = eip_point(curve, at, points + i * rp_curve_get(curve)->affine_bytes);
      for (int b = 0; b < SCALAR_BYTES; b++) scalars[i * SCALAR_BYTES + (uint64_t)b] = at[SCALAR_BYTES - 1 - b];
    }
    assert_int_equal(at - input, length);
    assert_int_equal(most_bits(scalars, n), json_u64(json_get(e, "max_scalar_bits")));
    eip_point(curve, expected, want);
    check(curve, scalars, points, n, want, json_get(e, "name")->text);
  }
}

static void test_eip196(void **state) {
  json *root = json_load("msm_kats.json");
  (void)state;
  for (const json *e = json_get(root, "KAT_independent_bn254_g1_eip196")->item; e; e = e->next) {
    const uint64_t n = json_u64(json_get(e, "n"));
    bytes points[2 * 64], scalars[2 * SCALAR_BYTES], want[64];
    assert_true(n <= 2 && curve_of(e) == RP_CURVE_BN254_G1);
    for (uint64_t i = 0; i < n; i++) {
      point(RP_CURVE_BN254_G1, json_at(json_get(e, "points"), i), points + i * 64);
      scalar(json_at(json_get(e, "scalars_unreduced"), i), scalars + i * SCALAR_BYTES);
    }
    point(RP_CURVE_BN254_G1, json_get(e, "result"), want);
    check(RP_CURVE_BN254_G1, scalars, points, n, want, json_get(e, "name")->text);
  }
}

static void numbers(const json *array, uint32_t *out) {
  for (const json *i = array->item; i; i = i->next) *out++ = (uint32_t)strtol(json_text(i), NULL, 10);
}

/* The name of a value in the examples: an integer, P1 ... P8, or P_s, taken as 9. */
static uint32_t name_of(const json *v) {
  if (json_text(v) && v->kind == JSON_NULL) return 0;
  return v->text[0] == 'P' ? (v->text[1] == '_' ? 9 : (uint32_t)v->text[1] - '0') : (uint32_t)json_u64(v);
}

static void assert_names(const bytes *got, const json *want) {
  uint64_t le[4];
  for (const json *i = want->item; i; i = i->next, got += 32) {
    rp_field_get(RP_FIELD_BN254_FR)->to_canonical(le, got);
    assert_int_equal(le[0], name_of(i));
  }
}

/* Checks an example whose matrix has `cols` columns, from ELL to CSR to the transpose; transposed_row_ptr gets row_ptr
 * of the transpose. */
static void check_formats(const json *example, const char *transposed_key, uint64_t cols,
                          uint32_t *transposed_row_ptr) {
  const json *ell = json_get(example, "ell"), *csr = json_get(example, "csr"), *tr = json_get(example, transposed_key);
  const json *values = json_get(ell, "values");
  const uint64_t rows = values->n, width = json_at(values, 0)->n, nnz = json_get(csr, "values")->n;
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  uint32_t col[16], row_len[8], row_ptr[16], got_col[16], t_col[16], want[16];
  bytes val[16 * 32], got_val[16 * 32], t_val[16 * 32];
  job j;
  assert_true(rows * width <= 16 && cols < 16);
  for (uint64_t r = 0; r < rows; r++) {
    numbers(json_at(json_get(ell, "col_indices"), r), col + r * width);
    for (uint64_t k = 0; k < width; k++) {
      uint64_t name = name_of(json_at(json_at(values, r), k));
      f->from_bytes_reduce(val + (r * width + k) * 32, (const uint8_t *)&name, 8);
    }
  }
  numbers(json_get(ell, "row_length"), row_len);
  job_begin(&j);
  rp_ell e = {.row_len = job_input(&j, &RP_TYPE_U32, rows, row_len),
              .col = job_input(&j, &RP_TYPE_U32, rows * width, col),
              .val = job_input(&j, rp_type_field(f->id), rows * width, val),
              .rows = rows,
              .cols = cols,
              .width = width};
  rp_csr m = rp_ell_to_csr(j.graph, &e);
  /* the bound of the arrays is rows * width; what is used is row_ptr[rows] */
  rp_csr t = rp_csr_transpose(j.graph, &m);
  job_output(&j, m.row_ptr, row_ptr);
  job_output(&j, m.col, got_col);
  job_output(&j, m.val, got_val);
  job_output(&j, t.row_ptr, transposed_row_ptr);
  job_output(&j, t.col, t_col);
  job_output(&j, t.val, t_val);
  job_check(&j);
  numbers(json_get(csr, "row_ptr"), want);
  assert_memory_equal(row_ptr, want, (rows + 1) * 4);
  numbers(json_get(csr, "col_indices"), want);
  assert_memory_equal(got_col, want, nnz * 4);
  assert_names(got_val, json_get(csr, "values"));
  numbers(json_get(tr, "row_ptr"), want);
  assert_memory_equal(transposed_row_ptr, want, (cols + 1) * 4);
  numbers(json_get(tr, "col_indices"), want);
  assert_memory_equal(t_col, want, nnz * 4);
  assert_names(t_val, json_get(tr, "values"));
}

/* The row of each entry, listed beside the CSR form. */
static void check_row_index(const json *example) {
  const json *csr = json_get(example, "csr"), *index = json_get(example, "row_index");
  uint32_t row_ptr[16], rows[16];
  numbers(json_get(csr, "row_ptr"), row_ptr);
  numbers(index, rows);
  for (uint32_t i = 0; i < index->n; i++) assert_true(row_ptr[rows[i]] <= i && i < row_ptr[rows[i] + 1]);
}

static void test_cuzk_example(void **state) {
  enum { WINDOW_BITS = 4, BUCKETS = 8, N = 8, SETS = 64 }; /* signed digits of 4 bits hold the example's of 3 */
  const rp_curve curve = RP_CURVE_BN254_G1;
  const rp_curve_host *c = rp_curve_get(curve);
  json *root = json_load("msm_kats.json");
  const json *e = json_get(root, "cuzk_worked_example");
  int64_t multiples[N];
  bytes *points = data_points(curve, POINT_DISTINCT, N, multiples), scalars[N * SCALAR_BYTES] = {0}, want[64], sum[64];
  bytes buckets[SETS * BUCKETS * 64], windows[SETS * 64], result[64];
  uint32_t row_ptr[16], numbers_[N], full_row_ptr[SETS * BUCKETS + 1], counts[BUCKETS];
  job j;
  (void)state;
  check_formats(e, "transposed_csr", 8, row_ptr);
  assert_int_equal(curve_of(e), curve);
  assert_int_equal(json_u64(json_get(e, "n")), N);
  assert_string_equal(json_text(json_get(e, "points")), "P_i = i*G (i=1..8)");
  assert_int_equal(1 << json_u64(json_get(e, "s")), BUCKETS);
  assert_int_equal(json_u64(json_get(e, "t")), json_get(json_get(e, "ell"), "row_length")->n);
  check_row_index(e);
  numbers(json_get(e, "scalars"), numbers_);
  for (int i = 0; i < N; i++) scalars[i * SCALAR_BYTES] = (bytes)numbers_[i];

  job_begin(&j);
  rp_buckets b = rp_bucket_matrix(
      j.graph, job_input(&j, &RP_TYPE_U256, N, scalars),
      &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options), .curve = curve, .window_bits = WINDOW_BITS});
  assert_int_equal(b.windows, SETS);
  rp_value sums = rp_bucket_accumulate(j.graph, &b, job_input(&j, rp_type_affine(curve), N, points));
  rp_value reduced = rp_bucket_reduce(j.graph, &b, sums);
  job_output(&j, b.row_ptr, full_row_ptr);
  job_output(&j, rp_to_affine(j.graph, sums), buckets);
  job_output(&j, rp_to_affine(j.graph, reduced), windows);
  job_output(&j, rp_to_affine(j.graph, rp_window_reduce(j.graph, &b, reduced)), result);
  job_check(&j);
  /* Row b is digit b + 1. In the example, each thread first sums its points of equal digits: digit 3 has the two
   * entries P6 and P4 + P8, where our row has three. */
  numbers(json_get(e, "counts"), counts);
  for (uint32_t d = 1; d < BUCKETS; d++) {
    assert_int_equal(row_ptr[d + 1] - row_ptr[d], counts[d]);
    assert_int_equal(full_row_ptr[d] - full_row_ptr[d - 1], counts[d] + (d == 3));
  }
  point(curve, json_get(e, "P_s"), want);
  c->add(sum, points + 3 * 64, points + 7 * 64);
  data_assert_points(curve, sum, want, 1, "P_s");
  for (uint32_t d = 1; d <= BUCKETS; d++) {
    char key[] = {'B', '_', (char)('0' + d), 0};
    const json *named = json_find(e, key);
    if (named) {
      point(curve, named, want);
    } else {
      c->identity(want);
    }
    data_assert_points(curve, buckets + (d - 1) * 64, want, 1, key);
  }
  point(curve, json_get(e, "W"), want);
  data_assert_points(curve, windows, want, 1, "W");
  data_assert_points(curve, result, want, 1, "result");
  free(points);
}

static void test_sparse_formats(void **state) {
  json *root = json_load("msm_kats.json");
  uint32_t row_ptr[16];
  (void)state;
  const json *e = json_get(root, "sparse_format_example"), *matrix = json_get(e, "matrix"), *ell = json_get(e, "ell");
  check_formats(e, "csr_transposed", 4, row_ptr);
  for (size_t r = 0; r < matrix->n; r++)
    for (size_t c = 0, k = 0; c < 4; c++) { /* the non-zeros of a row, in order, are what ELL holds */
      const uint64_t x = json_u64(json_at(json_at(matrix, r), c));
      if (!x) continue;
      assert_int_equal(json_u64(json_at(json_at(json_get(ell, "values"), r), k)), x);
      assert_int_equal(json_u64(json_at(json_at(json_get(ell, "col_indices"), r), k++)), c);
    }
}

/* cuZK's rule and our shape agree on the number of windows. */
static void test_window_rule(void **state) {
  json *root = json_load("msm_kats.json");
  (void)state;
  for (const json *e = json_get(json_get(root, "window_rule"), "table")->item; e; e = e->next) {
    const uint64_t log_n = json_u64(json_get(e, "log2_n")), bits = json_u64(json_get(e, "c"));
    const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1}; /* orders of 254 and 255 bits */
    assert_int_equal(bits, log_n - (log_n / 3 - 2));
    for (int k = 0; k < 2; k++) {
      job j;
      job_begin(&j);
      rp_buckets b = rp_bucket_matrix(j.graph, rp_graph_input(j.graph, "s", &RP_TYPE_U256, 1000, 0),
                                      &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options),
                                                           .curve = curves[k],
                                                           .window_bits = (uint32_t)bits});
      assert_int_equal(b.windows, json_u64(json_get(e, k ? "windows_255" : "windows_254")));
      assert_int_equal(b.buckets, 1u << (bits - 1));
      rp_graph_destroy(j.graph);
    }
  }
}

/* How windows are divided among devices: ceil(windows / gpus) for each, or as evenly as possible. */
static void test_partition(void **state) {
  json *root = json_load("msm_kats.json");
  (void)state;
  for (const json *e = json_get(root, "multi_gpu_partition")->item; e; e = e->next) {
    const uint64_t windows = json_u64(json_get(e, "windows")), gpus = json_u64(json_get(e, "gpus"));
    const uint64_t block = (windows + gpus - 1) / gpus;
    assert_int_equal(json_u64(json_get(e, "block_time")), block);
    for (uint64_t g = 0; g < gpus; g++) {
      const uint64_t left = windows > g * block ? windows - g * block : 0;
      assert_int_equal(json_u64(json_at(json_get(e, "contiguous_ceil_split (cuZK code)"), g)),
                       left < block ? left : block);
      assert_int_equal(json_u64(json_at(json_get(e, "most_even_split"), g)), windows / gpus + (g < windows % gpus));
    }
  }
}

/* The tests have read everything in the file except its prose. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta",        "file",   "formula", "check", "source", "window_sum_formula",
                                       "row_of_point", "errata", NULL};
  (void)state;
  json_assert_consumed("msm_kats.json", except);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),       cmocka_unit_test(test_eip2537),        cmocka_unit_test(test_eip196),
      cmocka_unit_test(test_window_rule), cmocka_unit_test(test_sparse_formats), cmocka_unit_test(test_cuzk_example),
      cmocka_unit_test(test_partition),   cmocka_unit_test(test_consumed),
  };
  int failures = device_run_tests("msm_data", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
