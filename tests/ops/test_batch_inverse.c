/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion: blocked, serial, constant-time; zeros, mask, strict.
 *
 * op-test lavapipe:slow least label:sources
 */
#include "data.h"
#include "device.h"
#include "ref/ref.h"

static void check_size(rp_field field, data_kind kind, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  size_t bytes = n * f->size_bytes;
  void *x = data_field(field, kind, n, n), *want = malloc(bytes), *got[4];
  uint8_t *mask = malloc(n);
  job j;
  job_begin(&j);
  rp_value v = job_input(&j, rp_type_field(field), n, x), zero_mask = RP_NO_VALUE;
  for (uint32_t i = 0; i < 4; i++) {
    rp_batch_inverse_options o = {.struct_size = sizeof o,
                                  .constant_time = i & 1,
                                  .serial = i >> 1,
                                  .zero_mask = i == 3 || n % 2 ? &zero_mask : NULL};
    got[i] = malloc(bytes);
    job_output(&j, rp_batch_inverse(j.graph, v, &o), got[i]);
  }
  job_output(&j, zero_mask, mask);
  job_check(&j);
  ref_inverse(f, want, x, n);
  for (int i = 0; i < 4; i++) {
    data_assert_equal(field, got[i], want, n, i & 2 ? "serial inverse" : "inverse");
    free(got[i]);
  }
  for (uint64_t i = 0; i < n; i++) assert_int_equal(mask[i], f->is_zero((uint8_t *)x + i * f->size_bytes));
  free(x), free(want), free(mask);
}

static void fields(void **state) {
  (void)state;
  static const uint64_t sizes[] = {1, 2, 3, 4, 5, 7, 64, 255, 1023, 1024, 1025, 1281, 4097};
  for (uint32_t field = 0; field < RP_FIELD_COUNT; field++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      check_size(field, (data_kind)(s % DATA_KINDS), data_cap(sizes[s]));
  check_size(RP_FIELD_GOLDILOCKS, DATA_SPARSE, data_cap(65536));
  check_size(RP_FIELD_GOLDILOCKS, DATA_EDGES, data_cap(256 * 1024 + 1));
  check_size(RP_FIELD_GOLDILOCKS, DATA_SPARSE, data_cap((1 << 21) + 77)); /* the longest chains of a GPU */
}

static void all_zero(void **state) {
  (void)state;
  for (uint64_t n = 1; n <= 5000; n = n * 7 + 1) {
    void *x = calloc(n, 32), *out = malloc(n * 32);
    job j;
    job_begin(&j);
    job_output(&j, rp_batch_inverse(j.graph, job_input(&j, rp_type_field(RP_FIELD_BN254_FP), n, x), NULL), out);
    job_check(&j);
    assert_memory_equal(out, x, n * 32);
    free(x), free(out);
  }
}

static void strict(void **state) {
  (void)state;
  static const uint64_t sizes[] = {1, 100, 3000};
  for (size_t s = 0; s < 3; s++)
    for (uint32_t serial = 0; serial < 2; serial++)
      for (int zero = 0; zero < 2; zero++) {
        uint64_t n = sizes[s];
        uint8_t *x = data_field_nonzero(RP_FIELD_SECP256K1_FN, DATA_RANDOM, n, n), *out = malloc(n * 32);
        if (zero) memset(x + (n - 1) * 32, 0, 32);
        rp_batch_inverse_options o = {.struct_size = sizeof o, .zero = RP_ZERO_STRICT, .serial = serial};
        job j;
        job_begin(&j);
        job_output(&j, rp_batch_inverse(j.graph, job_input(&j, rp_type_field(RP_FIELD_SECP256K1_FN), n, x), &o), out);
        assert_int_equal(job_run(&j), zero ? RP_ERR_INPUT : RP_OK);
        if (zero) assert_non_null(strstr(j.error.reason, "zero"));
        free(x), free(out);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fields), cmocka_unit_test(all_zero), cmocka_unit_test(strict)};
  return device_run_tests("batch_inverse", tests, sizeof tests / sizeof tests[0]);
}
