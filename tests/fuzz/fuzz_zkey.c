/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz.h"

#include "groth16/formats/zkey.h"

static void check_csr(const g16_zkey *zkey, const g16_csr *csr) {
  FUZZ_NEED(csr->rows == zkey->domain_size && csr->row_ptr[0] == 0 && csr->row_ptr[csr->rows] == csr->nnz);
  for (uint64_t row = 0; row < csr->rows; row++) FUZZ_NEED(csr->row_ptr[row] <= csr->row_ptr[row + 1]);
  for (uint64_t i = 0; i < csr->nnz; i++) FUZZ_NEED(csr->col[i] < zkey->n_vars);
}

static void check_points(const g16_zkey *zkey, g16_points_id id) {
  g16_points points;
  rp_error error = {0};
  if (!fuzz_is_ok(g16_points_load(zkey, id, NULL, &points, &error), &error)) return;
  for (uint64_t i = 0; i < points.n; i++)
    FUZZ_NEED(points.index[i] < g16_points_count(zkey, id) && (i == 0 || points.index[i] > points.index[i - 1]));
  g16_points_free(&points, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const g16_points_id arrays[] = {G16_IC, G16_A, G16_B1, G16_B2, G16_C, G16_H};
  support_file *file;
  g16_zkey zkey;
  g16_csr a, b;
  rp_error error = {0};
  if (!fuzz_is_ok(support_file_wrap("zkey", data, size, &file, &error), &error)) return 0;
  if (fuzz_is_ok(g16_zkey_open(file, &zkey, &error), &error)) {
    if (fuzz_is_ok(g16_csr_load(&zkey, NULL, &a, &b, &error), &error)) {
      FUZZ_NEED(a.nnz + b.nnz == zkey.n_coefs);
      check_csr(&zkey, &a);
      check_csr(&zkey, &b);
      g16_csr_free(&a, NULL);
      g16_csr_free(&b, NULL);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) check_points(&zkey, arrays[i]);
  }
  support_file_close(file);
  return 0;
}
