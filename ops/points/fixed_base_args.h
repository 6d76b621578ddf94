/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of tables of fixed bases and of scalar multiplication with them.
 */
#ifndef RP_ARGS_FIXED_BASE_H
#define RP_ARGS_FIXED_BASE_H

/* One item per point and window, [point][window]. table[item][m - 1] = m * 2^(window_bits * window) * point */
struct rp_fixed_base_table_args {
  RP_ADDR(uint64_t) points;
  RP_ADDR(uint64_t) table;
  RP_ADDR(uint64_t) workspace; /* CPU only: [worker][workspace_words] */
  uint32_t windows, window_bits, workspace_words, reserved;
};

struct rp_fixed_base_mul_args {
  RP_ADDR(uint64_t) scalars;
  RP_ADDR(uint64_t) table;
  RP_ADDR(uint64_t) out; /* accumulator */
  RP_ADDR(uint32_t) error;
  RP_ADDR(uint64_t) workspace; /* CPU only: [worker][workspace_words] */
  uint32_t n, bases, windows, window_bits, workspace_words, batch, site, reserved;
};

RP_ARGS_SIZE(struct rp_fixed_base_table_args, 40);
RP_ARGS_SIZE(struct rp_fixed_base_mul_args, 72);
#define RP_FIXED_BASE_GROUP 128 /* threads per workgroup */

#endif
