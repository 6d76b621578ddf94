/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

#include <reprise/view.h>

const uint8_t fflonk_blinding_place[RP_FFLONK_BLINDING] = {0, 1, 2, 3, 4, 5, 8, 7, 6};

rp_status fflonk_graph_build(const plonk_key *key, rp_device *device, plonk_graph_kind kind, plonk_graph *out,
                             rp_error *err) {
  static const char *const name[PLONK_KEY_POINTS] = {"ql", "qr", "qo", "qm", "qc", "s1", "s2", "s3"};
  static const plonk_fr zeros[FFLONK_ZEROS];
  fflonk_rounds r = {.c1 = RP_NO_VALUE};
  plonk_builder *b = &r.common;
  *out = (plonk_graph){0};
  rp_status status = plonk_builder_begin(b, "fflonk", key, device, kind, err);
  if (status != RP_OK) return status;
  rp_scope_begin(b->g, "key");
  rp_scope_title(b->g, "Key: polynomials that serve every proof");
  plonk_builder_key(b, name, b->n);
  r.zeros = plonk_constant(b, "zeros", zeros, FFLONK_ZEROS);
  rp_scope_end(b->g);
  fflonk_round_1(&r);
  fflonk_round_2(&r);
  fflonk_round_3(&r);
  fflonk_round_4(&r);
  fflonk_round_5(&r);
  rp_scope_begin(b->g, "proof");
  rp_scope_title(b->g, "Proof");
  rp_value points = rp_concat(b->g, (rp_value[]){r.c1, r.c2, r.w1, r.w2}, FFLONK_PROOF_POINTS);
  rp_scope_end(b->g);
  return plonk_builder_end(b, points, r.evaluations, out, err);
}
