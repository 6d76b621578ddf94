/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of bucket and window reduction.
 */
#ifndef RP_ARGS_BUCKET_REDUCE_H
#define RP_ARGS_BUCKET_REDUCE_H

#define RP_WINDOW_BITS_MAX 24u /* largest number of bits per digit */

/* One item per set and part. partials[item * 2] is the sum of (i + 1) * bucket[i], where i is the index within the
 * part; partials[item * 2 + 1] is the sum of bucket[i]. */
struct rp_bucket_reduce_args {
  RP_ADDR(uint64_t) sums;      /* accumulators, or affine points if affine_sums */
  RP_ADDR(uint64_t) partials;  /* accumulators */
  RP_ADDR(uint64_t) workspace; /* [worker][workspace_words] */
  uint32_t buckets, parts, affine_sums, workspace_words;
};

/* The same with row_ptr, which shows which rows are empty: their sums are not read. */
struct rp_bucket_reduce_rows_args {
  RP_ADDR(uint64_t) sums;
  RP_ADDR(uint64_t) partials;
  RP_ADDR(uint64_t) workspace;
  RP_ADDR(uint32_t) row_ptr; /* sums[i] belongs to row i */
  uint32_t buckets, parts, affine_sums, workspace_words;
};

/* One item per set. */
struct rp_bucket_fold_args {
  RP_ADDR(uint64_t) partials;
  RP_ADDR(uint64_t) windows; /* accumulators */
  uint32_t buckets, parts;
};

/* One item in all. */
struct rp_window_reduce_args {
  RP_ADDR(uint64_t) windows; /* accumulators */
  RP_ADDR(uint64_t) result;  /* one accumulator */
  uint32_t n, doublings;     /* doublings between one window and the next */
};

RP_ARGS_SIZE(struct rp_bucket_reduce_args, 40);
RP_ARGS_SIZE(struct rp_bucket_reduce_rows_args, 48);
RP_ARGS_SIZE(struct rp_bucket_fold_args, 24);
RP_ARGS_SIZE(struct rp_window_reduce_args, 24);

#endif
