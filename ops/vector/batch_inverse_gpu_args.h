/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion on GPUs: each workgroup inverts `block` consecutive elements with one inversion of its own.
 */
#ifndef REPRISE_ARGS_GPU_INVERSE_H
#define REPRISE_ARGS_GPU_INVERSE_H

#define RP_GPU_INVERSE_BLOCK 128 /* threads per workgroup; a power of two */

struct rp_gpu_inverse_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(uint8_t) mask; /* with has_mask: 1 where x is zero */
  RP_ADDR(uint32_t) error;
  uint32_t n, block, strict, has_mask, site, pad;
};
RP_ARGS_SIZE(struct rp_gpu_inverse_args, 56);

#endif
