/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plain prover on the host against snarkjs and the verifier.
 */
#include "reference.h"

#include <stdio.h>

static void prove(const char *fixture, uint8_t first_blinding, rp_fflonk_proof *proof) {
  char zkey[4096];
  uint8_t blinding[RP_FFLONK_BLINDING][32] = {{0}};
  for (uint8_t i = 0; i < RP_FFLONK_BLINDING; i++) blinding[i][0] = (uint8_t)(first_blinding + i);
  snprintf(zkey, sizeof zkey, "%s", fixture_path(fixture, "circuit.zkey"));
  reference_prove(zkey, fixture_path(fixture, "witness.wtns"), (const uint8_t(*)[32])blinding, proof);
}

static void proofs_are_those_of_snarkjs(void **state) {
  (void)state;
  for (int i = 0; i < FFLONK_FIXTURES; i++) {
    blob expected = fixture_read(fflonk_fixture[i], "proof_blinding_2_3_4.json");
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    rp_fflonk_proof proof;
    prove(fflonk_fixture[i], 2, &proof);
    EXPECT(RP_OK, rp_fflonk_proof_to_json(&proof, text, sizeof text, &bytes, &err), &err);
    assert_int_equal(bytes, expected.bytes);
    assert_memory_equal(text, expected.data, bytes);
    blob_free(&expected);
  }
}

/* Other blinding values give another proof, which is also valid: blinding does not change what is proved. */
static void other_blinding_verifies(void **state) {
  const bench *b = *state;
  for (int i = 0; i < FFLONK_FIXTURES; i++) {
    proved other;
    rp_error err = {0};
    proved_open(b->context, fflonk_fixture[i], "proof.json", &other);
    rp_fflonk_proof proof;
    prove(fflonk_fixture[i], 100, &proof);
    assert_memory_not_equal(&proof, &other.proof, sizeof proof);
    other.proof = proof;
    EXPECT(RP_OK, proved_verify(&other, &err), &err);
    proved_close(&other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_are_those_of_snarkjs),
      cmocka_unit_test(other_blinding_verifies),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
