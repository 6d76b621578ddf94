/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * tests/data/ntt_bn254.json: quotients, each as one graph of field-vector operations.
 *
 * op-test lavapipe:slow label:sources
 */
#include "data.h"
#include "device.h"
#include "kat.h"

static const rp_field fr = RP_FIELD_BN254_FR;
static json *file;

static rp_value elements(job *j, const json *array, void **keep) {
  *keep = kat_elements(fr, array);
  return job_input(j, rp_type_field(fr), array->n, *keep);
}

/* As in snarkjs: inverse transforms of A, B and A B, transforms on the odd coset, and A B - C there. */
static void groth16(void **state) {
  (void)state;
  const json *c = json_get(file, "groth16_quotient_python");
  const uint64_t n = json_u64(json_get(c, "n"));
  assert_int_equal(n, 8);
  assert_string_equal(json_text(json_get(c, "root_convention")), "snarkjs");
  assert_string_equal(json_text(json_get(c, "X^n-1 on the coset")), "-2 everywhere");
  uint8_t a_coeffs[8 * 32], odd[3][8 * 32], p[8 * 32], h[8 * 32], inc[32], minus_half[32];
  const rp_field_host *f = rp_field_get(fr);
  void *keep[2];
  f->root(inc, RP_ROOT_SNARKJS, 4);
  assert_true(kat_equals(fr, inc, json_get(c, "inc (2n-th root, coset shift)")));
  f->one(minus_half);
  f->add(minus_half, minus_half, minus_half);
  f->neg(minus_half, minus_half); /* X^n - 1 on the odd coset, where X^n = -1 */
  f->inv(minus_half, minus_half);

  rp_ntt_options inverse = {.struct_size = sizeof inverse, .root = RP_ROOT_SNARKJS, .inverse = 1};
  rp_ntt_options coset = {.struct_size = sizeof coset, .root = RP_ROOT_SNARKJS, .coset = RP_COSET_ROOT_2N};
  rp_ntt_options back = coset;
  inverse.out_order = coset.in_order = RP_ORDER_BIT_REVERSED;
  back.inverse = 1;
  job j;
  job_begin(&j);
  rp_value a = elements(&j, json_get(c, "A_evals"), &keep[0]), b = elements(&j, json_get(c, "B_evals"), &keep[1]);
  rp_value v[3] = {a, b, rp_mul(j.graph, a, b)};
  for (int i = 0; i < 3; i++) {
    v[i] = rp_ntt(j.graph, v[i], &inverse);
    if (i == 0) {
      rp_ntt_options natural = inverse;
      natural.out_order = RP_ORDER_NATURAL;
      job_output(&j, rp_ntt(j.graph, a, &natural), a_coeffs);
    }
    v[i] = rp_ntt(j.graph, v[i], &coset);
    job_output(&j, v[i], odd[i]);
  }
  rp_value quotient = rp_mul_sub(j.graph, v[0], v[1], v[2]);
  job_output(&j, quotient, p);
  rp_value factor = job_input(&j, rp_type_field(fr), 1, minus_half);
  job_output(&j, rp_ntt(j.graph, rp_mul(j.graph, quotient, factor), &back), h);
  job_check(&j);
  kat_assert(fr, a_coeffs, 8, json_get(c, "a_coeffs"), "a_coeffs");
  kat_assert(fr, odd[0], 8, json_get(c, "A_odd"), "A_odd");
  kat_assert(fr, odd[1], 8, json_get(c, "B_odd"), "B_odd");
  kat_assert(fr, odd[2], 8, json_get(c, "C_odd"), "C_odd");
  kat_assert(fr, p, 8, json_get(c, "P_odd = A_odd*B_odd - C_odd (scalars of the H-MSM in snarkjs/rapidsnark)"),
             "P_odd");
  kat_assert(fr, h, 8, json_get(c, "h_coeffs = (ab-c)/(X^n-1)"), "h_coeffs");
  free(keep[0]), free(keep[1]);
}

/* For n = 2^28 there is no root of order 2n. ffjavascript then takes 25 as the shift of the coset, which a graph can
 * give as an option. */
static void largest_domain(void **state) {
  (void)state;
  assert_non_null(strstr(json_get(json_get(file, "groth16_quotient_python"), "max_size_fallback")->text, "25"));
  uint64_t root[4];
  assert_int_equal(rp_field_get(fr)->root(root, RP_ROOT_SNARKJS, 29), 0);
  uint8_t *x = data_field(fr, DATA_RANDOM, 1, 64), y[64 * 32], out[64 * 32];
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .coset = RP_COSET_SHIFT, .shift = {25}},
                 back = o;
  back.inverse = 1;
  job j;
  job_begin(&j);
  rp_value v = rp_ntt(j.graph, job_input(&j, rp_type_field(fr), 64, x), &o);
  job_output(&j, v, y);
  job_output(&j, rp_ntt(j.graph, v, &back), out);
  job_check(&j);
  data_assert_equal(fr, out, x, 64, "shift 25 and back");
  free(x);
}

/* As in halo2: coefficient i is scaled by zeta^(i mod 3), padded and transformed on the extended domain; then the gate,
 * the division, and the way back. */
static void halo2(void **state) {
  (void)state;
  const json *c = json_get(file, "halo2_extended_coset_python");
  const uint32_t k = (uint32_t)json_u64(json_get(c, "k")), extended_k = (uint32_t)json_u64(json_get(c, "extended_k"));
  const uint64_t n = json_u64(json_get(c, "n")), m = (uint64_t)1 << extended_k, turn = m / n;
  const uint64_t kept = n * json_u64(json_get(c, "quotient_poly_degree"));
  const rp_field_host *f = rp_field_get(fr);
  static const char *const polys[] = {"p1_coeffs", "p2_coeffs", "p3_coeffs (interpolates p1*p2 on the n-domain)"};
  uint8_t w[32], zeta[32], inverse_zeta[32], p1[32 * 32], gate[32 * 32], h[32 * 32], coeffs[32 * 32];
  uint8_t rotated[32 * 32], of_rotated[32 * 32];
  assert_int_equal(n, (uint64_t)1 << k);
  assert_true(n * (json_u64(json_get(c, "j")) - 1) == kept && kept <= m);
  f->root(w, RP_ROOT_HALO2, k);
  assert_true(kat_equals(fr, w, json_get(c, "omega")));
  kat_element(fr, json_get(c, "zeta = g_coset"), zeta);
  f->sqr(inverse_zeta, zeta);
  assert_true(kat_equals(fr, inverse_zeta, json_get(c, "zeta^2 = g_coset_inv")));
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_HALO2, .coset = RP_COSET_SHIFT}, back;
  f->to_canonical(o.shift, zeta);
  back = o;
  back.inverse = 1;

  void *keep[4];
  rp_value p[3], column[4];
  uint64_t root[4];
  f->root(root, RP_ROOT_HALO2, extended_k);
  assert_true(kat_equals(fr, root, json_get(c, "extended_omega")));
  uint32_t repeat[32];
  for (uint32_t i = 0; i < 32; i++) repeat[i] = i % (uint32_t)turn;
  job j;
  job_begin(&j);
  for (int i = 0; i < 3; i++) {
    p[i] = elements(&j, json_get(c, polys[i]), &keep[i]);
    column[i] = rp_ntt(j.graph, rp_pad(j.graph, p[i], m), &o);
  }
  rp_value table = elements(&j, json_get(c, "t_inverse (1/(X^n-1) on the coset, repeating)"), &keep[3]);
  column[3] = rp_gather(j.graph, table, job_input(&j, &RP_TYPE_U32, m, repeat));
  /* (p1 p2 - p3), and its product with t_inverse, as programs */
  static const rp_expr_code code[] = {{RP_EXPR_COLUMN, 0, 0}, {RP_EXPR_COLUMN, 1, 0}, {RP_EXPR_MUL, 0, 0},
                                      {RP_EXPR_COLUMN, 2, 0}, {RP_EXPR_SUB, 0, 0},    {RP_EXPR_COLUMN, 3, 0},
                                      {RP_EXPR_MUL, 0, 0}};
  static const rp_expr_code turned[] = {{RP_EXPR_COLUMN, 0, 1}};
  rp_expr_options gate_program = {.struct_size = sizeof gate_program, .code = code, .n_code = 5};
  rp_expr_options h_program = gate_program;
  rp_expr_options turn_program = {
      .struct_size = sizeof turn_program, .code = turned, .n_code = 1, .rotation_step = turn};
  h_program.n_code = 7;
  rp_value h_extended = rp_expr(j.graph, column, 4, RP_NO_VALUE, &h_program);
  job_output(&j, column[0], p1);
  job_output(&j, rp_expr(j.graph, column, 4, RP_NO_VALUE, &gate_program), gate);
  job_output(&j, h_extended, h);
  job_output(&j, rp_slice(j.graph, rp_ntt(j.graph, h_extended, &back), 0, kept), coeffs);
  /* A rotation of the extended column is the evaluation of p1(omega X): coefficient i is multiplied by omega^i. */
  job_output(&j, rp_expr(j.graph, column, 1, RP_NO_VALUE, &turn_program), rotated);
  rp_value omega = job_input(&j, rp_type_field(fr), 1, w);
  rp_value shifted = rp_pad(j.graph, rp_mul_powers(j.graph, p[0], omega, RP_NO_VALUE), m);
  job_output(&j, rp_ntt(j.graph, shifted, &o), of_rotated);
  job_check(&j);
  kat_assert(fr, p1, m, json_get(c, "p1_extended"), "p1_extended");
  kat_assert(fr, gate, m, json_get(c, "gate (p1*p2-p3) extended"), "gate");
  kat_assert(fr, h, m, json_get(c, "h_extended = gate * t_inverse"), "h_extended");
  kat_assert(fr, coeffs, kept, json_get(c, "h_coeffs (truncated to n*quotient_poly_degree)"), "h_coeffs");
  data_assert_equal(fr, rotated, of_rotated, m, "rotation");
  for (int i = 0; i < 4; i++) free(keep[i]);
}

/* The tests have read everything in the file except its prose and what test_ntt_data.c reads. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta",
                                       "size_16",
                                       "KAT_python",
                                       "large_python",
                                       "polynomial_evaluation_python",
                                       "gpu_fft_plan",
                                       "split_radix_2_8",
                                       "KAT_independent_bls12_381_fr_intt16",
                                       "rule",
                                       "rotation_check",
                                       "checked",
                                       "C_evals = A*B",
                                       NULL};
  (void)state;
  json_assert_consumed("ntt_bn254.json", except);
}

int main(void) {
  file = json_load("ntt_bn254.json");
  const struct CMUnitTest tests[] = {cmocka_unit_test(groth16), cmocka_unit_test(largest_domain),
                                     cmocka_unit_test(halo2), cmocka_unit_test(test_consumed)};
  int failures = device_run_tests("quotients", tests, sizeof tests / sizeof tests[0]);
  json_unload();
  return failures;
}
