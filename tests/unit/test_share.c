/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory shared with other programs (reprise/host_program.h), on the CPU: between two processes, as inputs and outputs
 * of runs, and what is refused.
 */
#include "watch.h"

#include "share_child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

enum { N = 1500, BYTES = 8 * N }; /* ends inside a page */

static rp_shared_memory unset(void) { return (rp_shared_memory){.struct_size = sizeof(rp_shared_memory)}; }

static rp_buffer *create(uint64_t bytes, rp_shared_memory *memory) {
  rp_buffer *buffer = NULL;
  *memory = unset();
  assert_int_equal(rp_buffer_create_shared(the_watch.device, bytes, &buffer, memory, NULL), RP_OK);
  assert_int_equal(memory->struct_size, sizeof *memory);
  assert_int_equal(memory->kind, RP_SHARE_MAPPED);
  assert_int_equal(memory->size_bytes, bytes);
  assert_int_equal(memory->offset_bytes, 0);
  assert_true(memory->memory_bytes >= bytes);
  assert_true(fcntl(memory->fd, F_GETFD) & FD_CLOEXEC);
  return buffer;
}

static void open_cpu(void) { watch_open(&rp_backend_cpu, 0); }

/* Another process changes the words of a buffer, before a run reads it, and those that a run has written. */
static void between_processes(void **state) {
  (void)state;
  const share_child child = share_start(RP_DEVICE_CPU);
  open_cpu();
  share_side x = {.value = rp_graph_input(the_watch.graph, "in", &toy_u64, N, RP_RESIDENT)};
  share_side y = {.value = toy_scale(the_watch.graph, x.value, 3)};
  rp_graph_output(the_watch.graph, "out", y.value, RP_RESIDENT);
  rp_recording *r = watch_record(1, 0);
  x.buffer = create(BYTES, &x.memory), y.buffer = create(BYTES, &y.memory);
  share_check_run(&child, r, &x, &y, 3);
  rp_recording_destroy(r);
  watch_close();
}

/* A part of a file of the caller's that begins in the middle of a page; nothing beside it is touched. The descriptor
 * may be closed, and the memory outlives the buffer. */
static void part_of_a_file(void **state) {
  (void)state;
  enum { AT = 5000, WHOLE = 3 * 4096 };
  static unsigned char got[WHOLE], want[WHOLE], part[4000];
  const int fd = memfd_create("test", 0);
  rp_buffer *buffer = NULL;
  for (size_t i = 0; i < sizeof want; i++) want[i] = (unsigned char)(7 * i);
  assert_int_equal(write(fd, want, WHOLE), WHOLE);
  rp_shared_memory m = unset();
  m.kind = RP_SHARE_MAPPED;
  m.fd = dup(fd);
  m.memory_bytes = WHOLE;
  m.offset_bytes = AT;
  m.size_bytes = sizeof part;
  open_cpu();
  assert_int_equal(rp_buffer_import(the_watch.device, &m, &buffer, NULL), RP_OK);
  close(m.fd);
  assert_int_equal(rp_buffer_size(buffer), sizeof part);
  assert_int_equal(rp_buffer_read(buffer, 0, part, sizeof part, NULL), RP_OK);
  assert_memory_equal(part, want + AT, sizeof part);
  for (size_t i = 0; i < sizeof part; i++) part[i] ^= 0xff;
  assert_int_equal(rp_buffer_write(buffer, 0, part, sizeof part, NULL), RP_OK);
  rp_buffer_destroy(buffer);
  memcpy(want + AT, part, sizeof part);
  assert_int_equal(pread(fd, got, WHOLE, 0), WHOLE);
  assert_memory_equal(got, want, WHOLE);
  close(fd);
  watch_close();
}

/* Nobody who gets the descriptor can make the memory shorter or longer. It has its pages from the beginning, and is
 * gone with the last who has it. */
static void size_is_fixed(void **state) {
  (void)state;
  rp_shared_memory m;
  open_cpu();
  rp_buffer *buffer = create(100, &m);
  assert_int_equal(ftruncate(m.fd, 0), -1);
  assert_int_equal(errno, EPERM);
  assert_int_equal(ftruncate(m.fd, 1 << 20), -1);
  assert_int_equal(fcntl(m.fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
  rp_buffer_destroy(buffer);
  void *mine = mmap(NULL, 100, PROT_READ, MAP_SHARED, m.fd, 0);
  assert_ptr_not_equal(mine, MAP_FAILED);
  munmap(mine, 100);
  close(m.fd);
  watch_close();
}

static void expect(rp_status want, const rp_shared_memory *m, const char *part) {
  rp_error err = {0};
  rp_buffer *buffer = (rp_buffer *)&err;
  assert_int_equal(rp_buffer_import(the_watch.device, m, &buffer, &err), want);
  assert_null(buffer);
  if (!strstr(err.reason, part)) fail_msg("'%s' does not say '%s'", err.reason, part);
}

static void what_is_refused(void **state) {
  (void)state;
  rp_shared_memory good, m;
  rp_buffer *other = NULL;
  rp_error err = {0};
  open_cpu();
  rp_buffer *buffer = create(BYTES, &good);
  expect(RP_ERR_ARGUMENT, NULL, "NULL");
  m = good, m.struct_size = 0, expect(RP_ERR_ARGUMENT, &m, "struct_size");
  m = good, m.kind = 0, expect(RP_ERR_ARGUMENT, &m, "no kind");
  m = good, m.kind = 4, expect(RP_ERR_ARGUMENT, &m, "no kind");
  m = good, m.kind = RP_SHARE_CUDA, expect(RP_ERR_UNSUPPORTED, &m, "RP_SHARE_MAPPED");
  m = good, m.fd = -1, expect(RP_ERR_ARGUMENT, &m, "not a file descriptor");
  m = good, m.fd = 1000000, expect(RP_ERR_ARGUMENT, &m, "descriptor");
  m = good, m.dedicated = 2, expect(RP_ERR_ARGUMENT, &m, "dedicated");
  m = good, m.size_bytes = 0, expect(RP_ERR_ARGUMENT, &m, "at least one byte");
  m = good, m.size_bytes = m.memory_bytes + 1, expect(RP_ERR_ARGUMENT, &m, "do not lie inside");
  m = good, m.offset_bytes = UINT64_MAX, expect(RP_ERR_ARGUMENT, &m, "do not lie inside");
  m = good, m.memory_bytes = UINT64_MAX, m.size_bytes = UINT64_MAX, expect(RP_ERR_ARGUMENT, &m, "no memory or file");
  m = good, m.memory_bytes = m.size_bytes = good.memory_bytes + 1, expect(RP_ERR_ARGUMENT, &m, "no memory or file");
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  m = good, m.fd = pipes[0], expect(RP_ERR_ARGUMENT, &m, "no memory or file");
  close(pipes[0]);
  close(pipes[1]);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", (int)good.fd);
  m = good, m.fd = open(path, O_RDONLY), expect(RP_ERR_ARGUMENT, &m, "for reading and writing");
  close(m.fd);
  m = good;
  assert_int_equal(rp_buffer_import(the_watch.device, &m, NULL, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_import(NULL, &m, &other, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_buffer_create_shared(the_watch.device, BYTES, &other, NULL, &err), RP_ERR_ARGUMENT);
  m.struct_size = 4;
  assert_int_equal(rp_buffer_create_shared(the_watch.device, BYTES, &other, &m, &err), RP_ERR_ARGUMENT);
  m = good;
  assert_int_equal(rp_buffer_create_shared(the_watch.device, 0, &other, &m, &err), RP_ERR_ARGUMENT);
  assert_int_equal(m.fd, -1);
  assert_int_equal(rp_buffer_create_shared(the_watch.device, UINT64_MAX, &other, &m, &err), RP_ERR_DEVICE_MEMORY);
  assert_int_equal(m.fd, -1);
  assert_null(other);
  close(good.fd);
  rp_buffer_destroy(buffer);
  watch_close();
}

static void null_device(void **state) {
  (void)state;
  rp_shared_memory m = unset();
  rp_buffer *buffer = NULL;
  rp_error err = {0};
  watch_open(&rp_backend_null, 0);
  assert_int_equal(rp_buffer_create_shared(the_watch.device, BYTES, &buffer, &m, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "null devices cannot share"));
  assert_int_equal(m.fd, -1);
  m = (rp_shared_memory){.struct_size = sizeof m, .kind = RP_SHARE_MAPPED, .memory_bytes = 8, .size_bytes = 8};
  assert_int_equal(rp_buffer_import(the_watch.device, &m, &buffer, &err), RP_ERR_UNSUPPORTED);
  watch_close();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(between_processes), cmocka_unit_test(part_of_a_file),
                                     cmocka_unit_test(size_is_fixed), cmocka_unit_test(what_is_refused),
                                     cmocka_unit_test(null_device)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
