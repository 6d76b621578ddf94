/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of bucket accumulation. The entries are cut into chunks of equal length. A row no longer than a
 * chunk belongs to the chunk in which it starts; a longer row is split at the chunk borders and leaves partial sums.
 */
#ifndef RP_ARGS_BUCKET_ACCUMULATE_H
#define RP_ARGS_BUCKET_ACCUMULATE_H

/* One item per chunk. */
struct rp_bucket_accumulate_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint64_t) points;    /* affine */
  RP_ADDR(uint64_t) sums;      /* accumulators, or affine points if affine_sums */
  RP_ADDR(uint64_t) partials;  /* accumulators [chunk][2]: of the long rows at its begin and at its end */
  RP_ADDR(uint64_t) workspace; /* [worker][workspace_words] */
  uint32_t rows, first_row;    /* rows [first_row, first_row + rows) of the matrix; sums[0] is of first_row */
  uint32_t chunk;              /* entries per chunk */
  uint32_t chunks;             /* upper bound of their number */
  uint32_t workspace_words;
  uint32_t affine_sums;
  uint32_t skip_empty; /* sums of empty rows are not written; their reader looks at row_ptr */
  uint32_t reserved;
};

RP_ARGS_SIZE(struct rp_bucket_accumulate_args, 80);

#endif
