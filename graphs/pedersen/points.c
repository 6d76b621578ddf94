/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "points.h"

#include "job.h"

#include <string.h>

rp_status pedersen_decode(const void *generators, uint32_t n, bool trusted, void *affine, rp_error *err) {
  static const uint8_t zero[RP_PEDERSEN_BYTES];
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BANDERWAGON);
  for (uint32_t i = 0; i < n; i++) {
    const uint8_t *in = (const uint8_t *)generators + (size_t)i * RP_PEDERSEN_BYTES;
    void *out = (uint8_t *)affine + (size_t)i * PEDERSEN_AFFINE;
    if (!memcmp(in, zero, sizeof zero))
      c->identity(out); /* this is also the encoding of (0, -1), which is in the same class */
    else if (rp_point_decompress(RP_CURVE_BANDERWAGON, in, trusted, out) != RP_OK)
      return support_fail(err, RP_ERR_FORMAT, "Generator %u is not an encoding of a Banderwagon point.", i);
  }
  return RP_OK;
}

static bool is_below(const uint8_t a[32], const uint8_t b[32]) {
  for (int i = 31; i >= 0; i--)
    if (a[i] != b[i]) return a[i] < b[i];
  return 0;
}

rp_status pedersen_check_values(rp_curve curve, const void *values, uint32_t n, rp_error *err) {
  for (uint32_t i = 0; i < n; i++)
    if (!is_below((const uint8_t *)values + (size_t)i * RP_PEDERSEN_BYTES, rp_curve_get(curve)->order_le))
      return support_fail(err, RP_ERR_INPUT, "Value %u is not below the order of %s.", i, rp_curve_name(curve));
  return RP_OK;
}

rp_status pedersen_check_width(uint32_t width, rp_error *err) {
  if (width && !(width & (width - 1)) && width <= RP_PEDERSEN_WIDTH_MAX) return RP_OK;
  return support_fail(err, RP_ERR_SHAPE,
                      "A vector cannot have %u values: the width must be a power of two, at most %d.", width,
                      RP_PEDERSEN_WIDTH_MAX);
}

rp_value pedersen_tree(rp_graph *g, rp_value products, uint64_t width, bool blinded) {
  if (!blinded) return rp_to_affine(g, rp_tree_reduce(g, products, width));
  const rp_value sum = rp_tree_reduce(g, rp_slice(g, products, 0, width), width);
  return rp_to_affine(g, rp_point_add(g, sum, rp_slice(g, products, width, 1)));
}

/* Elements first, first + 2, ... of the coordinates: all x, or all y. */
static rp_value every_other(rp_graph *g, rp_value coordinates, uint32_t first, uint64_t n) {
  uint32_t *index = rp_context_alloc(rp_graph_context(g), n * sizeof *index);
  if (!index) return rp_graph_fail(g, RP_ERR_MEMORY, "pedersen_map_to_scalar: out of memory");
  for (uint64_t i = 0; i < n; i++) index[i] = (uint32_t)(2 * i) + first;
  const rp_value at = rp_graph_constant(g, first ? "every_y" : "every_x", &RP_TYPE_U32, n, index, 0);
  rp_context_free(index);
  return rp_gather(g, coordinates, at);
}

rp_value rp_pedersen_map_to_scalar(rp_graph *g, rp_value affine) {
  const uint64_t n = rp_value_len(g, affine);
  const rp_field order = rp_curve_scalar_field(RP_CURVE_BANDERWAGON);
  const rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = 1};
  const rp_type *type = rp_value_type(g, affine);
  rp_curve curve;
  if (!rp_value_check(g, affine, "pedersen_map_to_scalar", "points")) return RP_NO_VALUE;
  if (!rp_type_is_affine(type, &curve) || curve != RP_CURVE_BANDERWAGON)
    return rp_graph_fail(g, RP_ERR_TYPE, "pedersen_map_to_scalar: points are not affine points of Banderwagon");
  const rp_value coordinates = rp_point_coordinates(g, affine);
  const rp_value x = every_other(g, coordinates, 0, n), y = every_other(g, coordinates, 1, n);
  const rp_value quotient = rp_mul(g, x, rp_batch_inverse(g, y, NULL));
  return rp_to_canonical(g, rp_from_canonical(g, rp_to_canonical(g, quotient), order, &reduce));
}
