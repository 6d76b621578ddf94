/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every point of a key is checked: on a device by sums with random coefficients, on the host one by one. Points of
 * every order that divides the cofactors are added to each vector, alone and in pairs that cancel.
 */
#include "common.h"

#include "groth16/prover/key_check.h"
#include "groth16/prover/subgroup_batch.h"
#include "ops/torsion.h"

#include <stdio.h>

static rp_groth16_key *open_key(bench *b, const blob *file) {
  rp_error err = {0};
  rp_groth16_key *key;
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, file->data, file->bytes, NULL, &key, &err), &err);
  return key;
}

static made make_key(bench *b, const char *curve, uint32_t log_domain) {
  g16_shape shape;
  made m;
  g16_shape_preset(G16_PRESET_FULL, log_domain, &shape);
  shape.infinity_a = shape.infinity_b = 0.25;
  make_circuit(b, curve, curve, &shape, 0, &m);
  return m;
}

static uint32_t is_checked(const rp_groth16_key *key) {
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_groth16_key_get_info(key, &info);
  return info.points_checked;
}

static const g16_curve_test curve_tests[] = {G16_CURVE_ON_DEVICE, G16_CURVE_FIRST, G16_CURVE_BESIDE};
enum { CURVE_TESTS = sizeof curve_tests / sizeof *curve_tests };

/* Good keys pass on the device and on the host, and a recorded file says whether its key was checked. */
static void a_file_says_that_it_was_checked(void **state) {
  static const char *const names[] = {"multiplier_bn254", "multiplier_bls12381", "poseidon_merkle"};
  bench *b = *state;
  rp_error err = {0};
  for (int i = 0; i < 3; i++)
    for (int way = 0; way < 3 + CURVE_TESTS;
         way++) { /* unchecked; on the host; on the device, the curve tested in three ways */
      blob zkey = fixture_read(names[i], "circuit.zkey");
      rp_groth16_key *key = open_key(b, &zkey), *again;
      rp_groth16_prover *prover;
      assert_int_equal(is_checked(key), 0);
      if (way == 1) EXPECT(RP_OK, rp_groth16_key_check_points(key, NULL, &err), &err);
      if (way == 2) EXPECT(RP_OK, rp_groth16_key_check_points(key, b->device, &err), &err);
      if (way > 2) EXPECT(RP_OK, g16_key_check_points(key, b->device, curve_tests[way - 3], &err), &err);
      assert_int_equal(is_checked(key), way != 0);
      EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
      EXPECT(RP_OK, rp_groth16_save(prover, scratch_path("checked.rpk"), &err), &err);
      EXPECT(RP_OK, rp_groth16_key_open(b->context, scratch_path("checked.rpk"), NULL, &again, &err), &err);
      assert_int_equal(is_checked(again), way != 0);
      rp_groth16_key_close(again);
      rp_groth16_prover_destroy(prover);
      rp_groth16_key_close(key);
      blob_free(&zkey);
    }
}

/* The key is refused on the device and on the host, with the same sentence. */
static void refused(bench *b, rp_groth16_key *key, g16_curve_test curve_test, const char *vector, uint64_t point,
                    const char *why) {
  char says[64];
  snprintf(says, sizeof says, "point %llu of %s is not %s", (unsigned long long)point, vector, why);
  for (int host = 0; host < 2; host++) {
    rp_error err = {0};
    EXPECT(RP_ERR_FORMAT, g16_key_check_points(key, host ? NULL : b->device, curve_test, &err), &err);
    if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
    assert_int_equal(is_checked(key), 0);
  }
}

/* Adds a point of order `prime` to one point and, if `cancel`, its negative to the next but one. */
static void spoil(rp_groth16_key *key, g16_vector v, uint64_t at, uint64_t prime, int cancel) {
  const rp_curve_host *curve = rp_curve_get(g16_vector_curve(key, v));
  uint8_t *points = (uint8_t *)(uintptr_t)key->vector[v];
  g16_g2 torsion;
  torsion_point(curve->id, prime, at, &torsion);
  for (int i = 0; i <= cancel; i++) {
    uint8_t *point = points + (at + 2 * (uint64_t)i) * curve->affine_bytes;
    while (curve->is_identity(point)) point += curve->affine_bytes; /* points at infinity stay where they are */
    curve->add(point, point, &torsion);
    curve->neg(&torsion, &torsion);
  }
}

/* The index of the first point from `at` on that is outside its subgroup. */
static uint64_t first_outside(const rp_groth16_key *key, g16_vector v, uint64_t at) {
  const rp_curve_host *curve = rp_curve_get(g16_vector_curve(key, v));
  while (curve->in_subgroup(key->vector[v] + at * curve->affine_bytes)) at++;
  return at;
}

static void points_outside_are_found(void **state) {
  static const char *const vector[G16_VECTORS] = {"A", "B1", "B2", "C", "H"}, *const curves[] = {"bn128", "bls12381"};
  bench *b = *state;
  unsigned tried = 0;
  for (int c = 0; c < 2; c++) {
    made m = make_key(b, curves[c], 9);
    rp_groth16_key *good = open_key(b, &m.zkey);
    rp_error err = {0};
    EXPECT(RP_OK, rp_groth16_key_check_points(good, b->device, &err), &err);
    for (int v = 0; v < G16_VECTORS; v++) {
      const uint64_t *prime = torsion_primes(g16_vector_curve(good, (g16_vector)v));
      for (int i = 0; *prime; i++, prime++) {
        rp_groth16_key *key = open_key(b, &m.zkey);
        const uint64_t at = i % 3 == 0 ? good->info.n_public + 2 : i % 3 == 1 ? 100 : 400;
        spoil(key, (g16_vector)v, at, *prime, i % 2);
        refused(b, key, curve_tests[i % CURVE_TESTS], vector[v], first_outside(key, (g16_vector)v, at),
                "in the subgroup");
        rp_groth16_key_close(key);
        tried++;
      }
    }
    rp_groth16_key_close(good);
    made_free(&m);
  }
  assert_in_range(tried, 20, 100);
}

/* 1 is added to the y of a point, which is then not on the curve. */
static void points_off_the_curve_are_found(void **state) {
  static const char *const vector[G16_VECTORS] = {"A", "B1", "B2", "C", "H"}, *const curves[] = {"bn128", "bls12381"};
  bench *b = *state;
  for (int c = 0; c < 2; c++) {
    made m = make_key(b, curves[c], 11);
    for (int v = 0; v < G16_VECTORS; v++) {
      rp_groth16_key *key = open_key(b, &m.zkey);
      const rp_curve_host *curve = rp_curve_get(g16_vector_curve(key, (g16_vector)v));
      const rp_field_host *field = rp_field_get(curve->base);
      uint64_t at = 1000 + (uint64_t)v, one[12];
      while (curve->is_identity(key->vector[v] + at * curve->affine_bytes)) at++;
      uint8_t *y = (uint8_t *)(uintptr_t)key->vector[v] + at * curve->affine_bytes + curve->affine_bytes / 2;
      field->one(one);
      field->add(y, y, one);
      for (int i = 0; i < CURVE_TESTS; i++) refused(b, key, curve_tests[i], vector[v], at, "on the curve");
      rp_groth16_key_close(key);
    }
    made_free(&m);
  }
}

/* There are few different points, since only their positions matter. */
static uint8_t *many_points(const rp_curve_host *curve, uint64_t n) {
  uint8_t *points = malloc(n * curve->affine_bytes);
  g16_g2 generator, point;
  curve->generator(&generator);
  for (uint64_t i = 0; i < n; i++) {
    if (i % 64 == 0)
      curve->add(&point, &generator, i == 0 ? &generator : &point);
    else if (i < 64)
      curve->add(&point, &point, &generator);
    memcpy(points + i * curve->affine_bytes, &point, curve->affine_bytes);
  }
  memset(points + 7 * curve->affine_bytes, 0, curve->affine_bytes); /* one of them is infinity */
  return points;
}

/* The verdict on points in two arrays, with or without a test of the curve. */
static g16_verdict verdict_on(bench *b, rp_device *device, const rp_curve_host *curve, const uint8_t *points,
                              uint64_t n, int on_curve) {
  const uint64_t half = n / 2;
  const g16_point_array arrays[] = {{points, half}, {points + half * curve->affine_bytes, n - half}};
  const g16_subgroup_job job = {.context = b->context,
                                .device = device,
                                .curve = curve->id,
                                .n_arrays = 2,
                                .arrays = arrays,
                                .on_curve = on_curve};
  rp_error err = {0};
  g16_verdict verdict;
  EXPECT(RP_OK, g16_subgroup_batch(&job, &verdict, &err), &err);
  return verdict;
}

/* Arrays of points of many sizes, which take up to several runs of the device, with one point outside the subgroup and
 * with none. */
static void sets_of_any_size(void **state) {
  static const uint64_t sizes[] = {8, 31, 400, 5000, 90000}; /* in G2 of BLS12-381 the last one takes two runs */
  enum { FEW = 31 };
  bench *b = *state;
  const rp_curve_host *curve = rp_curve_get(RP_CURVE_BLS12_381_G2);
  uint8_t *points = many_points(curve, sizes[sizeof sizes / sizeof *sizes - 1]);
  g16_g2 torsion, point;
  torsion_point(curve->id, 13, 1, &torsion);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int bad = 0; bad < 3; bad++) {
      const uint64_t n = sizes[s], at = bad == 1 ? 0 : n - 1;
      uint8_t *place = points + at * curve->affine_bytes;
      memcpy(&point, place, curve->affine_bytes);
      if (bad) curve->add(place, place, &torsion);
      const g16_verdict verdict = verdict_on(b, b->device, curve, points, n, bad == 0);
      if (verdict != (n <= FEW ? G16_UNDECIDED : bad ? G16_NOT_ALL : G16_ALL_GOOD))
        fail_msg("%d points, bad %d: %d", (int)n, bad, verdict);
      memcpy(place, &point, curve->affine_bytes);
    }
  free(points);
}

/* In G1 of BN254, a point on the curve is always in the subgroup. */
static void a_curve_that_is_the_subgroup(void **state) {
  enum { POINTS = 5000 };
  bench *b = *state;
  const rp_curve_host *curve = rp_curve_get(RP_CURVE_BN254_G1);
  uint8_t *points = many_points(curve, POINTS);
  assert_int_equal(verdict_on(b, b->device, curve, points, POINTS, 1), G16_ALL_GOOD);
  points[(POINTS - 1) * curve->affine_bytes] ^= 1;
  assert_int_equal(verdict_on(b, b->device, curve, points, POINTS, 1), G16_NOT_ALL);
  assert_int_equal(verdict_on(b, b->device, curve, points, POINTS, 0), G16_ALL_GOOD);
  assert_int_equal(verdict_on(b, b->device, curve, points, 100, 1), G16_UNDECIDED);
  free(points);
}

static rp_device *open_little(bench *b, uint64_t budget) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device *device;
  rp_error err = {0};
  rp_device_get_info(b->device, &info);
  const rp_device_options options = {
      .struct_size = sizeof options, .kind = info.kind, .index = info.index, .memory_budget_bytes = budget};
  EXPECT(RP_OK, rp_device_open(b->context, &options, &device, &err), &err);
  return device;
}

/* There are so many points that they are replaced by sums, for which several recordings are in use at once. The device
 * gives a verdict whether all, some or none of these fit its budget. */
static void many_points_on_a_device_with_little(void **state) {
  static const int mib[] = {32, 18, 14, 3}; /* all recordings fit at once; not at once; less */
  enum { POINTS = 40000 };
  bench *b = *state;
  const rp_curve_host *curve = rp_curve_get(RP_CURVE_BLS12_381_G1);
  uint8_t *points = many_points(curve, POINTS), *last = points + (POINTS - 1) * (size_t)curve->affine_bytes;
  g16_g2 torsion;
  torsion_point(curve->id, 3, 1, &torsion);
  for (size_t i = 0; i < sizeof mib / sizeof *mib; i++) {
    rp_device *device = open_little(b, (uint64_t)mib[i] << 20);
    for (int bad = 0; bad < 2; bad++) {
      const g16_verdict verdict = verdict_on(b, device, curve, points, POINTS, 1);
      if (verdict != (bad ? G16_NOT_ALL : G16_ALL_GOOD)) fail_msg("%d MiB, bad %d: %d", mib[i], bad, verdict);
      curve->add(last, last, &torsion);
      if (!bad) continue;
      /* The point has been added three times, which is nothing, since its order is 3. */
      curve->add(last, last, &torsion);
    }
    rp_device_close(device);
  }
  free(points);
}

/* With any budget, good points pass, and one point outside the subgroup is found. */
static void devices_with_little(void **state) {
  static const uint64_t budgets[] = {1 << 20, 400000, 200000, 60000, 1000};
  bench *b = *state;
  made m = make_key(b, "bls12381", 10);
  for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
    bench little = {.context = b->context, .device = open_little(b, budgets[i])};
    rp_error err = {0};
    rp_groth16_key *key = open_key(b, &m.zkey);
    EXPECT(RP_OK, rp_groth16_key_check_points(key, little.device, &err), &err);
    rp_groth16_key_close(key);
    key = open_key(b, &m.zkey);
    spoil(key, G16_VEC_H, 900, 3, 0);
    refused(&little, key, G16_CURVE_CHOSEN, "H", first_outside(key, G16_VEC_H, 900), "in the subgroup");
    rp_groth16_key_close(key);
    rp_device_close(little.device);
  }
  made_free(&m);
}

/* The null device computes nothing, so its verdict would mean nothing. */
static void the_null_device_is_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_device *device;
  rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_NULL};
  blob zkey = fixture_read("poseidon_merkle", "circuit.zkey");
  rp_groth16_key *key = open_key(b, &zkey);
  EXPECT(RP_OK, rp_device_open(b->context, &options, &device, &err), &err);
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_key_check_points(key, device, &err), &err);
  assert_int_equal(is_checked(key), 0);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_check_points(NULL, b->device, &err), &err);
  rp_device_close(device);
  rp_groth16_key_close(key);
  blob_free(&zkey);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(a_file_says_that_it_was_checked, state),
      cmocka_unit_test_prestate(points_outside_are_found, state),
      cmocka_unit_test_prestate(points_off_the_curve_are_found, state),
      cmocka_unit_test_prestate(sets_of_any_size, state),
      cmocka_unit_test_prestate(a_curve_that_is_the_subgroup, state),
      cmocka_unit_test_prestate(many_points_on_a_device_with_little, state),
      cmocka_unit_test_prestate(devices_with_little, state),
      cmocka_unit_test_prestate(the_null_device_is_refused, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
