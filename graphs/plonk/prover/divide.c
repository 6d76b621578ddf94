/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Division by X - x through values: (p(X) - p(x)) / (X - x) on 2n points, none of which is x, and back.
 */
#include "builder.h"

rp_value plonk_divide(plonk_builder *b, rp_value p, rp_value x) {
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  rp_graph *g = b->g;
  const uint64_t points = 2 * b->n;
  plonk_fr w;
  (void)b->fr->root(&w, RP_ROOT_SNARKJS, b->key->vk.log_domain + 1);
  rp_scope_begin(g, "divide");
  rp_value at = rp_powers(g, plonk_constant(b, "root", &w, 1), RP_NO_VALUE, points);
  rp_value values = rp_sub(g, plonk_ntt(b, rp_pad(g, p, points), 1, 0, NULL), rp_poly_eval(g, p, x));
  rp_value quotient = rp_mul(g, values, rp_batch_inverse(g, rp_sub(g, at, x), &strict));
  rp_value coefficients = rp_slice(g, plonk_ntt(b, quotient, 1, 1, NULL), 0, b->len);
  rp_scope_end(g);
  return coefficients;
}
