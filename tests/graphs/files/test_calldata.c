/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The arguments of Solidity verifiers are what snarkjs printed (calldata.txt). What such a verifier would refuse with
 * any key is refused.
 */
#include "graphs/groth16/common.h"
#include "ops/torsion.h"

#include <reprise/plonk.h>

#include <stdio.h>

enum { ROOM = 8192, MOST_SIGNALS = 2 };

typedef struct read_files {
  rp_groth16_proof groth16;
  rp_plonk_proof plonk;
  uint8_t signals[MOST_SIGNALS * 32];
  size_t n;
} read_files;

static read_files files_of(const char *fixture, int is_plonk) {
  blob proof = fixture_read(fixture, "proof.json"), signals = fixture_read(fixture, "public.json");
  read_files f = {0};
  rp_error err = {0};
  if (is_plonk)
    EXPECT(RP_OK, rp_plonk_proof_from_json((char *)proof.data, proof.bytes, &f.plonk, &err), &err);
  else
    EXPECT(RP_OK, rp_groth16_proof_from_json((char *)proof.data, proof.bytes, &f.groth16, &err), &err);
  EXPECT(RP_OK, rp_groth16_public_from_json((char *)signals.data, signals.bytes, f.signals, MOST_SIGNALS, &f.n, &err),
         &err);
  blob_free(&proof), blob_free(&signals);
  return f;
}

static rp_status calldata(const read_files *f, int is_plonk, char *text, size_t capacity, size_t *bytes,
                          rp_error *err) {
  const uint8_t *signals = f->n ? f->signals : NULL;
  return is_plonk ? rp_plonk_calldata(&f->plonk, signals, f->n, text, capacity, bytes, err)
                  : rp_groth16_calldata(&f->groth16, signals, f->n, text, capacity, bytes, err);
}

static void texts_are_those_of_snarkjs(void **state) {
  (void)state;
  static const char *const fixture[] = {"multiplier_bn254", "poseidon_merkle", "../plonk/multiplier",
                                        "../plonk/poseidon_chain", "../plonk/no_public"};
  for (int i = 0; i < 5; i++) {
    const read_files f = files_of(fixture[i], i >= 2);
    blob expected = fixture_read(fixture[i], "calldata.txt"); /* with a line break */
    char text[ROOM];
    size_t bytes;
    rp_error err = {0};
    EXPECT(RP_OK, calldata(&f, i >= 2, text, sizeof text, &bytes, &err), &err);
    assert_int_equal(bytes + 1, expected.bytes);
    assert_memory_equal(text, expected.data, bytes);
    assert_int_equal(text[bytes], 0);
    assert_int_equal(calldata(&f, i >= 2, NULL, 0, &bytes, NULL), RP_ERR_BUFFER_TOO_SMALL);
    assert_int_equal(bytes + 1, expected.bytes);
    assert_int_equal(calldata(&f, i >= 2, text, bytes, &bytes, NULL), RP_ERR_BUFFER_TOO_SMALL);
    EXPECT(RP_OK, calldata(&f, i >= 2, text, bytes + 1, NULL, &err), &err);
    blob_free(&expected);
  }
}

static void refused(const read_files *f, int is_plonk, rp_status expected, const char *reason) {
  char text[ROOM] = "unchanged";
  size_t bytes = 1;
  rp_error err = {0};
  EXPECT(expected, calldata(f, is_plonk, text, sizeof text, &bytes, &err), &err);
  if (!strstr(err.reason, reason)) fail_msg("\"%s\" does not say \"%s\"", err.reason, reason);
  assert_int_equal(bytes, 0);
  assert_string_equal(text, "unchanged");
}

/* Adds the prime to a coordinate: the same element, in a form that is not unique. */
static void add_prime(uint8_t *coordinate) {
  const uint8_t *q = rp_field_get(RP_FIELD_BN254_FP)->modulus_le;
  unsigned carry = 0;
  for (int i = 0; i < 32; i++) {
    carry += (unsigned)coordinate[i] + q[i];
    coordinate[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

static void points_of_groth16(void **state) {
  (void)state;
  static const char *const name[] = {"pi_a", "pi_b", "pi_c"};
  const read_files good = files_of("multiplier_bn254", 0);
  for (int i = 0; i < 3; i++) {
    char reason[64];
    read_files f = good;
    uint8_t *point = i == 0 ? f.groth16.a : i == 1 ? f.groth16.b : f.groth16.c;
    const uint32_t bytes = i == 1 ? 128 : 64;
    point[0] ^= 1;
    snprintf(reason, sizeof reason, "%s is not on the curve", name[i]);
    refused(&f, 0, RP_ERR_INPUT, reason);
    memset(point, 0, bytes);
    snprintf(reason, sizeof reason, "%s is the point at infinity", name[i]);
    refused(&f, 0, RP_ERR_INPUT, reason);
    for (uint32_t at = 0; at < bytes; at += 32) {
      f = good;
      add_prime(point + at);
      refused(&f, 0, RP_ERR_INPUT, "A coordinate of the proof is not below the prime q");
    }
  }
}

/* A point outside the subgroup, which a pairing may accept and a contract does not. */
static void subgroup_of_g2(void **state) {
  (void)state;
  const rp_curve_host *g2 = rp_curve_get(RP_CURVE_BN254_G2);
  read_files f = files_of("multiplier_bn254", 0);
  uint64_t point[16], torsion[16];
  memcpy(point, f.groth16.b, sizeof point);
  torsion_any(RP_CURVE_BN254_G2, 1, torsion);
  g2->add(point, point, torsion);
  memcpy(f.groth16.b, point, sizeof point);
  refused(&f, 0, RP_ERR_INPUT, "pi_b is not in the subgroup");
}

static void points_of_plonk(void **state) {
  (void)state;
  static const char *const name[] = {"A", "B", "C", "Z", "T1", "T2", "T3", "Wxi", "Wxiw"};
  const read_files good = files_of("../plonk/multiplier", 1);
  for (int i = 0; i < 9; i++) {
    char reason[64];
    read_files f = good;
    uint8_t *const points[] = {f.plonk.a,  f.plonk.b,  f.plonk.c,   f.plonk.z,   f.plonk.t1,
                               f.plonk.t2, f.plonk.t3, f.plonk.wxi, f.plonk.wxiw};
    points[i][0] ^= 1;
    snprintf(reason, sizeof reason, "%s is not on the curve", name[i]);
    refused(&f, 1, RP_ERR_INPUT, reason);
    memset(points[i], 0, 64);
    snprintf(reason, sizeof reason, "%s is the point at infinity", name[i]);
    refused(&f, 1, RP_ERR_INPUT, reason);
    f = good;
    add_prime(points[i] + 32);
    snprintf(reason, sizeof reason, "a coordinate of %s is not below the prime q", name[i]);
    refused(&f, 1, RP_ERR_INPUT, reason);
  }
}

static void values_are_below_the_order(void **state) {
  (void)state;
  const uint8_t *r = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  read_files f = files_of("poseidon_merkle", 0);
  memcpy(f.signals + 32, r, 32);
  refused(&f, 0, RP_ERR_INPUT, "Public signal 1 is not below the group order");
  f = files_of("../plonk/multiplier", 1);
  memcpy(f.signals, r, 32);
  refused(&f, 1, RP_ERR_INPUT, "Public signal 0 is not below the group order");
  f = files_of("../plonk/multiplier", 1);
  memcpy(f.plonk.eval_zw, r, 32);
  refused(&f, 1, RP_ERR_INPUT, "eval_zw is not below the prime r");
}

static void other_curves(void **state) {
  (void)state;
  read_files f = files_of("multiplier_bls12381", 0);
  refused(&f, 0, RP_ERR_MISMATCH, "not over bn128");
  f = files_of("../plonk/multiplier", 1);
  f.plonk.g1 = RP_CURVE_BLS12_381_G1;
  refused(&f, 1, RP_ERR_MISMATCH, "not over bn128");
  f = files_of("multiplier_bn254", 0);
  f.groth16.g2 = RP_CURVE_BLS12_381_G2;
  refused(&f, 0, RP_ERR_MISMATCH, "not over bn128");
}

static void wrong_arguments(void **state) {
  (void)state;
  const read_files f = files_of("multiplier_bn254", 0);
  char text[ROOM];
  assert_int_equal(rp_groth16_calldata(NULL, f.signals, 1, text, sizeof text, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_groth16_calldata(&f.groth16, NULL, 1, text, sizeof text, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_calldata(NULL, f.signals, 1, text, sizeof text, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_plonk_calldata(&f.plonk, NULL, 1, text, sizeof text, NULL, NULL), RP_ERR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_those_of_snarkjs),
      cmocka_unit_test(points_of_groth16),
      cmocka_unit_test(subgroup_of_g2),
      cmocka_unit_test(points_of_plonk),
      cmocka_unit_test(values_are_below_the_order),
      cmocka_unit_test(other_curves),
      cmocka_unit_test(wrong_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
