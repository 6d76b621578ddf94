/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reference_poly.h"

#include "formats/wtns.h"

#include <stdlib.h>
#include <string.h>

static const rp_field_host *fr;

/* ---- What the key and the witness give --------------------------------------------------------------------------- */

static reference_poly key_poly(const plonk_zkey *zkey, plonk_section id, uint64_t which) {
  const uint64_t n = zkey->common.domain_size;
  reference_poly p = reference_zero(n);
  rp_error err = {0};
  if (plonk_scalars_read(&zkey->common, id, 5 * n * which, n, p.at, &err) != RP_OK) fail_msg("%s", err.reason);
  return p;
}

static void read_variables(const plonk_zkey *zkey, const support_file *file, reference *r) {
  const uint32_t n_witness = zkey->common.n_vars - zkey->common.n_additions, n_public = zkey->vk.n_public;
  g16_wtns wtns;
  rp_error err = {0};
  plonk_addition *addition = calloc(zkey->common.n_additions + 1u, sizeof *addition);
  plonk_fr *value = r->variable = reference_elements(zkey->common.n_vars);
  r->public_signals = malloc(32u * n_public + 1);
  assert_true(addition && r->public_signals);
  if (g16_wtns_open(file, &wtns, &err) != RP_OK || wtns.n != n_witness ||
      g16_wtns_read(&wtns, 0, n_witness, NULL, value, &err) != RP_OK ||
      plonk_additions_read(&zkey->common, 0, zkey->common.n_additions, addition, &err) != RP_OK)
    fail_msg("the witness does not fit: %s", err.reason);
  memcpy(r->public_signals, value + 1, 32u * n_public);
  fr->zero(&value[0]);
  for (uint32_t i = 1; i < n_witness; i++) assert_true(fr->from_canonical(&value[i], &value[i]));
  for (uint32_t i = 0; i < zkey->common.n_additions; i++) {
    plonk_fr x;
    fr->mul(&x, addition[i].factor[0], &value[addition[i].signal[0]]);
    fr->mul(&value[n_witness + i], addition[i].factor[1], &value[addition[i].signal[1]]);
    fr->add(&value[n_witness + i], &value[n_witness + i], &x);
  }
  free(addition);
}

static void read_wires(const plonk_zkey *zkey, reference *r) {
  uint32_t *map = calloc(zkey->common.n_constraints, sizeof *map);
  rp_error err = {0};
  for (int i = 0; i < 3; i++) {
    const uint32_t id = PLONK_MAP_A + (uint32_t)i;
    if (plonk_map_read(&zkey->common, id, 0, zkey->common.n_constraints, map, &err) != RP_OK)
      fail_msg("%s", err.reason);
    r->wire[i] = reference_elements(r->n);
    for (uint32_t row = 0; row < zkey->common.n_constraints; row++) r->wire[i][row] = r->variable[map[row]];
  }
  free(map);
}

/* ---- Rounds 1 and 2 ---------------------------------------------------------------------------------------------- */

/* w + beta x + gamma */
static void factor(const plonk_challenges *c, const plonk_fr *w, const plonk_fr *x, plonk_fr *out) {
  plonk_fr y;
  fr->mul(&y, &c->beta, x);
  fr->add(&y, &y, w);
  fr->add(out, &y, &c->gamma);
}

/* The product of the three factors of a row. */
static void product(const plonk_challenges *c, const plonk_fr *const w[3], const plonk_fr *const x[3], plonk_fr *out) {
  plonk_fr y;
  fr->one(out);
  for (int i = 0; i < 3; i++) {
    factor(c, w[i], x[i], &y);
    fr->mul(out, out, &y);
  }
}

static void round_1(const plonk_zkey *zkey, const plonk_fr *b, reference *r) {
  reference_poly *const wires[3] = {&r->a, &r->b, &r->c};
  uint8_t *const points[3] = {r->proof.a, r->proof.b, r->proof.c};
  for (int i = 0; i < 3; i++) {
    const plonk_fr *const by[] = {&b[2 * i + 1], &b[2 * i]}; /* b_2 + b_1 X, b_4 + b_3 X, b_6 + b_5 X */
    *wires[i] = reference_blind(reference_interpolate(r->wire[i], r->n, &r->omega), by, 2);
    reference_commit(zkey, *wires[i], points[i]);
  }
}

static void round_2(const plonk_zkey *zkey, const plonk_fr *b, reference *r) {
  plonk_fr *sigma[3], *z = r->permutation = reference_elements(r->n), x, num, den;
  const plonk_fr *const by[] = {&b[8], &b[7], &b[6]}; /* b_9 + b_8 X + b_7 X^2 */
  plonk_challenges_2(&r->challenges, &zkey->vk, &r->proof, r->public_signals);
  for (int i = 0; i < 3; i++) sigma[i] = reference_values(r->sigma[i], r->n, &r->omega);
  fr->one(&x);
  fr->one(&z[0]);
  for (uint32_t row = 0; row < r->n; row++) {
    plonk_fr x1, x2;
    const plonk_fr *const w[3] = {&r->wire[0][row], &r->wire[1][row], &r->wire[2][row]};
    const plonk_fr *const own[3] = {&x, &x1, &x2}, *const other[3] = {&sigma[0][row], &sigma[1][row], &sigma[2][row]};
    fr->mul(&x1, &x, &zkey->vk.k1);
    fr->mul(&x2, &x, &zkey->vk.k2);
    product(&r->challenges, w, own, &num);
    product(&r->challenges, w, other, &den);
    fr->inv(&den, &den);
    fr->mul(&num, &num, &den);
    fr->mul(&num, &num, &z[row]);
    if (row + 1 < r->n)
      z[row + 1] = num;
    else
      assert_true(fr->equal(&num, &z[0])); /* the wires are copies of each other as the key wants it */
    fr->mul(&x, &x, &r->omega);
  }
  for (int i = 0; i < 3; i++) free(sigma[i]);
  r->z = reference_blind(reference_interpolate(z, r->n, &r->omega), by, 3);
  reference_commit(zkey, r->z, r->proof.z);
}

/* ---- Round 3 ----------------------------------------------------------------------------------------------------- */

enum { A, B, C, Z, ZW, QM, QL, QR, QO, QC, S1, S2, S3, L1, PI, COLUMNS };

/* The numerator of the quotient at one point x, from the values of all columns there. */
static void numerator(const plonk_zkey *zkey, const plonk_challenges *c, const plonk_fr *const v[COLUMNS],
                      const plonk_fr *x, plonk_fr *out) {
  plonk_fr y, x1, x2, one;
  const plonk_fr *const own[3] = {x, &x1, &x2};
  fr->mul(&x1, x, &zkey->vk.k1);
  fr->mul(&x2, x, &zkey->vk.k2);
  product(c, v, own, out); /* v begins with the wires */
  fr->mul(out, out, v[Z]);
  product(c, v, v + S1, &y);
  fr->mul(&y, &y, v[ZW]);
  fr->sub(out, out, &y);
  fr->mul(out, out, &c->alpha);
  fr->one(&one);
  fr->sub(&y, v[Z], &one);
  fr->mul(&y, &y, v[L1]);
  fr->mul(&y, &y, &c->alpha);
  fr->mul(&y, &y, &c->alpha);
  fr->add(out, out, &y);
  fr->mul(&y, v[A], v[B]);
  fr->mul(&y, &y, v[QM]);
  fr->add(out, out, &y);
  for (int i = 0; i < 3; i++) {
    fr->mul(&y, v[A + i], v[QL + i]);
    fr->add(out, out, &y);
  }
  fr->add(out, out, v[QC]);
  fr->add(out, out, v[PI]);
}

static void columns_of(const plonk_zkey *zkey, const reference *r, reference_poly p[COLUMNS]) {
  plonk_fr *values = reference_elements(r->n);
  p[A] = r->a, p[B] = r->b, p[C] = r->c, p[Z] = r->z;
  p[ZW] = reference_stretch(r->z, &r->omega);
  for (int i = 0; i < PLONK_SELECTORS; i++) p[QM + i] = r->q[i];
  for (int i = 0; i < PLONK_PERMUTATIONS; i++) p[S1 + i] = r->sigma[i];
  fr->one(&values[0]);
  p[L1] = reference_interpolate(values, r->n, &r->omega);
  fr->zero(&values[0]);
  for (uint32_t i = 0; i < zkey->vk.n_public; i++) fr->neg(&values[i], &r->wire[0][i]);
  p[PI] = reference_interpolate(values, r->n, &r->omega);
  free(values);
}

/* On the coset of 8n points s w^i, where s^(8n) = -1: no point of it is a root of X^n - 1. */
static reference_poly quotient(const plonk_zkey *zkey, const reference *r) {
  const uint64_t big = 8 * (uint64_t)r->n;
  plonk_fr *column[COLUMNS], *t = reference_elements(big), shift, w, x, zh, one;
  reference_poly p[COLUMNS];
  assert_true(fr->root(&w, RP_ROOT_SNARKJS, zkey->vk.log_domain + 3));
  assert_true(fr->root(&shift, RP_ROOT_SNARKJS, zkey->vk.log_domain + 4));
  columns_of(zkey, r, p);
  for (int i = 0; i < COLUMNS; i++) {
    const reference_poly moved = reference_stretch(p[i], &shift);
    column[i] = reference_values(moved, big, &w);
    free(moved.at);
  }
  free(p[ZW].at), free(p[L1].at), free(p[PI].at);
  fr->one(&one);
  x = shift;
  for (uint64_t row = 0; row < big; row++) {
    const plonk_fr *v[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) v[i] = &column[i][row];
    numerator(zkey, &r->challenges, v, &x, &t[row]);
    zh = x;
    for (uint32_t i = 0; i < zkey->vk.log_domain; i++) fr->sqr(&zh, &zh);
    fr->sub(&zh, &zh, &one);
    fr->inv(&zh, &zh);
    fr->mul(&t[row], &t[row], &zh);
    fr->mul(&x, &x, &w);
  }
  const reference_poly moved = reference_interpolate(t, big, &w);
  fr->inv(&shift, &shift);
  reference_poly out = reference_stretch(moved, &shift);
  out.n = 3 * (uint64_t)r->n + 6;
  for (uint64_t i = out.n; i < big; i++) assert_true(fr->is_zero(&out.at[i])); /* it divides */
  for (int i = 0; i < COLUMNS; i++) free(column[i]);
  free(t), free(moved.at);
  return out;
}

static void round_3(const plonk_zkey *zkey, const plonk_fr *b, reference *r) {
  const uint64_t n = r->n;
  plonk_challenges_3(&r->challenges, &r->proof);
  r->t = quotient(zkey, r);
  r->t1 = reference_zero(n + 1), r->t2 = reference_zero(n + 1), r->t3 = reference_zero(n + 6);
  memcpy(r->t1.at, r->t.at, n * sizeof *r->t.at);
  memcpy(r->t2.at, r->t.at + n, n * sizeof *r->t.at);
  memcpy(r->t3.at, r->t.at + 2 * n, (n + 6) * sizeof *r->t.at);
  r->t1.at[n] = b[9]; /* b_10 X^n, which T2 takes back, and so on */
  fr->sub(&r->t2.at[0], &r->t2.at[0], &b[9]);
  r->t2.at[n] = b[10];
  fr->sub(&r->t3.at[0], &r->t3.at[0], &b[10]);
  reference_commit(zkey, r->t1, r->proof.t1);
  reference_commit(zkey, r->t2, r->proof.t2);
  reference_commit(zkey, r->t3, r->proof.t3);
}

/* ---- Rounds 4 and 5 ---------------------------------------------------------------------------------------------- */

typedef struct opened {
  plonk_fr a, b, c, s1, s2, zw, xi_omega;
} opened;

static void round_4(reference *r, opened *o) {
  plonk_challenges_4(&r->challenges, &r->proof);
  const plonk_fr *xi = &r->challenges.xi;
  fr->mul(&o->xi_omega, xi, &r->omega);
  reference_evaluate(r->a, xi, &o->a, r->proof.eval_a);
  reference_evaluate(r->b, xi, &o->b, r->proof.eval_b);
  reference_evaluate(r->c, xi, &o->c, r->proof.eval_c);
  reference_evaluate(r->sigma[0], xi, &o->s1, r->proof.eval_s1);
  reference_evaluate(r->sigma[1], xi, &o->s2, r->proof.eval_s2);
  reference_evaluate(r->z, &o->xi_omega, &o->zw, r->proof.eval_zw);
}

/* L_i+1 at xi, omega_i being the i-th power of the root: omega_i (xi^n - 1) / (n (xi - omega_i)). */
static void lagrange(const reference *r, const plonk_fr *omega_i, const plonk_fr *zh, plonk_fr *out) {
  plonk_fr n = {{r->n}}, x;
  assert_true(fr->from_canonical(&n, &n));
  fr->sub(&x, &r->challenges.xi, omega_i);
  fr->mul(&x, &x, &n);
  fr->inv(&x, &x);
  fr->mul(&x, &x, zh);
  fr->mul(out, &x, omega_i);
}

/* The terms of the linearisation without the permutation: the gates at xi, the quotient, the public signals. */
static void linearise_gates(const plonk_zkey *zkey, reference *r, const opened *o, const plonk_fr *zh,
                            const plonk_fr *xi_n) {
  const plonk_fr *const w[3] = {&o->a, &o->b, &o->c};
  plonk_fr x, power;
  fr->mul(&x, &o->a, &o->b);
  reference_add(r->r, r->q[0], &x);
  for (int i = 0; i < 3; i++) reference_add(r->r, r->q[1 + i], w[i]);
  reference_add(r->r, r->q[4], NULL);
  fr->one(&power);
  for (uint32_t i = 0; i < zkey->vk.n_public; i++) {
    lagrange(r, &power, zh, &x);
    fr->mul(&x, &x, &r->wire[0][i]);
    fr->sub(&r->r.at[0], &r->r.at[0], &x);
    fr->mul(&power, &power, &r->omega);
  }
  reference_sub(r->r, r->t1, zh);
  fr->mul(&x, zh, xi_n);
  reference_sub(r->r, r->t2, &x);
  fr->mul(&x, &x, xi_n);
  reference_sub(r->r, r->t3, &x);
}

/* The linearisation r(X), which is 0 at xi. */
static void linearise(const plonk_zkey *zkey, reference *r, const opened *o) {
  const plonk_challenges *c = &r->challenges;
  plonk_fr x1, x2, x, y, xi_n = c->xi, zh, l1, one;
  const plonk_fr *const w[3] = {&o->a, &o->b, &o->c}, *const own[3] = {&c->xi, &x1, &x2};
  fr->one(&one);
  for (uint32_t i = 0; i < zkey->vk.log_domain; i++) fr->sqr(&xi_n, &xi_n);
  fr->sub(&zh, &xi_n, &one);
  r->r = reference_zero((uint64_t)r->n + 6);
  linearise_gates(zkey, r, o, &zh, &xi_n);
  lagrange(r, &one, &zh, &l1);
  fr->sqr(&y, &c->alpha);
  fr->mul(&l1, &l1, &y);
  fr->mul(&x1, &c->xi, &zkey->vk.k1);
  fr->mul(&x2, &c->xi, &zkey->vk.k2);
  product(c, w, own, &x); /* alpha (...)(...)(...) z(X) + alpha^2 L_1(xi) (z(X) - 1) */
  fr->mul(&x, &x, &c->alpha);
  fr->add(&x, &x, &l1);
  reference_add(r->r, r->z, &x);
  fr->sub(&r->r.at[0], &r->r.at[0], &l1);
  factor(c, &o->a, &o->s1, &x); /* alpha (...)(...) z(xi omega) (c(xi) + beta S3(X) + gamma) */
  factor(c, &o->b, &o->s2, &y);
  fr->mul(&x, &x, &y);
  fr->mul(&x, &x, &o->zw);
  fr->mul(&x, &x, &c->alpha);
  fr->add(&y, &o->c, &c->gamma);
  fr->mul(&y, &y, &x);
  fr->sub(&r->r.at[0], &r->r.at[0], &y);
  fr->mul(&x, &x, &c->beta);
  reference_sub(r->r, r->sigma[2], &x);
}

static void round_5(const plonk_zkey *zkey, reference *r, const opened *o) {
  const reference_poly with[5] = {r->a, r->b, r->c, r->sigma[0], r->sigma[1]};
  const plonk_fr *const at_xi[5] = {&o->a, &o->b, &o->c, &o->s1, &o->s2};
  plonk_fr v, x, sum;
  plonk_challenges_5(&r->challenges, &r->proof);
  linearise(zkey, r, o);
  reference_poly all = reference_zero(r->r.n);
  reference_add(all, r->r, NULL);
  v = r->challenges.v;
  fr->zero(&sum);
  for (int i = 0; i < 5; i++) {
    reference_add(all, with[i], &v);
    fr->mul(&x, &v, at_xi[i]);
    fr->add(&sum, &sum, &x);
    fr->mul(&v, &v, &r->challenges.v);
  }
  r->wxi = reference_open(all, &r->challenges.xi, &sum);
  r->wxiw = reference_open(r->z, &o->xi_omega, &o->zw);
  reference_commit(zkey, r->wxi, r->proof.wxi);
  reference_commit(zkey, r->wxiw, r->proof.wxiw);
  free(all.at);
}

void reference_prove(const plonk_zkey *zkey, const support_file *wtns, uint8_t blinding[REFERENCE_BLINDING][32],
                     reference *r) {
  plonk_fr b[REFERENCE_BLINDING];
  opened o;
  fr = rp_field_get(zkey->vk.family->fr);
  *r = (reference){.n = zkey->common.domain_size, .proof = {.g1 = zkey->vk.family->g1}};
  assert_true(fr->root(&r->omega, RP_ROOT_SNARKJS, zkey->vk.log_domain));
  for (int i = 0; i < REFERENCE_BLINDING; i++) {
    memcpy(&b[i], blinding[i], 32);
    assert_true(fr->from_canonical(&b[i], &b[i]));
  }
  for (int i = 0; i < PLONK_SELECTORS; i++) r->q[i] = key_poly(zkey, (plonk_section)(PLONK_QM + i), 0);
  for (int i = 0; i < PLONK_PERMUTATIONS; i++) r->sigma[i] = key_poly(zkey, PLONK_SIGMA, (uint64_t)i);
  read_variables(zkey, wtns, r);
  read_wires(zkey, r);
  round_1(zkey, b, r);
  round_2(zkey, b, r);
  round_3(zkey, b, r);
  round_4(r, &o);
  round_5(zkey, r, &o);
}

void reference_free(reference *r) {
  free(r->variable), free(r->permutation), free(r->public_signals);
  for (int i = 0; i < 3; i++) free(r->wire[i]), free(r->sigma[i].at);
  for (int i = 0; i < PLONK_SELECTORS; i++) free(r->q[i].at);
  const reference_poly all[] = {r->a, r->b, r->c, r->z, r->t, r->t1, r->t2, r->t3, r->r, r->wxi, r->wxiw};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i].at);
  *r = (reference){0};
}
