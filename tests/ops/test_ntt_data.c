/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * tests/data/ntt_bn254.json: transforms, evaluations and the tables behind them. The quotients: test_quotient_data.c.
 *
 * op-test lavapipe:slow label:sources
 */
#include <reprise/halo2.h>

#include <stdio.h>

#include "data.h"
#include "device.h"
#include "kat.h"
#include "ref/ref.h"

static const rp_field fr = RP_FIELD_BN254_FR;
static json *file;

static const rp_field_host *host(void) { return rp_field_get(fr); }

static void small(uint64_t x, void *r) {
  uint8_t le[32] = {0};
  for (int i = 0; i < 8; i++) le[i] = (uint8_t)(x >> 8 * i);
  assert_int_equal(host()->from_canonical(r, le), 1);
}

static void hashed(const char *label, uint32_t i, void *r) {
  uint8_t m[64];
  size_t at = (size_t)snprintf((char *)m, sizeof m, "ntt-v1|%s|", label);
  kat_hash_wide(fr, m, kat_put_u32be(m, at, i), r);
}

static uint8_t *input(const char *rule, uint64_t n) {
  uint8_t *x = malloc(n * 32);
  char label[32];
  uint64_t one[4];
  host()->one(one);
  snprintf(label, sizeof label, "a%llu", (unsigned long long)n);
  for (uint64_t i = 0; i < n; i++) {
    uint8_t *at = x + 32 * i;
    if (!strcmp(rule, "1..n"))
      small(i + 1, at);
    else if (!strcmp(rule, "sha256"))
      hashed(label, (uint32_t)i, at);
    else if (!strcmp(rule, "delta_1"))
      small(i == 1, at);
    else if (!strcmp(rule, "ones"))
      small(1, at);
    else if (!strcmp(rule, "minus_one"))
      host()->neg(at, one);
    else
      fail_msg("no input rule %s", rule);
  }
  return x;
}

static uint32_t log_of(uint64_t n) {
  uint32_t log_n = 0;
  while (n >> (log_n + 1)) log_n++;
  return log_n;
}

static void transform(const void *x, uint64_t n, rp_ntt_options o, void *out) {
  o.struct_size = sizeof o;
  job j;
  job_begin(&j);
  job_output(&j, rp_ntt(j.graph, job_input(&j, rp_type_field(fr), n, x), &o), out);
  job_check(&j);
}

static void set_shift(rp_ntt_options *o, const void *element) {
  o->coset = RP_COSET_SHIFT;
  host()->to_canonical(o->shift, element);
}

/* ---- KAT_python, large_python ------------------------------------------------------------------------------------ */

static void assert_omega(rp_root root, uint64_t n, const json *omega) {
  uint64_t w[4];
  assert_int_equal(host()->root(w, root, log_of(n)), 1);
  assert_true(kat_equals(fr, w, omega));
}

static void one_kat(const json *c, rp_root root) {
  uint64_t n = json_u64(json_get(c, "n")), g[4];
  uint8_t *x = input(json_get(c, "input")->text, n), *out = malloc(n * 32), *natural = malloc(n * 32);
  const json *cosets = json_get(c, "coset_ntt (values, or sha256 of le32 concat when long)");
  const json *zeta = json_get(json_get(file, "halo2_extended_coset_python"), "zeta = g_coset");
  assert_omega(root, n, json_get(c, "omega"));
  if (json_find(c, "input_values")) kat_assert(fr, x, n, json_get(c, "input_values"), "input rule");
  transform(x, n, (rp_ntt_options){.root = root}, natural);
  kat_assert(fr, natural, n, json_get(c, "ntt"), "ntt");
  transform(x, n, (rp_ntt_options){.root = root, .inverse = 1}, out);
  kat_assert(fr, out, n, json_get(c, "intt_of_input"), "inverse ntt");
  for (const json *coset = cosets->item; coset; coset = coset->next) {
    rp_ntt_options o = {.root = root};
    if (!strncmp(coset->key, "g=", 2)) {
      small(strtoull(coset->key + 2, NULL, 10), g);
      set_shift(&o, g);
    } else if (!strncmp(coset->key, "2n-th root", 10)) { /* snarkjs's, also where the transform's root is halo2's */
      assert_int_equal(host()->root(g, RP_ROOT_SNARKJS, log_of(n) + 1), 1);
      if (root == RP_ROOT_HALO2)
        set_shift(&o, g);
      else
        o.coset = RP_COSET_ROOT_2N;
    } else {
      assert_string_equal(coset->key, "zeta");
      kat_element(fr, zeta, g);
      set_shift(&o, g);
    }
    transform(x, n, o, out);
    kat_assert(fr, out, n, coset, coset->key);
    o.inverse = 1;
    transform(out, n, o, natural);
    data_assert_equal(fr, natural, x, n, "coset and back");
  }
  free(x), free(out), free(natural);
}

/* "snarkjs", "halo2", or both where they agree */
static void for_roots(const json *c, void (*check)(const json *, rp_root)) {
  const char *roots = json_get(c, "root_convention")->text;
  assert_true(strstr(roots, "snarkjs") || strstr(roots, "halo2"));
  if (strstr(roots, "snarkjs")) check(c, RP_ROOT_SNARKJS);
  if (strstr(roots, "snarkjs")) check(c, RP_ROOT_ARKWORKS);
  if (strstr(roots, "halo2")) check(c, RP_ROOT_HALO2);
}

static void kats(void **state) {
  (void)state;
  size_t count = 0;
  for (const json *c = json_get(file, "KAT_python")->item; c; c = c->next, count++) for_roots(c, one_kat);
  assert_int_equal(count, 20);
}

static void one_large(const json *c, rp_root root) {
  uint64_t n = json_u64(json_get(c, "n"));
  uint8_t *x = input(json_get(c, "input")->text, n), *out = malloc(n * 32), *back = malloc(n * 32);
  assert_omega(root, n, json_get(c, "omega"));
  transform(x, n, (rp_ntt_options){.root = root}, out);
  assert_true(kat_equals(fr, out, json_get(c, "ntt_0")));
  assert_true(kat_equals(fr, out + 32, json_get(c, "ntt_1")));
  assert_true(kat_equals(fr, out + 32 * (n - 1), json_get(c, "ntt_last")));
  kat_assert(fr, out, n, json_get(c, "sha256_ntt_le32"), "large ntt");
  transform(out, n, (rp_ntt_options){.root = root, .inverse = 1}, back);
  data_assert_equal(fr, back, x, n, "and back");
  free(x), free(out), free(back);
}

static void large(void **state) {
  (void)state;
  size_t count = 0;
  for (const json *c = json_get(file, "large_python")->item; c; c = c->next, count++) for_roots(c, one_large);
  assert_int_equal(count, 10);
}

static void independent(void **state) {
  (void)state;
  const json *c = json_get(file, "KAT_independent_bls12_381_fr_intt16");
  const rp_field_host *f = rp_field_get(RP_FIELD_BLS12_381_FR);
  uint8_t x[16 * 32], out[16 * 32], w[32];
  assert_string_equal(json_get(c, "field")->text, f->name);
  assert_int_equal(json_u64(json_get(c, "n")), 16);
  assert_string_equal(json_text(json_get(c, "input")), "0..15");
  assert_non_null(strstr(json_text(json_get(c, "direction")), "inverse"));
  assert_int_equal(f->root(w, RP_ROOT_ARKWORKS, 4), 1);
  assert_true(kat_equals(RP_FIELD_BLS12_381_FR, w, json_get(c, "omega")));
  uint8_t exponent[32]; /* (r - 1) / 16; r - 1 ends with zero bits */
  uint64_t g[4], power[4];
  for (int i = 0; i < 32; i++)
    exponent[i] = (uint8_t)(f->modulus_le[i] >> 4 | (i < 31 ? f->modulus_le[i + 1] << 4 : 0));
  const uint64_t generator = json_u64(json_get(c, "generator"));
  f->from_bytes_reduce(g, (const uint8_t *)&generator, 8);
  f->pow(power, g, exponent, sizeof exponent);
  assert_memory_equal(power, w, 32);
  for (uint8_t i = 0; i < 16; i++) {
    uint8_t le[32] = {i};
    f->from_canonical(x + 32 * i, le);
  }
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_ARKWORKS, .inverse = 1};
  job j;
  job_begin(&j);
  job_output(&j, rp_ntt(j.graph, job_input(&j, rp_type_field(RP_FIELD_BLS12_381_FR), 16, x), &o), out);
  job_check(&j);
  kat_assert(RP_FIELD_BLS12_381_FR, out, 16, json_get(c, "expected"), "c-kzg");
}

/* ---- Tables and constants, and values that must not come out ----------------------------------------------------- */

static void powers_of(const void *base, uint64_t n, void *out) {
  job j;
  job_begin(&j);
  job_output(&j, rp_powers(j.graph, job_input(&j, rp_type_field(fr), 1, base), RP_NO_VALUE, n), out);
  job_check(&j);
}

static void tables_and_constants(void **state) {
  (void)state;
  const json *s = json_get(file, "size_16"), *c = json_get(s, "correct_constants");
  const json *wrong = json_get(s, "values_of_a_wrong_conversion (a correct backend must not reproduce them)");
  uint64_t w[4], one[4], square[4], r[4], order = json_u64(json_get(s, "order")), n = json_u64(json_get(s, "n"));
  uint8_t twiddles[8 * 32], le[32];
  assert_int_equal(n, (uint64_t)1 << order);
  assert_omega(RP_ROOT_SNARKJS, n, json_get(s, "omega16"));
  assert_omega(RP_ROOT_HALO2, n, json_get(s, "omega16"));
  assert_omega(RP_ROOT_HALO2, (uint64_t)1 << 28, json_get(s, "halo2_ROOT_OF_UNITY"));
  assert_omega(RP_ROOT_ARKWORKS, (uint64_t)1 << 28, json_get(s, "two_adic_root_from_generator_5"));
  host()->root(w, RP_ROOT_HALO2, (uint32_t)order);
  powers_of(w, 8, twiddles);
  kat_assert(fr, twiddles, 8, json_get(s, "cpu_twiddles_omega^0..7 (verified)"), "twiddles");
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, rp_type_field(fr), 1, w);
  job_output(&j, rp_mul(j.graph, v, v), square);
  job_check(&j);
  assert_true(kat_equals(fr, square, json_get(s, "omega_squared_sanity (verified)")));
  const json *raw = json_get(s, "twiddles_in_montgomery_form (R=2^256), for backends that expose raw limbs");
  for (size_t i = 0; i < 8; i++) {
    json_integer(json_at(raw, i), 1, le, 32);
    assert_memory_equal(twiddles + 32 * i, le, 32);
    /* The wrong numbers appear neither as values nor as raw limbs. */
    json_integer(json_at(json_get(wrong, "twiddles"), i), 1, le, 32);
    assert_memory_not_equal(twiddles + 32 * i, le, 32);
    assert_false(kat_equals(fr, twiddles + 32 * i, json_at(json_get(wrong, "twiddles"), i)));
  }
  assert_false(kat_equals(fr, square, json_get(wrong, "omega_times_omega")));
  json_integer(json_get(wrong, "omega_times_omega"), 1, le, 32);
  assert_memory_not_equal(square, le, 32);

  json_integer(json_get(c, "N"), 1, le, 32);
  assert_memory_equal(host()->modulus_le, le, 32);
  host()->one(one); /* memory form: R mod N */
  json_integer(json_get(c, "R"), 1, le, 32);
  assert_memory_equal(one, le, 32);
  assert_int_equal(host()->from_canonical(r, le), 1); /* the element R: R^2 mod N in memory */
  json_integer(json_get(c, "R_SQUARED"), 1, le, 32);
  assert_memory_equal(r, le, 32);
  uint64_t n0, low;
  json_integer(json_get(c, "N_PRIME_low64"), 1, (uint8_t *)&n0, 8);
  memcpy(&low, host()->modulus_le, 8);
  assert_int_equal(n0 * low, UINT64_MAX);
  assert_true(json_get(s, "diagnosis")->n && json_get(s, "omega16_is")->text[0]);
}

/* The root of order 2^k is the one of order 2^28, squared 28 - k times: its power 2^k is 1, and that of no lower power
 * of two is. */
static void roots(void **state) {
  static const rp_root conventions[] = {RP_ROOT_SNARKJS, RP_ROOT_ARKWORKS, RP_ROOT_HALO2};
  (void)state;
  assert_int_equal(host()->two_adicity, 28);
  for (size_t i = 0; i < sizeof conventions / sizeof *conventions; i++) {
    uint64_t derived[4], root[4], one[4];
    host()->one(one);
    assert_int_equal(host()->root(derived, conventions[i], 28), 1);
    for (uint32_t k = 28; k > 0; k--, host()->sqr(derived, derived)) {
      assert_false(host()->equal(derived, one));
      assert_int_equal(host()->root(root, conventions[i], k), 1);
      assert_true(host()->equal(root, derived));
    }
    assert_true(host()->equal(derived, one));
    assert_int_equal(host()->root(root, conventions[i], 29), 0);
  }
}

/* ---- Evaluation, pass plan, split radix -------------------------------------------------------------------------- */

static void evaluation(void **state) {
  (void)state;
  size_t count = 0;
  for (const json *c = json_get(file, "polynomial_evaluation_python")->item; c; c = c->next, count++) {
    uint64_t n = json_u64(json_get(c, "n"));
    char label[32];
    uint8_t *x = malloc(n * 32), point[32], value[32];
    snprintf(label, sizeof label, "pe%llu", (unsigned long long)n);
    for (uint32_t i = 0; i < n; i++) hashed(label, i, x + 32 * (size_t)i);
    assert_true(kat_equals(fr, x, json_get(c, "coeff_0")));
    kat_element(fr, json_get(c, "point"), point);
    job j;
    job_begin(&j);
    rp_value p = job_input(&j, rp_type_field(fr), 1, point);
    job_output(&j, rp_poly_eval(j.graph, job_input(&j, rp_type_field(fr), n, x), p), value);
    job_check(&j);
    assert_true(kat_equals(fr, value, json_get(c, "value")));
    free(x);
  }
  assert_int_equal(count, 5);
}

/* The published plan of passes (the transform by it: tests/sources/test_halo2.c); its tables come from the op that
 * makes powers. */
static void pass_plan(void **state) {
  (void)state;
  const json *section = json_get(file, "gpu_fft_plan");
  for (const json *plan = json_get(section, "plans")->item; plan; plan = plan->next) {
    rp_radix_pass passes[RP_RADIX_PASSES_MAX];
    const uint32_t log_n = (uint32_t)strtoul(plan->key, NULL, 10), n = rp_radix_passes(log_n, passes);
    assert_int_equal(plan->n, n);
    assert_int_equal(n, (log_n + 7) / 8);
    for (uint32_t i = 0; i < n; i++) {
      const json *pass = json_at(plan, i);
      assert_int_equal(json_u64(json_get(pass, "log_p")), passes[i].log_before);
      assert_int_equal(json_u64(json_get(pass, "deg")), passes[i].log_radix);
      assert_int_equal(json_u64(json_get(pass, "global")), passes[i].groups);
      assert_int_equal(json_u64(json_get(pass, "local")), passes[i].group);
    }
  }
  rp_radix_pass none[RP_RADIX_PASSES_MAX];
  assert_int_equal(rp_radix_passes(0, none), 0);
  assert_int_equal(rp_radix_passes(31, none), RP_RADIX_PASSES_MAX);
  assert_int_equal(rp_radix_passes(32, none), 0);
  const json *example = json_get(section, "pq_example_log_n_10_halo2");
  uint8_t pq[128 * 32], omegas[32 * 32], w[32], ratio[32];
  host()->root(w, RP_ROOT_HALO2, 10);
  host()->root(ratio, RP_ROOT_HALO2, 8); /* w^(n >> 8) */
  powers_of(ratio, 128, pq);
  assert_true(kat_equals(fr, pq + 32, json_get(example, "pq_1")));
  assert_true(kat_equals(fr, pq + 127 * 32, json_get(example, "pq_last")));
  kat_assert(fr, pq, 128, json_get(example, "sha256_pq_le32"), "pq table");
  for (int i = 0; i < 32; i++) {
    memcpy(omegas + 32 * i, w, 32);
    host()->sqr(w, w);
  }
  kat_assert(fr, omegas, 32, json_get(example, "sha256_omegas_le32"), "omegas table");
}

/* X[2k] and X[8k + q] from the half and eighth transforms of the file's formula. */
static void split_radix(void **state) {
  (void)state;
  const rp_field_host *f = host();
  assert_non_null(strstr(json_get(json_get(file, "split_radix_2_8"), "formula")->text, "v^(3q) d3"));
  for (uint64_t n = 16; n <= 64; n *= 4) {
    uint8_t *x = input("sha256", n), want[64 * 32], half[32 * 32], part[8 * 32], got[32 * 32];
    uint64_t w[4], v[4], vq[4], wq[4], twiddle[4], d[4][4], sum[4];
    transform(x, n, (rp_ntt_options){.root = RP_ROOT_SNARKJS}, want);
    f->root(w, RP_ROOT_SNARKJS, log_of(n));
    f->root(v, RP_ROOT_SNARKJS, 3);
    for (uint64_t i = 0; i < n / 2; i++) f->add(half + 32 * i, x + 32 * i, x + 32 * (i + n / 2));
    transform(half, n / 2, (rp_ntt_options){.root = RP_ROOT_SNARKJS}, got);
    for (uint64_t k = 0; k < n / 2; k++) assert_memory_equal(got + 32 * k, want + 64 * k, 32);
    for (uint8_t q = 1; q < 8; q += 2) {
      f->pow(vq, v, &q, 1);
      f->pow(wq, w, &q, 1);
      f->one(twiddle);
      for (uint64_t i = 0; i < n / 8; i++, f->mul(twiddle, twiddle, wq)) {
        for (uint64_t s = 0; s < 4; s++) f->sub(d[s], x + 32 * (i + s * n / 8), x + 32 * (i + s * n / 8 + n / 2));
        f->zero(sum);
        for (int s = 3; s >= 0; s--) {
          f->mul(sum, sum, vq);
          f->add(sum, sum, d[s]);
        }
        f->mul(part + 32 * i, sum, twiddle);
      }
      transform(part, n / 8, (rp_ntt_options){.root = RP_ROOT_SNARKJS}, got);
      for (uint64_t k = 0; k < n / 8; k++) assert_memory_equal(got + 32 * k, want + 32 * (8 * k + q), 32);
    }
    free(x);
  }
}

/* The tests have read everything in the file except its prose and what test_quotient_data.c reads. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta",
                                       "groth16_quotient_python",
                                       "halo2_extended_coset_python",
                                       "coeffs",
                                       "diagnosis",
                                       "rule",
                                       "pq_table",
                                       "passes",
                                       "source",
                                       "checked",
                                       "complex_formulas",
                                       "complex_coefficients_correct_(d1,d2,d3) assuming a 1/sqrt2 factor on both",
                                       NULL};
  (void)state;
  json_assert_consumed("ntt_bn254.json", except);
}

int main(void) {
  file = json_load("ntt_bn254.json");
  const struct CMUnitTest tests[] = {cmocka_unit_test(kats),         cmocka_unit_test(large),
                                     cmocka_unit_test(independent),  cmocka_unit_test(tables_and_constants),
                                     cmocka_unit_test(roots),        cmocka_unit_test(evaluation),
                                     cmocka_unit_test(pass_plan),    cmocka_unit_test(split_radix),
                                     cmocka_unit_test(test_consumed)};
  int failures = device_run_tests("ntt_bn254.json", tests, sizeof tests / sizeof tests[0]);
  json_unload();
  return failures;
}
