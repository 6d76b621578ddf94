/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Results on disk: they appear whole, together or not at all, whatever fails or kills the program; and how files are
 * read and mapped.
 */
#include "scratch.h"

#include "fuzz/hostile.h"
#include "files/mapping.h"
#include "files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void assert_content(const char *path, const char *text) {
  hostile_buffer buffer;
  assert_true(hostile_slurp(path, &buffer));
  assert_int_equal(buffer.size, strlen(text));
  assert_memory_equal(buffer.data, text, buffer.size);
  free(buffer.data);
}

static void appears_whole(void **state) {
  const char *path = scratch_path(state, "out.json");
  support_output *output;
  size_t before = scratch_count(state);
  assert_ok(support_output_begin(path, &output, err));
  assert_int_equal(access(path, F_OK), -1);
  assert_ok(support_output_write(output, "0123456789", 10, err));
  assert_int_equal(access(path, F_OK), -1);
  assert_ok(support_output_commit(&output, 1, err));
  assert_null(output);
  assert_content(path, "0123456789");
  assert_int_equal(scratch_count(state), before + 1);
  unlink(path);
}

static void check_two_files(void **state, rp_status (*commit)(support_output **outputs, uint32_t n, rp_error *err)) {
  support_output *outputs[2];
  size_t before = scratch_count(state);
  const char *a = scratch_path(state, "a"), *b = scratch_path(state, "b");
  assert_ok(support_output_begin(a, &outputs[0], err));
  assert_ok(support_output_begin(b, &outputs[1], err));
  assert_ok(support_output_write(outputs[0], "a", 1, err));
  assert_ok(support_output_write(outputs[1], "b", 1, err));
  assert_ok(commit(outputs, 2, err));
  assert_null(outputs[0]);
  assert_null(outputs[1]);
  assert_content(a, "a");
  assert_content(b, "b");
  assert_int_equal(scratch_count(state), before + 2);
  unlink(a);
  unlink(b);
}

static void two_files_appear_together(void **state) {
  check_two_files(state, support_output_commit);
  check_two_files(state, support_output_publish);
}

/* If one of several files cannot take its name, which is too long here, the others are as they were before. */
static void all_take_their_names_or_none(void **state) {
  char long_name[300];
  support_output *outputs[3];
  rp_error error = {0};
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = 0;
  const char *old = scratch_path(state, "old"), *fresh = scratch_path(state, "fresh"),
             *none = scratch_path(state, long_name);
  assert_ok(support_output_file(old, "before", 6, err));
  const size_t before = scratch_count(state);
  const char *paths[3] = {old, fresh, none};
  for (int i = 0; i < 3; i++) {
    assert_ok(support_output_begin(paths[i], &outputs[i], err));
    assert_ok(support_output_write(outputs[i], "after", 5, err));
  }
  assert_int_equal(support_output_commit(outputs, 3, &error), RP_ERR_FILE);
  for (int i = 0; i < 3; i++) assert_null(outputs[i]);
  assert_content(old, "before");
  assert_int_equal(access(fresh, F_OK), -1);
  assert_int_equal(scratch_count(state), before);
  unlink(old);
}

static void abort_leaves_nothing(void **state) {
  const char *path = scratch_path(state, "kept");
  size_t before = scratch_count(state);
  support_output *output;
  assert_ok(support_output_file(path, "old", 3, err));
  assert_ok(support_output_begin(path, &output, err));
  assert_ok(support_output_write(output, "new", 3, err));
  support_output_abort(output);
  support_output_abort(NULL);
  assert_content(path, "old");
  assert_int_equal(scratch_count(state), before + 1);
  unlink(path);
}

static void replaces_and_keeps_permissions_and_links(void **state) {
  struct stat st;
  const char *link = scratch_path(state, "link"), *path = scratch_path(state, "target");
  assert_ok(support_output_file(path, "old", 3, err));
  assert_int_equal(chmod(path, 0640), 0);
  assert_int_equal(symlink("target", link), 0);
  assert_ok(support_output_file(link, "new", 3, err));
  assert_content(path, "new");
  assert_int_equal(stat(path, &st), 0);
  assert_int_equal(st.st_mode & 0777, 0640);
  assert_int_equal(lstat(link, &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  unlink(link);
  unlink(path);
}

/* In a process whose files may have at most 1000 bytes, writing fails as on a full disk, and no file is left. */
static void full_disk(void **state) {
  const char *path = scratch_path(state, "large");
  size_t before = scratch_count(state);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    static const uint8_t data[100000];
    rp_error error = {0};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000});
    rp_status status = support_output_file(path, data, sizeof data, &error);
    _exit(status == RP_ERR_FILE && strstr(error.reason, "cannot be written") ? 0 : 1);
  }
  int result;
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFEXITED(result));
  assert_int_equal(WEXITSTATUS(result), 0);
  assert_int_equal(scratch_count(state), before);
}

/* A process that is killed while it writes leaves no file if the file system supports files without a name; otherwise
 * it leaves a file with another name than the requested one. */
static void killed(void **state) {
  const char *path = scratch_path(state, "killed");
  size_t before = scratch_count(state);
  int nameless = open(scratch_path(state, ""), O_TMPFILE | O_RDWR, 0600);
  if (nameless >= 0) close(nameless);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    support_output *output;
    if (support_output_begin(path, &output, NULL) != RP_OK || support_output_write(output, "half", 4, NULL) != RP_OK)
      _exit(1);
    raise(SIGKILL);
  }
  int result;
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFSIGNALED(result));
  assert_int_equal(access(path, F_OK), -1);
  assert_int_equal(scratch_count(state), nameless >= 0 ? before : before + 1);
}

/* "-" and similar names write to a descriptor that the process has open, at its present position. */
static void descriptors(void **state) {
  static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  const char *path = scratch_path(state, "stdout");
  fflush(stdout);
  int fd = open(path, O_CREAT | O_RDWR | O_APPEND, 0600), saved = dup(STDOUT_FILENO);
  assert_true(fd >= 0 && saved >= 0);
  dup2(fd, STDOUT_FILENO);
  rp_status status = RP_OK;
  for (int i = 0; i < 4 && status == RP_OK; i++) status = support_output_file(names[i], "text\n", 5, NULL);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(fd);
  assert_int_equal(status, RP_OK);
  assert_content(path, "text\ntext\ntext\ntext\n");
  unlink(path);
  assert_ok(support_output_file("/dev/null", "text\n", 5, err));
}

static void mapped_and_read(void **state) {
  const char *path = scratch_path(state, "file");
  support_file *read, *mapped;
  uint8_t part[4];
  rp_error error = {0};
  assert_ok(support_output_file(path, "0123456789", 10, err));
  assert_ok(support_file_open(path, 0, &read, err));
  assert_ok(support_file_open(path, SUPPORT_FILE_MAP, &mapped, err));
  assert_null(support_file_data(read));
  assert_memory_equal(support_file_data(mapped), "0123456789", 10);
  assert_string_equal(support_file_name(read), path);
  assert_int_equal(support_file_size(read), 10);
  const support_file *const both[] = {read, mapped};
  for (int i = 0; i < 2; i++) {
    assert_ok(support_file_read(both[i], 6, 4, part, err));
    assert_memory_equal(part, "6789", 4);
    assert_ok(support_file_read(both[i], 10, 0, part, err));
    assert_int_equal(support_file_read(both[i], 7, 4, part, &error), RP_ERR_FORMAT);
    assert_int_equal(support_file_read(both[i], 11, 0, part, &error), RP_ERR_FORMAT);
    assert_int_equal(support_file_read(both[i], UINT64_MAX, 2, part, &error), RP_ERR_FORMAT);
    assert_int_equal(support_file_read(both[i], 2, UINT64_MAX, part, &error), RP_ERR_FORMAT);
  }
  support_file_close(read);
  support_file_close(mapped);
  support_file_close(NULL);
  unlink(path);
}

/* However long the path is, the end of the reason is kept. */
static void long_names(void **state) {
  (void)state;
  char path[3000] = "/tmp/";
  rp_error error = {0};
  support_file *file;
  memset(path + 5, 'x', sizeof path - 6);
  for (size_t i = 100; i + 1 < sizeof path; i += 100) path[i] = '/';
  path[sizeof path - 1] = 0;
  assert_int_equal(support_file_open(path, 0, &file, &error), RP_ERR_FILE);
  assert_non_null(strstr(error.reason, "No such file or directory."));
  assert_int_equal(support_output_file(path, "", 0, &error), RP_ERR_FILE);
  assert_non_null(strstr(error.reason, "No such file or directory."));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(appears_whole),
      cmocka_unit_test(two_files_appear_together),
      cmocka_unit_test(all_take_their_names_or_none),
      cmocka_unit_test(killed),
      cmocka_unit_test(abort_leaves_nothing),
      cmocka_unit_test(replaces_and_keeps_permissions_and_links),
      cmocka_unit_test(full_disk),
      cmocka_unit_test(descriptors),
      cmocka_unit_test(mapped_and_read),
      cmocka_unit_test(long_names),
  };
  return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
