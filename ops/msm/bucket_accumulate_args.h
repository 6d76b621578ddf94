/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of bucket accumulation. The entries are cut into chunks of equal length; a row of at most a chunk's
 * length belongs to the chunk in which it starts, a longer one is split at the borders and leaves partial sums.
 */
#ifndef RP_ARGS_BUCKET_ACCUMULATE_H
#define RP_ARGS_BUCKET_ACCUMULATE_H

/* Items: chunks. */
struct rp_bucket_accumulate_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint64_t) points;    /* affine */
  RP_ADDR(uint64_t) sums;      /* accumulator, or affine with affine_sums */
  RP_ADDR(uint64_t) partials;  /* accumulator [chunk][2]: of the long row that covers its begin, and its end */
  RP_ADDR(uint64_t) workspace; /* [worker][workspace_words] */
  uint32_t rows, first_row;    /* rows [first_row, first_row + rows) of the matrix; sums[0] is of first_row */
  uint32_t chunk;              /* entries of a chunk */
  uint32_t chunks;             /* how many there are at most */
  uint32_t workspace_words;
  uint32_t affine_sums;
  uint32_t skip_empty; /* sums of empty rows are left as they are: who reads them looks at row_ptr */
  uint32_t reserved;
};

RP_ARGS_SIZE(struct rp_bucket_accumulate_args, 80);

#endif
