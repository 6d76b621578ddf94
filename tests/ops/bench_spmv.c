/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Times of the schemes of a sparse product, for the thresholds in ops/spmv_tuning.h: matrices over BN254 Fr of as many
 * non-zeros, of row lengths from 2 to 256 in the mean, even or with some rows much longer than the others. The best of
 * several replays, in milliseconds. The device is REPRISE_DEVICE's. Argument: log of the non-zeros.
 */
#include <reprise/ops.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 32, AGAIN = 7 };

static rp_context *context;
static rp_device *device;

typedef struct matrix {
  uint32_t *row_ptr, *col;
  uint8_t *val, *x;
  uint32_t rows, cols, nnz;
} matrix;

/* One row in `of` is long, the others have half the mean; of = 1: all even. Returns the squared coefficient of variation. */
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

static double measure(const matrix *m, rp_spmv_scheme scheme) {
  rp_graph *g;
  rp_recording *recording;
  rp_error err;
  double best = 1e9;
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  if (rp_graph_create(context, "bench", &g, NULL) != RP_OK) exit(1);
  const rp_csr csr = {.row_ptr = rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, m->rows + 1u, m->row_ptr, RP_BORROW),
                      .col = rp_graph_constant(g, "col", &RP_TYPE_U32, m->nnz, m->col, RP_BORROW),
                      .val = rp_graph_constant(g, "val", fr, m->nnz, m->val, RP_BORROW),
                      .rows = m->rows,
                      .cols = m->cols};
  rp_value x = rp_graph_input(g, "x", fr, m->cols, 0);
  rp_value y = rp_spmv(g, &csr, x, &(rp_spmv_options){.struct_size = sizeof(rp_spmv_options), .scheme = scheme});
  rp_graph_output(g, "y", y, RP_RESIDENT); /* not brought down: the product is what is timed */
  if (rp_record(device, g, NULL, &recording, &err) != RP_OK) {
    fprintf(stderr, "%s\n", err.reason);
    exit(1);
  }
  for (int again = 0; again < AGAIN; again++) {
    rp_run *run;
    rp_run_counters c;
    rp_run_begin(recording, UINT64_MAX, &run, NULL);
    rp_run_set_input(run, x, m->x, (uint64_t)m->cols * BYTES);
    if (rp_run_submit(run) != RP_OK || rp_run_wait(run, UINT64_MAX) != RP_OK) exit(1);
    rp_run_get_counters(run, &c);
    if ((double)c.latency_ns / 1e6 < best) best = (double)c.latency_ns / 1e6;
    rp_run_end(run);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return best;
}

int main(int argc, char **argv) {
  static const uint32_t unevenness[] = {1, 2, 8, 64, 512};
  const int log_nnz = argc > 1 ? atoi(argv[1]) : 20;
  matrix m = {.nnz = 1u << log_nnz, .cols = 1u << 14};
  uint64_t state = 1;
  rp_device_info info;
  m.row_ptr = malloc((size_t)(m.nnz + 1u) * 4);
  m.col = malloc((size_t)m.nnz * 4);
  m.val = malloc((size_t)m.nnz * BYTES);
  m.x = calloc(m.cols, BYTES);
  if (!m.row_ptr || !m.col || !m.val || !m.x) return 1;
  if (rp_context_create(NULL, &context, NULL) != RP_OK || rp_device_open(context, NULL, &device, NULL) != RP_OK)
    return 1;
  for (uint32_t i = 0; i < m.nnz; i++) {
    for (int w = 0; w < 4; w++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      memcpy(m.val + (size_t)i * BYTES + 8 * w, &(uint64_t){state >> (w == 3 ? 4 : 0)}, 8);
    }
    m.col[i] = (uint32_t)(state >> 40) % m.cols;
    if (i < m.cols) memcpy(m.x + (size_t)i * BYTES, m.val + (size_t)i * BYTES, BYTES);
  }
  rp_device_get_info(device, &info);
  printf("%s, 2^%d non-zeros\n    mean    variance/mean^2     scalar     vector   balanced\n", info.name, log_nnz);
  for (uint32_t mean = 2; mean <= 256; mean *= 2)
    for (size_t u = 0; u < sizeof unevenness / sizeof *unevenness; u++) {
      const double cv2 = shape(&m, mean, unevenness[u]);
      printf("%8.1f %18.2f", (double)m.nnz / m.rows, cv2);
      for (int scheme = RP_SPMV_SCALAR; scheme <= RP_SPMV_BALANCED; scheme++)
        printf(" %10.4f", measure(&m, (rp_spmv_scheme)scheme));
      printf("\n");
    }
  rp_device_close(device);
  rp_context_destroy(context);
  free(m.row_ptr), free(m.col), free(m.val), free(m.x);
  return 0;
}
