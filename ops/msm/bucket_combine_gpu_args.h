/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the last step of bucket accumulation on GPUs: rows in many pieces.
 */
#ifndef REPRISE_ARGS_BUCKET_COMBINE_GPU_ARGS_H
#define REPRISE_ARGS_BUCKET_COMBINE_GPU_ARGS_H

/* Repeated until one block is left. Blocks of slots, in which the partial sums of one row are consecutive. Block b
 * leaves at most two partial sums, in slots 2b and 2b + 1 of the next step. The last step has one block and finishes
 * all rows. */
struct rp_gpu_combine_args {
  RP_ADDR(const void) partials;
  RP_ADDR(const uint32_t) slot_rows;
  RP_ADDR(void) sums;
  RP_ADDR(void) next_partials;
  RP_ADDR(uint32_t) next_slot_rows;
  uint32_t slots, last;
};
RP_ARGS_SIZE(struct rp_gpu_combine_args, 48);
#define RP_GPU_COMBINE_SLOTS 4    /* per worker: a quad of lanes in CUDA, a thread in Vulkan */
#define RP_GPU_COMBINE_WORKERS 32 /* per block, in CUDA */
/* Shared memory per two workers: two accumulator points and two row numbers. */
#define RP_GPU_COMBINE_SPAN_BYTES(acc_bytes) ((2 * (acc_bytes) + 8 + 15) / 16 * 16)

#endif
