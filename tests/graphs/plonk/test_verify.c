/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier of PLONK: the tests of verify_body.h with its functions, and changes of keys.
 */
#include "common.h"

#include "plonk/formats/json.h"
#include "plonk/verify/verify.h"

#include "graphs/plonk/verify_body.h"

static void other_keys_are_refused(void **state) {
  const bench *b = *state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  for (int f = 0; f < PLONK_FIXTURES; f++) {
    proved p;
    plonk_fr one;
    proved_open(b->context, plonk_fixture[f], "proof.json", &p);
    const plonk_vkey good = *plonk_vkey_of(p.vkey);
    plonk_vkey key = good;
    fr->one(&one);
    assert_int_equal(verify_with(&p, &key), RP_OK);
    for (int i = 0; i < PLONK_KEY_POINTS; i++) {
      for (int which = 0; which < OTHER_POINTS; which++) {
        another_point(&good.point[i], which, &key.point[i]);
        const rp_status expected =
            which == 2 && !plonk_may_be_infinity(i) ? RP_ERR_INPUT : RP_ERR_VERIFY; /* the key itself is refused */
        assert_int_equal(verify_with(&p, &key), expected);
      }
      memcpy(&key.point[i], &good.point[(i + 1) % PLONK_KEY_POINTS], sizeof key.point[i]);
      const int same = memcmp(&key.point[i], &good.point[i], sizeof key.point[i]) == 0;
      if (!same) assert_int_not_equal(verify_with(&p, &key), RP_OK);
      key.point[i] = good.point[i];
      key.point[i].limb[4] ^= 1; /* y: off the curve */
      assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
      key = good;
    }
    fr->add(&key.k1, &key.k2, &one);
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    key.k1 = good.k2;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key.k1 = one;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good;
    fr->add(&key.k2, &key.k2, &one);
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    fr->zero(&key.k2);
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good;
    rp_curve_get(RP_CURVE_BN254_G2)->neg(&key.x_2, &key.x_2);
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    rp_curve_get(RP_CURVE_BN254_G2)->identity(&key.x_2);
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good;
    key.log_domain++;
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    key.log_domain = 29;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good;
    key.n_public++;
    assert_int_equal(verify_with(&p, &key), RP_ERR_MISMATCH);
    key.n_public = (1u << good.log_domain) + 1;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    proved_close(&p);
  }
}

/* Cosets are compared, not shifts: k2 may be neither an element of the domain nor k1 times such an element. */
static void cosets_are_told_apart(void **state) {
  const bench *b = *state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  proved p;
  plonk_fr w;
  proved_open(b->context, plonk_fixture[0], "proof.json", &p);
  plonk_vkey key = *plonk_vkey_of(p.vkey);
  assert_true(fr->root(&w, RP_ROOT_SNARKJS, key.log_domain));
  fr->mul(&key.k2, &key.k1, &w);
  assert_int_equal(plonk_vkey_check("key", &key, NULL), RP_ERR_INPUT);
  key.k2 = w;
  assert_int_equal(plonk_vkey_check("key", &key, NULL), RP_ERR_INPUT);
  /* Its square is in the domain, but itself it is not. */
  assert_true(fr->root(&w, RP_ROOT_SNARKJS, key.log_domain + 1));
  key.k2 = w;
  assert_int_equal(plonk_vkey_check("key", &key, NULL), RP_OK);
  proved_close(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_of_snarkjs_verify),      cmocka_unit_test(other_points_of_a_proof_are_refused),
      cmocka_unit_test(other_evaluations_are_refused), cmocka_unit_test(other_signals_are_refused),
      cmocka_unit_test(other_keys_are_refused),        cmocka_unit_test(cosets_are_told_apart),
      cmocka_unit_test(arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
