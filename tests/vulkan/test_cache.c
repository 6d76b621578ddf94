/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pipelines on disk are kept, used again, replaced when they are damaged or of another driver, and never make a call
 * fail.
 */
#include "interpose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/ops.h>

#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  N = 64,
  HEAD = 24,
  DRIVER_VENDOR = HEAD + 8
}; /* bytes of the file's head; offset of the vendor in the driver's own */

static char root[] = "/tmp/reprise-cache-XXXXXX", folder[64], file[512];
static atomic_int n_read, n_taken, n_refused, n_not_kept; /* counts of messages in the log, from any thread */

static void note(void *user, rp_log_level level, const char *message) {
  (void)user, (void)level;
  n_read += strstr(message, "bytes of pipelines from") != NULL;
  n_taken += strstr(message, "bytes of pipelines that others kept") != NULL;
  n_refused += strstr(message, "is damaged, or of another driver") != NULL;
  n_not_kept += strstr(message, "pipelines are not kept") != NULL;
}

static const char *wish; /* rp_device_options.cache_dir */
static void (*compiling)(void),
    (*meanwhile)(void); /* called when a pipeline is compiled, and before the device is closed */

/* Opens a device, squares some elements on it, and closes it. */
static void use_device(void) {
  rp_error err = {0};
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording;
  rp_run *run;
  uint64_t x[N];
  const rp_context_options context_options = {
      .struct_size = sizeof context_options, .log_level = RP_LOG_DEBUG, .log = note};
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN, .cache_dir = wish};
  n_read = n_taken = n_refused = n_not_kept = 0;
  for (uint64_t i = 0; i < N; i++) x[i] = i + 3;
  assert_int_equal(rp_context_create(&context_options, &context, &err), RP_OK);
  if (rp_device_open(context, &options, &device, &err) != RP_OK) fail_msg("%s", err.reason);
  interpose_begin(device);
  interpose.compiling = compiling;
  assert_int_equal(rp_graph_create(context, "squares", &graph, &err), RP_OK);
  const rp_value in = rp_graph_input(graph, "x", rp_type_field(RP_FIELD_GOLDILOCKS), N, 0), out = rp_mul(graph, in, in);
  rp_graph_output(graph, "squares", out, 0);
  if (rp_record(device, graph, NULL, &recording, &err) != RP_OK) fail_msg("%s", err.reason);
  assert_int_equal(rp_run_begin(recording, 0, &run, &err), RP_OK);
  assert_int_equal(rp_run_set_input(run, in, x, sizeof x), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  const uint64_t *squares = rp_run_output(run, out);
  for (uint64_t i = 0; i < N; i++) assert_int_equal(squares[i], (i + 3) * (i + 3));
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  if (meanwhile) meanwhile();
  rp_device_close(device);
  rp_context_destroy(context);
}

/* Returns the number of files in the folder; `file` gets the path of the last one. */
static int count_files(void) {
  int n = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
    n++;
  }
  if (dir) closedir(dir);
  return n;
}

static size_t read_file(unsigned char *bytes, size_t capacity) {
  FILE *f = fopen(file, "rb");
  assert_non_null(f);
  const size_t n = fread(bytes, 1, capacity, f);
  fclose(f);
  return n;
}

static void write_file(const unsigned char *bytes, size_t n) {
  FILE *f = fopen(file, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(bytes, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

/* Makes the checksum in the file's head right (engine/backends/vulkan/cache.c), so that only the driver can object. */
static void sum_again(unsigned char *bytes, size_t n) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325), word;
  size_t at = HEAD;
  for (; at + sizeof word <= n; at += sizeof word) {
    memcpy(&word, bytes + at, sizeof word);
    sum = (sum ^ word) * UINT64_C(0x100000001b3);
  }
  for (; at < n; at++) sum = (sum ^ bytes[at]) * UINT64_C(0x100000001b3);
  memcpy(bytes + 16, &sum, sizeof sum);
}

static int begin(void **state) {
  (void)state;
  compiling = meanwhile = NULL;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s/*", root);
  return setenv("REPRISE_CACHE_DIR", folder, 1) | system(command);
}

static void kept_and_used_again(void **state) {
  (void)state;
  static unsigned char first[1 << 20], second[1 << 20];
  use_device(); /* creates the folder */
  assert_int_equal(n_read + n_refused + n_not_kept, 0);
  assert_int_equal(count_files(), 1);
  struct stat before, after;
  assert_int_equal(stat(file, &before), 0);
  assert_int_equal(before.st_mode & 077, 0); /* no access for other users */
  const size_t n = read_file(first, sizeof first);
  assert_memory_equal(first, "RPVKPC01", 8);
  use_device();
  assert_int_equal(n_read, 1);
  assert_int_equal(n_refused + n_not_kept, 0);
  assert_int_equal(count_files(), 1);
  assert_int_equal(stat(file, &after), 0);
  assert_int_equal(read_file(second, sizeof second), n);
  assert_memory_equal(second, first, n);
  if (before.st_ino != after.st_ino) fail_msg("the same pipelines were written once more");
}

static void deleted_at_any_time(void **state) {
  (void)state;
  use_device();
  assert_int_equal(count_files(), 1);
  assert_int_equal(unlink(file), 0);
  use_device();
  assert_int_equal(n_read + n_refused + n_not_kept, 0);
  assert_int_equal(count_files(), 1);
}

/* Files that are cut, damaged, of another driver or of another kind are refused and replaced by a good one. */
static void damage_is_refused_and_replaced(void **state) {
  (void)state;
  static unsigned char good[1 << 20], bad[1 << 20];
  use_device();
  assert_int_equal(count_files(), 1);
  const size_t n = read_file(good, sizeof good);
  for (int kind = 0; kind < 6; kind++) {
    size_t bytes = n;
    memcpy(bad, good, n);
    if (kind == 0) bytes = n / 2;
    if (kind == 1) bad[n - 1] ^= 1;
    if (kind == 2) bad[DRIVER_VENDOR] ^= 1, sum_again(bad, n);
    if (kind == 3) bad[7]++;
    if (kind == 4) bytes = 0;
    if (kind == 5) { /* complete except for the checksum: more data than the driver gave */
      const uint64_t more = n + 8 - HEAD;
      memset(bad + n, 1, 8);
      memcpy(bad + 8, &more, sizeof more);
      bytes = n + 8;
    }
    write_file(bad, bytes);
    use_device();
    assert_int_equal(n_read, 0);
    assert_int_equal(n_refused, 1);
    assert_int_equal(count_files(), 1);
    use_device();
    assert_int_equal(n_read, 1);
    assert_int_equal(n_refused, 0);
  }
}

static void other_process_adds(void) {
  static unsigned char bytes[1 << 20];
  assert_int_equal(count_files(), 1);
  const size_t n = read_file(bytes, sizeof bytes - 8);
  const uint64_t more = n + 8 - HEAD;
  memset(bytes + n, 0, 8);
  memcpy(bytes + 8, &more, sizeof more);
  sum_again(bytes, n + 8);
  write_file(bytes, n + 8);
}

static void other_process_damages(void) {
  assert_int_equal(count_files(), 1);
  write_file((const unsigned char *)"no such file", 12);
}

/* If the file has changed since it was read, its pipelines are merged in once; if it has been damaged, it is
 * replaced. */
static void pipelines_of_other_processes_are_kept(void **state) {
  (void)state;
  use_device();
  meanwhile = other_process_adds;
  use_device();
  assert_int_equal(n_read, 1);
  assert_int_equal(n_taken, 1);
  meanwhile = NULL;
  use_device();
  assert_int_equal(n_taken, 0);
  meanwhile = other_process_damages;
  use_device();
  assert_int_equal(n_taken + n_refused, 0);
  meanwhile = NULL;
  use_device();
  assert_int_equal(n_read, 1);
  assert_int_equal(n_refused, 0);
}

static void take_long(void) { usleep(1200000); }
static void expect_one_file(void) { assert_int_equal(count_files(), 1); }
static void expect_no_file(void) { assert_int_equal(count_files(), 0); }

/* Pipelines that take long to compile are written at once, so that a process that is killed later loses none. */
static void long_compilations_are_kept_at_once(void **state) {
  (void)state;
  mkdir(folder, 0700);
  meanwhile = expect_no_file;
  use_device();
  assert_int_equal(count_files(), 1);
  assert_int_equal(unlink(file), 0);
  compiling = take_long;
  meanwhile = expect_one_file;
  use_device();
}

static void a_place_that_cannot_be_written_is_no_obstacle(void **state) {
  (void)state;
  char below[128];
  FILE *f = fopen(folder, "wb"); /* a file where the folder should be, so that not even root can create it */
  assert_non_null(f);
  fclose(f);
  use_device();
  assert_int_equal(n_not_kept, 1);
  snprintf(below, sizeof below, "%s/further/down", folder);
  setenv("REPRISE_CACHE_DIR", below, 1);
  use_device();
  assert_int_equal(n_not_kept, 1);
}

static void nothing_is_kept_where_none_is_wanted(void **state) {
  (void)state;
  setenv("REPRISE_CACHE_DIR", "", 1);
  setenv("XDG_CACHE_HOME", root, 1);
  use_device();
  assert_int_equal(n_read + n_refused + n_not_kept, 0);
  snprintf(folder, sizeof folder, "%s/reprise", root);
  assert_int_equal(count_files(), 0);
  unsetenv("REPRISE_CACHE_DIR"); /* the default folder */
  use_device();
  assert_int_equal(count_files(), 1);
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", root, 1);
  use_device();
  snprintf(folder, sizeof folder, "%s/.cache/reprise", root);
  assert_int_equal(count_files(), 1);
}

/* The option prevails over the environment; an empty one means that nothing is kept. */
static void callers_folder(void **state) {
  (void)state;
  char own[sizeof folder];
  snprintf(own, sizeof own, "%s/own/pipelines", root);
  wish = own;
  use_device();
  wish = "";
  use_device();
  wish = NULL;
  assert_int_equal(n_read + n_refused + n_not_kept, 0);
  assert_int_equal(count_files(), 0); /* in the folder that the environment names */
  char kept[sizeof folder];
  memcpy(kept, folder, sizeof kept);
  snprintf(folder, sizeof folder, "%s", own);
  assert_int_equal(count_files(), 1);
  memcpy(folder, kept, sizeof kept);
  setenv("REPRISE_CACHE_DIR", "", 1);
  wish = own;
  use_device();
  wish = NULL;
  assert_int_equal(n_read, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(kept_and_used_again, begin),
      cmocka_unit_test_setup(deleted_at_any_time, begin),
      cmocka_unit_test_setup(damage_is_refused_and_replaced, begin),
      cmocka_unit_test_setup(pipelines_of_other_processes_are_kept, begin),
      cmocka_unit_test_setup(long_compilations_are_kept_at_once, begin),
      cmocka_unit_test_setup(a_place_that_cannot_be_written_is_no_obstacle, begin),
      cmocka_unit_test_setup(callers_folder, begin),
      cmocka_unit_test_setup(nothing_is_kept_where_none_is_wanted, begin),
  };
  if (!mkdtemp(root)) return 1;
  snprintf(folder, sizeof folder, "%s/kept", root);
  const int failures = cmocka_run_group_tests_name("vulkan cache", tests, NULL, NULL);
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", root);
  return system(command) || failures;
}
