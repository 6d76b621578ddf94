/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Conversions of sparse matrices: ELLPACK to compressed rows, and the stable transpose.
 *
 * op-test lavapipe:quick least label:sources
 */
#include "data.h"
#include "device.h"
#include "ref/ref.h"

static void ell(void **state) {
  (void)state;
  static const uint64_t shapes[][2] = {{1, 1}, {7, 3}, {100, 20}, {1000, 1}, {5000, 9}};
  for (size_t s = 0; s < 5; s++)
    for (uint32_t with_val = 0; with_val < 2; with_val++) {
      uint64_t rows = shapes[s][0], width = shapes[s][1], n = rows * width, seed = s, at = 0;
      uint32_t *len = malloc(rows * 4), *col = malloc(n * 4), *row_ptr = malloc((rows + 1) * 4),
               *out_col = malloc(n * 4);
      uint8_t *val = data_field(RP_FIELD_BN254_FP2, DATA_RANDOM, s, n), *out_val = malloc(n * 64), zero[64] = {0};
      for (uint64_t r = 0; r < rows; r++) len[r] = (uint32_t)(data_next(&seed) % (width + 1));
      for (uint64_t i = 0; i < n; i++)
        col[i] = i % width < len[i / width] ? (uint32_t)(data_next(&seed) % 50) : UINT32_MAX;
      job j;
      job_begin(&j);
      rp_ell m = {.rows = rows, .cols = 50, .width = width};
      m.row_len = job_input(&j, &RP_TYPE_U32, rows, len);
      m.col = job_input(&j, &RP_TYPE_U32, n, col);
      if (with_val) m.val = job_input(&j, rp_type_field(RP_FIELD_BN254_FP2), n, val);
      rp_csr csr = rp_ell_to_csr(j.graph, &m);
      job_output(&j, csr.row_ptr, row_ptr);
      job_output(&j, csr.col, out_col);
      if (with_val) job_output(&j, csr.val, out_val);
      job_check(&j);
      for (uint64_t r = 0; r < rows; r++) {
        assert_int_equal(row_ptr[r], at);
        for (uint64_t i = 0; i < len[r]; i++, at++) {
          assert_int_equal(out_col[at], col[r * width + i]);
          if (with_val) assert_memory_equal(out_val + at * 64, val + (r * width + i) * 64, 64);
        }
      }
      assert_int_equal(row_ptr[rows], at);
      for (; at < n; at++) {
        assert_int_equal(out_col[at], UINT32_MAX);
        if (with_val) assert_memory_equal(out_val + at * 64, zero, 64);
      }
      free(len), free(col), free(row_ptr), free(out_col), free(val), free(out_val);
    }
}

static void transpose(void **state) {
  (void)state;
  /* rows, columns, room for non-zeros, number of non-zeros */
  static const uint64_t shapes[][4] = {{1, 1, 1, 1},          {5, 9, 20, 20},
                                       {300, 40, 2000, 2000}, {40, 300, 5000, 4000},
                                       {2000, 3, 4001, 4001}, {100, 66000, 3001, 2503},
                                       {1, 300, 7000, 7000},  {9, 1, 7000, 6999},
                                       {3, 8, 50, 0},         {2500, 9000, 15001, 14990}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    const uint64_t rows = shapes[s][0], cols = shapes[s][1], nnz = shapes[s][2], used = shapes[s][3];
    uint64_t seed = s;
    uint32_t *row_ptr = calloc(rows + 1, 4), *col = malloc(nnz * 4), *want_row = malloc((cols + 1) * 4);
    uint32_t *want_col = malloc(nnz * 4), *got_row = malloc((cols + 1) * 4), *got_col = malloc(nnz * 4);
    uint8_t *val = data_field(RP_FIELD_BLS12_381_FP, DATA_RANDOM, s, nnz), *want_val = malloc(nnz * 48);
    uint8_t *got_val = malloc(nnz * 48), *back_val = malloc(nnz * 48);
    for (uint64_t i = 0; i < used; i++) row_ptr[1 + data_next(&seed) % rows]++;
    for (uint64_t r = 0; r < rows; r++) row_ptr[r + 1] += row_ptr[r];
    /* Half of the entries are in one column, like that of a circuit's constant wire. */
    for (uint64_t i = 0; i < nnz; i++)
      col[i] = data_next(&seed) % 2 ? (uint32_t)(data_next(&seed) % cols) : (uint32_t)(cols / 3);
    job j;
    job_begin(&j);
    rp_csr m = {.rows = rows, .cols = cols};
    m.row_ptr = job_input(&j, &RP_TYPE_U32, rows + 1, row_ptr);
    m.col = job_input(&j, &RP_TYPE_U32, nnz, col);
    m.val = job_input(&j, rp_type_field(RP_FIELD_BLS12_381_FP), nnz, val);
    rp_csr t = rp_csr_transpose(j.graph, &m), back = rp_csr_transpose(j.graph, &t), bare;
    m.val = RP_NO_VALUE;
    bare = rp_csr_transpose(j.graph, &m);
    assert_int_equal(t.rows, cols);
    job_output(&j, t.row_ptr, got_row);
    job_output(&j, t.col, got_col);
    job_output(&j, t.val, got_val);
    job_output(&j, back.val, back_val);
    uint32_t *bare_col = malloc(nnz * 4), *back_row = malloc((rows + 1) * 4);
    job_output(&j, bare.col, bare_col);
    job_output(&j, back.row_ptr, back_row);
    job_check(&j);
    memset(want_col, 0xff, nnz * 4);
    memset(want_val, 0, nnz * 48);
    ref_transpose(rows, cols, 48, row_ptr, col, val, want_row, want_col, want_val);
    assert_memory_equal(got_row, want_row, (cols + 1) * 4);
    assert_memory_equal(got_col, want_col, nnz * 4);
    assert_memory_equal(bare_col, want_col, nnz * 4);
    assert_memory_equal(got_val, want_val, nnz * 48);
    assert_memory_equal(back_row, row_ptr, (rows + 1) * 4);
    memset(val, 0, nnz * 48);
    ref_transpose(cols, rows, 48, got_row, got_col, got_val, row_ptr, col, val);
    assert_memory_equal(back_val, val, nnz * 48);
    free(row_ptr), free(col), free(want_row), free(want_col), free(got_row), free(got_col), free(val), free(want_val);
    free(got_val), free(back_val), free(bare_col), free(back_row);
  }
}

static void damaged(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 6; wrong++) {
    uint32_t row_ptr[4] = {0, 1, 2, 3}, col[6] = {0, 1, 2, 0, 1, 2}, len[3] = {2, 0, 1}, out[8];
    if (wrong == 0) col[1] = 3;
    if (wrong == 1) row_ptr[2] = 0;
    if (wrong == 2) row_ptr[3] = 4;
    if (wrong == 3) row_ptr[0] = 1;
    if (wrong == 4) len[0] = 3;
    if (wrong == 5) col[5] = 7;
    job j;
    job_begin(&j);
    if (wrong < 4) {
      rp_csr m = {.rows = 3, .cols = 3};
      m.row_ptr = job_input(&j, &RP_TYPE_U32, 4, row_ptr);
      m.col = job_input(&j, &RP_TYPE_U32, 3, col);
      job_output(&j, rp_csr_transpose(j.graph, &m).col, out);
    } else {
      if (wrong == 5) len[2] = 2;
      rp_ell m = {.rows = 3, .cols = 3, .width = 2};
      m.row_len = job_input(&j, &RP_TYPE_U32, 3, len);
      m.col = job_input(&j, &RP_TYPE_U32, 6, col);
      job_output(&j, rp_ell_to_csr(j.graph, &m).col, out);
    }
    rp_status st = job_run(&j);
    if (st != RP_ERR_INPUT) fail_msg("case %d: %s", wrong, rp_status_name(st));
  }
}

enum { ROWS = 3, COLS = 5, WIDTH = 2, NNZ = 4 };

/* What is wrong with a matrix of the given lengths and types. */
static rp_status of_transpose(const uint64_t len[3], const rp_type *const type[3]) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(device_context(), "lengths", &g, NULL), RP_OK);
  const rp_csr m = {.rows = ROWS,
                    .cols = COLS,
                    .row_ptr = rp_graph_input(g, "row_ptr", type[0], len[0], 0),
                    .col = rp_graph_input(g, "col", type[1], len[1], 0),
                    .val = rp_graph_input(g, "val", type[2], len[2], 0)};
  (void)rp_csr_transpose(g, &m);
  const rp_status status = rp_graph_error(g)->status;
  rp_graph_destroy(g);
  return status;
}

static rp_status of_ell(const uint64_t len[3], const rp_type *const type[3]) {
  rp_graph *g;
  assert_int_equal(rp_graph_create(device_context(), "lengths", &g, NULL), RP_OK);
  const rp_ell m = {.rows = ROWS,
                    .cols = COLS,
                    .width = WIDTH,
                    .row_len = rp_graph_input(g, "row_len", type[0], len[0], 0),
                    .col = rp_graph_input(g, "col", type[1], len[1], 0),
                    .val = rp_graph_input(g, "val", type[2], len[2], 0)};
  (void)rp_ell_to_csr(g, &m);
  const rp_status status = rp_graph_error(g)->status;
  rp_graph_destroy(g);
  return status;
}

/* Arrays that are shorter or longer than the others say, or of other types. */
static void lengths_and_types(void **state) {
  (void)state;
  const rp_type *const fr = rp_type_field(RP_FIELD_BN254_FR);
  for (int k = 0; k < 2; k++) {
    rp_status (*const of)(const uint64_t *, const rp_type *const *) = k ? of_ell : of_transpose;
    const uint64_t good[3] = {k ? ROWS : ROWS + 1, k ? ROWS * WIDTH : NNZ, k ? ROWS * WIDTH : NNZ};
    const rp_type *const types[3] = {&RP_TYPE_U32, &RP_TYPE_U32, fr};
    assert_int_equal(of(good, types), RP_OK);
    for (int i = 0; i < 3; i++) {
      for (int more = -1; more <= 1; more += 2) {
        uint64_t len[3] = {good[0], good[1], good[2]};
        len[i] += (uint64_t)more;
        assert_int_equal(of(len, types), RP_ERR_SHAPE);
        if (!k || i != 1) continue;
        len[2] = len[1]; /* as many values as columns, but not as many as there are slots */
        assert_int_equal(of(len, types), RP_ERR_SHAPE);
      }
      const rp_type *other[3] = {types[0], types[1], types[2]};
      other[i] = i < 2 ? &RP_TYPE_U64 : &RP_TYPE_U8; /* values may be of any type */
      assert_int_equal(of(good, other), i < 2 ? RP_ERR_TYPE : RP_OK);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ell), cmocka_unit_test(transpose), cmocka_unit_test(damaged),
                                     cmocka_unit_test(lengths_and_types)};
  return device_run_tests("csr", tests, sizeof tests / sizeof tests[0]);
}
