/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digits of scalars in the ring of Eisenstein integers: every scalar is the sum of what its entries stand for, each
 * entry is in a bucket that the reduction knows, and all devices sort the same entries into the same rows.
 *
 * op-test lavapipe:quick
 */
#include "device.h"
#include "data.h"
#include <stdlib.h>
#include <string.h>

#include "msm/eisenstein.h"

enum { SCALAR_BYTES = 32, WORDS = 5 /* of a vector */ };

static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2, RP_CURVE_BLS12_381_G1, RP_CURVE_BLS12_381_G2};
enum { CURVES = sizeof curves / sizeof *curves };

/* Room for a scalar field's element. */
typedef uint64_t element[4];

/* The number that n words stand for, lowest first; negative if `is_signed` and the highest bit is set. */
static void import_words(const rp_field_host *f, element r, const uint32_t *words, uint32_t n, bool is_signed) {
  const bool negative = is_signed && words[n - 1] >> 31;
  uint8_t bytes[SCALAR_BYTES] = {0};
  uint32_t carry = negative;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t word = negative ? ~words[i] + carry : words[i];
    carry = carry && word == 0;
    memcpy(bytes + 4 * i, &word, sizeof word);
  }
  assert_true(f->from_canonical(r, bytes));
  if (negative) f->neg(r, r);
}

static void from_u32(const rp_field_host *f, element r, uint32_t x) { import_words(f, r, &x, 1, 0); }

/* What the endomorphism multiplies by. */
static void lambda_of(rp_curve curve, const rp_field_host *f, element lambda) {
  const rp_endomorphism *e = rp_curve_endomorphism(curve);
  element b;
  import_words(f, lambda, e->a1, WORDS, 1);
  import_words(f, b, e->b1, WORDS, 1);
  f->inv(b, b);
  f->mul(lambda, lambda, b);
  f->neg(lambda, lambda);
}

static uint64_t random_word(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 11;
}

/* scalars, n of them: the edges, then random ones of all lengths and their negatives. */
static void make_scalars(rp_curve curve, uint8_t *scalars, uint32_t n) {
  const rp_field_host *f = rp_field_get(rp_curve_scalar_field(curve));
  uint64_t state = 77 + (uint64_t)curve;
  element lambda, half, x, k;
  lambda_of(curve, f, lambda);
  from_u32(f, half, 2);
  f->inv(half, half);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *s = scalars + (size_t)i * SCALAR_BYTES;
    from_u32(f, k, i % 4);
    from_u32(f, x, 0);
    switch (i < 24 ? i / 4 : 6) {
    case 0: f->add(x, x, k); break;
    case 1: f->sub(x, x, k); break;
    case 2: f->add(x, lambda, k); break;
    case 3: f->add(x, half, k); break;
    case 4: f->mul(x, lambda, lambda), f->sub(x, x, k); break;
    case 5: f->mul(x, lambda, half), f->sub(x, x, k); break;
    default: {
      uint8_t bytes[SCALAR_BYTES] = {0};
      const uint32_t bits = 1 + (i * 7) % 252;
      for (uint32_t b = 0; b < bits; b++) bytes[b / 8] |= (uint8_t)((random_word(&state) >> 20 & 1) << b % 8);
      assert_true(f->from_canonical(x, bytes));
      if (i % 2) f->neg(x, x);
    }
    }
    f->to_canonical(s, x);
  }
}

static int by_value(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

typedef struct matrix {
  uint32_t n, windows;
  rp_eisenstein e;
  uint32_t *row_ptr, *entries;
} matrix;

/* Adds up what the entries stand for, and compares the sums with the scalars. */
static void check_sums(const matrix *m, rp_curve curve, const uint8_t *scalars) {
  const rp_field_host *f = rp_field_get(rp_curve_scalar_field(curve));
  element *sums = calloc(m->n, sizeof *sums), *powers = calloc(m->windows, sizeof *powers), lambda, base, value, x;
  assert_true(sums && powers);
  lambda_of(curve, f, lambda);
  from_u32(f, base, m->e.base);
  from_u32(f, powers[0], 1);
  for (uint32_t w = 1; w < m->windows; w++) f->mul(powers[w], powers[w - 1], base);
  assert_int_equal(m->row_ptr[0], 0);
  for (uint32_t row = 0; row < m->e.rows * m->e.columns; row++) {
    const uint32_t in_y = row / m->e.columns, in_x = row % m->e.columns + 1;
    assert_true(m->row_ptr[row + 1] >= m->row_ptr[row]);
    if (m->row_ptr[row + 1] == m->row_ptr[row]) continue;
    assert_true(2 * in_x + in_y <= m->e.base && in_x + 2 * in_y <= m->e.base);
    for (uint32_t at = m->row_ptr[row]; at < m->row_ptr[row + 1]; at++) {
      const uint32_t index = m->entries[at] >> 1, i = index % m->n, w = index / m->n % m->windows,
                     power = index / m->n / m->windows;
      assert_true(power < 3);
      from_u32(f, value, in_y); /* x + y zeta = x + y + y lambda */
      f->mul(value, value, lambda);
      from_u32(f, x, in_x + in_y);
      f->add(value, value, x);
      for (uint32_t k = 0; k < power; k++) f->mul(value, value, lambda);
      f->mul(value, value, powers[w]);
      if (m->entries[at] & 1) f->neg(value, value);
      f->add(sums[i], sums[i], value);
    }
  }
  for (uint32_t i = 0; i < m->n; i++) {
    uint8_t got[SCALAR_BYTES];
    f->to_canonical(got, sums[i]);
    if (memcmp(got, scalars + (size_t)i * SCALAR_BYTES, sizeof got) != 0)
      fail_msg("scalar %u of %u, %u windows: its digits are another number", i, m->n, m->windows);
  }
  free(sums);
  free(powers);
}

/* The matrix on the device under test. */
static void compute(matrix *m, rp_curve curve, const uint8_t *scalars, bool elements) {
  job j;
  job_begin(&j);
  rp_value s = job_input(&j, &RP_TYPE_U256, m->n, scalars);
  if (elements)
    s = rp_from_canonical(j.graph, s, rp_curve_scalar_field(curve),
                          &(rp_convert_options){.struct_size = sizeof(rp_convert_options)});
  const rp_buckets b = rp_eisenstein_matrix(j.graph, s, curve, m->windows);
  assert_int_equal(b.merged, 3 * m->windows);
  assert_int_equal(b.buckets, m->e.rows * m->e.columns);
  job_output(&j, b.row_ptr, m->row_ptr);
  job_output_unordered(&j, b.entries, m->entries); /* and what is behind the last row is left as it was */
  assert_int_equal(job_run(&j), RP_OK);
  for (uint32_t row = 0; row < b.buckets; row++)
    qsort(m->entries + m->row_ptr[row], m->row_ptr[row + 1] - m->row_ptr[row], sizeof *m->entries, by_value);
}

static void check(rp_curve curve, uint32_t windows, uint32_t n) {
  matrix m = {.n = n, .windows = windows, .e = rp_eisenstein_of(curve, windows)};
  uint8_t *scalars = malloc((size_t)n * SCALAR_BYTES);
  m.row_ptr = malloc(((size_t)m.e.rows * m.e.columns + 1) * sizeof *m.row_ptr);
  m.entries = malloc((size_t)n * windows * sizeof *m.entries);
  assert_true(scalars && m.row_ptr && m.entries);
  make_scalars(curve, scalars, n);
  for (int elements = 0; elements < 2; elements++) {
    compute(&m, curve, scalars, elements);
    check_sums(&m, curve, scalars);
  }
  free(scalars);
  free(m.row_ptr);
  free(m.entries);
}

static void test_digits(void **state) {
  static const uint32_t windows[] = {RP_EISENSTEIN_WINDOWS_LEAST, 11, 12, 13, 17, 24, RP_EISENSTEIN_WINDOWS_MOST};
  (void)state;
  for (uint32_t c = 0; c < CURVES; c++)
    for (uint32_t w = 0; w < sizeof windows / sizeof *windows; w++) check(curves[c], windows[w], 300 + w);
  check(RP_CURVE_BN254_G1, 12, 1);
}

/* Zero has no entry, and a small scalar few: witnesses consist of them. */
static void test_small(void **state) {
  enum { N = 4 };
  static const uint32_t values[N] = {0, 1, 2, 700};
  uint8_t scalars[N * SCALAR_BYTES] = {0};
  matrix m = {.n = N, .windows = 12, .e = rp_eisenstein_of(RP_CURVE_BN254_G1, 12)};
  m.row_ptr = malloc(((size_t)m.e.rows * m.e.columns + 1) * sizeof *m.row_ptr);
  m.entries = malloc((size_t)N * m.windows * sizeof *m.entries);
  (void)state;
  assert_true(m.row_ptr && m.entries);
  for (uint32_t i = 0; i < N; i++) memcpy(scalars + (size_t)i * SCALAR_BYTES, &values[i], sizeof *values);
  compute(&m, RP_CURVE_BN254_G1, scalars, 0);
  assert_int_equal(m.row_ptr[m.e.rows * m.e.columns], 3);
  for (uint32_t i = 1; i < N; i++) {
    assert_int_equal(m.row_ptr[values[i]] - m.row_ptr[values[i] - 1], 1);
    assert_int_equal(m.entries[m.row_ptr[values[i] - 1]], i << 1);
  }
  free(m.row_ptr);
  free(m.entries);
}

/* A scalar that is not below the order is refused. */
static void test_refused(void **state) {
  uint8_t scalars[2 * SCALAR_BYTES] = {0};
  (void)state;
  memcpy(scalars + SCALAR_BYTES, rp_curve_get(RP_CURVE_BN254_G1)->order_le, SCALAR_BYTES);
  job j;
  uint32_t *row_ptr = malloc(sizeof *row_ptr * (1u << 20));
  assert_non_null(row_ptr);
  job_begin(&j);
  const rp_buckets b = rp_eisenstein_matrix(j.graph, job_input(&j, &RP_TYPE_U256, 2, scalars), RP_CURVE_BN254_G1, 13);
  job_output(&j, b.row_ptr, row_ptr);
  assert_int_equal(job_run(&j), RP_ERR_INPUT);
  free(row_ptr);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_digits),
      cmocka_unit_test(test_small),
      cmocka_unit_test(test_refused),
  };
  return device_run_tests("eisenstein_matrix", tests, sizeof tests / sizeof *tests);
}
