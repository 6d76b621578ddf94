/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory shared with other programs (reprise/host_program.h), on CUDA: between two processes, as inputs and outputs of
 * runs, and what is refused. On the fake driver also memory of another API, and every call that fails. With a real
 * driver, tests/vulkan/test_share.c shares that of Vulkan.
 */
#include "bench.h"

#include "share_child.h"
#ifdef FAKE_CUDA
#include "fake_cuda.h"
#endif

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static rp_shared_memory unset(void) { return (rp_shared_memory){.struct_size = sizeof(rp_shared_memory)}; }

static void reset(void) {
#ifdef FAKE_CUDA
  fake_reset();
  toy_register();
#endif
}

static void expect_nothing_left(void) {
#ifdef FAKE_CUDA
  assert_int_equal(fake_live("handle"), 0);
  assert_int_equal(fake_live("range"), 0);
  assert_int_equal(fake_live("external"), 0);
  assert_null(fake_violation());
#endif
}

/* The lowest number that a new descriptor would get: the same if none has been left open. */
static int lowest_descriptor(void) {
  const int fd = dup(0);
  close(fd);
  return fd;
}

static rp_buffer *create(const bench *b, rp_shared_memory *memory) {
  rp_buffer *buffer = NULL;
  rp_error err = {0};
  *memory = unset();
  EXPECT(RP_OK, rp_buffer_create_shared(b->device, BYTES, &buffer, memory, &err), &err);
  assert_int_equal(memory->kind, RP_SHARE_CUDA);
  assert_int_equal(memory->size_bytes, BYTES);
  assert_true(memory->memory_bytes >= BYTES);
  assert_true(fcntl(memory->fd, F_GETFD) & FD_CLOEXEC);
  return buffer;
}

/* Another process changes the words of a buffer, before a run reads it, and those that a run has written. */
static void between_processes(void **state) {
  (void)state;
  bench b;
  rp_graph *graph;
  rp_recording *recording;
  const int lowest = lowest_descriptor();
  reset();
  const share_child child = share_start(RP_DEVICE_CUDA);
  bench_open(&b, 0, 0);
  EXPECT(RP_OK, rp_graph_create(b.context, "shared", &graph, NULL), NULL);
  share_side x = {.value = rp_graph_input(graph, "in", &toy_u64, N, RP_RESIDENT)};
  share_side y = {.value = toy_mix(graph, x.value, x.value, 3)};
  rp_graph_output(graph, "out", y.value, RP_RESIDENT);
  EXPECT(RP_OK, rp_record(b.device, graph, NULL, &recording, NULL), NULL);
  x.buffer = create(&b, &x.memory), y.buffer = create(&b, &y.memory);
  share_check_run(&child, recording, &x, &y, 4);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  expect_nothing_left();
  bench_close(&b);
#ifdef FAKE_CUDA
  assert_int_equal(lowest_descriptor(), lowest);
#else
  (void)lowest; /* the driver keeps descriptors of its own */
#endif
}

/* One device imports what it shares; a part of it, after the descriptor and the first buffer are gone. */
static void within_one_process(void **state) {
  (void)state;
  bench b;
  uint64_t words[N], got[16];
  rp_shared_memory m;
  rp_buffer *part = NULL;
  reset();
  bench_open(&b, 0, 0);
  rp_buffer *buffer = create(&b, &m);
  for (uint64_t i = 0; i < N; i++) words[i] = i * i;
  EXPECT(RP_OK, rp_buffer_write(buffer, 0, words, BYTES, NULL), NULL);
  m.offset_bytes = 8 * 100;
  m.size_bytes = sizeof got;
  EXPECT(RP_OK, rp_buffer_import(b.device, &m, &part, NULL), NULL);
  close(m.fd);
  rp_buffer_destroy(buffer);
  assert_int_equal(rp_buffer_size(part), sizeof got);
  EXPECT(RP_OK, rp_buffer_read(part, 0, got, sizeof got, NULL), NULL);
  assert_memory_equal(got, words + 100, sizeof got);
  rp_buffer_destroy(part);
  expect_nothing_left();
  bench_close(&b);
}

static void expect(const bench *b, rp_status want, const rp_shared_memory *m, const char *part) {
  rp_error err = {0};
  rp_buffer *buffer = NULL;
  EXPECT(want, rp_buffer_import(b->device, m, &buffer, &err), &err);
  assert_null(buffer);
  if (!strstr(err.reason, part)) fail_msg("'%s' does not say '%s'", err.reason, part);
}

static void what_is_refused(void **state) {
  (void)state;
  bench b;
  rp_shared_memory good, m;
  reset();
  bench_open(&b, 0, 0);
  rp_buffer *buffer = create(&b, &good);
  const int lowest = lowest_descriptor(), nothing = open("/dev/null", O_RDWR);
  m = good, m.kind = RP_SHARE_MAPPED, expect(&b, RP_ERR_UNSUPPORTED, &m, "RP_SHARE_CUDA");
  m = good, m.device[3] ^= 1, expect(&b, RP_ERR_MISMATCH, &m, "another GPU");
  m = good, m.fd = nothing, expect(&b, RP_ERR_ARGUMENT, &m, "no shared memory of that kind");
  m = good, m.fd = nothing, m.kind = RP_SHARE_VULKAN, expect(&b, RP_ERR_ARGUMENT, &m, "no shared memory of that kind");
  m = good, m.memory_bytes *= 2, expect(&b, RP_ERR_ARGUMENT, &m, "does not have the given");
  close(nothing);
#ifdef FAKE_CUDA
  assert_int_equal(lowest_descriptor(), lowest);
#else
  (void)lowest;
#endif
  rp_buffer_destroy(buffer);
  close(good.fd);
  EXPECT(RP_OK, rp_device_is_lost(b.device), NULL);
  expect_nothing_left();
  bench_close(&b);
}

#ifdef FAKE_CUDA
static void memory_of_another_api(void **state) {
  (void)state;
  bench b;
  uint64_t words[N], got[N];
  rp_buffer *buffer = NULL;
  const int lowest = lowest_descriptor();
  reset();
  bench_open(&b, 0, 0);
  rp_shared_memory m = unset();
  m.kind = RP_SHARE_VULKAN;
  m.fd = memfd_create("vulkan", 0);
  m.memory_bytes = BYTES + 4096;
  m.offset_bytes = 512;
  m.size_bytes = BYTES;
  for (uint64_t i = 0; i < N; i++) words[i] = i ^ 77;
  assert_int_equal(ftruncate(m.fd, (off_t)m.memory_bytes), 0);
  assert_int_equal(pwrite(m.fd, words, BYTES, 512), BYTES);
  EXPECT(RP_OK, rp_buffer_import(b.device, &m, &buffer, NULL), NULL);
  close(m.fd);
  EXPECT(RP_OK, rp_buffer_read(buffer, 0, got, BYTES, NULL), NULL);
  assert_memory_equal(got, words, BYTES);
  rp_buffer_destroy(buffer);
  expect_nothing_left();
  bench_close(&b);
  assert_int_equal(lowest_descriptor(), lowest);
}

/* 1 if some call has failed. */
static int with_failure(const rp_shared_memory *imported, int nth) {
  bench b;
  rp_shared_memory m = unset();
  rp_buffer *buffer = NULL;
  bench_open(&b, 0, 0);
  const int lowest = lowest_descriptor();
  fake_fail(NULL, nth, CUDA_ERROR_NOT_SUPPORTED);
  const rp_status status = imported ? rp_buffer_import(b.device, imported, &buffer, NULL)
                                    : rp_buffer_create_shared(b.device, BYTES, &buffer, &m, NULL);
  const int failed = fake_has_failed();
  fake_fail(NULL, 0, CUDA_SUCCESS);
  assert_int_equal(status == RP_OK, !failed);
  if (!failed && !imported) close(m.fd);
  if (failed) assert_int_equal(m.fd, imported ? 0 : -1);
  rp_buffer_destroy(buffer);
  assert_int_equal(lowest_descriptor(), lowest);
  expect_nothing_left();
  assert_int_equal(fake_live("device"), 0);
  bench_close(&b);
  return failed;
}

static void nothing_is_left_after_failures(void **state) {
  (void)state;
  bench b;
  rp_shared_memory m;
  int n[3] = {1, 1, 1};
  reset();
  while (with_failure(NULL, n[0])) n[0]++;
  bench_open(&b, 0, 0);
  rp_buffer *buffer = create(&b, &m);
  rp_buffer_destroy(buffer);
  bench_close(&b);
  while (with_failure(&m, n[1])) n[1]++;
  m.kind = RP_SHARE_VULKAN;
  while (with_failure(&m, n[2])) n[2]++;
  close(m.fd);
  assert_true(n[0] > 6 && n[1] > 5 && n[2] > 3);
}

static void gpu_that_cannot_share(void **state) {
  (void)state;
  bench b;
  rp_shared_memory m = unset();
  rp_buffer *buffer = NULL;
  rp_error err = {0};
  reset();
  fake_set_apart(1);
  bench_open(&b, 0, 0);
  EXPECT(RP_ERR_UNSUPPORTED, rp_buffer_create_shared(b.device, BYTES, &buffer, &m, &err), &err);
  assert_non_null(strstr(err.reason, "does not share memory"));
  bench_close(&b);
}
#endif

#ifndef FAKE_CUDA
/* A child asks, because a process that has opened the driver cannot fork one that does. */
static bool no_gpu(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) exit(bench_absent());
  return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}
#endif

int main(void) {
#ifndef FAKE_CUDA
  if (no_gpu()) return 77;
#endif
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(between_processes), /* first: a process that has opened the driver cannot fork one that does */
      cmocka_unit_test(within_one_process),    cmocka_unit_test(what_is_refused),
#ifdef FAKE_CUDA
      cmocka_unit_test(memory_of_another_api), cmocka_unit_test(nothing_is_left_after_failures),
      cmocka_unit_test(gpu_that_cannot_share),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
