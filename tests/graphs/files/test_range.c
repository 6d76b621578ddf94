/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ranges of files in memory (files/range.h): any range, with any room around it, has the bytes of the file; what is
 * written to it stays there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "files/range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 3 * 4096 + 1234, ROUNDS = 400, MOST_AFTER = 20000 };

static uint8_t content[BYTES];
static char path[] = "/tmp/reprise-range-XXXXXX";

static uint64_t seed = 1;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static int make_file(void **state) {
  (void)state;
  for (uint32_t i = 0; i < BYTES; i++) content[i] = (uint8_t)next(256);
  const int fd = mkstemp(path);
  return fd < 0 || write(fd, content, BYTES) != BYTES || close(fd) ? -1 : 0;
}

static int remove_file(void **state) {
  (void)state;
  return unlink(path);
}

static support_file *open_file(void) {
  support_file *file;
  assert_int_equal(support_file_open(path, 0, &file, NULL), RP_OK);
  return file;
}

static void expect_file_unchanged(const support_file *file) {
  uint8_t now[BYTES];
  assert_int_equal(support_file_read(file, 0, BYTES, now, NULL), RP_OK);
  assert_memory_equal(now, content, BYTES);
}

static void ranges_have_the_bytes_of_the_file(void **state) {
  support_file *file = open_file();
  (void)state;
  for (int i = 0; i < ROUNDS; i++) {
    const uint64_t offset = next(BYTES + 1), size = next(3) ? next(BYTES - offset + 1) : BYTES - offset;
    const uint64_t before = next(offset + 1), after = next(MOST_AFTER);
    support_range range, other;
    assert_true(support_range_map(file, offset, size, before, after, &range));
    assert_true(support_range_map(file, offset, size, 0, 0, &other));
    assert_memory_equal(range.data, content + offset, size);
    memset(range.data - before, 0xa5, before + size + after);
    for (uint64_t k = 0; k < after; k++) assert_int_equal(range.data[size + k], 0xa5);
    assert_memory_equal(other.data, content + offset, size);
    support_range_unmap(&other);
    support_range_unmap(&range);
  }
  expect_file_unchanged(file);
  support_file_close(file);
}

static void ranges_outlive_the_file(void **state) {
  support_file *file = open_file();
  support_range range;
  (void)state;
  assert_true(support_range_map(file, 5, BYTES - 5, 0, 1, &range));
  support_file_close(file);
  assert_memory_equal(range.data, content + 5, BYTES - 5);
  support_range_unmap(&range);
  assert_int_equal(msync(range.memory, range.bytes, MS_ASYNC), -1); /* nothing is mapped there */
}

static void other_ranges_are_refused(void **state) {
  support_file *file = open_file(), *wrapped;
  support_range range = {0};
  (void)state;
  assert_false(support_range_map(file, 100, 10, 101, 0, &range));
  assert_false(support_range_map(file, BYTES + 1, 0, 0, 0, &range));
  assert_false(support_range_map(file, 1, BYTES, 0, 0, &range));
  assert_false(support_range_map(file, 1, UINT64_MAX, 0, 0, &range));
  assert_false(support_range_map(file, 0, 1, 0, UINT64_MAX / 2, &range));
  assert_int_equal(support_file_wrap("wrapped", content, BYTES, &wrapped, NULL), RP_OK);
  assert_false(support_range_map(wrapped, 0, BYTES, 0, 0, &range));
  support_file_close(wrapped);
  assert_int_equal(truncate(path, BYTES - 4096), 0);
  assert_false(support_range_map(file, 0, 1, 0, 0, &range));
  assert_null(range.memory);
  support_range_unmap(&range);
  support_file_close(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_have_the_bytes_of_the_file),
                                     cmocka_unit_test(ranges_outlive_the_file),
                                     cmocka_unit_test(other_ranges_are_refused)};
  return cmocka_run_group_tests(tests, make_file, remove_file);
}
