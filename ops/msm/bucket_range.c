/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket range: the rows of some consecutive windows of a bucket matrix. The entries stay as they are.
 */
#include "msm/buckets.h"
#include "lower/lower.h"
#include "vector/slice.h"

static rp_status shape(const rp_shape *s) {
  const rp_slice_params *p = s->params;
  const rp_bucket_form *rows = rp_shape_in_form(s, 0, &rp_form_bucket_rows);
  if (!rows) return rp_shape_fail(s, RP_ERR_ARGUMENT, "not the rows of a bucket matrix");
  const uint64_t buckets = rows->dims.buckets, most = rows->dims.windows * buckets;
  if (p->first % buckets || p->first >= most || p->len < 2 || (p->len - 1) % buckets || p->len - 1 > most - p->first)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu rows from %llu on, of %u windows with %u rows each: not whole windows",
                         (unsigned long long)(p->len ? p->len - 1 : 0), (unsigned long long)p->first,
                         rows->dims.windows, rows->dims.buckets);
  rp_bucket_form range = *rows;
  range.dims.windows = (uint32_t)((p->len - 1) / buckets);
  rp_shape_out(s, 0, s->in_type[0], p->len);
  return rp_shape_out_form(s, 0, &rp_form_bucket_rows, &range);
}

static const rp_strategy strategies[] = {{.name = "copy", .devices = RP_ON_ANY, .lower = rp_lower_slice}};

const rp_op rp_op_bucket_range = {.struct_size = sizeof(rp_op),
                                  .flags = RP_OP_PURE,
                                  .name = "bucket_range",
                                  .params_bytes = sizeof(rp_slice_params),
                                  .shape = shape,
                                  .strategies = strategies,
                                  .n_strategies = sizeof strategies / sizeof *strategies,
                                  .slice_first = rp_slice_first,
                                  .schema = RP_SCHEMA(.least_in = 1, RP_PARAMS(RP_PARAM_ANY(rp_slice_params, first),
                                                                               RP_PARAM_ANY(rp_slice_params, len)))};

rp_buckets rp_bucket_range(rp_graph *g, const rp_buckets *b, uint32_t first, uint32_t windows) {
  const rp_buckets none = {0};
  if (!rp_buckets_check(g, b, rp_op_bucket_range.name)) return none;
  if (!windows || first >= b->windows || windows > b->windows - first) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "bucket_range: %u windows from %u on, of %u", windows, first, b->windows);
    return none;
  }
  const rp_slice_params p = {(uint64_t)first * b->buckets, (uint64_t)windows * b->buckets + 1};
  rp_buckets range = *b;
  range.row_ptr = rp_graph_node(g, &rp_op_bucket_range, &p, &b->row_ptr, 1, NULL, 1);
  range.windows = windows;
  return range.row_ptr.id ? range : none; /* the graph may have failed before */
}
