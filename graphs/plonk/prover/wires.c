/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round 1: from the witness to the wires, their polynomials and the commitments to these.
 */
#include "builder.h"

/* All variables, in the order of plonk_place. */
static rp_value variables(plonk_builder *b, rp_value witness) {
  const rp_type *fr = rp_type_field(b->fr->id);
  const plonk_additions *a = &b->key->additions;
  rp_value x = witness;
  rp_scope_begin(b->g, "additions");
  for (uint32_t i = 0; i < a->n_stages; i++) {
    const plonk_stage *s = &a->stage[i];
    rp_csr m = {.rows = s->rows, .cols = rp_value_len(b->g, x)};
    m.row_ptr = rp_graph_constant(b->g, "row_ptr", &RP_TYPE_U32, s->rows + 1, s->row_ptr, RP_BORROW);
    m.col = rp_graph_constant(b->g, "col", &RP_TYPE_U32, s->entries, s->col, RP_BORROW);
    m.val = rp_graph_constant(b->g, "val", fr, s->entries, s->val, RP_BORROW);
    x = rp_concat(b->g, (rp_value[]){x, rp_spmv(b->g, &m, x, NULL)}, 2);
  }
  rp_scope_end(b->g);
  return x;
}

/* Values of the public signals' polynomial: minus the signals, in the rows that the key has for them. */
static rp_value public_values(plonk_builder *b) {
  return rp_pad(b->g, rp_neg(b->g, rp_slice(b->g, b->wires, 0, b->key->info.n_public)), b->n);
}

/* w(X) + (b_0 + b_1 X) (X^n - 1), for each of the wires. */
static rp_value blinded(plonk_builder *b) {
  enum { PARTS = 4 };
  rp_graph *g = b->g;
  rp_value parts[3 * PARTS];
  for (uint32_t w = 0; w < 3; w++) {
    rp_value *to = parts + PARTS * w, by = plonk_part(b, b->blinding, w, 2);
    to[0] = rp_sub(g, rp_slice(g, b->unblinded, w * b->n, 2), by);
    to[1] = rp_slice(g, b->unblinded, w * b->n + 2, b->n - 2);
    to[2] = by;
    to[3] = rp_slice(g, b->zeros, 0, PLONK_TAU_MORE - 2);
  }
  return rp_concat(g, parts, 3 * PARTS);
}

void plonk_round_1(plonk_builder *b) {
  rp_graph *g = b->g;
  const uint64_t n_vars = b->key->info.n_vars, n_public = b->key->info.n_public;
  rp_value input = rp_graph_input(g, "witness", &RP_TYPE_U256, n_vars + RP_PLONK_BLINDING, RP_SECRET);
  rp_scope_begin(g, "witness");
  rp_value elements = rp_from_canonical(g, input, b->fr->id, NULL);
  b->input = input;
  b->blinding = rp_slice(g, elements, n_vars, RP_PLONK_BLINDING);
  b->signals = n_public ? rp_slice(g, input, 1, n_public) : RP_NO_VALUE;
  rp_value map = rp_graph_constant(g, "map", &RP_TYPE_U32, 3 * b->n, b->key->map, RP_BORROW);
  b->wires = rp_gather(g, variables(b, rp_slice(g, elements, 0, n_vars)), map);
  rp_scope_end(g);
  rp_scope_begin(g, "round_1");
  rp_value columns = n_public ? rp_concat(g, (rp_value[]){b->wires, public_values(b)}, 2) : b->wires;
  b->unblinded = plonk_ntt(b, columns, plonk_n_columns(b), 1, NULL);
  b->abc = blinded(b);
  b->round_points[0] = plonk_commit(b, b->abc, 3);
  rp_scope_end(g);
}
