/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier accepts snarkjs's proofs, and refuses them if any element of the proof, the signals or the key is
 * changed.
 */
#include "common.h"

#include "plonk/formats/json.h"
#include "plonk/verify/verify.h"

static void proofs_of_snarkjs_verify(void **state) {
  const bench *b = *state;
  static const char *const proofs[] = {"proof.json", "proof_blinding_2_3_4.json"};
  for (int i = 0; i < 2 * PLONK_FIXTURES; i++) {
    proved p;
    rp_error err = {0};
    proved_open(b->context, plonk_fixture[i / 2], proofs[i % 2], &p);
    EXPECT(RP_OK, proved_verify(&p, &err), &err);
    proved_close(&p);
  }
}

/* Other points that are on the curve: the negative, the double, and infinity. */
static void another_point(const void *point, int which, plonk_g1 *out) {
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BN254_G1);
  memcpy(out, point, sizeof *out);
  const int at_infinity = g1->is_identity(out);
  if (which == 0)
    g1->neg(out, out);
  else if (which == 1)
    g1->add(out, out, out);
  else
    g1->identity(out);
  if (at_infinity) g1->generator(out);
}
enum { OTHER_POINTS = 3 };

static void other_points_of_a_proof_are_refused(void **state) {
  const bench *b = *state;
  for (int f = 0; f < PLONK_FIXTURES; f++) {
    proved p;
    proved_open(b->context, plonk_fixture[f], "proof.json", &p);
    const rp_plonk_proof good = p.proof;
    for (int i = 0; i < PLONK_PROOF_POINTS; i++) {
      uint8_t *point = (uint8_t *)&p.proof + plonk_proof_point[i].offset;
      plonk_g1 other;
      for (int which = 0; which < OTHER_POINTS; which++) {
        another_point(point, which, &other);
        memcpy(point, &other, sizeof other);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p.proof = good;
      }
      const size_t next = plonk_proof_point[(i + 1) % PLONK_PROOF_POINTS].offset;
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

/* Adds r, which gives the same residue. Returns 0 if the sum does not fit in 256 bits. */
static int unreduced(uint8_t value[32]) {
  const uint8_t *r = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  unsigned carry = 0;
  for (int i = 0; i < 32; i++) {
    carry += (unsigned)value[i] + r[i];
    value[i] = (uint8_t)carry;
    carry >>= 8;
  }
  return carry == 0;
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
  for (int f = 0; f < PLONK_FIXTURES; f++) {
    proved p;
    proved_open(b->context, plonk_fixture[f], "proof.json", &p);
    const rp_plonk_proof good = p.proof;
    for (int i = 0; i < PLONK_PROOF_SCALARS; i++) {
      uint8_t *value = (uint8_t *)&p.proof + plonk_proof_scalar[i].offset;
      rp_error err = {0};
      for (int which = 0; which < OTHER_SCALARS; which++) {
        another_scalar(value, which);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p.proof = good;
      }
      assert_true(unreduced(value));
      assert_int_equal(proved_verify(&p, &err), RP_ERR_INPUT);
      assert_non_null(strstr(err.reason, plonk_proof_scalar[i].name));
      p.proof = good;
    }
    proved_close(&p);
  }
}

static void other_signals_are_refused(void **state) {
  const bench *b = *state;
  for (int f = 0; f < PLONK_FIXTURES; f++) {
    proved p;
    proved_open(b->context, plonk_fixture[f], "proof.json", &p);
    const proved good = p;
    for (size_t i = 0; i < good.n; i++) {
      for (int which = 0; which < OTHER_SCALARS; which++) {
        another_scalar(p.signals + 32 * i, which);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p = good;
      }
      if (unreduced(p.signals + 32 * i)) assert_int_equal(proved_verify(&p, NULL), RP_ERR_INPUT);
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
static rp_status verify_with(const proved *p, const plonk_vkey *key) {
  proved other = *p;
  rp_error err = {0};
  rp_status status = plonk_vkey_new("key", key, 0, &other.vkey, &err);
  if (status != RP_OK) return status;
  status = proved_verify(&other, &err);
  proved_close(&other);
  return status;
}

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

static void arguments_are_checked(void **state) {
  const bench *b = *state;
  proved p;
  rp_plonk_vkey *vkey;
  proved_open(b->context, plonk_fixture[0], "proof.json", &p);
  assert_int_equal(rp_plonk_verify(NULL, &p.proof, p.signals, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_verify(p.vkey, NULL, p.signals, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_verify(p.vkey, &p.proof, NULL, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_vkey_from_json(NULL, "{}", 2, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_vkey_from_json(b->context, NULL, 2, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_vkey_from_json(b->context, "{}", 2, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_vkey_from_zkey(b->context, NULL, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_vkey_from_zkey(b->context, "/nowhere/circuit.zkey", &vkey, NULL), RP_ERR_FILE);
  assert_null(vkey);
  assert_int_equal(rp_plonk_vkey_n_public(NULL), 0);
  rp_plonk_vkey_destroy(NULL);
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
