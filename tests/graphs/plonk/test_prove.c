/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The prover of PLONK: the tests of prove_body.h with its functions, and which keys blind nothing.
 */
#include "common.h"
#include "reference.h"

#include "plonk/formats/zkey.h"

enum { FIRST_POLYNOMIAL = PLONK_QM };
#include "graphs/plonk/prove_body.h"

static void assert_as_reference(const char *fixture, uint8_t blinding[BLINDING][32], const rp_plonk_proof *proof) {
  support_file *key, *wtns;
  plonk_zkey zkey;
  reference r;
  rp_error err = {0};
  EXPECT(RP_OK, support_file_open(fixture_path(fixture, "circuit.zkey"), 0, &key, &err), &err);
  EXPECT(RP_OK, support_file_open(fixture_path(fixture, "witness.wtns"), 0, &wtns, &err), &err);
  EXPECT(RP_OK, plonk_zkey_open(key, &zkey, &err), &err);
  reference_prove(&zkey, wtns, blinding, &r);
  assert_memory_equal(proof, &r.proof, sizeof r.proof);
  reference_free(&r);
  support_file_close(key);
  support_file_close(wtns);
}

/* If tau^n is 1, the blinding terms are multiples of 0. */
static void keys_that_blind_nothing_are_refused(void **state) {
  bench *b = *state;
  files f = files_of(plonk_fixture[0]);
  uint8_t *tau = section_of(&f.zkey, PLONK_TAU);
  rp_plonk_key *key;
  rp_plonk_key_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  EXPECT(RP_OK, rp_plonk_key_open_memory(b->context, f.zkey.data, f.zkey.bytes, NULL, &key, &err), &err);
  rp_plonk_key_get_info(key, &info);
  rp_plonk_key_close(key);
  assert_int_equal(info.n_vars, f.n);
  assert_int_equal(info.points_checked, 0);
  memcpy(tau + info.domain * PLONK_POINT_BYTES, tau, PLONK_POINT_BYTES);
  EXPECT(RP_ERR_FORMAT, rp_plonk_key_open_memory(b->context, f.zkey.data, f.zkey.bytes, NULL, &key, &err), &err);
  assert_null(key);
  assert_non_null(strstr(err.reason, "hide nothing"));
  files_free(&f);
}

/* The values of polynomials behind the coefficients are not read. */
static void hostile_keys_are_refused(void **state) {
  assert_int_equal(open_hostile_keys(*state), 3); /* in Qc, sigma, and the Lagrange polynomials */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_are_those_of_snarkjs),
      cmocka_unit_test(other_blinding_as_in_the_reference),
      cmocka_unit_test(blinding_is_what_the_system_draws),
      cmocka_unit_test(wrong_witnesses_give_no_proof),
      cmocka_unit_test(foreign_witnesses_are_refused),
      cmocka_unit_test(proofs_of_altered_keys_are_not_released),
      cmocka_unit_test(keys_that_blind_nothing_are_refused),
      cmocka_unit_test(points_are_checked_on_request),
      cmocka_unit_test(hostile_keys_are_refused),
      cmocka_unit_test(batch_runs_three_at_a_time),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
