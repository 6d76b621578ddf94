/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bytes of values, their hashes, and challenges from digests: SHA-256 and BLAKE2b are compared with OpenSSL, integers
 * and challenges with the host's arithmetic.
 *
 * op-test lavapipe:slow
 */
#include "data.h"
#include "device.h"
#include "points_data.h"

#include <reprise/transcript.h>

#include <openssl/evp.h>

enum { MOST_DIGEST = 64 };
typedef enum kind { KIND_SHA256, KIND_BLAKE2B } kind;

static uint32_t digest_bytes(kind k) { return k == KIND_SHA256 ? 32 : 64; }

static rp_value hash_node(rp_graph *g, kind k, rp_value x, uint64_t row_bytes) {
  if (k == KIND_SHA256) return row_bytes ? rp_sha256_rows(g, x, row_bytes) : rp_sha256(g, x);
  return row_bytes ? rp_blake2b_rows(g, x, row_bytes, NULL) : rp_blake2b(g, x, NULL);
}

static void expect(kind k, const uint8_t *text, size_t bytes, uint8_t *digest) {
  unsigned n = 0;
  assert_int_equal(EVP_Digest(text, bytes, digest, &n, k == KIND_SHA256 ? EVP_sha256() : EVP_blake2b512(), NULL), 1);
  assert_int_equal(n, digest_bytes(k));
}

/* Random bytes with long runs of zeros and of ones. */
static uint8_t *bytes_of(uint64_t seed, uint64_t n) {
  uint8_t *x = malloc(n);
  assert_non_null(x);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t random = data_next(&seed);
    x[i] = random >> 8 & 3 || i % 97 < 60 ? (uint8_t)random : i % 2 ? 0xff : 0;
  }
  return x;
}

static void check_rows(kind k, uint64_t row_bytes, uint64_t rows, const char *strategy) {
  const uint32_t digest = digest_bytes(k);
  uint8_t *x = bytes_of(row_bytes + 1000 * rows, row_bytes * rows), *got = malloc(rows * digest), want[MOST_DIGEST];
  job j;
  job_begin(&j);
  j.strategy_of = k == KIND_SHA256 ? "sha256" : "blake2b";
  job_output(&j, hash_node(j.graph, k, job_input(&j, &RP_TYPE_U8, row_bytes * rows, x), row_bytes), got);
  job_check(&j);
  if (strategy) assert_string_equal(j.strategy, strategy);
  for (uint64_t r = 0; r < rows; r++) {
    expect(k, x + r * row_bytes, row_bytes, want);
    if (memcmp(got + r * digest, want, digest) != 0)
      fail_msg("hash %d: row %llu of %llu, of %llu bytes", (int)k, (unsigned long long)r, (unsigned long long)rows,
               (unsigned long long)row_bytes);
  }
  free(x), free(got);
}

/* "abc", as in the examples of FIPS 180-4 and RFC 7693 (appendix A); BLAKE2b with a personalisation as Python's hashlib
 * has it. */
static void known_digests(void **state) {
  static const uint8_t sha[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
  static const uint8_t blake[] = {0xba, 0x80, 0xa5, 0x3f, 0x98, 0x1c, 0x4d, 0x0d, 0x6a, 0x27, 0x97, 0xb6, 0x9f,
                                  0x12, 0xf6, 0xe9, 0x4c, 0x21, 0x2f, 0x14, 0x68, 0x5a, 0xc4, 0xb7, 0x4b, 0x12,
                                  0xbb, 0x6f, 0xdb, 0xff, 0xa2, 0xd1, 0x7d, 0x87, 0xc5, 0x39, 0x2a, 0xab, 0x79,
                                  0x2d, 0xc2, 0x52, 0xd5, 0xde, 0x45, 0x33, 0xcc, 0x95, 0x18, 0xd3, 0x8a, 0xa8,
                                  0xdb, 0xf1, 0x92, 0x5a, 0xb9, 0x23, 0x86, 0xed, 0xd4, 0x00, 0x99, 0x23};
  static const uint8_t personal[] = {0x1a, 0x46, 0x1c, 0xab, 0x63, 0xd8, 0xb3, 0xdb, 0xc9, 0xda, 0xab, 0x15, 0x74,
                                     0x72, 0x9f, 0x55, 0xd5, 0x4e, 0x84, 0x4b, 0x17, 0xb6, 0x9a, 0xb1, 0xfc, 0xe6,
                                     0xda, 0xe8, 0xca, 0xec, 0xb9, 0xd2, 0x4b, 0xb5, 0x50, 0xcd, 0x92, 0x70, 0xaa,
                                     0x53, 0xc8, 0xe9, 0x27, 0x7d, 0x68, 0x00, 0x8b, 0x30, 0x80, 0xda, 0x0b, 0x66,
                                     0xfc, 0x68, 0x53, 0x23, 0x1e, 0x15, 0xab, 0xec, 0x0b, 0x01, 0x59, 0xe5},
                       short_one[] = {0x04, 0xbb, 0x1c, 0xbc, 0x3c, 0x05, 0x53, 0x42, 0x2d, 0x0a, 0x5c,
                                      0x0d, 0xb0, 0x47, 0x6a, 0x4f, 0xe4, 0xc1, 0x4c, 0x3a, 0x1c, 0x63,
                                      0x8c, 0x19, 0x96, 0x37, 0xa3, 0x59, 0xba, 0x4d, 0x98, 0x42};
  const rp_blake2b_options halo2 = {.struct_size = sizeof halo2, .personal = "Halo2-Transcript"};
  rp_blake2b_options half = halo2;
  uint8_t text[200], got[4][MOST_DIGEST];
  job j;
  (void)state;
  half.digest_bytes = 32;
  for (int i = 0; i < 200; i++) text[i] = (uint8_t)i;
  job_begin(&j);
  const rp_value abc = job_input(&j, &RP_TYPE_U8, 3, "abc"), long_one = job_input(&j, &RP_TYPE_U8, 200, text);
  job_output(&j, rp_sha256(j.graph, abc), got[0]);
  job_output(&j, rp_blake2b(j.graph, abc, NULL), got[1]);
  job_output(&j, rp_blake2b(j.graph, abc, &halo2), got[2]);
  job_output(&j, rp_blake2b(j.graph, long_one, &half), got[3]);
  job_check(&j);
  assert_memory_equal(got[0], sha, sizeof sha);
  assert_memory_equal(got[1], blake, sizeof blake);
  assert_memory_equal(got[2], personal, sizeof personal);
  assert_memory_equal(got[3], short_one, sizeof short_one);
}

/* Every length up to more than two blocks, all in one graph. */
static void one_row_of_every_length(void **state) {
  enum { MOST = 137, FIRST = 2 };
  uint8_t *x[2][MOST], (*got)[MOST][MOST_DIGEST] = malloc(2 * sizeof *got), want[MOST_DIGEST];
  (void)state;
  assert_non_null(got);
  for (uint64_t from = 0; from < FIRST * MOST; from += MOST) {
    job j;
    job_begin(&j);
    for (int k = 0; k < 2; k++)
      for (uint64_t i = 0; i < MOST; i++) {
        const uint64_t n = from + i + 1;
        x[k][i] = bytes_of(n, n);
        job_output(&j, hash_node(j.graph, (kind)k, job_input(&j, &RP_TYPE_U8, n, x[k][i]), 0), got[k][i]);
      }
    job_check(&j);
    for (int k = 0; k < 2; k++)
      for (uint64_t i = 0; i < MOST; i++) {
        expect((kind)k, x[k][i], from + i + 1, want);
        if (memcmp(got[k][i], want, digest_bytes((kind)k)) != 0)
          fail_msg("hash %d of %llu bytes", k, (unsigned long long)(from + i + 1));
        free(x[k][i]);
      }
  }
  free(got);
}

/* GPUs give each row a workgroup, but only one thread where there are so many rows that they fill the device. Rows of
 * odd lengths begin anywhere in a word. */
static void many_rows(void **state) {
  static const uint64_t lengths[] = {1, 3, 8, 55, 56, 63, 64, 65, 111, 119, 120, 127, 128, 129, 200, 256};
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const int gpu = info.kind != RP_DEVICE_CPU;
  const uint64_t many = 32 * (uint64_t)info.limits.workers + 1;
  const size_t step = data_fits(1024) ? 1 : 5; /* a software driver compiles the kernels for each graph */
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i += step) {
      check_rows((kind)k, lengths[i], 3, gpu ? "lanes" : NULL);
      check_rows((kind)k, lengths[i], many + i, gpu ? "rows" : NULL);
    }
    check_rows((kind)k, 33 * 64 + 7, 2, NULL); /* more blocks than a workgroup of SHA-256 expands at once */
    check_rows((kind)k, data_cap(4096) * 25 + 1, 1, NULL);
  }
}

/* The bytes of integers of all types, both ways, and parts of integers. */
static void integers(void **state) {
  const rp_type *const types[] = {&RP_TYPE_U32, &RP_TYPE_U64, &RP_TYPE_U256, &RP_TYPE_U384};
  enum { N = 37 };
  (void)state;
  for (size_t t = 0; t < 4; t++) {
    const uint32_t size = types[t]->size_bytes;
    uint8_t *x = bytes_of(t, N * size), *got[5];
    job j;
    for (int i = 0; i < 5; i++) got[i] = calloc(N, size);
    job_begin(&j);
    const rp_value in = job_input(&j, types[t], N, x);
    const rp_value big = rp_to_bytes(j.graph, in, RP_BIG_ENDIAN), little = rp_to_bytes(j.graph, in, RP_LITTLE_ENDIAN);
    rp_bytes_options o = {.struct_size = sizeof o, .encoding = RP_BIG_ENDIAN, .row_bytes = size};
    job_output(&j, big, got[0]);
    job_output(&j, little, got[1]);
    job_output(&j, rp_from_bytes(j.graph, big, types[t], &o), got[2]);
    o.skip_bits = 8, o.bits = 21;
    job_output(&j, rp_from_bytes(j.graph, big, &RP_TYPE_U32, &o), got[3]);
    job_output(&j, rp_low_bits(j.graph, in, 17), got[4]);
    job_check(&j);
    assert_memory_equal(got[1], x, N * size);
    assert_memory_equal(got[2], x, N * size);
    for (uint32_t i = 0; i < N; i++) {
      uint32_t low, part;
      for (uint32_t b = 0; b < size; b++) assert_int_equal(got[0][i * size + b], x[i * size + size - 1 - b]);
      memcpy(&low, x + i * size, 4);
      part = low >> 8 | (size > 4 ? (uint32_t)x[i * size + 4] << 24 : 0);
      assert_int_equal(((uint32_t *)got[3])[i], part & 0x1fffff);
      assert_int_equal(((uint32_t *)got[4])[i], low & 0x1ffff);
    }
    for (int i = 0; i < 5; i++) free(got[i]);
    free(x);
  }
}

/* Digests of 1 to 64 bytes modulo the order of every prime field; indices of elements. */
static void challenges(void **state) {
  static const uint64_t rows[] = {1, 8, 31, 32, 33, 48, 64};
  enum { N = 5 };
  (void)state;
  for (rp_field field = 0; field < RP_FIELD_COUNT; field++) {
    const rp_field_host *f = rp_field_get(field);
    uint8_t *x[2][7], *got[2][7], index[N * 4], want[48], back[64];
    job j;
    if (f->degree != 1) continue;
    job_begin(&j);
    for (int big = 0; big < 2; big++)
      for (uint32_t i = 0; i < 7; i++) {
        x[big][i] = bytes_of(7 * field + i, N * rows[i]);
        if (i == 3) memset(x[big][i], 0xff, rows[i]); /* the largest integer */
        got[big][i] = calloc(N, f->size_bytes);
        const rp_value in = job_input(&j, &RP_TYPE_U8, N * rows[i], x[big][i]);
        const rp_value c = rp_challenge(j.graph, in, rows[i], field, big ? RP_BIG_ENDIAN : RP_LITTLE_ENDIAN);
        job_output(&j, c, got[big][i]);
        if (big && i == 3) job_output(&j, rp_low_bits(j.graph, c, 5), index);
      }
    job_check(&j);
    for (int big = 0; big < 2; big++)
      for (int i = 0; i < 7; i++) {
        for (uint64_t n = 0; n < N; n++) {
          for (uint64_t b = 0; b < rows[i]; b++) back[b] = x[big][i][n * rows[i] + (big ? rows[i] - 1 - b : b)];
          f->from_bytes_reduce(want, back, rows[i]);
          assert_memory_equal(got[big][i] + n * f->size_bytes, want, f->size_bytes);
          f->to_canonical(back, want);
          if (big && i == 3) assert_int_equal(index[4 * n], back[0] & 31);
        }
        free(x[big][i]), free(got[big][i]);
      }
  }
}

/* What a transcript absorbs: coordinates of points, and elements. */
static void encodings_of_values(void **state) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  uint64_t point[8], element[4];
  uint8_t got[3 * 32], want[3 * 32] = {[31] = 1, [63] = 2}, canonical[32];
  (void)state;
  rp_curve_get(RP_CURVE_BN254_G1)->generator(point); /* (1, 2) */
  fr->one(element);
  fr->neg(element, element);
  fr->to_canonical(canonical, element);
  for (int i = 0; i < 32; i++) want[64 + i] = canonical[31 - i];
  job j;
  job_begin(&j);
  const rp_value p = job_input(&j, rp_type_affine(RP_CURVE_BN254_G1), 1, point);
  const rp_value e = job_input(&j, rp_type_field(RP_FIELD_BN254_FR), 1, element);
  const rp_value parts[] = {rp_to_bytes(j.graph, p, RP_BIG_ENDIAN), rp_to_bytes(j.graph, e, RP_BIG_ENDIAN)};
  job_output(&j, rp_concat(j.graph, parts, 2), got);
  job_check(&j);
  assert_memory_equal(got, want, sizeof want);
}

/* The encodings are those of the host, for points, their negatives and infinity; and for pairs of elements near p / 2,
 * which are no points, but for which a single bit decides the sign. */
static void compressed_points(void **state) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1, RP_CURVE_SECP256K1, RP_CURVE_BANDERWAGON};
  (void)state;
  for (int k = 0; k < 4; k++)
    for (int p = POINT_DISTINCT; p <= POINT_KINDS; p++) {
      const rp_curve curve = curves[k];
      if (curve == RP_CURVE_SECP256K1 && p == POINT_INFINITY) continue; /* tested by no_encoding */
      const uint64_t n = data_cap(150);
      const uint32_t bytes = rp_point_compressed_bytes(curve), size = rp_type_affine(curve)->size_bytes;
      int64_t *multiples = malloc(n * sizeof *multiples);
      uint8_t *points, *got = malloc(n * bytes), want[96];
      points = p < POINT_KINDS ? data_points(curve, (point_kind)p, n, multiples)
                               : data_field_nonzero(rp_curve_base_field(curve), DATA_EDGES, 3, 2 * n);
      job j;
      job_begin(&j);
      job_output(&j, rp_compress(j.graph, job_input(&j, rp_type_affine(curve), n, points)), got);
      job_check(&j);
      for (uint64_t i = 0; i < n; i++) {
        assert_int_equal(rp_point_compress(curve, points + i * size, want), RP_OK);
        if (memcmp(got + i * bytes, want, bytes) != 0)
          fail_msg("%s: point %llu of kind %d", rp_curve_name(curve), (unsigned long long)i, p);
      }
      free(multiples), free(points), free(got);
    }
}

static void no_encoding(void **state) {
  static const uint8_t infinity[128];
  uint8_t out[66];
  job j;
  (void)state;
  job_begin(&j);
  job_output(&j, rp_compress(j.graph, job_input(&j, rp_type_affine(RP_CURVE_SECP256K1), 2, infinity)), out);
  assert_int_equal(job_run(&j), RP_ERR_INPUT);
  assert_non_null(strstr(j.error.reason, "encoding is not valid"));
}

static void refuses(rp_graph *g, rp_value out, rp_status status, const char *reason) {
  assert_int_equal(out.id, 0);
  assert_int_equal(rp_graph_error(g)->status, status);
  if (!strstr(rp_graph_error(g)->reason, reason)) fail_msg("'%s' does not say '%s'", rp_graph_error(g)->reason, reason);
}

#define REFUSES(type, len, call, status, reason)                                   \
  do {                                                                             \
    rp_graph *g = NULL;                                                            \
    assert_int_equal(rp_graph_create(device_context(), "wrong", &g, NULL), RP_OK); \
    const rp_value x = rp_graph_input(g, "x", type, len, 0);                       \
    refuses(g, call, status, reason);                                              \
    rp_graph_destroy(g);                                                           \
  } while (0)

static void wrong_arguments(void **state) {
  const rp_blake2b_options odd = {.struct_size = sizeof odd, .digest_bytes = 31};
  const rp_bytes_options none = {.struct_size = sizeof none};
  const rp_bytes_options wide = {.struct_size = sizeof wide, .encoding = RP_BIG_ENDIAN, .bits = 33};
  const rp_bytes_options bit = {.struct_size = sizeof bit, .encoding = RP_BIG_ENDIAN, .skip_bits = 3};
  (void)state;
  REFUSES(&RP_TYPE_U256, 4, rp_sha256(g, x), RP_ERR_TYPE, "sha256: the message is of type u256, not u8");
  REFUSES(&RP_TYPE_U8, 4, rp_sha256_rows(g, x, 0), RP_ERR_ARGUMENT, "row_bytes is 0");
  REFUSES(&RP_TYPE_U8, 7, rp_sha256_rows(g, x, 2), RP_ERR_SHAPE, "7 bytes are not a multiple of the row length 2");
  REFUSES(&RP_TYPE_U8, 1 << 29, rp_sha256(g, x), RP_ERR_SHAPE, "not shorter than 2^29");
  REFUSES(&RP_TYPE_U8, 4, rp_blake2b(g, x, &odd), RP_ERR_ARGUMENT, "a digest of 31 bytes");
  REFUSES(&RP_TYPE_U8, 4, rp_blake2b_rows(g, x, 0, NULL), RP_ERR_ARGUMENT, "row_bytes is 0");
  REFUSES(rp_type_field(RP_FIELD_BN254_FP2), 4, rp_to_bytes(g, x, RP_BIG_ENDIAN), RP_ERR_TYPE, "coefficients");
  REFUSES(rp_type_affine(RP_CURVE_BN254_G2), 4, rp_to_bytes(g, x, RP_BIG_ENDIAN), RP_ERR_TYPE, "coefficients");
  REFUSES(rp_type_accumulator(RP_CURVE_E97), 4, rp_to_bytes(g, x, RP_BIG_ENDIAN), RP_ERR_TYPE, "has no bytes here");
  REFUSES(&RP_TYPE_U32, 4, rp_to_bytes(g, x, RP_ENCODING_NONE), RP_ERR_ARGUMENT, "encoding 0");
  REFUSES(&RP_TYPE_U32, 4, rp_from_bytes(g, x, &RP_TYPE_U32, &wide), RP_ERR_ARGUMENT, "33 bits do not fit u32");
  REFUSES(&RP_TYPE_U8, 4, rp_from_bytes(g, x, &RP_TYPE_U32, &none), RP_ERR_ARGUMENT, "encoding 0");
  REFUSES(&RP_TYPE_U8, 4, rp_from_bytes(g, x, &RP_TYPE_U32, &bit), RP_ERR_ARGUMENT, "not a multiple of 8");
  REFUSES(&RP_TYPE_U8, 4, rp_from_bytes(g, x, &RP_TYPE_U32, NULL), RP_ERR_ARGUMENT, "struct_size");
  REFUSES(&RP_TYPE_U8, 4, rp_from_bytes(g, x, &RP_TYPE_U8, &none), RP_ERR_TYPE, "not u8");
  REFUSES(&RP_TYPE_U8, 65, rp_challenge(g, x, 65, RP_FIELD_BN254_FR, RP_BIG_ENDIAN), RP_ERR_ARGUMENT, "65 bytes");
  REFUSES(&RP_TYPE_U8, 33, rp_challenge(g, x, 32, RP_FIELD_BN254_FR, RP_BIG_ENDIAN), RP_ERR_SHAPE, "in rows of 32");
  REFUSES(&RP_TYPE_U32, 32, rp_challenge(g, x, 32, RP_FIELD_BN254_FR, RP_BIG_ENDIAN), RP_ERR_TYPE, "u32, not u8");
  REFUSES(&RP_TYPE_U8, 32, rp_challenge(g, x, 32, RP_FIELD_BN254_FR, 3), RP_ERR_ARGUMENT, "challenge: encoding 3");
  REFUSES(&RP_TYPE_U8, 32, rp_challenge(g, x, 32, RP_FIELD_BN254_FP2, RP_BIG_ENDIAN), RP_ERR_TYPE, "prime field");
  REFUSES(rp_type_affine(RP_CURVE_BN254_G2), 4, rp_compress(g, x), RP_ERR_UNSUPPORTED, "compress: points of bn254_g2");
  REFUSES(rp_type_affine(RP_CURVE_E97), 4, rp_compress(g, x), RP_ERR_UNSUPPORTED, "compress: points of e97");
  REFUSES(&RP_TYPE_U32, 4, rp_compress(g, x), RP_ERR_TYPE, "compress: the points are of type u32");
  REFUSES(&RP_TYPE_U32, 4, rp_low_bits(g, x, 33), RP_ERR_ARGUMENT, "33 bits");
  REFUSES(&RP_TYPE_U8, 4, rp_low_bits(g, x, 3), RP_ERR_TYPE, "type u8");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_digests),     cmocka_unit_test(one_row_of_every_length),
      cmocka_unit_test(many_rows),         cmocka_unit_test(integers),
      cmocka_unit_test(challenges),        cmocka_unit_test(encodings_of_values),
      cmocka_unit_test(compressed_points), cmocka_unit_test(no_encoding),
      cmocka_unit_test(wrong_arguments),
  };
  return device_run_tests("transcript", tests, sizeof tests / sizeof tests[0]);
}
