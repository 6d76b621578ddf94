/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lower/gpu.h"

#include "vector/reduce_args.h"

#define DECLARE(NAME, id, bytes, limbs, degree) RP_CUDA_DECLARE(reduce_##id)
RP_FIELD_LIST(DECLARE)
/* Elsewhere the reduction is scanned (reduce.c). */
#define SHARES(NAME, id, bytes, limbs, degree) \
  [RP_FIELD_##NAME] = RP_CUDA_KERNEL_OF(reduce, id, prefix_shares, struct rp_gpu_prefix_args, 4, RP_SCAN_GROUP, 0),
#define JOIN(NAME, id, bytes, limbs, degree) \
  [RP_FIELD_##NAME] = RP_CUDA_KERNEL_OF(reduce, id, prefix_join, struct rp_gpu_prefix_args, 4, RP_SCAN_GROUP, 0),
static const rp_kernel share_kernels[RP_FIELD_COUNT] = {RP_FIELD_LIST(SHARES)};
static const rp_kernel join_kernels[RP_FIELD_COUNT] = {RP_FIELD_LIST(JOIN)};

/* Every workgroup of the second launch goes over the products of those before it: few of them, so that this is a small
 * part of the work at any size, and a launch between the two would cost more. */
enum { GROUPS = 4 };

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
  rp_gpu_dispatch(l, &share_kernels[field], groups, 1, &args,
                  (rp_bind[]){RP_BIND(out, RP_WRITE), RP_BIND(in, RP_READ), RP_BIND(before, RP_WRITE),
                              RP_BIND(products, RP_WRITE)});
  rp_gpu_dispatch(l, &join_kernels[field], groups, 1, &args,
                  (rp_bind[]){RP_BIND(out, RP_READ_WRITE), RP_BIND(before, RP_READ), RP_BIND(before, RP_READ),
                              RP_BIND(products, RP_READ)});
  return RP_OK;
}
