/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SHA-256 against OpenSSL, for every length around the borders of blocks, for texts that come in parts, and for files,
 * which are read in larger blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/sha.h>

#include "files/digest.h"
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

static void files_of_any_length(void **state) {
  enum { BLOCK = 1 << 18 };
  static const size_t lengths[] = {1, 55, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 77};
  uint8_t *content = malloc(3 * BLOCK);
  (void)state;
  assert_non_null(content);
  for (size_t i = 0; i < 3 * BLOCK; i++) content[i] = (uint8_t)(i * 151 + (i >> 12));
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    uint8_t got[SHA256_BYTES], want[SHA256_BYTES];
    support_file *file;
    assert_int_equal(support_file_wrap("file", content, lengths[i], &file, NULL), RP_OK);
    assert_int_equal(support_file_sha256(file, got, NULL), RP_OK);
    SHA256(content, lengths[i], want);
    assert_memory_equal(got, want, sizeof want);
    assert_int_equal(support_file_pinned(file, want, NULL), RP_OK);
    want[31] ^= 1;
    assert_int_equal(support_file_pinned(file, want, NULL), RP_ERR_MISMATCH);
    support_file_close(file);
  }
  free(content);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_length), cmocka_unit_test(any_parts),
                                     cmocka_unit_test(files_of_any_length)};
  return cmocka_run_group_tests(tests, fill, NULL);
}
