/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stable sort of u32 keys on GPUs, least significant digits first. One pass: the keys of a block are counted by digit
 * (sort_count), the counts are scanned digit by digit, and every key goes to its place (sort_scatter).
 */
#ifndef REPRISE_ARGS_GPU_SORT_H
#define REPRISE_ARGS_GPU_SORT_H

/* count: counts[digit * blocks + block]; scatter: the same, scanned. `order` holds what the keys' positions were before
 * the first pass; first_pass: they are where they were. */
struct rp_gpu_sort_args {
  RP_ADDR(const uint32_t) keys;
  RP_ADDR(const uint32_t) order;
  RP_ADDR(uint32_t) counts;
  RP_ADDR(uint32_t) keys_out;
  RP_ADDR(uint32_t) order_out;
  uint32_t n, blocks, shift, bits, first_pass, pad;
};
RP_ARGS_SIZE(struct rp_gpu_sort_args, 64);
#define RP_GPU_SORT_BLOCK 256
#define RP_GPU_SORT_ITEMS 8 /* a thread */
#define RP_GPU_SORT_BITS 8  /* of a digit, at most: a thread of the block a digit */

#endif
