/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of sums of consecutive points, as a tree.
 */
#ifndef RP_ARGS_TREE_REDUCE_H
#define RP_ARGS_TREE_REDUCE_H

/* One item per block, [group][block]: the sum of `block` points of a group of `width`; the last block of a group may be
 * shorter. */
struct rp_tree_reduce_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* accumulator */
  uint32_t width, block, blocks, affine;
};

RP_ARGS_SIZE(struct rp_tree_reduce_args, 32);
#define RP_TREE_GROUP 128 /* threads per workgroup, and points in shared memory */
#define RP_TREE_QUADS_GROUP 256
#define RP_TREE_CPU_LOG 10 /* a block of the CPU has at most 2^RP_TREE_CPU_LOG points */

#endif
