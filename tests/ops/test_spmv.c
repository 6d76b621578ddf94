/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector: schemes, canonical x, empty and heavy rows, matrices that are inputs or constants, and
 * how often constants are read.
 *
 * op-test lavapipe:quick least label:sources
 */
#include <stdio.h>

#include "data.h"
#include "device.h"
#include "ref/ref.h"

typedef struct matrix {
  uint64_t rows, cols;
  uint32_t nnz, *row_ptr, *col;
  void *val;
} matrix;

typedef enum form { FORM_SHORT, FORM_EMPTY, FORM_HEAVY, FORM_ONE, FORM_CHUNKS, FORM_COUNT } form;

static uint32_t row_length(form kind, uint64_t row, uint64_t rows, uint64_t *seed) {
  switch (kind) {
  case FORM_SHORT: return (uint32_t)(data_next(seed) % 5);
  case FORM_EMPTY: return row % 7 == 3 ? 3 : 0;
  case FORM_HEAVY: return row % 61 == 5 ? 5000 : (uint32_t)(data_next(seed) % 3);
  case FORM_ONE: return row == rows / 2 ? 9001 : 0;
  default: return 2048; /* rows end exactly where the chunks of the balanced scheme do */
  }
}

static matrix make(rp_field field, form kind, uint64_t rows, uint64_t cols, data_kind values) {
  matrix m = {.rows = rows, .cols = cols};
  uint64_t seed = rows * 31 + kind;
  m.row_ptr = calloc(rows + 1, sizeof *m.row_ptr);
  for (uint64_t r = 0; r < rows; r++) m.row_ptr[r + 1] = m.row_ptr[r] + row_length(kind, r, rows, &seed);
  m.nnz = m.row_ptr[rows] ? m.row_ptr[rows] : 1; /* a value has at least one element */
  m.col = malloc(m.nnz * sizeof *m.col);
  for (uint32_t i = 0; i < m.nnz; i++) m.col[i] = (uint32_t)(data_next(&seed) % cols);
  m.val = data_field(field, values, seed, m.nnz);
  return m;
}

static void drop(matrix *m) { free(m->row_ptr), free(m->col), free(m->val); }

static rp_csr load(job *j, rp_field field, const matrix *m, int constant) {
  rp_value (*give)(job *, const rp_type *, uint64_t, const void *) = constant ? job_constant : job_input;
  return (rp_csr){.row_ptr = give(j, &RP_TYPE_U32, m->rows + 1, m->row_ptr),
                  .col = give(j, &RP_TYPE_U32, m->nnz, m->col),
                  .val = give(j, rp_type_field(field), m->nnz, m->val),
                  .rows = m->rows,
                  .cols = m->cols};
}

/* Montgomery(val, x) for canonical x is val times the element whose memory form is x's bytes. */
static void check(rp_field field, const matrix *m, data_kind kind, int canonical, int constant) {
  const rp_field_host *f = rp_field_get(field);
  void *x = data_field(field, kind, m->rows, m->cols), *want = malloc(m->rows * f->size_bytes);
  void *xc = canonical ? data_canonical(field, x, m->cols) : NULL;
  ref_spmv(f, want, m->rows, m->row_ptr, m->col, m->val, canonical ? xc : x);
  void *got[4];
  job j;
  job_begin(&j);
  rp_csr csr = load(&j, field, m, constant);
  rp_value vx = job_input(&j, canonical ? rp_type_canonical(field) : rp_type_field(field), m->cols, canonical ? xc : x);
  for (int scheme = 0; scheme < 4; scheme++) {
    rp_spmv_options o = {.struct_size = sizeof o, .scheme = (rp_spmv_scheme)scheme, .x_canonical = (uint32_t)canonical};
    got[scheme] = malloc(m->rows * f->size_bytes);
    job_output(&j, rp_spmv(j.graph, &csr, vx, &o), got[scheme]);
  }
  job_check(&j);
  for (int scheme = 0; scheme < 4; scheme++) {
    char what[64];
    snprintf(what, sizeof what, "spmv scheme %d, canonical %d", scheme, canonical);
    data_assert_equal(field, got[scheme], want, m->rows, what);
    free(got[scheme]);
  }
  free(x), free(xc), free(want);
}

static void all_fields(void **state) {
  (void)state;
  static const uint64_t sizes[] = {1, 2, 37, 300};
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (form kind = 0; kind < FORM_COUNT; kind++)
      for (size_t s = 0; s < 4; s++) {
        if ((kind == FORM_CHUNKS && s > 2) || !data_fits(sizes[s])) continue;
        matrix m = make(field, kind, sizes[s], 1 + sizes[s] * 3 / 2, s % 2 ? DATA_EDGES : DATA_RANDOM);
        int canonical = rp_field_get(field)->degree == 1 && s % 2;
        check(field, &m, (data_kind)((s + kind) % DATA_KINDS), canonical, kind % 2);
        drop(&m);
      }
}

static void large(void **state) {
  (void)state;
  matrix m = make(RP_FIELD_BN254_FR, FORM_SHORT, data_cap(65536), data_cap(70001), DATA_EDGES);
  for (data_kind kind = 0; kind < DATA_KINDS; kind++) check(RP_FIELD_BN254_FR, &m, kind, kind % 2, 1);
  drop(&m);
}

/* So many entries that the chunks on a GPU have their full length: rows of all kinds, some of 5000 entries. */
static void larger(void **state) {
  static const rp_field fields[] = {RP_FIELD_GOLDILOCKS, RP_FIELD_BN254_FR};
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const uint64_t rows = info.kind == RP_DEVICE_CUDA ? (uint64_t)info.limits.workers * 256 : 500;
  if (!data_fits(rows)) return;
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    matrix m = make(fields[i], FORM_HEAVY, rows, rows / 2, DATA_RANDOM);
    check(fields[i], &m, DATA_RANDOM, 0, 1);
    drop(&m);
  }
}

/* A canonical x may be at or above the modulus: the result is that of the integer modulo p. */
static void x_above_modulus(void **state) {
  (void)state;
  enum { ROWS = 100, COLS = 50 };
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++) {
    const rp_field_host *f = rp_field_get(field);
    if (f->degree != 1) continue;
    const uint32_t size = f->size_bytes;
    uint64_t seed = field;
    matrix m = make(field, FORM_SHORT, ROWS, COLS, DATA_EQUAL);
    uint8_t x[COLS * 48], got[ROWS * 48], want[ROWS * 48], reduced[COLS * 48];
    for (uint32_t i = 0; i < COLS; i++) {
      uint64_t t[6];
      memset(x + size * i, 0xff, size);
      x[size * i] = (uint8_t)data_next(&seed);
      f->from_bytes_reduce(t, x + size * i, size);
      f->to_canonical(reduced + size * i, t);
    }
    ref_spmv(f, want, m.rows, m.row_ptr, m.col, m.val, reduced);
    job j;
    job_begin(&j);
    rp_csr csr = load(&j, field, &m, 0);
    rp_spmv_options o = {.struct_size = sizeof o, .x_canonical = 1};
    job_output(&j, rp_spmv(j.graph, &csr, job_input(&j, rp_type_canonical(field), COLS, x), &o), got);
    job_check(&j);
    data_assert_equal(field, got, want, ROWS, "x above the modulus");
    drop(&m);
  }
}

enum { WRONGS = 6 };

static void damage(matrix *m, int wrong) {
  if (wrong == 0) m->col[m->nnz / 2] = (uint32_t)m->cols;
  if (wrong == 1) m->col[m->nnz - 1] = UINT32_MAX;
  if (wrong == 2) m->row_ptr[m->rows / 2] = m->row_ptr[m->rows / 2 + 1] + 1;
  if (wrong == 3) m->row_ptr[m->rows] = m->nnz + 1;
  if (wrong == 4) m->row_ptr[0] = 1;
  for (uint64_t r = 0; wrong == 5 && !m->row_ptr[r]; r++) m->row_ptr[r] = 1; /* rises from there */
}

/* Damaged indices are refused if they are constants, and a fault of the run if they are inputs. */
static void damaged(void **state) {
  (void)state;
  for (int constant = 0; constant < 2; constant++)
    for (int wrong = 0; wrong < WRONGS; wrong++)
      for (int scheme = 1; scheme < 4; scheme++) {
        matrix m = make(RP_FIELD_BN254_FR, FORM_HEAVY, 100, 50, DATA_RANDOM);
        damage(&m, wrong);
        void *x = data_field(RP_FIELD_BN254_FR, DATA_RANDOM, 1, 50), *y = malloc(100 * 32);
        job j;
        job_begin(&j);
        rp_csr csr = load(&j, RP_FIELD_BN254_FR, &m, constant);
        rp_spmv_options o = {.struct_size = sizeof o, .scheme = (rp_spmv_scheme)scheme};
        job_output(&j, rp_spmv(j.graph, &csr, job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 50, x), &o), y);
        rp_recording *early = NULL; /* constants are checked when the recording is made */
        assert_int_equal(rp_record(device_current(), j.graph, NULL, &early, NULL), constant ? RP_ERR_INPUT : RP_OK);
        rp_recording_destroy(early);
        rp_status st = job_run(&j);
        if (st != RP_ERR_INPUT)
          fail_msg("constant %d wrong %d scheme %d: %s", constant, wrong, scheme, rp_status_name(st));
        assert_true(j.error.reason[0]);
        free(x), free(y);
        drop(&m);
      }
}

/* Row pointers that go to the end and back, so that each of many chunks seems to begin a row as long as the matrix. */
static void damaged_many_long_rows(void **state) {
  enum { CHUNKS = 2048, CHUNK = 16, ROWS = 2 * CHUNKS, NNZ = CHUNKS * CHUNK };
  uint32_t *row_ptr = malloc((ROWS + 1) * sizeof *row_ptr), *col = calloc(NNZ, sizeof *col);
  void *val = data_field(RP_FIELD_GOLDILOCKS, DATA_RANDOM, 1, NNZ),
       *x = data_field(RP_FIELD_GOLDILOCKS, DATA_RANDOM, 2, 1);
  uint64_t *y = malloc(ROWS * sizeof *y);
  (void)state;
  assert_true(row_ptr && col && y);
  for (uint32_t i = 0; i <= ROWS; i++) row_ptr[i] = i % 2 || i == ROWS ? NNZ : i ? i / 2 * CHUNK + CHUNK / 2 : 0;
  for (int scheme = 1; scheme < 4; scheme++) {
    job j;
    job_begin(&j);
    const rp_csr m = {.rows = ROWS,
                      .cols = 1,
                      .row_ptr = job_input(&j, &RP_TYPE_U32, ROWS + 1, row_ptr),
                      .col = job_input(&j, &RP_TYPE_U32, NNZ, col),
                      .val = job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), NNZ, val)};
    const rp_spmv_options o = {.struct_size = sizeof o, .scheme = (rp_spmv_scheme)scheme};
    job_output(&j, rp_spmv(j.graph, &m, job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 1, x), &o), y);
    assert_int_equal(job_run(&j), RP_ERR_INPUT);
  }
  void *mine[] = {row_ptr, col, val, x, y};
  for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) free(mine[i]);
}

/* ---- Constants that are not read again --------------------------------------------------------------------------- */

enum { ALL_PARTS = 3 }; /* bit 0: row_ptr is constant, bit 1: col */

/* A graph whose matrix is borrowed, or in part an input. */
static rp_value borrow(job *j, const matrix *m, int parts, rp_spmv_scheme scheme) {
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  const rp_spmv_options o = {.struct_size = sizeof o, .scheme = scheme};
  rp_graph *g = j->graph;
  const rp_csr csr = {.row_ptr = parts & 1
                                     ? rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, m->rows + 1, m->row_ptr, RP_BORROW)
                                     : job_input(j, &RP_TYPE_U32, m->rows + 1, m->row_ptr),
                      .col = parts & 2 ? rp_graph_constant(g, "col", &RP_TYPE_U32, m->nnz, m->col, RP_BORROW)
                                       : job_input(j, &RP_TYPE_U32, m->nnz, m->col),
                      .val = rp_graph_constant(g, "val", fr, m->nnz, m->val, RP_BORROW),
                      .rows = m->rows,
                      .cols = m->cols};
  return rp_spmv(g, &csr, rp_graph_constant(g, "x", fr, m->cols, m->val, RP_BORROW), &o);
}

static rp_status plan(const job *j, uint32_t level) {
  const rp_record_options o = {.struct_size = sizeof o, .min_memory_level = level, .max_memory_level = level};
  rp_plan_info info = {.struct_size = sizeof info};
  return rp_plan_query(device_current(), j->graph, level ? &o : NULL, &info, NULL);
}

/* What a plan has found good is not read by later ones, of any level: they do not see damage, and kernels must. */
static void good_ones_are_read_once(void **state) {
  enum { ROWS = 100, COLS = 50 };
  uint8_t *y = malloc(ROWS * 32);
  (void)state;
  for (int wrong = 0; wrong < WRONGS; wrong++)
    for (int scheme = 0; scheme < 4; scheme++)
      for (int parts = 1; parts <= ALL_PARTS; parts++) {
        matrix m = make(RP_FIELD_BN254_FR, FORM_HEAVY, ROWS, COLS, DATA_RANDOM);
        job j;
        job_begin(&j);
        job_output(&j, borrow(&j, &m, parts, (rp_spmv_scheme)scheme), y);
        assert_int_equal(plan(&j, 0), RP_OK);
        damage(&m, wrong);
        for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) assert_int_equal(plan(&j, level), RP_OK);
        const rp_status st = job_run(&j);
        if (st != RP_ERR_INPUT) fail_msg("wrong %d scheme %d parts %d: %s", wrong, scheme, parts, rp_status_name(st));
        drop(&m);
      }
  free(y);
}

/* What a plan has refused is read by each later one, until it is good; those of another node are read for that one. */
static void damaged_ones_are_read_again(void **state) {
  enum { ROWS = 100, COLS = 50 };
  uint8_t *y = malloc(2 * ROWS * 32), *want = malloc(ROWS * 32);
  (void)state;
  for (int wrong = 0; wrong < WRONGS; wrong++)
    for (int scheme = 0; scheme < 4; scheme++) {
      matrix m = make(RP_FIELD_BN254_FR, FORM_HEAVY, ROWS, COLS, DATA_RANDOM),
             good = make(RP_FIELD_BN254_FR, FORM_HEAVY, ROWS, COLS, DATA_RANDOM);
      job j;
      damage(&m, wrong);
      job_begin(&j);
      job_output(&j, borrow(&j, &good, ALL_PARTS, (rp_spmv_scheme)scheme), y + ROWS * 32);
      assert_int_equal(plan(&j, 0), RP_OK);
      job_output(&j, borrow(&j, &m, ALL_PARTS, (rp_spmv_scheme)scheme), y);
      for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) assert_int_equal(plan(&j, level), RP_ERR_INPUT);
      memcpy(m.row_ptr, good.row_ptr, (ROWS + 1) * sizeof *m.row_ptr);
      memcpy(m.col, good.col, m.nnz * sizeof *m.col);
      assert_int_equal(plan(&j, 0), RP_OK);
      job_check(&j);
      ref_spmv(rp_field_get(RP_FIELD_BN254_FR), want, ROWS, m.row_ptr, m.col, m.val, m.val);
      for (int i = 0; i < 2; i++) data_assert_equal(RP_FIELD_BN254_FR, y + i * ROWS * 32, want, ROWS, "repaired");
      drop(&m);
      drop(&good);
    }
  free(y), free(want);
}

/* The scheme is that of the rows as the first plan has seen them, also for a device with another table. */
static void scheme_stays(void **state) {
  static const form forms[] = {FORM_SHORT, FORM_HEAVY, FORM_CHUNKS};
  static const char *const schemes[] = {"scalar", "balanced", "vector"};
  const rp_device_options null_options = {.struct_size = sizeof null_options, .kind = RP_DEVICE_NULL};
  uint8_t *y = malloc(200 * 32);
  rp_device *null_device;
  (void)state;
  assert_int_equal(rp_device_open(device_context(), &null_options, &null_device, NULL), RP_OK);
  for (int i = 0; i < 3; i++) {
    matrix m = make(RP_FIELD_BN254_FR, forms[i], forms[i] == FORM_CHUNKS ? 3 : 200, 50, DATA_RANDOM);
    rp_plan_info info = {.struct_size = sizeof info};
    job j;
    job_begin(&j);
    j.strategy_of = "spmv";
    job_output(&j, borrow(&j, &m, ALL_PARTS, RP_SPMV_AUTO), y);
    assert_int_equal(rp_plan_query(null_device, j.graph, NULL, &info, NULL), RP_OK);
    for (uint32_t level = 0; level < RP_MEMORY_LEVELS; level++) assert_int_equal(plan(&j, level), RP_OK);
    job_check(&j);
    assert_string_equal(j.strategy, schemes[i]);
    drop(&m);
  }
  rp_device_close(null_device);
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_fields),
                                     cmocka_unit_test(large),
                                     cmocka_unit_test(larger),
                                     cmocka_unit_test(x_above_modulus),
                                     cmocka_unit_test(damaged),
                                     cmocka_unit_test(damaged_many_long_rows),
                                     cmocka_unit_test(good_ones_are_read_once),
                                     cmocka_unit_test(damaged_ones_are_read_again),
                                     cmocka_unit_test(scheme_stays)};
  return device_run_tests("spmv", tests, sizeof tests / sizeof tests[0]);
}
