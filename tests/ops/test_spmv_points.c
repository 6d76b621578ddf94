/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrices of ones times points: every scheme on every curve, with empty rows, rows of all points, unsorted and
 * repeated columns, points that cancel, and transposes.
 *
 * op-test lavapipe:slow curves:e97,banderwagon,bn254_g1 log:8 least label:sources
 *
 * mistake ops/sparse/spmv_points_cpu_tmpl.c: "last > k->nnz || (!row && first)" is "last > k->nnz"
 * mistake ops/sparse/spmv_points_item.h: "(uint32_t j = 1; j < k.lanes" is "(uint32_t j = 2; j < k.lanes"
 */
#include "data.h"
#include "device.h"
#include "points_data.h"
#include "ref/points.h"
#include "ref/ref.h"

#include <stdio.h>

typedef uint8_t bytes;

typedef enum form { FORM_SHORT, FORM_EMPTY, FORM_ALL, FORM_REPEATED, FORM_ONE, FORM_CHUNKS, FORM_COUNT } form;

typedef struct matrix {
  uint64_t rows, cols;
  uint32_t nnz, *row_ptr, *col;
} matrix;

static uint32_t row_length(form kind, uint64_t row, uint64_t rows, uint64_t cols, uint64_t *seed) {
  switch (kind) {
  case FORM_SHORT: return (uint32_t)(data_next(seed) % 5);
  case FORM_EMPTY: return row % 7 == 3 ? 3 : 0;
  case FORM_ALL: return row % 5 == 1 ? (uint32_t)cols : 0;
  case FORM_REPEATED: return (uint32_t)(data_next(seed) % 20);
  case FORM_ONE: return row == rows / 2 ? (uint32_t)data_cap(9001) : 0;
  default: return (uint32_t)data_cap(256); /* the least of a chunk on a CPU */
  }
}

static matrix make(form kind, uint64_t rows, uint64_t cols) {
  matrix m = {.rows = rows, .cols = cols};
  uint64_t seed = rows * 31 + kind;
  m.row_ptr = calloc(rows + 1, sizeof *m.row_ptr);
  for (uint64_t r = 0; r < rows; r++) m.row_ptr[r + 1] = m.row_ptr[r] + row_length(kind, r, rows, cols, &seed);
  m.nnz = m.row_ptr[rows] + 3; /* the end of the array is not in use */
  m.col = malloc(m.nnz * sizeof *m.col);
  for (uint64_t r = 0; r < rows; r++)
    for (uint32_t i = m.row_ptr[r]; i < m.row_ptr[r + 1]; i++)
      m.col[i] = kind == FORM_ALL        ? (uint32_t)(cols - 1 - (i - m.row_ptr[r]))
                 : kind == FORM_REPEATED ? (uint32_t)(r % cols)
                                         : (uint32_t)(data_next(&seed) % cols);
  for (uint32_t i = m.row_ptr[rows]; i < m.nnz; i++) m.col[i] = UINT32_MAX;
  return m;
}

static void drop(matrix *m) { free(m->row_ptr), free(m->col); }

static rp_csr load(job *j, const matrix *m, int constant) {
  rp_value (*give)(job *, const rp_type *, uint64_t, const void *) = constant ? job_constant : job_input;
  return (rp_csr){.row_ptr = give(j, &RP_TYPE_U32, m->rows + 1, m->row_ptr),
                  .col = give(j, &RP_TYPE_U32, m->nnz, m->col),
                  .rows = m->rows,
                  .cols = m->cols};
}

static void compare(rp_curve curve, const matrix *m, const void *points, const void *got, const char *what) {
  const rp_curve_host *c = rp_curve_get(curve);
  bytes *sums = malloc(m->rows * c->accumulator_bytes), *want = malloc(m->rows * c->affine_bytes);
  ref_spmv_points(c, m->row_ptr, m->rows, m->col, points, sums);
  for (uint64_t r = 0; r < m->rows; r++) c->acc_to_affine(want + r * c->affine_bytes, sums + r * c->accumulator_bytes);
  data_assert_points(curve, got, want, m->rows, what);
  free(sums), free(want);
}

/* Every scheme, with the matrix and with its transpose. */
static void check(rp_curve curve, const matrix *m, point_kind kind, int constant) {
  const rp_curve_host *c = rp_curve_get(curve);
  const uint64_t most = m->rows > m->cols ? m->rows : m->cols;
  int64_t *multiples = malloc(most * sizeof *multiples);
  void *points = data_points(curve, kind, most, multiples), *got[8];
  matrix t = {.rows = m->cols, .cols = m->rows, .nnz = m->nnz};
  t.row_ptr = malloc((t.rows + 1) * sizeof *t.row_ptr), t.col = malloc(t.nnz * sizeof *t.col);
  ref_transpose(m->rows, m->cols, 0, m->row_ptr, m->col, NULL, t.row_ptr, t.col, NULL);
  job j;
  job_begin(&j);
  const rp_csr csr = load(&j, m, constant), back = rp_csr_transpose(j.graph, &csr);
  const rp_value x = job_input(&j, rp_type_affine(curve), m->cols, points),
                 z = job_input(&j, rp_type_affine(curve), m->rows, points);
  for (int i = 0; i < 8; i++) {
    const rp_value y = rp_spmv_points(j.graph, i < 4 ? &csr : &back, i < 4 ? x : z, (rp_spmv_scheme)(i % 4));
    got[i] = malloc((i < 4 ? m->rows : m->cols) * c->affine_bytes);
    job_output(&j, rp_to_affine(j.graph, y), got[i]);
  }
  job_check(&j);
  for (int i = 0; i < 8; i++) {
    char what[64];
    snprintf(what, sizeof what, "scheme %d of %llu x %llu%s", i % 4, (unsigned long long)m->rows,
             (unsigned long long)m->cols, i < 4 ? "" : ", transposed");
    compare(curve, i < 4 ? m : &t, points, got[i], what);
    free(got[i]);
  }
  drop(&t), free(points), free(multiples);
}

static void test_all_curves(void **state) {
  static const uint64_t sizes[] = {1, 2, 37, 130};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (form kind = 0; kind < FORM_COUNT; kind++)
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        if (!data_fits(sizes[s])) continue;
        matrix m = make(kind, sizes[s], 1 + sizes[s] * 3 / 2);
        check(curve, &m, (point_kind)((s + kind) % POINT_KINDS), (int)(s + kind) % 2);
        drop(&m);
      }
}

/* Over this curve most sums are special cases; all pairs of rows and points. */
static void test_adversarial(void **state) {
  static const rp_curve curves[] = {RP_CURVE_E97, RP_CURVE_BN254_G1, RP_CURVE_BANDERWAGON};
  (void)state;
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
    for (form kind = 0; kind < FORM_COUNT && data_curve(curves[i]) == curves[i]; kind++)
      for (point_kind points = 0; points < POINT_KINDS; points++) {
        matrix m = make(kind, 11, 9);
        check(curves[i], &m, points, 0);
        drop(&m);
      }
}

static void test_large(void **state) {
  (void)state;
  for (form kind = 0; kind < FORM_COUNT; kind++) {
    const uint64_t rows = kind == FORM_ALL ? 30 : 3000;
    if (!data_fits(rows) || data_curve(RP_CURVE_BN254_G1) != RP_CURVE_BN254_G1) continue;
    matrix m = make(kind, device_cap(rows), 5001);
    check(RP_CURVE_BN254_G1, &m, POINT_DISTINCT, 0);
    drop(&m);
  }
}

enum { WRONGS = 6 };

static void damage(matrix *m, int wrong) {
  const uint32_t used = m->row_ptr[m->rows];
  if (wrong == 0) m->col[used / 2] = (uint32_t)m->cols;
  if (wrong == 1) m->col[used - 1] = UINT32_MAX;
  if (wrong == 2) m->row_ptr[m->rows / 2] = m->row_ptr[m->rows / 2 + 1] + 1;
  if (wrong == 3) m->row_ptr[m->rows] = m->nnz + 1;
  for (uint64_t r = 0; wrong == 4 && !m->row_ptr[r]; r++) m->row_ptr[r] = 1;               /* rises from there */
  for (uint64_t r = 0; wrong == 5 && r < m->rows; r++) m->row_ptr[r] = r % 2 ? m->nnz : 0; /* to the end and back */
}

/* Damaged indices are refused if they are constants, and a fault of the run if they are inputs. */
static void test_damaged(void **state) {
  const rp_curve curve = RP_CURVE_BN254_G1;
  (void)state;
  for (int constant = 0; constant < 2; constant++)
    for (int wrong = 0; wrong < WRONGS && data_curve(curve) == curve; wrong++)
      for (int scheme = 0; scheme < 4; scheme++) {
        enum { ROWS = 40, COLS = 12 };
        matrix m = make(FORM_SHORT, ROWS, COLS);
        int64_t multiples[COLS];
        void *points = data_points(curve, POINT_DISTINCT, COLS, multiples), *y = malloc(ROWS * 64);
        job j;
        damage(&m, wrong);
        job_begin(&j);
        const rp_csr csr = load(&j, &m, constant);
        const rp_value sums =
            rp_spmv_points(j.graph, &csr, job_input(&j, rp_type_affine(curve), COLS, points), (rp_spmv_scheme)scheme);
        job_output(&j, rp_to_affine(j.graph, sums), y);
        rp_recording *early = NULL; /* constants are checked when the recording is made */
        assert_int_equal(rp_record(device_current(), j.graph, NULL, &early, NULL), constant ? RP_ERR_INPUT : RP_OK);
        rp_recording_destroy(early);
        const rp_status st = job_run(&j);
        if (st != RP_ERR_INPUT)
          fail_msg("constant %d wrong %d scheme %d: %s", constant, wrong, scheme, rp_status_name(st));
        assert_true(j.error.reason[0]);
        free(points), free(y);
        drop(&m);
      }
}

/* Which scheme a node has is what it was told; a CPU has no vector kernel, but its strategy keeps the name. */
static void test_schemes(void **state) {
  static const char *const names[] = {"balanced", "scalar", "vector", "balanced"};
  const rp_curve curve = RP_CURVE_BN254_G1;
  (void)state;
  for (int scheme = 0; scheme < 4 && data_curve(curve) == curve; scheme++) {
    matrix m = make(FORM_SHORT, 10, 4);
    int64_t multiples[4];
    void *points = data_points(curve, POINT_DISTINCT, 4, multiples), *y = malloc(10 * 256);
    job j;
    job_begin(&j);
    j.strategy_of = "spmv_points";
    const rp_csr csr = load(&j, &m, 0);
    job_output(&j,
               rp_to_affine(j.graph, rp_spmv_points(j.graph, &csr, job_input(&j, rp_type_affine(curve), 4, points),
                                                    (rp_spmv_scheme)scheme)),
               y);
    job_check(&j);
    assert_string_equal(j.strategy, names[scheme]);
    free(points), free(y);
    drop(&m);
  }
}

static void test_refused(void **state) {
  (void)state;
  for (int what = 0; what < 8; what++) {
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "refused", &g, NULL), RP_OK);
    const rp_value u32 = rp_graph_input(g, "u32", &RP_TYPE_U32, 5, 0),
                   u64 = rp_graph_input(g, "u64", &RP_TYPE_U64, 5, 0);
    const rp_value points = rp_graph_input(g, "points", rp_type_affine(RP_CURVE_BN254_G1), 3, 0);
    rp_csr m = {.row_ptr = u32, .col = u32, .rows = 4, .cols = 3};
    if (what == 1) m.val = u32;
    if (what == 2) m.row_ptr = u64;
    if (what == 3) m.col = u64;
    if (what == 4) m.rows = 5;
    if (what == 5) m.cols = 4;
    rp_spmv_points(g, what == 6 ? NULL : &m, what == 7 ? u32 : points, (rp_spmv_scheme)0);
    if ((rp_graph_error(g)->status == RP_OK) != (what == 0)) fail_msg("case %d: %s", what, rp_graph_error(g)->reason);
    if (what == 0) rp_spmv_points(g, &m, points, (rp_spmv_scheme)4);
    assert_int_not_equal(rp_graph_error(g)->status, RP_OK);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_curves), cmocka_unit_test(test_adversarial),
                                     cmocka_unit_test(test_large),      cmocka_unit_test(test_damaged),
                                     cmocka_unit_test(test_schemes),    cmocka_unit_test(test_refused)};
  return device_run_tests("spmv_points", tests, sizeof tests / sizeof tests[0]);
}
