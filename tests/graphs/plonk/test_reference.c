/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * With snarkjs's key, witness and blinding values, the proof is exactly snarkjs's.
 */
#include "common.h"
#include "reference_poly.h"

static void blinding_from(uint8_t first, uint8_t blinding[REFERENCE_BLINDING][32]) {
  memset(blinding, 0, REFERENCE_BLINDING * 32);
  for (uint8_t i = 0; i < REFERENCE_BLINDING; i++) blinding[i][0] = (uint8_t)(first + i);
}

typedef struct opened_files {
  support_file *key, *wtns;
  plonk_zkey zkey;
} opened_files;

static void files_open(const char *fixture, opened_files *f) {
  rp_error err = {0};
  EXPECT(RP_OK, support_file_open(fixture_path(fixture, "circuit.zkey"), 0, &f->key, &err), &err);
  EXPECT(RP_OK, support_file_open(fixture_path(fixture, "witness.wtns"), 0, &f->wtns, &err), &err);
  EXPECT(RP_OK, plonk_zkey_open(f->key, &f->zkey, &err), &err);
}

static void files_close(opened_files *f) {
  support_file_close(f->key);
  support_file_close(f->wtns);
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

/* Other blinding values give another proof, which is also valid: blinding does not change what is proved. */
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
      memset(blinding, 0, sizeof blinding); /* round 0: all blinding values are 0 */
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

/* In the key, the n coefficients of a polynomial are followed by its values at the 4n-th roots of unity. */
static void keys_hold_coefficients_and_values(void **state) {
  (void)state;
  for (int i = 0; i < PLONK_FIXTURES; i += 2) {
    opened_files f;
    plonk_fr w;
    files_open(plonk_fixture[i], &f);
    const uint64_t n = f.zkey.common.domain_size;
    assert_true(rp_field_get(RP_FIELD_BN254_FR)->root(&w, RP_ROOT_SNARKJS, f.zkey.vk.log_domain + 2));
    for (plonk_section id = PLONK_QM; id <= PLONK_LAGRANGE; id++)
      for (uint64_t at = 0; at < plonk_section_count(&f.zkey.common, id); at += 5 * n) {
        reference_poly p = reference_zero(n);
        plonk_fr *stored = reference_elements(4 * n);
        rp_error err = {0};
        EXPECT(RP_OK, plonk_scalars_read(&f.zkey.common, id, at, n, p.at, &err), &err);
        EXPECT(RP_OK, plonk_scalars_read(&f.zkey.common, id, at + n, 4 * n, stored, &err), &err);
        plonk_fr *values = reference_values(p, 4 * n, &w);
        assert_memory_equal(stored, values, 4 * n * sizeof *values);
        free(values), free(stored), free(p.at);
      }
    files_close(&f);
  }
}

/* The commitments in the header are those of the polynomials that follow it. */
static void keys_commit_to_their_polynomials(void **state) {
  (void)state;
  for (int i = 0; i < PLONK_FIXTURES; i++) {
    opened_files f;
    files_open(plonk_fixture[i], &f);
    const uint64_t n = f.zkey.common.domain_size;
    for (int k = 0; k < PLONK_KEY_POINTS; k++) {
      const int sigma = k - PLONK_SELECTORS;
      reference_poly p = reference_zero(n);
      uint8_t point[64];
      rp_error err = {0};
      EXPECT(RP_OK,
             sigma < 0 ? plonk_scalars_read(&f.zkey.common, (plonk_section)(PLONK_QM + k), 0, n, p.at, &err)
                       : plonk_scalars_read(&f.zkey.common, PLONK_SIGMA, 5 * n * (uint64_t)sigma, n, p.at, &err),
             &err);
      reference_commit(&f.zkey, p, point);
      assert_memory_equal(point, &f.zkey.vk.point[k], sizeof point);
      free(p.at);
    }
    files_close(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_hold_coefficients_and_values),
      cmocka_unit_test(keys_commit_to_their_polynomials),
      cmocka_unit_test(proofs_are_those_of_snarkjs),
      cmocka_unit_test(other_blinding_verifies),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
