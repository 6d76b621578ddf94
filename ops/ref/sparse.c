/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plain references: sparse matrices.
 */
#include "ref/ref.h"

#include <string.h>

typedef uint8_t bytes;
enum { ELEMENT = 96 };

void ref_spmv(const rp_field_host *f, void *y, uint64_t rows, const uint32_t *row_ptr, const uint32_t *col,
              const void *val, const void *x) {
  uint64_t t[ELEMENT / 8];
  size_t size = f->size_bytes;
  for (uint64_t r = 0; r < rows; r++) {
    bytes *sum = (bytes *)y + r * size;
    f->zero(sum);
    for (uint32_t i = row_ptr[r]; i < row_ptr[r + 1]; i++) {
      f->mul(t, (const bytes *)val + i * size, (const bytes *)x + col[i] * size);
      f->add(sum, sum, t);
    }
  }
}

void ref_transpose(uint64_t rows, uint64_t cols, uint32_t size_bytes, const uint32_t *row_ptr, const uint32_t *col,
                   const void *val, uint32_t *out_row_ptr, uint32_t *out_col, void *out_val) {
  uint32_t at = 0;
  for (uint64_t c = 0; c < cols; c++) {
    out_row_ptr[c] = at;
    for (uint64_t r = 0; r < rows; r++)
      for (uint32_t i = row_ptr[r]; i < row_ptr[r + 1]; i++)
        if (col[i] == c) {
          out_col[at] = (uint32_t)r;
          if (val)
            memcpy((bytes *)out_val + (size_t)at * size_bytes, (const bytes *)val + (size_t)i * size_bytes, size_bytes);
          at++;
        }
  }
  out_row_ptr[cols] = at;
}
