/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The reduction of the buckets of Eisenstein digits, on every curve that has them, against the known multiple of the
 * generator: bucket x + y zeta counts x + y zeta = (x + y) + y lambda times, since zeta = -lambda^2 = 1 + lambda.
 *
 * op-test lavapipe:slow curves:bn254_g1 log:14 least
 */
#include "data.h"
#include "device.h"
#include "points_data.h"

#include "msm/eisenstein.h"
#include "msm/eisenstein_reduce.h"

#include <stdio.h>

typedef uint8_t bytes;

static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1, RP_CURVE_BN254_G2, RP_CURVE_BLS12_381_G2};
enum { N_CURVES = sizeof curves / sizeof *curves };

/* An element of the scalar field from a signed integer of 160 bits. */
static void from_signed(const rp_field_host *f, const uint32_t word[5], void *r) {
  uint32_t magnitude[5];
  const bool negative = word[4] >> 31;
  uint64_t carry = negative;
  for (int i = 0; i < 5; i++) {
    carry += negative ? ~word[i] : word[i];
    magnitude[i] = (uint32_t)carry;
    carry >>= 32;
  }
  f->from_bytes_reduce(r, (const bytes *)magnitude, sizeof magnitude);
  if (negative) f->neg(r, r);
}

/* What omega multiplies points of the subgroup by: a1 + b1 lambda = 0. */
static void lambda_of(rp_curve curve, const rp_field_host *f, void *lambda) {
  const rp_endomorphism *e = rp_curve_endomorphism(curve);
  uint64_t b[6];
  from_signed(f, e->a1, lambda);
  from_signed(f, e->b1, b);
  f->inv(b, b);
  f->mul(lambda, lambda, b);
  f->neg(lambda, lambda);
}

/* r += multiple (x + y zeta) */
static void add_bucket(const rp_field_host *f, const void *lambda, uint32_t x, uint32_t y, int64_t multiple, void *r) {
  const uint64_t sum = x + y, factor = y, magnitude = (uint64_t)llabs(multiple);
  uint64_t s[6], t[6];
  f->from_bytes_reduce(t, (const bytes *)&factor, sizeof factor);
  f->mul(t, t, lambda);
  f->from_bytes_reduce(s, (const bytes *)&sum, sizeof sum);
  f->add(s, s, t);
  f->from_bytes_reduce(t, (const bytes *)&magnitude, sizeof magnitude);
  f->mul(s, s, t);
  if (multiple < 0) f->neg(s, s);
  f->add(r, r, s);
}

/* Which buckets are not empty; those that no digit has are never empty, so that reading one shows. */
typedef enum fill { FILL_ALL, FILL_FEW, FILL_NONE, FILL_LAST_COLUMN, FILL_LAST_ROW, FILL_EDGE, FILLS } fill;

static bool is_digit(uint32_t columns, uint32_t x, uint32_t y) {
  return 2 * x + y <= 2 * columns + 1 && x + 2 * y <= 2 * columns + 1;
}

static bool is_filled(fill which, uint32_t columns, uint32_t x, uint32_t y, uint64_t *seed) {
  switch (which) {
  case FILL_ALL: return true;
  case FILL_FEW: return data_next(seed) % 16 == 0;
  case FILL_LAST_COLUMN: return x == columns;
  case FILL_LAST_ROW: return y == columns;
  case FILL_EDGE: return !is_digit(columns, x + 1, y + 1);
  default: return false;
  }
}

static void check(rp_curve curve, uint32_t columns, fill which, point_kind kind) {
  enum { POINTS = 61 };
  const rp_curve_host *c = rp_curve_get(curve);
  const rp_field_host *f = rp_field_get(c->scalar);
  const uint64_t n = (uint64_t)columns * (columns + 1);
  int64_t multiples[POINTS];
  bytes *points = data_points(curve, kind, POINTS, multiples), *sums = malloc(n * c->accumulator_bytes);
  bytes k[48] = {0};
  uint64_t lambda[6], total[6], got[24], want[24], acc[POINTS][48], seed = columns * FILLS + which, generator[24];
  char what[96];
  job j;
  assert_non_null(sums);
  /* 2 P = P + P has coordinates with denominators; every multiple counts twice. */
  for (uint32_t i = 0; i < POINTS; i++) {
    c->acc_from_affine(acc[i], points + (uint64_t)i * c->affine_bytes);
    c->acc_double(acc[i], acc[i]);
  }
  lambda_of(curve, f, lambda);
  f->zero(total);
  for (uint32_t y = 0; y <= columns; y++)
    for (uint32_t x = 1; x <= columns; x++) {
      bytes *bucket = sums + ((uint64_t)y * columns + x - 1) * c->accumulator_bytes;
      const bool digit = is_digit(columns, x, y), filled = is_filled(which, columns, x, y, &seed);
      const uint32_t i = kind == POINT_DISTINCT ? (uint32_t)(data_next(&seed) % POINTS) : (x + y) % POINTS;
      c->acc_identity(bucket);
      if (filled || !digit) memcpy(bucket, acc[i], c->accumulator_bytes);
      if (filled && digit) add_bucket(f, lambda, x, y, 2 * multiples[i], total);
    }
  f->to_canonical(k, total);
  c->generator(generator);
  c->mul(want, generator, k);
  job_begin(&j);
  job_output(
      &j,
      rp_to_affine(j.graph, rp_eisenstein_reduce(j.graph, job_input(&j, rp_type_accumulator(curve), n, sums), columns)),
      got);
  job_check(&j);
  snprintf(what, sizeof what, "%u columns, fill %d, points %d", columns, which, kind);
  data_assert_points(curve, got, want, 1, what);
  free(sums);
  free(points);
}

static bool is_tested(rp_curve curve) { return data_curve(curve) == curve; }

/* The numbers of columns for 43 windows, for 20 and 12 of one curve, and about the limits of a part's rows. */
static void test_columns(void **state) {
  static const uint32_t sizes[] = {1, 2, 3, 4, 31, 32, 42, 64, 97, 127, 130};
  (void)state;
  for (int i = 0; i < N_CURVES; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      if (is_tested(curves[i]) && (k < 4 || data_fits((uint64_t)sizes[k] * sizes[k])))
        check(curves[i], sizes[k], FILL_ALL, POINT_DISTINCT);
}

static void test_fills(void **state) {
  (void)state;
  for (int i = 0; i < N_CURVES; i++)
    for (fill which = 0; which < FILLS && is_tested(curves[i]); which++)
      for (point_kind kind = 0; kind < POINT_KINDS; kind++)
        if (!device_is_software() || which == FILL_ALL || kind == POINT_DISTINCT) check(curves[i], 9, which, kind);
}

/* So many buckets that CUDA sums them in runs, and that a worker has several rows. */
static void test_many(void **state) {
  (void)state;
  for (int i = 0; i < N_CURVES; i++)
    if (is_tested(curves[i]) && data_fits((uint64_t)813 * 813) && !device_is_software())
      check(curves[i], 813, i % 2 ? FILL_FEW : FILL_ALL, POINT_DISTINCT);
  /* Runs of four, sixteen and thirty-two on a device of 132 multiprocessors. */
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device_current(), &info);
  for (uint32_t columns = 330; columns < 2000 && info.kind == RP_DEVICE_CUDA; columns += 635)
    check(RP_CURVE_BN254_G1, columns, FILL_FEW, POINT_DISTINCT);
}

/* Parameters that a file could have. */
static void test_refused(void **state) {
  static const struct {
    rp_curve curve;
    uint32_t sums, columns;
    rp_status status;
  } cases[] = {
      {RP_CURVE_BN254_G1, 20, 4, RP_OK},
      {RP_CURVE_BN254_G1, 20, 0, RP_ERR_ARGUMENT},
      {RP_CURVE_BN254_G1, 20, 5, RP_ERR_SHAPE},
      {RP_CURVE_BN254_G1, 19, 4, RP_ERR_SHAPE},
      {RP_CURVE_BN254_G1, 20, RP_EISENSTEIN_COLUMNS_MOST + 1, RP_ERR_ARGUMENT},
      {RP_CURVE_BN254_G1, 20, UINT32_MAX, RP_ERR_ARGUMENT},
      {RP_CURVE_SECP256K1, 20, 4, RP_ERR_TYPE},
      {RP_CURVE_BANDERWAGON, 20, 4, RP_ERR_TYPE},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    job j;
    job_begin(&j);
    const rp_type *type = rp_type_accumulator(cases[i].curve);
    rp_eisenstein_reduce(j.graph, rp_graph_input(j.graph, "sums", type, cases[i].sums, 0), cases[i].columns);
    assert_int_equal(rp_graph_error(j.graph)->status, cases[i].status);
    rp_graph_destroy(j.graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_fills),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_refused),
  };
  return device_run_tests("eisenstein_reduce", tests, sizeof tests / sizeof *tests);
}
