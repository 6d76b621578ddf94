/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prefix sums of u32 over blocks of `block` elements. One item per block; on a GPU that is one workgroup.
 */
#ifndef REPRISE_ARGS_PREFIX_SUM_ARGS_H
#define REPRISE_ARGS_PREFIX_SUM_ARGS_H

/* Threads per workgroup, a power of two. */
#define RP_PREFIX_GROUP 256

/* sums[b] = sum of the u32 elements of block b, in 64 bits */
struct rp_block_sums_args {
  RP_ADDR(uint64_t) sums;
  RP_ADDR(const uint32_t) in;
  uint32_t n, block;
};
RP_ARGS_SIZE(struct rp_block_sums_args, 24);

/* sums[b] = sums[0] + ... + sums[b - 1], in place. One item in all. */
struct rp_scan_sums_args {
  RP_ADDR(uint64_t) sums;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_scan_sums_args, 16);

/* out[i] = sums[b] + the elements of block b before i; out[n] is the total, a fault if it does not fit 32 bits. An
 * element above `most` is a fault. `unscanned` (CUDA only): the sums were not scanned, and sums[0] + ... + sums[b - 1]
 * takes the place of sums[b]. */
struct rp_offset_scan_args {
  RP_ADDR(uint32_t) out;
  RP_ADDR(const uint32_t) in;
  RP_ADDR(const uint64_t) sums;
  RP_ADDR(void) error;
  uint32_t n, block, most, site, unscanned, pad;
};
RP_ARGS_SIZE(struct rp_offset_scan_args, 56);

#endif
