/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The commitments of tests/data/pedersen_banderwagon.json: generators decoded, then sums of value times generator as a
 * multi-scalar multiplication, as products and a tree of sums, and with tables of fixed bases.
 *
 * Not on lavapipe, for which its products are too large; msm has the same kernels.
 * op-test lavapipe:none label:slow label:native
 */
#include "data.h"
#include "device.h"
#include "kat.h"
#include "pedersen_values.h"
#include "points_data.h"

#include <openssl/sha.h>
#include <stdio.h>

typedef uint8_t bytes;

enum { WIDTH_MAX = 1024, SCALAR_BYTES = 32, AFFINE = 64 };
static const rp_curve CURVE = RP_CURVE_BANDERWAGON;

static bytes generators[WIDTH_MAX * AFFINE], encoded[WIDTH_MAX * 32];

static void decode(const json *hex, bytes *affine, bytes *compressed) {
  const bytes zero[32] = {0};
  assert_int_equal(json_bytes(hex, compressed, 32), 32);
  if (!memcmp(compressed, zero, 32)) { /* how the vectors write the identity */
    rp_curve_get(CURVE)->identity(affine);
  } else {
    assert_int_equal(rp_point_decompress(CURVE, compressed, 0, affine), RP_OK);
  }
}

static void assert_commitment(const bytes *affine, const json *hex, const char *name) {
  bytes got[32] = {0}, want[32];
  json_bytes(hex, want, sizeof want);
  assert_int_equal(rp_point_compress(CURVE, affine, got), RP_OK);
  if (memcmp(got, want, sizeof want) != 0) fail_msg("%s on %s: another commitment", name, device_name());
}

/* x / y as an integer, modulo the order of the group: the Verkle specification's map to a scalar, least significant
 * byte first. */
static void assert_mapped(const bytes *affine, const json *hex, const char *name) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BLS12_381_FR), *r = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  uint64_t t[4];
  bytes le[32], want[32];
  f->inv(t, affine + 32);
  f->mul(t, t, affine);
  f->to_canonical(le, t);
  r->from_bytes_reduce(t, le, sizeof le);
  r->to_canonical(le, t);
  const size_t n = json_bytes(hex, want, sizeof want);
  if (memcmp(le, want, n) != 0) fail_msg("%s on %s: maps to another scalar", name, device_name());
}

/* Vectors of n values each, with their names. One graph commits to all of them, because they have the same
 * generators. */
enum { MOST_TOGETHER = 16 };
typedef struct vectors {
  uint64_t n;
  uint32_t many;
  bytes *values;
  const char *names[MOST_TOGETHER];
} vectors;

/* Commits to the vectors in three ways, which must agree. The table, which is most of the work, is made once for all
 * of them. */
static void commit(const vectors *v, const bytes *points, bytes out[][AFFINE]) {
  static bytes tree[MOST_TOGETHER][AFFINE], fixed[MOST_TOGETHER][AFFINE];
  job j;
  job_begin(&j);
  const rp_value p = job_constant(&j, rp_type_affine(CURVE), v->n, points);
  const rp_fixed_base base = rp_fixed_base_table(j.graph, p, 4);
  for (uint32_t i = 0; i < v->many; i++) {
    rp_value s = job_input(&j, &RP_TYPE_U256, v->n, v->values + i * v->n * SCALAR_BYTES);
    job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, p, NULL)), out[i]);
    job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, rp_scalar_mul(j.graph, s, p), 0)), tree[i]);
    job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, rp_fixed_base_mul(j.graph, &base, s), 0)), fixed[i]);
  }
  job_check(&j);
  for (uint32_t i = 0; i < v->many; i++) {
    data_assert_points(CURVE, tree[i], out[i], 1, v->names[i]);
    data_assert_points(CURVE, fixed[i], out[i], 1, v->names[i]);
  }
}

static void commit_one(bytes *values, const bytes *points, uint64_t n, bytes out[AFFINE], const char *name) {
  const vectors v = {.n = n, .many = 1, .values = values, .names = {name}};
  commit(&v, points, (bytes(*)[AFFINE])out);
}

static void load_generators(const json *root) {
  size_t at = 0;
  for (const json *g = json_get(root, "generators_256")->item; g; g = g->next, at++)
    decode(g, generators + at * AFFINE, encoded + at * 32);
  assert_int_equal(at, 256);
  for (const json *g = json_get(root, "generators_256_to_1023_python")->item; g; g = g->next, at++)
    decode(g, generators + at * AFFINE, encoded + at * 32);
  assert_int_equal(at, WIDTH_MAX);
}

static void test_generators(void **state) {
  json *root = json_load("pedersen_banderwagon.json");
  bytes again[32], published[32];
  (void)state;
  load_generators(root);
  for (size_t i = 0; i < WIDTH_MAX; i++) {
    assert_int_equal(rp_point_compress(CURVE, generators + i * AFFINE, again), RP_OK);
    assert_memory_equal(again, encoded + i * 32, 32);
  }
  kat_assert_digest(encoded, 256 * 32, json_get(root, "published_sha256_of_256_compressed_generators"), "generators");
  json_bytes(json_get(root, "published_first"), published, 32);
  assert_memory_equal(encoded, published, 32);
  json_bytes(json_get(root, "published_last"), published, 32);
  assert_memory_equal(encoded + 255 * 32, published, 32);
  for (const json *e = json_get(root, "sha256_of_first_n_generators")->item; e; e = e->next)
    kat_assert_digest(encoded, strtoul(e->key, NULL, 10) * 32, e, "first n generators");
  /* The x-coordinate of generator i is the SHA-256 of a label and the counter that the file gives for it. */
  size_t i = 0;
  for (const json *c = json_get(root, "generator_sha_counter_of_each")->item; c; c = c->next, i++) {
    const uint64_t counter = json_u64(c);
    uint64_t x[4];
    bytes text[28] = "eth_verkle_oct_2021", canonical[32];
    for (int k = 0; k < 8; k++) text[19 + k] = (bytes)(counter >> (56 - 8 * k));
    kat_hash(RP_FIELD_BLS12_381_FR, text, 27, x);
    rp_field_get(RP_FIELD_BLS12_381_FR)->to_canonical(canonical, x);
    for (int k = 0; k < 32; k++) again[k] = canonical[31 - k];
    assert_memory_equal(again, encoded + i * 32, 32);
  }
}

static void set_u64(bytes *s, uint64_t x) { memcpy(s, &x, 8); }

/* All entries of one width. Returns their number. */
static uint32_t check_width(const json *entries, uint32_t width) {
  static bytes sums[MOST_TOGETHER][AFFINE];
  const json *of[MOST_TOGETHER];
  vectors v = {.n = width, .values = malloc((size_t)MOST_TOGETHER * width * SCALAR_BYTES)};
  for (const json *e = entries->item; e; e = e->next) {
    if (json_u64(json_get(e, "width")) != width) continue;
    assert_true(v.many < MOST_TOGETHER);
    bytes *values = v.values + v.many * v.n * SCALAR_BYTES;
    for (uint32_t i = 0; i < width; i++) pedersen_value(e, width, i, values + i * SCALAR_BYTES);
    v.names[v.many] = json_get(e, "name")->text;
    of[v.many++] = e;
  }
  if (v.many) commit(&v, generators, sums);
  for (uint32_t i = 0; i < v.many; i++) {
    assert_commitment(sums[i], json_get(of[i], "commitment"), v.names[i]);
    assert_mapped(sums[i], json_get(of[i], "map_to_scalar_le"), v.names[i]);
    const json *equal = json_find(of[i], "linear_equals_tree"); /* commit() has compared them */
    assert_true(!equal || !strcmp(json_text(equal), "true"));
  }
  free(v.values);
  return v.many;
}

static void test_commitments(void **state) {
  json *root = json_load("pedersen_banderwagon.json");
  static bytes values[256 * SCALAR_BYTES];
  const json *entries = json_get(root, "KAT_python");
  bytes sum[AFFINE];
  uint64_t checked = 0;
  (void)state;
  load_generators(root);
  for (uint32_t width = 1; width <= WIDTH_MAX; width++) checked += check_width(entries, width);
  assert_int_equal(checked, entries->n);
  for (const json *e = json_get(json_get(root, "KAT_independent"), "commitments")->item; e; e = e->next) {
    assert_string_equal(json_get(e, "name")->text, "1..32 repeated 8 times");
    assert_int_equal(json_u64(json_get(e, "width")), 256);
    memset(values, 0, sizeof values);
    for (uint32_t i = 0; i < 256; i++) values[i * SCALAR_BYTES] = (bytes)(i % 32 + 1);
    commit_one(values, generators, 256, sum, "1..32");
    assert_commitment(sum, json_get(e, "commitment"), "1..32");
  }
  for (const json *e = json_get(json_get(json_get(root, "KAT_independent"), "verkle_hash64"), "cases")->item; e;
       e = e->next) {
    bytes listed[SCALAR_BYTES], input[64];
    memset(values, 0, 5 * SCALAR_BYTES);
    set_u64(values, 2 + 256 * 64);
    assert_int_equal(json_bytes(json_get(e, "input"), input, sizeof input), sizeof input);
    for (size_t i = 0; i < 4; i++) memcpy(values + (i + 1) * SCALAR_BYTES, input + 16 * i, 16);
    for (size_t i = 0; i < 5; i++) {
      json_integer(json_at(json_get(e, "scalars"), i), 0, listed, SCALAR_BYTES);
      assert_memory_equal(values + i * SCALAR_BYTES, listed, SCALAR_BYTES);
    }
    commit_one(values, generators, 5, sum, "verkle_hash64");
    assert_commitment(sum, json_get(e, "commitment"), "verkle_hash64");
    assert_mapped(sum, json_get(e, "hash_le"), "verkle_hash64");
    const json *part = json_find(e, "published_first_31_bytes");
    if (part) assert_mapped(sum, part, "verkle_hash64");
  }
}

static void test_custom_generators(void **state) {
  json *root = json_load("pedersen_banderwagon.json");
  (void)state;
  for (const json *e = json_get(root, "KAT_python_custom_generators")->item; e; e = e->next) {
    const uint64_t width = json_u64(json_get(e, "width"));
    bytes points[16 * AFFINE], values[16 * SCALAR_BYTES], ignored[32], sum[AFFINE];
    assert_true(width <= 16);
    for (size_t i = 0; i < width; i++) {
      const json *own = json_find(e, "generators");
      if (own) {
        decode(json_at(own, i), points + i * AFFINE, ignored);
      } else {
        decode(json_at(json_get(root, "generators_256"), i), points + i * AFFINE, ignored);
      }
      json_integer(json_at(json_get(e, "values"), i), 0, values + i * SCALAR_BYTES, SCALAR_BYTES);
    }
    commit_one(values, points, width, sum, json_get(e, "name")->text);
    assert_commitment(sum, json_get(e, "commitment"), json_get(e, "name")->text);
  }
}

static uint64_t xorshift(uint64_t *x) {
  *x ^= *x << 13;
  *x ^= *x >> 7;
  *x ^= *x << 17;
  return *x * 2685821657736338717u;
}

static void test_multiples_of_generator(void **state) {
  json *root = json_load("pedersen_banderwagon.json");
  const rp_curve_host *c = rp_curve_get(CURVE);
  (void)state;
  for (const json *e = json_get(json_get(json_get(root, "KAT_independent"), "msm_over_multiples_of_G"), "cases")->item;
       e; e = e->next) {
    const uint64_t n = json_u64(json_get(e, "n"));
    uint64_t x = strtoull(json_get(e, "seed")->text, NULL, 16), g[8];
    bytes *points = malloc(n * AFFINE), *values = malloc(n * SCALAR_BYTES), sum[AFFINE];
    c->generator(g);
    for (uint64_t i = 0; i < n; i++) {
      bytes k[SCALAR_BYTES] = {0};
      set_u64(k, (xorshift(&x) & 0xffffffffu) + 1);
      c->mul(points + i * AFFINE, g, k);
    }
    for (uint64_t i = 0; i < n; i++) {
      for (int w = 0; w < 4; w++) set_u64(values + i * SCALAR_BYTES + 8 * w, xorshift(&x));
      values[i * SCALAR_BYTES + 31] &= 7;
    }
    job j;
    job_begin(&j);
    rp_value p = job_input(&j, rp_type_affine(CURVE), n, points);
    job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, job_input(&j, &RP_TYPE_U256, n, values), p, NULL)), sum);
    job_check(&j);
    assert_commitment(sum, json_get(e, "compressed"), "multiples of G");
    free(points);
    free(values);
  }
}

/* The plan of a tree of width w: the number of levels, and the additions of each level, w - 1 in total. */
static void test_width_plan(void **state) {
  const json *plan = json_get(json_load("pedersen_banderwagon.json"), "width_plan"), *levels = json_get(plan, "levels");
  (void)state;
  assert_int_equal(json_get(plan, "widths")->n, levels->n);
  for (const json *w = json_get(plan, "widths")->item; w; w = w->next)
    assert_int_equal((uint64_t)1 << json_u64(json_get(levels, json_text(w))), json_u64(w));
  uint64_t width = 256, adds = 0;
  for (const json *a = json_get(plan, "adds_per_level_w256")->item; a; a = a->next) {
    width /= 2;
    assert_int_equal(json_u64(a), width);
    adds += json_u64(a);
  }
  assert_int_equal(width, 1);
  assert_string_equal(json_text(json_get(plan, "total_adds")), "w-1");
  assert_int_equal(adds, 255);
}

/* The tests have read everything in the file except its prose and what test_pedersen_seeded.c reads. */
static void test_consumed(void **state) {
  static const char *const except[] = {"_meta",
                                       "derivation",
                                       "note",
                                       "source",
                                       "rule",
                                       "prng",
                                       "points",
                                       "scalars",
                                       "batches_per_width",
                                       "crossover_w*",
                                       "pedersen_seeded_gen_v1",
                                       NULL};
  (void)state;
  json_assert_consumed("pedersen_banderwagon.json", except);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_generators),        cmocka_unit_test(test_commitments),
      cmocka_unit_test(test_custom_generators), cmocka_unit_test(test_multiples_of_generator),
      cmocka_unit_test(test_width_plan),        cmocka_unit_test(test_consumed),
  };
  int failures = device_run_tests("pedersen_data", tests, sizeof tests / sizeof *tests);
  json_unload();
  return failures;
}
