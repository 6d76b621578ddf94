/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The quotient on the extended coset: the known answer, the identity of a circuit at a random point, and a check that
 * the size of the cache changes memory and work but no byte of the result.
 */
#include <reprise/halo2.h>

#include "data.h"
#include "device.h"
#include "kat.h"

static const rp_field fr = RP_FIELD_BN254_FR;

static const rp_field_host *host(void) { return rp_field_get(fr); }

static const json *kat(void) { return json_get(json_load("ntt_bn254.json"), "halo2_extended_coset_python"); }

static rp_extended_domain domain_of(uint32_t k, uint32_t extended_k) {
  rp_extended_domain d = {.struct_size = sizeof d, .root = RP_ROOT_HALO2, .k = k, .extended_k = extended_k};
  json_integer(json_get(kat(), "zeta = g_coset"), 1, d.shift, 32);
  return d;
}

/* p1 p2 - p3, in one dispatch and in several. */
static void known_answer(void **state) {
  static const char *const polys[] = {"p1_coeffs", "p2_coeffs", "p3_coeffs (interpolates p1*p2 on the n-domain)"};
  (void)state;
  for (uint32_t size = 0; size < 4; size++) {
    const rp_extended_domain d = domain_of(3, 5);
    uint8_t h[24 * 32], extended[32 * 32], back[8 * 32], period[32 * 32];
    void *keep[3];
    rp_terms *t;
    assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
    rp_term gate =
        rp_term_sub(t, rp_term_mul(t, rp_term_column(t, 0, 0), rp_term_column(t, 1, 0)), rp_term_column(t, 2, 0));
    rp_value column[3];
    uint32_t dispatches, transforms;
    job j;
    job_begin(&j);
    for (int i = 0; i < 3; i++) {
      keep[i] = kat_elements(fr, json_get(kat(), polys[i]));
      column[i] = job_input(&j, rp_type_field(fr), 8, keep[i]);
    }
    rp_value values = rp_coeff_to_extended(j.graph, column[0], &d);
    job_output(&j, values, extended);
    job_output(&j, rp_extended_to_coeff(j.graph, values, &d, 8), back);
    job_output(&j, rp_vanishing_inverse(j.graph, fr, &d), period);
    rp_quotient_options o = {.struct_size = sizeof o,
                             .cache_columns = size,
                             .len = 24,
                             .dispatches = &dispatches,
                             .transforms = &transforms};
    job_output(&j, rp_quotient(j.graph, t, gate, column, 3, RP_NO_VALUE, &d, &o), h);
    job_check(&j);
    kat_assert(fr, extended, 32, json_get(kat(), "p1_extended"), "p1_extended");
    kat_assert(fr, h, 24, json_get(kat(), "h_coeffs (truncated to n*quotient_poly_degree)"), "h_coeffs");
    data_assert_equal(fr, back, keep[0], 8, "there and back");
    const json *t_inverse = json_get(kat(), "t_inverse (1/(X^n-1) on the coset, repeating)");
    for (size_t i = 0; i < 32; i++) assert_true(kat_equals(fr, period + 32 * i, json_at(t_inverse, i % t_inverse->n)));
    assert_int_equal(transforms, 3);
    static const uint32_t expected[] = {1, 2, 1, 1}; /* the product apart from the rest if only one column is kept */
    assert_int_equal(dispatches, expected[size]);
    for (int i = 0; i < 3; i++) free(keep[i]);
    rp_terms_destroy(t);
  }
}

/* ---- A circuit of many gates over many columns ------------------------------------------------------------------- */

enum { K = 6, N = 1 << K, EXTENDED_K = K + 2, WITNESS = 9, GATES = 6, SELECTORS = 3, ALL = WITNESS + SELECTORS };

typedef struct circuit {
  uint8_t row[ALL][N * 32];
} circuit;

/* Gate g demands that w[g] w[g + 1] + c = w[g + 3](next row) in rows where its selector is 1. Columns 0 to 2 may have
 * any values. */
static void fill(circuit *c, const uint8_t *constant, uint64_t seed) {
  uint8_t *free_row = data_field(fr, DATA_RANDOM, seed, N);
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t k = 0; k < N; k++) memcpy(c->row[i] + 32 * k, free_row + 32 * ((k + i) % N), 32);
  for (uint32_t g = 0; g < GATES; g++)
    for (uint32_t k = 0; k < N; k++) {
      uint8_t *out = c->row[g + 3] + 32 * ((k + 1) % N);
      uint64_t t[4];
      host()->mul(t, c->row[g] + 32 * k, c->row[g + 1] + 32 * k);
      host()->add(out, t, constant);
      if (k % (2 + g % SELECTORS)) memcpy(out, free_row + 32 * k, 32); /* the selector is 0, so any value is allowed */
    }
  for (uint32_t s = 0; s < SELECTORS; s++)
    for (uint32_t k = 0; k < N; k++) {
      host()->zero(c->row[WITNESS + s] + 32 * k);
      if (k % (2 + s) == 0) host()->one(c->row[WITNESS + s] + 32 * k);
    }
  free(free_row);
}

static rp_term numerator(rp_terms *t) {
  rp_term gate[GATES], constant = rp_term_constant(t, 0);
  for (uint32_t g = 0; g < GATES; g++) {
    rp_term product = rp_term_mul(t, rp_term_column(t, g, 0), rp_term_column(t, g + 1, 0));
    rp_term body = rp_term_sub(t, rp_term_add(t, product, constant), rp_term_column(t, g + 3, 1));
    gate[g] = rp_term_mul(t, rp_term_column(t, WITNESS + g % SELECTORS, 0), body);
  }
  return rp_term_fold(t, gate, GATES, rp_term_constant(t, 1));
}

static void add(void *r, const void *a, const void *b) { host()->add(r, a, b); }

/* The numerator at a point, from the values of the columns there and at omega times the point. */
static void numerator_at(const uint8_t (*here)[32], const uint8_t (*next)[32], const uint8_t *constants, uint8_t *sum) {
  host()->zero(sum);
  for (uint32_t g = 0; g < GATES; g++) {
    uint64_t t[4];
    host()->mul(t, here[g], here[g + 1]);
    add(t, t, constants);
    host()->sub(t, t, next[g + 3]);
    host()->mul(t, t, here[WITNESS + g % SELECTORS]);
    host()->mul(sum, sum, constants + 32);
    add(sum, sum, t);
  }
}

/* Computes the coefficients of the quotient with a cache of that size; returns whether the identity holds at a random
 * point. */
static int quotient(const circuit *c, const uint8_t *constants, uint32_t size, uint8_t *h, uint32_t *transforms) {
  const rp_extended_domain d = domain_of(K, EXTENDED_K);
  uint8_t at[ALL][32], next[ALL][32], h_at[32], left[32], right[32], *x = data_field(fr, DATA_RANDOM, 77, 1), wx[32];
  rp_terms *t;
  rp_value column[ALL];
  job j;
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  job_begin(&j);
  const rp_ntt_options back = {.struct_size = sizeof back, .root = RP_ROOT_HALO2, .inverse = 1};
  host()->root(wx, RP_ROOT_HALO2, K);
  host()->mul(wx, wx, x);
  rp_value vx = job_input(&j, rp_type_field(fr), 1, x), vwx = job_input(&j, rp_type_field(fr), 1, wx);
  for (uint32_t i = 0; i < ALL; i++) {
    column[i] = rp_ntt(j.graph, job_input(&j, rp_type_field(fr), N, c->row[i]), &back);
    job_output(&j, rp_poly_eval(j.graph, column[i], vx), at[i]);
    job_output(&j, rp_poly_eval(j.graph, column[i], vwx), next[i]);
  }
  rp_quotient_options o = {.struct_size = sizeof o, .cache_columns = size, .transforms = transforms};
  rp_value q =
      rp_quotient(j.graph, t, numerator(t), column, ALL, job_input(&j, rp_type_field(fr), 2, constants), &d, &o);
  job_output(&j, q, h);
  job_output(&j, rp_poly_eval(j.graph, q, vx), h_at);
  job_check(&j);
  numerator_at((const uint8_t(*)[32])at, (const uint8_t(*)[32])next, constants, left);
  uint64_t power[4], one[4];
  const uint8_t n = N;
  host()->pow(power, x, &n, 1);
  host()->one(one);
  host()->sub(power, power, one);
  host()->mul(right, power, h_at);
  rp_terms_destroy(t);
  free(x);
  return host()->equal(left, right);
}

static void cache_sizes(void **state) {
  static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 12, 255};
  circuit *c = malloc(sizeof *c);
  uint8_t *constants = data_field(fr, DATA_RANDOM, 5, 2), h[32 << EXTENDED_K], first[32 << EXTENDED_K];
  uint32_t transforms, of[6] = {0}, before = UINT32_MAX;
  (void)state;
  fill(c, constants, 4);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    assert_true(quotient(c, constants, sizes[i], i ? h : first, &transforms));
    if (i) assert_memory_equal(h, first, sizeof h);
    assert_true(transforms >= ALL && transforms <= before);
    before = transforms;
    if (sizes[i] && sizes[i] < sizeof of / sizeof *of) of[sizes[i]] = transforms;
  }
  assert_int_equal(before, ALL);
  assert_true(quotient(c, constants, 0, h, &transforms)); /* 0: the default of five columns */
  assert_memory_equal(h, first, sizeof h);
  assert_int_equal(transforms, of[5]);
  for (uint32_t i = 3 * N * 32; i < sizeof h; i++) assert_int_equal(h[i], 0); /* its degree is below 3 n */
  /* A wrong value in a row that a gate reads. */
  add(c->row[4] + 32, c->row[4] + 32, constants);
  assert_false(quotient(c, constants, 0, h, &transforms));
  free(c), free(constants);
}

/* The memory that the plan takes with a cache of that many columns. */
static uint64_t memory_of(uint32_t cache_columns) {
  enum { LOG = 12 };
  const rp_extended_domain d = domain_of(LOG, LOG + 2);
  rp_graph *g;
  rp_terms *t;
  rp_value column[ALL];
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_error err;
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  assert_int_equal(rp_graph_create(device_context(), "cache", &g, NULL), RP_OK);
  char name[] = "a";
  for (uint32_t i = 0; i < ALL; i++, name[0]++) column[i] = rp_graph_input(g, name, rp_type_field(fr), 1 << LOG, 0);
  rp_quotient_options o = {.struct_size = sizeof o, .cache_columns = cache_columns};
  rp_value constants = rp_graph_input(g, "constants", rp_type_field(fr), 2, 0);
  rp_graph_output(g, "h", rp_quotient(g, t, numerator(t), column, ALL, constants, &d, &o), 0);
  rp_record_options least = {.struct_size = sizeof least, .min_memory_level = RP_MEMORY_LEAST};
  if (rp_plan_query(device_current(), g, &least, &plan, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_graph_destroy(g);
  rp_terms_destroy(t);
  return plan.arena_bytes;
}

/* Fewer cached columns take less memory. */
static void cache_memory(void **state) {
  (void)state;
  assert_true(memory_of(1) < memory_of(ALL) / 2);
}

typedef struct work {
  uint32_t dispatches, transforms;
} work;

/* The dispatches and transforms for the products of neighbouring columns, with that many columns. */
static work work_of(uint32_t columns, uint32_t cache_columns) {
  const rp_extended_domain d = domain_of(3, 5);
  char name[] = "a";
  work took;
  rp_graph *g;
  rp_terms *t;
  rp_value column[ALL];
  rp_term product[ALL];
  assert_int_equal(rp_terms_create(&t, NULL), RP_OK);
  assert_int_equal(rp_graph_create(device_context(), "cache", &g, NULL), RP_OK);
  for (uint32_t i = 0; i < columns; i++, name[0]++) {
    column[i] = rp_graph_input(g, name, rp_type_field(fr), 8, 0);
    product[i] = rp_term_mul(t, rp_term_column(t, i, 0), rp_term_column(t, (i + 1) % columns, 0));
  }
  rp_term sum = rp_term_fold(t, product, columns, rp_term_column(t, 0, 0));
  rp_quotient_options o = {.struct_size = sizeof o,
                           .cache_columns = cache_columns,
                           .dispatches = &took.dispatches,
                           .transforms = &took.transforms};
  rp_graph_output(g, "h", rp_quotient(g, t, sum, column, columns, RP_NO_VALUE, &d, &o), 0);
  if (rp_graph_error(g)->status != RP_OK) fail_msg("%s", rp_graph_error(g)->reason);
  rp_graph_destroy(g);
  rp_terms_destroy(t);
  return took;
}

/* By default the cache keeps five columns, as halo2's does. */
static void cache_used(void **state) {
  (void)state;
  assert_int_equal(RP_QUOTIENT_CACHE, 5);
  for (uint32_t columns = 3; columns < ALL; columns++)
    assert_int_equal(work_of(columns, 0).dispatches, work_of(columns, 5).dispatches);
  assert_true(work_of(6, 0).dispatches < work_of(6, 4).dispatches);
  assert_true(work_of(7, 0).dispatches > work_of(7, 6).dispatches);
  /* Eight columns take two dispatches, which share some columns. Those come from the cache, so that none is transformed
   * twice; a cache of one column is not enough for that. */
  assert_true(work_of(8, 0).dispatches > 1);
  assert_int_equal(work_of(8, 0).transforms, 8);
  assert_true(work_of(8, 1).transforms > 8);
}

/* ---- Evaluation in chunks ---------------------------------------------------------------------------------------- */

/* The value of a chunk that begins at coefficient s is multiplied by x^s. The sum is the same for any length of the
 * chunks. */
static void chunked_evaluation(void **state) {
  enum { LEN = 1000 };
  static const uint64_t chunks[] = {1000, 999, 500, 128, 77};
  uint8_t *x = data_field(fr, DATA_RANDOM, 1, LEN), *point = data_field(fr, DATA_RANDOM, 2, 1), want[32], got[32];
  (void)state;
  host()->zero(want);
  for (int i = LEN - 1; i >= 0; i--) {
    host()->mul(want, want, point);
    host()->add(want, want, x + 32 * i);
  }
  for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++) {
    rp_value part[16], start[16];
    uint32_t n = 0;
    job j;
    job_begin(&j);
    rp_value v = job_input(&j, rp_type_field(fr), LEN, x), p = job_input(&j, rp_type_field(fr), 1, point);
    rp_value powers = rp_powers(j.graph, p, RP_NO_VALUE, LEN);
    for (uint64_t s = 0; s < LEN; s += chunks[k], n++) {
      const uint64_t len = LEN - s < chunks[k] ? LEN - s : chunks[k];
      part[n] = rp_poly_eval(j.graph, rp_slice(j.graph, v, s, len), p);
      start[n] = rp_slice(j.graph, powers, s, 1);
    }
    rp_value product = rp_mul(j.graph, rp_concat(j.graph, part, n), rp_concat(j.graph, start, n));
    job_output(&j, rp_sum(j.graph, product), got);
    job_check(&j);
    data_assert_equal(fr, got, want, 1, "evaluation in chunks");
  }
  free(x), free(point);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_answer), cmocka_unit_test(cache_sizes),
                                     cmocka_unit_test(cache_memory), cmocka_unit_test(cache_used),
                                     cmocka_unit_test(chunked_evaluation)};
  int failures = device_run_tests("quotient", tests, sizeof tests / sizeof tests[0]);
  json_unload();
  return failures;
}
