/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plain_verify.h"

#include "ops/torsion.h"

#include <string.h>

int plain_is_member(rp_curve curve, const void *affine) {
  const rp_curve_host *g = rp_curve_get(curve);
  g16_g2 multiple;
  if (!g->on_curve(affine)) return 0;
  torsion_multiple(curve, affine, g->order_le, 32, &multiple);
  return g->is_identity(&multiple);
}

/* -(IC[0] + sum x_i IC[i]) */
static void input_sum(const g16_vkey *key, const uint8_t *signals, g16_g1 *x) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  g16_g1 term;
  memcpy(x, key->ic, g1->affine_bytes);
  for (uint32_t i = 0; i < key->n_public; i++) {
    memcpy(&term, key->ic + (size_t)(i + 1) * g1->affine_bytes, g1->affine_bytes);
    torsion_multiple(key->family->g1, &term, signals + (size_t)32 * i, 32, &term);
    g1->add(x, x, &term);
  }
  g1->neg(x, x);
}

rp_status plain_verify(const g16_vkey *key, const rp_groth16_proof *proof, const uint8_t *signals, size_t n_signals) {
  const g16_family *family = key->family;
  const rp_field_host *fr = rp_field_get(family->fr);
  const rp_curve_host *g1 = rp_curve_get(family->g1);
  if (proof->g1 != family->g1 || n_signals != key->n_public) return RP_ERR_MISMATCH;
  for (size_t i = 0; i < n_signals; i++) {
    uint64_t x[4];
    memcpy(x, signals + 32 * i, 32);
    if (!fr->from_canonical(x, x)) return RP_ERR_INPUT;
  }
  g16_g1 a, c, x, alpha = key->alpha_1;
  g16_g2 b, beta = key->beta_2, gamma = key->gamma_2, delta = key->delta_2;
  memcpy(&a, proof->a, g1->affine_bytes);
  memcpy(&b, proof->b, g16_g2_bytes(family));
  memcpy(&c, proof->c, g1->affine_bytes);
  if (!plain_is_member(family->g1, &a) || !plain_is_member(family->g2, &b) || !plain_is_member(family->g1, &c))
    return RP_ERR_INPUT;
  input_sum(key, signals, &x);
  g1->neg(&alpha, &alpha);
  g1->neg(&c, &c);
  const void *const p[4] = {&a, &alpha, &x, &c};
  const void *const q[4] = {&b, &beta, &gamma, &delta};
  return rp_pairing_product_is_one(family->g1, 4, p, q) ? RP_OK : RP_ERR_VERIFY;
}
