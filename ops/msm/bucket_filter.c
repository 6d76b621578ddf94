/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket filter: the entries of a matrix whose point is in a support.
 *
 * kernel bucket_filter_count bucket_filter_count/4 cpu:c
 * kernel bucket_filter_write bucket_filter_write/6 cpu:c
 * kernel filter_count gpu_filter/5 gpu:RP_GPU_FILTER_BLOCK
 * kernel filter_write gpu_filter/5 gpu:RP_GPU_FILTER_BLOCK
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "lower/gpu.h"
#include "msm/bucket_matrix_cpu.h"
#include "kernel_tables.h"

#include <string.h>

/* One item per part; parts are equal shares of the entries present at run time. */
struct rp_bucket_filter_count_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint32_t) support;
  RP_ADDR(uint32_t) counts; /* [part]: the number of entries kept */
  uint32_t rows, n, parts, reserved;
};
RP_ARGS_SIZE(struct rp_bucket_filter_count_args, 48);

struct rp_bucket_filter_write_args {
  RP_ADDR(uint32_t) row_ptr;
  RP_ADDR(uint32_t) entries;
  RP_ADDR(uint32_t) support;
  RP_ADDR(uint32_t) counts;
  RP_ADDR(uint32_t) out_row_ptr;
  RP_ADDR(uint32_t) out_entries;
  uint32_t rows, n, parts, reserved;
};
RP_ARGS_SIZE(struct rp_bucket_filter_write_args, 64);

typedef struct params {
  rp_bucket_dims dims;
} params;

enum { IN_ROW_PTR, IN_ENTRIES, IN_SUPPORT };

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  rp_bucket_dims dims;
  const rp_status status = rp_shape_in_buckets(s, &dims);
  if (status != RP_OK) return status;
  if (memcmp(&dims, &p->dims, sizeof dims) != 0) return rp_shape_refuse_buckets(s);
  if (s->in_type[IN_SUPPORT]->id != RP_TYPE_U32.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the support is of type %s, not u32", s->in_type[IN_SUPPORT]->name);
  if (s->in_len[IN_SUPPORT] != (p->dims.n + 31) / 32)
    return rp_shape_fail(s, RP_ERR_SHAPE, "the support has %llu words, and %llu points need %llu",
                         (unsigned long long)s->in_len[IN_SUPPORT], (unsigned long long)p->dims.n,
                         (unsigned long long)((p->dims.n + 31) / 32));
  rp_shape_out(s, 0, &RP_TYPE_U32, s->in_len[IN_ROW_PTR]);
  rp_shape_out(s, 1, &RP_TYPE_U32, s->in_len[IN_ENTRIES]);
  return rp_shape_out_buckets(s, &p->dims);
}

static rp_status lower_cpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_value row_ptr = rp_lower_in(l, IN_ROW_PTR), entries = rp_lower_in(l, IN_ENTRIES);
  const rp_value support = rp_lower_in(l, IN_SUPPORT);
  const uint32_t rows = (uint32_t)(rp_lower_len(l, row_ptr) - 1);
  const uint64_t parts_wanted = rp_lower_len(l, entries) / 16384 + 1;
  uint32_t parts = 4 * rp_lower_limits(l)->workers;
  rp_value counts;
  if (parts > parts_wanted) parts = (uint32_t)parts_wanted;
  counts = rp_lower_scratch(l, "counts", &RP_TYPE_U32, parts);
  rp_lower_items(l, &rp_kernel_bucket_filter_count, parts, 1,
                 &(struct rp_bucket_filter_count_args){.rows = rows, .n = (uint32_t)p->dims.n, .parts = parts},
                 (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ), RP_BIND(support, RP_READ),
                             RP_BIND(counts, RP_WRITE)});
  rp_lower_items(l, &rp_kernel_bucket_filter_write, parts, 1,
                 &(struct rp_bucket_filter_write_args){.rows = rows, .n = (uint32_t)p->dims.n, .parts = parts},
                 (rp_bind[]){RP_BIND(row_ptr, RP_READ), RP_BIND(entries, RP_READ), RP_BIND(support, RP_READ),
                             RP_BIND(counts, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE),
                             RP_BIND(rp_lower_out(l, 1), RP_WRITE)});
  return RP_OK;
}

static rp_status lower_gpu(rp_lower *l) {
  const params *p = rp_lower_params(l);
  return rp_lower_filter_gpu(l, rp_lower_in(l, IN_ROW_PTR), rp_lower_in(l, IN_ENTRIES), rp_lower_in(l, IN_SUPPORT),
                             (uint32_t)p->dims.n, rp_lower_out(l, 0), rp_lower_out(l, 1));
}

static const rp_strategy strategies[] = {
    {.name = "compact", .devices = RP_ON(RP_DEVICE_CPU), .lower = lower_cpu},
    {.name = "atomic_compact", .devices = RP_ON_GPU, .lower = lower_gpu},
};

const rp_op rp_op_bucket_filter = {
    .struct_size = sizeof(rp_op),
    .flags = RP_OP_PURE,
    .name = "bucket_filter",
    .params_bytes = sizeof(params),
    .shape = shape,
    .strategies = strategies,
    .n_strategies = sizeof strategies / sizeof *strategies,
    .schema = RP_SCHEMA(.least_in = 3, .least_out = 2,
                        RP_PARAMS(RP_PARAM_ANY(params, dims.n), RP_PARAM_UPTO(params, dims.windows, 1, UINT32_MAX),
                                  RP_PARAM_UPTO(params, dims.window_bits, 1, RP_WINDOW_BITS_MAX),
                                  RP_PARAM_UPTO(params, dims.buckets, 1, UINT32_MAX),
                                  RP_PARAM_UPTO(params, dims.merged, 1, UINT32_MAX)))};

rp_buckets rp_bucket_filter(rp_graph *g, const rp_buckets *b, rp_value support) {
  rp_buckets filtered = {0};
  params p = {0};
  rp_value out[2];
  if (!rp_buckets_check(g, b, rp_op_bucket_filter.name)) return filtered;
  p.dims = ((const rp_bucket_form *)rp_value_form(g, b->row_ptr, &rp_form_bucket_rows))->dims;
  rp_graph_node(g, &rp_op_bucket_filter, &p, (rp_value[]){b->row_ptr, b->entries, support}, 3, out, 2);
  filtered = *b;
  filtered.row_ptr = out[0];
  filtered.entries = out[1];
  return filtered;
}
