/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs of gnark as JSON (cli/gnark.h), which a farm and a service take from others: every proof comes back as it was,
 * and a text that differs from one in a single place is refused or another proof.
 */
#include "gnark.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROOM = 9 << 10, MOST_DIGITS = 2 * 4096 };

const char *cli_curve_name(rp_curve g1) { return g1 == RP_CURVE_BLS12_381_G1 ? "bls12381" : "bn128"; }

static const char *const files[] = {"bn254/cubic", "bn254/twocommit", "bls12-381/cubic", "bls12-381/range"};
enum { FILES = sizeof files / sizeof *files };

static rp_gnark_proof read_proof(const char *folder) {
  char path[512];
  uint8_t bytes[4096];
  rp_gnark_proof proof;
  snprintf(path, sizeof path, "%s/gnark/%s/proof.bin", TEST_DATA_DIR, folder);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("%s", path);
  const size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  assert_int_equal(rp_gnark_proof_from_bytes(bytes, n, &proof, NULL), RP_OK);
  return proof;
}

static void proofs_come_back(void **state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    const rp_gnark_proof proof = read_proof(files[i]);
    rp_gnark_proof again;
    char text[ROOM];
    size_t n = 0;
    assert_int_equal(cli_gnark_proof_to_json(&proof, text, sizeof text, &n, NULL), RP_OK);
    assert_int_equal(strlen(text), n);
    assert_true(cli_gnark_is_json(text, n));
    assert_int_equal(cli_gnark_proof_from_json(text, n, &again, NULL), RP_OK);
    assert_memory_equal(&proof, &again, sizeof proof);
    assert_int_equal(cli_gnark_proof_to_json(&proof, text, n, &n, NULL), RP_ERR_INTERNAL); /* no room for the NUL */
  }
}

/* Each digit of the proof in turn becomes what is none. */
static void every_digit_is_one(void **state) {
  (void)state;
  const rp_gnark_proof proof = read_proof(files[0]);
  rp_gnark_proof again;
  char text[ROOM];
  size_t n = 0;
  assert_int_equal(cli_gnark_proof_to_json(&proof, text, sizeof text, &n, NULL), RP_OK);
  char *first = strstr(text, "gnark_proof\": \"") + strlen("gnark_proof\": \"");
  for (char *at = first; *at != '"'; at++) {
    const char good = *at;
    for (const char *bad = "gG`:/@ "; *bad; bad++) {
      *at = *bad;
      assert_int_equal(cli_gnark_proof_from_json(text, n, &again, NULL), RP_ERR_FORMAT);
    }
    *at = good;
  }
}

/* Texts of all digits, of lengths up to what a proof may have and above. */
static void any_length_is_survived(void **state) {
  (void)state;
  static const char head[] = "{\"gnark_proof\": \"", tail[] = "\"}";
  char *text = malloc(sizeof head + CLI_JSON_PROOF_BYTES);
  rp_gnark_proof proof;
  for (size_t n = 0; n + sizeof head + sizeof tail < CLI_JSON_PROOF_BYTES; n += n < 4 ? 1 : n / 3) {
    for (size_t length = n < 8 ? n : n - 3; length <= n + (n < 8 ? 0 : 3); length++) {
      rp_error err = {0};
      memcpy(text, head, sizeof head - 1);
      memset(text + sizeof head - 1, '5', length);
      memcpy(text + sizeof head - 1 + length, tail, sizeof tail);
      assert_int_equal(cli_gnark_proof_from_json(text, strlen(text), &proof, &err), RP_ERR_FORMAT);
      if (length % 2 || length > MOST_DIGITS) assert_non_null(strstr(err.reason, "is not an even number of at most"));
    }
  }
  free(text);
}

static void other_texts_are_no_proofs(void **state) {
  (void)state;
  static const char *const texts[] = {"",
                                      "{",
                                      "[]",
                                      "{}",
                                      "{\"gnark_proof\": 5}",
                                      "{\"gnark_proof\": \"\"}",
                                      "{\"gnark_proof\": \"00\", \"gnark_proof\": \"00\"}"};
  rp_gnark_proof proof;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    rp_error err = {0};
    assert_int_equal(cli_gnark_is_json(texts[i], strlen(texts[i])), i == 5);
    assert_int_equal(cli_gnark_proof_from_json(texts[i], strlen(texts[i]), &proof, &err), RP_ERR_FORMAT);
    assert_true(err.reason[0] != 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(proofs_come_back), cmocka_unit_test(every_digit_is_one),
                                     cmocka_unit_test(any_length_is_survived),
                                     cmocka_unit_test(other_texts_are_no_proofs)};
  return cmocka_run_group_tests_name("gnark_json", tests, NULL, NULL);
}
