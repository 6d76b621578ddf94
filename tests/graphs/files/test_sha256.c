/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 against OpenSSL, for every length around the borders of blocks, and for texts that come in parts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/sha.h>

#include "files/sha256.h"

enum { LONGEST = 3 * SHA256_BLOCK + 2 };

static uint8_t text[LONGEST];

static int fill(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof text; i++) text[i] = (uint8_t)(i * 151 + 7);
  return 0;
}

static void every_length(void **state) {
  (void)state;
  for (size_t n = 0; n <= LONGEST; n++) {
    uint8_t got[SHA256_BYTES], want[SHA256_BYTES];
    pedersen_sha256(text, n, got);
    SHA256(text, n, want);
    assert_memory_equal(got, want, sizeof want);
  }
}

static void any_parts(void **state) {
  uint8_t got[SHA256_BYTES], want[SHA256_BYTES];
  (void)state;
  SHA256(text, LONGEST, want);
  for (size_t first = 0; first <= LONGEST; first += 3)
    for (size_t second = first; second <= LONGEST; second += 5) {
      pedersen_sha256_state s;
      pedersen_sha256_begin(&s);
      pedersen_sha256_add(&s, text, first);
      pedersen_sha256_add(&s, text + first, second - first);
      pedersen_sha256_add(&s, text + second, LONGEST - second);
      pedersen_sha256_end(&s, got);
      assert_memory_equal(got, want, sizeof want);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_length), cmocka_unit_test(any_parts)};
  return cmocka_run_group_tests(tests, fill, NULL);
}
