/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keccak-256 and the transcript that uses it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plonk/verify/transcript.h"

#include <openssl/evp.h>
#include <string.h>

static void assert_hex(const uint8_t *bytes, size_t n, const char *hex) {
  static const char digits[] = "0123456789abcdef";
  assert_int_equal(strlen(hex), 2 * n);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(hex[2 * i], digits[bytes[i] >> 4]);
    assert_int_equal(hex[2 * i + 1], digits[bytes[i] & 15]);
  }
}

/* Digests of Ethereum's and of the Keccak team's test vectors. */
static void known_texts(void **state) {
  (void)state;
  static const struct {
    const char *text, *digest;
  } known[] = {
      {"", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
      {"abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"},
      {"testing", "5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02"},
      {"The quick brown fox jumps over the lazy dog",
       "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15"},
  };
  uint8_t digest[KECCAK_BYTES];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    plonk_keccak256((const uint8_t *)known[i].text, strlen(known[i].text), digest);
    assert_hex(digest, sizeof digest, known[i].digest);
  }
}

/* Lengths around one and two blocks: byte i of a text of n bytes is 7i + n. The digests are those of @noble/hashes,
 * which snarkjs hashes with. */
static void lengths_around_a_block(void **state) {
  (void)state;
  static const struct {
    size_t n;
    const char *digest;
  } known[] = {
      {1, "5fe7f977e71dba2ea1a68e21057beebb9be2ac30c6410aa38d4f3fbe41dcffd2"},
      {32, "75ddc22689ac5cfab91ff4f11af7f47658c89f63dcb005c00824017d8081c7e8"},
      {134, "8884d266ac61dea6a59234e679bb56fd1bf116a05634f2e8de1b7224302bc122"},
      {135, "8ab570337c9a3a773c3605160ca58e3f0546d92d217c908669cc4f35a31933bc"},
      {136, "16b30a6be318a7acbcba7a2194789f628abf68dfbbf55a4d840f22f6a4d29efd"},
      {137, "6a7e8293441d51be41bf4994995b35981f90c07866c7fd0465f405e2b7a8f8dd"},
      {271, "bb02bca6be57f42d131406260c6f1a81fd9922af8bd1c96d78f454b19ae10add"},
      {272, "443464c0c3ac8036d14a6f8647fc93b592d514adefbe88683cbbda3b4b2c4553"},
      {273, "73d5960773e36742ead7c872d84d535f35e75b9517ccb1023491276013f88890"},
      {1000, "5cab097db1a529f5b1a15428cc494df950671bc3824340aad89941fa68e151bc"},
  };
  uint8_t text[1000], digest[KECCAK_BYTES];
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    for (size_t i = 0; i < known[k].n; i++) text[i] = (uint8_t)(7 * i + known[k].n);
    plonk_keccak256(text, known[k].n, digest);
    assert_hex(digest, sizeof digest, known[k].digest);
  }
}

/* With the padding of FIPS 202 the same sponge is SHA3-256. Every length up to four blocks is compared with OpenSSL,
 * which has no Keccak-256; texts of up to two blocks are also hashed in two parts, cut at every place. */
static void sponge_is_that_of_sha3(void **state) {
  (void)state;
  uint8_t text[4 * KECCAK_RATE + 1], digest[KECCAK_BYTES], expected[KECCAK_BYTES];
  plonk_keccak k;
  for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * i + 3 * i);
  for (size_t n = 0; n <= sizeof text; n++) {
    unsigned bytes = 0;
    assert_int_equal(EVP_Digest(text, n, expected, &bytes, EVP_sha3_256(), NULL), 1);
    for (size_t cut = 0; cut <= (n <= 2 * KECCAK_RATE + 1 ? n : 0); cut++) {
      plonk_keccak_begin(&k);
      plonk_keccak_add(&k, text, cut);
      plonk_keccak_add(&k, text + cut, n - cut);
      plonk_keccak_end(&k, KECCAK_PADDING_SHA3, digest);
      assert_memory_equal(digest, expected, sizeof digest);
    }
  }
}

/* Coordinates and scalars are hashed big-endian and infinity as zeros, and the digest is taken modulo r. */
static void transcript_is_big_endian(void **state) {
  (void)state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  uint8_t text[5 * 32] = {0}, digest[KECCAK_BYTES], le[KECCAK_BYTES];
  const uint8_t seven[32] = {7};
  plonk_fr minus_one, challenge, again, expected;
  plonk_g1 generator, infinity;
  plonk_transcript t;
  rp_curve_get(RP_CURVE_BN254_G1)->generator(&generator);
  rp_curve_get(RP_CURVE_BN254_G1)->identity(&infinity);
  fr->one(&minus_one);
  fr->neg(&minus_one, &minus_one);
  text[31] = 1, text[63] = 2; /* the generator is (1, 2) */
  text[127] = 7;
  for (int i = 0; i < 32; i++) text[128 + i] = fr->modulus_le[31 - i];
  text[159]--; /* r is odd */
  plonk_keccak256(text, 64, digest);
  plonk_transcript_begin(&t);
  plonk_transcript_point(&t, &generator);
  plonk_transcript_challenge(&t, &challenge);
  for (int i = 0; i < 32; i++) le[i] = digest[31 - i];
  fr->from_bytes_reduce(&expected, le, sizeof le);
  assert_true(fr->equal(&challenge, &expected));
  memset(text, 0, 96); /* A second challenge starts with an empty hash: infinity, then 32 zeros of a scalar. */
  plonk_keccak256(text, sizeof text, digest);
  plonk_transcript_point(&t, &infinity);
  fr->zero(&again);
  plonk_transcript_scalar(&t, &again);
  plonk_transcript_integer(&t, seven);
  plonk_transcript_scalar(&t, &minus_one);
  plonk_transcript_challenge(&t, &challenge);
  for (int i = 0; i < 32; i++) le[i] = digest[31 - i];
  fr->from_bytes_reduce(&expected, le, sizeof le);
  assert_true(fr->equal(&challenge, &expected));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_texts),
      cmocka_unit_test(lengths_around_a_block),
      cmocka_unit_test(sponge_is_that_of_sha3),
      cmocka_unit_test(transcript_is_big_endian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
