/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Long constants on every device, given in memory and read from a source (reprise/source.h).
 */
#include "ops/device.h"

#include <reprise/source.h>

enum { LEN = (9 << 17) + 5 }; /* 9 MiB and a few elements */

static uint64_t given_at(uint64_t i) { return i * 0x10001 + 7; }
static uint64_t read_at(uint64_t i) { return i * 0x30003 + 11; }

static rp_status read_source(void *user, uint64_t offset, uint64_t bytes, void *to, rp_error *err) {
  (void)user, (void)err;
  for (uint64_t at = 0; at < bytes; at += 8) {
    const uint64_t element = read_at((offset + at) / 8);
    memcpy((char *)to + at, &element, 8);
  }
  return RP_OK;
}

static void sums_with_long_constants(void **state) {
  (void)state;
  const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
  const rp_constant_source source = {.struct_size = sizeof source, .read = read_source};
  uint64_t *given = malloc((size_t)LEN * 8), *x = malloc((size_t)LEN * 8), *out = malloc((size_t)LEN * 8);
  job j;
  assert_true(given && x && out);
  for (uint64_t i = 0; i < LEN; i++) given[i] = given_at(i), x[i] = i;
  job_begin(&j);
  const rp_value sum = rp_add(j.graph, job_input(&j, type, LEN, x), job_constant(&j, type, LEN, given)),
                 from = rp_graph_constant_from(j.graph, "read", type, LEN, &source);
  job_output(&j, rp_add(j.graph, sum, from), out);
  job_check(&j);
  for (uint64_t i = 0; i < LEN; i++) assert_true(out[i] == i + given_at(i) + read_at(i));
  free(given), free(x), free(out);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_with_long_constants)};
  return device_run_tests("long constants", tests, 1);
}
