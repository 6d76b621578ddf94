/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ranges that are loaded side by side, and reading in advance: the two parts of loading a large key.
 */
#include "scratch.h"

#include "threads/parallel.h"
#include "files/read_ahead.h"
#include "signals.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { ELEMENTS = 10007, PARTS = 64 };

typedef struct visit {
  atomic_uint seen[ELEMENTS];
  uint64_t first[PARTS];
  uint64_t bad, worse; /* indices of the elements that fail */
} visit;

static rp_status look(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  visit *v = arg;
  v->first[part] = first;
  for (uint64_t i = first; i < first + n; i++) {
    atomic_fetch_add(&v->seen[i], 1);
    if (i != v->bad && i != v->worse) continue;
    snprintf(err->reason, sizeof err->reason, "element %d", (int)i);
    return err->status = RP_ERR_FORMAT;
  }
  return RP_OK;
}

/* Every element is in one range, for any number of ranges, and the ranges are in order. */
static void ranges_cover(void **state) {
  (void)state;
  static visit v;
  for (uint32_t parts = 1; parts <= PARTS; parts += 9) {
    memset(&v, 0, sizeof v);
    v.bad = v.worse = ELEMENTS;
    assert_ok(support_parallel(NULL, parts, ELEMENTS, look, &v, err));
    for (int i = 0; i < ELEMENTS; i++) assert_int_equal(v.seen[i], 1);
    for (uint32_t i = 1; i < parts; i++) assert_true(v.first[i] > v.first[i - 1]);
  }
}

/* Of several failures, the first one in the order of the array is always the one that is reported. */
static void the_first_failure_is_reported(void **state) {
  (void)state;
  static visit v;
  for (int i = 0; i < 200; i++) {
    memset(&v, 0, sizeof v);
    v.bad = 5000;
    v.worse = 5400;
    rp_error error = {0};
    assert_int_equal(support_parallel(NULL, PARTS, ELEMENTS, look, &v, &error), RP_ERR_FORMAT);
    assert_string_equal(error.reason, "element 5000");
  }
}

/* Runs all ranges, the last one first. */
static void backwards(void *user, uint32_t n, void (*fn)(void *arg, uint32_t i), void *arg) {
  (void)user;
  while (n-- > 0) fn(arg, n);
}

/* An executor goes on after a failure, and may come to the first one last. */
static void of_all_that_fail_the_first(void **state) {
  (void)state;
  static visit v;
  const rp_executor executor = {.workers = 3, .parallel = backwards};
  rp_error error = {0};
  v.bad = 40;
  v.worse = ELEMENTS - 1;
  assert_int_equal(support_parallel(&executor, PARTS, ELEMENTS, look, &v, &error), RP_ERR_FORMAT);
  assert_string_equal(error.reason, "element 40");
}

static int is_cached(const uint8_t *page) {
  unsigned char in = 0;
  return mincore((void *)(uintptr_t)page, 1, &in) == 0 && (in & 1);
}

/* A file that is larger than the window: what lies inside the window is read although nobody asks for it, and what lies
 * behind it is not, until the reader comes nearer. */
static void reads_a_window_ahead(void **state) {
  const uint64_t size = (uint64_t)512 << 20, inside = (uint64_t)100 << 20, behind = (uint64_t)400 << 20;
  const char *path = scratch_path(state, "sparse");
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  assert_true(fd >= 0);
  assert_int_equal(ftruncate(fd, (off_t)size), 0);
  uint8_t *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  assert_true(map != MAP_FAILED);
  support_read_ahead *ahead = support_read_ahead_begin(path, size);
  assert_non_null(ahead);
  for (int i = 0; i < 30000 && !is_cached(map + inside); i++) usleep(2000);
  if (!is_cached(map + inside)) print_message("This filesystem does not keep holes of files in its cache.\n");
  assert_false(is_cached(map + behind));
  support_read_ahead_reached(ahead, behind - inside);
  support_read_ahead_reached(ahead, 0); /* the window does not move back */
  for (int i = 0; i < 30000 && is_cached(map + inside) && !is_cached(map + behind); i++) usleep(2000);
  assert_int_equal(is_cached(map + inside), is_cached(map + behind));
  support_read_ahead_end(ahead);
  munmap(map, size);
  close(fd);
  unlink(path);
}

/* Reading in advance can be ended while it waits, while it reads, and after the file was removed or became shorter. */
static void ends_anywhere(void **state) {
  const uint64_t size = (uint64_t)512 << 20;
  const char *path = scratch_path(state, "sparse");
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  assert_true(fd >= 0);
  assert_int_equal(ftruncate(fd, (off_t)size), 0);
  for (int i = 0; i < 50; i++) {
    support_read_ahead *ahead = support_read_ahead_begin(path, size);
    if (i % 3 == 1) usleep(1000);
    if (i % 3 == 2) support_read_ahead_reached(ahead, size);
    if (i == 40) assert_int_equal(ftruncate(fd, 1000), 0);
    support_read_ahead_end(ahead);
  }
  close(fd);
  unlink(path);
  assert_null(support_read_ahead_begin(path, size));
  assert_null(support_read_ahead_begin(FIXTURES "multiplier_bn254/circuit.zkey", 4000));
  support_read_ahead_reached(NULL, 1);
  support_read_ahead_end(NULL);
}

static void signals_are_left_alone(void **state) {
  (void)state;
  signals_are_left_alone_by(support_thread_start);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_cover),
      cmocka_unit_test(the_first_failure_is_reported),
      cmocka_unit_test(of_all_that_fail_the_first),
      cmocka_unit_test(reads_a_window_ahead),
      cmocka_unit_test(ends_anywhere),
      cmocka_unit_test(signals_are_left_alone),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
