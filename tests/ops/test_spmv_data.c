/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every entry of tests/data/spmv_r1cs.json.
 *
 * op-test lavapipe:slow label:sources
 */
#include "data.h"
#include "device.h"
#include "kat.h"
#include "ref/ref.h"

static const rp_field field = RP_FIELD_BN254_FR;

/* The length that the file gives a row, by the name of the case. */
static uint32_t candidates(const char *name, uint32_t row) {
  if (!strcmp(name, "low_var_low_mean")) return 2 + row % 2;
  if (!strcmp(name, "low_var_high_mean")) return 128;
  if (!strcmp(name, "high_variance")) return row % 64 ? 1 : 1000;
  if (!strcmp(name, "empty_rows")) return row % 3 ? 0 : 2;
  if (!strcmp(name, "single_dense_row")) return row ? 0 : 300;
  fail_msg("no rule for %s", name);
  return 0;
}

static void small_element(uint64_t x, int negative, void *r) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t le[32] = {0};
  for (int i = 0; i < 8; i++) le[i] = (uint8_t)(x >> 8 * i);
  assert_int_equal(f->from_canonical(r, le), 1);
  if (negative) f->neg(r, r);
}

typedef struct matrix {
  uint32_t rows, cols, nnz, *row_ptr, *col;
  uint8_t *val;
} matrix;

/* Row i: columns (31 i + 17 j + 7) mod cols for j < L_i, each once and in order; a full row is all of them. */
static matrix make(const char *name, uint32_t rows, uint32_t cols) {
  matrix m = {.rows = rows, .cols = cols};
  size_t room = 0;
  for (uint32_t i = 0; i < rows; i++) room += candidates(name, i);
  m.row_ptr = calloc(rows + 1u, 4);
  m.col = malloc(room * 4);
  m.val = malloc(room * 32);
  uint8_t *used = malloc(cols);
  for (uint32_t i = 0; i < rows; i++) {
    uint32_t length = candidates(name, i), kept = 0;
    memset(used, length == cols, cols);
    for (uint32_t j = 0; j < length && length != cols; j++) used[(i * 31 + j * 17 + 7) % cols] = 1;
    for (uint32_t c = 0; c < cols; c++)
      if (used[c]) {
        m.col[m.nnz] = c;
        small_element((uint64_t)(i + 1) * (kept + 3), (i + kept) % 2, m.val + 32 * (size_t)m.nnz++);
        kept++;
      }
    m.row_ptr[i + 1] = m.nnz;
  }
  free(used);
  return m;
}

static rp_csr load(job *j, const matrix *m) {
  return (rp_csr){.row_ptr = job_constant(j, &RP_TYPE_U32, m->rows + 1u, m->row_ptr),
                  .col = job_constant(j, &RP_TYPE_U32, m->nnz, m->col),
                  .val = job_constant(j, rp_type_field(field), m->nnz, m->val),
                  .rows = m->rows,
                  .cols = m->cols};
}

/* The scheme is chosen as the file expects, where it says so. */
static void check_scheme(const matrix *m, const void *z, const void *y, const char *expected) {
  uint8_t *got = malloc(m->rows * 32u);
  job j;
  job_begin(&j);
  rp_csr csr = load(&j, m);
  j.strategy_of = "spmv";
  job_output(&j, rp_spmv(j.graph, &csr, job_input(&j, rp_type_field(field), m->cols, z), NULL), got);
  job_check(&j);
  data_assert_equal(field, got, y, m->rows, "scheme of its own choice");
  if (!strcmp(expected, "CSR-Scalar")) assert_string_equal(j.strategy, "scalar");
  if (!strcmp(expected, "CSR-Vector")) assert_string_equal(j.strategy, "vector");
  if (!strcmp(expected, "CSR-Balanced")) assert_string_equal(j.strategy, "balanced");
  free(got);
}

static void check_case(const json *c) {
  const char *name = json_get(c, "name")->text;
  matrix m = make(name, (uint32_t)json_u64(json_get(c, "rows")), (uint32_t)json_u64(json_get(c, "cols")));
  double square = 0, mean = (double)m.nnz / m.rows;
  for (uint32_t r = 0; r < m.rows; r++) {
    double d = m.row_ptr[r + 1] - m.row_ptr[r] - mean;
    square += d * d;
  }
  assert_int_equal(m.nnz, json_u64(json_get(c, "nnz")));
  assert_true(strtod(json_get(c, "row_len_mean")->text, NULL) - mean < 1e-3);
  double variance = strtod(json_get(c, "row_len_variance")->text, NULL) - square / m.rows;
  assert_true(variance < 1e-3 && variance > -1e-3);
  kat_assert_digest(m.row_ptr, (m.rows + 1u) * 4u, json_get(c, "sha256_row_ptr_u32le"), name);
  kat_assert_digest(m.col, m.nnz * 4u, json_get(c, "sha256_col_idx_u32le"), name);
  kat_assert(field, m.val, m.nnz, json_get(c, "sha256_values_le32"), name);

  uint8_t *z = malloc(m.cols * 32u), *y = malloc(m.rows * 32u), *t_val = malloc(m.nnz * 32u),
          *back = malloc(m.rows * 32u);
  uint32_t *t_row = malloc((m.cols + 1u) * 4u), *t_col = malloc(m.nnz * 4u);
  for (uint32_t k = 0; k < m.cols; k++) {
    uint8_t text[16] = "spmv-z|";
    kat_hash(field, text, kat_put_u32be(text, 7, k), z + 32 * (size_t)k);
  }
  for (int scheme = 1; scheme < 4; scheme++) {
    job j;
    job_begin(&j);
    rp_csr csr = load(&j, &m), t = rp_csr_transpose(j.graph, &csr), twice = rp_csr_transpose(j.graph, &t);
    rp_value vz = job_input(&j, rp_type_field(field), m.cols, z);
    rp_spmv_options o = {.struct_size = sizeof o, .scheme = (rp_spmv_scheme)scheme};
    job_output(&j, rp_spmv(j.graph, &csr, vz, &o), y);
    job_output(&j, rp_spmv(j.graph, &twice, vz, &o), back);
    job_check(&j);
    kat_assert(field, y, m.rows, json_get(c, "sha256_y_le32"), name);
    data_assert_equal(field, back, y, m.rows, "product with the matrix transposed twice");
    assert_true(kat_equals(field, y, json_get(c, "y_0")));
    assert_true(kat_equals(field, y + (m.rows - 1u) * 32u, json_get(c, "y_last")));
  }
  check_scheme(&m, z, y, json_get(c, "expected_scheme")->text);
  job j;
  job_begin(&j);
  rp_csr csr = {.row_ptr = job_input(&j, &RP_TYPE_U32, m.rows + 1u, m.row_ptr),
                .col = job_input(&j, &RP_TYPE_U32, m.nnz, m.col),
                .val = job_input(&j, rp_type_field(field), m.nnz, m.val),
                .rows = m.rows,
                .cols = m.cols};
  rp_csr t = rp_csr_transpose(j.graph, &csr);
  job_output(&j, t.row_ptr, t_row);
  job_output(&j, t.col, t_col);
  job_output(&j, t.val, t_val);
  job_check(&j);
  kat_assert_digest(t_row, (m.cols + 1u) * 4u, json_get(c, "sha256_transposed_row_ptr_u32le"), name);
  kat_assert_digest(t_col, m.nnz * 4u, json_get(c, "sha256_transposed_col_idx_u32le"), name);
  kat_assert(field, t_val, m.nnz, json_get(c, "sha256_transposed_values_le32"), name);
  free(z), free(y), free(t_val), free(t_row), free(t_col), free(back);
  free(m.row_ptr), free(m.col), free(m.val);
}

static void cases(void **state) {
  (void)state;
  json *file = json_load("spmv_r1cs.json");
  size_t n = 0;
  for (const json *c = json_get(file, "cases")->item; c; c = c->next, n++) check_case(c);
  assert_int_equal(n, 5);
}

/* The tests have read everything in the file except its prose. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta", NULL};
  (void)state;
  json_assert_consumed("spmv_r1cs.json", except);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(test_consumed)};
  int failures = device_run_tests("spmv_r1cs.json", tests, 2);
  json_unload();
  return failures;
}
