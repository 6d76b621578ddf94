/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the bucket filter. One item per part; parts are equal shares of the entries present at run time.
 */
#ifndef RP_ARGS_BUCKET_FILTER_H
#define RP_ARGS_BUCKET_FILTER_H

struct rp_bucket_filter_count_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint32_t) support;
  RP_ADDR(uint32_t) counts; /* [part]: the number of entries kept */
  uint32_t rows, n, parts, reserved;
};

struct rp_bucket_filter_write_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint32_t) support;
  RP_ADDR(uint32_t) counts;
  RP_ADDR(uint32_t) out_row_ptr;
  RP_ADDR(uint32_t) out_entries;
  uint32_t rows, n, parts, reserved;
};

RP_ARGS_SIZE(struct rp_bucket_filter_count_args, 48);
RP_ARGS_SIZE(struct rp_bucket_filter_write_args, 64);

#endif
