/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/buckets.h"

#include <string.h>

rp_bucket_shape rp_bucket_shape_of(rp_curve curve, uint32_t window_bits, uint32_t merged) {
  const uint32_t windows = (rp_order_bits(curve) + window_bits - 1) / window_bits;
  return (rp_bucket_shape){windows, (windows + merged - 1) / merged, (uint32_t)1 << (window_bits - 1)};
}

uint32_t rp_msm_windows(rp_curve curve, uint32_t window_bits) {
  return (unsigned)curve < RP_CURVE_COUNT && window_bits ? rp_bucket_shape_of(curve, window_bits, 1).windows : 0;
}

rp_recoding rp_recoding_of(rp_curve curve, uint32_t window_bits) {
  const uint32_t windows = rp_bucket_shape_of(curve, window_bits, 1).windows;
  rp_recoding r = {0};
  uint64_t order, inverse = 1;
  memcpy(r.order, rp_curve_get(curve)->order_le, sizeof r.order);
  order = (uint64_t)r.order[1] << 32 | r.order[0];
  for (int i = 0; i < 6; i++) inverse *= 2 - order * inverse; /* Newton's iteration doubles the bits that are right */
  r.order_inverse[0] = (uint32_t)(0 - inverse);
  r.order_inverse[1] = (uint32_t)((0 - inverse) >> 32);
  for (uint32_t w = 0; w + 1 < windows; w++) {
    const uint32_t bit = w * window_bits + window_bits - 1;
    r.bias[bit / 32] |= 1u << bit % 32;
  }
  return r;
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

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

const rp_form rp_form_bucket_rows = {"rows of a bucket matrix", sizeof(rp_bucket_form)};
const rp_form rp_form_bucket_entries = {"entries of a bucket matrix", sizeof(rp_bucket_form)};

rp_status rp_shape_out_buckets(const rp_shape *s, const rp_bucket_dims *dims) {
  const rp_bucket_form form = {.dims = *dims, .matrix = s->out_id};
  const rp_status status = rp_shape_out_form(s, 0, &rp_form_bucket_rows, &form);
  return status == RP_OK ? rp_shape_out_form(s, 1, &rp_form_bucket_entries, &form) : status;
}

/* The rows and entries of one matrix; either may be NULL. */
static bool is_matrix(const rp_bucket_form *rows, const rp_bucket_form *entries) {
  return rows && entries && rows->matrix == entries->matrix;
}

rp_status rp_shape_refuse_buckets(const rp_shape *s) {
  return rp_shape_fail(s, RP_ERR_ARGUMENT, "not a bucket matrix as bucket_matrix or bucket_filter made it");
}

rp_status rp_shape_in_buckets(const rp_shape *s, rp_bucket_dims *dims) {
  const rp_bucket_form *rows = rp_shape_in_form(s, 0, &rp_form_bucket_rows);
  const rp_bucket_form *entries = rp_shape_in_form(s, 1, &rp_form_bucket_entries);
  if (!is_matrix(rows, entries)) return rp_shape_refuse_buckets(s);
  *dims = rows->dims;
  return RP_OK;
}

rp_status rp_shape_in_bucket_points(const rp_shape *s, uint64_t n, rp_bucket_dims *dims, rp_curve *curve) {
  const rp_status status = rp_shape_in_buckets(s, dims);
  if (status != RP_OK) return status;
  if (n != dims->n * dims->merged) return rp_shape_refuse_buckets(s);
  if (!rp_type_is_affine(s->in_type[2], curve))
    return rp_shape_fail(s, RP_ERR_TYPE, "the points are of type %s, not affine points", s->in_type[2]->name);
  if (s->in_len[2] != n)
    return rp_shape_fail(s, RP_ERR_SHAPE, "there are %llu points, and the matrix indexes %llu",
                         (unsigned long long)s->in_len[2], (unsigned long long)n);
  return RP_OK;
}

static bool is_like(const rp_bucket_dims *dims, const rp_buckets *b) {
  return dims->n == b->n && dims->windows == b->windows && dims->window_bits == b->window_bits &&
         dims->buckets == b->buckets && dims->merged == b->merged;
}

bool rp_buckets_check(rp_graph *g, const rp_buckets *b, const char *op) {
  if (b && b->row_ptr.id && b->entries.id) {
    if (!rp_value_check(g, b->row_ptr, op, "row_ptr") || !rp_value_check(g, b->entries, op, "entries")) return 0;
    const rp_bucket_form *rows = rp_value_form(g, b->row_ptr, &rp_form_bucket_rows);
    const rp_bucket_form *entries = rp_value_form(g, b->entries, &rp_form_bucket_entries);
    if (is_matrix(rows, entries) && is_like(&rows->dims, b)) return 1;
  }
  rp_graph_fail(g, RP_ERR_ARGUMENT, "%s: not a bucket matrix as bucket_matrix or bucket_filter made it", op);
  return 0;
}

bool rp_buckets_check_dims(rp_graph *g, const rp_buckets *b, const char *op) {
  if (!b || b->row_ptr.id || b->entries.id) return rp_buckets_check(g, b, op);
  if (b->windows && b->windows <= RP_WINDOWS_MAX && b->window_bits && b->window_bits <= RP_WINDOW_BITS_MAX &&
      b->buckets && b->buckets <= 1u << (RP_WINDOW_BITS_MAX - 1) && (b->buckets & (b->buckets - 1)) == 0 && b->merged &&
      b->merged <= RP_WINDOWS_MAX)
    return 1;
  rp_graph_fail(
      g, RP_ERR_ARGUMENT,
      "%s: not a bucket matrix, and %u windows of %u bits with %u buckets, %u merged, are not the dimensions of one",
      op, b->windows, b->window_bits, b->buckets, b->merged);
  return 0;
}
