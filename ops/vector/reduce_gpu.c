/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lower/gpu.h"

#include "vector/reduce_args.h"
#include "kernel_tables.h"

/* Every workgroup of the second launch reads the products of all workgroups before it. With this few workgroups that is
 * a small part of the work at any size, and a launch in between would cost more. */
enum { GROUPS = 4 };

/* CUDA only; on other GPUs the blocks' products are scanned (reduce.c). */
rp_status rp_lower_prefix_gpu(rp_lower *l, uint32_t exclusive) {
  const rp_value in = rp_lower_in(l, 0), out = rp_lower_out(l, 0);
  const uint64_t n = rp_lower_len(l, in), threads = (uint64_t)rp_lower_limits(l)->workers * GROUPS * RP_SCAN_GROUP;
  const uint32_t share = (uint32_t)((n + threads - 1) / threads);
  const uint32_t groups = rp_gpu_groups(n, share * RP_SCAN_GROUP);
  const rp_type *type = rp_lower_type(l, in);
  const rp_field field = rp_lower_field(l, in);
  const rp_value before = rp_lower_scratch(l, "before", type, (uint64_t)groups * RP_SCAN_GROUP);
  const rp_value products = rp_lower_scratch(l, "products", type, groups);
  const struct rp_gpu_prefix_args args = {.n = (uint32_t)n, .share = share, .exclusive = exclusive};
  rp_gpu_dispatch(l, &rp_kernels_prefix_shares[field], groups, 1, &args,
                  (rp_bind[]){RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ), RP_BIND(before, RP_WRITE),
                              RP_BIND(products, RP_WRITE)});
  rp_gpu_dispatch(l, &rp_kernels_prefix_join[field], groups, 1, &args,
                  (rp_bind[]){RP_BIND(out, RP_READ_WRITE), rp_bind_optional(RP_NO_VALUE, RP_READ),
                              RP_BIND(before, RP_READ), RP_BIND(products, RP_READ)});
  return RP_OK;
}
