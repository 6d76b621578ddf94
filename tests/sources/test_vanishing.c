/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * 1 / (X^n - 1) in the quotient on the extended coset. It has few different values, which the quotient reads as
 * constants; the result has the same bytes as one that reads a column of all values.
 */
#include <reprise/halo2.h>

#include "data.h"
#include "device.h"

static const rp_field fr = RP_FIELD_BN254_FR;

/* The shift may be any element outside of the domain. */
static rp_extended_domain domain_of(uint32_t k, uint32_t extended_k) {
  return (rp_extended_domain){
      .struct_size = sizeof(rp_extended_domain), .root = RP_ROOT_HALO2, .k = k, .extended_k = extended_k, .shift = {5}};
}

/* What the numerator reads: constants[0] and constants[uses - 1] unless uses is 0, of `given` in all. */
typedef struct division {
  uint32_t k, extended_k, uses, given;
} division;

static rp_term small_numerator(rp_terms *t, const division *c) {
  rp_term product = rp_term_mul(t, rp_term_column(t, 0, 1), rp_term_column(t, 1, -1));
  if (!c->uses) return product;
  rp_term sum = rp_term_add(t, rp_term_mul(t, product, rp_term_constant(t, c->uses - 1)), rp_term_column(t, 0, 0));
  return rp_term_mul(t, sum, rp_term_constant(t, 0));
}

/* The quotient with a column of all values of 1 / (X^n - 1). */
static rp_value by_column(rp_graph *g, rp_terms *t, rp_term numerator, const rp_value *columns, rp_value constants,
                          const rp_extended_domain *d) {
  const rp_value extended[] = {rp_coeff_to_extended(g, columns[0], d), rp_coeff_to_extended(g, columns[1], d),
                               rp_vanishing_inverse(g, fr, d)};
  const rp_terms_options o = {.struct_size = sizeof o, .rotation_step = (uint64_t)1 << (d->extended_k - d->k)};
  const rp_term root = rp_term_mul(t, numerator, rp_term_column(t, 2, 0));
  return rp_extended_to_coeff(g, rp_terms_eval(g, t, root, extended, 3, constants, &o), d, 0);
}

static void compare(const division *c) {
  const rp_extended_domain d = domain_of(c->k, c->extended_k);
  const uint64_t n = (uint64_t)1 << c->k, m = (uint64_t)1 << c->extended_k;
  uint8_t *x = data_field(fr, DATA_RANDOM, 3, 2 * n), *values = data_field(fr, DATA_EDGES, 4, c->given + 1);
  uint8_t *got = malloc(m * 32), *want = malloc(m * 32);
  rp_terms *t;
  job j;
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  job_begin(&j);
  const rp_value columns[] = {job_input(&j, rp_type_field(fr), n, x), job_input(&j, rp_type_field(fr), n, x + 32 * n)};
  const rp_value constants = c->given ? job_input(&j, rp_type_field(fr), c->given, values) : RP_NO_VALUE;
  const rp_term numerator = small_numerator(t, c);
  job_output(&j, rp_quotient(j.graph, t, numerator, columns, 2, constants, &d, NULL), got);
  job_output(&j, by_column(j.graph, t, numerator, columns, constants, &d), want);
  job_check(&j);
  data_assert_equal(fr, got, want, m, "quotient by constants and by a column");
  rp_terms_destroy(t);
  free(x), free(values), free(got), free(want);
}

/* Without constants, with as many as there are, with more of them, and with so many that the values of 1 / (X^n - 1)
 * have no room behind them. */
static void same_quotient(void **state) {
  static const division cases[] = {{3, 3, 0, 0},         {3, 5, 0, 0},         {3, 5, 0, 4},        {3, 5, 3, 3},
                                   {0, 4, 3, 9},         {5, 6, 1, 70},        {2, 9, 7, 7},        {6, 10, 2, 2},
                                   {3, 5, 65532, 65532}, {3, 5, 65533, 65533}, {3, 5, 65536, 65536}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (data_fits(cases[i].given + 1)) compare(&cases[i]);
}

/* A quotient of a constant has no column: its values are the multiples of 1 / (X^n - 1). */
static void constant_numerator(void **state) {
  const rp_extended_domain d = domain_of(3, 5);
  uint8_t got[32 * 32], want[32 * 32], x[8 * 32] = {0}, *c = data_field(fr, DATA_RANDOM, 1, 1);
  rp_terms *t;
  job j;
  (void)state;
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  job_begin(&j);
  const rp_value column = job_input(&j, rp_type_field(fr), 8, x), constant = job_input(&j, rp_type_field(fr), 1, c);
  job_output(&j, rp_quotient(j.graph, t, rp_term_constant(t, 0), &column, 1, constant, &d, NULL), got);
  const rp_value inverse = rp_vanishing_inverse(j.graph, fr, &d);
  job_output(&j, rp_extended_to_coeff(j.graph, rp_mul(j.graph, inverse, constant), &d, 0), want);
  job_check(&j);
  data_assert_equal(fr, got, want, 32, "quotient of a constant");
  rp_terms_destroy(t);
  free(c);
}

/* A constant that the caller does not give is not one of those behind the caller's. */
static void missing_constants(void **state) {
  static const struct {
    division c;
    rp_status status;
    const char *reason;
  } cases[] = {{{3, 5, 3, 2}, RP_ERR_SHAPE, "uses constant 2, but there are 2"},
               {{3, 5, 1, 0}, RP_ERR_ARGUMENT, "the constants"},
               {{3, 5, 65536, 4}, RP_ERR_SHAPE, "uses constant 65535, but there are 4"}};
  uint8_t x[32 * 32] = {0}, out[32 * 32];
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const division *c = &cases[i].c;
    const rp_extended_domain d = domain_of(c->k, c->extended_k);
    rp_terms *t;
    job j;
    assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
    job_begin(&j);
    const rp_value column = job_input(&j, rp_type_field(fr), 8, x), columns[] = {column, column};
    const rp_value constants = c->given ? job_input(&j, rp_type_field(fr), c->given, x) : RP_NO_VALUE;
    job_output(&j, rp_quotient(j.graph, t, small_numerator(t, c), columns, 2, constants, &d, NULL), out);
    assert_int_equal(job_run(&j), cases[i].status);
    assert_non_null(strstr(j.error.reason, cases[i].reason));
    rp_terms_destroy(t);
  }
}

/* The constants of a plan of either way. */
static uint64_t constants_of(int column) {
  const division c = {12, 14, 2, 2};
  const rp_extended_domain d = domain_of(c.k, c.extended_k);
  rp_graph *g;
  rp_terms *t;
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_error err;
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  assert_int_equal(rp_graph_create(device_context(), "division", &g, NULL), RP_OK);
  const rp_value columns[] = {rp_graph_input(g, "a", rp_type_field(fr), 1 << 12, 0),
                              rp_graph_input(g, "b", rp_type_field(fr), 1 << 12, 0)};
  const rp_value constants = rp_graph_input(g, "constants", rp_type_field(fr), c.given, 0);
  const rp_term n = small_numerator(t, &c);
  rp_graph_output(
      g, "h",
      column ? by_column(g, t, n, columns, constants, &d) : rp_quotient(g, t, n, columns, 2, constants, &d, NULL), 0);
  if (rp_plan_query(device_current(), g, NULL, &plan, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_graph_destroy(g);
  rp_terms_destroy(t);
  return plan.constant_bytes;
}

/* What a column of 1 / (X^n - 1) takes is saved, but for the place of the few values. */
static void memory(void **state) {
  enum { PLACE = 1024 };
  (void)state;
  assert_true(constants_of(0) + ((uint64_t)32 << 14) <= constants_of(1) + PLACE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_quotient), cmocka_unit_test(constant_numerator),
                                     cmocka_unit_test(missing_constants), cmocka_unit_test(memory)};
  return device_run_tests("vanishing", tests, sizeof tests / sizeof tests[0]);
}
