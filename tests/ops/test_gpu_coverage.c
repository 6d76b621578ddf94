/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every operation of reprise/ops.h and reprise/transcript.h, over every field or curve it has, lowers for a CPU, a
 * CUDA and a Vulkan device to kernels that have a variant for it, and every kernel of a definition is among them.
 * No GPU is needed: plans are made for the limits of one, on a null device that claims to be one. The list of
 * operations is compared with the headers, so that a new one cannot be forgotten here.
 *
 * op-test lavapipe:none no-vulkan
 */
#include "every_op.h"

#include "engine/device.h"
#include "kernel_tables.h"

#include <stdio.h>

/* ---- The device -------------------------------------------------------------------------------------------------- */

static int missing; /* number of kernels without a variant */

enum { ON_CPU, ON_CUDA, ON_VULKAN };
#define ROW(kernel, cpu, cuda, vulkan) {#kernel, {cpu, cuda, vulkan}, {0, 0, 0}},
static struct {
  const char *kernel;
  int has[3], seen[3];
} rows[] = {RP_KERNEL_ROWS(ROW)};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* The name of a kernel ends in a dot and the id of its field or curve. */
static void see(const char *name, int device) {
  const size_t length = strcspn(name, ".");
  for (int i = 0; i < N_ROWS; i++)
    if (!strncmp(rows[i].kernel, name, length) && !rows[i].kernel[length]) rows[i].seen[device] = 1;
}

static int has_cpu(const rp_kernel *k) {
  for (uint32_t i = 0; i < k->n_cpu; i++)
    if (k->cpu[i].isa == RP_ISA_C) return k->cpu[i].run != NULL;
  return 0;
}

/* A build without a compiler for CUDA kernels has no images. */
static int has_cuda(const rp_kernel *k) {
  return (k->cuda.image || !REPRISE_HAVE_CUDA) && k->cuda.entry && k->cuda.block;
}
static int has_vulkan(const rp_kernel *k) {
  return ((k->vulkan.spirv && k->vulkan.spirv[0]) || !REPRISE_HAVE_VULKAN) && k->vulkan.group;
}

static void check_steps(int (*has)(const rp_kernel *k), int device, const rp_program_desc *desc) {
  static const char *const names[] = {"CPU", "CUDA", "Vulkan"};
  for (uint32_t i = 0; i < desc->n_steps; i++) {
    if (desc->steps[i].pattern->kind != RP_STEP_DISPATCH) continue;
    const rp_pattern *p = desc->steps[i].pattern;
    see(p->kernel->name, device);
    if (has(p->kernel)) continue;
    print_error("%s: kernel %s has no %s variant\n", p->label, p->kernel->name, names[device]);
    missing++;
  }
}

static rp_status check_cpu(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                           rp_program **program, rp_error *err) {
  check_steps(has_cpu, ON_CPU, desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status check_cuda(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                            rp_program **program, rp_error *err) {
  check_steps(has_cuda, ON_CUDA, desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

static rp_status check_vulkan(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                              rp_program **program, rp_error *err) {
  check_steps(has_vulkan, ON_VULKAN, desc);
  return rp_backend_null.program_create(state, desc, memory, program, err);
}

/* The kind that the null device claims to be. */
static rp_device_kind kind;
static uint32_t workers;

static rp_status open_like(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                           rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->kind = kind;
  info->limits.workers = workers;
  info->limits.shared_bytes = kind == RP_DEVICE_CUDA ? 227u << 10 : 32u << 10;
  return status;
}

static rp_backend table;

/* The sums of blocks get a scan kernel of their own only when there are thousands of them. */
static void record_long_sum(rp_context *context, rp_device *device) {
  const rp_record_options options = {.struct_size = sizeof options};
  rp_recording *recording;
  rp_graph *g;
  assert_int_equal(rp_graph_create(context, "long", &g, NULL), RP_OK);
  rp_graph_output(g, "sums", rp_prefix_sum(g, rp_graph_input(g, "terms", &RP_TYPE_U32, 20000000, 0)), 0);
  assert_int_equal(rp_record(device, g, &options, &recording, NULL), RP_OK);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
}

static void check_kernels(rp_device_kind device_kind, uint32_t device_workers, uint64_t least,
                          rp_status (*create)(void *, const rp_program_desc *, const rp_program_memory *, rp_program **,
                                              rp_error *)) {
  rp_context *context;
  rp_device *device;
  rp_device_options options = {.struct_size = sizeof options};
  missing = 0;
  kind = device_kind;
  workers = device_workers;
  table = rp_backend_null;
  table.kind = kind;
  table.open = open_like;
  table.program_create = create;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, &table, &options, &device, NULL), RP_OK);
  every_op_record(context, device, least);
  every_op_record_computed(context, device, 40);
  record_long_sum(context, device);
  rp_device_close(device);
  rp_context_destroy(context);
  assert_int_equal(missing, 0);
}

static void test_cpu_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_CPU, 2, 5, check_cpu);
}

/* A device with few workers lowers 50,000 elements as a large one lowers millions. */
static void test_cuda_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_CUDA, 132, 5, check_cuda);
  check_kernels(RP_DEVICE_CUDA, 4, 50000, check_cuda);
}

static void test_vulkan_kernels(void **state) {
  (void)state;
  check_kernels(RP_DEVICE_VULKAN, 32, 5, check_vulkan);
  check_kernels(RP_DEVICE_VULKAN, 2, 50000, check_vulkan);
}

/* Runs after the three tests above. A kernel that no operation of the list reaches is either untested or unused. */
static void test_all_reached(void **state) {
  static const char *const names[] = {"CPU", "CUDA", "Vulkan"};
  int unreached = 0;
  (void)state;
  for (int i = 0; i < N_ROWS; i++)
    for (int device = ON_CPU; device <= ON_VULKAN; device++)
      if (rows[i].has[device] && !rows[i].seen[device]) {
        print_error("kernel %s is used by no operation on %s\n", rows[i].kernel, names[device]);
        unreached++;
      }
  assert_int_equal(unreached, 0);
}

/* Counts the constructors of a header, all of which must be in the list. Constructors are the functions whose first
 * parameter is a graph. */
static size_t constructors(const char *header) {
  static char text[65536];
  FILE *file = fopen(header, "rb");
  size_t found = 0;
  assert_non_null(file);
  const size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(length < sizeof text - 1);
  text[length] = 0;
  for (char *at = text; (at = strstr(at, "(rp_graph *g,")); at++) { /* a line may end there */
    char *name = at;
    size_t op = 0;
    *at = 0;
    while (name[-1] != ' ') name--;
    assert_memory_equal(name, "rp_", 3);
    while (op < every_op_count() && strcmp(every_op_get(op)->name, name + 3)) op++;
    if (op == every_op_count())
      fail_msg(
          "%s: no operation of that name has an example (.examples in its schema), and every_op.c does not call it",
          name);
    found++;
    *at = '(';
  }
  return found;
}

static void test_list(void **state) {
  (void)state;
  assert_true(constructors(OPS_HEADERS "/ops.h") + constructors(OPS_HEADERS "/transcript.h") > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list), cmocka_unit_test(test_cpu_kernels),
                                     cmocka_unit_test(test_cuda_kernels), cmocka_unit_test(test_vulkan_kernels),
                                     cmocka_unit_test(test_all_reached)};
  return cmocka_run_group_tests_name("gpu_coverage", tests, NULL, NULL);
}
