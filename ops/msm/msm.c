/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication: few points in one kernel with shared doublings, many through a bucket matrix.
 */
#include "msm/buckets.h"
#include "msm/msm_small.h"
#include "lower/lower.h"

#include <reprise/view.h>

/* One product through a bucket matrix. */
static rp_value msm_buckets(rp_graph *g, rp_value scalars, rp_value points, rp_value multiples,
                            const rp_bucket_options *options) {
  rp_buckets b = rp_bucket_matrix(g, scalars, options);
  return rp_window_reduce(g, &b, rp_bucket_windows(g, &b, options->merged > 1 ? multiples : points));
}

rp_value rp_msm(rp_graph *g, rp_value scalars, rp_value points, const rp_msm_options *options) {
  const uint64_t n = rp_value_len(g, points);
  rp_msm_options o;
  if (!rp_options_read(&o, sizeof o, options)) return rp_graph_fail(g, RP_ERR_ARGUMENT, "msm: struct_size is not set");
  const uint64_t batch = o.batch ? o.batch : 1;
  rp_bucket_options bo = {.struct_size = sizeof bo, .window_bits = o.window_bits, .merged = 1};
  rp_value multiples = RP_NO_VALUE, result;
  rp_value *parts;
  if (!rp_value_check(g, points, "msm", "points") || !rp_value_check(g, scalars, "msm", "scalars")) return RP_NO_VALUE;
  if (!rp_type_is_affine(rp_value_type(g, points), &bo.curve))
    return rp_graph_fail(g, RP_ERR_TYPE, "msm: the points are of type %s, not affine points",
                         rp_value_type(g, points)->name);
  if (rp_value_len(g, scalars) != n * batch)
    return rp_graph_fail(g, RP_ERR_SHAPE, "msm: %llu scalars for %llu points in a batch of %llu",
                         (unsigned long long)rp_value_len(g, scalars), (unsigned long long)n,
                         (unsigned long long)batch);
  rp_scope_begin(g, "msm");
  /* Field elements need the bucket matrix, whose digit kernel converts them. */
  if (!o.window_bits && !o.precompute && n <= rp_msm_small_points() &&
      rp_value_type(g, scalars)->id == RP_TYPE_U256.id) {
    rp_scope_title(g, "Multi-scalar product: %llu points, in one kernel", (unsigned long long)n);
    result = rp_msm_small(g, scalars, points, batch);
    rp_scope_end(g);
    return result;
  }
  if (o.precompute > 1) bo.merged = o.precompute;
  if (!bo.window_bits) bo.window_bits = rp_window_bits_choose(bo.curve, n, bo.merged);
  rp_scope_title(g, "Multi-scalar product: %llu points, windows of %u bits", (unsigned long long)n, bo.window_bits);
  if (bo.merged > 1) multiples = rp_window_multiples(g, points, bo.window_bits, bo.merged);
  if (batch == 1) {
    result = msm_buckets(g, scalars, points, multiples, &bo);
  } else if ((parts = rp_context_alloc(rp_graph_context(g), batch * sizeof *parts))) {
    for (uint64_t i = 0; i < batch; i++)
      parts[i] = msm_buckets(g, rp_slice(g, scalars, i * n, n), points, multiples, &bo);
    result = rp_concat(g, parts, (uint32_t)batch);
    rp_context_free(parts);
  } else {
    result = rp_graph_fail(g, RP_ERR_MEMORY, "msm: out of memory for a batch of %llu", (unsigned long long)batch);
  }
  rp_scope_end(g);
  return result;
}
