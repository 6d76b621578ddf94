/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of sums of neighbours in a tree.
 */
#ifndef RP_ARGS_TREE_REDUCE_H
#define RP_ARGS_TREE_REDUCE_H

/* Items: blocks, [group][block]. Sums of `block` points of a group of `width`, the last block of a group is shorter. */
struct rp_tree_reduce_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* accumulator */
  uint32_t width, block, blocks, affine;
};

RP_ARGS_SIZE(struct rp_tree_reduce_args, 32);
#define RP_TREE_GROUP 128 /* threads of a workgroup, points in shared memory */
#define RP_TREE_QUADS_GROUP 256

#endif
