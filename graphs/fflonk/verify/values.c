/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier in the scalar field (ePrint 2021/1167, section 7; fflonk_verify.js of snarkjs). C0, C1 and C2 hold 8, 4
 * and 3 polynomials each: C0(X) = ql(X^8) + X qr(X^8) + ... They are opened at sets of points, the roots of X^8 = xi,
 * of X^4 = xi, and of X^3 = xi and X^3 = xi omega. snarkjs interpolates what they are there with Lagrange bases. Since
 * eight values of a polynomial of degree 7 are interpolated by that polynomial itself, r0 is ql + qr X + ... + s3 X^7
 * with the evaluations at xi as its coefficients; r1 and both parts of r2 follow in the same way.
 */
#include "verify.h"

#include "plonk/verify/verify.h"

#include <string.h>

typedef const rp_field_host field;

static void number(field *fr, plonk_fr *out, uint32_t value) {
  const plonk_fr canonical = {{value}};
  (void)fr->from_canonical(out, &canonical);
}

/* x^(2^log) */
static void squared(field *fr, plonk_fr *out, const plonk_fr *x, uint32_t log) {
  *out = *x;
  for (uint32_t i = 0; i < log; i++) fr->sqr(out, out);
}

/* The values of X^8 - xi, X^4 - xi, X^3 - xi and X^3 - xi omega at y. */
static void sets(field *fr, fflonk_values *v) {
  const plonk_fr *y = &v->c.y;
  plonk_fr square;
  fr->sqr(&square, y);
  fr->mul(&v->y3, &square, y);
  fr->sqr(&v->y4, &square);
  fr->sqr(&v->y8, &v->y4);
  fr->sub(&v->s0, &v->y8, &v->c.xi);
  fr->sub(&v->s1, &v->y4, &v->c.xi);
  fr->sub(&v->s2, &v->y3, &v->c.xi);
  fr->sub(&v->s3, &v->y3, &v->xi_omega);
}

static void times(field *fr, plonk_fr *product, const plonk_fr *factor, int power) {
  for (int i = 0; i < power; i++) fr->mul(product, product, factor);
}

/* The product of all that a Solidity verifier divides by (getMontgomeryBatchedInverse in fflonk_prove.js): zh, the
 * values of two of the sets, the denominators of the Lagrange bases of all sets, and those of L_1 ... L_max(public, 1).
 * For a set of k roots of X^k = c, the denominators are k h^(k - 2), h one of the roots, times another root, times y
 * minus a root: over the whole set k^k c^(k - 2) times the product of the roots times the set's value at y. */
static void denominators(field *fr, const fflonk_vkey *vkey, const fflonk_values *v, plonk_fr *product) {
  plonk_fr factor, power, one;
  const uint32_t n_public = vkey->n_public ? vkey->n_public : 1;
  *product = v->zh;
  times(fr, product, &v->s0, 1);
  times(fr, product, &v->s1, 2);
  times(fr, product, &v->s2, 2);
  times(fr, product, &v->s3, 2);
  number(fr, &factor, 2);
  times(fr, product, &factor, 24 + 8); /* 8^8 and 4^4 */
  number(fr, &factor, 3);
  times(fr, product, &factor, 3 + 3);
  times(fr, product, &v->c.xi, 7 + 3 + 2); /* of two sets, whose signs cancel each other */
  times(fr, product, &v->xi_omega, 2);
  fr->sub(&factor, &v->c.xi, &v->xi_omega);
  times(fr, product, &factor, 3 + 3);
  fr->neg(product, product); /* since (xi omega - xi)^3 has the opposite sign */
  fr->one(&one);
  number(fr, &factor, 1u << vkey->log_domain);
  power = one;
  for (uint32_t i = 0; i < n_public; i++) {
    plonk_fr difference;
    fr->sub(&difference, &v->c.xi, &power);
    fr->mul(product, product, &difference);
    fr->mul(product, product, &factor);
    fr->mul(&power, &power, &v->omega);
  }
}

/* Everything that is known without `inv`; *product is what a Solidity verifier divides by. */
static void begin(const fflonk_vkey *vkey, const rp_fflonk_proof *proof, const uint8_t *public_signals,
                  fflonk_values *v, plonk_fr *product) {
  field *fr = rp_field_get(vkey->family->fr);
  plonk_fr one, x;
  fflonk_challenges_2(&v->c, vkey, proof, public_signals);
  fflonk_challenges_3(&v->c, proof);
  fflonk_challenges_4(&v->c, proof);
  fflonk_challenges_5(&v->c, proof);
  fr->one(&one);
  (void)fr->root(&v->omega, RP_ROOT_SNARKJS, vkey->log_domain); /* the key's domain has been checked */
  fr->mul(&v->xi_omega, &v->c.xi, &v->omega);
  squared(fr, &x, &v->c.xi, vkey->log_domain);
  fr->sub(&v->zh, &x, &one);
  sets(fr, v);
  denominators(fr, vkey, v, product);
}

void fflonk_put_inverse(const fflonk_vkey *vkey, const uint8_t *public_signals, rp_fflonk_proof *proof) {
  field *fr = rp_field_get(vkey->family->fr);
  fflonk_values v;
  plonk_fr x;
  begin(vkey, proof, public_signals, &v, &x);
  if (!fr->is_zero(&x)) fr->inv(&x, &x);
  fr->to_canonical(&x, &x);
  memcpy(proof->inv, &x, sizeof x);
}

fflonk_verdict fflonk_values_of(const fflonk_vkey *vkey, const rp_fflonk_proof *proof, const uint8_t *public_signals,
                                fflonk_values *v) {
  field *fr = rp_field_get(vkey->family->fr);
  plonk_fr one, n, x, product;
  begin(vkey, proof, public_signals, v, &product);
  for (int i = 0; i < FFLONK_PROOF_SCALARS; i++) {
    memcpy(&x, (const uint8_t *)proof + fflonk_proof_scalar[i].offset, sizeof x);
    (void)fr->from_canonical(&v->e[i], &x); /* checked to be below r */
  }
  if (fr->is_zero(&product)) return FFLONK_DIVIDES_BY_ZERO;
  fr->one(&one);
  fr->mul(&x, &product, &v->e[FFLONK_INV]);
  if (!fr->equal(&x, &one)) return FFLONK_OTHER_INVERSE;
  number(fr, &n, 1u << vkey->log_domain);
  fr->inv(&n, &n);
  fr->mul(&n, &n, &v->zh);
  fr->sub(&x, &v->c.xi, &one);
  fr->inv(&x, &x);
  fr->mul(&v->l1, &n, &x);
  plonk_public_at(fr, vkey->n_public, &v->omega, &v->c.xi, &n, public_signals, &v->pi);
  return FFLONK_GOES_ON;
}

/* Adds a * b to the sum. */
static void add_product(field *fr, plonk_fr *sum, const plonk_fr *a, const plonk_fr *b) {
  plonk_fr product;
  fr->mul(&product, a, b);
  fr->add(sum, sum, &product);
}

/* The polynomial with n coefficients at x. */
static void evaluate(field *fr, const plonk_fr *coefficient, int n, const plonk_fr *x, plonk_fr *out) {
  *out = coefficient[n - 1];
  for (int i = n - 2; i >= 0; i--) {
    fr->mul(out, out, x);
    fr->add(out, out, &coefficient[i]);
  }
}

static void r0_at_y(field *fr, const fflonk_values *v, plonk_fr *out) {
  const plonk_fr *e = v->e;
  const plonk_fr c[8] = {e[FFLONK_QL], e[FFLONK_QR], e[FFLONK_QO], e[FFLONK_QM],
                         e[FFLONK_QC], e[FFLONK_S1], e[FFLONK_S2], e[FFLONK_S3]};
  evaluate(fr, c, 8, &v->c.y, out);
}

/* The last coefficient is the quotient of the gates: (ql a + qr b + qm a b + qo c + qc + PI) / zh. */
static void r1_at_y(field *fr, const fflonk_values *v, const plonk_fr *inverse_zh, plonk_fr *out) {
  const plonk_fr *e = v->e;
  plonk_fr c[4] = {e[FFLONK_A], e[FFLONK_B], e[FFLONK_C]}, t0, ab;
  fr->add(&t0, &v->pi, &e[FFLONK_QC]);
  add_product(fr, &t0, &e[FFLONK_QL], &e[FFLONK_A]);
  add_product(fr, &t0, &e[FFLONK_QR], &e[FFLONK_B]);
  add_product(fr, &t0, &e[FFLONK_QO], &e[FFLONK_C]);
  fr->mul(&ab, &e[FFLONK_A], &e[FFLONK_B]);
  add_product(fr, &t0, &e[FFLONK_QM], &ab);
  fr->mul(&c[3], &t0, inverse_zh);
  evaluate(fr, c, 4, &v->c.y, out);
}

/* Multiplies by a + beta b + gamma. */
static void times_wire(field *fr, plonk_fr *product, const plonk_fr *a, const plonk_fr *b, const fflonk_challenges *c) {
  plonk_fr factor;
  fr->mul(&factor, &c->beta, b);
  fr->add(&factor, &factor, a);
  fr->add(&factor, &factor, &c->gamma);
  fr->mul(product, product, &factor);
}

/* The quotients of the permutation at xi: L_1 (z - 1) / zh, and that of the product of the wires. */
static void permutation(field *fr, const fflonk_vkey *vkey, const fflonk_values *v, const plonk_fr *inverse_zh,
                        plonk_fr *t1, plonk_fr *t2) {
  const plonk_fr *e = v->e;
  plonk_fr one, shifted, other = e[FFLONK_ZW];
  fr->one(&one);
  fr->sub(t1, &e[FFLONK_Z], &one);
  fr->mul(t1, t1, &v->l1);
  fr->mul(t1, t1, inverse_zh);
  *t2 = e[FFLONK_Z];
  times_wire(fr, t2, &e[FFLONK_A], &v->c.xi, &v->c);
  fr->mul(&shifted, &v->c.xi, &vkey->k1);
  times_wire(fr, t2, &e[FFLONK_B], &shifted, &v->c);
  fr->mul(&shifted, &v->c.xi, &vkey->k2);
  times_wire(fr, t2, &e[FFLONK_C], &shifted, &v->c);
  times_wire(fr, &other, &e[FFLONK_A], &e[FFLONK_S1], &v->c);
  times_wire(fr, &other, &e[FFLONK_B], &e[FFLONK_S2], &v->c);
  times_wire(fr, &other, &e[FFLONK_C], &e[FFLONK_S3], &v->c);
  fr->sub(t2, t2, &other);
  fr->mul(t2, t2, inverse_zh);
}

/* Of degree 5: (P (X^3 - xi omega) - Q (X^3 - xi)) / (xi - xi omega), where P = z + t1 X + t2 X^2 has the values on the
 * roots of X^3 = xi, and Q = zw + t1w X + t2w X^2 those on the roots of X^3 = xi omega. */
static void r2_at_y(field *fr, const fflonk_vkey *vkey, const fflonk_values *v, const plonk_fr *inverse_zh,
                    plonk_fr *out) {
  const plonk_fr *e = v->e;
  plonk_fr p[3] = {e[FFLONK_Z]}, q[3] = {e[FFLONK_ZW], e[FFLONK_T1W], e[FFLONK_T2W]}, x;
  permutation(fr, vkey, v, inverse_zh, &p[1], &p[2]);
  evaluate(fr, p, 3, &v->c.y, out);
  fr->mul(out, out, &v->s3);
  evaluate(fr, q, 3, &v->c.y, &x);
  fr->mul(&x, &x, &v->s2);
  fr->sub(out, out, &x);
  fr->sub(&x, &v->c.xi, &v->xi_omega);
  fr->inv(&x, &x);
  fr->mul(out, out, &x);
}

/* F - E - J + y W2: C0 + q1 C1 + q2 C2 - (r0 + q1 r1 + q2 r2) G - s0 W1 + y W2, where q1 is alpha s0 / s1, and q2 is
 * alpha^2 s0 / (s2 s3). */
void fflonk_combine(const fflonk_vkey *vkey, const fflonk_values *v, uint8_t scalar[FFLONK_TERMS][32]) {
  enum { C0, C1, C2, W1, W2, G };
  field *fr = rp_field_get(vkey->family->fr);
  plonk_fr s[FFLONK_TERMS], inverse_zh, r, x;
  fr->one(&s[C0]);
  fr->inv(&x, &v->s1);
  fr->mul(&s[C1], &v->c.alpha, &v->s0);
  fr->mul(&s[C2], &v->c.alpha, &s[C1]);
  fr->mul(&s[C1], &s[C1], &x);
  fr->mul(&x, &v->s2, &v->s3);
  fr->inv(&x, &x);
  fr->mul(&s[C2], &s[C2], &x);
  fr->neg(&s[W1], &v->s0);
  s[W2] = v->c.y;
  fr->inv(&inverse_zh, &v->zh);
  r0_at_y(fr, v, &s[G]);
  r1_at_y(fr, v, &inverse_zh, &r);
  add_product(fr, &s[G], &s[C1], &r);
  r2_at_y(fr, vkey, v, &inverse_zh, &r);
  add_product(fr, &s[G], &s[C2], &r);
  fr->neg(&s[G], &s[G]);
  for (int i = 0; i < FFLONK_TERMS; i++) {
    plonk_fr canonical;
    fr->to_canonical(&canonical, &s[i]);
    memcpy(scalar[i], &canonical, sizeof canonical);
  }
}
