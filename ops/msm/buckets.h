/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the operations of multi-scalar multiplication share: the shape of a bucket matrix, and what may be done to one.
 *
 * A scalar s below the order r is taken as s or -(r - s), whichever is smaller in absolute value, and written in digits
 * of `window_bits` bits between -2^(window_bits - 1) and 2^(window_bits - 1). ceil(B / window_bits) digits suffice,
 * where B is the bit length of r.
 */
#ifndef REPRISE_OPS_BUCKETS_H
#define REPRISE_OPS_BUCKETS_H

#include <reprise/op.h>
#include <reprise/ops.h>

#include "msm/bucket_reduce_args.h" /* RP_WINDOW_BITS_MAX */
#include "points/points.h"

/* An order has at most 256 bits, which one window per bit would divide. */
enum { RP_WINDOWS_MAX = 256 };

typedef struct rp_bucket_shape {
  uint32_t windows; /* digits per scalar */
  uint32_t sets;    /* sets of rows: windows / merged, rounded up */
  uint32_t buckets; /* rows per set */
} rp_bucket_shape;

rp_bucket_shape rp_bucket_shape_of(rp_curve curve, uint32_t window_bits, uint32_t merged);

/* RP_OK if input i is of scalars of the curve: canonical integers or elements of its scalar field. */
rp_status rp_shape_msm_scalars(const rp_shape *s, uint32_t i, rp_curve curve);
/* For rp_schema.check: RP_OK if a scalar has as many windows as are to share buckets; either number may be 0. */
rp_status rp_msm_check_windows(const rp_draft *d, rp_curve curve, uint32_t window_bits, uint32_t merged);

/* The type of what msm_scalars gives, which has no elements in memory. */
extern const rp_type rp_type_msm_scalars;

/* The params of the two operations that make bucket matrices begin with this: the members of the rp_buckets that they
 * returned. */
typedef struct rp_bucket_dims {
  uint64_t n;
  uint32_t windows, window_bits, buckets, merged;
} rp_bucket_dims;
static inline rp_bucket_dims rp_bucket_dims_of(const rp_buckets *b) {
  return (rp_bucket_dims){b->n, b->windows, b->window_bits, b->buckets, b->merged};
}

/* 1 and what the matrix is like if these are the rows and entries of one that rp_bucket_matrix or rp_bucket_filter
 * made, the rows perhaps cut to whole windows; else 0. */
int rp_buckets_made(const rp_graph *g, rp_value row_ptr, rp_value entries, rp_bucket_dims *made);
/* For rp_schema.check: refuses the draft; RP_OK if its first two operands are such a matrix, and like this. */
rp_status rp_buckets_refuse(const rp_draft *d);
rp_status rp_buckets_check_draft(const rp_draft *d, const rp_bucket_dims *dims);

/* Returns 1 if rp_bucket_matrix or rp_bucket_filter made the matrix and nothing was changed since except that whole
 * windows were cut out; else sets the graph's error and returns 0. Kernels rely on this: they use rows and entries as
 * indices unchecked. */
int rp_buckets_check(rp_graph *g, const rp_buckets *b, const char *op);

/* CPU lowerings of both steps of rp_bucket_windows, which the separate operations also use: rows [first_row, first_row
 * + rows) are summed into `sums`, and the sums of `sets` sets are reduced into windows [first_set, first_set +
 * sets). */
typedef struct rp_accumulate_plan {
  rp_curve curve;
  rp_value row_ptr, entries, points, sums;
  uint32_t first_row, rows;
  uint64_t max_entries;
  uint32_t affine_sums;
  uint32_t skip_empty; /* the sums of empty rows need not be written */
} rp_accumulate_plan;
rp_status rp_lower_accumulate_cpu(rp_lower *l, const rp_accumulate_plan *plan);

typedef struct rp_reduce_plan {
  rp_curve curve;
  rp_value sums, windows;
  rp_value row_ptr; /* of the matrix: the sums of empty rows are not read; RP_NO_VALUE: all sums are read */
  uint32_t first_set, sets, buckets;
  uint32_t affine_sums;
} rp_reduce_plan;
rp_status rp_lower_reduce_cpu(rp_lower *l, const rp_reduce_plan *plan);

#endif
