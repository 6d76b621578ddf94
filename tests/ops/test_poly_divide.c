/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Division of polynomials by X - z.
 *
 * op-test lavapipe:slow
 */
#include "data.h"
#include "device.h"
#include "ref/ref.h"

enum { ELEMENT = 96, POINTS = 5 };

typedef struct points {
  uint8_t at[POINTS][ELEMENT]; /* two random ones, then 0, 1 and -1 */
} points;

static points points_of(const rp_field_host *f, uint64_t seed) {
  points p = {0};
  uint8_t *random = data_field(f->id, DATA_RANDOM, seed, 2);
  memcpy(p.at[0], random, f->size_bytes);
  memcpy(p.at[1], random + f->size_bytes, f->size_bytes);
  f->zero(p.at[2]);
  f->one(p.at[3]);
  f->neg(p.at[4], p.at[3]);
  free(random);
  return p;
}

static void divide(rp_field field, const void *x, uint64_t n, const points *p, uint32_t n_points, uint8_t *const *out) {
  const rp_type *type = rp_type_field(field);
  job j;
  job_begin(&j);
  const rp_value v = job_input(&j, type, n, x);
  for (uint32_t i = 0; i < n_points; i++)
    job_output(&j, rp_poly_divide(j.graph, v, job_input(&j, type, 1, p->at[i])), out[i]);
  job_check(&j);
}

/* The quotient times X - z is the polynomial again, except for its constant coefficient. */
static void check_product(const rp_field_host *f, const void *x, uint64_t n, const void *z, const uint8_t *quotient) {
  const size_t size = f->size_bytes;
  uint8_t t[ELEMENT], want[ELEMENT];
  for (uint64_t i = 1; i < n; i++) {
    memcpy(want, quotient + (i - 1) * size, size);
    if (i < n - 1) {
      f->mul(t, quotient + i * size, z);
      f->sub(want, want, t);
    }
    data_assert_equal(f->id, (const uint8_t *)x + i * size, want, 1, "quotient * (X - z)");
  }
}

static void check(rp_field field, data_kind kind, uint64_t n, uint32_t n_points) {
  const rp_field_host *f = rp_field_get(field);
  const points p = points_of(f, n);
  uint8_t *x = data_field(field, kind, n, n), *out[POINTS], *want = malloc(n * f->size_bytes);
  for (uint32_t i = 0; i < n_points; i++) out[i] = malloc(n * f->size_bytes);
  divide(field, x, n, &p, n_points, out);
  for (uint32_t i = 0; i < n_points; i++) {
    ref_poly_divide(f, want, x, n, p.at[i]);
    data_assert_equal(field, out[i], want, n - 1, "quotient");
    check_product(f, x, n, p.at[i], out[i]);
    free(out[i]);
  }
  free(x), free(want);
}

static void fields(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++) {
    for (uint64_t n = 2; n <= 5; n++) check(field, (data_kind)(n % DATA_KINDS), n, POINTS);
    for (const uint64_t *n = data_sizes; data_fits(*n); n++)
      if (*n > 5) check(field, (data_kind)(*n % DATA_KINDS), *n, POINTS);
  }
}

/* Lengths at the borders of blocks, and lengths with at least one block for each lane of each chain. With the longest
 * polynomials each thread of a GPU has several coefficients, within a block and when blocks are joined. */
static void many_blocks(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  const uint64_t sizes[] = {127, 128, 129, 255, 256, 257, 16 * 128, 17 * 128 + 1, 20 * 128 - 1, 37 * 128 + 5};
  (void)state;
  rp_device_get_info(device_current(), &info);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    check(RP_FIELD_GOLDILOCKS, DATA_RANDOM, sizes[i], POINTS);
    check(RP_FIELD_BN254_FR, (data_kind)(i % DATA_KINDS), sizes[i], POINTS);
    if (data_fits(sizes[i])) check(RP_FIELD_BLS12_381_FP2, DATA_EDGES, sizes[i], 4);
  }
  check(RP_FIELD_GOLDILOCKS, DATA_EDGES, 1000 * (uint64_t)info.limits.workers + 77, POINTS);
  check(RP_FIELD_GOLDILOCKS, DATA_RANDOM, 300001, 1);
  if (data_fits(1 << 17)) check(RP_FIELD_BN254_FR, DATA_RANDOM, (1 << 17) - 1, 1);
}

/* A polynomial that was multiplied by X - z is divided without remainder, so that the quotient is the other factor. */
static void roots(void **state) {
  (void)state;
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  const uint64_t n = data_cap(3000);
  const size_t size = f->size_bytes;
  const points p = points_of(f, 7);
  uint8_t *factor = data_field(f->id, DATA_EDGES, 5, n - 1), *x = calloc(n, size), *out = malloc(n * size), t[ELEMENT];
  for (uint32_t i = 0; i < POINTS; i++) {
    for (uint64_t k = 0; k < n; k++) { /* factor[k - 1] - z factor[k] */
      f->zero(x + k * size);
      if (k) memcpy(x + k * size, factor + (k - 1) * size, size);
      if (k == n - 1) continue;
      f->mul(t, factor + k * size, p.at[i]);
      f->sub(x + k * size, x + k * size, t);
    }
    points root;
    memcpy(root.at[0], p.at[i], ELEMENT);
    divide(f->id, x, n, &root, 1, &out);
    data_assert_equal(f->id, out, factor, n - 1, "the other factor");
  }
  free(factor), free(x), free(out);
}

static void wrong_arguments(void **state) {
  (void)state;
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR), *fp = rp_type_field(RP_FIELD_BN254_FP);
  const struct {
    const rp_type *type, *point;
    uint64_t len, points;
    rp_status status;
    const char *reason;
  } cases[] = {
      {fr, fr, 1, 1, RP_ERR_SHAPE, "poly_divide: a polynomial of one coefficient has no quotient"},
      {fr, fr, 4, 2, RP_ERR_SHAPE, "poly_divide: the point has 2 elements, not 1"},
      {fr, fp, 4, 1, RP_ERR_TYPE, "poly_divide: operand 1 is of type bn254_fp, and operand 0 is of type bn254_fr"},
      {&RP_TYPE_U256, fr, 4, 1, RP_ERR_TYPE,
       "poly_divide: operand 0 is of type u256, not of a field; rp_from_canonical makes field elements of integers"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_graph *g = NULL;
    assert_int_equal(rp_graph_create(device_context(), "wrong", &g, NULL), RP_OK);
    const rp_value x = rp_graph_input(g, "x", cases[i].type, cases[i].len, 0);
    assert_int_equal(rp_poly_divide(g, x, rp_graph_input(g, "z", cases[i].point, cases[i].points, 0)).id, 0);
    assert_int_equal(rp_graph_error(g)->status, cases[i].status);
    if (!strstr(rp_graph_error(g)->reason, cases[i].reason))
      fail_msg("'%s' does not say '%s'", rp_graph_error(g)->reason, cases[i].reason);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(many_blocks), cmocka_unit_test(roots),
                                     cmocka_unit_test(wrong_arguments)};
  return device_run_tests("poly_divide", tests, sizeof tests / sizeof tests[0]);
}
