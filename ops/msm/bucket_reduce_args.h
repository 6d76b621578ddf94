/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of bucket and window reduction.
 */
#ifndef RP_ARGS_BUCKET_REDUCE_H
#define RP_ARGS_BUCKET_REDUCE_H

#define RP_WINDOW_BITS_MAX 24u /* of a digit */

/* Items: sets * parts. partials[item * 2]: sum of (i + 1) * bucket[i], i counted within the part; [item * 2 + 1]:
 * the plain sum. */
struct rp_bucket_reduce_args {
  RP_ADDR(uint64_t) sums;      /* accumulator, or affine with affine_sums */
  RP_ADDR(uint64_t) partials;  /* accumulator */
  RP_ADDR(uint64_t) workspace; /* [worker][workspace_words] */
  uint32_t buckets, parts, affine_sums, workspace_words;
};

/* The same where rows are known to be empty: sums of those are not read. */
struct rp_bucket_reduce_rows_args {
  RP_ADDR(uint64_t) sums;
  RP_ADDR(uint64_t) partials;
  RP_ADDR(uint64_t) workspace;
  RP_ADDR(uint32_t) row_ptr; /* sums[i] is of row i */
  uint32_t buckets, parts, affine_sums, workspace_words;
};

/* Items: sets. */
struct rp_bucket_fold_args {
  RP_ADDR(uint64_t) partials;
  RP_ADDR(uint64_t) windows; /* accumulator */
  uint32_t buckets, parts;
};

/* Items: 1. */
struct rp_window_reduce_args {
  RP_ADDR(uint64_t) windows; /* accumulator */
  RP_ADDR(uint64_t) result;  /* accumulator, 1 */
  uint32_t n, doublings;     /* doublings between one window and the next */
};

RP_ARGS_SIZE(struct rp_bucket_reduce_args, 40);
RP_ARGS_SIZE(struct rp_bucket_reduce_rows_args, 48);
RP_ARGS_SIZE(struct rp_bucket_fold_args, 24);
RP_ARGS_SIZE(struct rp_window_reduce_args, 24);

#endif
