/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "graph_gnark.h"

#include "formats/fail.h"

#include <reprise/op.h>
#include <reprise/view.h>

static rp_ntt_options to_coefficients(const rp_groth16_key *key) {
  return (rp_ntt_options){
      .struct_size = sizeof(rp_ntt_options), .root = key->root, .inverse = 1, .out_order = RP_ORDER_BIT_REVERSED};
}

static rp_ntt_options on_coset(const rp_groth16_key *key, rp_ntt_options options) {
  options.coset = RP_COSET_SHIFT;
  memcpy(options.shift, key->shift, sizeof key->shift);
  return options;
}

static rp_value coset_values(rp_graph *g, const rp_groth16_key *key, const char *name, rp_value values) {
  const rp_ntt_options back = to_coefficients(key),
                       there = on_coset(key, (rp_ntt_options){.struct_size = sizeof there,
                                                              .root = key->root,
                                                              .in_order = RP_ORDER_BIT_REVERSED});
  rp_scope_begin(g, name);
  rp_scope_title(g, "%c onto the coset: 2 transforms", name[0] - 'a' + 'A');
  rp_value shifted = rp_ntt(g, rp_ntt(g, values, &back), &there);
  rp_scope_end(g);
  return shifted;
}

/* 1 / (g^n - 1); the key's reader has seen that g^n is not 1. */
static void vanishing_inverse(const rp_groth16_key *key, uint8_t canonical[32]) {
  const rp_field_host *fr = rp_field_get(key->family->fr);
  uint64_t power[4], one[4];
  memcpy(power, key->shift, sizeof power);
  (void)fr->from_canonical(power, power);
  for (uint32_t i = 0; i < key->log_domain; i++) fr->sqr(power, power);
  fr->one(one);
  fr->sub(power, power, one);
  fr->inv(power, power);
  fr->to_canonical(power, power);
  memcpy(canonical, power, sizeof power);
}

rp_value g16_gnark_quotient(rp_graph *g, const rp_groth16_key *key, rp_value a, rp_value b) {
  const rp_ntt_options plain = to_coefficients(key), back = on_coset(key, plain);
  uint8_t inverse[32];
  vanishing_inverse(key, inverse);
  rp_scope_begin(g, "quotient");
  rp_scope_title(g, "Quotient (A B - C) / Z");
  rp_value c = rp_ntt(g, rp_mul(g, a, b), &plain);
  rp_value a_coset = coset_values(g, key, "a_coset", a), b_coset = coset_values(g, key, "b_coset", b);
  rp_value ab = rp_mul(g, a_coset, b_coset);
  rp_value difference = rp_sub(g, rp_ntt(g, ab, &back), c);
  rp_value h = rp_mul(g, difference, rp_field_constant(g, "1/Z", key->family->fr, inverse));
  rp_scope_end(g);
  return h;
}

/* One multi-scalar product of the wires that are committed to. */
static rp_value commit(rp_graph *g, const rp_groth16_key *key, const char *name, rp_value wires, uint64_t n,
                       const uint8_t *points) {
  const rp_msm_options without_multiples = {.struct_size = sizeof without_multiples, .precompute = 1};
  rp_value constant = rp_graph_constant(g, name, rp_type_affine(key->family->g1), n, points, RP_BORROW);
  return rp_msm(g, wires, constant, &without_multiples);
}

/* The sums, or zeros in runs in which the condition does not hold, which leave out what computes them. */
static rp_value or_zeros(rp_graph *g, rp_value condition, rp_value sums) {
  static const uint8_t zeros[RP_GNARK_MAX_COMMITMENTS * 4 * 48]; /* accumulators of G1 have four coordinates */
  const uint64_t n = rp_value_len(g, sums);
  const rp_type *type = rp_value_type(g, sums);
  if (n == 0 || n * type->size_bytes > sizeof zeros) return RP_NO_VALUE;
  return rp_select(g, condition, sums, rp_graph_constant(g, "left_out", type, n, zeros, RP_BORROW));
}

/* The products for the commitments have a condition inside that of the products for the proof of knowledge, which come
 * first, so that what prepares the wires serves both. */
void g16_gnark_commit(rp_graph *g, const rp_groth16_key *key, rp_value witness, g16_graph *out) {
  rp_value d[RP_GNARK_MAX_COMMITMENTS], sigma_d[RP_GNARK_MAX_COMMITMENTS], wires[RP_GNARK_MAX_COMMITMENTS];
  const uint32_t n = key->info.n_commitments;
  if (n == 0) return;
  out->committed = rp_graph_input(g, "committed", &RP_TYPE_U32, 2, 0);
  rp_scope_begin(g, "commitments");
  rp_scope_title(g, "Commitments of the circuit, with proofs of knowledge: %u", n);
  const rp_value any = rp_slice(g, out->committed, 0, 1), both = rp_slice(g, out->committed, 1, 1);
  rp_condition_begin(g, any, 1);
  for (uint32_t i = 0; i < n; i++) {
    const g16_key_commitment *c = &key->commitment[i];
    wires[i] = rp_gather(g, witness, rp_graph_constant(g, "wires", &RP_TYPE_U32, c->n, c->wires, RP_BORROW));
    sigma_d[i] = commit(g, key, "basis_sigma", wires[i], c->n, c->basis_sigma);
  }
  const rp_value second = rp_concat(g, sigma_d, n);
  rp_condition_begin(g, both, 1);
  for (uint32_t i = 0; i < n; i++)
    d[i] = commit(g, key, "basis", wires[i], key->commitment[i].n, key->commitment[i].basis);
  const rp_value first = rp_concat(g, d, n);
  rp_condition_end(g);
  rp_condition_end(g);
  rp_value halves[2];
  halves[0] = or_zeros(g, both, first);
  halves[1] = or_zeros(g, any, second);
  out->commitments = rp_to_affine(g, rp_concat(g, halves, 2));
  rp_scope_end(g);
  rp_graph_output(g, "commitments", out->commitments, 0);
}
