/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums, products, scans and polynomial values.
 *
 * op-test lavapipe:quick
 */
#include "data.h"
#include "device.h"
#include "ref/ref.h"

enum { ELEMENT = 96 };

static void check_size(rp_field field, data_kind kind, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  const rp_type *type = rp_type_field(field);
  size_t size = f->size_bytes;
  void *x = data_field_nonzero(field, kind, n, n), *points = data_field(field, DATA_EDGES, n + 1, 3);
  uint8_t sum[ELEMENT], product[ELEMENT], values[3 * ELEMENT], want[ELEMENT];
  uint8_t *inclusive = malloc(n * size), *exclusive = malloc(n * size), *scan = malloc(n * size);
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, type, n, x);
  job_output(&j, rp_sum(j.graph, v), sum);
  job_output(&j, rp_product(j.graph, v), product);
  job_output(&j, rp_prefix_product(j.graph, v, 0), inclusive);
  job_output(&j, rp_prefix_product(j.graph, v, 1), exclusive);
  job_output(&j, rp_poly_eval(j.graph, v, job_input(&j, type, 3, points)), values);
  job_check(&j);
  ref_sum(f, want, x, n);
  data_assert_equal(field, sum, want, 1, "sum");
  ref_prefix_product(f, scan, x, 1, n);
  data_assert_equal(field, exclusive, scan, n, "exclusive prefix product");
  ref_prefix_product(f, scan, x, 0, n);
  data_assert_equal(field, inclusive, scan, n, "prefix product");
  data_assert_equal(field, product, scan + (n - 1) * size, 1, "product");
  for (int i = 0; i < 3; i++) {
    ref_poly_eval(f, want, x, n, (uint8_t *)points + (size_t)i * size);
    data_assert_equal(field, values + (size_t)i * size, want, 1, "poly_eval");
  }
  free(x), free(points), free(inclusive), free(exclusive), free(scan);
}

static void fields(void **state) {
  (void)state;
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (const uint64_t *n = data_sizes; data_fits(*n); n++) check_size(field, (data_kind)(*n % DATA_KINDS), *n);
}

/* Three levels of blocks; the shares of threads are longer than a cache line, but not a multiple of it. */
static void three_levels(void **state) {
  (void)state;
  check_size(RP_FIELD_GOLDILOCKS, DATA_RANDOM, 1024 * 1024 + 1025);
  check_size(RP_FIELD_GOLDILOCKS, DATA_RANDOM, 1900001);
}

static void prefix_sums(void **state) {
  (void)state;
  for (const uint64_t *n = data_sizes; data_fits(*n); n++) {
    uint64_t seed = *n;
    uint32_t *x = malloc(*n * 4), *got = malloc((*n + 1) * 4), sum = 0;
    for (uint64_t i = 0; i < *n; i++) x[i] = (uint32_t)(data_next(&seed) % 60000);
    job j;
    job_begin(&j);
    job_output(&j, rp_prefix_sum(j.graph, job_input(&j, &RP_TYPE_U32, *n, x)), got);
    job_check(&j);
    for (uint64_t i = 0; i <= *n; i++) {
      assert_int_equal(got[i], sum);
      if (i < *n) sum += x[i];
    }
    free(x), free(got);
  }
}

/* More blocks than a workgroup adds up alone. */
static void prefix_sum_of_many(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const uint64_t n = info.kind == RP_DEVICE_CUDA ? (1 << 24) + 4097 : (1 << 17) + 77;
  if (!data_fits(n)) return;
  uint64_t seed = n;
  uint32_t *x = malloc(n * 4), *got = malloc((n + 1) * 4), sum = 0;
  assert_true(x && got);
  for (uint64_t i = 0; i < n; i++) x[i] = (uint32_t)(data_next(&seed) % 200);
  job j;
  job_begin(&j);
  job_output(&j, rp_prefix_sum(j.graph, job_input(&j, &RP_TYPE_U32, n, x)), got);
  job_check(&j);
  for (uint64_t i = 0; i <= n; i++) {
    if (got[i] != sum) fail_msg("sum before %llu of %llu", (unsigned long long)i, (unsigned long long)n);
    if (i < n) sum += x[i];
  }
  free(x), free(got);
}

/* Totals that just fit in 32 bits, and that just do not. */
static void prefix_sum_overflow(void **state) {
  (void)state;
  for (uint32_t over = 0; over < 2; over++) {
    uint32_t x[5000] = {0}, got[5001];
    x[1] = UINT32_MAX - 7;
    x[4999] = 7 + over;
    job j;
    job_begin(&j);
    job_output(&j, rp_prefix_sum(j.graph, job_input(&j, &RP_TYPE_U32, 5000, x)), got);
    assert_int_equal(job_run(&j), over ? RP_ERR_INPUT : RP_OK);
    if (!over) assert_int_equal(got[5000], UINT32_MAX);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(three_levels),
                                     cmocka_unit_test(prefix_sums), cmocka_unit_test(prefix_sum_of_many),
                                     cmocka_unit_test(prefix_sum_overflow)};
  return device_run_tests("reduce", tests, sizeof tests / sizeof tests[0]);
}
