/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * ops/ntt/ntt_tile.h, which the GPU kernels of the NTT use, compiled as C: the tiles of a pass hold every element of
 * every transform once; the rows of a tile are the sub-transforms that its layers need; twiddles are those of the
 * definition. The passes are those that a plan may have: any split of up to twelve layers, any width of a tile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <reprise/op.h>

#include "ntt/ntt_args.h"
#include "ntt/ntt_tile.h"

static uint32_t reversed_slowly(uint32_t x, uint32_t bits) {
  uint32_t r = 0;
  for (uint32_t i = 0; i < bits; i++) r |= (x >> i & 1) << (bits - 1 - i);
  return r;
}

static void test_reversed(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits <= 32; bits++)
    for (uint32_t i = 0; i < 64; i++) {
      const uint32_t x = (i * 2654435761u) & (bits < 32 ? (1u << bits) - 1 : ~0u);
      assert_int_equal(rp_bit_reverse(x, bits), reversed_slowly(x, bits));
    }
}

/* One pass: `seen` counts the elements of two transforms. */
static void check_pass(struct rp_ntt_args k, uint8_t *seen) {
  const uint32_t n = 1u << k.log_n, tile = 1u << (k.layers + k.log_columns), low = k.log_n - k.first_layer - k.layers;
  memset(seen, 0, 2 * (size_t)n);
  for (uint32_t group = 0; group < 2 * (n / tile); group++) {
    const struct rp_ntt_tile t = rp_ntt_tile_of(k, group);
    assert_true(t.transform < 2);
    for (uint32_t local = 0; local < tile; local++) {
      const uint32_t at = rp_ntt_position_of(k, t, local), row = local >> t.x_bits & ((1u << k.layers) - 1);
      const uint32_t column = t.chunk + (local & ((1u << t.x_bits) - 1)), block = rp_ntt_block_of(k, t, local);
      assert_true(at < n);
      assert_int_equal(seen[(size_t)t.transform * n + at]++, 0);
      /* The layers of the pass are the row's bits, below those of the blocks that earlier layers have made. A column
       * is the same in every row. */
      assert_int_equal(at & ((1u << low) - 1), column);
      assert_int_equal(at >> low & ((1u << k.layers) - 1), row);
      assert_int_equal(at >> (low + k.layers), block);
      /* Blocks of a tile are neighbours where it is written. */
      const int reversed = k.flags & RP_NTT_PERMUTE_OUT && low == 0;
      assert_int_equal(reversed ? reversed_slowly(block, k.first_layer) : block,
                       t.block + (local >> (k.layers + t.x_bits)));
    }
  }
  for (size_t i = 0; i < 2 * (size_t)n; i++) assert_int_equal(seen[i], 1);
}

static void test_every_element_once(void **state) {
  uint8_t *seen = malloc(2 << 12);
  (void)state;
  assert_non_null(seen);
  for (uint32_t log_n = 0; log_n <= 12; log_n += log_n < 6 ? 1 : 3)
    for (uint32_t layers = log_n != 0; layers <= log_n; layers++)
      for (uint32_t first = 0; first + layers <= log_n; first++)
        for (uint32_t columns = 0; columns + layers <= log_n; columns++)
          for (uint32_t flags = 0; flags <= RP_NTT_PERMUTE_OUT; flags += RP_NTT_PERMUTE_OUT)
            check_pass(
                (struct rp_ntt_args){
                    .log_n = log_n, .first_layer = first, .layers = layers, .log_columns = columns, .flags = flags},
                seen);
  free(seen);
}

/* Entry b of the table is w^e with e the log_n - 1 bits of b reversed, so that the exponents of a block in both
 * directions add up to n / 2, where the power is minus one. */
static void test_twiddles(void **state) {
  enum { LOG_N = 10 };
  const struct rp_ntt_args plain = {.log_n = LOG_N}, inverse = {.log_n = LOG_N, .flags = RP_NTT_INVERSE};
  (void)state;
  for (uint32_t b = 1; b < 1u << (LOG_N - 1); b++) {
    assert_int_equal(rp_ntt_twiddle_at(plain, b), b);
    const uint32_t there = reversed_slowly(b, LOG_N - 1);
    const uint32_t back = reversed_slowly(rp_ntt_twiddle_at(inverse, b), LOG_N - 1);
    assert_int_equal((there + back) % (1u << (LOG_N - 1)), 0);
  }
}

static void test_steps(void **state) {
  (void)state;
  for (uint32_t radix = 1; radix <= 4; radix++)
    for (uint32_t layers = 1; layers <= 12; layers++) {
      const uint32_t steps = (layers + radix - 1) / radix;
      uint32_t done = 0;
      for (uint32_t s = 0; s < steps; s++) {
        assert_int_equal(rp_ntt_first_of_step(layers, radix, s), done);
        done += s == 0 && layers % radix ? layers % radix : radix;
      }
      assert_int_equal(done, layers);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reversed), cmocka_unit_test(test_every_element_once),
                                     cmocka_unit_test(test_twiddles), cmocka_unit_test(test_steps)};
  return cmocka_run_group_tests_name("ntt_tile", tests, NULL, NULL);
}
