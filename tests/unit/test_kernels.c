/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Kernels of programs that were compiled with other versions of reprise/op.h: with a shorter or a longer rp_kernel, and
 * with variants for instruction sets that this version does not know.
 */
#include "watch.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 8, UNKNOWN_ISA = 31, NO_ISA = 1000 };

typedef struct add_args {
  RP_ADDR(const uint64_t) x;
  RP_ADDR(uint64_t) out;
} add_args;

static void add(const void *args, uint64_t begin, uint64_t end, uint64_t number) {
  const add_args *a = args;
  for (uint64_t i = begin; i < end; i++) a->out[i] = a->x[i] + number;
}
static void add_1(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)worker;
  add(args, begin, end, 1);
}
static void add_2(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  (void)worker;
  add(args, begin, end, 2);
}

static const rp_kernel *kernel; /* the kernel that the next graph uses */

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = s->in_type[0];
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}
static rp_status lower(rp_lower *l) {
  static const add_args args;
  const rp_bind binds[] = {RP_BIND(rp_lower_in(l, 0), RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_lower_dispatch(
      l, &(rp_dispatch){
             .kernel = kernel, .groups = {N}, .binds = binds, .n_binds = 2, .args = &args, .args_bytes = sizeof args});
  return RP_OK;
}
static const rp_strategy strategies[] = {{"cpu", RP_ON(RP_DEVICE_CPU), NULL, lower}};
static const rp_op op = {
    .struct_size = sizeof op, .name = "own", .shape = shape, .strategies = strategies, .n_strategies = 1};

/* Records and runs a graph with the kernel on a plain CPU device. Returns what the kernel added, or 0 with a reason. */
static uint64_t run(const rp_kernel *k, rp_error *err) {
  const rp_device_options plain = {
      .struct_size = sizeof plain, .kind = RP_DEVICE_CPU, .cpu_threads = 1, .cpu_isa = "c"};
  const uint64_t x[N] = {40};
  uint64_t y[N] = {0};
  const rp_replay_input in = {.name = "x", .data = x, .size_bytes = sizeof x};
  const rp_replay_output out = {.name = "y", .data = y, .size_bytes = sizeof y};
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording = NULL;
  kernel = k;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &plain, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "own", &graph, NULL), RP_OK);
  const rp_value value = rp_graph_input(graph, "x", &toy_u64, N, 0);
  rp_graph_output(graph, "y", rp_graph_node(graph, &op, NULL, &value, 1, NULL, 1), 0);
  if (rp_record(device, graph, NULL, &recording, err) == RP_OK)
    assert_int_equal(rp_replay(recording, &in, 1, &out, 1, err), RP_OK);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
  return y[0] ? y[0] - x[0] : 0;
}

static const rp_cpu_variant one = {RP_ISA_C, add_1};
static const rp_kernel good = {.struct_size = sizeof(rp_kernel),
                               .name = "own_add",
                               .args_bytes = sizeof(add_args),
                               .n_binds = 2,
                               .n_cpu = 1,
                               .cpu = &one};

/* The struct ends at the end of a page, and the next page cannot be read. */
static void a_shorter_kernel_is_read_to_its_end_only(void **state) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = offsetof(rp_kernel, cuda);
  (void)state;
  char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(memory, MAP_FAILED);
  assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
  char *at = memory + page - bytes;
  const uint32_t size = (uint32_t)bytes;
  memcpy(at, &good, bytes);
  memcpy(at, &size, sizeof size);
  assert_int_equal(run((const rp_kernel *)(void *)at, NULL), 1);
  assert_int_equal(munmap(memory, 2 * page), 0);
}

static void a_longer_kernel_is_taken(void **state) {
  struct {
    rp_kernel kernel;
    uint64_t later[4];
  } longer = {good, {~0u, ~0u, ~0u, ~0u}};
  (void)state;
  longer.kernel.struct_size = sizeof longer;
  assert_int_equal(run(&longer.kernel, NULL), 1);
}

static void other_instruction_sets_are_passed_over(void **state) {
  const rp_cpu_variant several[] = {{(rp_cpu_isa)NO_ISA, add_2}, {(rp_cpu_isa)UNKNOWN_ISA, add_2},
                                    {RP_ISA_X86_ADX, add_2},     {RP_ISA_ARM64, add_2},
                                    {RP_ISA_C, add_1},           {RP_ISA_C, NULL}};
  rp_kernel k = good;
  rp_error err = {0};
  (void)state;
  k.cpu = several;
  k.n_cpu = sizeof several / sizeof *several;
  assert_int_equal(run(&k, NULL), 1);
  k.n_cpu = 4;
  assert_int_equal(run(&k, &err), 0);
  assert_int_equal(err.status, RP_ERR_UNSUPPORTED);
  assert_non_null(strstr(err.reason, "\"own_add\" has no variant for this CPU device (enabled: c)"));
}

static void what_is_no_kernel_is_refused(void **state) {
  rp_kernel unset = good, listless = good, short_list = good;
  (void)state;
  unset.struct_size = 0;
  listless.cpu = NULL;
  short_list.struct_size = offsetof(rp_kernel, cpu);
  const rp_kernel *const wrong[] = {&unset, &listless, &short_list};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rp_error err = {0};
    assert_int_equal(run(wrong[i], &err), 0);
    assert_int_equal(err.status, RP_ERR_ARGUMENT);
    assert_non_null(strstr(err.reason, "a kernel needs struct_size, a name"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_shorter_kernel_is_read_to_its_end_only), cmocka_unit_test(a_longer_kernel_is_taken),
      cmocka_unit_test(other_instruction_sets_are_passed_over), cmocka_unit_test(what_is_no_kernel_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
