/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Commitments, inversions and trees as calls on plain arrays: results, one recording for each kind and size, aliasing.
 * The object behind them, misused and short of memory: test_simple_object.c.
 */
#include <reprise/simple.h>

#include "data.h"
#include "json.h"
#include "merkle_ref.h"
#include "pedersen_values.h"
#include "ref/ref.h"
#include "simple_open.h"

typedef uint8_t bytes;
enum { SIZE = RP_PEDERSEN_BYTES, W = 256 };

static const json *file(void) { return json_load("pedersen_banderwagon.json"); }

static void load_generators(bytes generators[W * SIZE]) {
  size_t at = 0;
  for (const json *g = json_get(file(), "generators_256")->item; g; g = g->next)
    json_bytes(g, generators + at++ * SIZE, SIZE);
}

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

/* Known commitments of every width up to 256. Each width is recorded once. */
static void known_commitments(void **state) {
  static bytes generators[W * SIZE], values[W * SIZE];
  bytes want[SIZE], got[SIZE];
  uint64_t widths = 0;
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  simple_open(&s);
  load_generators(generators);
  for (const json *e = json_get(file(), "KAT_python")->item; e; e = e->next) {
    const uint32_t width = (uint32_t)json_u64(json_get(e, "width"));
    if (width & (width - 1) || width > W || width > data_cap(W)) continue;
    for (uint32_t i = 0; i < width; i++) pedersen_value(e, width, i, values + i * SIZE);
    json_bytes(json_get(e, "commitment"), want, SIZE);
    assert_int_equal(rp_simple_pedersen_commit_tree(&s, width, values, generators, got, NULL), RP_OK);
    assert_memory_equal(got, want, SIZE);
    assert_int_equal(rp_simple_pedersen_commit_blinded(&s, width, values, generators, got, NULL), RP_OK);
    assert_memory_equal(got, want, SIZE);
    widths |= width;
    assert_int_equal(simple_recorded(&s), __builtin_popcountll(widths));
  }
  assert_true(__builtin_popcountll(widths) >= 4);
  rp_simple_close(&s);
}

/* The last of 256 values contributes to the commitment, and the result may overwrite values or generators. */
static void commitments_of_256(void **state) {
  static bytes generators[W * SIZE], other[W * SIZE], values[W * SIZE];
  bytes got[SIZE], last[SIZE];
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  simple_open(&s);
  load_generators(generators);
  memcpy(last, generators + 255 * SIZE, SIZE);
  memset(values, 0, sizeof values);
  values[255 * SIZE] = 1;
  assert_int_equal(rp_simple_pedersen_commit_tree_w256(&s, values, generators, got, NULL), RP_OK);
  assert_memory_equal(got, last, SIZE);
  for (size_t i = 0; i < W; i++)
    memcpy(other + i * SIZE, generators + (255 - i) * SIZE, SIZE); /* generators are an input as well */
  assert_int_equal(rp_simple_pedersen_commit_tree_w256(&s, values, other, got, NULL), RP_OK);
  assert_memory_equal(got, generators, SIZE);
  assert_int_equal(rp_simple_pedersen_commit_tree_w256(&s, values, generators, values + 255 * SIZE, NULL), RP_OK);
  assert_memory_equal(values + 255 * SIZE, last, SIZE);
  memset(values + 255 * SIZE, 0, SIZE);
  values[255 * SIZE] = 1;
  assert_int_equal(rp_simple_pedersen_commit_tree_w256(&s, values, generators, generators, NULL), RP_OK);
  assert_memory_equal(generators, last, SIZE);
  assert_int_equal(simple_recorded(&s), 1);
  rp_simple_close(&s);
}

static void commit_seeded(rp_simple *s, const bytes seed[32], const json *e, bytes got[SIZE]) {
  bytes values[8 * SIZE], blinding[SIZE];
  for (size_t i = 0; i < 8; i++) json_integer(json_at(json_get(e, "scalars_be"), i), 1, values + i * SIZE, SIZE);
  json_integer(json_get(e, "blinding_be"), 1, blinding, SIZE);
  assert_int_equal(rp_simple_pedersen_commit_seeded(s, seed, 8, values, blinding, got, NULL), RP_OK);
}

/* The published commitments over BN254; another seed, of which only the last byte differs, has another recording. */
static void seeded_commitments(void **state) {
  const json *known = json_get(json_get(file(), "pedersen_seeded_gen_v1"), "vector_commit_KAT_independent");
  bytes seed[32], other[32], got[SIZE], differs[SIZE], coordinates[64], le[32];
  uint64_t point[8];
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  if (data_curve(RP_CURVE_BN254_G1) != RP_CURVE_BN254_G1) skip();
  simple_open(&s);
  for (int i = 0; i < 32; i++) seed[i] = other[i] = (bytes)i;
  other[31] ^= 1;
  for (const json *e = json_get(known, "rounds")->item; e; e = e->next) {
    commit_seeded(&s, seed, e, got);
    commit_seeded(&s, other, e, differs);
    assert_memory_not_equal(got, differs, SIZE);
    assert_int_equal(rp_point_decompress(RP_CURVE_BN254_G1, got, 0, point), RP_OK);
    json_bytes(json_get(e, "commitment_xy_be"), coordinates, sizeof coordinates);
    for (int half = 0; half < 2; half++) {
      rp_field_get(RP_FIELD_BN254_FP)->to_canonical(le, (bytes *)point + 32 * half);
      for (int i = 0; i < 32; i++) assert_int_equal(le[i], coordinates[32 * half + 31 - i]);
    }
  }
  assert_int_equal(simple_recorded(&s), 2);
  rp_simple_close(&s);
}

/* ---- Inversions -------------------------------------------------------------------------------------------------- */

typedef rp_status (*named_fn)(rp_simple *simple, const void *in, void *out, uint64_t n, rp_error *err);
static const struct {
  rp_field field;
  named_fn named;
} fields[] = {{RP_FIELD_SECP256K1_FP, rp_simple_secp256k1_batch_inv_fp},
              {RP_FIELD_BN254_FR, rp_simple_bn254_batch_inv_fr},
              {RP_FIELD_BLS12_381_FP, rp_simple_bls12_381_batch_inv_fp},
              {RP_FIELD_BLS12_381_FR, rp_simple_banderwagon_batch_inv},
              {RP_FIELD_GOLDILOCKS, NULL}};

/* Sizes on the host and on the device; zeros; in place; secret elements have a recording of their own. */
static void inversions(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_simple s = RP_SIMPLE_INIT;
  uint64_t expected = 0;
  (void)state;
  simple_open(&s);
  rp_device_get_info(rp_simple_device(&s), &info);
  const uint64_t device = rp_batch_inv_table(info.kind).device, sizes[] = {1, 2, 3, device - 1, device, device + 5};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      const rp_field_host *f = rp_field_get(fields[i].field);
      const uint64_t n = sizes[k], size = n * f->size_bytes;
      bytes *x = data_field(fields[i].field, DATA_SPARSE, k, n), *want = malloc(size), *got = malloc(size);
      ref_inverse(f, want, x, n);
      assert_int_equal(rp_simple_batch_inv(&s, fields[i].field, x, got, n, NULL), RP_OK);
      data_assert_equal(fields[i].field, got, want, n, "inverses");
      memset(got, 0xa5, size);
      assert_int_equal(rp_simple_batch_inv_ct(&s, fields[i].field, x, got, n, NULL), RP_OK);
      data_assert_equal(fields[i].field, got, want, n, "inverses of secrets");
      memset(got, 0xa5, size);
      if (fields[i].named) assert_int_equal(fields[i].named(&s, x, got, n, NULL), RP_OK);
      if (fields[i].named) data_assert_equal(fields[i].field, got, want, n, "inverses by name");
      assert_int_equal(rp_simple_batch_inv(&s, fields[i].field, x, x, n, NULL), RP_OK);
      data_assert_equal(fields[i].field, x, want, n, "inverses in place");
      if (n >= device) expected += 2;
      assert_int_equal(simple_recorded(&s), expected);
      free(x), free(want), free(got);
    }
  rp_simple_close(&s);
}

/* ---- Trees ------------------------------------------------------------------------------------------------------- */

static void trees(void **state) {
  static const rp_hash hashes[] = {(rp_hash)0, RP_HASH_RESCUE_RP64_256, RP_HASH_RESCUE_RP64_256_WINTERFELL};
  static const struct {
    rp_merkle_schedule schedule;
    uint32_t group;
  } ways[] = {{RP_MERKLE_AUTO, 0},
              {RP_MERKLE_LEVELS, 4},
              {RP_MERKLE_LEVELS, 8},
              {RP_MERKLE_BLOCKS, 8},
              {RP_MERKLE_SUBTREES, 0}};
  enum { N = 64 };
  uint64_t leaves[N * REF_WORDS], nodes[N * REF_WORDS], want[N * REF_WORDS], recorded = 0;
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  simple_open(&s);
  for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++)
    for (uint64_t n = 2; n <= N; n *= 32) {
      const rp_hash hash = hashes[h] ? hashes[h] : RP_HASH_RESCUE_RP64_256;
      ref_leaves(hash, "sha256", n, leaves);
      ref_tree(hash, leaves, n, want);
      for (size_t w = 0; w < (n == 2 ? 1 : sizeof ways / sizeof *ways); w++)
        for (int again = 0; again < 2; again++) {
          memset(nodes, 0xa5, sizeof nodes);
          assert_int_equal(rp_simple_merklize(&s, hashes[h], leaves, nodes, n, ways[w].schedule, ways[w].group, NULL),
                           RP_OK);
          assert_memory_equal(nodes, want, n * 32);
          if (!again && h != 1) recorded++; /* hash 0 is the one that comes next */
          assert_int_equal(simple_recorded(&s), recorded);
        }
    }
  rp_simple_close(&s);
}

/* ---- What is kept ------------------------------------------------------------------------------------------------ */

static void invert_ones(rp_simple *s, uint64_t n) {
  uint64_t x[40 + 2048] = {0};
  assert_true(n <= sizeof x / sizeof *x);
  for (uint64_t i = 0; i < n; i++) x[i] = 1;
  assert_int_equal(rp_simple_batch_inv(s, RP_FIELD_GOLDILOCKS, x, x, n, NULL), RP_OK);
  for (uint64_t i = 0; i < n; i++) assert_int_equal(x[i], 1);
}

/* The recordings that were used last are kept. */
static void sixteen_are_kept(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_simple_info kept = {.struct_size = sizeof kept};
  rp_simple s = RP_SIMPLE_INIT;
  (void)state;
  simple_open(&s);
  rp_device_get_info(rp_simple_device(&s), &info);
  const uint64_t first = rp_batch_inv_table(info.kind).device, last = first + RP_SIMPLE_RECORDINGS;
  for (uint64_t n = first; n < last; n++) invert_ones(&s, n);
  assert_int_equal(simple_recorded(&s), RP_SIMPLE_RECORDINGS);
  invert_ones(&s, first);
  invert_ones(&s, last); /* takes the place of first + 1 */
  assert_int_equal(simple_recorded(&s), RP_SIMPLE_RECORDINGS + 1);
  for (uint64_t n = first; n <= last; n++)
    if (n != first + 1) invert_ones(&s, n);
  assert_int_equal(simple_recorded(&s), RP_SIMPLE_RECORDINGS + 1);
  rp_simple_get_info(&s, &kept);
  assert_int_equal(kept.kept, RP_SIMPLE_RECORDINGS);
  invert_ones(&s, first + 1);
  assert_int_equal(simple_recorded(&s), RP_SIMPLE_RECORDINGS + 2);
  rp_simple_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_commitments),
                                     cmocka_unit_test(commitments_of_256),
                                     cmocka_unit_test(seeded_commitments),
                                     cmocka_unit_test(inversions),
                                     cmocka_unit_test(trees),
                                     cmocka_unit_test(sixteen_are_kept)};
  return device_run_tests("simple", tests, sizeof tests / sizeof tests[0]);
}
