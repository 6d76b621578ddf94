/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * rp_host_variant: of any set of variants the strongest that this processor can run, which are those that a CPU device
 * enables here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lower/lower.h"

/* A kernel is not called here: each variant has an address of its own. */
#define VARIANT(name, value, text)                                                                      \
  static void run_##name(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) { \
    (void)args, (void)begin, (void)end, (void)worker;                                                   \
  }
RP_CPU_ISA_LIST(VARIANT)
#undef VARIANT
static const rp_cpu_fn runs[RP_ISA_COUNT] = {
#define VARIANT(name, value, text) [name] = run_##name,
    RP_CPU_ISA_LIST(VARIANT)
#undef VARIANT
};

/* The choice among the variants of a set, in ascending or descending order. */
static rp_cpu_fn choice(uint32_t set, int descending) {
  rp_cpu_variant list[RP_ISA_COUNT];
  rp_kernel kernel = {.struct_size = sizeof kernel, .cpu = list};
  for (uint32_t i = 0; i < RP_ISA_COUNT; i++) {
    const uint32_t isa = descending ? RP_ISA_COUNT - 1 - i : i;
    if (set >> isa & 1) list[kernel.n_cpu++] = (rp_cpu_variant){(rp_cpu_isa)isa, runs[isa]};
  }
  return rp_host_variant(&kernel);
}

static uint32_t supported(void) {
  uint32_t sets = 0;
  for (uint32_t isa = 0; isa < RP_ISA_COUNT; isa++)
    if (choice(1u << isa, 0)) sets |= 1u << isa;
  return sets;
}

static void strongest_of_each_set(void **state) {
  const uint32_t here = supported();
  (void)state;
  for (uint32_t set = 0; set < 1u << RP_ISA_COUNT; set++) {
    rp_cpu_fn want = NULL;
    for (uint32_t isa = 0; isa < RP_ISA_COUNT; isa++)
      if (set & here & 1u << isa) want = runs[isa];
    for (int descending = 0; descending < 2; descending++) assert_true(choice(set, descending) == want);
  }
}

static void variants_that_are_left_out(void **state) {
  const rp_cpu_variant list[] = {{RP_ISA_X86_IFMA, NULL}, {RP_ISA_C, runs[RP_ISA_C]}, {RP_ISA_X86_ADX, NULL}};
  const rp_kernel kernel = {.struct_size = sizeof kernel, .n_cpu = 3, .cpu = list}, none = {.struct_size = sizeof none};
  (void)state;
  assert_true(rp_host_variant(&kernel) == runs[RP_ISA_C]);
  assert_true(rp_host_variant(&none) == NULL);
}

/* Eight lanes in plain C (REPRISE_SIMD8_PLAIN) run on every device, and are not chosen without their instructions. */
static void as_devices_do(void **state) {
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  const uint32_t here = supported(), also = LANES_IN_PLAIN_C ? 1u << RP_ISA_X86_IFMA : 0;
  rp_device_info info = {.struct_size = sizeof info};
  rp_context *context;
  rp_device *device;
  (void)state;
  assert_int_equal(unsetenv("REPRISE_CPU_ISA"), 0);
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &options, &device, NULL), RP_OK);
  rp_device_get_info(device, &info);
  assert_int_equal(here & ~info.limits.isa, 0);
  assert_int_equal(info.limits.isa & ~here & ~also, 0);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strongest_of_each_set),
                                     cmocka_unit_test(variants_that_are_left_out), cmocka_unit_test(as_devices_do)};
  return cmocka_run_group_tests_name("host kernel", tests, NULL, NULL);
}
