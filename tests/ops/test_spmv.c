/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector: schemes, canonical x, empty and heavy rows, matrices that are inputs or constants.
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

/* A canonical x at or above the modulus is taken as the integer it is. */
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

/* Damaged indices are refused if they are constants, and a fault of the run if they are inputs. */
static void damaged(void **state) {
  (void)state;
  for (int constant = 0; constant < 2; constant++)
    for (int wrong = 0; wrong < 5; wrong++)
      for (int scheme = 1; scheme < 4; scheme++) {
        matrix m = make(RP_FIELD_BN254_FR, FORM_HEAVY, 100, 50, DATA_RANDOM);
        if (wrong == 0) m.col[m.nnz / 2] = 50;
        if (wrong == 1) m.col[m.nnz - 1] = UINT32_MAX;
        if (wrong == 2) m.row_ptr[50] = m.row_ptr[51] + 1;
        if (wrong == 3) m.row_ptr[100] = m.nnz + 1;
        if (wrong == 4) m.row_ptr[0] = 1;
        void *x = data_field(RP_FIELD_BN254_FR, DATA_RANDOM, 1, 50), *y = malloc(100 * 32);
        job j;
        job_begin(&j);
        rp_csr csr = load(&j, RP_FIELD_BN254_FR, &m, constant);
        rp_spmv_options o = {.struct_size = sizeof o, .scheme = (rp_spmv_scheme)scheme};
        job_output(&j, rp_spmv(j.graph, &csr, job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 50, x), &o), y);
        rp_recording *early = NULL; /* constants are looked at once, before any run */
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_fields), cmocka_unit_test(large),
                                     cmocka_unit_test(larger),     cmocka_unit_test(x_above_modulus),
                                     cmocka_unit_test(damaged),    cmocka_unit_test(damaged_many_long_rows)};
  return device_run_tests("spmv", tests, sizeof tests / sizeof tests[0]);
}
