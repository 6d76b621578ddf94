/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From the witness to the wires and their polynomials.
 */
#include "builder.h"

#include <reprise/view.h>

/* All variables, in the order of plonk_place. */
static rp_value variables(plonk_builder *b, rp_value witness) {
  const rp_type *fr = rp_type_field(b->fr->id);
  const plonk_additions *a = &b->key->additions;
  rp_value x = witness;
  rp_scope_begin(b->g, "additions");
  rp_scope_title(b->g, "Additions: wires that the circuit derives");
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

void plonk_wires(plonk_builder *b, uint64_t n_blinding, uint64_t extra, const plonk_fr *factor) {
  rp_graph *g = b->g;
  const uint64_t n_vars = b->key->info.n_vars, n_public = b->key->info.n_public;
  rp_value input = rp_graph_input(g, "witness", &RP_TYPE_U256, n_vars + n_blinding, RP_SECRET);
  rp_scope_begin(g, "witness");
  rp_scope_title(g, "Witness: values of the wires");
  rp_value elements = rp_from_canonical(g, input, b->fr->id, NULL);
  b->input = input;
  b->blinding = rp_slice(g, elements, n_vars, n_blinding);
  b->signals = n_public ? rp_slice(g, input, 1, n_public) : RP_NO_VALUE;
  rp_value map = rp_graph_constant(g, "map", &RP_TYPE_U32, 3 * b->n, b->key->map, RP_BORROW);
  rp_value all = variables(b, rp_slice(g, elements, 0, n_vars));
  if (extra) {
    rp_value more = rp_mul(g, rp_slice(g, b->blinding, 0, extra), plonk_constant(b, "factor", factor, 1));
    all = rp_concat(g, (rp_value[]){all, more}, 2);
  }
  b->wires = rp_gather(g, all, map);
  rp_scope_end(g);
}

/* Values of the public signals' polynomial: minus the signals, in the rows that the key has for them. */
static rp_value public_values(plonk_builder *b) {
  return rp_pad(b->g, rp_neg(b->g, rp_slice(b->g, b->wires, 0, b->key->info.n_public)), b->n);
}

void plonk_wires_transform(plonk_builder *b) {
  const bool signals = b->key->info.n_public != 0;
  rp_value columns = signals ? rp_concat(b->g, (rp_value[]){b->wires, public_values(b)}, 2) : b->wires;
  b->unblinded = plonk_ntt(b, columns, plonk_n_columns(b), 1, NULL);
}
