/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations: out[i] = f(a[i * a_step], ...). Steps are 0 (broadcast) or 1. One item per element.
 */
#ifndef REPRISE_ARGS_POINTWISE_H
#define REPRISE_ARGS_POINTWISE_H

struct rp_unary_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) a;
  uint32_t n, pad;
};
RP_ARGS_SIZE(struct rp_unary_args, 24);

struct rp_binary_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) a;
  RP_ADDR(const void) b;
  uint32_t n, a_step, b_step, pad;
};
RP_ARGS_SIZE(struct rp_binary_args, 40);

struct rp_ternary_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) a;
  RP_ADDR(const void) b;
  RP_ADDR(const void) c;
  uint32_t n, a_step, b_step, c_step;
};
RP_ARGS_SIZE(struct rp_ternary_args, 48);

#endif
