/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What untrusted inputs of PLONK cost: the tests of bounds_body.h with its functions, and long texts.
 */
#include "common.h"

#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"
#include "plonk/verify/verify.h"

enum { KEPT_VARIABLES = 0 };
#include "graphs/plonk/bounds_body.h"

static void complete_key(plonk_vkey *key) { (void)key; }

/* Texts of the largest size that is read, which end where the last member should be. */
static void texts_cost_what_they_are_long(void **state) {
  const bench *b = *state;
  static const char *const heads[] = {"{\"protocol\":\"plonk\",\"curve\":\"bn128\",\"A\":[", "{\"a\":1,", "{\"A\":"};
  static const char *const items[] = {"[1,2],", "\"A\":[1,2],", "        "};
  static const char *const tails[] = {"1]}", "\"b\":1}", "1}"};
  for (int i = 0; i < 6; i++) {
    call at[2] = {{.context = b->context}, {.context = b->context}};
    const int shape = i % 3;
    for (int k = 0; k < 2; k++) {
      const size_t most = k ? 60000 : 15000, head = strlen(heads[shape]), item = strlen(items[shape]);
      char *text = malloc(most + 64);
      size_t n = head;
      memcpy(text, heads[shape], head);
      for (; n + item < most; n += item) memcpy(text + n, items[shape], item);
      memcpy(text + n, tails[shape], strlen(tails[shape]) + 1);
      at[k].run = i < 3 ? read_proof : read_key;
      at[k].text = text, at[k].bytes = n + strlen(tails[shape]);
      spend(&at[k]);
      assert_int_equal(at[k].status, RP_ERR_FORMAT);
      assert_true(at[k].cost.peak == 0);
      free(text);
    }
    if (at[1].cost.seconds > 8 * at[0].cost.seconds + 1e-3)
      fail_msg("shape %d: four times the text takes %.1f times the time", i, at[1].cost.seconds / at[0].cost.seconds);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(verifying_costs_a_little_for_each_signal),
      cmocka_unit_test(verdicts_take_little_memory),
      cmocka_unit_test(texts_cost_what_they_are_long),
      cmocka_unit_test(keys_take_no_more_than_their_file),
      cmocka_unit_test(witnesses_of_any_length_are_refused),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
