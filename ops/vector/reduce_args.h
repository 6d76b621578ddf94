/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reductions and scans over blocks of `block` elements. Item: a block; on a GPU it is a workgroup's.
 */
#ifndef REPRISE_ARGS_REDUCE_H
#define REPRISE_ARGS_REDUCE_H

/* Threads of a workgroup, a power of two. */
#define RP_SCAN_GROUP 128

/* out[b] = sum (product) of block b */
struct rp_reduce_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_reduce_args, 24);

/* out[i] = offset[b] * product of block b up to i, with or without in[i]. Without has_offset the offset is 1. */
struct rp_scan_product_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(const void) offset;
  uint32_t n, block, exclusive, has_offset;
};
RP_ARGS_SIZE(struct rp_scan_product_args, 40);

/* Running products over `blocks` workgroups of RP_SCAN_GROUP threads, each with a share of `share` neighbours: first
 * the products within each share, with what stands before it in its workgroup in before[thread] and the workgroups' own
 * in products; then the rest is multiplied in. */
struct rp_gpu_prefix_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(void) before;   /* blocks * RP_SCAN_GROUP */
  RP_ADDR(void) products; /* blocks */
  uint32_t n, share, exclusive, pad;
};
RP_ARGS_SIZE(struct rp_gpu_prefix_args, 48);

#endif
