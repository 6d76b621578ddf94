/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs that gnark made are accepted, and refused if any element of the proof, the key or the signals is changed.
 */
#include "common.h"

#include "gnark_fixtures.h"
#include "groth16/verify/gnark.h"

enum { MOST_SIGNALS = 4, MOST_BYTES = 4096 };

typedef struct subject {
  const gnark_fixture *fixture;
  rp_groth16_vkey *vkey;
  rp_gnark_proof proof;
  uint8_t signals[MOST_SIGNALS * 32];
  size_t n;
} subject;

static blob read_of(const gnark_fixture *f, const char *file) { return blob_read(gnark_path(f, file)); }

static rp_groth16_vkey *vkey_of(bench *b, const blob *bytes) {
  rp_groth16_vkey *vkey = NULL;
  rp_error err = {0};
  EXPECT(RP_OK, rp_gnark_vkey_from_bytes(b->context, bytes->data, bytes->bytes, &vkey, &err), &err);
  return vkey;
}

static subject read_subject(bench *b, const gnark_fixture *f, int raw) {
  subject s = {.fixture = f};
  rp_error err = {0};
  blob vkey = read_of(f, raw ? "vk.raw" : "vk.bin"), proof = read_of(f, raw ? "proof.raw" : "proof.bin"),
       signals = read_of(f, "witness.pub");
  s.vkey = vkey_of(b, &vkey);
  EXPECT(RP_OK, rp_gnark_proof_from_bytes(proof.data, proof.bytes, &s.proof, &err), &err);
  EXPECT(RP_OK, rp_gnark_public_from_bytes(signals.data, signals.bytes, s.signals, MOST_SIGNALS, &s.n, &err), &err);
  blob_free(&vkey), blob_free(&proof), blob_free(&signals);
  return s;
}

static rp_status verdict(const subject *s, rp_error *err) {
  *err = (rp_error){0};
  return rp_gnark_verify(s->vkey, &s->proof, s->signals, s->n, err);
}

static void proofs_of_gnark_are_accepted(void **state) {
  rp_error err;
  for (int i = 0; i < 2 * GNARK_FIXTURES; i++) {
    subject s = read_subject(*state, &gnark_fixtures[i / 2], i % 2);
    assert_int_equal(s.n, s.fixture->n_public);
    assert_int_equal(rp_gnark_vkey_n_commitments(s.vkey), s.fixture->n_commitments);
    EXPECT(RP_OK, verdict(&s, &err), &err);
    rp_groth16_vkey_destroy(s.vkey);
  }
}

/* Replaces a point by another one of the subgroup. */
static void replace_point(uint8_t *point, rp_curve curve) {
  const rp_curve_host *host = rp_curve_get(curve);
  uint64_t sum[24], generator[24];
  memcpy(sum, point, host->affine_bytes);
  host->generator(generator);
  host->add(sum, sum, generator);
  memcpy(point, sum, host->affine_bytes);
}

static void refused(const subject *s, rp_status expected) {
  rp_error err;
  EXPECT(expected, verdict(s, &err), &err);
  assert_int_equal(err.status, expected);
  assert_int_equal(err.reason[0] != 0, expected != RP_OK);
}

/* The circuit `edge` has a public signal that occurs in no constraint, so that its point of K is infinity. */
static int is_unused(const subject *s, size_t signal) {
  const g16_vkey *key = g16_vkey_points(s->vkey);
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  const int unused = g1->is_identity(key->ic + (signal + 1) * g1->affine_bytes);
  assert_true(!unused || strcmp(s->fixture->name, "bn254/edge") == 0);
  return unused;
}

static void proofs_with_another_element_are_refused(void **state) {
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s = read_subject(*state, &gnark_fixtures[i], 0), other;
    const rp_curve g1 = s.proof.groth16.g1, g2 = s.proof.groth16.g2;
    other = s, replace_point(other.proof.groth16.a, g1), refused(&other, RP_ERR_VERIFY);
    other = s, replace_point(other.proof.groth16.b, g2), refused(&other, RP_ERR_VERIFY);
    other = s, replace_point(other.proof.groth16.c, g1), refused(&other, RP_ERR_VERIFY);
    other = s, replace_point(other.proof.knowledge, g1), refused(&other, RP_ERR_VERIFY);
    for (uint32_t k = 0; k < s.proof.n_commitments; k++)
      other = s, replace_point(other.proof.commitment[k], g1), refused(&other, RP_ERR_VERIFY);
    for (size_t k = 0; k < s.n; k++)
      other = s, other.signals[32 * k] ^= 1, refused(&other, is_unused(&s, k) ? RP_OK : RP_ERR_VERIFY);
    other = s, memset(other.signals, 0xff, 32), refused(&other, RP_ERR_INPUT);
    other = s, other.n--, refused(&other, RP_ERR_MISMATCH);
    other = s, other.proof.n_commitments++, refused(&other, RP_ERR_MISMATCH);
    /* Points off the curve, and a coordinate that is not reduced. */
    other = s, other.proof.groth16.a[0] ^= 1, refused(&other, RP_ERR_INPUT);
    other = s, other.proof.groth16.b[0] ^= 1, refused(&other, RP_ERR_INPUT);
    other = s, memset(other.proof.knowledge, 0xff, 32), other.proof.knowledge[40] = 1, refused(&other, RP_ERR_INPUT);
    other = s, memset(other.proof.groth16.c, 0xff, 48), refused(&other, RP_ERR_INPUT);
    if (s.proof.n_commitments) other = s, other.proof.commitment[0][3] ^= 1, refused(&other, RP_ERR_INPUT);
    rp_groth16_vkey_destroy(s.vkey);
  }
}

/* A commitment and a proof of knowledge that are both zero satisfy the second equation; the first one must fail. */
static void zero_commitments_are_refused(void **state) {
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    if (gnark_fixtures[i].n_commitments == 0) continue;
    subject s = read_subject(*state, &gnark_fixtures[i], 1);
    memset(s.proof.commitment, 0, sizeof s.proof.commitment);
    memset(s.proof.knowledge, 0, sizeof s.proof.knowledge);
    refused(&s, RP_ERR_VERIFY);
    rp_groth16_vkey_destroy(s.vkey);
  }
}

/* In G1 of BLS12-381 a point of small order passes every pairing equation. */
static void commitments_outside_the_subgroup_are_refused(void **state) {
  subject s = read_subject(*state, &gnark_fixtures[5], 1);
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BLS12_381_G1);
  uint64_t point[12];
  /* (0, 2) is on y^2 = x^3 + 4 and of order 3 */
  const rp_field_host *fq = rp_field_get(RP_FIELD_BLS12_381_FP);
  fq->zero(point);
  fq->one(point + 6);
  fq->add(point + 6, point + 6, point + 6);
  assert_true(g1->on_curve(point) && !g1->in_subgroup(point));
  uint64_t sum[12];
  memcpy(sum, s.proof.commitment[0], 96);
  g1->add(sum, sum, point);
  memcpy(s.proof.commitment[0], sum, 96);
  refused(&s, RP_ERR_INPUT);
  s = (rp_groth16_vkey_destroy(s.vkey), read_subject(*state, &gnark_fixtures[5], 1));
  memcpy(sum, s.proof.knowledge, 96);
  g1->add(sum, sum, point);
  memcpy(s.proof.knowledge, sum, 96);
  refused(&s, RP_ERR_INPUT);
  rp_groth16_vkey_destroy(s.vkey);
}

/* A key with a point replaced by another valid one accepts no proof that the original key would refuse. */
static void keys_with_another_point_accept_nothing(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s = read_subject(b, &gnark_fixtures[i], 1);
    blob bytes = read_of(s.fixture, "vk.raw");
    const int bls = gnark_is_bls(s.fixture);
    const size_t g1 = bls ? 96 : 64, g2 = 2 * g1;
    const size_t k = 3 * g1 + 3 * g2 + 4; /* offset of K[0]; K[1] replaces K[0], and K[0] replaces the last one */
    const size_t n_k = s.fixture->n_public + 1u + s.fixture->n_commitments;
    const size_t from[] = {k + g1, k, 0, 2 * g1 + g2}, to[] = {k, k + (n_k - 1) * g1, g1, 2 * g1};
    for (int c = 0; c < 4; c++) {
      blob other = {malloc(bytes.bytes), bytes.bytes};
      memcpy(other.data, bytes.data, bytes.bytes);
      memcpy(other.data + to[c], bytes.data + from[c], c == 3 ? g2 : g1);
      rp_groth16_vkey *good = s.vkey;
      rp_error err;
      s.vkey = vkey_of(b, &other);
      /* beta in G1 is not used */
      EXPECT(c == 2 ? RP_OK : RP_ERR_VERIFY, verdict(&s, &err), &err);
      rp_groth16_vkey_destroy(s.vkey);
      s.vkey = good;
      blob_free(&other);
    }
    blob_free(&bytes);
    rp_groth16_vkey_destroy(s.vkey);
  }
}

/* The verifier of circom's proofs accepts gnark's proofs without commitments, and refuses keys that have
 * commitments. */
static void the_other_verifier(void **state) {
  rp_error err;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s = read_subject(*state, &gnark_fixtures[i], 1);
    err = (rp_error){0};
    const rp_status expected = s.fixture->n_commitments ? RP_ERR_MISMATCH : RP_OK;
    rp_status each = RP_OK;
    char text[64];
    size_t bytes;
    EXPECT(expected, rp_groth16_verify(s.vkey, &s.proof.groth16, s.signals, s.n, &err), &err);
    EXPECT(expected, rp_groth16_verify_batch(s.vkey, &s.proof.groth16, s.signals, 1, s.n, &each, &err), &err);
    assert_int_equal(each, expected);
    EXPECT(s.fixture->n_commitments ? RP_ERR_UNSUPPORTED : RP_ERR_BUFFER_TOO_SMALL,
           rp_groth16_vkey_to_json(s.vkey, text, sizeof text, &bytes, &err), &err);
    rp_groth16_vkey_destroy(s.vkey);
  }
}

static void nothing_is_a_proof_without_arguments(void **state) {
  subject s = read_subject(*state, &gnark_fixtures[0], 1);
  rp_error err = {0};
  size_t n;
  EXPECT(RP_ERR_ARGUMENT, rp_gnark_verify(NULL, &s.proof, s.signals, s.n, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_gnark_verify(s.vkey, NULL, s.signals, s.n, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_gnark_verify(s.vkey, &s.proof, NULL, s.n, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_gnark_proof_from_bytes(NULL, 3, &s.proof, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_gnark_proof_to_bytes(&s.proof, (rp_gnark_form)2, NULL, 0, &n, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_gnark_public_from_bytes(NULL, 0, NULL, 0, &n, &err), &err);
  rp_groth16_vkey_destroy(s.vkey);
}

/* The challenge of a commitment may depend on that of an earlier one, which no fixture has: it enters the hash as a
 * public signal with the same value would. The lists name the signals from 1 on. */
static void challenges_depend_on_earlier_ones(void **state) {
  enum { PUBLIC = 2 };
  const subject s = read_subject(*state, &gnark_fixtures[3], 0);
  uint64_t after_first[] = {1, PUBLIC + 1}, as_signal[] = {1, PUBLIC + 1};
  g16_commitment_key two[2] = {{.first = 0, .n = 1}, {.first = 0, .n = 2}};
  uint8_t signals[(PUBLIC + 1) * 32] = {3, [32] = 5, [64] = 7}, challenges[2 * 32], same[2 * 32];
  rp_error err = {0};
  g16_vkey key = {.family = g16_family_by_name("bn254"),
                  .n_public = PUBLIC,
                  .n_commitments = 2,
                  .commitment = two,
                  .committed = after_first};
  rp_gnark_proof proof = s.proof;
  EXPECT(RP_OK, g16_gnark_challenges(&key, &proof, signals, challenges, &err), &err);
  memcpy(signals + PUBLIC * 32, challenges, 32);
  key.n_public = PUBLIC + 1;
  key.committed = as_signal;
  EXPECT(RP_OK, g16_gnark_challenges(&key, &proof, signals, same, &err), &err);
  assert_memory_equal(challenges, same, sizeof same);
  rp_groth16_vkey_destroy(s.vkey);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_of_gnark_are_accepted),
      cmocka_unit_test(proofs_with_another_element_are_refused),
      cmocka_unit_test(zero_commitments_are_refused),
      cmocka_unit_test(commitments_outside_the_subgroup_are_refused),
      cmocka_unit_test(keys_with_another_point_accept_nothing),
      cmocka_unit_test(the_other_verifier),
      cmocka_unit_test(challenges_depend_on_earlier_ones),
      cmocka_unit_test(nothing_is_a_proof_without_arguments),
  };
  return cmocka_run_group_tests(tests, group_opens_bench, group_closes_bench);
}
