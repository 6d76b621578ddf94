/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compiles every kernel that the operations lower to for the first Vulkan device, on all processors, the largest first.
 * A driver takes seconds for some of them; the tests that run after this one find them on disk.
 */
#include "every_op.h"

#include "device.h"

#include "backends/vulkan/state.h"

#include <stdio.h>

enum { MOST = 4096, AT_ONCE = 160 }; /* AT_ONCE: how many are compiled between two writes to disk */

static const rp_kernel *kernels[MOST];
static uint32_t n_kernels;
static rp_device_info real = {.struct_size = sizeof real}; /* the device for whose limits plans are made */

static rp_status collect(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                         rp_program **program, rp_error *err) {
  for (uint32_t i = 0; i < desc->n_steps; i++) {
    uint32_t k = 0;
    if (desc->steps[i].pattern->kind != RP_STEP_DISPATCH) continue;
    while (k < n_kernels && kernels[k] != desc->steps[i].pattern->kernel) k++;
    assert_true(k < MOST);
    if (k == n_kernels) kernels[n_kernels++] = desc->steps[i].pattern->kernel;
  }
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status open_alike(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                            rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = RP_DEVICE_VULKAN;
  info->limits = real.limits;
  return status;
}

/* The length in words of the last module, which is the one with 64-bit integers where there are two. */
static size_t words_of(const rp_kernel *kernel) {
  enum { HEADER_WORDS = 5 };
  const uint32_t *module = kernel->vulkan.spirv, *end = module;
  while (*module) {
    for (end = module + HEADER_WORDS; *end;) end += *end >> 16;
    if (!end[1]) break;
    module = end + 1;
  }
  return (size_t)(end - module);
}

static int larger_first(const void *a, const void *b) {
  const size_t x = words_of(*(const rp_kernel *const *)a), y = words_of(*(const rp_kernel *const *)b);
  return (x < y) - (x > y);
}

static void every_kernel_compiles(void **state) {
  (void)state;
  rp_error err = {0};
  rp_context *context;
  rp_device *device, *alike;
  rp_backend null = rp_backend_null;
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN};
  null.kind = RP_DEVICE_VULKAN, null.open = open_alike, null.program_create = collect;
  assert_int_equal(rp_context_create(NULL, &context, &err), RP_OK);
  if (rp_device_open(context, &options, &device, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_device_get_info(device, &real);
  assert_int_equal(rp_device_open_with(context, &null, &options, &alike, &err), RP_OK);
  every_op_record(context, alike, 5);
  rp_device_close(alike);
  qsort(kernels, n_kernels, sizeof *kernels, larger_first);
  assert_true(n_kernels > 0);
  const uint64_t begin = rp_now_ns();
  for (uint32_t at = 0; at < n_kernels; at += AT_ONCE) {
    const uint32_t n = n_kernels - at < AT_ONCE ? n_kernels - at : AT_ONCE;
    if (rp_vk_compile(device->state, kernels + at, n, &err) != RP_OK) fail_msg("%s", err.reason);
    printf("%u of %u kernels after %.1f s\n", at + n, n_kernels, (double)(rp_now_ns() - begin) / 1e9);
    fflush(stdout);
  }
  for (uint32_t i = 0; i < n_kernels; i++) assert_non_null(rp_vk_pipeline_of(device->state, kernels[i]));
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_compiles)};
  return cmocka_run_group_tests_name("vulkan kernels", tests, NULL, NULL);
}
