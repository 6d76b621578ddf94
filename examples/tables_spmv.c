/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Schemes of a sparse product: matrices over BN254 Fr that all have the same number of non-zeros, with mean row lengths
 * from 2 to 256, and with rows of even length or some that are much longer than the others. */
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 32, SCHEMES = 3, MEANS = 8 };

typedef struct matrix {
  uint32_t *row_ptr, *col;
  uint8_t *val, *x;
  uint32_t rows, cols, nnz;
} matrix;

/* One row in `of` is long, the others have half the mean length; with of = 1 all are even. Returns the squared
 * coefficient of variation. */
static double shape(matrix *m, uint32_t mean, uint32_t of) {
  double square = 0;
  uint32_t at = 0, r = 0;
  const uint32_t small = of == 1 ? mean : mean / 2;
  for (; at < m->nnz; r++) {
    const uint32_t length = r % of == of / 2 && of > 1 ? mean * of - small * (of - 1) : small;
    const uint32_t end = m->nnz - at < length ? m->nnz : at + length;
    m->row_ptr[r] = at;
    square += (double)(end - at) * (end - at);
    at = end;
  }
  m->row_ptr[m->rows = r] = m->nnz;
  const double average = (double)m->nnz / r;
  return square / r / (average * average) - 1;
}

typedef struct product {
  tables *t;
  const matrix *m;
  rp_recording *recording;
  rp_value x, y;
  rp_buffer *result;
} product;

static rp_status multiply(void *user) {
  product *p = user;
  rp_run *run;
  rp_status status = rp_run_begin(p->recording, UINT64_MAX, &run, &p->t->err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, p->x, p->m->x, (uint64_t)p->m->cols * BYTES);
  if (status == RP_OK) status = rp_run_bind_output(run, p->y, p->result, 0);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK) p->t->err = *rp_run_error(run);
  rp_run_end(run);
  return status;
}

static double measure(tables *t, const matrix *m, rp_spmv_scheme scheme) {
  product p = {.t = t, .m = m};
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  rp_graph *g;
  if (rp_graph_create(t->context, "tables", &g, &t->err) != RP_OK) return -1;
  const rp_csr csr = {.row_ptr = rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, m->rows + 1u, m->row_ptr, RP_BORROW),
                      .col = rp_graph_constant(g, "col", &RP_TYPE_U32, m->nnz, m->col, RP_BORROW),
                      .val = rp_graph_constant(g, "val", fr, m->nnz, m->val, RP_BORROW),
                      .rows = m->rows,
                      .cols = m->cols};
  p.x = rp_graph_input(g, "x", fr, m->cols, 0);
  p.y = rp_spmv(g, &csr, p.x, &(rp_spmv_options){.struct_size = sizeof(rp_spmv_options), .scheme = scheme});
  rp_graph_output(g, "y", p.y, RP_RESIDENT); /* not brought down: the product is what is timed */
  double us = -1;
  if (rp_record(t->device, g, NULL, &p.recording, &t->err) == RP_OK &&
      rp_buffer_create(t->device, (uint64_t)m->rows * BYTES, &p.result, &t->err) == RP_OK)
    us = tables_time(multiply, &p);
  rp_recording_destroy(p.recording);
  rp_buffer_destroy(p.result);
  rp_graph_destroy(g);
  return us;
}

static bool fill(matrix *m, int log_nnz) {
  uint64_t state = 1;
  m->nnz = 1u << log_nnz;
  m->cols = m->nnz < 1u << 14 ? m->nnz : 1u << 14;
  m->row_ptr = malloc((size_t)(m->nnz + 1u) * sizeof *m->row_ptr);
  m->col = malloc((size_t)m->nnz * sizeof *m->col);
  m->val = malloc((size_t)m->nnz * BYTES);
  m->x = calloc(m->cols, BYTES);
  if (!m->row_ptr || !m->col || !m->val || !m->x) return false;
  for (uint32_t i = 0; i < m->nnz; i++) {
    for (int w = 0; w < 4; w++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const uint64_t word = w == 3 ? state >> 4 : state; /* below the modulus */
      memcpy(m->val + (size_t)i * BYTES + 8 * w, &word, 8);
    }
    m->col[i] = (uint32_t)(state >> 40) % m->cols;
    if (i < m->cols) memcpy(m->x + (size_t)i * BYTES, m->val + (size_t)i * BYTES, BYTES);
  }
  return true;
}

/* Measures matrices of one unevenness and all mean lengths: us[scheme][k] gets the times, *cv2 the largest squared
 * coefficient of variation. */
static bool measure_all(tables *t, matrix *m, uint32_t of, double us[SCHEMES][MEANS], double *cv2) {
  *cv2 = 0;
  for (int k = 0; k < MEANS; k++) {
    const double ratio = shape(m, 2u << k, of);
    if (ratio > *cv2) *cv2 = ratio;
    printf("%8.1f | %.2f", (double)m->nnz / m->rows, ratio);
    for (int s = 0; s < SCHEMES; s++) {
      us[s][k] = measure(t, m, (rp_spmv_scheme)(RP_SPMV_SCALAR + s));
      if (us[s][k] < 0) return false;
      printf(" | %.1f", us[s][k]);
    }
    puts("");
  }
  return true;
}

/* The time of the balanced scheme over that of the better of the others, as the geometric mean over all mean lengths.
 * Below 1 it is faster. */
static double balanced_ratio(double us[SCHEMES][MEANS]) {
  double sum = 0;
  for (int k = 0; k < MEANS; k++) sum += log(us[2][k] / fmin(us[0][k], us[1][k]));
  return exp(sum / MEANS);
}

bool tables_spmv(tables *t) {
  static const uint32_t unevenness[] = {1, 2, 8, 64, 512};
  enum { SHAPES = sizeof unevenness / sizeof *unevenness };
  double us[SCHEMES][MEANS], cv2[SHAPES], vector_mean = 0, balanced = INFINITY;
  uint64_t means[MEANS];
  matrix m = {0};
  bool good = fill(&m, t->log_most), wins[SHAPES];
  puts("\nmean row length | variance / mean^2 | scalar | vector | balanced");
  for (int u = 0; u < SHAPES && good; u++) {
    good = measure_all(t, &m, unevenness[u], us, &cv2[u]);
    wins[u] = good && balanced_ratio(us) < 1;
    for (int k = 0; k < MEANS; k++) means[k] = 2u << k;
    if (!u && good) vector_mean = (double)tables_crossover(means, us[0], us[1], MEANS, 0);
  }
  /* The threshold is the geometric mean of the last ratio at which the balanced scheme is slower and the next one. */
  for (int u = SHAPES; good && u-- > 0 && wins[u];)
    balanced = u && !wins[u - 1] && cv2[u - 1] > 0 ? sqrt(cv2[u] * cv2[u - 1]) : cv2[u];
  if (good) printf("rp_spmv_table {.vector_mean = ");
  if (good && vector_mean > 0) printf("%.0f, ", vector_mean);
  if (good && !(vector_mean > 0)) printf("INFINITY, ");
  if (good && isfinite(balanced)) printf(".balanced_cv2 = %.2f}\n", balanced);
  if (good && !isfinite(balanced)) printf(".balanced_cv2 = INFINITY}\n");
  free(m.row_ptr);
  free(m.col);
  free(m.val);
  free(m.x);
  return good;
}
