/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Steps 5 to 11 of the verifier (ePrint 2019/953, section 8.4; plonk_verify.js of snarkjs), in the scalar field. The
 * names are the paper's: D is the linearised constraint system without its constant r0, F adds what is opened at xi,
 * E is the constant that all of it must open to.
 */
#include "verify.h"

#include <string.h>

typedef const rp_field_host field;

static void element(field *fr, plonk_fr *out, const uint8_t le[32]) {
  plonk_fr aligned;
  memcpy(&aligned, le, sizeof aligned);
  (void)fr->from_canonical(out, &aligned); /* checked to be below r */
}

/* The sum is kept as a fraction, so that one inversion suffices and nothing is stored. */
void plonk_public_at(field *fr, uint32_t n_public, const plonk_fr *omega, const plonk_fr *xi, const plonk_fr *zh_over_n,
                     const uint8_t *public_signals, plonk_fr *pi) {
  plonk_fr numerator, denominator, power, x, d, one;
  fr->one(&one);
  fr->zero(&numerator);
  denominator = power = one;
  for (size_t i = 0; i < n_public; i++) {
    element(fr, &x, public_signals + 32 * i);
    fr->mul(&x, &x, &power);
    fr->sub(&d, xi, &power);
    fr->mul(&x, &x, &denominator);
    fr->mul(&numerator, &numerator, &d);
    fr->add(&numerator, &numerator, &x);
    fr->mul(&denominator, &denominator, &d);
    fr->mul(&power, &power, omega);
  }
  fr->inv(&denominator, &denominator);
  fr->mul(pi, &numerator, &denominator);
  fr->mul(pi, pi, zh_over_n);
  fr->neg(pi, pi);
}

bool plonk_values_of(const plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                     plonk_values *v) {
  field *fr = rp_field_get(vkey->family->fr);
  plonk_fr one, n, x;
  plonk_challenges_2(&v->c, vkey, proof, public_signals);
  plonk_challenges_3(&v->c, proof);
  plonk_challenges_4(&v->c, proof);
  plonk_challenges_5(&v->c, proof);
  plonk_challenges_6(&v->c, proof);
  element(fr, &v->eval_a, proof->eval_a);
  element(fr, &v->eval_b, proof->eval_b);
  element(fr, &v->eval_c, proof->eval_c);
  element(fr, &v->eval_s1, proof->eval_s1);
  element(fr, &v->eval_s2, proof->eval_s2);
  element(fr, &v->eval_zw, proof->eval_zw);
  fr->one(&one);
  (void)fr->root(&v->omega, RP_ROOT_SNARKJS, vkey->log_domain); /* the key's domain has been checked */
  v->xi_n = v->c.xi;
  n = one;
  for (uint32_t i = 0; i < vkey->log_domain; i++) fr->sqr(&v->xi_n, &v->xi_n), fr->add(&n, &n, &n);
  fr->sub(&v->zh, &v->xi_n, &one);
  if (fr->is_zero(&v->zh)) return 0;
  fr->inv(&n, &n);
  fr->mul(&n, &n, &v->zh);
  fr->sub(&x, &v->c.xi, &one);
  fr->inv(&x, &x);
  fr->mul(&v->l1, &n, &x);
  plonk_public_at(fr, vkey->n_public, &v->omega, &v->c.xi, &n, public_signals, &v->pi);
  return 1;
}

/* a + beta b + gamma */
static void wire(field *fr, plonk_fr *out, const plonk_fr *a, const plonk_fr *b, const plonk_challenges *c) {
  fr->mul(out, &c->beta, b);
  fr->add(out, out, a);
  fr->add(out, out, &c->gamma);
}

/* The factors of Z in D, including the u of the second opening, and of S3; and the part of r0 that belongs to S3. */
static void permutation(field *fr, const plonk_vkey *vkey, const plonk_values *v, plonk_fr *of_z, plonk_fr *of_s3,
                        plonk_fr *alpha2_l1, plonk_fr *r0) {
  const plonk_challenges *c = &v->c;
  plonk_fr x, y, z;
  wire(fr, &x, &v->eval_a, &c->xi, c);
  fr->mul(&z, &c->xi, &vkey->k1);
  wire(fr, &y, &v->eval_b, &z, c);
  fr->mul(&x, &x, &y);
  fr->mul(&z, &c->xi, &vkey->k2);
  wire(fr, &y, &v->eval_c, &z, c);
  fr->mul(&x, &x, &y);
  fr->mul(&x, &x, &c->alpha);
  fr->sqr(alpha2_l1, &c->alpha);
  fr->mul(alpha2_l1, alpha2_l1, &v->l1);
  fr->add(&x, &x, alpha2_l1);
  fr->add(of_z, &x, &c->u);
  wire(fr, &x, &v->eval_a, &v->eval_s1, c);
  wire(fr, &y, &v->eval_b, &v->eval_s2, c);
  fr->mul(&x, &x, &y);
  fr->mul(&x, &x, &v->eval_zw);
  fr->mul(&x, &x, &c->alpha);
  fr->add(&y, &v->eval_c, &c->gamma);
  fr->mul(&y, &y, &x);
  fr->sub(r0, &v->pi, alpha2_l1);
  fr->sub(r0, r0, &y);
  fr->mul(&x, &x, &c->beta);
  fr->neg(of_s3, &x);
}

void plonk_linearise(const plonk_vkey *vkey, const plonk_values *v, uint8_t scalar[PLONK_TERMS][32]) {
  field *fr = rp_field_get(vkey->family->fr);
  const plonk_challenges *c = &v->c;
  const plonk_fr *const opened[] = {&v->eval_a, &v->eval_b, &v->eval_c, &v->eval_s1, &v->eval_s2};
  plonk_fr s[PLONK_TERMS], alpha2_l1, power[5], *proof = s + PLONK_KEY_POINTS, *e = &s[PLONK_TERMS - 1], x;
  enum { A, B, C, Z, T1, T2, T3, WXI, WXIW };
  fr->mul(&s[PLONK_KEY_QM], &v->eval_a, &v->eval_b);
  s[PLONK_KEY_QL] = v->eval_a;
  s[PLONK_KEY_QR] = v->eval_b;
  s[PLONK_KEY_QO] = v->eval_c;
  fr->one(&s[PLONK_KEY_QC]);
  permutation(fr, vkey, v, &proof[Z], &s[PLONK_KEY_S3], &alpha2_l1, e); /* e is r0 here */
  fr->neg(&proof[T1], &v->zh);
  fr->mul(&proof[T2], &proof[T1], &v->xi_n);
  fr->mul(&proof[T3], &proof[T2], &v->xi_n);
  /* F: A, B, C, S1, S2 with powers of v; E: minus r0, and the claimed values of these at xi, with the same powers */
  power[0] = c->v;
  for (int i = 1; i < 5; i++) fr->mul(&power[i], &power[i - 1], &c->v);
  proof[A] = power[0], proof[B] = power[1], proof[C] = power[2];
  s[PLONK_KEY_S1] = power[3], s[PLONK_KEY_S2] = power[4];
  fr->neg(e, e);
  for (int i = 0; i < 5; i++) {
    fr->mul(&x, &power[i], opened[i]);
    fr->add(e, e, &x);
  }
  fr->mul(&x, &c->u, &v->eval_zw);
  fr->add(e, e, &x);
  fr->neg(e, e);
  /* the openings, each times its evaluation point */
  proof[WXI] = c->xi;
  fr->mul(&x, &c->xi, &v->omega);
  fr->mul(&proof[WXIW], &x, &c->u);
  for (int i = 0; i < PLONK_TERMS; i++) {
    plonk_fr canonical;
    fr->to_canonical(&canonical, &s[i]);
    memcpy(scalar[i], &canonical, sizeof canonical);
  }
}
