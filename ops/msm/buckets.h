/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the ops of multi-scalar multiplication share: the shape of a bucket matrix, and which window is chosen.
 *
 * A scalar s below the order r is taken as s or -(r - s), whichever is smaller, and written in digits of
 * `window_bits` bits between -2^(window_bits - 1) and 2^(window_bits - 1). With B = bit length of r, ceil(B /
 * window_bits) digits suffice.
 */
#ifndef REPRISE_OPS_BUCKETS_H
#define REPRISE_OPS_BUCKETS_H

#include <reprise/op.h>
#include <reprise/ops.h>

#include "msm/bucket_reduce_args.h" /* RP_WINDOW_BITS_MAX */
#include "points/points.h"

typedef struct rp_bucket_shape {
  uint32_t windows; /* digits of a scalar */
  uint32_t sets;    /* sets of rows: windows / merged, rounded up */
  uint32_t buckets; /* rows of a set */
} rp_bucket_shape;

rp_bucket_shape rp_bucket_shape_of(rp_curve curve, uint32_t window_bits, uint32_t merged);

/* The window bits that cost least for n points (measured, CPU). */
uint32_t rp_window_bits_choose(rp_curve curve, uint64_t n, uint32_t merged);

/* Up to so many points are multiplied with shared doublings and no buckets (measured, CPU). */
uint64_t rp_msm_small_points(void);

/* What params of the two operations that make matrices begin with: the members of the rp_buckets they gave. */
typedef struct rp_bucket_dims {
  uint64_t n;
  uint32_t windows, window_bits, buckets, merged;
} rp_bucket_dims;
static inline rp_bucket_dims rp_bucket_dims_of(const rp_buckets *b) {
  return (rp_bucket_dims){b->n, b->windows, b->window_bits, b->buckets, b->merged};
}
extern const rp_op rp_bucket_matrix_op, rp_bucket_filter_op;

/* Adds to the graph's error and returns 0 unless rp_bucket_matrix or rp_bucket_filter made the matrix, and nobody has
 * changed it since but by cutting out whole windows: kernels use rows and entries as indices without looking at
 * them. */
int rp_buckets_check(rp_graph *g, const rp_buckets *b, const char *op);

/* Both steps of rp_bucket_windows, for the separate ops too: rows [first_row, first_row + rows) into `sums`, and
 * sums of `sets` sets into windows [first_set, ...). CPU lowerings. */
typedef struct rp_accumulate_plan {
  rp_curve curve;
  rp_value row_ptr, entries, points, sums;
  uint32_t first_row, rows;
  uint64_t max_entries;
  uint32_t affine_sums;
  uint32_t skip_empty; /* sums of empty rows need not be written */
} rp_accumulate_plan;
rp_status rp_lower_accumulate_cpu(rp_lower *l, const rp_accumulate_plan *plan);

typedef struct rp_reduce_plan {
  rp_curve curve;
  rp_value sums, windows;
  rp_value row_ptr; /* of the matrix: sums of empty rows are not read; RP_NO_VALUE: every sum is there */
  uint32_t first_set, sets, buckets;
  uint32_t affine_sums;
} rp_reduce_plan;
rp_status rp_lower_reduce_cpu(rp_lower *l, const rp_reduce_plan *plan);

#endif
