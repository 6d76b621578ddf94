/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a batch inversion costs, counted in the kernels themselves (plain C, BN254 Fr): one inversion and 3 (N - 1)
 * products for the serial chain; for the blocks that are used otherwise, the figures of docs/sources.md.
 */
#include <reprise/ops.h>

#include "counted_inverse.h"
#include "data.h"
#include "device.h"

#include <stdio.h>

static void count(uint64_t n, uint32_t serial, uint32_t constant_time) {
  void *x = data_field(RP_FIELD_BN254_FR, DATA_SPARSE, n, n), *out = malloc(n * 32);
  rp_error err = {0};
  rp_graph *g;
  rp_recording *recording;
  rp_run *run;
  assert_int_equal(rp_graph_create(device_context(), "count", &g, NULL), RP_OK);
  rp_value v = rp_graph_input(g, "x", rp_type_field(RP_FIELD_BN254_FR), n, 0);
  rp_graph_output(g, "out",
                  rp_batch_inverse(g, v,
                                   &(rp_batch_inverse_options){.struct_size = sizeof(rp_batch_inverse_options),
                                                               .serial = serial,
                                                               .constant_time = constant_time}),
                  0);
  if (rp_record(device_current(), g, NULL, &recording, &err) != RP_OK) fail_msg("%s", err.reason);
  assert_int_equal(rp_run_begin(recording, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, v, x, n * 32), RP_OK);
  counted_products = counted_inversions = 0;
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  free(x), free(out);
}

static void serial(void **state) {
  static const uint64_t sizes[] = {1, 2, 8, 64, 256, 1024, 4096, 5000};
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (uint32_t ct = 0; ct < 2; ct++) {
      count(sizes[i], 1, ct);
      assert_int_equal(counted_inversions, 1);
      assert_int_equal(counted_products, 3 * (sizes[i] - 1));
    }
}

/* Up to four blocks take 3 N + 9 products: four chains are joined, and separated again. With more elements, a block of
 * 256 takes 3 * 256 + 16, because its chains are joined twice, and its product is one element of the next level. */
static uint64_t products_of_blocks(uint64_t n) {
  return n <= 1024 ? 3 * n + 9 : n / 256 * 784 + products_of_blocks(n / 256);
}

static void blocks(void **state) {
  static const uint64_t sizes[] = {256, 1024, 4096, 1 << 16, 1 << 18};
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const uint64_t n = sizes[i];
    count(n, 0, 0);
    printf("%llu elements: %llu products, 3 (N - 1) + %.2f%%; %llu inversion\n", (unsigned long long)n,
           (unsigned long long)counted_products, 100 * ((double)counted_products / (3 * ((double)n - 1)) - 1),
           (unsigned long long)counted_inversions);
    assert_int_equal(counted_inversions, 1);
    assert_int_equal(counted_products, products_of_blocks(n));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(serial), cmocka_unit_test(blocks)};
  setenv("REPRISE_TEST_DEVICES", "cpu-c", 1); /* the kernels that are counted */
  return device_run_tests("inverse_counts", tests, sizeof tests / sizeof tests[0]);
}
