/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the element-wise operations on points. Flags say whether a point is affine or an accumulator. One
 * item per output point.
 */
#ifndef RP_ARGS_POINTS_H
#define RP_ARGS_POINTS_H

/* from_affine, to_affine, neg */
struct rp_point_map_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out;
  uint32_t n, affine;
};

/* to_affine on GPUs: each workgroup takes `block` consecutive points */
struct rp_point_chains_args {
  RP_ADDR(const void) in;
  RP_ADDR(void) out;
  uint32_t n, block;
};

struct rp_point_add_args {
  RP_ADDR(uint64_t) a;
  RP_ADDR(uint64_t) b;
  RP_ADDR(uint64_t) out; /* accumulator */
  uint32_t n, a_affine, b_affine;
  uint32_t a_step, b_step, reserved; /* 0: the same element for all items */
};

RP_ARGS_SIZE(struct rp_point_map_args, 24);
RP_ARGS_SIZE(struct rp_point_chains_args, 24);
RP_ARGS_SIZE(struct rp_point_add_args, 48);

#endif
