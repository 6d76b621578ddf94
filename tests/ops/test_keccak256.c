/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 of integers, compared with the verifier's own function on the host, which is itself tested against
 * OpenSSL's sponge.
 *
 * op-test lavapipe:quick least
 */
#include "data.h"
#include "device.h"

#include "plonk/verify/keccak256.h"

enum { BYTES = 32 };

static void reverse(uint8_t *to, const uint8_t *from) {
  for (size_t i = 0; i < BYTES; i++) to[i] = from[BYTES - 1 - i];
}

/* The digests of rows of integers. */
static void expect(uint8_t *digests, const uint8_t *x, uint64_t row_len, uint64_t rows) {
  uint8_t *text = malloc(row_len * BYTES), digest[BYTES];
  assert_non_null(text);
  for (uint64_t r = 0; r < rows; r++) {
    for (uint64_t i = 0; i < row_len; i++) reverse(text + i * BYTES, x + (r * row_len + i) * BYTES);
    plonk_keccak256(text, row_len * BYTES, digest);
    reverse(digests + r * BYTES, digest);
  }
  free(text);
}

/* n integers, none of which is like its neighbours: random ones, 0, 1, all ones, 2^255, long runs of ones and zeros. */
static uint8_t *integers(uint64_t seed, uint64_t n) {
  uint64_t *x = calloc(n, BYTES);
  assert_non_null(x);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t j = 0; j < 4; j++) {
      const uint64_t random = data_next(&seed), kind = (i + seed % 2) % 6;
      x[4 * i + j] = kind == 1   ? 0
                     : kind == 2 ? UINT64_MAX
                     : kind == 3 ? UINT64_MAX << random % 64
                     : kind == 4 ? (uint64_t)(j == 3) << 63 | (j == 0)
                                 : random;
    }
  return (uint8_t *)x;
}

static void check_rows(const uint8_t *got, const uint8_t *want, uint64_t row_len, uint64_t rows) {
  for (uint64_t r = 0; r < rows; r++)
    if (memcmp(got + r * BYTES, want + r * BYTES, BYTES) != 0)
      fail_msg("row %llu of %llu, of %llu integers", (unsigned long long)r, (unsigned long long)rows,
               (unsigned long long)row_len);
}

/* Hashes the rows and compares the digests. Fails unless this strategy was chosen; NULL: any. */
static void check(uint64_t row_len, uint64_t rows, const char *strategy) {
  uint8_t *x = integers(row_len + 1000 * rows, row_len * rows), *got = malloc(rows * BYTES);
  uint8_t *want = malloc(rows * BYTES);
  job j;
  job_begin(&j);
  j.strategy_of = "keccak256";
  const rp_value in = job_input(&j, &RP_TYPE_U256, row_len * rows, x);
  job_output(&j, rp_keccak256_rows(j.graph, in, row_len), got);
  job_check(&j);
  if (strategy) assert_string_equal(j.strategy, strategy);
  expect(want, x, row_len, rows);
  check_rows(got, want, row_len, rows);
  free(x), free(got), free(want);
}

/* Well-known digests: of the integers 0 and 1 in 32 bytes, and of 64 zero bytes. */
static void known_digests(void **state) {
  static const uint8_t zero[BYTES] = {0x29, 0x0d, 0xec, 0xd9, 0x54, 0x8b, 0x62, 0xa8, 0xd6, 0x03, 0x45,
                                      0xa9, 0x88, 0x38, 0x6f, 0xc8, 0x4b, 0xa6, 0xbc, 0x95, 0x48, 0x40,
                                      0x08, 0xf6, 0x36, 0x2f, 0x93, 0x16, 0x0e, 0xf3, 0xe5, 0x63};
  static const uint8_t one[BYTES] = {0xb1, 0x0e, 0x2d, 0x52, 0x76, 0x12, 0x07, 0x3b, 0x26, 0xee, 0xcd,
                                     0xfd, 0x71, 0x7e, 0x6a, 0x32, 0x0c, 0xf4, 0x4b, 0x4a, 0xfa, 0xc2,
                                     0xb0, 0x73, 0x2d, 0x9f, 0xcb, 0xe2, 0xb7, 0xfa, 0x0c, 0xf6};
  static const uint8_t zeros[BYTES] = {0xad, 0x32, 0x28, 0xb6, 0x76, 0xf7, 0xd3, 0xcd, 0x42, 0x84, 0xa5,
                                       0x44, 0x3f, 0x17, 0xf1, 0x96, 0x2b, 0x36, 0xe4, 0x91, 0xb3, 0x0a,
                                       0x40, 0xb2, 0x40, 0x58, 0x49, 0xe5, 0x97, 0xba, 0x5f, 0xb5};
  const uint8_t x[2 * BYTES] = {0}, y[BYTES] = {1};
  uint8_t got[3][BYTES], digest[BYTES];
  job j;
  (void)state;
  job_begin(&j);
  job_output(&j, rp_keccak256(j.graph, job_input(&j, &RP_TYPE_U256, 1, x)), got[0]);
  job_output(&j, rp_keccak256(j.graph, job_input(&j, &RP_TYPE_U256, 1, y)), got[1]);
  job_output(&j, rp_keccak256(j.graph, job_input(&j, &RP_TYPE_U256, 2, x)), got[2]);
  job_check(&j);
  reverse(digest, got[0]);
  assert_memory_equal(digest, zero, BYTES);
  reverse(digest, got[1]);
  assert_memory_equal(digest, one, BYTES);
  reverse(digest, got[2]);
  assert_memory_equal(digest, zeros, BYTES);
}

/* Every length up to ten blocks of 136 bytes, all in one graph. In the block that 4 integers do not quite fill, the
 * padding's first and last byte are in one lane of the state; 17 and 34 integers fill their blocks, and the padding has
 * one of its own. */
static void one_row_of_every_length(void **state) {
  enum { MOST = 43 };
  uint8_t *x[MOST], got[MOST][BYTES], want[BYTES];
  job j;
  (void)state;
  job_begin(&j);
  for (uint64_t i = 0; i < MOST; i++) {
    x[i] = integers(i, i + 1);
    job_output(&j, rp_keccak256(j.graph, job_input(&j, &RP_TYPE_U256, i + 1, x[i])), got[i]);
  }
  job_check(&j);
  for (uint64_t i = 0; i < MOST; i++) {
    expect(want, x[i], i + 1, 1);
    check_rows(got[i], want, i + 1, 1);
    free(x[i]);
  }
}

static void rows_of_every_length(void **state) {
  (void)state;
  for (uint64_t row_len = 1; row_len <= 22; row_len++) check(row_len, 1 + row_len * 5 % 7, NULL);
}

/* GPUs give each row a workgroup, but only one thread where there are so many rows that they fill the device. */
static void many_rows(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const int gpu = info.kind != RP_DEVICE_CPU;
  for (const uint64_t *n = data_sizes; data_fits(*n); n++) check(1 + *n % 5, device_cap(*n), NULL);
  for (uint64_t n = 126; n <= 130; n++) check(4, n, NULL);
  const uint64_t many = 64 * (uint64_t)info.limits.workers + 1;
  check(1, many, gpu ? "rows" : NULL);
  check(9, many + 1, gpu ? "rows" : NULL);
  check(5, 3, gpu ? "lanes" : NULL);
}

static void a_long_row(void **state) {
  (void)state;
  check(data_cap(3001), 1, NULL);
  check(data_cap(700), 3, NULL);
}

/* As in a round of a protocol: coordinates of commitments and a scalar are hashed, and the digest is reduced modulo the
 * group order. */
static void challenges(void **state) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  uint64_t points[2 * 8], scalar[4];
  uint8_t x[5 * BYTES], digest[BYTES], got[BYTES], want[BYTES];
  const rp_convert_options reduce = {.struct_size = sizeof reduce, .reduce = 1};
  (void)state;
  rp_curve_get(RP_CURVE_BN254_G1)->generator(points);
  rp_curve_get(RP_CURVE_BN254_G1)->identity(points + 8);
  fr->one(scalar);
  fr->neg(scalar, scalar);
  job j;
  job_begin(&j);
  const rp_value p = job_input(&j, rp_type_affine(RP_CURVE_BN254_G1), 2, points);
  const rp_value s = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 1, scalar);
  const rp_value parts[] = {rp_to_canonical(j.graph, rp_point_coordinates(j.graph, p)), rp_to_canonical(j.graph, s)};
  const rp_value hashed = rp_keccak256(j.graph, rp_concat(j.graph, parts, 2));
  job_output(&j, rp_from_canonical(j.graph, hashed, RP_FIELD_BN254_FR, &reduce), got);
  job_check(&j);
  memset(x, 0, sizeof x);
  x[0] = 1, x[BYTES] = 2; /* the generator; infinity is zeros */
  fr->to_canonical(x + 4 * BYTES, scalar);
  expect(digest, x, 5, 1);
  fr->from_bytes_reduce(want, digest, sizeof digest);
  assert_memory_equal(got, want, BYTES);
}

static void wrong_arguments(void **state) {
  (void)state;
  const struct {
    const rp_type *type;
    uint64_t len, row_len;
    rp_status status;
    const char *reason;
  } cases[] = {
      {rp_type_field(RP_FIELD_BN254_FR), 4, 4, RP_ERR_TYPE, "keccak256: the integers are of type bn254_fr, not u256"},
      {&RP_TYPE_U384, 4, 4, RP_ERR_TYPE, "keccak256: the integers are of type u384, not u256"},
      {&RP_TYPE_U256, 4, 0, RP_ERR_ARGUMENT, "keccak256_rows: row_len is 0"},
      {&RP_TYPE_U256, 7, 2, RP_ERR_SHAPE, "keccak256: 7 integers are not a multiple of the row length 2"},
      {&RP_TYPE_U256, (1 << 29) + 1, (1 << 29) + 1, RP_ERR_SHAPE, "a row of 536870913 integers is longer than 2^29"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_graph *g = NULL;
    assert_int_equal(rp_graph_create(device_context(), "wrong", &g, NULL), RP_OK);
    const rp_value out = rp_keccak256_rows(g, rp_graph_input(g, "x", cases[i].type, cases[i].len, 0), cases[i].row_len);
    assert_int_equal(out.id, 0);
    assert_int_equal(rp_graph_error(g)->status, cases[i].status);
    if (!strstr(rp_graph_error(g)->reason, cases[i].reason))
      fail_msg("'%s' does not say '%s'", rp_graph_error(g)->reason, cases[i].reason);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_digests),        cmocka_unit_test(one_row_of_every_length),
      cmocka_unit_test(rows_of_every_length), cmocka_unit_test(many_rows),
      cmocka_unit_test(a_long_row),           cmocka_unit_test(challenges),
      cmocka_unit_test(wrong_arguments),
  };
  return device_run_tests("keccak256", tests, sizeof tests / sizeof tests[0]);
}
