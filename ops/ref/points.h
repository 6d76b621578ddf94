/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The shortest correct version of each operation on points, over any curve through its function table: every kernel on
 * every device is compared with it. Outputs must not overlap inputs.
 */
#ifndef REPRISE_OPS_REF_POINTS_H
#define REPRISE_OPS_REF_POINTS_H

#include <reprise/ops.h>

/* The signed digit of window w of a canonical scalar below the order, digit by digit from the lowest (ops.h). */
int64_t ref_digit(const rp_curve_host *c, const uint8_t scalar[32], uint32_t window_bits, uint32_t windows, uint32_t w);
/* row_ptr has sets * buckets + 1 elements, entries has room for n * windows. */
void ref_bucket_matrix(const rp_curve_host *c, const uint8_t *scalars, uint64_t n, uint32_t window_bits,
                       uint32_t merged, uint32_t *row_ptr, uint32_t *entries);
void ref_bucket_filter(const uint32_t *row_ptr, uint64_t rows, const uint32_t *entries, const uint32_t *support,
                       uint64_t n, uint32_t *out_row_ptr, uint32_t *out_entries);
/* Sums and windows are accumulators. */
void ref_bucket_accumulate(const rp_curve_host *c, const uint32_t *row_ptr, uint64_t rows, const uint32_t *entries,
                           const void *points, void *sums);
void ref_bucket_reduce(const rp_curve_host *c, const void *sums, uint32_t sets, uint32_t buckets, void *windows);
void ref_window_reduce(const rp_curve_host *c, const void *windows, uint32_t sets, uint32_t doublings, void *result);
/* Sums are accumulators. */
void ref_spmv_points(const rp_curve_host *c, const uint32_t *row_ptr, uint64_t rows, const uint32_t *col,
                     const void *points, void *sums);
/* The matrices of windows [first, first + windows), of `rows` rows and ceil(n / rows) places per row each. */
void ref_scalars_to_ell(const uint8_t *scalars, uint64_t n, uint64_t rows, uint32_t window_bits, uint32_t first,
                        uint32_t windows, uint32_t *row_len, uint32_t *col, uint32_t *val);
/* result: an affine point, the sum of scalar[i] * point[i]. */
void ref_msm(const rp_curve_host *c, const uint8_t *scalars, const void *points, uint64_t n, void *result);
/* Sums in a fixed order: neighbours are added with stride 1, 2, 4 and so on. Affine points. */
void ref_tree_reduce(const rp_curve_host *c, const void *points, uint64_t n, void *result);

#endif
