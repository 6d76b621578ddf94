/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a product with a support takes on a CPU: the entries of all scalars, those of the support, and beside them at
 * most 1 MiB of bucket sums per worker.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/ops.h>

enum { N = 1 << 16, BITS = 13, WINDOWS = 20, MIB = 1 << 20 };

static uint64_t arena_bytes(rp_context *context, rp_curve curve, uint32_t workers) {
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = workers};
  const rp_msm_scalars_options how = {.struct_size = sizeof how, .curve = RP_CURVE_BN254_G1, .window_bits = BITS};
  rp_plan_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  rp_device *device;
  rp_graph *g;
  assert_int_equal(rp_device_open(context, &options, &device, &err), RP_OK);
  assert_int_equal(rp_graph_create(context, "memory", &g, &err), RP_OK);
  const rp_value scalars = rp_graph_input(g, "scalars", &RP_TYPE_U256, N, 0);
  const rp_value points = rp_graph_input(g, "points", rp_type_affine(curve), N, 0);
  const rp_value support = rp_graph_input(g, "support", &RP_TYPE_U32, N / 32, 0);
  const rp_value sorted = rp_msm_scalars(g, scalars, &how);
  rp_graph_output(g, "some", rp_to_affine(g, rp_msm_of(g, sorted, points, support)), 0);
  rp_graph_output(g, "all", rp_to_affine(g, rp_msm_of(g, sorted, points, RP_NO_VALUE)), 0);
  if (rp_plan_query(device, g, NULL, &info, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_graph_destroy(g);
  rp_device_close(device);
  return info.arena_bytes;
}

static void sums_are_few(void **state) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BN254_G2};
  const uint64_t entries = (uint64_t)N * WINDOWS * sizeof(uint32_t);
  rp_context *context;
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (int c = 0; c < 2; c++)
    for (uint32_t workers = 1; workers <= 2; workers++) {
      /* For each worker, the memory of its additions (msm/bucket_accumulate.c), and for all one more MiB for what is
       * small. */
      const uint64_t own = c == 0 ? 3 * MIB / 2 : 5 * MIB / 2, most = 2 * entries + workers * (MIB + own) + MIB;
      const uint64_t arena = arena_bytes(context, curves[c], workers);
      if (arena > most) fail_msg("curve %d, %u workers: %zu bytes, not %zu", c, workers, (size_t)arena, (size_t)most);
    }
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_few)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
