/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

#include "formats/fail.h"

#include <reprise/view.h>

rp_status plonk_builder_begin(plonk_builder *b, const char *name, const plonk_key *key, rp_device *device,
                              plonk_graph_kind kind, rp_error *err) {
  b->key = key;
  b->fr = rp_field_get(key->family->fr);
  b->kind = kind;
  b->n = key->info.domain;
  const rp_status status = graphs_shares_of(device, &b->shares, err);
  if (status != RP_OK) return status;
  (void)b->fr->root(&b->omega, RP_ROOT_SNARKJS, key->log_domain); /* the reader has checked the domain */
  const rp_status created = rp_graph_create(rp_device_context(device), name, &b->g, err);
  if (created == RP_OK) (void)rp_on(b->g, b->shares.home);
  return created;
}

/* The powers of tau of a device, by its speed. The home device also computes the transforms, but has nothing else to
 * do while the devices sum. */
static graphs_range powers_of(const plonk_builder *b, uint32_t device) {
  return graphs_range_of(b->key->n_tau, &b->shares, device, 1);
}

void plonk_builder_key(plonk_builder *b, const char *const name[PLONK_KEY_POINTS], uint64_t coef_len) {
  plonk_fr one;
  b->fr->one(&one);
  b->coef_len = coef_len;
  for (uint32_t d = 0; d < b->shares.n; d++) {
    const graphs_range r = powers_of(b, d);
    (void)rp_on(b->g, d);
    b->tau[d] = r.count ? rp_graph_constant(b->g, "tau", rp_type_affine(b->key->info.g1), r.count,
                                            b->key->tau + r.first, RP_BORROW)
                        : RP_NO_VALUE;
  }
  (void)rp_on(b->g, b->shares.home);
  for (int i = 0; i < PLONK_KEY_POINTS; i++)
    b->coef[i] = rp_graph_constant(b->g, name[i], rp_type_field(b->fr->id), coef_len, b->key->coef[i], RP_BORROW);
  b->one = plonk_constant(b, "one", &one, 1);
  b->omegas = rp_powers(b->g, plonk_constant(b, "omega", &b->omega, 1), RP_NO_VALUE, b->n);
}

rp_status plonk_builder_end(plonk_builder *b, rp_value points, rp_value evaluations, plonk_graph *out, rp_error *err) {
  rp_graph_output(b->g, "points", points, 0);
  rp_graph_output(b->g, "evaluations", evaluations, 0);
  const rp_status status = graphs_built(b->g, err);
  *out = (plonk_graph){0};
  if (status == RP_OK)
    *out = (plonk_graph){.graph = b->g, .witness = b->input, .points = points, .evaluations = evaluations};
  else
    rp_graph_destroy(b->g);
  return status;
}

rp_value plonk_constant(plonk_builder *b, const char *name, const plonk_fr *elements, uint64_t n) {
  return rp_graph_constant(b->g, name, rp_type_field(b->fr->id), n, elements, 0);
}

rp_value plonk_ntt(plonk_builder *b, rp_value x, uint64_t batch, bool inverse, const plonk_fr *shift) {
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

/* The coefficients of every polynomial that belong to the device's powers. */
static rp_value coefficients_of(plonk_builder *b, rp_value polynomials, uint64_t batch, uint32_t device) {
  const graphs_range r = powers_of(b, device);
  rp_value parts[PLONK_MOST_BATCH];
  if (b->shares.n == 1) return polynomials;
  for (uint64_t i = 0; i < batch; i++) parts[i] = rp_slice(b->g, polynomials, i * b->key->n_tau + r.first, r.count);
  return batch == 1 ? parts[0] : rp_concat(b->g, parts, (uint32_t)batch);
}

rp_value plonk_commit(plonk_builder *b, rp_value polynomials, uint64_t batch) {
  const rp_msm_options o = {
      .struct_size = sizeof o, .precompute = b->kind == PLONK_GRAPH_TABLES ? 0 : 1, .batch = batch};
  rp_value all = RP_NO_VALUE;
  rp_scope_begin(b->g, "commit");
  rp_scope_title(b->g, "Commitments: %llu of polynomials of %llu coefficients", (unsigned long long)batch,
                 (unsigned long long)b->key->n_tau);
  for (uint32_t d = 0; d < b->shares.n; d++) {
    if (!b->tau[d].id) continue;
    (void)rp_on(b->g, d);
    const rp_value own = rp_msm(b->g, coefficients_of(b, polynomials, batch, d), b->tau[d], &o);
    (void)rp_on(b->g, b->shares.home);
    const rp_value sums = d != b->shares.home ? rp_copy_to(b->g, own, b->shares.home) : own;
    all = all.id ? rp_point_add(b->g, all, sums) : sums;
  }
  rp_value points = rp_to_affine(b->g, all);
  rp_scope_end(b->g);
  return points;
}

rp_value plonk_integers_of_points(plonk_builder *b, rp_value affine) {
  return rp_to_canonical(b->g, rp_point_coordinates(b->g, affine));
}

rp_value plonk_integers_of_elements(plonk_builder *b, rp_value elements) { return rp_to_canonical(b->g, elements); }

rp_value plonk_challenge(plonk_builder *b, const char *name, const rp_value *integers, uint32_t n) {
  const rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = 1};
  rp_scope_begin(b->g, name);
  rp_scope_title(b->g, "Challenge %s", name);
  rp_value digest = rp_keccak256(b->g, n > 1 ? rp_concat(b->g, integers, n) : integers[0]);
  rp_value challenge = rp_from_canonical(b->g, digest, b->fr->id, &reduce);
  rp_scope_end(b->g);
  return challenge;
}
