/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of multiples of points for merged windows.
 */
#ifndef RP_ARGS_WINDOW_MULTIPLES_H
#define RP_ARGS_WINDOW_MULTIPLES_H

/* One item per point. out[j * n + i] = 2^(doublings * j) * in[i] */
struct rp_window_multiples_args {
  RP_ADDR(uint64_t) in;
  RP_ADDR(uint64_t) out; /* affine */
  uint32_t n, doublings, merged, reserved;
};

RP_ARGS_SIZE(struct rp_window_multiples_args, 32);

#endif
