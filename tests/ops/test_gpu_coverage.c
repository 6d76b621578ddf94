/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every operation of reprise/ops.h, over every field or curve it has, lowers for a CUDA and for a Vulkan device to
 * kernels that have a variant for it. Needs no GPU: plans are made for the limits of one, on a null device that says it
 * is one. The list of operations is held against the header, so that a new one cannot be forgotten here.
 */
#include "every_op.h"

#include "engine/device.h"

#include <stdio.h>

/* ---- The device -------------------------------------------------------------------------------------------------- */

static int missing; /* kernels without a variant, in all */

/* Without the compiler for them, images are left out. */
static int has_cuda(const rp_kernel *k) {
  return (k->cuda.image || !REPRISE_HAVE_CUDA) && k->cuda.entry && k->cuda.block;
}
static int has_vulkan(const rp_kernel *k) {
  return ((k->vulkan.spirv && k->vulkan.spirv[0]) || !REPRISE_HAVE_VULKAN) && k->vulkan.group;
}

static void check_steps(int (*has)(const rp_kernel *k), const char *device, const rp_program_desc *desc) {
  for (uint32_t i = 0; i < desc->n_steps; i++) {
    if (desc->steps[i].kind != RP_STEP_DISPATCH || has(desc->steps[i].kernel)) continue;
    print_error("%s: kernel %s has no %s variant\n", desc->steps[i].label, desc->steps[i].kernel->name, device);
    missing++;
  }
}

static rp_status check_cuda(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                            rp_program **program, rp_error *err) {
  check_steps(has_cuda, "CUDA", desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status check_vulkan(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                              rp_program **program, rp_error *err) {
  check_steps(has_vulkan, "Vulkan", desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status open_like_cuda(rp_context *context, const rp_device_options *options, void **state,
                                rp_device_info *info, rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = RP_DEVICE_CUDA;
  info->limits.workers = 132;
  info->limits.shared_bytes = 227u << 10;
  return status;
}

static rp_status open_like_vulkan(rp_context *context, const rp_device_options *options, void **state,
                                  rp_device_info *info, rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = RP_DEVICE_VULKAN;
  info->limits.workers = 32;
  info->limits.shared_bytes = 32u << 10;
  return status;
}

static rp_backend table;

static void check_kernels(rp_device_kind kind) {
  rp_context *context;
  rp_device *device;
  rp_device_options options = {.struct_size = sizeof options};
  missing = 0;
  table = rp_backend_null;
  table.kind = kind;
  table.open = kind == RP_DEVICE_CUDA ? open_like_cuda : open_like_vulkan;
  table.program_create = kind == RP_DEVICE_CUDA ? check_cuda : check_vulkan;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, &table, &options, &device, NULL), RP_OK);
  every_op_record(context, device);
  rp_device_close(device);
  rp_context_destroy(context);
  assert_int_equal(missing, 0);
}

static void test_cuda_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_CUDA);
}

static void test_vulkan_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_VULKAN);
}

/* Every constructor of the header, which are the functions whose first parameter is a graph, is in the list. */
static void test_list(void **state) {
  static char text[65536];
  FILE *file = fopen(OPS_HEADER, "rb");
  int found = 0;
  (void)state;
  assert_non_null(file);
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(length < sizeof text - 1);
  for (char *at = text; (at = strstr(at, "(rp_graph *g, ")); at++) {
    char *name = at;
    size_t op = 0;
    *at = 0;
    while (name[-1] != ' ') name--;
    assert_memory_equal(name, "rp_", 3);
    while (op < EVERY_OP_COUNT && strcmp(every_ops[op].name, name + 3)) op++;
    if (op == EVERY_OP_COUNT) fail_msg("%s is not in this test's list", name);
    found++;
    *at = '(';
  }
  assert_int_equal(found, EVERY_OP_COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list), cmocka_unit_test(test_cuda_kernels),
                                     cmocka_unit_test(test_vulkan_kernels)};
  return cmocka_run_group_tests_name("gpu_coverage", tests, NULL, NULL);
}
