/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier accepts snarkjs's proofs, and refuses them if any element of the proof, the signals or the key is
 * changed.
 */
#include "common.h"

#include "fflonk/formats/json.h"
#include "fflonk/verify/verify.h"

static void proofs_of_snarkjs_verify(void **state) {
  const bench *b = *state;
  for (int i = 0; i < 2 * FFLONK_FIXTURES; i++) {
    proved p;
    rp_error err = {0};
    proved_open(b->context, fflonk_fixture[i / 2], fflonk_proofs[i % 2], &p);
    EXPECT(RP_OK, proved_verify(&p, &err), &err);
    proved_close(&p);
  }
}

/* Other points that are on the curve: the negative, the double, and infinity. */
static void another_point(const void *point, int which, plonk_g1 *out) {
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BN254_G1);
  memcpy(out, point, sizeof *out);
  if (which == 0)
    g1->neg(out, out);
  else if (which == 1)
    g1->add(out, out, out);
  else
    g1->identity(out);
}
enum { OTHER_POINTS = 3 };

static void other_points_of_a_proof_are_refused(void **state) {
  const bench *b = *state;
  for (int f = 0; f < FFLONK_FIXTURES; f++) {
    proved p;
    proved_open(b->context, fflonk_fixture[f], "proof.json", &p);
    const rp_fflonk_proof good = p.proof;
    for (int i = 0; i < FFLONK_PROOF_POINTS; i++) {
      uint8_t *point = (uint8_t *)&p.proof + fflonk_proof_point[i].offset;
      for (int which = 0; which < OTHER_POINTS; which++) {
        plonk_g1 other;
        another_point(point, which, &other);
        memcpy(point, &other, sizeof other);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p.proof = good;
      }
      const size_t next = fflonk_proof_point[(i + 1) % FFLONK_PROOF_POINTS].offset;
      memcpy(point, (const uint8_t *)&good + next, 64); /* two points of the proof are made equal */
      assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
      p.proof = good;
      for (int byte = 0; byte < 64; byte++) { /* the point leaves the curve, or is not below q */
        point[byte] ^= (uint8_t)(1 << byte % 8);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_INPUT);
        p.proof = good;
      }
    }
    proved_close(&p);
  }
}

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

/* Adds r, which gives the same residue. */
static void add_order(uint8_t value[32]) {
  const uint8_t *r = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  unsigned carry = 0;
  for (int i = 0; i < 32; i++) {
    carry += (unsigned)value[i] + r[i];
    value[i] = (uint8_t)carry;
    carry >>= 8;
  }
  assert_int_equal(carry, 0);
}

/* Other canonical integers: the value plus 1, minus 1, or 0. */
static void another_scalar(uint8_t value[32], int which) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  plonk_fr x, one;
  memcpy(&x, value, sizeof x);
  assert_true(fr->from_canonical(&x, &x));
  fr->one(&one);
  if (which == 0)
    fr->add(&x, &x, &one);
  else if (which == 1)
    fr->sub(&x, &x, &one);
  else if (fr->is_zero(&x))
    fr->add(&x, &one, &one);
  else
    fr->zero(&x);
  fr->to_canonical(&x, &x);
  memcpy(value, &x, sizeof x);
}
enum { OTHER_SCALARS = 3 };

static void other_evaluations_are_refused(void **state) {
  const bench *b = *state;
  for (int f = 0; f < FFLONK_FIXTURES; f++) {
    proved p;
    proved_open(b->context, fflonk_fixture[f], "proof.json", &p);
    const rp_fflonk_proof good = p.proof;
    for (int i = 0; i < FFLONK_PROOF_SCALARS; i++) {
      uint8_t *value = (uint8_t *)&p.proof + fflonk_proof_scalar[i].offset;
      rp_error err = {0};
      for (int which = 0; which < OTHER_SCALARS; which++) {
        another_scalar(value, which);
        assert_int_equal(proved_verify(&p, &err), RP_ERR_VERIFY);
        p.proof = good;
      }
      add_order(value);
      assert_int_equal(proved_verify(&p, &err), RP_ERR_INPUT);
      assert_non_null(strstr(err.reason, fflonk_proof_scalar[i].name));
      p.proof = good;
    }
    proved_close(&p);
  }
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

static void other_signals_are_refused(void **state) {
  const bench *b = *state;
  for (int f = 0; f < FFLONK_FIXTURES; f++) {
    proved p;
    proved_open(b->context, fflonk_fixture[f], "proof.json", &p);
    const proved good = p;
    for (size_t i = 0; i < good.n; i++) {
      for (int which = 0; which < OTHER_SCALARS; which++) {
        another_scalar(p.signals + 32 * i, which);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p = good;
      }
      add_order(p.signals + 32 * i);
      assert_int_equal(proved_verify(&p, NULL), RP_ERR_INPUT);
      p = good;
    }
    p.n = good.n + 1;
    assert_int_equal(proved_verify(&p, NULL), RP_ERR_MISMATCH);
    if (good.n) p.n = good.n - 1, assert_int_equal(proved_verify(&p, NULL), RP_ERR_MISMATCH);
    p = good;
    p.proof.g1 = RP_CURVE_BLS12_381_G1;
    assert_int_equal(proved_verify(&p, NULL), RP_ERR_MISMATCH);
    proved_close(&p);
  }
}

/* Verifies the proof with a key that differs in one element. */
static rp_status verify_with(const proved *p, const fflonk_vkey *key) {
  proved other = *p;
  rp_error err = {0};
  rp_status status = fflonk_vkey_new("key", key, 0, &other.vkey, &err);
  if (status != RP_OK) return status;
  status = proved_verify(&other, &err);
  proved_close(&other);
  return status;
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

static void arguments_are_checked(void **state) {
  const bench *b = *state;
  proved p;
  rp_fflonk_vkey *vkey;
  proved_open(b->context, fflonk_fixture[0], "proof.json", &p);
  assert_int_equal(rp_fflonk_verify(NULL, &p.proof, p.signals, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_verify(p.vkey, NULL, p.signals, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_verify(p.vkey, &p.proof, NULL, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_vkey_from_json(NULL, "{}", 2, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_vkey_from_json(b->context, NULL, 2, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_vkey_from_json(b->context, "{}", 2, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_vkey_from_zkey(b->context, NULL, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_vkey_from_zkey(b->context, "/nowhere/circuit.zkey", &vkey, NULL), RP_ERR_FILE);
  assert_null(vkey);
  assert_int_equal(rp_fflonk_calldata(NULL, p.signals, p.n, NULL, 0, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_calldata(&p.proof, NULL, p.n, NULL, 0, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_fflonk_vkey_n_public(NULL), 0);
  rp_fflonk_vkey_destroy(NULL);
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
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
