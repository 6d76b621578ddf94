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

#include "arith/types.h"
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

/* What scalars are recoded with (msm/scalar_recode.h), the lowest word first. */
typedef struct rp_recoding {
  uint32_t order[8];         /* the group order */
  uint32_t order_inverse[2]; /* -1 / order mod 2^64. An even order has no inverse and needs none: its scalars are never
                              * field elements. */
  uint32_t bias[8];          /* 2^(window_bits - 1) in every window but the top one */
} rp_recoding;
rp_recoding rp_recoding_of(rp_curve curve, uint32_t window_bits);

/* RP_OK if input i is of scalars of the curve: canonical integers or elements of its scalar field. */
rp_status rp_shape_msm_scalars(const rp_shape *s, uint32_t i, rp_curve curve);
/* For rp_schema.check: RP_OK if a scalar has at least as many windows as are to share buckets; either number may be
 * 0. */
rp_status rp_msm_check_windows(const rp_draft *d, rp_curve curve, uint32_t window_bits, uint32_t merged);

/* What rp_buckets tells of a matrix, or of a range of its windows. */
typedef struct rp_bucket_dims {
  uint64_t n;
  uint32_t windows, window_bits, buckets, merged;
} rp_bucket_dims;

/* The forms of rows and of entries. Kernels use the contents of both as indices, unchecked: only rows and entries of
 * one matrix belong together. */
typedef struct rp_bucket_form {
  rp_bucket_dims dims; /* of rows: those of their windows; of entries: those of the whole matrix */
  uint32_t matrix;     /* rp_shape.out_id of the node that made it */
  uint32_t reserved;
} rp_bucket_form;
extern const rp_form rp_form_bucket_rows, rp_form_bucket_entries;

/* For shape rules: makes outputs 0 and 1 the rows and entries of a matrix like this. */
rp_status rp_shape_out_buckets(const rp_shape *s, const rp_bucket_dims *dims);
/* The dimensions of the matrix whose rows and entries are inputs 0 and 1. Other inputs are refused, for the reason that
 * rp_shape_refuse_buckets gives. */
rp_status rp_shape_in_buckets(const rp_shape *s, rp_bucket_dims *dims);
/* The same, for sums of the n affine points that the matrix indexes, which are input 2. */
rp_status rp_shape_in_bucket_points(const rp_shape *s, uint64_t n, rp_bucket_dims *dims, rp_curve *curve);
rp_status rp_shape_refuse_buckets(const rp_shape *s);
/* The same for constructors: true, or sets the graph's error and returns false. The struct must tell what its values
 * are. */
bool rp_buckets_check(rp_graph *g, const rp_buckets *b, const char *op);
/* The same for operations that need the dimensions only. If both values are RP_NO_VALUE, the dimensions must be
 * possible ones. */
bool rp_buckets_check_dims(rp_graph *g, const rp_buckets *b, const char *op);

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
