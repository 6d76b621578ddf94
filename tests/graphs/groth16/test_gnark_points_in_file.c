/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of gnark whose points stay in the file until a prover is created (points_in_file): any range of a vector is what
 * a key in memory has, proofs are the same, and what is wrong with the file then is the prover's error.
 */
#include "gnark_subject.h"

#include "engine/graph.h"
#include "groth16/prover/key_unread.h"

#include <stdio.h>

static const char *const forms[] = {"pk.bin", "pk.raw", "pk.dump"};
static const uint32_t n_ranges = 60;

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static rp_groth16_key *open_unread(bench *b, const subject *s, const char *path) {
  rp_groth16_key *key;
  rp_error err = {0};
  rp_groth16_key_options options = options_of(s);
  options.points_in_file = 1;
  EXPECT(RP_OK, rp_groth16_key_open(b->context, path, &options, &key, &err), &err);
  return key;
}

/* ---- Ranges ------------------------------------------------------------------------------------------------------ */

/* Reads a range of a constant that begins at entry `first` of a vector. */
static void check_range(rp_graph *g, const rp_groth16_key *unread, const rp_groth16_key *whole, g16_vector v,
                        uint64_t first, uint64_t count, uint64_t at, uint64_t n) {
  const uint32_t bytes = g16_vector_point_bytes(whole, v);
  uint8_t *got = malloc(n * bytes + 1);
  rp_error err = {0};
  const rp_value constant = g16_unread_constant(g, unread, "points", v, first, count);
  const rp_constant_source *source = rp_graph_value_of(g, constant)->source;
  assert_non_null(got);
  EXPECT(RP_OK, source->read(source->user, at * bytes, n * bytes, got, &err), &err);
  assert_memory_equal(got, whole->vector[v] + (first + at) * bytes, n * bytes);
  free(got);
}

static void ranges_are_those_of_a_key_in_memory(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++)
    for (int form = 0; form < (gnark_fixtures[i].large ? 1 : 3); form++) {
      subject s;
      rp_graph *g;
      open_subject(b, &gnark_fixtures[i], forms[form], 0, &s);
      rp_groth16_key *unread = open_unread(b, &s, gnark_path(s.fixture, forms[form]));
      assert_int_equal(rp_graph_create(b->context, "ranges", &g, NULL), RP_OK);
      for (int v = 0; v < G16_VECTORS; v++) {
        const uint64_t len = g16_vector_len(s.key, (g16_vector)v);
        seed = (uint64_t)(i * 100 + v);
        assert_null(unread->vector[v]);
        check_range(g, unread, s.key, (g16_vector)v, 0, len, 0, len);
        for (uint32_t k = 0; k < n_ranges; k++) {
          const uint64_t first = next(len), count = 1 + next(len - first), at = next(count), n = 1 + next(count - at);
          check_range(g, unread, s.key, (g16_vector)v, first, count, at, n);
        }
      }
      rp_graph_destroy(g);
      rp_groth16_key_close(unread);
      close_subject(&s);
    }
}

/* A bit may be 1 where the file has infinity, never 0 where it has a point. */
static void supports_have_every_point(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++) {
    subject s;
    open_subject(b, &gnark_fixtures[i], "pk.bin", 0, &s);
    rp_groth16_key *unread = open_unread(b, &s, gnark_path(s.fixture, "pk.bin"));
    for (int k = 0; k < G16_SUPPORTS; k++) {
      uint64_t bits = 0;
      for (uint64_t w = 0; w < g16_support_words(s.key); w++) {
        assert_int_equal(s.key->support[k][w] & ~unread->support[k][w], 0);
        bits += (uint64_t)__builtin_popcount(unread->support[k][w]);
      }
      assert_int_equal(bits, unread->supported[k]);
      assert_true(bits <= g16_key_scalars(s.key));
    }
    assert_memory_equal(s.key->support[G16_SUP_A], unread->support[G16_SUP_A], g16_support_words(s.key) * 4);
    assert_memory_equal(s.key->support[G16_SUP_B], unread->support[G16_SUP_B], g16_support_words(s.key) * 4);
    rp_groth16_key_close(unread);
    close_subject(&s);
  }
}

/* ---- Proofs ------------------------------------------------------------------------------------------------------ */

static void expect_gnarks_proof(rp_groth16_prover *prover, const subject *s) {
  rp_gnark_proof proof;
  rp_error err = {0};
  EXPECT(RP_OK, rp_gnark_prove_unsafe_blinding(prover, &s->vectors, s->facts.r, s->facts.s, &proof, NULL, NULL, &err),
         &err);
  is_gnarks_proof(s->fixture, &proof);
}

/* The caller's key is closed, and the recording is evicted between two proofs, as far as the device can. */
static void proofs_are_those_of_gnark(void **state) {
  bench *b = *state;
  for (int i = 0; i < GNARK_FIXTURES; i++)
    for (int form = 0; form < (gnark_fixtures[i].large ? 1 : 3); form++) {
      subject s;
      open_subject(b, &gnark_fixtures[i], forms[form], 0, &s);
      rp_groth16_key_close(s.key);
      s.key = open_unread(b, &s, gnark_path(s.fixture, forms[form]));
      rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
      rp_groth16_prover *second = form ? NULL : prover_with_options(b, &s, NULL);
      expect_gnarks_proof(prover, &s);
      rp_groth16_key_close(s.key);
      s.key = NULL;
      if (rp_group_size(b->device) == 1)
        assert_int_equal(rp_recording_evict(rp_groth16_prover_recording(prover), NULL), RP_OK);
      expect_gnarks_proof(prover, &s);
      rp_groth16_prover_destroy(prover);
      if (second) expect_gnarks_proof(second, &s);
      rp_groth16_prover_destroy(second);
      close_subject(&s);
    }
}

static void from_memory(void **state) {
  bench *b = *state;
  subject s;
  rp_error err = {0};
  open_subject(b, &gnark_fixtures[2], "pk.dump", 0, &s);
  rp_groth16_key_close(s.key);
  rp_groth16_key_options options = options_of(&s);
  options.points_in_file = 1;
  blob file = blob_read(gnark_path(s.fixture, "pk.dump"));
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, file.data, file.bytes, &options, &s.key, &err), &err);
  rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
  expect_gnarks_proof(prover, &s);
  rp_groth16_prover_destroy(prover);
  close_subject(&s);
  blob_free(&file);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void expect_no_prover(bench *b, const rp_groth16_key *key, rp_status status, const char *says) {
  rp_groth16_prover *prover;
  rp_error err = {0};
  EXPECT(status, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  assert_null(prover);
  if (!strstr(err.reason, says)) fail_msg("\"%s\" does not say \"%s\"", err.reason, says);
}

/* Rewrites the file itself and puts no new one in its place, so that a program that has it open reads the new bytes. */
static void write_whole(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, bytes, file), bytes);
  assert_int_equal(fclose(file), 0);
}

/* The file is changed after it was opened: then it is whole again, and the same key gives proofs. */
static void a_file_that_changes_is_the_provers_error(void **state) {
  bench *b = *state;
  subject s;
  open_subject(b, &gnark_fixtures[2], "pk.dump", 0, &s);
  blob file = blob_read(gnark_path(s.fixture, "pk.dump"));
  const char *path = scratch_path("key.dump");
  write_whole(path, file.data, file.bytes);
  rp_groth16_key_close(s.key);
  s.key = open_unread(b, &s, path);
  const g16_gnark_array *a = s.key->unread->vector[G16_VEC_A].array, *h = s.key->unread->vector[G16_VEC_H].array,
                        *b2 = s.key->unread->vector[G16_VEC_B2].array;
  blob bad = blob_read(gnark_path(s.fixture, "pk.dump"));
  memset(bad.data + a->offset + 64 * 7, 0xff, 32);
  write_whole(path, bad.data, bad.bytes);
  expect_no_prover(b, s.key, RP_ERR_FORMAT, "A, point 7 at byte");
  expect_no_prover(b, s.key, RP_ERR_FORMAT, "a coordinate is not below the prime q");
  write_whole(path, file.data, b2->offset + 5);
  expect_no_prover(b, s.key, RP_ERR_FORMAT, "was cut short while it was read");
  memcpy(bad.data, file.data, file.bytes);
  memset(bad.data + h->offset + 64 * (h->n - 1) + 32, 0xff, 32);
  write_whole(path, bad.data, bad.bytes);
  expect_no_prover(b, s.key, RP_ERR_FORMAT, "Z, point 62 at byte");
  write_whole(path, file.data, file.bytes);
  rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
  expect_gnarks_proof(prover, &s);
  rp_groth16_prover_destroy(prover);
  blob_free(&file), blob_free(&bad);
  close_subject(&s);
}

static void what_needs_points_in_memory_is_refused(void **state) {
  bench *b = *state;
  subject s;
  rp_groth16_key *none;
  rp_groth16_prover *prover;
  rp_error err = {0};
  open_subject(b, &gnark_fixtures[0], "pk.raw", 0, &s);
  rp_groth16_key_options options = options_of(&s);
  options.points_in_file = options.check_points = 1;
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_open(b->context, gnark_path(s.fixture, "pk.raw"), &options, &none, &err),
         &err);
  assert_non_null(strstr(err.reason, "points_in_file"));
  rp_groth16_prover_options tight = {.struct_size = sizeof tight, .memory_budget_bytes = 1};
  rp_plan_info plan = {.struct_size = sizeof plan};
  EXPECT(RP_ERR_BUDGET, rp_groth16_plan(b->device, s.key, &tight, &plan, &err), &err);
  tight.memory_budget_bytes = plan.total_bytes; /* enough for streaming */
  rp_groth16_key_close(s.key);
  s.key = open_unread(b, &s, gnark_path(s.fixture, "pk.raw"));
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_key_check_points(s.key, b->device, &err), &err);
  assert_non_null(strstr(err.reason, "open it without, to check them"));
  if (rp_group_size(b->device) == 1) /* several devices may have room for all of so small a key */
    EXPECT(RP_ERR_BUDGET, rp_groth16_prover_create(b->device, s.key, &tight, &prover, &err), &err);
  prover = prover_with_options(b, &s, NULL);
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_save(prover, scratch_path("saved.rpk"), &err), &err);
  assert_non_null(strstr(err.reason, "to save it"));
  rp_groth16_prover_destroy(prover);
  close_subject(&s);
}

static int remove_scratch(void **state) {
  scratch_remove();
  return group_closes_bench(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranges_are_those_of_a_key_in_memory),
      cmocka_unit_test(supports_have_every_point),
      cmocka_unit_test(proofs_are_those_of_gnark),
      cmocka_unit_test(from_memory),
      cmocka_unit_test(a_file_that_changes_is_the_provers_error),
      cmocka_unit_test(what_needs_points_in_memory_is_refused),
  };
  return cmocka_run_group_tests_name("points of gnark in the file", tests, group_opens_bench, remove_scratch);
}
