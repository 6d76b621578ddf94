/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of fill, and of the prefix sum of u32 as a step of other lowerings, on GPUs.
 */
#ifndef REPRISE_ARGS_SCAN_GPU_ARGS_H
#define REPRISE_ARGS_SCAN_GPU_ARGS_H

/* Exclusive prefix sum of u32 in three launches: the sums of blocks, their prefix sums (one block), then all elements.
 * out has n + 1 elements. `copy` receives the first n again, unless it is the same address as out. */
struct rp_gpu_scan_args {
  RP_ADDR(const uint32_t) in;
  RP_ADDR(uint32_t) out;
  RP_ADDR(uint32_t) copy;
  RP_ADDR(uint32_t) block_sums;
  uint32_t n, blocks;
};
RP_ARGS_SIZE(struct rp_gpu_scan_args, 40);
#define RP_GPU_SCAN_BLOCK 256
#define RP_GPU_SCAN_ITEMS 8 /* per thread */

struct rp_gpu_fill_args {
  RP_ADDR(uint32_t) out;
  uint32_t n, value;
};
RP_ARGS_SIZE(struct rp_gpu_fill_args, 16);

#endif
