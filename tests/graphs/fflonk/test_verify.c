/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier of FFLONK: the tests of graphs/plonk/verify_body.h with its functions, what only its equation has, and
 * changes of keys.
 */
#include "common.h"

#include "fflonk/formats/json.h"
#include "fflonk/verify/verify.h"

#include "graphs/plonk/verify_body.h"

/* No challenge depends on the last point, so if it is changed, only the pairing equation can fail. */
static void the_last_point_is_only_in_the_pairing(void **state) {
  const bench *b = *state;
  proved p;
  plonk_g1 other;
  rp_error err = {0};
  proved_open(b->context, fflonk_fixture[0], "proof.json", &p);
  another_point(p.proof.w2, 0, &other);
  memcpy(p.proof.w2, &other, sizeof other);
  assert_int_equal(proved_verify(&p, &err), RP_ERR_VERIFY);
  assert_non_null(strstr(err.reason, "the pairing equation does not hold"));
  proved_close(&p);
}

/* The inverse of the denominators is not part of the equation, and is compared by itself. */
static void inverse_is_that_of_contracts(void **state) {
  const bench *b = *state;
  for (int f = 0; f < FFLONK_FIXTURES; f++) {
    proved p;
    rp_error err = {0};
    proved_open(b->context, fflonk_fixture[f], "proof.json", &p);
    another_scalar(p.proof.inv, 0);
    assert_int_equal(proved_verify(&p, &err), RP_ERR_VERIFY);
    assert_non_null(strstr(err.reason, "inv is not the inverse"));
    proved_close(&p);
  }
}

/* In a proof, a changed evaluation also changes alpha and the inverse, which would hide that the equation lacks it. */
static void every_evaluation_is_in_the_equation(void **state) {
  const bench *b = *state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  proved p;
  proved_open(b->context, fflonk_fixture[0], "proof.json", &p);
  const rp_fflonk_proof good = p.proof;
  const fflonk_vkey *key = fflonk_vkey_of(p.vkey);
  fflonk_values at_good, at_other;
  uint8_t scalar[2][FFLONK_TERMS][32];
  assert_int_equal(fflonk_values_of(key, &good, p.signals, &at_good), FFLONK_GOES_ON);
  fflonk_combine(key, &at_good, scalar[0]);
  for (int i = 0; i < FFLONK_HASHED_SCALARS; i++) { /* the challenges stay, and only the scalars of the sum change */
    plonk_fr one;
    fr->one(&one);
    at_other = at_good;
    fr->add(&at_other.e[i], &at_other.e[i], &one);
    fflonk_combine(key, &at_other, scalar[1]);
    assert_memory_equal(scalar[0], scalar[1], 32 * (FFLONK_TERMS - 1));
    assert_memory_not_equal(scalar[0][FFLONK_TERMS - 1], scalar[1][FFLONK_TERMS - 1], 32);
  }
  proved_close(&p);
}

static void other_keys_are_refused(void **state) {
  const bench *b = *state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  const rp_curve_host *g2 = rp_curve_get(RP_CURVE_BN254_G2);
  for (int f = 0; f < FFLONK_FIXTURES; f++) {
    proved p;
    plonk_fr one;
    proved_open(b->context, fflonk_fixture[f], "proof.json", &p);
    const fflonk_vkey good = *fflonk_vkey_of(p.vkey);
    fflonk_vkey key = good;
    fr->one(&one);
    assert_int_equal(verify_with(&p, &key), RP_OK);
    for (int which = 0; which < OTHER_POINTS; which++) {
      another_point(&good.c0, which, &key.c0);
      assert_int_equal(verify_with(&p, &key), which == 2 ? RP_ERR_INPUT : RP_ERR_VERIFY);
    }
    key = good, key.c0.limb[4] ^= 1;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good, fr->add(&key.k1, &key.k2, &one);
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    key.k1 = good.k2;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good, fr->add(&key.k2, &key.k2, &one);
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    fr->zero(&key.k2);
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good, g2->neg(&key.x_2, &key.x_2);
    assert_int_equal(verify_with(&p, &key), RP_ERR_VERIFY);
    g2->identity(&key.x_2);
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    key = good, key.n_public++;
    assert_int_equal(verify_with(&p, &key), RP_ERR_MISMATCH);
    key.n_public = (1u << good.log_domain) + 1;
    assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
    proved_close(&p);
  }
}

/* The roots of a key must be roots of the right order, and any such root gives the same sets and the same verdict. */
static void roots_are_roots(void **state) {
  const bench *b = *state;
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  proved p;
  plonk_fr one;
  proved_open(b->context, fflonk_fixture[0], "proof.json", &p);
  const fflonk_vkey good = *fflonk_vkey_of(p.vkey);
  fflonk_vkey key = good;
  fr->one(&one);
  fr->sqr(&key.w3, &good.w3);
  assert_int_equal(verify_with(&p, &key), RP_OK);
  key.w3 = one;
  assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
  fr->add(&key.w3, &good.w3, &one);
  assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
  key = good, fr->mul(&key.wr, &good.wr, &good.w3);
  assert_int_equal(verify_with(&p, &key), RP_OK);
  key.wr = one;
  assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
  key = good, key.log_domain++; /* wr is for the smaller domain */
  assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
  key.log_domain = 29;
  assert_int_equal(verify_with(&p, &key), RP_ERR_INPUT);
  proved_close(&p);
}

static void calldata_checks_its_arguments(void **state) {
  const bench *b = *state;
  proved p;
  proved_open(b->context, fflonk_fixture[0], "proof.json", &p);
  assert_int_equal(rp_fflonk_calldata(NULL, p.signals, p.n, NULL, 0, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_calldata(&p.proof, NULL, p.n, NULL, 0, NULL, NULL), RP_ERR_ARGUMENT);
  proved_close(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_of_snarkjs_verify),
      cmocka_unit_test(other_points_of_a_proof_are_refused),
      cmocka_unit_test(the_last_point_is_only_in_the_pairing),
      cmocka_unit_test(other_evaluations_are_refused),
      cmocka_unit_test(inverse_is_that_of_contracts),
      cmocka_unit_test(every_evaluation_is_in_the_equation),
      cmocka_unit_test(other_signals_are_refused),
      cmocka_unit_test(other_keys_are_refused),
      cmocka_unit_test(roots_are_roots),
      cmocka_unit_test(arguments_are_checked),
      cmocka_unit_test(calldata_checks_its_arguments),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
