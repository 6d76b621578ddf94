/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hostile files of PLONK: the tests of hostile_body.h with its functions, and what its sections hold.
 */
#include "names.h"
#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"

enum { FIRST_READ = PLONK_QM, LAST_READ = PLONK_TAU, LAST_SECTION = 14 };
static const char *const circuits[] = {"multiplier", "poseidon_chain", "no_public"};
#include "graphs/plonk/hostile_body.h"

/* A section of several blocks is read as it is in the file, at once and in parts, and elements of later blocks are
 * checked too. */
static void blocks_join(void **state) {
  (void)state;
  enum { PART = 1237, BAD = 29999 };
  hostile_buffer buffer;
  support_file *file;
  plonk_zkey zkey;
  rp_error error = {0};
  assert_true(hostile_slurp(TEST_DATA_DIR "/plonk/poseidon_chain/circuit.zkey", &buffer));
  assert_int_equal(support_file_wrap("chain", buffer.data, buffer.size, &file, NULL), RP_OK);
  assert_ok(plonk_zkey_open(file, &zkey, err));
  const uint64_t n = plonk_section_count(&zkey.common, PLONK_SIGMA), bytes = n * PLONK_SCALAR_BYTES;
  uint8_t *stored = buffer.data + zkey.common.bin.section[PLONK_SIGMA].offset, *whole = malloc(bytes),
          *parts = malloc(bytes);
  assert_true(n > BAD);
  assert_ok(plonk_scalars_read(&zkey.common, PLONK_SIGMA, 0, n, whole, err));
  assert_memory_equal(whole, stored, bytes);
  for (uint64_t at = 0; at < n; at += PART)
    assert_ok(plonk_scalars_read(&zkey.common, PLONK_SIGMA, at, n - at < PART ? n - at : PART,
                                 parts + at * PLONK_SCALAR_BYTES, err));
  assert_memory_equal(parts, stored, bytes);
  memset(stored + (uint64_t)BAD * PLONK_SCALAR_BYTES, 0xff, PLONK_SCALAR_BYTES);
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_SIGMA, 0, n, whole, &error), RP_ERR_FORMAT);
  assert_non_null(strstr(error.reason, "element 29999 at byte"));
  support_file_close(file);
  free(whole), free(parts), free(buffer.data);
}

static void ranges_are_checked(void **state) {
  (void)state;
  support_file *file;
  plonk_zkey zkey;
  plonk_addition addition;
  uint32_t row;
  uint8_t out[64];
  assert_ok(support_file_open(TEST_DATA_DIR "/plonk/multiplier/circuit.zkey", 0, &file, err));
  assert_ok(plonk_zkey_open(file, &zkey, err));
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_QM, 40, 1, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_QM, 1, UINT64_MAX, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_TAU, 0, 1, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_tau_read(&zkey.common, 14, 1, 0, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_map_read(&zkey.common, PLONK_MAP_C, 4, 1, &row, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_map_read(&zkey.common, PLONK_QM, 0, 1, &row, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_additions_read(&zkey.common, 0, 1, &addition, NULL), RP_ERR_ARGUMENT);
  support_file_close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_unique),
      cmocka_unit_test_setup_teardown(all_are_refused, scratch_begin, scratch_end),
      cmocka_unit_test(all_are_refused_in_memory),
      cmocka_unit_test(every_cut_is_refused),
      cmocka_unit_test(good_keys_are_read),
      cmocka_unit_test(sections_in_any_order_are_read),
      cmocka_unit_test(blocks_join),
      cmocka_unit_test(ranges_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
