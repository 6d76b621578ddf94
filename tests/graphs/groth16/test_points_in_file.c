/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Zkeys whose points stay in the file until a prover is created (points_in_file): any range of a vector is what a key
 * in memory has, proofs are the same, and what is wrong with the file then is the prover's error.
 */
#include "common.h"

#include "engine/graph.h"
#include "groth16/prover/key_unread.h"

#include <stdio.h>

enum { RANGES = 60 };
static const rp_groth16_key_options in_file = {.struct_size = sizeof in_file, .points_in_file = 1};

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static rp_groth16_key *open_key(bench *b, const char *path, const rp_groth16_key_options *options) {
  rp_groth16_key *key;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_key_open(b->context, path, options, &key, &err), &err);
  return key;
}

/* Reads a range of a constant that begins at entry `first` of a vector. */
static void check_range(rp_graph *g, const rp_groth16_key *unread, const rp_groth16_key *whole, g16_vector v,
                        uint64_t first, uint64_t count, uint64_t at, uint64_t n) {
  const uint32_t bytes = g16_vector_point_bytes(whole, v);
  uint8_t *got = malloc(n * bytes);
  rp_error err = {0};
  const rp_value constant = g16_unread_constant(g, unread, "points", v, first, count);
  const rp_constant_source *source = rp_graph_value_of(g, constant)->source;
  assert_non_null(got);
  memset(got, 0x5a, n * bytes);
  EXPECT(RP_OK, source->read(source->user, at * bytes, n * bytes, got, &err), &err);
  assert_memory_equal(got, whole->vector[v] + (first + at) * bytes, n * bytes);
  free(got);
}

static void ranges_are_those_of_a_key_in_memory(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    const char *path = fixture_path(fixture_names[i], "circuit.zkey");
    rp_groth16_key *whole = open_key(b, path, NULL), *unread = open_key(b, path, &in_file);
    rp_graph *g;
    assert_int_equal(rp_graph_create(b->context, "ranges", &g, NULL), RP_OK);
    for (int v = 0; v < G16_VECTORS; v++) {
      const uint64_t len = g16_vector_len(whole, (g16_vector)v);
      seed = (uint64_t)(i * 100 + v);
      assert_null(unread->vector[v]);
      check_range(g, unread, whole, (g16_vector)v, 0, len, 0, len);
      for (uint32_t k = 0; k < RANGES; k++) {
        const uint64_t first = next(len), count = 1 + next(len - first), at = next(count), n = 1 + next(count - at);
        check_range(g, unread, whole, (g16_vector)v, first, count, at, n);
      }
    }
    rp_graph_destroy(g);
    rp_groth16_key_close(unread);
    rp_groth16_key_close(whole);
  }
}

static void supports_are_those_of_a_key_in_memory(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    const char *path = fixture_path(fixture_names[i], "circuit.zkey");
    rp_groth16_key *whole = open_key(b, path, NULL), *unread = open_key(b, path, &in_file);
    for (int k = 0; k < G16_SUPPORTS; k++)
      assert_memory_equal(whole->support[k], unread->support[k], g16_support_words(whole) * sizeof(uint32_t));
    assert_memory_equal(whole->supported, unread->supported, sizeof whole->supported);
    assert_memory_equal(whole->info.infinities, unread->info.infinities, sizeof whole->info.infinities);
    rp_groth16_key_close(unread);
    rp_groth16_key_close(whole);
  }
}

/* The first block has public wires alone, and the last one ends just behind the last wire. */
static void blocks_begin_and_end_between(void **state) {
  bench *b = *state;
  enum { BLOCK = G16_UNREAD_BLOCK, LOG = 12, SHORT = 20 };
  uint64_t wires = 0;
  uint32_t n_public = BLOCK + 40;
  for (int round = 0; round < 2; round++) {
    made m;
    g16_shape shape;
    rp_groth16_proof proof;
    rp_groth16_prover *prover;
    rp_error err = {0};
    g16_shape_preset(G16_PRESET_FULL, LOG, &shape);
    shape.n_public = n_public;
    make_circuit(b, "blocks", "bn128", &shape, 0, &m);
    rp_groth16_key *whole = open_key(b, scratch_path("blocks.zkey"), NULL),
                   *unread = open_key(b, scratch_path("blocks.zkey"), &in_file);
    wires = whole->info.n_vars;
    for (int k = 0; k < G16_SUPPORTS; k++)
      assert_memory_equal(whole->support[k], unread->support[k], g16_support_words(whole) * sizeof(uint32_t));
    assert_memory_equal(whole->info.infinities, unread->info.infinities, sizeof whole->info.infinities);
    rp_groth16_key_close(whole);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, unread, NULL, &prover, &err), &err);
    EXPECT(RP_OK, rp_groth16_prove(prover, m.wtns.data, m.wtns.bytes, &proof, NULL, NULL, &err), &err);
    rp_groth16_prover_destroy(prover);
    rp_groth16_key_close(unread);
    made_free(&m);
    n_public += (uint32_t)((wires + SHORT) % BLOCK); /* each more is a wire less */
  }
  assert_int_equal(wires % BLOCK, BLOCK - SHORT);
}

static void expect_the_proof(rp_groth16_prover *prover, const char *fixture) {
  blob wtns = fixture_read(fixture, "witness.wtns"), expected = fixture_read(fixture, "proof_r2_s3.json");
  const uint8_t r[32] = {2}, s[32] = {3};
  size_t n;
  const uint8_t *values = wtns_values(&wtns, &n);
  rp_groth16_proof proof;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, NULL, NULL, &err), &err);
  assert_true(proof_is(&proof, &expected));
  blob_free(&wtns);
  blob_free(&expected);
}

/* The caller's key is closed, and the recording is evicted between two proofs, as far as the device can. */
static void proofs_are_the_same(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++)
    for (int memory = 0; memory < 2; memory++) {
      rp_groth16_key *key;
      rp_groth16_prover *prover;
      rp_error err = {0};
      blob zkey = fixture_read(fixture_names[i], "circuit.zkey");
      if (memory)
        EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey.data, zkey.bytes, &in_file, &key, &err), &err);
      else
        key = open_key(b, fixture_path(fixture_names[i], "circuit.zkey"), &in_file);
      EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
      rp_groth16_key_close(key);
      expect_the_proof(prover, fixture_names[i]);
      if (rp_group_size(b->device) == 1)
        assert_int_equal(rp_recording_evict(rp_groth16_prover_recording(prover), NULL), RP_OK);
      expect_the_proof(prover, fixture_names[i]);
      rp_groth16_prover_destroy(prover);
      blob_free(&zkey);
    }
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

/* Rewrites the file itself and puts no new one in its place, so that a program that has it open reads the new bytes. */
static void write_whole(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, bytes, file), bytes);
  assert_int_equal(fclose(file), 0);
}

static void expect_no_prover(bench *b, const rp_groth16_key *key, const char *says) {
  rp_groth16_prover *prover;
  rp_error err = {0};
  EXPECT(RP_ERR_FORMAT, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  assert_null(prover);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
}

/* The file is changed after it was opened: then it is whole again, and the same key gives proofs. */
static void a_file_that_changes_is_the_provers_error(void **state) {
  bench *b = *state;
  static const g16_points_id id[] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};
  static const char *const says[] = {"section 5", "section 6", "section 7", "section 8", "section 9"};
  blob good = fixture_read("multiplier_bn254", "circuit.zkey"), bad = fixture_read("multiplier_bn254", "circuit.zkey");
  const char *path = scratch_path("changing.zkey");
  write_whole(path, good.data, good.bytes);
  rp_groth16_key *key = open_key(b, path, &in_file);
  for (int i = 0; i < 5; i++) {
    const g16_section *section = &key->unread->zkey.bin.section[id[i]];
    memcpy(bad.data, good.data, good.bytes);
    memset(bad.data + section->offset + section->size_bytes - 32, 0xff, 32);
    write_whole(path, bad.data, bad.bytes);
    expect_no_prover(b, key, says[i]);
    expect_no_prover(b, key, "a coordinate is not below the prime q");
  }
  write_whole(path, good.data, key->unread->zkey.bin.section[G16_H].offset + 5);
  expect_no_prover(b, key, "was cut short while it was read");
  write_whole(path, good.data, good.bytes);
  rp_groth16_prover *prover;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  expect_the_proof(prover, "multiplier_bn254");
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
  blob_free(&good), blob_free(&bad);
}

static void what_needs_points_in_memory_is_refused(void **state) {
  bench *b = *state;
  const char *path = fixture_path("multiplier_bn254", "circuit.zkey");
  rp_groth16_key_options both = in_file;
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  rp_error err = {0};
  both.check_points = 1;
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_open(b->context, path, &both, &key, &err), &err);
  assert_non_null(strstr(err.reason, "points_in_file"));
  key = open_key(b, path, &in_file);
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_key_check_points(key, b->device, &err), &err);
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_key_matches(key, path, &err), &err);
  assert_non_null(strstr(err.reason, "open it without, to compare it"));
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_save(prover, scratch_path("saved.rpk"), &err), &err);
  rp_groth16_prover_destroy(prover);
  rp_groth16_key_close(key);
}

/* What is wrong with a point of a wire is found when the key is opened. */
static void wrong_points_of_wires_do_not_open(void **state) {
  bench *b = *state;
  blob bad = fixture_read("multiplier_bn254", "circuit.zkey");
  rp_groth16_key *key = open_key(b, fixture_path("multiplier_bn254", "circuit.zkey"), &in_file);
  const g16_section *section = &key->unread->zkey.bin.section[G16_C];
  rp_groth16_key *none;
  rp_error err = {0};
  memset(bad.data + section->offset + section->size_bytes - 32, 0xff, 32);
  EXPECT(RP_ERR_FORMAT, rp_groth16_key_open_memory(b->context, bad.data, bad.bytes, &in_file, &none, &err), &err);
  rp_groth16_key_close(key);
  blob_free(&bad);
}

static int remove_scratch(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_are_those_of_a_key_in_memory),
      cmocka_unit_test(supports_are_those_of_a_key_in_memory),
      cmocka_unit_test(blocks_begin_and_end_between),
      cmocka_unit_test(proofs_are_the_same),
      cmocka_unit_test(a_file_that_changes_is_the_provers_error),
      cmocka_unit_test(what_needs_points_in_memory_is_refused),
      cmocka_unit_test(wrong_points_of_wires_do_not_open),
  };
  return cmocka_run_group_tests_name("points of a zkey in the file", tests, group_opens_bench, remove_scratch);
}
