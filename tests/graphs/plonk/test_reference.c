/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * With snarkjs's key, witness and blinding values, exactly snarkjs's proof.
 */
#include "common.h"
#include "reference.h"

static void blinding_from(uint8_t first, uint8_t blinding[REFERENCE_BLINDING][32]) {
  memset(blinding, 0, REFERENCE_BLINDING * 32);
  for (uint8_t i = 0; i < REFERENCE_BLINDING; i++) blinding[i][0] = (uint8_t)(first + i);
}

typedef struct opened_files {
  g16_file *key, *wtns;
  plonk_zkey zkey;
} opened_files;

static void files_open(const char *fixture, opened_files *f) {
  rp_error err = {0};
  EXPECT(RP_OK, g16_file_open(fixture_path(fixture, "circuit.zkey"), 0, &f->key, &err), &err);
  EXPECT(RP_OK, g16_file_open(fixture_path(fixture, "witness.wtns"), 0, &f->wtns, &err), &err);
  EXPECT(RP_OK, plonk_zkey_open(f->key, &f->zkey, &err), &err);
}

static void files_close(opened_files *f) {
  g16_file_close(f->key);
  g16_file_close(f->wtns);
}

static void assert_text(const char *fixture, const char *file, const char *text, size_t bytes) {
  blob expected = fixture_read(fixture, file);
  assert_int_equal(bytes, expected.bytes);
  assert_memory_equal(text, expected.data, bytes);
  blob_free(&expected);
}

static void proofs_are_those_of_snarkjs(void **state) {
  (void)state;
  uint8_t blinding[REFERENCE_BLINDING][32];
  blinding_from(2, blinding);
  for (int i = 0; i < PLONK_FIXTURES; i++) {
    opened_files f;
    reference r;
    char text[4096];
    size_t bytes;
    rp_error err = {0};
    files_open(plonk_fixture[i], &f);
    reference_prove(&f.zkey, f.wtns, blinding, &r);
    EXPECT(RP_OK, rp_plonk_proof_to_json(&r.proof, text, sizeof text, &bytes, &err), &err);
    assert_text(plonk_fixture[i], "proof_blinding_2_3_4.json", text, bytes);
    EXPECT(RP_OK, rp_plonk_public_to_json(r.public_signals, f.zkey.vk.n_public, text, sizeof text, &bytes, &err), &err);
    assert_text(plonk_fixture[i], "public.json", text, bytes);
    reference_free(&r);
    files_close(&f);
  }
}

/* Any other blinding values give another proof, which is as good: what blinds has no share in what is proved. */
static void other_blinding_verifies(void **state) {
  const bench *b = *state;
  opened_files f;
  uint8_t blinding[REFERENCE_BLINDING][32];
  for (int i = 0; i < PLONK_FIXTURES; i += 2) {
    proved p;
    files_open(plonk_fixture[i], &f);
    proved_open(b->context, plonk_fixture[i], "proof_blinding_2_3_4.json", &p);
    for (int round = 0; round < 3; round++) {
      reference r;
      rp_error err = {0};
      memset(blinding, 0, sizeof blinding); /* round 0: none at all */
      for (int k = 0; k < REFERENCE_BLINDING && round; k++)
        assert_int_equal(rp_random_canonical(RP_FIELD_BN254_FR, blinding[k]), RP_OK);
      reference_prove(&f.zkey, f.wtns, blinding, &r);
      assert_memory_not_equal(r.proof.a, p.proof.a, sizeof p.proof.a);
      p.proof = r.proof;
      EXPECT(RP_OK, proved_verify(&p, &err), &err);
      reference_free(&r);
    }
    proved_close(&p);
    files_close(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_are_those_of_snarkjs),
      cmocka_unit_test(other_blinding_verifies),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
