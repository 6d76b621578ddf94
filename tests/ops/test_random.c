/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Random elements are uniform: below the modulus, in sixteen equal parts of the range equally often, each bit below the
 * highest as often 0 as 1, no two alike. A wrong verdict of the statistics has a probability below 2^-20.
 */
#include <reprise/host.h>
#include <reprise/types.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DRAWS = 8192, CELLS = 16, MOST_BYTES = 64, LEAST_BITS = 24 };

static double fraction_of(const uint8_t *le, const rp_field_host *f) {
  double value = 0, modulus = 0;
  for (uint32_t i = f->canonical_bytes; i-- > 0;) {
    value = value * 256 + le[i];
    modulus = modulus * 256 + f->modulus_le[i];
  }
  return value / modulus;
}

static int is_below(const uint8_t *le, const rp_field_host *f) {
  for (uint32_t i = f->canonical_bytes; i-- > 0;)
    if (le[i] != f->modulus_le[i]) return le[i] < f->modulus_le[i];
  return 0;
}

/* Chi-square with 15 degrees of freedom is above 80 with a probability below 2^-35. */
static void check_cells(const uint32_t cell[CELLS], const char *name) {
  const double mean = (double)DRAWS / CELLS;
  double sum = 0;
  for (int i = 0; i < CELLS; i++) sum += (cell[i] - mean) * (cell[i] - mean) / mean;
  if (sum > 80) fail_msg("%s: elements are not equally often in sixteen parts of the range: %f", name, sum);
}

/* Checks all bits but the highest eight, whose frequency depends on the modulus: each is 1 in half of the draws, up to
 * seven standard deviations. */
static void check_bits(const uint32_t *ones, const rp_field_host *f) {
  const int64_t most = 317; /* 7 sqrt(DRAWS) / 2 */
  for (uint32_t bit = 0; bit + 8 < f->modulus_bits; bit++) {
    const int64_t off = (int64_t)ones[bit] - DRAWS / 2;
    if (off > most || off < -most) fail_msg("%s: bit %u is 1 in %u of %d draws", f->name, bit, ones[bit], DRAWS);
  }
}

static void elements_are_uniform(void **state) {
  static uint8_t drawn[DRAWS][MOST_BYTES];
  unsigned fields = 0;
  (void)state;
  for (rp_field id = 0; id < RP_FIELD_COUNT; id++) {
    const rp_field_host *f = rp_field_get(id);
    uint32_t cell[CELLS] = {0}, ones[8 * MOST_BYTES] = {0};
    if (!f || f->degree != 1 || f->modulus_bits < LEAST_BITS) continue;
    fields++;
    for (int i = 0; i < DRAWS; i++) {
      memset(drawn[i], 0xff, MOST_BYTES);
      assert_int_equal(rp_random_canonical(id, drawn[i]), RP_OK);
      assert_true(is_below(drawn[i], f));
      cell[(int)(fraction_of(drawn[i], f) * CELLS)]++;
      for (uint32_t bit = 0; bit < f->modulus_bits; bit++) ones[bit] += drawn[i][bit / 8] >> bit % 8 & 1;
      assert_int_equal(drawn[i][f->canonical_bytes], 0xff); /* no byte more is written */
      if (f->modulus_bits > 128 && i) assert_memory_not_equal(drawn[i], drawn[i - 1], f->canonical_bytes);
    }
    check_cells(cell, f->name);
    check_bits(ones, f);
  }
  assert_true(fields >= 9);
}

static void wrong_arguments(void **state) {
  uint8_t out[MOST_BYTES];
  (void)state;
  assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FR, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FP2, out), RP_ERR_ARGUMENT);
  assert_int_equal(rp_random_canonical(RP_FIELD_COUNT, out), RP_ERR_ARGUMENT);
  assert_int_equal(rp_random_bytes(NULL, 1), RP_ERR_ARGUMENT);
  assert_int_equal(rp_random_bytes(NULL, 0), RP_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements_are_uniform), cmocka_unit_test(wrong_arguments)};
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
