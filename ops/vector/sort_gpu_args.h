/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stable sort of u32 keys on GPUs, least significant digits first. In each pass the keys of each block are counted by
 * digit (sort_count), the counts are scanned digit by digit, and every key is written to its place (sort_scatter).
 */
#ifndef REPRISE_ARGS_GPU_SORT_H
#define REPRISE_ARGS_GPU_SORT_H

/* sort_count writes counts[digit * blocks + block]; sort_scatter reads them scanned. `order` holds the original
 * positions of the keys; in the first pass, with first_pass, it is not read because the keys are in their original
 * positions. */
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
#define RP_GPU_SORT_ITEMS 8 /* per thread */
#define RP_GPU_SORT_BITS 8  /* per digit, at most: one thread of the block per digit value */

#endif
