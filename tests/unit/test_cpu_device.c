/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The information about the CPU device, its memory, and the choice of instruction sets.
 */
#include "cpu_fixture.h"

#include <stdlib.h>
#include <string.h>

static rp_status try_open(rp_device_options options, rp_device_info *info, rp_error *err) {
  rp_context *context;
  void *device = NULL;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  options.struct_size = sizeof options;
  rp_status status = rp_backend_cpu.open(context, &options, &device, info, err);
  assert_true((status == RP_OK) == (device != NULL));
  if (device) rp_backend_cpu.close(device);
  rp_context_destroy(context);
  return status;
}

static void test_info(void **state) {
  (void)state;
  rp_device_info info = {.struct_size = sizeof info};
  uint32_t n = 0;
  assert_int_equal(rp_backend_cpu.enumerate(NULL, &info, 1, &n), RP_OK);
  assert_int_equal(n, 1);
  assert_true(info.available && info.name[0] && info.limits.workers >= 1 && info.limits.host_visible);
  assert_true(info.limits.memory_bytes >= 1 << 20 && info.memory_budget_bytes <= info.limits.memory_bytes);
  assert_true(info.limits.isa & 1u << RP_ISA_C);
  print_message("%s: %s, %llu MiB\n", info.name, info.driver, (unsigned long long)info.limits.memory_bytes >> 20);
  assert_int_equal(try_open((rp_device_options){.cpu_threads = 3}, &info, NULL), RP_OK);
  assert_int_equal(info.limits.workers, 3);
}

static void test_refused_options(void **state) {
  (void)state;
  rp_device_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  rp_executor none = {.workers = 0};
  assert_int_equal(try_open((rp_device_options){.cpu_threads = 100000}, &info, &err), RP_ERR_ARGUMENT);
  assert_int_equal(try_open((rp_device_options){.executor = &none}, &info, &err), RP_ERR_ARGUMENT);
  assert_int_equal(try_open((rp_device_options){.index = 1}, &info, &err), RP_ERR_UNAVAILABLE);
}

static void test_isa_choice(void **state) {
  (void)state;
  rp_device_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  assert_int_equal(unsetenv("REPRISE_CPU_ISA"), 0);
  assert_int_equal(try_open((rp_device_options){0}, &info, NULL), RP_OK);
  uint32_t all = info.limits.isa;
  assert_int_equal(try_open((rp_device_options){.cpu_isa = "c"}, &info, NULL), RP_OK);
  assert_int_equal(info.limits.isa, 1u << RP_ISA_C);
  const char *names[] = {"c", "adx", "avx2", "ifma", "arm64"};
  for (uint32_t i = 0; i < RP_ISA_COUNT; i++) {
    rp_status status = try_open((rp_device_options){.cpu_isa = names[i]}, &info, &err);
    assert_int_equal(status, all >> i & 1 ? RP_OK : RP_ERR_UNSUPPORTED);
    if (status == RP_OK) assert_true(info.limits.isa >> i == 1);
  }
  assert_int_equal(try_open((rp_device_options){.cpu_isa = "sse9"}, &info, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "sse9"));
  assert_non_null(strstr(err.reason, "c adx avx2 ifma arm64"));

  assert_int_equal(setenv("REPRISE_CPU_ISA", "c", 1), 0);
  assert_int_equal(try_open((rp_device_options){0}, &info, NULL), RP_OK);
  assert_int_equal(info.limits.isa, 1u << RP_ISA_C);
  assert_int_equal(setenv("REPRISE_CPU_ISA", "avx3", 1), 0);
  assert_int_equal(try_open((rp_device_options){0}, &info, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "REPRISE_CPU_ISA"));
  assert_int_equal(unsetenv("REPRISE_CPU_ISA"), 0);
}

static void variant(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)begin, (void)end, (void)worker;
  **(uint32_t *const *)args = 1;
}

static void other_variant(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)begin, (void)end, (void)worker;
  **(uint32_t *const *)args = 2;
}

static void test_variants(void **state) {
  (void)state;
  const rp_kernel both = {.struct_size = sizeof(rp_kernel),
                          .name = "both",
                          .args_bytes = 8,
                          .n_binds = 1,
                          .n_cpu = 2,
                          .cpu = (const rp_cpu_variant[2]){{RP_ISA_X86_ADX, other_variant}, {RP_ISA_C, variant}}};
  const rp_kernel gpu_only = {.struct_size = sizeof(rp_kernel), .name = "gpu_only.f97", .args_bytes = 8, .n_binds = 1};
  cpu_fixture f;
  fixture_open(&f, 1, NULL);
  draft *d = draft_new(&f, 0);
  uint32_t arena = draft_block(d, RP_SPACE_ARENA, 64, 0);
  draft_step(d, &both, 1, NULL);
  draft_ref(d, 0, arena, 0, 4, RP_WRITE);
  draft_build(d);
  assert_int_equal(draft_run(d), RP_OK);
  assert_int_equal(*(uint32_t *)draft_host(d, arena), f.info.limits.isa >> RP_ISA_X86_ADX & 1 ? 2 : 1);
  draft_free(d);

  rp_error err = {0};
  d = draft_new(&f, 0);
  arena = draft_block(d, RP_SPACE_ARENA, 64, 0);
  draft_step(d, &gpu_only, 1, NULL);
  draft_ref(d, 0, arena, 0, 4, RP_WRITE);
  assert_int_equal(draft_try_build(d, &err), RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "gpu_only.f97"));
  draft_free(d);
  fixture_close(&f);
}

static void test_memory(void **state) {
  (void)state;
  cpu_fixture f;
  rp_memory memory;
  rp_error err = {0};
  char text[16];
  fixture_open(&f, 1, NULL);
  const uint64_t sizes[] = {1, 63, 4096, (uint64_t)9 << 20};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(rp_backend_cpu.memory_alloc(f.state, RP_MEMORY_DEVICE, sizes[i], &memory, &err), RP_OK);
    assert_true(memory.address % 64 == 0 && memory.bytes == sizes[i] && memory.host);
    memset(memory.host, 1, sizes[i]);
    rp_backend_cpu.memory_free(f.state, &memory);
  }
  const uint64_t impossible[] = {UINT64_MAX, UINT64_MAX - 63, f.info.limits.max_allocation_bytes + 1};
  for (int i = 0; i < 3; i++)
    assert_int_equal(rp_backend_cpu.memory_alloc(f.state, RP_MEMORY_DEVICE, impossible[i], &memory, &err),
                     RP_ERR_DEVICE_MEMORY);
  assert_int_equal(rp_backend_cpu.memory_wrap(f.state, text, sizeof text, &memory, &err), RP_OK);
  assert_int_equal(rp_backend_cpu.memory_write(f.state, &memory, 4, "reprise", 8, &err), RP_OK);
  assert_string_equal(text + 4, "reprise");
  char back[8];
  assert_int_equal(rp_backend_cpu.memory_read(f.state, &memory, 4, back, 8, &err), RP_OK);
  assert_string_equal(back, "reprise");
  assert_int_equal(rp_backend_cpu.memory_write(f.state, &memory, 9, "reprise", 8, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_backend_cpu.memory_read(f.state, &memory, UINT64_MAX, back, 8, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_backend_cpu.memory_wrap(f.state, NULL, 8, &memory, &err), RP_ERR_ARGUMENT);
  fixture_close(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_info),     cmocka_unit_test(test_refused_options), cmocka_unit_test(test_isa_choice),
      cmocka_unit_test(test_variants), cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests_name("cpu_device", tests, NULL, NULL);
}
