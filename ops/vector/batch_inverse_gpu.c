/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lower/gpu.h"

#include "kernel_tables.h"

/* Batch inversion on GPUs: each workgroup inverts `block` consecutive elements with one inversion of its own. */

#define RP_GPU_INVERSE_BLOCK 128 /* threads per workgroup; a power of two */

struct rp_gpu_inverse_args {
  RP_ADDR(void) out;
  RP_ADDR(const void) x;
  RP_ADDR(uint8_t) mask; /* with has_mask: 1 where x is zero */
  RP_ADDR(uint32_t) error;
  uint32_t n, block, strict, has_mask, site, pad;
};
RP_ARGS_SIZE(struct rp_gpu_inverse_args, 56);

/* Elements per thread: beyond sixteen the share of the inversion is negligible; fewer while some multiprocessors have
 * no work. Four workgroups per multiprocessor hide each other's inversion. */
enum { CHAIN = 16, GROUPS = 4 };

rp_status rp_lower_inverse_gpu(rp_lower *l, uint32_t strict, uint32_t has_mask) {
  const rp_value x = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const uint32_t n = (uint32_t)rp_lower_len(l, x),
                 threads = rp_lower_limits(l)->workers * GROUPS * RP_GPU_INVERSE_BLOCK;
  const uint32_t chain = n / threads + (n % threads != 0);
  const struct rp_gpu_inverse_args args = {.n = n,
                                           .block = (chain < CHAIN ? chain : CHAIN) * RP_GPU_INVERSE_BLOCK,
                                           .strict = strict,
                                           .has_mask = has_mask,
                                           .site = rp_lower_site(l)};
  rp_gpu_dispatch(l, &rp_kernels_inverse_blocks[rp_lower_field(l, x)], rp_gpu_groups(n, args.block), 1, &args,
                  (rp_bind[]){RP_BIND(out, RP_READ_WRITE), RP_BIND(x, RP_READ),
                              rp_bind_optional(has_mask ? rp_lower_out(l, 1) : RP_NO_VALUE, RP_WRITE),
                              RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)});
  return RP_OK;
}
