/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The bucket matrix on GPUs.
 */
#include "lower/gpu.h"
#include "msm/buckets.h"

#include <string.h>

#include "kernel_tables.h"

/* Kernel arguments of the bucket matrix on GPUs. The rows are those of msm/bucket_matrix.c. Digits are not stored:
 * both kernels compute them from the scalars. */

/* One thread per scalar. bucket_count: counts[row] += 1. bucket_scatter: entries[next[row]++] = index << 1 |
 * negative. */
struct rp_gpu_digits_args {
  RP_ADDR(const uint32_t) scalars;
  RP_ADDR(uint32_t) counters;                   /* counts, or next */
  RP_ADDR(uint32_t) entries;                    /* bucket_scatter only */
  RP_ADDR(uint32_t) error;                      /* written by bucket_count only */
  uint32_t order[8], order_inverse[2], bias[8]; /* rp_recoding */
  uint32_t n, scalar_words, montgomery, window_bits, windows, merged, buckets, site;
};
RP_ARGS_SIZE(struct rp_gpu_digits_args, 136);

rp_status rp_lower_matrix_gpu(rp_lower *l, const rp_gpu_matrix_plan *p) {
  const uint32_t n = (uint32_t)rp_lower_len(l, p->scalars), rows = p->sets * p->buckets;
  const rp_recoding recoding = rp_recoding_of(p->curve, p->window_bits);
  struct rp_gpu_digits_args a = {.n = n,
                                 .scalar_words = rp_lower_type(l, p->scalars)->size_bytes / 4,
                                 .montgomery = rp_lower_type(l, p->scalars)->id != RP_TYPE_U256.id,
                                 .window_bits = p->window_bits,
                                 .windows = p->windows,
                                 .merged = p->merged,
                                 .buckets = p->buckets,
                                 .site = rp_lower_site(l)};
  memcpy(a.order, recoding.order, sizeof a.order);
  memcpy(a.order_inverse, recoding.order_inverse, sizeof a.order_inverse);
  memcpy(a.bias, recoding.bias, sizeof a.bias);
  const rp_value counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, rows);
  const rp_value next = rp_lower_scratch(l, "next", &RP_TYPE_U32, rows);
  const rp_value error = rp_lower_error(l);
  const uint32_t groups = rp_gpu_groups(n, rp_lower_group(l, &rp_kernel_bucket_count_gpu));
  rp_gpu_fill(l, counts, 0);
  rp_gpu_dispatch(l, &rp_kernel_bucket_count_gpu, groups, 1, &a,
                  (rp_bind[]){RP_BIND(p->scalars, RP_READ), RP_BIND(counts, RP_READ_WRITE),
                              rp_bind_optional(RP_NO_VALUE, RP_WRITE), RP_BIND(error, RP_READ_WRITE | RP_ATOMIC)});
  rp_gpu_scan(l, counts, p->row_ptr, next);
  rp_gpu_dispatch(l, &rp_kernel_bucket_scatter_gpu, groups, 1, &a,
                  (rp_bind[]){RP_BIND(p->scalars, RP_READ), RP_BIND(next, RP_READ_WRITE), RP_BIND(p->entries, RP_WRITE),
                              rp_bind_optional(RP_NO_VALUE, RP_READ)});
  return RP_OK;
}
