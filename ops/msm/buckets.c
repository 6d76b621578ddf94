/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/buckets.h"
#include "vector/slice.h"

#include <string.h>

rp_bucket_shape rp_bucket_shape_of(rp_curve curve, uint32_t window_bits, uint32_t merged) {
  const uint32_t windows = (rp_order_bits(curve) + window_bits - 1) / window_bits;
  return (rp_bucket_shape){windows, (windows + merged - 1) / merged, (uint32_t)1 << (window_bits - 1)};
}

rp_status rp_shape_msm_scalars(const rp_shape *s, uint32_t i, rp_curve curve) {
  rp_field field;
  if (s->in_type[i]->id == RP_TYPE_U256.id ||
      (rp_type_is_field(s->in_type[i], &field) && field == rp_curve_scalar_field(curve)))
    return RP_OK;
  return rp_shape_fail(s, RP_ERR_TYPE, "the scalars are of type %s, neither u256 nor %s", s->in_type[i]->name,
                       rp_field_name(rp_curve_scalar_field(curve)));
}

rp_status rp_msm_check_windows(const rp_draft *d, rp_curve curve, uint32_t window_bits, uint32_t merged) {
  const uint32_t windows = rp_msm_windows(curve, window_bits ? window_bits : 1);
  if (merged <= windows) return RP_OK;
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "%u windows are to share buckets, and a scalar has %u", merged, windows);
}

static int is_matrix(const rp_maker *rows, const rp_maker *entries) {
  return (rows->op == &rp_op_bucket_matrix || rows->op == &rp_op_bucket_filter) && entries->op == rows->op &&
         entries->params == rows->params && rows->output == 0 && entries->output == 1;
}

int rp_buckets_made(const rp_graph *g, rp_value row_ptr, rp_value entries, rp_bucket_dims *made) {
  const rp_maker listed = rp_value_maker(g, entries);
  rp_maker rows = rp_value_maker(g, row_ptr);
  const rp_slice_params *slice = NULL;
  if (rows.op == &rp_op_slice) {
    slice = rows.params;
    rows = rp_value_maker(g, rows.in[0]);
  }
  if (!is_matrix(&rows, &listed)) return 0;
  *made = *(const rp_bucket_dims *)rows.params;
  if (!slice) return 1;
  if (slice->first % made->buckets || (slice->len - 1) % made->buckets) return 0;
  made->windows = (uint32_t)((slice->len - 1) / made->buckets);
  return made->windows != 0;
}

rp_status rp_buckets_refuse(const rp_draft *d) {
  return rp_draft_fail(d, RP_ERR_ARGUMENT, "not a bucket matrix as bucket_matrix or bucket_filter made it");
}

rp_status rp_buckets_check_draft(const rp_draft *d, const rp_bucket_dims *dims) {
  rp_bucket_dims made;
  if (rp_buckets_made(d->graph, d->in[0], d->in[1], &made) && memcmp(&made, dims, sizeof made) == 0) return RP_OK;
  return rp_buckets_refuse(d);
}

int rp_buckets_check(rp_graph *g, const rp_buckets *b, const char *op) {
  if (b && b->row_ptr.id && b->entries.id) {
    if (!rp_value_check(g, b->row_ptr, op, "row_ptr") || !rp_value_check(g, b->entries, op, "entries")) return 0;
    const rp_bucket_dims given = rp_bucket_dims_of(b);
    rp_bucket_dims made;
    if (rp_buckets_made(g, b->row_ptr, b->entries, &made) && memcmp(&made, &given, sizeof made) == 0) return 1;
  }
  rp_graph_fail(g, RP_ERR_ARGUMENT, "%s: not a bucket matrix as bucket_matrix or bucket_filter made it", op);
  return 0;
}

rp_buckets rp_bucket_range(rp_graph *g, const rp_buckets *b, uint32_t first, uint32_t windows) {
  const rp_buckets none = {0};
  if (!rp_buckets_check(g, b, "bucket_range")) return none;
  rp_buckets range = *b;
  if (rp_value_maker(g, b->row_ptr).op == &rp_op_slice) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "bucket_range: the matrix is a range already");
    return none;
  }
  if (!windows || first >= b->windows || windows > b->windows - first) {
    rp_graph_fail(g, RP_ERR_ARGUMENT, "bucket_range: %u windows from %u on, of %u", windows, first, b->windows);
    return none;
  }
  range.row_ptr = rp_slice(g, b->row_ptr, (uint64_t)first * b->buckets, (uint64_t)windows * b->buckets + 1);
  range.windows = windows;
  return range.row_ptr.id ? range : none; /* the graph may have failed before */
}
