/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernel arguments of multi-scalar products of few points.
 */
#ifndef RP_ARGS_MSM_SMALL_H
#define RP_ARGS_MSM_SMALL_H

/* One item per result. Each result is the sum of n products over the same points. */
struct rp_msm_small_args {
  RP_ADDR(uint64_t) scalars; /* [result][n] U256 */
  RP_ADDR(uint64_t) points;  /* [n] affine */
  RP_ADDR(uint64_t) out;     /* [result] accumulator */
  RP_ADDR(uint32_t) error;
  RP_ADDR(uint64_t) workspace; /* CPU only: [worker][workspace_words] */
  uint32_t n, workspace_words, site, reserved;
};

RP_ARGS_SIZE(struct rp_msm_small_args, 56);

#endif
