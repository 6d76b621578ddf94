/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many proofs verified together: the verdict on each is the same as when it is verified alone.
 */
#include "common.h"

#include "ops/torsion.h"

#include <stdio.h>
#include <time.h>

enum { FEW = 9, MANY = 67 }; /* MANY: more proofs than are combined at a time */

static const char *const fixtures[] = {"multiplier_bn254", "multiplier_bls12381"};

typedef struct proofs {
  rp_groth16_vkey *vkey;
  rp_groth16_proof proof[MANY];
  uint8_t signals[MANY][32];
  rp_status status[MANY];
} proofs;

static void make_proofs(bench *b, const char *fixture, proofs *p) {
  rp_error err = {0};
  blob zkey = fixture_read(fixture, "circuit.zkey"), wtns = fixture_read(fixture, "witness.wtns"),
       vkey = fixture_read(fixture, "verification_key.json");
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  for (int i = 0; i < MANY; i++)
    EXPECT(RP_OK, rp_groth16_prove(prover, wtns.data, wtns.bytes, &p->proof[i], p->signals[i], NULL, &err), &err);
  EXPECT(RP_OK, rp_groth16_vkey_from_json(b->context, (const char *)vkey.data, vkey.bytes, &p->vkey, &err), &err);
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey), blob_free(&wtns), blob_free(&vkey);
}

static rp_status verify(proofs *p, size_t n, rp_error *err) {
  memset(p->status, 0x5a, sizeof p->status);
  *err = (rp_error){0};
  return rp_groth16_verify_batch(p->vkey, p->proof, p->signals[0], n, 1, p->status, err);
}

/* Each status is that of rp_groth16_verify, and the call returns the status of the first bad proof. */
static void same_verdicts(proofs *p, size_t n, size_t first_bad) {
  rp_error err, alone = {0};
  char name[32];
  const rp_status status = verify(p, n, &err);
  for (size_t i = 0; i < n; i++)
    assert_int_equal(p->status[i], rp_groth16_verify(p->vkey, &p->proof[i], p->signals[i], 1, &alone));
  if (first_bad == n) {
    EXPECT(RP_OK, status, &err);
    return;
  }
  assert_int_equal(status, p->status[first_bad]);
  assert_int_not_equal(status, RP_OK);
  snprintf(name, sizeof name, "Proof %zu: ", first_bad);
  assert_non_null(strstr(err.reason, name));
  for (size_t i = 0; i < first_bad; i++) assert_int_equal(p->status[i], RP_OK);
  EXPECT(status, rp_groth16_verify_batch(p->vkey, p->proof, p->signals[0], n, 1, NULL, NULL), &err);
}

/* Adds the generator to the point, or its negative. */
static void shift(rp_curve curve, uint8_t *point, int minus) {
  const rp_curve_host *c = rp_curve_get(curve);
  uint64_t g[24], p[24];
  c->generator(g);
  if (minus) c->neg(g, g);
  memcpy(p, point, c->affine_bytes);
  c->add(p, p, g);
  memcpy(point, p, c->affine_bytes);
}

static void one_altered_proof_is_found(void **state) {
  proofs *p = *state;
  same_verdicts(p, FEW, FEW);
  same_verdicts(p, 1, 1);
  for (size_t i = 0; i < FEW; i++) {
    const rp_groth16_proof good = p->proof[i];
    rp_groth16_proof *bad = &p->proof[i];
    shift(i % 3 == 1 ? bad->g2 : bad->g1, i % 3 == 0 ? bad->a : i % 3 == 1 ? bad->b : bad->c, 0);
    same_verdicts(p, FEW, i);
    *bad = good;
    p->signals[i][0] ^= 1;
    same_verdicts(p, FEW, i);
    p->signals[i][0] ^= 1;
  }
}

static void more_than_are_combined_at_a_time(void **state) {
  proofs *p = *state;
  static const size_t at[] = {0, 63, 64, MANY - 1};
  rp_error err;
  EXPECT(RP_OK, verify(p, MANY, &err), &err);
  for (int i = 0; i < MANY; i++) assert_int_equal(p->status[i], RP_OK);
  for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
    shift(p->proof[at[k]].g1, p->proof[at[k]].c, 0);
    EXPECT(RP_ERR_VERIFY, verify(p, MANY, &err), &err);
    for (size_t i = 0; i < MANY; i++) assert_int_equal(p->status[i], i == at[k] ? RP_ERR_VERIFY : RP_OK);
    shift(p->proof[at[k]].g1, p->proof[at[k]].c, 1);
  }
}

/* C + G in one proof and C - G in another: the product of all equations holds. */
static void errors_that_cancel_are_found(void **state) {
  proofs *p = *state;
  for (size_t i = 1; i < FEW; i += 3) {
    shift(p->proof[0].g1, p->proof[0].c, 0);
    shift(p->proof[0].g1, p->proof[i].c, 1);
    same_verdicts(p, FEW, 0);
    assert_int_equal(p->status[i], RP_ERR_VERIFY);
    shift(p->proof[0].g1, p->proof[0].c, 1);
    shift(p->proof[0].g1, p->proof[i].c, 0);
  }
}

/* A proof that is refused by itself takes no part in the combination. */
static void points_and_signals_are_checked_of_each(void **state) {
  proofs *p = *state;
  const rp_groth16_proof good = p->proof[4];
  const rp_curve_host *g1 = rp_curve_get(good.g1), *g2 = rp_curve_get(good.g2);
  uint64_t torsion[24], sum[24];
  p->proof[4].a[0] ^= 1; /* off the curve */
  same_verdicts(p, FEW, 4);
  p->proof[4] = good;
  torsion_point(g2->id, TORSION_ALL, 1, torsion);
  memcpy(sum, good.b, g2->affine_bytes);
  g2->add(sum, sum, torsion);
  memcpy(p->proof[4].b, sum, g2->affine_bytes);
  same_verdicts(p, FEW, 4);
  assert_int_equal(p->status[4], RP_ERR_INPUT);
  p->proof[4] = good;
  if (torsion_cofactor(g1->id)) {
    torsion_point(g1->id, TORSION_ALL, 1, torsion);
    memcpy(sum, good.c, g1->affine_bytes);
    g1->add(sum, sum, torsion);
    memcpy(p->proof[4].c, sum, g1->affine_bytes);
    same_verdicts(p, FEW, 4);
    assert_int_equal(p->status[4], RP_ERR_INPUT);
    p->proof[4] = good;
  }
  p->proof[4].g1 = RP_CURVE_SECP256K1;
  same_verdicts(p, FEW, 4);
  p->proof[4] = good;
  uint8_t signal[32];
  memcpy(signal, p->signals[4], sizeof signal);
  memset(p->signals[4], 0xff, sizeof signal);
  same_verdicts(p, FEW, 4);
  memcpy(p->signals[4], signal, sizeof signal);
  /* All proofs are bad. */
  for (size_t i = 0; i < FEW; i++) p->proof[i].a[0] ^= 1;
  same_verdicts(p, FEW, 0);
  for (size_t i = 0; i < FEW; i++) p->proof[i].a[0] ^= 1;
  same_verdicts(p, FEW, FEW);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* If the combination of good proofs did not hold, every verdict would still be right, but take more time. */
static void good_proofs_are_not_verified_one_by_one(void **state) {
  proofs *p = *state;
  double together = 1e9, alone = 1e9;
  rp_error err;
  for (int round = 0; round < 5; round++) {
    const double begin = cpu_seconds();
    EXPECT(RP_OK, verify(p, 64, &err), &err);
    const double between = cpu_seconds();
    for (int i = 0; i < 64; i++) EXPECT(RP_OK, rp_groth16_verify(p->vkey, &p->proof[i], p->signals[i], 1, &err), &err);
    const double end = cpu_seconds();
    together = between - begin < together ? between - begin : together;
    alone = end - between < alone ? end - between : alone;
  }
  if (together > 0.85 * alone) fail_msg("64 proofs: %.1f ms together, %.1f ms alone", 1e3 * together, 1e3 * alone);
}

static void arguments(void **state) {
  proofs *p = *state;
  rp_error err;
  EXPECT(RP_OK, verify(p, 0, &err), &err);
  EXPECT(RP_OK, rp_groth16_verify_batch(p->vkey, NULL, NULL, 0, 1, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_verify_batch(NULL, p->proof, p->signals[0], 1, 1, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_verify_batch(p->vkey, NULL, p->signals[0], 1, 1, NULL, &err), &err);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_verify_batch(p->vkey, p->proof, NULL, 1, 1, NULL, &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_verify_batch(p->vkey, p->proof, p->signals[0], 2, 2, NULL, &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_verify_batch(p->vkey, p->proof, NULL, 2, 0, NULL, &err), &err);
}

int main(void) {
  bench b;
  bench_open(&b);
  int failed = 0;
  for (int i = 0; i < 2; i++) {
    proofs *p = calloc(1, sizeof *p);
    make_proofs(&b, fixtures[i], p);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(one_altered_proof_is_found, p),
        cmocka_unit_test_prestate(more_than_are_combined_at_a_time, p),
        cmocka_unit_test_prestate(errors_that_cancel_are_found, p),
        cmocka_unit_test_prestate(points_and_signals_are_checked_of_each, p),
        cmocka_unit_test_prestate(good_proofs_are_not_verified_one_by_one, p),
        cmocka_unit_test_prestate(arguments, p),
    };
    failed |= cmocka_run_group_tests_name(fixtures[i], tests, NULL, NULL);
    rp_groth16_vkey_destroy(p->vkey);
    free(p);
  }
  bench_close(&b);
  return failed;
}
