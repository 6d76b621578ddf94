/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The points of verification keys and proofs, each in turn: off its curve, outside its subgroup, at infinity. And the
 * sums of points on the host, of lengths for which their windows are widest.
 */
#include "common.h"

#include "groth16/formats/json.h"
#include "msm_host.h"
#include "ops/torsion.h"

static const char *const names[] = {"multiplier_bn254", "multiplier_bls12381"};
enum { FIXTURES = sizeof names / sizeof *names, POINT_BYTES = 2 * 96 };

typedef rp_status (*check_fn)(const void *object, rp_error *err);

static rp_status check_key(const void *key, rp_error *err) { return g16_vkey_check("key", key, err); }
static rp_status check_proof(const void *proof, rp_error *err) { return g16_proof_check("proof", proof, err); }

/* The point of `object` at `place`, whose name an error has. */
static void try_point(const void *object, check_fn check, void *place, rp_curve curve, const char *name,
                      bool may_be_infinity) {
  const rp_curve_host *host = rp_curve_get(curve);
  uint8_t good[POINT_BYTES];
  uint64_t point[POINT_BYTES / 8], torsion[POINT_BYTES / 8];
  rp_error err = {0};
  memcpy(good, place, host->affine_bytes);
  EXPECT(RP_OK, check(object, &err), &err);

  ((uint8_t *)place)[0] ^= 1;
  EXPECT(RP_ERR_INPUT, check(object, &err), &err);
  assert_non_null(strstr(err.reason, name));
  assert_non_null(strstr(err.reason, "not on the curve"));
  memcpy(point, good, host->affine_bytes);
  if (torsion_primes(curve)[0]) {
    torsion_point(curve, torsion_primes(curve)[0], 1, torsion);
    host->add(point, point, torsion);
    memcpy(place, point, host->affine_bytes);
    EXPECT(RP_ERR_INPUT, check(object, &err), &err);
    assert_non_null(strstr(err.reason, name));
    assert_non_null(strstr(err.reason, "not in the subgroup"));
  }
  memset(place, 0, host->affine_bytes);
  EXPECT(may_be_infinity ? RP_OK : RP_ERR_INPUT, check(object, &err), &err);
  if (!may_be_infinity) assert_non_null(strstr(err.reason, "at infinity"));
  memcpy(place, good, host->affine_bytes);
}

static void points_of_keys(void **state) {
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    blob text = fixture_read(names[f], "verification_key.json");
    g16_vkey key;
    rp_error err = {0};
    EXPECT(RP_OK, g16_vkey_read("key", (const char *)text.data, text.bytes, &key, &err), &err);
    try_point(&key, check_key, &key.alpha_1, key.family->g1, "vk_alpha_1", false);
    try_point(&key, check_key, &key.beta_2, key.family->g2, "vk_beta_2", false);
    try_point(&key, check_key, &key.gamma_2, key.family->g2, "vk_gamma_2", false);
    try_point(&key, check_key, &key.delta_2, key.family->g2, "vk_delta_2", false);
    for (uint32_t i = 0; i <= key.n_public; i++)
      try_point(&key, check_key, key.ic + (size_t)i * g16_g1_bytes(key.family), key.family->g1, "IC", true);
    g16_vkey_free(&key);
    blob_free(&text);
  }
}

static void points_of_proofs(void **state) {
  (void)state;
  for (int f = 0; f < FIXTURES; f++) {
    blob text = fixture_read(names[f], "proof.json");
    rp_groth16_proof proof;
    rp_error err = {0};
    EXPECT(RP_OK, g16_proof_read("proof", (const char *)text.data, text.bytes, &proof, &err), &err);
    try_point(&proof, check_proof, proof.a, proof.g1, "pi_a", true);
    try_point(&proof, check_proof, proof.b, proof.g2, "pi_b", true);
    try_point(&proof, check_proof, proof.c, proof.g1, "pi_c", true);
    blob_free(&text);
  }
}

/* The sum of k_i i G is the multiple of G by the sum of k_i i. Every other k_i has the lower half of its 64 bits, the
 * others the upper half, so that the two sums fit 64 bits. */
static void sums_on_the_host(void **state) {
  (void)state;
  enum { MOST = 1 << 15, SCALAR_BYTES = 32, HALF = 4 };
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BN254_G1);
  const size_t bytes = g1->affine_bytes;
  uint8_t *points = aligned_alloc(64, MOST * bytes), *scalars = calloc(MOST, SCALAR_BYTES);
  uint64_t generator[POINT_BYTES / 8], zero[POINT_BYTES / 8] = {0}, sum[POINT_BYTES / 8], part[2][POINT_BYTES / 8];
  uint64_t random = 7, n = 0, times[2] = {0, 0};
  g1->generator(generator);
  memcpy(points, generator, bytes);
  for (size_t i = 1; i < MOST; i++) g1->add(points + i * bytes, points + (i - 1) * bytes, generator);
  for (uint64_t length = 0; length <= MOST; length = length ? 8 * length : 1) { /* windows of 1 to 12 bits */
    for (; n < length; n++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      memcpy(scalars + n * SCALAR_BYTES + n % 2 * HALF, (uint8_t *)&random + HALF, HALF);
      times[n % 2] += (random >> 32) * (n + 1);
    }
    assert_int_equal(g16_msm_host(g1, zero, scalars, points, n, 64, sum), RP_OK);
    for (int half = 0; half < 2; half++) {
      uint8_t le[HALF + sizeof *times] = {0};
      memcpy(le + half * HALF, &times[half], sizeof *times);
      torsion_multiple(RP_CURVE_BN254_G1, generator, le, sizeof le, part[half]);
    }
    g1->add(part[0], part[0], part[1]);
    assert_memory_equal(sum, part[0], bytes);
  }
  free(points);
  free(scalars);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_of_keys), cmocka_unit_test(points_of_proofs),
                                     cmocka_unit_test(sums_on_the_host)};
  return cmocka_run_group_tests_name("groth16_points", tests, NULL, NULL);
}
