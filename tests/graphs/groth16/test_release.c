/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What must not be released: proofs from keys into which someone put points of small order. In G1 of BLS12-381 such
 * proofs still satisfy the pairing equation, and the part of pi_a that has small order is a private value times a known
 * point. In whatever way a proof is made, the result is a status, a reason, and nothing in the caller's memory.
 */
#include "common.h"

#include "fuzz/hostile.h"
#include "ops/torsion.h"

enum { SECTION_A = 5, SECTION_B1, SECTION_B2, SECTION_C, SECTION_H, MOST_SIGNALS = 4 };

/* A key in which a point of this order is added to one of the points. */
typedef struct tampering {
  const char *fixture;
  rp_curve curve;
  uint64_t prime;
  uint64_t section, point;
  const char *says;
} tampering;

static const char pi_a[] = "pi_a is not in the subgroup", pi_b[] = "pi_b is not in the subgroup",
                  pi_c[] = "pi_c is not in the subgroup";
static const char bls[] = "multiplier_bls12381", bn[] = "multiplier_bn254";

/* Point 0 belongs to the constant wire, whose value no prime divides. r, s, h and the private values are multiples of
 * the product of all primes with a probability of 2^-64 only. */
static const tampering tamperings[] = {
    {bls, RP_CURVE_BLS12_381_G1, TORSION_ALL, SECTION_A, 0, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, TORSION_ALL, SECTION_A, 2, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, 3, SECTION_A, 0, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, 11, SECTION_A, 0, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, 10177, SECTION_A, 0, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, 859267, SECTION_A, 0, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, 52437899, SECTION_A, 0, pi_a},
    {bls, RP_CURVE_BLS12_381_G1, TORSION_ALL, SECTION_B1, 0, pi_c},
    {bls, RP_CURVE_BLS12_381_G1, TORSION_ALL, SECTION_C, 0, pi_c},
    {bls, RP_CURVE_BLS12_381_G1, TORSION_ALL, SECTION_H, 0, pi_c},
    {bls, RP_CURVE_BLS12_381_G2, TORSION_ALL, SECTION_B2, 0, pi_b},
    {bls, RP_CURVE_BLS12_381_G2, 13, SECTION_B2, 0, pi_b},
    {bls, RP_CURVE_BLS12_381_G2, 262069, SECTION_B2, 0, pi_b},
    {bn, RP_CURVE_BN254_G2, TORSION_ALL, SECTION_B2, 0, pi_b},
    {bn, RP_CURVE_BN254_G2, 10069, SECTION_B2, 0, pi_b},
    {bn, RP_CURVE_BN254_G2, 5864401, SECTION_B2, 0, pi_b},
};
enum { TAMPERINGS = sizeof tamperings / sizeof *tamperings };

static blob tampered(const tampering *t) {
  blob zkey = fixture_read(t->fixture, "circuit.zkey");
  hostile_buffer buffer = {.data = zkey.data, .size = zkey.bytes};
  damage_torsion(&buffer, t->section, t->point * rp_curve_get(t->curve)->affine_bytes, t->curve | t->prime << 8);
  return (blob){buffer.data, buffer.size};
}

/* The caller's memory for a proof and its public signals. */
typedef struct room {
  rp_groth16_proof proof;
  uint8_t signals[MOST_SIGNALS * 32];
} room;

static void fill_room(room *r) { memset(r, 0x5a, sizeof *r); }

static void is_refused(const tampering *t, rp_status status, const rp_error *err, const room *r, size_t n_public) {
  static const room nothing;
  EXPECT(RP_ERR_VERIFY, status, err);
  assert_int_equal(err->status, RP_ERR_VERIFY);
  if (!strstr(err->reason, t->says)) fail_msg("\"%s\" does not say \"%s\"", err->reason, t->says);
  assert_memory_equal(&r->proof, &nothing.proof, sizeof r->proof);
  assert_memory_equal(r->signals, nothing.signals, n_public * 32);
}

static void expect_no_release(const tampering *t, rp_groth16_prover *prover, const blob *wtns, size_t n_public) {
  rp_error err = {0};
  room r[3];
  size_t n;
  const uint8_t *values = wtns_values(wtns, &n);
  const uint8_t blinding_r[32] = {5}, blinding_s[32] = {7};
  const char *path = scratch_path("witness.wtns");
  blob_write(path, wtns->data, wtns->bytes);
  fill_room(r);
  is_refused(t, rp_groth16_prove(prover, wtns->data, wtns->bytes, &r->proof, r->signals, NULL, &err), &err, r,
             n_public);
  fill_room(r);
  is_refused(t, rp_groth16_prove_file(prover, path, &r->proof, r->signals, NULL, &err), &err, r, n_public);
  fill_room(r);
  is_refused(t, rp_groth16_prove_values(prover, values, n, &r->proof, r->signals, NULL, &err), &err, r, n_public);
  fill_room(r);
  is_refused(t, rp_groth16_prove_values(prover, values, n, &r->proof, NULL, NULL, &err), &err, r, 0);
  fill_room(r);
  is_refused(
      t, rp_groth16_prove_unsafe_blinding(prover, values, n, blinding_r, blinding_s, &r->proof, r->signals, NULL, &err),
      &err, r, n_public);
  rp_groth16_job jobs[3];
  for (int i = 0; i < 3; i++) {
    fill_room(&r[i]);
    jobs[i] = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                               .wtns = i == 1 ? NULL : wtns->data,
                               .wtns_bytes = wtns->bytes,
                               .wtns_path = path,
                               .proof = &r[i].proof,
                               .public_signals = r[i].signals};
  }
  EXPECT(RP_ERR_VERIFY, rp_groth16_prove_batch(prover, jobs, 3, &err), &err);
  for (int i = 0; i < 3; i++) is_refused(t, jobs[i].status, &jobs[i].error, &r[i], n_public);
}

static void points_of_small_order_give_no_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < TAMPERINGS; i++) {
    const tampering *t = &tamperings[i];
    blob zkey = tampered(t), wtns = fixture_read(t->fixture, "witness.wtns");
    rp_groth16_prover *prover = prover_of(b, &zkey, 1 + (uint32_t)i % 2);
    expect_no_release(t, prover, &wtns, 1);
    rp_groth16_prover_destroy(prover);
    blob_free(&zkey), blob_free(&wtns);
  }
}

/* The same with streamed points, since the proof is then put together on the host. */
static void no_release_from_streamed_points(void **state) {
  bench *b = *state;
  for (int i = 0; i < TAMPERINGS; i++) {
    const tampering *t = &tamperings[i];
    blob zkey = tampered(t), wtns = fixture_read(t->fixture, "witness.wtns");
    rp_groth16_key *key;
    rp_groth16_prover *prover;
    rp_error err = {0};
    rp_groth16_prover_options options = {.struct_size = sizeof options};
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, NULL, &key, &err), &err);
    options.memory_budget_bytes = streamed_budget(b->device, key, &options);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
    expect_no_release(t, prover, &wtns, 1);
    rp_groth16_prover_destroy(prover);
    rp_groth16_key_close(key);
    blob_free(&zkey), blob_free(&wtns);
  }
}

/* A recorded file may be refused when it is opened; if not, its proofs are refused. */
static void no_release_from_a_recorded_file(void **state) {
  bench *b = *state;
  for (int i = 0; i < TAMPERINGS; i++) {
    const tampering *t = &tamperings[i];
    blob zkey = tampered(t), wtns = fixture_read(t->fixture, "witness.wtns");
    rp_groth16_prover *prover = prover_of(b, &zkey, 1);
    rp_groth16_key *key;
    rp_error err = {0};
    const char *path = scratch_path("recorded.rpk");
    EXPECT(RP_OK, rp_groth16_save(prover, path, &err), &err);
    rp_groth16_prover_destroy(prover);
    if (rp_groth16_key_open(b->context, path, NULL, &key, &err) == RP_OK) {
      EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
      expect_no_release(t, prover, &wtns, 1);
      rp_groth16_prover_destroy(prover);
      rp_groth16_key_close(key);
    } else {
      assert_true(err.status == RP_ERR_FORMAT || err.status == RP_ERR_INPUT);
    }
    blob_free(&zkey), blob_free(&wtns);
  }
}

/* A well-formed witness that does not satisfy the circuit, among good ones: each job is judged separately. */
static void a_wrong_witness_among_good_ones_gives_no_proof(void **state) {
  bench *b = *state;
  enum { JOBS = 5, WRONG = 2 };
  blob zkey = fixture_read(bn, "circuit.zkey"), good = fixture_read(bn, "witness.wtns"),
       wrong = fixture_read(bn, "witness.wtns"), vkey = fixture_read(bn, "verification_key.json");
  for (uint32_t in_flight = 1; in_flight <= 3; in_flight++) {
    rp_groth16_prover *prover = prover_of(b, &zkey, in_flight);
    rp_groth16_job jobs[JOBS];
    rp_error err = {0};
    room r[JOBS];
    if (in_flight == 1) wrong.data[wrong.bytes - 32] ^= 1;
    for (int i = 0; i < JOBS; i++) {
      const blob *wtns = i == WRONG ? &wrong : &good;
      fill_room(&r[i]);
      jobs[i] = (rp_groth16_job){.struct_size = sizeof(rp_groth16_job),
                                 .wtns = wtns->data,
                                 .wtns_bytes = wtns->bytes,
                                 .proof = &r[i].proof,
                                 .public_signals = i % 2 ? NULL : r[i].signals};
    }
    EXPECT(RP_ERR_VERIFY, rp_groth16_prove_batch(prover, jobs, JOBS, &err), &err);
    const tampering t = {.says = "does not satisfy the circuit"};
    for (int i = 0; i < JOBS; i++) {
      if (i == WRONG) {
        is_refused(&t, jobs[i].status, &jobs[i].error, &r[i], 1);
        continue;
      }
      EXPECT(RP_OK, jobs[i].status, &jobs[i].error);
      if (i % 2 == 0) expect_verifies(b, &vkey, &r[i].proof, r[i].signals, 1);
    }
    rp_groth16_prover_destroy(prover);
  }
  blob_free(&zkey), blob_free(&good), blob_free(&wrong), blob_free(&vkey);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(points_of_small_order_give_no_proof, state),
      cmocka_unit_test_prestate(no_release_from_streamed_points, state),
      cmocka_unit_test_prestate(no_release_from_a_recorded_file, state),
      cmocka_unit_test_prestate(a_wrong_witness_among_good_ones_gives_no_proof, state),
  };
  const int failed = cmocka_run_group_tests_name("groth16_release", tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
