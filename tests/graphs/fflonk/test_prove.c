/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The prover of FFLONK: the tests of graphs/plonk/prove_body.h with its functions, and which keys blind nothing.
 */
#include "common.h"
#include "reference.h"

#include "fflonk/formats/zkey.h"

enum { FIRST_POLYNOMIAL = FFLONK_SECTION_QL };
#include "graphs/plonk/prove_body.h"

static void assert_as_reference(const char *fixture, uint8_t blinding[BLINDING][32], const rp_fflonk_proof *proof) {
  char zkey[4096];
  rp_fflonk_proof expected;
  snprintf(zkey, sizeof zkey, "%s", fixture_path(fixture, "circuit.zkey"));
  reference_prove(zkey, fixture_path(fixture, "witness.wtns"), (const uint8_t(*)[32])blinding, &expected);
  assert_memory_equal(proof, &expected, sizeof expected);
}

/* If tau^3 or tau^4 is in the domain, the terms that blind z or the wires are multiples of 0. */
static void keys_that_blind_nothing_are_refused(void **state) {
  bench *b = *state;
  files f = files_of(fflonk_fixture[0]);
  uint8_t *tau = section_of(&f.zkey, FFLONK_TAU);
  rp_fflonk_key *key;
  rp_fflonk_key_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  EXPECT(RP_OK, rp_fflonk_key_open_memory(b->context, f.zkey.data, f.zkey.bytes, NULL, &key, &err), &err);
  rp_fflonk_key_get_info(key, &info);
  rp_fflonk_key_close(key);
  assert_int_equal(info.n_vars, f.n);
  assert_int_equal(info.points_checked, 0);
  for (uint64_t times = 3; times <= 4; times++) {
    uint8_t *at = tau + times * info.domain * PLONK_POINT_BYTES, kept[PLONK_POINT_BYTES];
    memcpy(kept, at, sizeof kept);
    memcpy(at, tau, sizeof kept);
    EXPECT(RP_ERR_FORMAT, rp_fflonk_key_open_memory(b->context, f.zkey.data, f.zkey.bytes, NULL, &key, &err), &err);
    assert_null(key);
    assert_non_null(strstr(err.reason, times == 3 ? "tau^3" : "tau^4"));
    assert_non_null(strstr(err.reason, "hide nothing"));
    memcpy(at, kept, sizeof kept);
  }
  files_free(&f);
}

static void hostile_keys_are_refused(void **state) {
  /* in sigma 3, the Lagrange polynomials, C0, and powers of tau behind the first 9n */
  assert_int_equal(open_hostile_keys(*state), 4);
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
