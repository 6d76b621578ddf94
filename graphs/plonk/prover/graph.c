/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

#include "formats/fail.h"

const uint8_t plonk_blinding_place[RP_PLONK_BLINDING] = {1, 0, 3, 2, 5, 4, 8, 7, 6, 9, 10};

rp_value plonk_constant(plonk_builder *b, const char *name, const plonk_fr *elements, uint64_t n) {
  return rp_graph_constant(b->g, name, rp_type_field(b->fr->id), n, elements, 0);
}

rp_value plonk_ntt(plonk_builder *b, rp_value x, uint64_t batch, int inverse, const plonk_fr *shift) {
  rp_ntt_options o = {
      .struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = (uint32_t)(inverse != 0), .batch = batch};
  if (shift) {
    o.coset = RP_COSET_SHIFT;
    b->fr->to_canonical(o.shift, shift);
  }
  return rp_ntt(b->g, x, &o);
}

rp_value plonk_expr(plonk_builder *b, const rp_value *columns, uint32_t n_columns, rp_value constants,
                    const rp_expr_code *code, size_t n_code) {
  const rp_expr_options o = {.struct_size = sizeof o, .n_code = (uint32_t)n_code, .code = code};
  return rp_expr(b->g, columns, n_columns, constants, &o);
}

rp_value plonk_commit(plonk_builder *b, rp_value polynomials, uint64_t batch) {
  const int tables = b->kind == PLONK_GRAPH_TABLES;
  const rp_curve g1 = b->key->info.g1;
  const uint32_t bits = rp_msm_window_bits(b->device, g1, b->len, tables);
  const rp_msm_options o = {.struct_size = sizeof o,
                            .window_bits = bits,
                            .precompute = tables ? rp_msm_windows(g1, bits) : 1,
                            .batch = batch};
  rp_scope_begin(b->g, "commit");
  rp_value points = rp_to_affine(b->g, rp_msm(b->g, polynomials, b->tau, &o));
  rp_scope_end(b->g);
  return points;
}

static void constants(plonk_builder *b) {
  static const plonk_fr zeros[PLONK_TAU_MORE];
  plonk_fr one;
  b->fr->one(&one);
  (void)b->fr->root(&b->omega, RP_ROOT_SNARKJS, b->key->vk.log_domain); /* the reader has checked the domain */
  rp_scope_begin(b->g, "key");
  b->tau = rp_graph_constant(b->g, "tau", rp_type_affine(b->key->info.g1), b->len, b->key->tau, RP_BORROW);
  for (int i = 0; i < PLONK_KEY_POINTS; i++)
    b->coef[i] =
        rp_graph_constant(b->g, plonk_key_point_name[i], rp_type_field(b->fr->id), b->len, b->key->coef[i], RP_BORROW);
  b->one = plonk_constant(b, "one", &one, 1);
  b->zeros = plonk_constant(b, "zeros", zeros, PLONK_TAU_MORE);
  b->omegas = rp_powers(b->g, plonk_constant(b, "omega", &b->omega, 1), RP_NO_VALUE, b->n);
  rp_scope_end(b->g);
}

static void build(plonk_builder *b, plonk_graph *out) {
  constants(b);
  plonk_round_1(b);
  plonk_round_2(b);
  plonk_round_3(b);
  plonk_round_4(b);
  plonk_round_5(b);
  out->witness = b->input;
  rp_scope_begin(b->g, "proof");
  out->points = rp_concat(b->g, b->round_points, sizeof b->round_points / sizeof *b->round_points);
  rp_scope_end(b->g);
  out->evaluations = b->evaluations;
  rp_graph_output(b->g, "points", out->points, 0);
  rp_graph_output(b->g, "evaluations", out->evaluations, 0);
}

rp_status plonk_graph_build(const rp_plonk_key *key, rp_device *device, plonk_graph_kind kind, plonk_graph *out,
                            rp_error *err) {
  rp_device_info info = {.struct_size = sizeof info};
  plonk_builder b = {.key = key,
                     .fr = rp_field_get(key->vk.family->fr),
                     .kind = kind,
                     .n = key->info.domain,
                     .len = plonk_key_len(key)};
  rp_device_get_info(device, &info);
  b.device = info.kind;
  *out = (plonk_graph){0};
  rp_status status = rp_graph_create(rp_device_context(device), "plonk", &b.g, err);
  if (status != RP_OK) return status;
  build(&b, out);
  status = graphs_built(b.g, err);
  if (status == RP_OK)
    out->graph = b.g;
  else
    rp_graph_destroy(b.g);
  return status;
}
