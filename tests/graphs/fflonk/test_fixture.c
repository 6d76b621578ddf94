/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One proof with one key, on the CPU or the device that REPRISE_TEST_DEVICES names, which may be a slow one: exactly
 * snarkjs's with its blinding values.
 */
#include "common.h"
#include "one_submission.h"

static void a_proof_is_that_of_snarkjs(void **state) {
  bench *b = *state;
  blob zkey = fixture_read(fflonk_fixture[0], "circuit.zkey"), wtns = fixture_read(fflonk_fixture[0], "witness.wtns"),
       expected = fixture_read(fflonk_fixture[0], "proof_blinding_2_3_4.json");
  uint8_t blinding[RP_FFLONK_BLINDING][32] = {{0}};
  rp_run_counters counters = {.struct_size = sizeof counters};
  rp_fflonk_key *key;
  rp_fflonk_prover *prover;
  rp_fflonk_proof proof;
  char text[4096];
  size_t n, bytes;
  rp_error err = {0};
  const uint8_t *values = wtns_values(&wtns, &n);
  for (uint8_t i = 0; i < RP_FFLONK_BLINDING; i++) blinding[i][0] = (uint8_t)(2 + i);
  EXPECT(RP_OK, rp_fflonk_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_fflonk_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(
      RP_OK,
      rp_fflonk_prove_unsafe_blinding(prover, values, n, (const uint8_t(*)[32])blinding, &proof, NULL, &counters, &err),
      &err);
  EXPECT(RP_OK, rp_fflonk_proof_to_json(&proof, text, sizeof text, &bytes, &err), &err);
  assert_int_equal(bytes, expected.bytes);
  assert_memory_equal(text, expected.data, bytes);
  assert_one_submission(b->device, counters.submissions);
  assert_int_equal(counters.waits, 1);
  assert_true(counters.bytes_down < 2048);
  rp_fflonk_prover_destroy(prover);
  rp_fflonk_key_close(key);
  blob_free(&zkey), blob_free(&wtns), blob_free(&expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_proof_is_that_of_snarkjs),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
