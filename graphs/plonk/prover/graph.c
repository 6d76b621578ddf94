/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

#include <reprise/view.h>

const uint8_t plonk_blinding_place[RP_PLONK_BLINDING] = {1, 0, 3, 2, 5, 4, 8, 7, 6, 9, 10};

rp_status plonk_graph_build(const plonk_key *key, rp_device *device, plonk_graph_kind kind, plonk_graph *out,
                            rp_error *err) {
  static const plonk_fr zeros[PLONK_TAU_MORE];
  plonk_rounds r = {.len = key->n_tau};
  plonk_builder *b = &r.common;
  *out = (plonk_graph){0};
  rp_status status = plonk_builder_begin(b, "plonk", key, device, kind, err);
  if (status != RP_OK) return status;
  rp_scope_begin(b->g, "key");
  rp_scope_title(b->g, "Key: polynomials that serve every proof");
  plonk_builder_key(b, plonk_key_point_name, r.len);
  r.zeros = plonk_constant(b, "zeros", zeros, PLONK_TAU_MORE);
  rp_scope_end(b->g);
  plonk_round_1(&r);
  plonk_round_2(&r);
  plonk_round_3(&r);
  plonk_round_4(&r);
  plonk_round_5(&r);
  rp_scope_begin(b->g, "proof");
  rp_scope_title(b->g, "Proof");
  rp_value points = rp_concat(b->g, r.round_points, sizeof r.round_points / sizeof *r.round_points);
  rp_scope_end(b->g);
  return plonk_builder_end(b, points, r.evaluations, out, err);
}
