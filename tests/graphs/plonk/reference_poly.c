/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reference_poly.h"

#include "msm_host.h"
#include "ref/ref.h"

#include <stdlib.h>
#include <string.h>

static const rp_field_host *scalars(void) { return rp_field_get(RP_FIELD_BN254_FR); }

plonk_fr *reference_elements(uint64_t n) {
  plonk_fr *at = calloc(n ? n : 1, sizeof *at);
  assert_non_null(at);
  return at;
}

reference_poly reference_zero(uint64_t n) { return (reference_poly){reference_elements(n), n}; }

plonk_fr *reference_values(reference_poly p, uint64_t n, const plonk_fr *w) {
  plonk_fr *in = reference_elements(n), *out = reference_elements(n);
  assert_true(p.n <= n);
  memcpy(in, p.at, p.n * sizeof *in);
  ref_ntt(scalars(), out, in, w, n);
  free(in);
  return out;
}

reference_poly reference_interpolate(const plonk_fr *values, uint64_t n, const plonk_fr *w) {
  const rp_field_host *fr = scalars();
  reference_poly p = reference_zero(n);
  plonk_fr back, scale = {{n}};
  fr->inv(&back, w);
  ref_ntt(fr, p.at, values, &back, n);
  assert_true(fr->from_canonical(&scale, &scale));
  fr->inv(&scale, &scale);
  for (uint64_t i = 0; i < n; i++) fr->mul(&p.at[i], &p.at[i], &scale);
  return p;
}

reference_poly reference_stretch(reference_poly p, const plonk_fr *s) {
  const rp_field_host *fr = scalars();
  reference_poly out = reference_zero(p.n);
  plonk_fr power;
  fr->one(&power);
  for (uint64_t i = 0; i < p.n; i++) {
    fr->mul(&out.at[i], &p.at[i], &power);
    fr->mul(&power, &power, s);
  }
  return out;
}

void reference_add(reference_poly to, reference_poly from, const plonk_fr *factor) {
  const rp_field_host *fr = scalars();
  assert_true(from.n <= to.n);
  for (uint64_t i = 0; i < from.n; i++) {
    plonk_fr x = from.at[i];
    if (factor) fr->mul(&x, &x, factor);
    fr->add(&to.at[i], &to.at[i], &x);
  }
}

void reference_sub(reference_poly to, reference_poly from, const plonk_fr *factor) {
  plonk_fr negative;
  scalars()->neg(&negative, factor);
  reference_add(to, from, &negative);
}

reference_poly reference_open(reference_poly p, const plonk_fr *x, const plonk_fr *value) {
  const rp_field_host *fr = scalars();
  reference_poly out = reference_zero(p.n - 1);
  plonk_fr carry = p.at[p.n - 1];
  for (uint64_t i = p.n - 1; i-- > 0;) {
    out.at[i] = carry;
    fr->mul(&carry, &carry, x);
    fr->add(&carry, &carry, &p.at[i]);
  }
  assert_true(fr->equal(&carry, value)); /* the remainder */
  return out;
}

reference_poly reference_blind(reference_poly p, const plonk_fr *const *b, uint64_t n_blinding) {
  const rp_field_host *fr = scalars();
  reference_poly out = reference_zero(p.n + n_blinding);
  memcpy(out.at, p.at, p.n * sizeof *p.at);
  for (uint64_t i = 0; i < n_blinding; i++) {
    fr->sub(&out.at[i], &out.at[i], b[i]);
    fr->add(&out.at[p.n + i], &out.at[p.n + i], b[i]);
  }
  free(p.at);
  return out;
}

void reference_commit(const plonk_zkey *zkey, reference_poly p, uint8_t point[64]) {
  const rp_curve_host *g1 = rp_curve_get(zkey->vk.family->g1);
  uint8_t *tau = malloc(p.n * PLONK_POINT_BYTES), *scalar = malloc(p.n * 32);
  plonk_g1 zero, sum;
  rp_error err = {0};
  assert_true(tau && scalar);
  if (plonk_tau_read(&zkey->common, 0, p.n, 1, tau, &err) != RP_OK) fail_msg("%s", err.reason);
  for (uint64_t i = 0; i < p.n; i++) {
    plonk_fr canonical;
    scalars()->to_canonical(&canonical, &p.at[i]);
    memcpy(scalar + 32 * i, &canonical, 32);
  }
  g1->identity(&zero);
  assert_int_equal(g16_msm_host(g1, &zero, scalar, tau, p.n, 256, &sum), RP_OK);
  memcpy(point, &sum, sizeof sum);
  free(tau);
  free(scalar);
}

void reference_evaluate(reference_poly p, const plonk_fr *x, plonk_fr *value, uint8_t le[32]) {
  plonk_fr canonical;
  ref_poly_eval(scalars(), value, p.at, p.n, x);
  scalars()->to_canonical(&canonical, value);
  memcpy(le, &canonical, sizeof canonical);
}
