/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plain references: points and multi-scalar multiplication.
 */
#include "ref/points.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t bytes;
enum { POINT = 4 * 96 }; /* the largest accumulator */

/* a = b - a, 32 bytes, little-endian */
static void subtract_from(bytes a[32], const bytes b[32]) {
  int borrow = 0;
  for (int i = 0; i < 32; i++) {
    int d = b[i] - a[i] - borrow;
    a[i] = (bytes)d;
    borrow = d < 0;
  }
}

/* a > b / 2 for odd b, tested as 2 a > b */
static bool above_half(const bytes a[32], const bytes b[32]) {
  for (int i = 32; i >= 0; i--) {
    int twice = (i < 32 ? a[i] << 1 & 0xff : 0) | (i > 0 ? a[i - 1] >> 7 : 0), other = i < 32 ? b[i] : 0;
    if (twice != other) return twice > other;
  }
  return 0;
}

int64_t ref_digit(const rp_curve_host *c, const uint8_t scalar[32], uint32_t window_bits, uint32_t windows,
                  uint32_t w) {
  const int64_t base = (int64_t)1 << window_bits, middle = base / 2;
  bytes s[32];
  int64_t digit = 0, carry = 0;
  bool negative = above_half(scalar, c->order_le);
  memcpy(s, scalar, sizeof s);
  if (negative) subtract_from(s, c->order_le);
  for (uint32_t i = 0; i <= w; i++) {
    digit = carry;
    for (uint32_t bit = 0; bit < window_bits; bit++) {
      uint32_t at = i * window_bits + bit;
      if (at < 256) digit += (int64_t)(s[at / 8] >> (at % 8) & 1) << bit;
    }
    carry = digit >= middle && i + 1 < windows;
    if (carry) digit -= base;
  }
  return negative ? -digit : digit;
}

void ref_bucket_matrix(const rp_curve_host *c, const uint8_t *scalars, uint64_t n, uint32_t window_bits,
                       uint32_t merged, uint32_t *row_ptr, uint32_t *entries) {
  const uint32_t buckets = 1u << (window_bits - 1);
  uint32_t bits = 256, at = 0, windows;
  while (!(c->order_le[(bits - 1) / 8] >> ((bits - 1) % 8) & 1)) bits--;
  windows = (bits + window_bits - 1) / window_bits;
  for (uint32_t set = 0; set * merged < windows; set++) {
    for (uint32_t b = 0; b < buckets; b++) {
      *row_ptr++ = at;
      for (uint32_t j = 0; j < merged && set * merged + j < windows; j++) {
        for (uint64_t i = 0; i < n; i++) {
          int64_t digit = ref_digit(c, scalars + i * 32, window_bits, windows, set * merged + j);
          if (llabs(digit) == (int64_t)b + 1) entries[at++] = (uint32_t)((j * n + i) << 1 | (digit < 0));
        }
      }
    }
  }
  *row_ptr = at;
}

void ref_bucket_filter(const uint32_t *row_ptr, uint64_t rows, const uint32_t *entries, const uint32_t *support,
                       uint64_t n, uint32_t *out_row_ptr, uint32_t *out_entries) {
  uint32_t at = 0;
  for (uint64_t r = 0; r < rows; r++) {
    out_row_ptr[r] = at;
    for (uint32_t e = row_ptr[r]; e < row_ptr[r + 1]; e++) {
      uint64_t i = (entries[e] >> 1) % n;
      if (support[i / 32] >> (i % 32) & 1) out_entries[at++] = entries[e];
    }
  }
  out_row_ptr[rows] = at;
}

void ref_bucket_accumulate(const rp_curve_host *c, const uint32_t *row_ptr, uint64_t rows, const uint32_t *entries,
                           const void *points, void *sums) {
  uint64_t p[POINT / 8];
  for (uint64_t r = 0; r < rows; r++) {
    void *sum = (bytes *)sums + r * c->accumulator_bytes;
    c->acc_identity(sum);
    for (uint32_t e = row_ptr[r]; e < row_ptr[r + 1]; e++) {
      memcpy(p, (const bytes *)points + (size_t)(entries[e] >> 1) * c->affine_bytes, c->affine_bytes);
      if (entries[e] & 1) c->neg(p, p);
      c->acc_add_affine(sum, sum, p);
    }
  }
}

void ref_spmv_points(const rp_curve_host *c, const uint32_t *row_ptr, uint64_t rows, const uint32_t *col,
                     const void *points, void *sums) {
  for (uint64_t r = 0; r < rows; r++) {
    void *sum = (bytes *)sums + r * c->accumulator_bytes;
    c->acc_identity(sum);
    for (uint32_t i = row_ptr[r]; i < row_ptr[r + 1]; i++)
      c->acc_add_affine(sum, sum, (const bytes *)points + (size_t)col[i] * c->affine_bytes);
  }
}

void ref_scalars_to_ell(const uint8_t *scalars, uint64_t n, uint64_t rows, uint32_t window_bits, uint32_t first,
                        uint32_t windows, uint32_t *row_len, uint32_t *col, uint32_t *val) {
  const uint64_t width = (n + rows - 1) / rows;
  memset(row_len, 0, windows * rows * sizeof *row_len);
  memset(col, 0xff, windows * rows * width * sizeof *col);
  memset(val, 0, windows * rows * width * sizeof *val);
  for (uint64_t i = 0; i < n; i++)
    for (uint32_t w = 0; w < windows; w++) {
      const uint64_t row = w * rows + i % rows;
      uint32_t digit = 0;
      for (uint32_t b = 0; b < window_bits; b++) {
        const uint32_t at = (first + w) * window_bits + b;
        if (at < 256) digit |= (uint32_t)(scalars[i * 32 + at / 8] >> at % 8 & 1) << b;
      }
      if (!digit) continue;
      col[row * width + row_len[row]] = (w << window_bits) + digit;
      val[row * width + row_len[row]++] = (uint32_t)i;
    }
}

void ref_bucket_reduce(const rp_curve_host *c, const void *sums, uint32_t sets, uint32_t buckets, void *windows) {
  for (uint32_t s = 0; s < sets; s++) {
    uint64_t run[POINT / 8];
    void *total = (bytes *)windows + (size_t)s * c->accumulator_bytes;
    c->acc_identity(run);
    c->acc_identity(total);
    for (uint32_t b = buckets; b-- > 0;) {
      c->acc_add(run, run, (const bytes *)sums + ((size_t)s * buckets + b) * c->accumulator_bytes);
      c->acc_add(total, total, run);
    }
  }
}

void ref_window_reduce(const rp_curve_host *c, const void *windows, uint32_t sets, uint32_t doublings, void *result) {
  c->acc_identity(result);
  for (uint32_t s = sets; s-- > 0;) {
    for (uint32_t i = 0; i < doublings; i++) c->acc_double(result, result);
    c->acc_add(result, result, (const bytes *)windows + (size_t)s * c->accumulator_bytes);
  }
}

void ref_msm(const rp_curve_host *c, const uint8_t *scalars, const void *points, uint64_t n, void *result) {
  uint64_t p[POINT / 8], sum[POINT / 8];
  c->acc_identity(sum);
  for (uint64_t i = 0; i < n; i++) {
    c->mul(p, (const bytes *)points + i * c->affine_bytes, scalars + i * 32);
    c->acc_add_affine(sum, sum, p);
  }
  c->acc_to_affine(result, sum);
}

void ref_tree_reduce(const rp_curve_host *c, const void *points, uint64_t n, void *result) {
  bytes *p = malloc(n * c->affine_bytes);
  if (!p) abort();
  memcpy(p, points, n * c->affine_bytes);
  for (uint64_t stride = 1; stride < n; stride *= 2)
    for (uint64_t i = 0; i + stride < n; i += 2 * stride)
      c->add(p + i * c->affine_bytes, p + i * c->affine_bytes, p + (i + stride) * c->affine_bytes);
  memcpy(result, p, c->affine_bytes);
  free(p);
}
