/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory shared with other programs (reprise/host_program.h), on Vulkan: between two processes, as inputs and outputs
 * of runs, and what is refused; where the machine has a CUDA device, with CUDA too.
 */
#include "work.h"

#include "device.h"
#include "share_child.h"
#include "state.h"

#include <fcntl.h>

static rp_shared_memory unset(void) { return (rp_shared_memory){.struct_size = sizeof(rp_shared_memory)}; }

static rp_buffer *create(const bench *b, rp_shared_memory *memory) {
  rp_buffer *buffer = NULL;
  rp_error err = {0};
  *memory = unset();
  EXPECT(RP_OK, rp_buffer_create_shared(b->device, BYTES, &buffer, memory, &err), &err);
  assert_int_equal(memory->kind, RP_SHARE_VULKAN);
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
  const share_child child = share_start(RP_DEVICE_VULKAN);
  bench_open(&b);
  EXPECT(RP_OK, rp_graph_create(b.context, "shared", &graph, NULL), NULL);
  share_side x = {.value = rp_graph_input(graph, "in", rp_type_field(RP_FIELD_GOLDILOCKS), N, RP_RESIDENT)};
  share_side y = {.value = rp_add(graph, x.value, x.value)};
  rp_graph_output(graph, "out", y.value, RP_RESIDENT);
  EXPECT(RP_OK, rp_record(b.device, graph, NULL, &recording, NULL), NULL);
  x.buffer = create(&b, &x.memory), y.buffer = create(&b, &y.memory);
  share_check_run(&child, recording, &x, &y, 2);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  bench_close(&b);
}

/* What another program can read holds no block of the library's. */
static void nothing_else_is_shared(void **state) {
  (void)state;
  bench b;
  rp_shared_memory m;
  rp_buffer *small = NULL, *imported = NULL;
  bench_open(&b);
  rp_buffer *buffer = create(&b, &m);
  EXPECT(RP_OK, rp_buffer_import(b.device, &m, &imported, NULL), NULL);
  EXPECT(RP_OK, rp_buffer_create(b.device, 64, &small, NULL), NULL);
  const rp_vk_chunk *own = rp_vk_block_of(&small->memory)->chunk;
  assert_ptr_not_equal(own, rp_vk_block_of(&buffer->memory)->chunk);
  assert_ptr_not_equal(own, rp_vk_block_of(&imported->memory)->chunk);
  rp_buffer_destroy(small);
  rp_buffer_destroy(imported);
  rp_buffer_destroy(buffer);
  close(m.fd);
  bench_close(&b);
}

/* A part of what the device shares, after the descriptor and the first buffer are gone. */
static void within_one_process(void **state) {
  (void)state;
  bench b;
  uint64_t words[N], got[16];
  rp_shared_memory m;
  rp_buffer *part = NULL;
  bench_open(&b);
  rp_buffer *buffer = create(&b, &m);
  for (uint64_t i = 0; i < N; i++) words[i] = i * i;
  EXPECT(RP_OK, rp_buffer_write(buffer, 0, words, BYTES, NULL), NULL);
  if (!m.dedicated) { /* else a buffer must have all of the memory */
    m.offset_bytes = 8 * 100;
    m.size_bytes = sizeof got;
    EXPECT(RP_OK, rp_buffer_import(b.device, &m, &part, NULL), NULL);
    rp_buffer_destroy(buffer);
    buffer = NULL;
    assert_int_equal(rp_buffer_size(part), sizeof got);
    EXPECT(RP_OK, rp_buffer_read(part, 0, got, sizeof got, NULL), NULL);
    assert_memory_equal(got, words + 100, sizeof got);
    rp_buffer_destroy(part);
  }
  close(m.fd);
  rp_buffer_destroy(buffer);
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
  bench_open(&b);
  rp_buffer *buffer = create(&b, &good);
  m = good, m.kind = RP_SHARE_MAPPED, expect(&b, RP_ERR_UNSUPPORTED, &m, "RP_SHARE_VULKAN");
  m = good, m.device[3] ^= 1, expect(&b, RP_ERR_MISMATCH, &m, "another GPU");
  m = good, m.memory_type = 40, expect(&b, RP_ERR_ARGUMENT, &m, "of type 40");
  m = good, m.fd = 1000000, expect(&b, RP_ERR_ARGUMENT, &m, "descriptor");
  const int nothing = open("/dev/null", O_RDWR), lowest = dup(0);
  close(lowest);
  m = good, m.fd = nothing, expect(&b, RP_ERR_ARGUMENT, &m, "no memory that this driver has shared");
  assert_int_equal(dup(0), lowest); /* nothing is left open, and nothing was closed twice */
  close(lowest);
  close(nothing);
  rp_buffer_destroy(buffer);
  close(good.fd);
  bench_close(&b);
}

/* Drivers round sizes differently. */
static void memory_that_is_too_small(void **state) {
  (void)state;
  rp_error err = {0};
  const VkMemoryRequirements needs = {.size = 512, .memoryTypeBits = 1u << 31};
  rp_shared_memory m = {.memory_type = 31, .memory_bytes = 512};
  const rp_vk_outside outside = {.imported = &m};
  EXPECT(RP_OK, rp_vk_outside_check(&outside, &needs, &err), &err);
  m.memory_bytes = 511;
  EXPECT(RP_ERR_ARGUMENT, rp_vk_outside_check(&outside, &needs, &err), &err);
  assert_non_null(strstr(err.reason, "needs 512 bytes"));
  m.memory_type = 30;
  EXPECT(RP_ERR_ARGUMENT, rp_vk_outside_check(&outside, &needs, &err), &err);
  m.memory_type = 32;
  EXPECT(RP_ERR_ARGUMENT, rp_vk_outside_check(&outside, &needs, &err), &err);
}

/* A device that the program has created without the extension. */
static void without_the_extension(void **state) {
  (void)state;
  bench b;
  rp_shared_memory m = unset();
  rp_buffer *buffer = NULL;
  rp_error err = {0};
  bench_open(&b);
  rp_vk *vk = b.device->state;
  const PFN_vkGetMemoryFdKHR get = vk->fn.vkGetMemoryFdKHR;
  vk->fn.vkGetMemoryFdKHR = NULL;
  EXPECT(RP_ERR_UNSUPPORTED, rp_buffer_create_shared(b.device, BYTES, &buffer, &m, &err), &err);
  assert_non_null(strstr(err.reason, "VK_KHR_external_memory_fd"));
  assert_int_equal(m.fd, -1);
  vk->fn.vkGetMemoryFdKHR = get;
  bench_close(&b);
}

/* Memory of the Vulkan device in CUDA, if that is the same GPU. */
static void with_cuda(void **state) {
  (void)state;
  bench b;
  uint64_t words[N], got[N];
  rp_shared_memory m;
  rp_device *cuda = NULL;
  rp_buffer *there = NULL;
  rp_error err = {0};
  bench_open(&b);
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CUDA};
  if (rp_device_open(b.context, &options, &cuda, &err) != RP_OK) {
    print_message("SKIP: %s\n", err.reason);
    bench_close(&b);
    skip();
  }
  rp_buffer *here = create(&b, &m);
  EXPECT(RP_OK, rp_buffer_import(cuda, &m, &there, &err), &err);
  for (uint64_t i = 0; i < N; i++) words[i] = i * i + 5;
  EXPECT(RP_OK, rp_buffer_write(here, 0, words, BYTES, NULL), NULL);
  EXPECT(RP_OK, rp_buffer_read(there, 0, got, BYTES, NULL), NULL);
  assert_memory_equal(got, words, BYTES);
  for (uint64_t i = 0; i < N; i++) words[i] *= 3;
  EXPECT(RP_OK, rp_buffer_write(there, 0, words, BYTES, NULL), NULL);
  EXPECT(RP_OK, rp_buffer_read(here, 0, got, BYTES, NULL), NULL);
  assert_memory_equal(got, words, BYTES);
  rp_buffer_destroy(there);
  rp_buffer_destroy(here);
  close(m.fd);
  rp_device_close(cuda);
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(between_processes), /* first: a process that has opened the driver cannot fork one that does */
      cmocka_unit_test(within_one_process),    cmocka_unit_test(nothing_else_is_shared),
      cmocka_unit_test(what_is_refused),       cmocka_unit_test(memory_that_is_too_small),
      cmocka_unit_test(without_the_extension), cmocka_unit_test(with_cuda)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
