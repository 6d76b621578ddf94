/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Hostile files of FFLONK: the tests of graphs/plonk/hostile_body.h with its functions, and what its sections hold.
 */
#include "names.h"
#include "fflonk/formats/json.h"
#include "fflonk/formats/zkey.h"

enum { FIRST_READ = FFLONK_SECTION_QL, LAST_READ = FFLONK_SECTION_C0, LAST_SECTION = 17 };
static const char *const circuits[] = {"multiplier", "no_public"};
#include "graphs/plonk/hostile_body.h"

/* A key is refused if its only addition reads a signal that does not come before it. */
static void additions_are_checked(void **state) {
  (void)state;
  enum { ADDITIONS = 84 }; /* in the header */
  hostile_buffer buffer;
  support_file *file;
  rp_error error = {0};
  for (uint32_t signal = 4; signal < 6; signal++) { /* of 6 variables, the last is the addition */
    assert_true(hostile_slurp(TEST_DATA_DIR "/fflonk/multiplier/circuit.zkey", &buffer));
    damage_u32(&buffer, 2, ADDITIONS, 1);
    damage_resize(&buffer, 3, PLONK_ADDITION_BYTES, 0);
    damage_u32(&buffer, 3, 4, signal);
    assert_int_equal(support_file_wrap("one", buffer.data, buffer.size, &file, NULL), RP_OK);
    assert_int_equal(read_key(file, 1, &error), signal == 4 ? RP_OK : RP_ERR_FORMAT);
    support_file_close(file);
    free(buffer.data);
  }
  assert_non_null(strstr(error.reason, "section 3 (additions), addition 0 at byte"));
}

static void ranges_are_checked(void **state) {
  (void)state;
  support_file *file;
  fflonk_zkey zkey;
  plonk_addition addition;
  uint32_t row;
  uint8_t out[64];
  assert_ok(support_file_open(TEST_DATA_DIR "/fflonk/multiplier/circuit.zkey", 0, &file, err));
  assert_ok(fflonk_zkey_open(file, &zkey, err));
  assert_int_equal(plonk_scalars_read(&zkey.common, FFLONK_SECTION_QL, 40, 1, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_scalars_read(&zkey.common, FFLONK_SECTION_C0, 1, UINT64_MAX, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_scalars_read(&zkey.common, FFLONK_TAU, 0, 1, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_tau_read(&zkey.common, 90, 1, 0, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_map_read(&zkey.common, PLONK_MAP_C, 4, 1, &row, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_map_read(&zkey.common, FFLONK_SECTION_QL, 0, 1, &row, NULL), RP_ERR_ARGUMENT);
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
      cmocka_unit_test(additions_are_checked),
      cmocka_unit_test(ranges_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
