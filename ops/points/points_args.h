/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of the element-wise operations on points. A point is affine or in accumulator form; the flags
 * say which. Items: output points.
 */
#ifndef RP_ARGS_POINTS_H
#define RP_ARGS_POINTS_H

/* from_affine, to_affine, neg */
struct rp_point_map_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out;
  uint32_t n, affine;
};

/* to_affine on GPUs: `block` neighbours a workgroup */
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
  uint32_t a_step, b_step, reserved; /* 0: one element for all */
};

struct rp_scalar_mul_args {
  RP_ADDR(uint64_t) scalars; /* U256 */
  RP_ADDR(uint64_t) points;  /* affine */
  RP_ADDR(uint64_t) out;     /* accumulator */
  RP_ADDR(uint32_t) error;
  uint32_t n, scalar_step, point_step, site;
};

/* Items: results. Each is the sum of n products; the points are shared. */
struct rp_msm_small_args {
  RP_ADDR(uint64_t) scalars; /* [result][n] U256 */
  RP_ADDR(uint64_t) points;  /* [n] affine */
  RP_ADDR(uint64_t) out;     /* [result] accumulator */
  RP_ADDR(uint32_t) error;
  RP_ADDR(uint64_t) workspace; /* [worker][workspace_words] */
  uint32_t n, workspace_words, site, reserved;
};

/* Items: windows of points, [point][window]. table[item][m - 1] = m * 2^(window_bits * window) * point */
struct rp_fixed_base_table_args {
  RP_ADDR(uint64_t) points;
  RP_ADDR(uint64_t) table;
  RP_ADDR(uint64_t) workspace;
  uint32_t windows, window_bits, workspace_words, reserved;
};

struct rp_fixed_base_mul_args {
  RP_ADDR(uint64_t) scalars;
  RP_ADDR(uint64_t) table;
  RP_ADDR(uint64_t) out; /* accumulator */
  RP_ADDR(uint32_t) error;
  RP_ADDR(uint64_t) workspace;
  uint32_t n, bases, windows, window_bits, workspace_words, batch, site, reserved;
};

/* Items: blocks, [group][block]. Sums of `block` points of a group of `width`, the last block of a group is shorter. */
struct rp_tree_reduce_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* accumulator */
  uint32_t width, block, blocks, affine;
};

/* Items: points. out[j * n + i] = 2^(doublings * j) * in[i] */
struct rp_window_multiples_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* affine */
  uint32_t n, doublings, merged, reserved;
};

RP_ARGS_SIZE(struct rp_point_map_args, 24);
RP_ARGS_SIZE(struct rp_point_chains_args, 24);
RP_ARGS_SIZE(struct rp_point_add_args, 48);
RP_ARGS_SIZE(struct rp_scalar_mul_args, 48);
RP_ARGS_SIZE(struct rp_msm_small_args, 56);
RP_ARGS_SIZE(struct rp_fixed_base_table_args, 40);
RP_ARGS_SIZE(struct rp_fixed_base_mul_args, 72);
RP_ARGS_SIZE(struct rp_tree_reduce_args, 32);
RP_ARGS_SIZE(struct rp_window_multiples_args, 32);

#endif
