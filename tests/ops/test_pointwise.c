/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Element-wise operations, powers and coset shifts, with and without broadcast.
 *
 * op-test lavapipe:slow
 * mistake ops/vector/pointwise_cpu_tmpl.c: "binary(args, begin, end, fe_sub);" is "binary(args, begin, end, fe_add);"
 * mistake ops/vector/pointwise_item.h: "fe_sub(product, fe_load(k.c, i * k.c_step))" is "product"
 */
#include "data.h"
#include "device.h"
#include "ref/ref.h"

enum { ELEMENT = 96 };

static void check_size(rp_field field, data_kind kind, uint64_t n, uint64_t n_b) {
  const rp_field_host *f = rp_field_get(field);
  const rp_type *type = rp_type_field(field);
  size_t bytes = n * f->size_bytes;
  uint64_t step = n_b != 1;
  void *a = data_field(field, kind, n, n), *b = data_field(field, DATA_EDGES, n + 1, n_b);
  void *c = data_field(field, DATA_RANDOM, n + 2, n), *got[5], *want = malloc(bytes), *zero = calloc(1, ELEMENT);
  for (int i = 0; i < 5; i++) got[i] = malloc(bytes);
  job j;
  job_begin(&j);
  rp_value va = job_input(&j, type, n, a), vb = job_input(&j, type, n_b, b), vc = job_input(&j, type, n, c);
  job_output(&j, rp_add(j.graph, va, vb), got[0]);
  job_output(&j, rp_sub(j.graph, va, vb), got[1]);
  job_output(&j, rp_mul(j.graph, vb, va), got[2]);
  job_output(&j, rp_neg(j.graph, va), got[3]);
  job_output(&j, rp_mul_sub(j.graph, va, vb, vc), got[4]);
  job_check(&j);
  ref_binary(f, f->add, want, a, 1, b, step, n);
  data_assert_equal(field, got[0], want, n, "add");
  ref_binary(f, f->sub, want, a, 1, b, step, n);
  data_assert_equal(field, got[1], want, n, "sub");
  ref_binary(f, f->sub, want, zero, 0, a, 1, n);
  data_assert_equal(field, got[3], want, n, "neg");
  ref_binary(f, f->mul, want, a, 1, b, step, n);
  data_assert_equal(field, got[2], want, n, "mul");
  ref_binary(f, f->sub, want, want, 1, c, 1, n);
  data_assert_equal(field, got[4], want, n, "mul_sub");
  for (int i = 0; i < 5; i++) free(got[i]);
  free(a), free(b), free(c), free(want), free(zero);
}

static void elements(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (const uint64_t *n = data_sizes; data_fits(*n); n++)
      check_size(field, (data_kind)(*n % DATA_KINDS), *n, *n % 2 ? *n : 1);
}

static void check_powers(rp_field field, data_kind kind, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  const rp_type *type = rp_type_field(field);
  size_t bytes = n * f->size_bytes;
  void *x = data_field(field, kind, n, n), *base = data_field(field, kind, n + 1, 1);
  void *scale = data_field(field, DATA_RANDOM, n + 2, 1), *got[4], *want = malloc(bytes);
  for (int i = 0; i < 4; i++) got[i] = malloc(bytes);
  job j;
  job_begin(&j);
  rp_value vx = job_input(&j, type, n, x), vb = job_input(&j, type, 1, base), vs = job_input(&j, type, 1, scale);
  job_output(&j, rp_powers(j.graph, vb, vs, n), got[0]);
  job_output(&j, rp_powers(j.graph, vb, RP_NO_VALUE, n), got[1]);
  job_output(&j, rp_mul_powers(j.graph, vx, vb, vs), got[2]);
  job_output(&j, rp_mul_powers(j.graph, vx, vb, RP_NO_VALUE), got[3]);
  job_check(&j);
  ref_powers(f, want, base, scale, n);
  data_assert_equal(field, got[0], want, n, "powers with scale");
  ref_binary(f, f->mul, want, want, 1, x, 1, n);
  data_assert_equal(field, got[2], want, n, "mul_powers with scale");
  ref_powers(f, want, base, NULL, n);
  data_assert_equal(field, got[1], want, n, "powers");
  ref_binary(f, f->mul, want, want, 1, x, 1, n);
  data_assert_equal(field, got[3], want, n, "mul_powers");
  for (int i = 0; i < 4; i++) free(got[i]);
  free(x), free(base), free(scale), free(want);
}

static void powers(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (const uint64_t *n = data_sizes; data_fits(*n); n++) check_powers(field, (data_kind)(*n % DATA_KINDS), *n);
}

static void refusals(void **state) {
  (void)state;
  uint64_t x[16] = {0};
  for (int wrong = 0; wrong < 4; wrong++) {
    job j;
    job_begin(&j);
    rp_value a = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 3, x);
    rp_value b = job_input(&j, rp_type_field(wrong == 0 ? RP_FIELD_BN254_FP : RP_FIELD_BN254_FR), 2, x);
    if (wrong < 2) rp_add(j.graph, a, b);
    if (wrong == 2) rp_powers(j.graph, a, RP_NO_VALUE, 4);
    if (wrong == 3) rp_powers(j.graph, a, RP_NO_VALUE, 0);
    assert_int_equal(job_run(&j), wrong == 0 ? RP_ERR_TYPE : RP_ERR_SHAPE);
    assert_true(j.error.reason[0]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements), cmocka_unit_test(powers), cmocka_unit_test(refusals)};
  return device_run_tests("pointwise", tests, sizeof tests / sizeof tests[0]);
}
