/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The verifier of PLONK or of FFLONK accepts snarkjs's proofs, and refuses them if any element of the proof or the
 * signals is changed. A test includes the common.h of its proof system and the verifier first.
 */
#ifndef REPRISE_TESTS_PLONK_VERIFY_BODY_H
#define REPRISE_TESTS_PLONK_VERIFY_BODY_H

static void proofs_of_snarkjs_verify(void **state) {
  const bench *b = *state;
  static const char *const proofs[] = {"proof.json", "proof_blinding_2_3_4.json"};
  for (int i = 0; i < 2 * CONST(_FIXTURES); i++) {
    proved p;
    rp_error err = {0};
    proved_open(b->context, OWN(_fixture)[i / 2], proofs[i % 2], &p);
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
  for (int f = 0; f < CONST(_FIXTURES); f++) {
    proved p;
    proved_open(b->context, OWN(_fixture)[f], "proof.json", &p);
    const RP(_proof) good = p.proof;
    for (int i = 0; i < CONST(_PROOF_POINTS); i++) {
      uint8_t *point = (uint8_t *)&p.proof + OWN(_proof_point)[i].offset;
      plonk_g1 other;
      for (int which = 0; which < OTHER_POINTS; which++) {
        another_point(point, which, &other);
        memcpy(point, &other, sizeof other);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p.proof = good;
      }
      const size_t next = OWN(_proof_point)[(i + 1) % CONST(_PROOF_POINTS)].offset;
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
  for (int f = 0; f < CONST(_FIXTURES); f++) {
    proved p;
    proved_open(b->context, OWN(_fixture)[f], "proof.json", &p);
    const RP(_proof) good = p.proof;
    for (int i = 0; i < CONST(_PROOF_SCALARS); i++) {
      uint8_t *value = (uint8_t *)&p.proof + OWN(_proof_scalar)[i].offset;
      rp_error err = {0};
      for (int which = 0; which < OTHER_SCALARS; which++) {
        another_scalar(value, which);
        assert_int_equal(proved_verify(&p, NULL), RP_ERR_VERIFY);
        p.proof = good;
      }
      assert_true(unreduced(value));
      assert_int_equal(proved_verify(&p, &err), RP_ERR_INPUT);
      assert_non_null(strstr(err.reason, OWN(_proof_scalar)[i].name));
      p.proof = good;
    }
    proved_close(&p);
  }
}

static void other_signals_are_refused(void **state) {
  const bench *b = *state;
  for (int f = 0; f < CONST(_FIXTURES); f++) {
    proved p;
    proved_open(b->context, OWN(_fixture)[f], "proof.json", &p);
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
static rp_status verify_with(const proved *p, const OWN(_vkey) * key) {
  proved other = *p;
  rp_error err = {0};
  rp_status status = OWN(_vkey_new)("key", key, 0, &other.vkey, &err);
  if (status != RP_OK) return status;
  status = proved_verify(&other, &err);
  proved_close(&other);
  return status;
}

static void arguments_are_checked(void **state) {
  const bench *b = *state;
  proved p;
  RP(_vkey) * vkey;
  proved_open(b->context, OWN(_fixture)[0], "proof.json", &p);
  assert_int_equal(RP(_verify)(NULL, &p.proof, p.signals, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_verify)(p.vkey, NULL, p.signals, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_verify)(p.vkey, &p.proof, NULL, p.n, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_vkey_from_json)(NULL, "{}", 2, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_vkey_from_json)(b->context, NULL, 2, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_vkey_from_json)(b->context, "{}", 2, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_vkey_from_zkey)(b->context, NULL, &vkey, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(RP(_vkey_from_zkey)(b->context, "/nowhere/circuit.zkey", &vkey, NULL), RP_ERR_FILE);
  assert_null(vkey);
  assert_int_equal(RP(_vkey_n_public)(NULL), 0);
  RP(_vkey_destroy)(NULL);
  proved_close(&p);
}

#endif
