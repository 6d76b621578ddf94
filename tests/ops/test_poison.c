/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tests of operations run with new memory that is filled with bytes other than zero (REPRISE_POISON). This test
 * checks that it is, on every device and in whole blocks: the other tests would pass if it were not.
 *
 * op-test lavapipe:quick
 */
#include "device.h"

static void check_block(uint64_t bytes) {
  rp_buffer *buffer;
  rp_error err = {0};
  uint8_t *data = calloc(1, bytes);
  assert_non_null(data);
  assert_int_equal(rp_buffer_create(device_current(), bytes, &buffer, &err), RP_OK);
  assert_int_equal(rp_buffer_read(buffer, 0, data, bytes, &err), RP_OK);
  for (uint64_t i = 0; i < bytes; i++)
    if (!data[i]) fail_msg("byte %llu of %llu is zero", (unsigned long long)i, (unsigned long long)bytes);
  rp_buffer_destroy(buffer);
  free(data);
}

static void test_new_memory(void **state) {
  (void)state;
  const uint64_t bytes[] = {1, 4096, (1 << 20) - 1, (1 << 20) + 1, (3 << 20) + 5};
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) check_block(bytes[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_new_memory)};
  return device_run_tests("poison", tests, sizeof tests / sizeof *tests);
}
