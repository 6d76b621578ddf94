/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every NTT over p = 97: each size, convention, direction, order, scaling and each of the 96 coset shifts, on the unit
 * vectors (whose images define a linear map) and on one dense vector, against the definition. Also every pair of
 * elements under every element-wise operation, and every inverse.
 *
 * op-test lavapipe:slow least
 */
#include "data.h"
#include "device.h"
#include "ref/ref.h"

static const rp_field f97 = RP_FIELD_F97;
enum { P = 97, MOST = 32 };

static void element(uint64_t x, void *r) {
  assert_int_equal(rp_field_get(f97)->from_canonical(r, (const uint8_t *)&x), 1);
}

/* One transform computed by its definition, in O(n^2). */
static void define(const rp_ntt_options *o, uint64_t n, const uint64_t *x, uint64_t *out) {
  const rp_field_host *f = rp_field_get(f97);
  uint64_t a[MOST], b[MOST], w, shift, power, scale;
  uint32_t log_n = 0;
  while (n >> (log_n + 1)) log_n++;
  if (!log_n)
    f->one(&w);
  else
    assert_int_equal(f->root(&w, o->root, log_n), 1);
  f->one(&shift);
  if (o->coset == RP_COSET_SHIFT) f->from_canonical(&shift, o->shift);
  if (o->coset == RP_COSET_ROOT_2N) f->root(&shift, o->root, log_n + 1);
  if (o->in_order == RP_ORDER_BIT_REVERSED)
    ref_bit_reverse(f, a, x, n);
  else
    memcpy(a, x, n * 8);
  element(o->inverse && !o->no_scale ? n : 1, &scale);
  f->inv(&scale, &scale);
  if (o->inverse) f->inv(&w, &w);
  f->one(&power);
  for (uint64_t i = 0; i < n && !o->inverse; i++, f->mul(&power, &power, &shift)) f->mul(&a[i], &a[i], &power);
  ref_dft(f, b, a, &w, n);
  f->inv(&shift, &shift);
  for (uint64_t i = 0; i < n; i++) f->mul(&b[i], &b[i], &scale);
  for (uint64_t i = 0; i < n && o->inverse; i++, f->mul(&power, &power, &shift)) f->mul(&b[i], &b[i], &power);
  if (o->out_order == RP_ORDER_BIT_REVERSED)
    ref_bit_reverse(f, out, b, n);
  else
    memcpy(out, b, n * 8);
}

/* Transforms all unit vectors and a dense one as a batch. */
static void check(rp_ntt_options o, uint64_t n) {
  uint64_t x[(MOST + 1) * MOST] = {0}, got[(MOST + 1) * MOST], want[(MOST + 1) * MOST], seed = n;
  for (uint64_t i = 0; i < n; i++) element(1, &x[i * n + i]);
  for (uint64_t i = 0; i < n; i++) element(data_next(&seed) % P, &x[n * n + i]);
  o.struct_size = sizeof o;
  o.batch = n + 1;
  for (uint64_t i = 0; i <= n; i++) define(&o, n, x + i * n, want + i * n);
  job j;
  job_begin(&j);
  job_output(&j, rp_ntt(j.graph, job_input(&j, rp_type_field(f97), (n + 1) * n, x), &o), got);
  job_check(&j);
  data_assert_equal(f97, got, want, (n + 1) * n, "ntt");
}

static void transforms(void **state) {
  (void)state;
  for (uint64_t n = 1; n <= MOST; n *= 2)
    for (uint32_t bits = 0; bits < 48; bits++) {
      rp_ntt_options o = {.root = (rp_root)(RP_ROOT_SNARKJS + bits / 16),
                          .inverse = bits & 1,
                          .in_order = (rp_order)(bits >> 1 & 1),
                          .out_order = (rp_order)(bits >> 2 & 1),
                          .no_scale = bits >> 3 & 1};
      uint64_t w;
      if (!rp_field_get(f97)->root(&w, o.root, 1)) continue; /* no generator of that convention */
      check(o, n);
      if (n < MOST) {
        o.coset = RP_COSET_ROOT_2N;
        check(o, n);
      }
    }
}

static void shifts(void **state) {
  (void)state;
  for (uint8_t shift = 1; shift < P; shift++)
    for (uint32_t bits = 0; bits < 8; bits++)
      for (uint64_t n = 4; n <= MOST; n *= 8) {
        rp_ntt_options o = {.root = RP_ROOT_SNARKJS,
                            .inverse = bits & 1,
                            .in_order = (rp_order)(bits >> 1 & 1),
                            .out_order = (rp_order)(bits >> 2 & 1),
                            .coset = RP_COSET_SHIFT,
                            .shift = {shift}};
        check(o, n);
      }
}

static void elements(void **state) {
  (void)state;
  const rp_type *type = rp_type_field(f97);
  uint64_t a[P * P], b[P * P], got[4][P * P], x[P], inverse[P];
  for (uint64_t i = 0; i < P * P; i++) element(i / P, &a[i]), element(i % P, &b[i]);
  for (uint64_t i = 0; i < P; i++) element(i, &x[i]);
  job j;
  job_begin(&j);
  rp_value va = job_input(&j, type, P * P, a), vb = job_input(&j, type, P * P, b);
  job_output(&j, rp_to_canonical(j.graph, rp_add(j.graph, va, vb)), got[0]);
  job_output(&j, rp_to_canonical(j.graph, rp_sub(j.graph, va, vb)), got[1]);
  job_output(&j, rp_to_canonical(j.graph, rp_mul(j.graph, va, vb)), got[2]);
  job_output(&j, rp_to_canonical(j.graph, rp_mul_sub(j.graph, va, vb, va)), got[3]);
  job_output(&j, rp_to_canonical(j.graph, rp_batch_inverse(j.graph, job_input(&j, type, P, x), NULL)), inverse);
  job_check(&j);
  for (uint64_t i = 0; i < P * P; i++) {
    uint64_t u = i / P, v = i % P;
    assert_int_equal(got[0][i], (u + v) % P);
    assert_int_equal(got[1][i], (u + P - v) % P);
    assert_int_equal(got[2][i], u * v % P);
    assert_int_equal(got[3][i], (u * v + P - u) % P);
  }
  for (uint64_t i = 0; i < P; i++) assert_int_equal(inverse[i] * i % P, i != 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(transforms), cmocka_unit_test(shifts),
                                     cmocka_unit_test(elements)};
  return device_run_tests("exhaustive", tests, sizeof tests / sizeof tests[0]);
}
