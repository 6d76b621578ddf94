/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * kernel fill gpu_fill/1 item:256
 * kernel scan_sums gpu_scan/4 item:RP_GPU_SCAN_BLOCK
 * kernel scan_blocks gpu_scan/4 item:RP_GPU_SCAN_BLOCK cuda:1024
 * kernel scan_apply gpu_scan/4 item:RP_GPU_SCAN_BLOCK
 */
#include "lower/gpu.h"

#include "kernel_tables.h"

/* Kernel arguments of fill, and of the prefix sum of u32 as a step of other lowerings, on GPUs. */

/* Exclusive prefix sum of u32 in three launches: the sums of blocks, their prefix sums (one block), then all elements.
 * out has n + 1 elements. `copy` receives the first n again, unless it is the same address as out. */
struct rp_gpu_scan_args {
  RP_ADDR(const uint32_t) in;
  RP_ADDR(uint32_t) out;
  RP_ADDR(uint32_t) copy;
  RP_ADDR(uint32_t) block_sums;
  uint32_t n, blocks;
};
RP_ARGS_SIZE(struct rp_gpu_scan_args, 40);
#define RP_GPU_SCAN_BLOCK 256
#define RP_GPU_SCAN_ITEMS 8 /* per thread */

struct rp_gpu_fill_args {
  RP_ADDR(uint32_t) out;
  uint32_t n, value;
};
RP_ARGS_SIZE(struct rp_gpu_fill_args, 16);

void rp_gpu_dispatch(rp_lower *l, const rp_kernel *kernel, uint32_t x, uint32_t y, const void *args,
                     const rp_bind *binds) {
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = kernel,
                                      .groups = {x, y, 1},
                                      .binds = binds,
                                      .n_binds = kernel->n_binds,
                                      .args = args,
                                      .args_bytes = kernel->args_bytes});
}

void rp_gpu_fill(rp_lower *l, rp_value value, uint32_t word) {
  const uint32_t n = (uint32_t)rp_lower_len(l, value);
  const uint32_t groups = rp_gpu_groups(n, 256 * 4);
  rp_gpu_dispatch(l, &rp_kernel_fill, groups, 1, &(struct rp_gpu_fill_args){.n = n, .value = word},
                  (rp_bind[]){RP_BIND(value, RP_WRITE)});
}

void rp_gpu_scan(rp_lower *l, rp_value in, rp_value out, rp_value copy) {
  const uint32_t n = (uint32_t)rp_lower_len(l, in);
  const uint32_t blocks = rp_gpu_groups(n, rp_lower_group(l, &rp_kernel_scan_sums) * RP_GPU_SCAN_ITEMS);
  const struct rp_gpu_scan_args args = {.n = n, .blocks = blocks};
  const rp_value sums = rp_lower_scratch(l, "block_sums", &RP_TYPE_U32, blocks);
  if (!copy.id) copy = out;
  const rp_bind absent = rp_bind_optional(RP_NO_VALUE, RP_READ);
  rp_gpu_dispatch(l, &rp_kernel_scan_sums, blocks, 1, &args,
                  (rp_bind[]){RP_BIND(in, RP_READ), absent, absent, RP_BIND(sums, RP_WRITE)});
  rp_gpu_dispatch(
      l, &rp_kernel_scan_blocks, 1, 1, &args,
      (rp_bind[]){absent, {out, RP_WRITE, .first = 0, .count = n + 1}, absent, RP_BIND(sums, RP_READ_WRITE)});
  rp_gpu_dispatch(
      l, &rp_kernel_scan_apply, blocks, 1, &args,
      (rp_bind[]){RP_BIND(in, RP_READ), RP_BIND(out, RP_WRITE), RP_BIND(copy, RP_WRITE), RP_BIND(sums, RP_READ)});
}
