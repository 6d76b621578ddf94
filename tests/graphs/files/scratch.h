/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A temporary folder for the files of a test, and helpers that tests of files share.
 */
#ifndef REPRISE_TESTS_SCRATCH_H
#define REPRISE_TESTS_SCRATCH_H

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FIXTURES TEST_DATA_DIR "/fixtures/"

static inline int scratch_begin(void **state) {
  const char *base = getenv("TMPDIR");
  char *path = malloc(4096);
  if (!path) return -1;
  int length = snprintf(path, 4000, "%s/reprise-test-", base ? base : "/tmp");
  for (int i = 0; i < 6; i++) path[length + i] = 'X'; /* mkdtemp replaces these letters */
  path[length + 6] = 0;
  *state = mkdtemp(path);
  return *state ? 0 : -1;
}

static inline int scratch_remove(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
  (void)st, (void)flag, (void)ftw;
  return remove(path);
}

static inline int scratch_end(void **state) {
  int result = nftw(*state, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
  free(*state);
  return result;
}

static size_t scratch_entries;
static inline int scratch_visit(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
  (void)path, (void)st, (void)flag, (void)ftw;
  scratch_entries++;
  return 0;
}

/* The number of files and folders in the folder. */
static inline size_t scratch_count(void **state) {
  scratch_entries = 0;
  assert_int_equal(nftw(*state, scratch_visit, 16, FTW_PHYS), 0);
  return scratch_entries;
}

/* The path of a file in the folder. It is valid until the fourth call from now. */
static inline const char *scratch_path(void **state, const char *name) {
  static char path[4][4096];
  static unsigned next;
  char *to = path[next++ % 4];
  snprintf(to, sizeof path[0], "%s/%s", (const char *)*state, name);
  return to;
}

/* Fails the test, with the reason, unless the call returns RP_OK. */
#define assert_ok(call)                                      \
  do {                                                       \
    rp_error assert_error = {0};                             \
    rp_error *const err = &assert_error;                     \
    rp_status assert_status = (call);                        \
    if (assert_status != RP_OK) fail_msg("%s", err->reason); \
  } while (0)

#endif
