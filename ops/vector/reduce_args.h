/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reductions and scans over blocks of `block` elements. One item per block; on a GPU that is one workgroup.
 */
#ifndef REPRISE_ARGS_REDUCE_H
#define REPRISE_ARGS_REDUCE_H

/* Threads per workgroup, a power of two. */
#define RP_SCAN_GROUP 128

/* out[b] = sum or product of block b */
struct rp_reduce_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_reduce_args, 24);

/* out[i] = offset[b] * product of block b's elements before i, and in[i] unless exclusive. Without has_offset the
 * offset is 1. */
struct rp_scan_product_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(const void) offset;
  uint32_t n, block, exclusive, has_offset;
};
RP_ARGS_SIZE(struct rp_scan_product_args, 40);

/* Running products over `blocks` workgroups of RP_SCAN_GROUP threads, with `share` consecutive elements per thread.
 * prefix_shares makes the products within each share; before[thread] gets the product of the workgroup's earlier
 * shares, products[b] that of the whole workgroup. prefix_join then multiplies every element by what precedes its
 * share. */
struct rp_gpu_prefix_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) in;
  RP_ADDR(void) before;   /* blocks * RP_SCAN_GROUP */
  RP_ADDR(void) products; /* blocks */
  uint32_t n, share, exclusive, pad;
};
RP_ARGS_SIZE(struct rp_gpu_prefix_args, 48);

#endif
