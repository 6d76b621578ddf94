/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prefix sums of u32 over blocks of `block` elements. Item: a block; on a GPU it is a workgroup's.
 */
#ifndef REPRISE_ARGS_PREFIX_SUM_ARGS_H
#define REPRISE_ARGS_PREFIX_SUM_ARGS_H

/* Threads of a workgroup, a power of two. */
#define RP_PREFIX_GROUP 256

/* u32: sums[b] = sum of block b, in 64 bits */
struct rp_block_sums_args {
  RP_ADDR(uint64_t) sums;
  RP_ADDR(const uint32_t) in;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_block_sums_args, 24);

/* sums[b] = sums[0] + ... + sums[b - 1], in place; one item */
struct rp_scan_sums_args {
  RP_ADDR(uint64_t) sums;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_scan_sums_args, 16);

/* out[i] = sums[b] + the block's elements before i; out[n] is the total, a fault if it does not fit 32 bits. The
 * elements must not be above `most`. CUDA may leave out the sums' scan: unscanned, sums[b] stands for sums[0] + ... +
 * sums[b - 1]. */
struct rp_offset_scan_args {
  RP_ADDR(uint32_t) out;
  RP_ADDR(const uint32_t) in;
  RP_ADDR(const uint64_t) sums;
  RP_ADDR(void) error;
  uint32_t n, block, most, site, unscanned, pad;
};
RP_ARGS_SIZE(struct rp_offset_scan_args, 56);

#endif
