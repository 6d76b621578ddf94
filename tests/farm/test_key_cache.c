/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which keys a worker's cache removes to make room: those that were not used for longest, by whole and by parts of a
 * second, and no more than needed. There is no database: each fetch makes its room, and then fails.
 */
#include "keys.h"

#include "files/digest.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

enum { KEYS = 4, KEY_BYTES = 100, NONE = -1, DAY = 86400 };

static char folder[] = "/tmp/reprise-key-cache-XXXXXX";

/* The command's, which this program does without. */
rp_status cli_make_folder(const char *path, cli_folder *made, rp_error *err) {
  (void)path, (void)made, (void)err;
  return RP_OK;
}
void cli_end_folder(cli_folder *made, bool keep) { (void)made, (void)keep; }

static farm_batch batch_of(int key, int64_t bytes) {
  farm_batch b = {.key_bytes = bytes};
  memset(b.sha256, key + 1, sizeof b.sha256);
  return b;
}

static const char *path_of(int key) {
  static char path[512];
  char digest[SUPPORT_SHA256_TEXT];
  support_sha256_text(batch_of(key, 0).sha256, digest);
  snprintf(path, sizeof path, "%s/%s.zkey", folder, digest);
  return path;
}

static bool is_there(int key) { return access(path_of(key), F_OK) == 0; }

/* Puts all keys into the folder, used at these times. */
static void put(const struct timespec used[KEYS]) {
  for (int k = 0; k < KEYS; k++) {
    FILE *file = fopen(path_of(k), "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), KEY_BYTES), 0);
    fclose(file);
    const struct timespec times[2] = {used[k], used[k]};
    assert_int_equal(utimensat(AT_FDCWD, path_of(k), times, 0), 0);
  }
}

/* Asks for a key. Whether it was in the folder. */
static bool get(uint64_t limit_bytes, int key, int64_t bytes, rp_status expected) {
  const farm_key_cache c = {.folder = folder, .limit_bytes = limit_bytes, .url = "host=/nowhere dbname=none"};
  const farm_batch b = batch_of(key, bytes);
  char *path = NULL;
  bool fetched;
  rp_error err = {0};
  assert_int_equal(farm_key_cache_get(&c, &b, &path, &fetched, &err), expected);
  assert_string_equal(path, path_of(key));
  free(path);
  return !fetched;
}

static void expect_gone(int first, int second) {
  for (int k = 0; k < KEYS; k++)
    if (is_there(k) != (k != first && k != second)) fail_msg("key %d is %s", k, is_there(k) ? "there" : "gone");
}

static void the_oldest_goes(void **state) {
  static const struct timespec by_seconds[KEYS] = {{3 * DAY, 1}, {DAY, 9}, {2 * DAY, 5}, {4 * DAY, 0}},
                               by_nanoseconds[KEYS] = {{DAY, 7}, {DAY, 8}, {DAY, 3}, {DAY, 5}};
  enum { FULL = KEYS * KEY_BYTES };
  (void)state;
  put(by_seconds);
  assert_false(get(FULL + 50, 10, 50, RP_ERR_UNAVAILABLE)); /* it fits as it is */
  expect_gone(NONE, NONE);
  assert_false(get(FULL + 50, 10, 51, RP_ERR_UNAVAILABLE));
  expect_gone(1, NONE);
  put(by_seconds);
  assert_false(get(FULL + 50, 10, 151, RP_ERR_UNAVAILABLE));
  expect_gone(1, 2);
  put(by_nanoseconds);
  assert_false(get(FULL, 10, 101, RP_ERR_UNAVAILABLE));
  expect_gone(2, 3);
  put(by_seconds);
  assert_false(get(FULL, 10, FULL + 1, RP_ERR_BUDGET)); /* none is removed for a key that never fits */
  expect_gone(NONE, NONE);
}

/* A key that is asked for becomes the youngest, and a file of another length is not the key. */
static void use_is_noted(void **state) {
  static const struct timespec used[KEYS] = {{DAY, 0}, {2 * DAY, 0}, {3 * DAY, 0}, {4 * DAY, 0}};
  (void)state;
  put(used);
  assert_true(get(KEYS * KEY_BYTES, 0, KEY_BYTES, RP_OK));
  assert_false(get(KEYS * KEY_BYTES, 10, 1, RP_ERR_UNAVAILABLE));
  expect_gone(1, NONE);
  put(used);
  assert_false(get(2 * KEYS * KEY_BYTES, 3, KEY_BYTES - 1, RP_ERR_UNAVAILABLE));
  expect_gone(NONE, NONE);
}

/* Something of a key's name that is no file cannot be deleted. The call ends nevertheless. */
static void what_cannot_be_removed(void **state) {
  static const struct timespec used[KEYS] = {{DAY, 0}, {2 * DAY, 0}, {3 * DAY, 0}, {4 * DAY, 0}};
  (void)state;
  put(used);
  assert_int_equal(unlink(path_of(0)), 0);
  assert_int_equal(mkdir(path_of(0), 0700), 0);
  const struct timespec times[2] = {used[0], used[0]};
  assert_int_equal(utimensat(AT_FDCWD, path_of(0), times, 0), 0);
  alarm(60);
  assert_false(get(3 * KEY_BYTES, 10, 1, RP_ERR_FILE));
  alarm(0);
  assert_int_equal(rmdir(path_of(0)), 0);
}

static int close_folder(void **state) {
  (void)state;
  for (int k = 0; k < KEYS; k++) unlink(path_of(k));
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_oldest_goes), cmocka_unit_test(use_is_noted),
                                     cmocka_unit_test(what_cannot_be_removed)};
  if (!mkdtemp(folder)) return 1;
  return cmocka_run_group_tests_name("farm_key_cache", tests, NULL, close_folder);
}
