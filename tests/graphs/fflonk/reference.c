/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "reference.h"

#include "fflonk/formats/zkey.h"
#include "fflonk/verify/verify.h"
#include "formats/wtns.h"

#include <stdio.h>

enum { ROWS = 8, LOG_ROWS = 3, TAU = 9 * ROWS + 18, MOST = TAU, MOST_VARS = 16 };

/* All MOST coefficients, the constant one first. */
typedef struct poly {
  plonk_fr at[MOST];
} poly;

typedef struct prover {
  fflonk_zkey zkey;
  plonk_g1 tau[TAU];
  plonk_fr blinding[BLINDING]; /* b_1 ... b_9 */
  plonk_fr omega;
  plonk_fr row[3][ROWS]; /* the wires */
  uint8_t signals[32 * FFLONK_MOST_PUBLIC];
  poly q[5], sigma[3], wire[3], t0, z, t1, t2, c[3];
  fflonk_challenges challenges;
  rp_fflonk_proof proof;
} prover;

static const rp_field_host *field(void) { return rp_field_get(RP_FIELD_BN254_FR); }

static void number(plonk_fr *out, uint64_t value) {
  const plonk_fr canonical = {{value}};
  assert_true(field()->from_canonical(out, &canonical));
}

static void power(plonk_fr *out, const plonk_fr *x, int n) {
  field()->one(out);
  for (int i = 0; i < n; i++) field()->mul(out, out, x);
}

/* to += factor * from; factor NULL: 1 */
static void add(poly *to, const poly *from, const plonk_fr *factor) {
  for (int i = 0; i < MOST; i++) {
    plonk_fr x = from->at[i];
    if (factor) field()->mul(&x, &x, factor);
    field()->add(&to->at[i], &to->at[i], &x);
  }
}

static poly product(const poly *a, const poly *b) {
  poly out = {0};
  for (int i = 0; i < MOST; i++)
    for (int k = 0; k < MOST; k++) {
      plonk_fr x;
      if (field()->is_zero(&a->at[i]) || field()->is_zero(&b->at[k])) continue;
      assert_true(i + k < MOST);
      field()->mul(&x, &a->at[i], &b->at[k]);
      field()->add(&out.at[i + k], &out.at[i + k], &x);
    }
  return out;
}

/* Divides by X^k - c, and leaves the remainder. */
static poly divide(poly *p, int k, const plonk_fr *c) {
  poly quotient = {0};
  for (int i = MOST - 1; i >= k; i--) {
    plonk_fr x;
    quotient.at[i - k] = p->at[i];
    field()->mul(&x, c, &p->at[i]);
    field()->add(&p->at[i - k], &p->at[i - k], &x);
    field()->zero(&p->at[i]);
  }
  return quotient;
}

static poly divide_exactly(poly p, int k, const plonk_fr *c) {
  const poly quotient = divide(&p, k, c);
  for (int i = 0; i < MOST; i++) assert_true(field()->is_zero(&p.at[i]));
  return quotient;
}

static void evaluate(const poly *p, const plonk_fr *x, plonk_fr *out) {
  field()->zero(out);
  for (int i = MOST - 1; i >= 0; i--) {
    field()->mul(out, out, x);
    field()->add(out, out, &p->at[i]);
  }
}

static void evaluate_to(const poly *p, const plonk_fr *x, uint8_t le[32]) {
  plonk_fr value;
  evaluate(p, x, &value);
  field()->to_canonical(&value, &value);
  memcpy(le, &value, sizeof value);
}

static poly interpolate(const plonk_fr value[ROWS], const plonk_fr *omega) {
  poly out = {0};
  plonk_fr scale, w, x;
  number(&scale, ROWS);
  field()->inv(&scale, &scale);
  for (int k = 0; k < ROWS; k++) {
    for (int i = 0; i < ROWS; i++) {
      power(&w, omega, (ROWS - k) * i % ROWS);
      field()->mul(&x, &w, &value[i]);
      field()->add(&out.at[k], &out.at[k], &x);
    }
    field()->mul(&out.at[k], &out.at[k], &scale);
  }
  return out;
}

/* parts[0](X^n) + X parts[1](X^n) + ... */
static poly combine(const poly *const *parts, int n) {
  poly out = {0};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < MOST; k++) {
      if (field()->is_zero(&parts[i]->at[k])) continue;
      assert_true(n * k + i < MOST);
      out.at[n * k + i] = parts[i]->at[k];
    }
  return out;
}

static void commit(const prover *p, const poly *of, uint8_t point[64]) {
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BN254_G1);
  plonk_g1 sum, term;
  g1->identity(&sum);
  for (int i = 0; i < TAU; i++) {
    plonk_fr scalar;
    field()->to_canonical(&scalar, &of->at[i]);
    g1->mul(&term, &p->tau[i], (const uint8_t *)&scalar);
    g1->add(&sum, &sum, &term);
  }
  memcpy(point, &sum, sizeof sum);
}

/* ---- The files --------------------------------------------------------------------------------------------------- */

static void read_coefficients(prover *p, fflonk_section id, uint64_t n, poly *out) {
  rp_error err = {0};
  *out = (poly){0};
  EXPECT(RP_OK, plonk_scalars_read(&p->zkey.common, id, 0, n, out->at, &err), &err);
}

/* snarkjs puts the memory form of its blinding values into the wires' last rows as if it were the integers. */
static void blind_row(plonk_fr *row, const plonk_fr *blinding) { assert_true(field()->from_canonical(row, blinding)); }

/* The value of a variable: of the witness, or of an addition, which refers to variables before it. */
static void value_of(const prover *p, const uint8_t *witness, uint32_t variable, plonk_fr *out) {
  const uint32_t first = p->zkey.common.n_vars - p->zkey.common.n_additions;
  plonk_addition addition;
  rp_error err = {0};
  if (variable < first) {
    memcpy(out, witness + 32 * (size_t)variable, sizeof *out);
    assert_true(field()->from_canonical(out, out));
    return;
  }
  EXPECT(RP_OK, plonk_additions_read(&p->zkey.common, variable - first, 1, &addition, &err), &err);
  field()->zero(out);
  for (int i = 0; i < 2; i++) {
    plonk_fr x, factor;
    value_of(p, witness, addition.signal[i], &x);
    memcpy(&factor, addition.factor[i], sizeof factor);
    field()->mul(&x, &x, &factor);
    field()->add(out, out, &x);
  }
}

static void open_files(const char *zkey, const char *wtns_path, const uint8_t blinding[BLINDING][32], prover *p) {
  support_file *key, *file;
  g16_wtns wtns;
  rp_error err = {0};
  uint8_t witness[32 * MOST_VARS];
  uint32_t map[ROWS];
  memset(p, 0, sizeof *p);
  EXPECT(RP_OK, support_file_open(zkey, 0, &key, &err), &err);
  EXPECT(RP_OK, fflonk_zkey_open(key, &p->zkey, &err), &err);
  EXPECT(RP_OK, support_file_open(wtns_path, 0, &file, &err), &err);
  EXPECT(RP_OK, g16_wtns_open(file, &wtns, &err), &err);
  assert_true(p->zkey.common.domain_size == ROWS && wtns.n <= MOST_VARS);
  EXPECT(RP_OK, g16_wtns_read(&wtns, 0, wtns.n, NULL, witness, &err), &err);
  memcpy(p->signals, witness + 32, 32 * p->zkey.vk.n_public);
  memset(witness, 0, 32); /* variable 0 is 0 in PLONK */
  assert_true(field()->root(&p->omega, RP_ROOT_SNARKJS, LOG_ROWS));
  for (int i = 0; i < BLINDING; i++) {
    memcpy(&p->blinding[i], blinding[i], 32);
    assert_true(field()->from_canonical(&p->blinding[i], &p->blinding[i]));
  }
  for (int w = 0; w < 3; w++) {
    EXPECT(RP_OK, plonk_map_read(&p->zkey.common, PLONK_MAP_A + w, 0, p->zkey.common.n_constraints, map, &err), &err);
    for (uint32_t i = 0; i < p->zkey.common.n_constraints; i++) value_of(p, witness, map[i], &p->row[w][i]);
    blind_row(&p->row[w][ROWS - 2], &p->blinding[2 * w]);
    blind_row(&p->row[w][ROWS - 1], &p->blinding[2 * w + 1]);
    p->wire[w] = interpolate(p->row[w], &p->omega);
    read_coefficients(p, (fflonk_section)(FFLONK_SIGMA_1 + w), ROWS, &p->sigma[w]);
  }
  for (int i = 0; i < 5; i++) read_coefficients(p, (fflonk_section)(FFLONK_SECTION_QL + i), ROWS, &p->q[i]);
  read_coefficients(p, FFLONK_SECTION_C0, 8 * ROWS, &p->c[0]);
  EXPECT(RP_OK, plonk_tau_read(&p->zkey.common, 0, TAU, 1, p->tau, &err), &err);
  support_file_close(file);
  support_file_close(key);
}

/* ---- The rounds -------------------------------------------------------------------------------------------------- */

/* L_(i+1) */
static poly lagrange(const prover *p, int i) {
  plonk_fr value[ROWS] = {0};
  field()->one(&value[i]);
  return interpolate(value, &p->omega);
}

static void round_1(prover *p) {
  enum { QL, QR, QM, QO, QC };
  plonk_fr one;
  poly t = p->q[QC], x, ab = product(&p->wire[0], &p->wire[1]);
  field()->one(&one);
  x = product(&p->q[QL], &p->wire[0]), add(&t, &x, NULL);
  x = product(&p->q[QR], &p->wire[1]), add(&t, &x, NULL);
  x = product(&p->q[QM], &ab), add(&t, &x, NULL);
  x = product(&p->q[QO], &p->wire[2]), add(&t, &x, NULL);
  for (uint32_t i = 0; i < p->zkey.vk.n_public; i++) {
    plonk_fr minus;
    field()->neg(&minus, &p->row[0][i]);
    x = lagrange(p, (int)i), add(&t, &x, &minus);
  }
  p->t0 = divide_exactly(t, ROWS, &one);
  const poly *const parts[] = {&p->wire[0], &p->wire[1], &p->wire[2], &p->t0};
  p->c[1] = combine(parts, 4);
  commit(p, &p->c[1], p->proof.c1);
}

/* wire + beta label + gamma, where label is shift X if `sigma` is NULL. */
static poly factor(const prover *p, int wire, const plonk_fr *shift, const poly *sigma) {
  poly out = p->wire[wire];
  if (sigma) {
    add(&out, sigma, &p->challenges.beta);
  } else {
    plonk_fr x;
    field()->mul(&x, &p->challenges.beta, shift);
    field()->add(&out.at[1], &out.at[1], &x);
  }
  field()->add(&out.at[0], &out.at[0], &p->challenges.gamma);
  return out;
}

static poly factors(const prover *p, int of_sigma) {
  plonk_fr one;
  field()->one(&one);
  const plonk_fr *const shift[] = {&one, &p->zkey.vk.k1, &p->zkey.vk.k2};
  poly out = {.at = {one}};
  for (int w = 0; w < 3; w++) {
    const poly f = factor(p, w, shift[w], of_sigma ? &p->sigma[w] : NULL);
    out = product(&out, &f);
  }
  return out;
}

static void round_2(prover *p) {
  plonk_fr value[ROWS], one, minus, x, w, numerator, denominator;
  poly left, right, shifted = {0}, zero_first, first = lagrange(p, 0);
  fflonk_challenges_2(&p->challenges, &p->zkey.vk, &p->proof, p->signals);
  left = factors(p, 0), right = factors(p, 1);
  field()->one(&one);
  field()->neg(&minus, &one);
  value[0] = w = one;
  for (int i = 0; i < ROWS; i++) {
    evaluate(&left, &w, &numerator);
    evaluate(&right, &w, &denominator);
    field()->inv(&denominator, &denominator);
    field()->mul(&x, &value[i], &numerator);
    field()->mul(&x, &x, &denominator);
    if (i + 1 < ROWS)
      value[i + 1] = x;
    else
      assert_true(field()->equal(&x, &one)); /* the wires are equal where they should be */
    field()->mul(&w, &w, &p->omega);
  }
  p->z = interpolate(value, &p->omega);
  for (int i = 0; i < 3; i++) { /* + (b9 + b8 X + b7 X^2) (X^n - 1) */
    field()->sub(&p->z.at[i], &p->z.at[i], &p->blinding[8 - i]);
    field()->add(&p->z.at[ROWS + i], &p->z.at[ROWS + i], &p->blinding[8 - i]);
  }
  zero_first = p->z;
  field()->sub(&zero_first.at[0], &zero_first.at[0], &one);
  p->t1 = divide_exactly(product(&zero_first, &first), ROWS, &one);
  for (int i = 0; i < MOST; i++) { /* z(X omega) */
    power(&w, &p->omega, i);
    field()->mul(&shifted.at[i], &p->z.at[i], &w);
  }
  left = product(&left, &p->z);
  right = product(&right, &shifted);
  add(&left, &right, &minus);
  p->t2 = divide_exactly(left, ROWS, &one);
  const poly *const parts[] = {&p->z, &p->t1, &p->t2};
  p->c[2] = combine(parts, 3);
  commit(p, &p->c[2], p->proof.c2);
}

static void round_3(prover *p) {
  const poly *const at_xi[] = {&p->q[0],     &p->q[1],     &p->q[2],    &p->q[3],    &p->q[4],    &p->sigma[0],
                               &p->sigma[1], &p->sigma[2], &p->wire[0], &p->wire[1], &p->wire[2], &p->z};
  const poly *const at_xi_omega[] = {&p->z, &p->t1, &p->t2};
  plonk_fr xi_omega;
  uint8_t *to = (uint8_t *)&p->proof;
  fflonk_challenges_3(&p->challenges, &p->proof);
  field()->mul(&xi_omega, &p->challenges.xi, &p->omega);
  for (int i = 0; i < FFLONK_HASHED_SCALARS; i++)
    evaluate_to(i < 12 ? at_xi[i] : at_xi_omega[i - 12], i < 12 ? &p->challenges.xi : &xi_omega,
                to + fflonk_proof_scalar[i].offset);
}

/* Rounds 4 and 5. The remainder of a division by a polynomial that is zero on a set is the interpolation on the set. */
static void open_all(prover *p) {
  plonk_fr xi_omega, alpha2, minus, x, y, scale[3], set[4], one, r[3];
  poly f, quotient, low, rest[3] = {p->c[0], p->c[1], p->c[2]}, l = {0};
  fflonk_challenges_4(&p->challenges, &p->proof);
  field()->one(&one);
  field()->mul(&xi_omega, &p->challenges.xi, &p->omega);
  field()->sqr(&alpha2, &p->challenges.alpha);
  f = divide(&rest[0], 8, &p->challenges.xi);
  quotient = divide(&rest[1], 4, &p->challenges.xi), add(&f, &quotient, &p->challenges.alpha);
  quotient = divide(&rest[2], 3, &p->challenges.xi);
  low = rest[2]; /* C2 = (X^3 - xi) ((X^3 - xi omega) q + r) + low */
  rest[2] = quotient;
  quotient = divide(&rest[2], 3, &xi_omega), add(&f, &quotient, &alpha2);
  commit(p, &f, p->proof.w1);
  fflonk_challenges_5(&p->challenges, &p->proof);
  y = p->challenges.y;
  power(&x, &y, 8), field()->sub(&set[0], &x, &p->challenges.xi);
  power(&x, &y, 4), field()->sub(&set[1], &x, &p->challenges.xi);
  power(&x, &y, 3), field()->sub(&set[2], &x, &p->challenges.xi);
  power(&x, &y, 3), field()->sub(&set[3], &x, &xi_omega);
  for (int i = 0; i < 3; i++) evaluate(&rest[i], &y, &r[i]);
  field()->mul(&r[2], &r[2], &set[2]);
  evaluate(&low, &y, &x);
  field()->add(&r[2], &r[2], &x);
  scale[0] = one;
  field()->inv(&x, &set[1]);
  field()->mul(&scale[1], &p->challenges.alpha, &set[0]), field()->mul(&scale[1], &scale[1], &x);
  field()->mul(&x, &set[2], &set[3]), field()->inv(&x, &x);
  field()->mul(&scale[2], &alpha2, &set[0]), field()->mul(&scale[2], &scale[2], &x);
  for (int i = 0; i < 3; i++) {
    poly c = p->c[i];
    field()->sub(&c.at[0], &c.at[0], &r[i]);
    add(&l, &c, &scale[i]);
  }
  field()->neg(&minus, &set[0]);
  add(&l, &f, &minus);
  l = divide_exactly(l, 1, &y);
  commit(p, &l, p->proof.w2);
}

/* Multiplies by the k denominators of a Lagrange basis at y, and by `more` for each. The denominator of root i is
 * k h^exponent root[(k - 1) i % k] (y - root[i]), where h is root 0. If `twice`, y - root[i] counts twice. */
static void times_basis(plonk_fr *all, const plonk_fr *root, int k, const plonk_fr *y, const plonk_fr *more,
                        int exponent, int twice) {
  plonk_fr head, x;
  number(&x, (uint64_t)k);
  power(&head, &root[0], exponent);
  field()->mul(&head, &head, &x);
  field()->mul(&head, &head, more);
  for (int i = 0; i < k; i++) {
    field()->sub(&x, y, &root[i]);
    field()->mul(all, all, &head);
    field()->mul(all, all, &root[(k - 1) * i % k]);
    field()->mul(all, all, &x);
    if (twice) field()->mul(all, all, &x);
  }
}

static void put_inverse(prover *p) {
  const fflonk_challenges *c = &p->challenges;
  plonk_fr root[8], w8, w4, one, all, x, w, xi_omega;
  field()->one(&one);
  assert_true(field()->root(&w8, RP_ROOT_SNARKJS, 3) && field()->root(&w4, RP_ROOT_SNARKJS, 2));
  field()->mul(&xi_omega, &c->xi, &p->omega);
  power(&all, &c->xi, ROWS);
  field()->sub(&all, &all, &one);
  power(&root[0], &c->seed, 3);
  for (int i = 1; i < 8; i++) field()->mul(&root[i], &root[i - 1], &w8);
  times_basis(&all, root, 8, &c->y, &one, 6, 0);
  power(&root[0], &c->seed, 6);
  for (int i = 1; i < 4; i++) field()->mul(&root[i], &root[i - 1], &w4);
  times_basis(&all, root, 4, &c->y, &one, 2, 1);
  power(&root[0], &c->seed, 8);
  for (int i = 1; i < 3; i++) field()->mul(&root[i], &root[i - 1], &p->zkey.vk.w3);
  field()->sub(&x, &c->xi, &xi_omega);
  times_basis(&all, root, 3, &c->y, &x, 1, 1);
  field()->mul(&root[0], &root[0], &p->zkey.vk.wr);
  for (int i = 1; i < 3; i++) field()->mul(&root[i], &root[i - 1], &p->zkey.vk.w3);
  field()->neg(&x, &x);
  times_basis(&all, root, 3, &c->y, &x, 1, 1);
  w = one;
  for (uint32_t i = 0; i == 0 || i < p->zkey.vk.n_public; i++) {
    plonk_fr rows;
    number(&rows, ROWS);
    field()->sub(&x, &c->xi, &w);
    field()->mul(&all, &all, &x);
    field()->mul(&all, &all, &rows);
    field()->mul(&w, &w, &p->omega);
  }
  field()->inv(&all, &all);
  field()->to_canonical(&all, &all);
  memcpy(p->proof.inv, &all, sizeof all);
}

void reference_prove(const char *zkey, const char *wtns, const uint8_t blinding[BLINDING][32], rp_fflonk_proof *proof) {
  static prover p;
  open_files(zkey, wtns, blinding, &p);
  p.proof.g1 = RP_CURVE_BN254_G1;
  round_1(&p);
  round_2(&p);
  round_3(&p);
  open_all(&p);
  put_inverse(&p);
  *proof = p.proof;
}
