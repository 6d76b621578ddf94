/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Commitments: blinding, BN254 with seeded generators, thousands in one replay, the map to scalars, refusals.
 */
#include <reprise/pedersen.h>
#include <stdio.h>

#include "data.h"
#include "device.h"
#include "json.h"
#include "kat.h"
#include "one_submission.h"
#include "pedersen_values.h"
#include "points_data.h"

typedef uint8_t bytes;
enum { SIZE = RP_PEDERSEN_BYTES, AFFINE = 64, W = 256 };

static bytes generators[W * SIZE];

static const json *file(void) { return json_load("pedersen_banderwagon.json"); }
static const json *seeded(void) { return json_get(file(), "pedersen_seeded_gen_v1"); }

static void load_generators(void) {
  size_t at = 0;
  for (const json *g = json_get(file(), "generators_256")->item; g; g = g->next)
    json_bytes(g, generators + at++ * SIZE, SIZE);
}

static bytes *random_values(uint64_t seed, uint64_t n) {
  return data_scalars(RP_CURVE_BANDERWAGON, SCALAR_RANDOM, seed, n);
}

/* ---- A short form of source_pedersen ----------------------------------------------------------------------------- */

/* The number of dispatches that sum the products of this width in a tree; 0 for the linear form. */
static uint32_t tree_dispatches(rp_pedersen *p, uint32_t width) {
  enum { MOST = 64 };
  rp_node_info nodes[MOST] = {{.struct_size = sizeof *nodes}};
  uint32_t count, trees = 0;
  assert_int_equal(rp_recording_nodes(rp_pedersen_recording(p, width), nodes, MOST, &count, NULL), RP_OK);
  for (uint32_t i = 0; i < count && i < MOST; i++) trees += !strcmp(nodes[i].op, "tree_reduce");
  return trees;
}

/* From the threshold on, the sum is a tree, in one dispatch. By default a CPU takes no tree. */
static void trees_from_the_threshold_on(void **state) {
  const rp_pedersen_options from_8 = {.struct_size = sizeof from_8, .crossover = 8};
  rp_device_info info = {.struct_size = sizeof info};
  rp_pedersen *p, *own;
  bytes out[SIZE];
  (void)state;
  load_generators();
  bytes *v = random_values(3, 16);
  rp_device_get_info(device_current(), &info);
  assert_int_equal(rp_pedersen_create(device_current(), &from_8, &p, NULL), RP_OK);
  assert_int_equal(rp_pedersen_create(device_current(), NULL, &own, NULL), RP_OK);
  for (uint32_t width = 4; width <= 16; width *= 2) {
    assert_int_equal(rp_pedersen_commit_tree(p, width, v, generators, out, NULL), RP_OK);
    assert_int_equal(rp_pedersen_commit_tree(own, width, v, generators, out, NULL), RP_OK);
    assert_int_equal(tree_dispatches(p, width), width >= 8);
    assert_int_equal(tree_dispatches(own, width), info.kind != RP_DEVICE_CPU && width >= 8);
  }
  rp_pedersen_destroy(p), rp_pedersen_destroy(own);
  free(v);
}

/* The encodings of commitments of small widths and the derived generators are those of the file, and the last of 256
 * values contributes to the commitment. */
static void known_in_small(void **state) {
  bytes want[SIZE], got[SIZE], values[W * SIZE], derived[8 * SIZE];
  const rp_pedersen_options trees = {.struct_size = sizeof trees, .crossover = 1};
  rp_pedersen *p;
  unsigned tried = 0;
  (void)state;
  load_generators();
  assert_int_equal(rp_pedersen_verkle_generators(8, derived, NULL), RP_OK);
  assert_memory_equal(derived, generators, sizeof derived);
  assert_int_equal(rp_pedersen_create(device_current(), &trees, &p, NULL), RP_OK);
  for (const json *e = json_get(file(), "KAT_python")->item; e; e = e->next) {
    const uint32_t width = (uint32_t)json_u64(json_get(e, "width"));
    if (width & (width - 1) || width > 8) continue;
    for (uint32_t i = 0; i < width; i++) pedersen_value(e, width, i, values + i * SIZE);
    json_bytes(json_get(e, "commitment"), want, SIZE);
    assert_int_equal(rp_pedersen_commit_tree(p, width, values, generators, got, NULL), RP_OK);
    assert_memory_equal(got, want, SIZE);
    assert_int_equal(rp_pedersen_commit(values, generators, width, got, NULL), RP_OK);
    assert_memory_equal(got, want, SIZE);
    tried++;
  }
  assert_true(tried > 3);
  memset(values, 0, sizeof values);
  values[255 * SIZE] = 1; /* the last value alone: its generator */
  rp_pedersen_destroy(p);
  assert_int_equal(rp_pedersen_create(device_current(), NULL, &p, NULL), RP_OK);
  assert_int_equal(rp_pedersen_commit_tree_w256(p, values, generators, got, NULL), RP_OK);
  assert_memory_equal(got, generators + 255 * SIZE, SIZE);
  rp_pedersen_destroy(p);
}

/* Neighbours are added first, then their sums. Only the coordinates of an accumulator show that, and only on a CPU are
 * they compared here. */
static void neighbours_first(void **state) {
  enum { N = 11, ACC = 2 * AFFINE };
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BANDERWAGON);
  rp_device_info info = {.struct_size = sizeof info};
  uint64_t affine[N * AFFINE / 8], sums[N][ACC / 8], got[ACC / 8];
  (void)state;
  rp_device_get_info(device_current(), &info);
  if (info.kind != RP_DEVICE_CPU) return;
  load_generators();
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(
        rp_point_decompress(RP_CURVE_BANDERWAGON, generators + i * SIZE, 0, (uint8_t *)affine + i * AFFINE), RP_OK);
    c->acc_from_affine(sums[i], (uint8_t *)affine + i * AFFINE);
  }
  job j;
  job_begin(&j);
  const rp_value points = job_input(&j, rp_type_affine(RP_CURVE_BANDERWAGON), N, affine);
  job_output(&j, rp_tree_reduce(j.graph, points, N), got);
  job_check(&j);
  for (size_t stride = 1; stride < N; stride *= 2)
    for (size_t i = 0; i + stride < N; i += 2 * stride) c->acc_add(sums[i], sums[i], sums[i + stride]);
  assert_memory_equal(got, sums[0], ACC);
}

/* The same values with other generators need no new recording, and give another sum. */
static void generators_are_inputs(void **state) {
  bytes a[SIZE], b[SIZE], want[SIZE], turned[16 * SIZE];
  rp_pedersen *p;
  (void)state;
  load_generators();
  bytes *v = random_values(1, 16);
  for (size_t i = 0; i < 16; i++) memcpy(turned + i * SIZE, generators + (15 - i) * SIZE, SIZE);
  assert_int_equal(rp_pedersen_create(device_current(), NULL, &p, NULL), RP_OK);
  for (int again = 0; again < 2; again++) {
    assert_int_equal(rp_pedersen_commit_tree(p, 16, v, generators, a, NULL), RP_OK);
    assert_int_equal(rp_pedersen_commit_tree(p, 16, v, turned, b, NULL), RP_OK);
    assert_int_equal(rp_pedersen_commit(v, turned, 16, want, NULL), RP_OK);
    assert_memory_equal(b, want, SIZE);
    assert_memory_not_equal(a, b, SIZE);
  }
  rp_pedersen_destroy(p);
  free(v);
}

/* ---- Blinding ---------------------------------------------------------------------------------------------------- */

typedef struct fixed_random {
  uint32_t calls, zeros; /* the first `zeros` calls give zero */
  rp_status status;
} fixed_random;

static rp_status draw(void *user, void *canonical_le) {
  fixed_random *r = user;
  memset(canonical_le, 0, 32);
  if (r->calls++ >= r->zeros) *(uint32_t *)canonical_le = r->calls;
  return r->status;
}

static void blinded(void **state) {
  bytes want[SIZE], got[SIZE];
  rp_pedersen *p;
  rp_error err;
  (void)state;
  load_generators();
  bytes *v = random_values(2, W);
  memset(v, 0, SIZE);
  assert_int_equal(rp_pedersen_commit(v, generators, W, want, NULL), RP_OK);
  assert_int_equal(rp_pedersen_create(device_current(), NULL, &p, NULL), RP_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(rp_pedersen_commit_blinded(p, W, v, generators, got, NULL), RP_OK);
    assert_memory_equal(got, want, SIZE);
  }
  rp_pedersen_destroy(p);
  fixed_random random = {.zeros = 3};
  const rp_pedersen_options o = {.struct_size = sizeof o, .random = draw, .random_user = &random};
  assert_int_equal(rp_pedersen_create(device_current(), &o, &p, NULL), RP_OK);
  assert_int_equal(rp_pedersen_commit_blinded(p, W, v, generators, got, NULL), RP_OK);
  assert_memory_equal(got, want, SIZE);
  assert_int_equal(random.calls, 4); /* drawn again after each zero */
  assert_int_equal(rp_pedersen_commit_blinded(p, W, v, generators, got, NULL), RP_OK);
  assert_int_equal(random.calls, 5); /* and once for every call */
  random.status = RP_ERR_UNAVAILABLE;
  memset(got, 7, SIZE);
  assert_int_equal(rp_pedersen_commit_blinded(p, W, v, generators, got, &err), RP_ERR_UNAVAILABLE);
  assert_non_null(strstr(err.reason, "randomness"));
  assert_int_equal(got[5], 7);
  rp_pedersen_destroy(p);
  free(v);
}

/* ---- BN254 ------------------------------------------------------------------------------------------------------- */

static void xy_be(const bytes *affine, bytes be[AFFINE]) {
  bytes le[32];
  for (int half = 0; half < 2; half++) {
    rp_field_get(RP_FIELD_BN254_FP)->to_canonical(le, affine + 32 * half);
    for (int i = 0; i < 32; i++) be[32 * half + 31 - i] = le[i];
  }
}

/* The frozen vector, which is a point of BN254 and not of Banderwagon. */
static void frozen_vector(void **state) {
  bytes seed[32], want[2][SIZE], got[SIZE], be[AFFINE], listed[AFFINE];
  uint64_t points[9][8];
  (void)state;
  for (int i = 0; i < 32; i++) seed[i] = (bytes)i;
  json_bytes(json_get(seeded(), "golden_G_gnark_compressed"), want[0], SIZE);
  json_bytes(json_get(seeded(), "golden_H_gnark_compressed"), want[1], SIZE);
  assert_int_equal(rp_pedersen_seeded_generators(seed, 0, 9, points, NULL), RP_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(rp_point_compress(RP_CURVE_BN254_G1, points[i], got), RP_OK);
    assert_memory_equal(got, want[i], SIZE);
  }
  assert_int_equal(want[0][0], 0xc5);
  const json *first = json_get(seeded(), "generators_seed_00_1f_xy_be_first_9");
  for (size_t i = 0; i < 9; i++) {
    xy_be((const bytes *)points[i], be);
    json_bytes(json_at(first, i), listed, AFFINE);
    assert_memory_equal(be, listed, AFFINE);
  }
  assert_int_equal(rp_point_decompress(RP_CURVE_BANDERWAGON, want[0], 0, points[0]), RP_ERR_FORMAT);
}

/* The numbers of points end at 2^64 - 1, and point 0 does not follow. */
static void numbers_of_points_end(void **state) {
  static const bytes seed[32] = {7};
  uint64_t last[2][8], one[8];
  rp_error err;
  (void)state;
  assert_int_equal(rp_pedersen_seeded_generators(seed, UINT64_MAX - 1, 2, last, &err), RP_OK);
  assert_int_equal(rp_pedersen_seeded_generators(seed, UINT64_MAX, 1, one, &err), RP_OK);
  assert_memory_equal(one, last[1], sizeof one);
  assert_int_equal(rp_pedersen_seeded_generators(seed, UINT64_MAX, 0, NULL, &err), RP_OK);
  for (uint32_t n = 2; n > 1; n = n == 2 ? UINT32_MAX : 0)
    assert_int_equal(rp_pedersen_seeded_generators(seed, UINT64_MAX - (n - 2), n, last, &err), RP_ERR_ARGUMENT);
  assert_string_equal(err.reason, "rp_pedersen_seeded_generators: points have 64-bit numbers, and there are only "
                                  "4294967294 of them from number 18446744069414584322 on, not 4294967295.");
}

static void check_seeded(const bytes *seed, uint32_t width, const bytes *v, const bytes *r, const json *xy) {
  rp_pedersen_seeded *s;
  bytes got[SIZE], want[AFFINE], be[AFFINE];
  uint64_t point[8];
  json_bytes(xy, want, AFFINE);
  assert_int_equal(rp_pedersen_seeded_create(device_current(), seed, width, RP_RECORD_CHECK_HAZARDS, &s, NULL), RP_OK);
  assert_int_equal(rp_pedersen_seeded_commit(s, v, r, got, NULL), RP_OK);
  assert_int_equal(rp_point_decompress(RP_CURVE_BN254_G1, got, 0, point), RP_OK);
  xy_be((const bytes *)point, be);
  assert_memory_equal(be, want, AFFINE);
  rp_pedersen_seeded_destroy(s);
}

/* The published commitments of width 8, and one of width 256, each with its blinding. */
static void blinded_vectors_of_bn254(void **state) {
  const json *k = json_get(seeded(), "vector_commit_KAT_independent");
  bytes seed[32], v[W * SIZE], r[SIZE];
  (void)state;
  if (data_curve(RP_CURVE_BN254_G1) != RP_CURVE_BN254_G1) skip();
  for (int i = 0; i < 32; i++) seed[i] = (bytes)i;
  for (const json *e = json_get(k, "rounds")->item; e; e = e->next) {
    for (size_t i = 0; i < 8; i++) json_integer(json_at(json_get(e, "scalars_be"), i), 1, v + i * SIZE, SIZE);
    json_integer(json_get(e, "blinding_be"), 1, r, SIZE);
    check_seeded(seed, 8, v, r, json_get(e, "commitment_xy_be"));
  }
  for (const json *e = json_get(seeded(), "width256_simple_python")->item; e; e = e->next) {
    memset(v, 0, sizeof v);
    memset(r, 0, sizeof r);
    for (int i = 0; i < W; i++) v[i * SIZE] = !strcmp(json_text(json_get(e, "name")), "ones") ? 1 : (bytes)i;
    r[0] = (bytes)json_u64(json_get(e, "blinding"));
    check_seeded(seed, W, v, r, json_get(e, "commitment_xy_be"));
  }
}

/* ---- Many at once ------------------------------------------------------------------------------------------------ */

/* Four thousand commitments take one submission; each is the same as if it were made alone. */
static void thousands_in_one_replay(void **state) {
  const uint32_t n = (uint32_t)data_cap(4096), width = 8;
  bytes *v = random_values(3, (uint64_t)n * width), *got = malloc((size_t)n * SIZE), want[SIZE];
  /* The windows that the library chooses, of 13 bits, are half a minute of lavapipe's; 8 bits are the fewest for which
   * two workgroups make a window's table. */
  const uint32_t bits = device_is_software() ? 8 : 0;
  const rp_pedersen_batch_options o = {
      .struct_size = sizeof o, .width = width, .commitments = n, .window_bits = bits, .secret = 1};
  rp_pedersen_batch *batch;
  rp_run_counters c = {.struct_size = sizeof c};
  (void)state;
  load_generators();
  assert_int_equal(rp_pedersen_batch_create(device_current(), &o, generators, &batch, NULL), RP_OK);
  for (int again = 0; again < 2; again++) {
    v[0] ^= 1;
    assert_int_equal(rp_pedersen_batch_commit(batch, v, got, &c, NULL), RP_OK);
    assert_one_submission(device_current(), c.submissions);
    assert_int_equal(c.waits, 1);
    for (uint32_t i = 0; i < n; i += 1 + n / 16) {
      assert_int_equal(rp_pedersen_commit(v + (size_t)i * width * SIZE, generators, width, want, NULL), RP_OK);
      assert_memory_equal(got + (size_t)i * SIZE, want, SIZE);
    }
  }
  rp_pedersen_batch_destroy(batch);
  free(v);
  free(got);
}

/* Commitments mapped to the scalars that the next node commits to, against the vectors. */
static void map_to_scalar(void **state) {
  enum { MOST = 64 };
  static uint64_t points[MOST][8];
  static bytes want[MOST][SIZE], got[MOST][SIZE];
  bytes compressed[SIZE];
  size_t n = 0;
  job j;
  (void)state;
  for (const json *e = json_get(file(), "KAT_python")->item; e && n < MOST; e = e->next, n++) {
    json_bytes(json_get(e, "commitment"), compressed, SIZE);
    json_bytes(json_get(e, "map_to_scalar_le"), want[n], SIZE);
    assert_int_equal(rp_point_decompress(RP_CURVE_BANDERWAGON, compressed, 0, points[n]), RP_OK);
  }
  job_begin(&j);
  const rp_value p = job_input(&j, rp_type_affine(RP_CURVE_BANDERWAGON), n, points);
  job_output(&j, rp_pedersen_map_to_scalar(j.graph, p), got);
  job_check(&j);
  assert_memory_equal(got, want, n * SIZE);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void refuse(rp_pedersen *p, uint32_t width, const void *v, const void *g, rp_status status, const char *reason) {
  bytes out[SIZE], untouched[SIZE];
  rp_error err = {0};
  memset(out, 0xa5, SIZE);
  memcpy(untouched, out, SIZE);
  assert_int_equal(rp_pedersen_commit_tree(p, width, v, g, out, &err), status);
  assert_int_equal(err.status, status);
  if (!strstr(err.reason, reason)) fail_msg("\"%s\" says nothing of \"%s\"", err.reason, reason);
  assert_int_equal(rp_pedersen_commit_blinded(p, width, v, g, out, NULL), status);
  assert_memory_equal(out, untouched, SIZE);
}

static void refusals(void **state) {
  static bytes v[2048 * SIZE], broken[16 * SIZE];
  rp_pedersen *p;
  rp_pedersen_batch *batch;
  rp_error err;
  bytes out[SIZE];
  (void)state;
  load_generators();
  assert_int_equal(rp_pedersen_create(device_current(), NULL, &p, NULL), RP_OK);
  refuse(p, 0, v, generators, RP_ERR_SHAPE, "power of two");
  refuse(p, 12, v, generators, RP_ERR_SHAPE, "12 values");
  refuse(p, 2048, v, generators, RP_ERR_SHAPE, "at most 1024");
  refuse(p, 8, NULL, generators, RP_ERR_ARGUMENT, "needed");
  refuse(p, 8, v, NULL, RP_ERR_ARGUMENT, "needed");
  assert_int_equal(rp_pedersen_commit_tree(p, 8, v, generators, NULL, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(rp_pedersen_commit_tree(NULL, 8, v, generators, out, NULL), RP_ERR_ARGUMENT);
  memcpy(v + 3 * SIZE, rp_curve_get(RP_CURVE_BANDERWAGON)->order_le, SIZE);
  refuse(p, 8, v, generators, RP_ERR_INPUT, "Value 3 is not below the order");
  assert_int_equal(rp_pedersen_commit(v, generators, 8, out, &err), RP_ERR_INPUT);
  const rp_pedersen_batch_options o = {.struct_size = sizeof o, .width = 8, .commitments = 1, .window_bits = 7};
  assert_int_equal(rp_pedersen_batch_create(device_current(), &o, generators, &batch, NULL), RP_OK);
  memset(out, 7, SIZE);
  assert_int_equal(rp_pedersen_batch_commit(batch, v, out, NULL, &err), RP_ERR_INPUT);
  assert_non_null(strstr(err.reason, "scalar is not below the group order"));
  assert_int_equal(out[9], 7);
  rp_pedersen_batch_destroy(batch);
  v[3 * SIZE]--; /* the order less one is a scalar */
  assert_int_equal(rp_pedersen_commit_tree(p, 8, v, generators, out, &err), RP_OK);
  memcpy(broken, generators, sizeof broken);
  memset(broken + 5 * SIZE, 0xff, SIZE); /* not a field element */
  refuse(p, 8, v, broken, RP_ERR_FORMAT, "Generator 5 is not an encoding");
  memcpy(broken + 5 * SIZE, generators + 5 * SIZE, SIZE);
  do broken[6 * SIZE + 31]++;
  while (rp_point_decompress(RP_CURVE_BANDERWAGON, broken + 6 * SIZE, 1, (uint64_t[8]){0}) ==
         RP_OK); /* off the curve */
  refuse(p, 8, v, broken, RP_ERR_FORMAT, "Generator 6 is not an encoding");
  assert_int_equal(rp_pedersen_batch_create(device_current(), &o, broken, &batch, &err), RP_ERR_FORMAT);
  rp_pedersen_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refusals),
      cmocka_unit_test(trees_from_the_threshold_on),
      cmocka_unit_test(known_in_small),
      cmocka_unit_test(neighbours_first),
      cmocka_unit_test(generators_are_inputs),
      cmocka_unit_test(frozen_vector),
      cmocka_unit_test(numbers_of_points_end),
      cmocka_unit_test(blinded),
      cmocka_unit_test(blinded_vectors_of_bn254),
      cmocka_unit_test(thousands_in_one_replay),
      cmocka_unit_test(map_to_scalar),
  };
  const int failures = device_run_tests("pedersen_more", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
