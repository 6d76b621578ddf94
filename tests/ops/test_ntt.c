/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * NTT: every direction, order, coset, batch and scaling on every field with a root, against the recursive reference,
 * and that one against the definition.
 *
 * op-test lavapipe:slow label:sources
 */
#include <stdio.h>

#include "data.h"
#include "device.h"
#include "ref/ref.h"

enum { ELEMENT = 96, COMPUTED = 3 /* in place of an rp_coset: the shift is a value */ };

static uint32_t max_log(const rp_field_host *f, uint32_t limit) {
  if (f->degree != 1) return 0;
  return f->two_adicity < limit ? f->two_adicity : limit;
}

/* x[i] *= scale * ratio^i */
static void multiply_powers(const rp_field_host *f, uint8_t *x, const void *scale, const void *ratio, uint64_t n) {
  uint8_t *powers = malloc(n * f->size_bytes);
  ref_powers(f, powers, ratio, scale, n);
  for (uint64_t i = 0; i < n; i++) f->mul(x + i * f->size_bytes, x + i * f->size_bytes, powers + i * f->size_bytes);
  free(powers);
}

/* One transform as ops.h defines it. */
static void expected(const rp_field_host *f, const rp_ntt_options *o, const uint8_t *x, uint8_t *out, uint64_t n) {
  uint64_t w[ELEMENT / 8], shift[ELEMENT / 8], one[ELEMENT / 8], scale[ELEMENT / 8];
  uint32_t log_n = 0;
  while ((uint64_t)1 << log_n < n) log_n++;
  uint8_t *a = malloc(n * f->size_bytes), *b = malloc(n * f->size_bytes);
  f->one(one);
  f->one(w);
  f->one(shift);
  f->one(scale);
  if (log_n) assert_true(f->root(w, o->root, log_n));
  if (o->coset == RP_COSET_ROOT_2N) assert_true(f->root(shift, o->root, log_n + 1));
  if (o->coset == RP_COSET_SHIFT || (int)o->coset == COMPUTED) assert_true(f->from_canonical(shift, o->shift));
  if (o->in_order == RP_ORDER_BIT_REVERSED)
    ref_bit_reverse(f, a, x, n);
  else
    memcpy(a, x, n * f->size_bytes);
  if (!o->inverse) multiply_powers(f, a, one, shift, n);
  if (o->inverse) f->inv(w, w);
  ref_ntt(f, b, a, w, n);
  if (o->inverse && !o->no_scale) {
    for (uint64_t i = 1; i < n; i <<= 1) f->add(scale, scale, scale);
    f->inv(scale, scale);
  }
  if (o->inverse) f->inv(shift, shift);
  if (o->inverse) multiply_powers(f, b, scale, shift, n);
  if (o->out_order == RP_ORDER_BIT_REVERSED)
    ref_bit_reverse(f, out, b, n);
  else
    memcpy(out, b, n * f->size_bytes);
  free(a);
  free(b);
}

static void check(rp_field field, const rp_ntt_options *o, const void *x, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  uint64_t batch = o->batch ? o->batch : 1;
  uint8_t *got = malloc(batch * n * f->size_bytes), *want = malloc(batch * n * f->size_bytes);
  for (uint64_t i = 0; i < batch; i++)
    expected(f, o, (const uint8_t *)x + i * n * f->size_bytes, want + i * n * f->size_bytes, n);
  rp_ntt_options plain = *o;
  uint64_t shift[ELEMENT / 8];
  job j;
  job_begin(&j);
  const rp_value in = job_input(&j, rp_type_field(field), batch * n, x);
  if ((int)o->coset == COMPUTED) {
    plain.coset = RP_COSET_NONE;
    assert_true(f->from_canonical(shift, o->shift));
    const rp_value s = job_input(&j, rp_type_field(field), 1, shift);
    job_output(&j, rp_ntt_coset(j.graph, in, rp_neg(j.graph, rp_neg(j.graph, s)), &plain), got);
  } else {
    job_output(&j, rp_ntt(j.graph, in, o), got);
  }
  job_check(&j);
  char what[96];
  snprintf(what, sizeof what, "ntt n=%llu inverse=%u order %d->%d coset %d", (unsigned long long)n, o->inverse,
           o->in_order, o->out_order, o->coset);
  data_assert_equal(field, got, want, batch * n, what);
  free(got);
  free(want);
}

static void reference_is_definition(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++) {
    const rp_field_host *f = rp_field_get(field);
    for (uint32_t log_n = 1; log_n <= max_log(f, 6); log_n++) {
      uint64_t w[ELEMENT / 8], n = (uint64_t)1 << log_n;
      void *x = data_field(field, DATA_EDGES, log_n, n);
      uint8_t got[64 * 48], want[64 * 48];
      if (!f->root(w, RP_ROOT_SNARKJS, log_n)) continue;
      ref_ntt(f, got, x, w, n);
      ref_dft(f, want, x, w, n);
      data_assert_equal(field, got, want, n, "reference");
      free(x);
    }
  }
}

/* All options at sizes of one, two and three passes. */
static void all_options(void **state) {
  (void)state;
  static const uint32_t logs[] = {0, 1, 2, 3, 5, 7, 10, 11};
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++) {
    const rp_field_host *f = rp_field_get(field);
    for (size_t s = 0; s < sizeof logs / sizeof logs[0]; s++) {
      uint32_t log_n = logs[s];
      if (f->degree != 1 || log_n > f->two_adicity || !data_fits((uint64_t)1 << log_n)) continue;
      uint64_t n = (uint64_t)1 << log_n;
      void *x = data_field(field, log_n % 2 ? DATA_EDGES : DATA_RANDOM, log_n, 3 * n);
      for (uint32_t bits = 0; bits < 64; bits++) {
        rp_ntt_options o = {.struct_size = sizeof o,
                            .root = RP_ROOT_SNARKJS,
                            .inverse = bits & 1,
                            .in_order = (rp_order)(bits >> 1 & 1),
                            .out_order = (rp_order)(bits >> 2 & 1),
                            .no_scale = bits >> 3 & 1,
                            .coset = (rp_coset)(bits >> 4),
                            .shift = {5},
                            .batch = bits % 3 == 2 ? 3 : 0};
        if (o.coset == RP_COSET_ROOT_2N && log_n + 1 > f->two_adicity) continue;
        if (log_n > 7 && o.no_scale && o.coset) continue;
        check(field, &o, x, n);
      }
      free(x);
    }
  }
}

static void large_sizes(void **state) {
  (void)state;
  for (int id = 0; id < RP_FIELD_COUNT; id++) {
    const rp_field field = (rp_field)id;
    if (rp_field_get(field)->degree != 1 || rp_field_get(field)->two_adicity < 16) continue;
    for (uint32_t log_n = 12; log_n <= 16 && data_fits((uint64_t)1 << log_n); log_n += 2)
      for (data_kind kind = 0; kind < DATA_KINDS; kind++) {
        uint64_t n = (uint64_t)1 << log_n;
        void *x = data_field(field, kind, log_n, n);
        rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = (uint32_t)kind & 1};
        o.in_order = (rp_order)(kind >> 1);
        check(field, &o, x, n);
        free(x);
      }
  }
}

/* Three passes: forward then inverse gives the input back, and out[0] is the sum. */
static void round_trip_over(rp_field field, rp_root root) {
  const uint64_t n = data_cap((uint64_t)1 << 21);
  const size_t size = rp_type_field(field)->size_bytes;
  void *x = data_field(field, DATA_RANDOM, 7, n), *mid = malloc(n * size), *back = malloc(n * size);
  rp_ntt_options forward = {.struct_size = sizeof forward, .root = root, .coset = RP_COSET_ROOT_2N};
  rp_ntt_options inverse = forward, plain = {.struct_size = sizeof plain, .root = root};
  inverse.inverse = 1;
  uint64_t first[2] = {0}, sum = 0;
  job j;
  job_begin(&j);
  rp_value in = job_input(&j, rp_type_field(field), n, x), y = rp_ntt(j.graph, in, &forward);
  job_output(&j, y, mid);
  job_output(&j, rp_ntt(j.graph, y, &inverse), back);
  job_output(&j, rp_slice(j.graph, rp_ntt(j.graph, in, &plain), 0, 1), first);
  job_check(&j);
  data_assert_equal(field, back, x, n, "round trip");
  ref_sum(rp_field_get(field), &sum, x, n);
  assert_int_equal(first[0], sum);
  assert_memory_not_equal(mid, x, n * size);
  free(x);
  free(mid);
  free(back);
}

static void round_trip(void **state) {
  (void)state;
  round_trip_over(RP_FIELD_GOLDILOCKS, RP_ROOT_SNARKJS);
  round_trip_over(RP_FIELD_BABYBEAR, RP_ROOT_PLONKY3);
}

/* Forward and inverse over BN254 Fr at every size up to 2^20, on both domains. */
static void every_size(void **state) {
  (void)state;
  const rp_field field = RP_FIELD_BN254_FR;
  for (uint32_t log_n = 0; log_n <= 20 && data_fits((uint64_t)1 << log_n); log_n++) {
    const uint64_t n = (uint64_t)1 << log_n;
    void *x = data_field(field, DATA_RANDOM, log_n, n), *back = malloc(n * 32);
    rp_ntt_options forward = {.struct_size = sizeof forward, .root = log_n % 2 ? RP_ROOT_SNARKJS : RP_ROOT_HALO2};
    if (log_n % 3 == 0) forward.coset = RP_COSET_ROOT_2N;
    rp_ntt_options inverse = forward;
    inverse.inverse = 1;
    job j;
    job_begin(&j);
    rp_value y = rp_ntt(j.graph, job_input(&j, rp_type_field(field), n, x), &forward);
    job_output(&j, rp_ntt(j.graph, y, &inverse), back);
    job_check(&j);
    data_assert_equal(field, back, x, n, "there and back");
    free(x);
    free(back);
  }
}

static void expect_refusal(rp_field field, uint64_t len, const rp_ntt_options *o, rp_status status) {
  void *x = data_field(field, DATA_RANDOM, 1, len), *out = malloc(len * 96);
  job j;
  job_begin(&j);
  job_output(&j, rp_ntt(j.graph, job_input(&j, rp_type_field(field), len, x), o), out);
  rp_status st = job_run(&j);
  if (st != status) fail_msg("status %s, not %s: %s", rp_status_name(st), rp_status_name(status), j.error.reason);
  assert_true(j.error.reason[0]);
  free(x);
  free(out);
}

/* A shift that is a value has length 1, is not zero where it is inverted, and is the only coset. */
static void computed_refusals(void **state) {
  (void)state;
  const rp_type *type = rp_type_field(RP_FIELD_BABYBEAR);
  for (int wrong = 0; wrong < 6; wrong++) {
    static const rp_status want[] = {RP_ERR_SHAPE,    RP_ERR_INPUT,    RP_ERR_ARGUMENT,
                                     RP_ERR_ARGUMENT, RP_ERR_ARGUMENT, RP_ERR_TYPE};
    const uint32_t x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, zero = 0;
    const uint64_t large = 1;
    rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_PLONKY3, .inverse = wrong == 1};
    uint32_t out[8];
    job j;
    job_begin(&j);
    const rp_value in = job_input(&j, type, 8, x);
    rp_value shift = job_input(&j, type, wrong == 0 ? 2 : 1, wrong == 1 ? &zero : x);
    if (wrong == 2) o.coset = RP_COSET_ROOT_2N;
    if (wrong == 3) o.struct_size = 0;
    if (wrong == 4) shift = RP_NO_VALUE;
    if (wrong == 5) shift = job_input(&j, rp_type_field(RP_FIELD_GOLDILOCKS), 1, &large);
    job_output(&j, rp_ntt_coset(j.graph, in, shift, &o), out);
    const rp_status st = job_run(&j);
    if (st != want[wrong]) fail_msg("case %d: %s, not %s", wrong, rp_status_name(st), rp_status_name(want[wrong]));
    assert_non_null(strstr(j.error.reason, wrong == 1 ? "zero has no inverse" : "ntt"));
  }
}

/* On a coset with shift zero, the value of a polynomial at each point is its constant term. */
static void computed_zero(void **state) {
  (void)state;
  const uint32_t x[8] = {11, 2, 3, 4, 5, 6, 7, 8}, zero = 0;
  const rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_PLONKY3};
  const rp_type *type = rp_type_field(RP_FIELD_BABYBEAR);
  uint32_t out[8];
  job j;
  job_begin(&j);
  job_output(&j, rp_ntt_coset(j.graph, job_input(&j, type, 8, x), job_input(&j, type, 1, &zero), &o), out);
  job_check(&j);
  for (int i = 0; i < 8; i++) assert_int_equal(out[i], x[0]);
}

static void refusals(void **state) {
  (void)state;
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS};
  expect_refusal(RP_FIELD_BN254_FR, 12, &o, RP_ERR_SHAPE);
  expect_refusal(RP_FIELD_BN254_FP2, 2, &o, RP_ERR_TYPE);
  expect_refusal(RP_FIELD_F97, 64, &o, RP_ERR_SHAPE);
  o.root = RP_ROOT_PLONKY3;
  expect_refusal(RP_FIELD_BN254_FR, 8, &o, RP_ERR_SHAPE); /* a convention of other fields */
  o.root = RP_ROOT_SNARKJS;
  expect_refusal(RP_FIELD_BN254_FR, 8, NULL, RP_ERR_ARGUMENT); /* a root is to be chosen */
  o.coset = RP_COSET_ROOT_2N;
  expect_refusal(RP_FIELD_F97, 32, &o, RP_ERR_SHAPE); /* no root of order 64 */
  o.coset = RP_COSET_SHIFT;
  expect_refusal(RP_FIELD_BN254_FR, 8, &o, RP_ERR_ARGUMENT); /* shift zero */
  memset(o.shift, 0xff, sizeof o.shift);
  expect_refusal(RP_FIELD_BN254_FR, 8, &o, RP_ERR_ARGUMENT); /* shift above the modulus */
  o = (rp_ntt_options){.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .batch = 3};
  expect_refusal(RP_FIELD_BN254_FR, 8, &o, RP_ERR_SHAPE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_is_definition),
      cmocka_unit_test(all_options),
      cmocka_unit_test(large_sizes),
      cmocka_unit_test(round_trip),
      cmocka_unit_test(every_size),
      cmocka_unit_test(computed_refusals),
      cmocka_unit_test(computed_zero),
      cmocka_unit_test(refusals),
  };
  return device_run_tests("ntt", tests, sizeof tests / sizeof tests[0]);
}
