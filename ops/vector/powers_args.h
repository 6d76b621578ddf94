/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * powers: out[i] = scale * base^i; mul_powers: out[i] = x[i] * scale * base^i. Without has_scale the scale is 1 and its
 * address is not used. One item per element.
 */
#ifndef REPRISE_ARGS_POWERS_H
#define REPRISE_ARGS_POWERS_H

struct rp_powers_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) base;
  RP_ADDR(const void) scale;
  uint32_t n, has_scale;
};
RP_ARGS_SIZE(struct rp_powers_args, 32);

struct rp_mul_powers_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(const void) base;
  RP_ADDR(const void) scale;
  uint32_t n, has_scale;
};
RP_ARGS_SIZE(struct rp_mul_powers_args, 40);

#endif
