/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fused expression over columns. The program is u32[2 * n_code]: op | index << 16, then for a column the rotation as an
 * offset below n. It is valid: the builder checked it. Item: a row. The struct comes in three sizes.
 */
#ifndef REPRISE_ARGS_EXPR_H
#define REPRISE_ARGS_EXPR_H

struct rp_expr_tail {
  uint32_t n, n_code;
};

struct rp_expr_8_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) code;
  RP_ADDR(const void) constants;
  RP_ADDR(const void) columns[8];
  struct rp_expr_tail tail;
};
RP_ARGS_SIZE(struct rp_expr_8_args, 96);

struct rp_expr_32_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) code;
  RP_ADDR(const void) constants;
  RP_ADDR(const void) columns[32];
  struct rp_expr_tail tail;
};
RP_ARGS_SIZE(struct rp_expr_32_args, 288);

struct rp_expr_256_args {
  RP_ADDR(void) out;
  RP_ADDR(const uint32_t) code;
  RP_ADDR(const void) constants;
  RP_ADDR(const void) columns[256];
  struct rp_expr_tail tail;
};
RP_ARGS_SIZE(struct rp_expr_256_args, 2080);

#endif
