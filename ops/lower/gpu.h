/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lowerings for GPUs.
 */
#ifndef REPRISE_OPS_GPU_H
#define REPRISE_OPS_GPU_H

#include "lower/lower.h"

/* Adds a dispatch of x times y workgroups. `binds` has the kernel's own number of entries. */
void rp_gpu_dispatch(rp_lower *l, const rp_kernel *kernel, uint32_t x, uint32_t y, const void *args,
                     const rp_bind *binds);
/* The number of workgroups of `block` threads for n threads. */
static inline uint32_t rp_gpu_groups(uint64_t n, uint32_t block) { return (uint32_t)((n + block - 1) / block); }

/* value[i] = word */
void rp_gpu_fill(rp_lower *l, rp_value value, uint32_t word);
/* Exclusive prefix sum: out has one element more than in. `copy`, unless RP_NO_VALUE, receives the prefixes again. */
void rp_gpu_scan(rp_lower *l, rp_value in, rp_value out, rp_value copy);
/* Stable sort of u32 keys below 2^bits: *sorted holds the keys in order, *order for each the index that it had. */
void rp_gpu_sort(rp_lower *l, rp_value keys, uint32_t bits, rp_value *sorted, rp_value *order);

struct rp_ell_args;
/* `binds` are those of struct rp_ell_args (sparse/csr.c); its row_ptr is computed first. */
void rp_lower_ell_gpu(rp_lower *l, rp_value row_len, const struct rp_ell_args *args, const rp_bind *binds);
typedef struct rp_gpu_transpose_plan {
  rp_value row_ptr, col, val, out_row_ptr, out_col, out_val; /* without values, val is col and out_val is out_col */
  uint32_t rows, cols, size_bytes;                           /* size_bytes is that of a value; 0: no values */
} rp_gpu_transpose_plan;
void rp_lower_transpose_gpu(rp_lower *l, const rp_gpu_transpose_plan *plan);

/* Running products of input 0 to output 0. */
rp_status rp_lower_prefix_gpu(rp_lower *l, uint32_t exclusive);

/* Batch inversion of input 0 to output 0, the mask to output 1. No branch depends on an element, except that a zero is
 * reported if strict. */
rp_status rp_lower_inverse_gpu(rp_lower *l, uint32_t strict, uint32_t has_mask);

typedef struct rp_gpu_matrix_plan {
  rp_curve curve;
  rp_value scalars, row_ptr, entries;
  uint32_t window_bits, windows, merged, sets, buckets;
} rp_gpu_matrix_plan;
rp_status rp_lower_matrix_gpu(rp_lower *l, const rp_gpu_matrix_plan *plan);
/* n: the number of points that the matrix indexes, before windows are merged. */
rp_status rp_lower_filter_gpu(rp_lower *l, rp_value row_ptr, rp_value entries, rp_value support, uint32_t n,
                              rp_value out_row_ptr, rp_value out_entries);
/* sums are accumulators */
rp_status rp_lower_accumulate_gpu(rp_lower *l, rp_curve curve, rp_value row_ptr, rp_value entries, rp_value points,
                                  rp_value sums);
rp_status rp_lower_reduce_gpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value windows, uint32_t sets,
                              uint32_t buckets);
rp_status rp_lower_window_reduce_gpu(rp_lower *l, rp_curve curve, rp_value windows, rp_value result, uint32_t sets,
                                     uint32_t doublings);

/* `binds` are those of struct rp_spmv_args up to the error record. */
struct rp_spmv_args;
void rp_lower_spmv_gpu(rp_lower *l, const struct rp_spmv_args *matrix, const rp_bind binds[6]);

#endif
