/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of products of scalars and points. One item per product.
 */
#ifndef RP_ARGS_SCALAR_MUL_H
#define RP_ARGS_SCALAR_MUL_H

struct rp_scalar_mul_args {
  RP_ADDR(uint64_t) scalars; /* U256 */
  RP_ADDR(uint64_t) points;  /* affine */
  RP_ADDR(uint64_t) out;     /* accumulator */
  RP_ADDR(uint32_t) error;
  uint32_t n, scalar_step, point_step, site;
};

RP_ARGS_SIZE(struct rp_scalar_mul_args, 48);

#endif
