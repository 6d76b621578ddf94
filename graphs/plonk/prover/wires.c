/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rounds 1 and 2: the polynomials of the wires and of the permutation, blinded, and the commitments to them.
 */
#include "builder.h"

#include <reprise/view.h>

/* w(X) + (b_0 + b_1 X) (X^n - 1), for each of the wires. */
static rp_value blinded_wires(plonk_rounds *r) {
  enum { PARTS = 4 };
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  rp_value parts[3 * PARTS];
  for (uint32_t w = 0; w < 3; w++) {
    rp_value *to = parts + PARTS * w, by = plonk_part(b, b->blinding, w, 2);
    to[0] = rp_sub(g, rp_slice(g, b->unblinded, w * b->n, 2), by);
    to[1] = rp_slice(g, b->unblinded, w * b->n + 2, b->n - 2);
    to[2] = by;
    to[3] = rp_slice(g, r->zeros, 0, PLONK_TAU_MORE - 2);
  }
  return rp_concat(g, parts, 3 * PARTS);
}

void plonk_round_1(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  plonk_wires(b, RP_PLONK_BLINDING, 0, NULL);
  rp_scope_begin(b->g, "round_1");
  rp_scope_title(b->g, "Round 1: commitments to the wires");
  plonk_wires_transform(b);
  r->abc = blinded_wires(r);
  r->round_points[0] = plonk_commit(b, r->abc, 3);
  rp_scope_end(b->g);
}

/* z(X) + (b_9 + b_8 X + b_7 X^2) (X^n - 1) */
static rp_value blinded_z(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  rp_graph *g = b->g;
  rp_value by = rp_slice(g, b->blinding, 6, 3);
  const rp_value parts[] = {rp_sub(g, rp_slice(g, b->unblinded_z, 0, 3), by), rp_slice(g, b->unblinded_z, 3, b->n - 3),
                            by, rp_slice(g, r->zeros, 0, PLONK_TAU_MORE - 3)};
  return rp_concat(g, parts, 4);
}

void plonk_round_2(plonk_rounds *r) {
  plonk_builder *b = &r->common;
  rp_scope_begin(b->g, "round_2");
  rp_scope_title(b->g, "Round 2: permutation product");
  plonk_permutation_challenges(b, ((const rp_plonk_key *)b->key)->vk.point, PLONK_KEY_POINTS, r->round_points[0]);
  plonk_permutation(b);
  r->z = blinded_z(r);
  r->round_points[1] = plonk_commit(b, r->z, 1);
  rp_scope_end(b->g);
}
