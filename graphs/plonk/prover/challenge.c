/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The transcript on the device: what plonk/verify/transcript.h does on the host, as nodes.
 */
#include "builder.h"

rp_value plonk_integers_of_points(plonk_builder *b, rp_value affine) {
  return rp_to_canonical(b->g, rp_point_coordinates(b->g, affine));
}

rp_value plonk_integers_of_elements(plonk_builder *b, rp_value elements) { return rp_to_canonical(b->g, elements); }

rp_value plonk_challenge(plonk_builder *b, const char *name, const rp_value *integers, uint32_t n) {
  const rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = 1};
  rp_scope_begin(b->g, name);
  rp_value digest = rp_keccak256(b->g, n > 1 ? rp_concat(b->g, integers, n) : integers[0]);
  rp_value challenge = rp_from_canonical(b->g, digest, b->fr->id, &reduce);
  rp_scope_end(b->g);
  return challenge;
}
