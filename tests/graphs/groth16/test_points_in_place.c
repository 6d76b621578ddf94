/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Zkeys whose points are used where they lie in the mapped file (points_in_place): the key is the same as one in
 * memory, proofs are the same, wrong points are found, and the file stays as it is.
 */
#include "common.h"

#include "groth16/prover/key.h"
#include "groth16/formats/zkey.h"

#include <stdio.h>
#include <unistd.h>

enum { LOG_DOMAIN = 11, N_PUBLIC = 5 };
static const rp_groth16_key_options in_place = {.struct_size = sizeof in_place, .points_in_place = 1};

static made circuits[2]; /* BN254, BLS12-381 */
static const char *const names[] = {"in_place_bn254", "in_place_bls12381"};

static int group_makes_circuits(void **state) {
  static const char *const curves[] = {"bn254", "bls12381"};
  g16_shape shape;
  if (group_opens_bench(state)) return -1;
  g16_shape_preset(G16_PRESET_FULL, LOG_DOMAIN, &shape);
  shape.infinity_a = shape.infinity_b = 0.25;
  shape.n_public = N_PUBLIC;
  for (int i = 0; i < 2; i++) make_circuit(*state, names[i], curves[i], &shape, 0, &circuits[i]);
  return 0;
}

static int group_frees_circuits(void **state) {
  for (int i = 0; i < 2; i++) made_free(&circuits[i]);
  return group_closes_bench(state);
}

/* Writes a key into the temporary folder, where no test changes it in place. */
static const char *file_of(const char *name, const blob *zkey) {
  const char *path = scratch_path(name);
  blob_write(path, zkey->data, zkey->bytes);
  return path;
}

static rp_groth16_key *open_key(bench *b, const char *path, const rp_groth16_key_options *options) {
  rp_groth16_key *key;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_key_open(b->context, path, options, &key, &err), &err);
  return key;
}

static void expect_matrix(const g16_csr *got, const g16_csr *want) {
  assert_int_equal(got->rows, want->rows);
  assert_int_equal(got->nnz, want->nnz);
  assert_memory_equal(got->row_ptr, want->row_ptr, (want->rows + 1) * sizeof *want->row_ptr);
  assert_memory_equal(got->col, want->col, want->nnz * sizeof *want->col);
  assert_memory_equal(got->value, want->value, want->nnz * 32);
}

static void the_key_is_the_same(void **state) {
  for (int i = 0; i < 2; i++) {
    const char *path = file_of("same.zkey", &circuits[i].zkey);
    rp_groth16_key *whole = open_key(*state, path, NULL), *mapped = open_key(*state, path, &in_place);
    for (int v = 0; v < G16_VECTORS; v++) {
      const uint64_t bytes = g16_vector_len(whole, (g16_vector)v) * g16_vector_point_bytes(whole, (g16_vector)v);
      assert_non_null(mapped->mapped[v].memory);
      assert_null(whole->mapped[v].memory);
      assert_memory_equal(mapped->vector[v], whole->vector[v], bytes);
    }
    expect_matrix(&mapped->a, &whole->a);
    expect_matrix(&mapped->b, &whole->b);
    for (int k = 0; k < G16_SUPPORTS; k++)
      assert_memory_equal(mapped->support[k], whole->support[k], g16_support_words(whole) * sizeof(uint32_t));
    assert_memory_equal(mapped->supported, whole->supported, sizeof whole->supported);
    assert_memory_equal(mapped->info.infinities, whole->info.infinities, sizeof whole->info.infinities);
    rp_groth16_key_close(mapped);
    rp_groth16_key_close(whole);
    blob after = blob_read(path);
    assert_int_equal(after.bytes, circuits[i].zkey.bytes);
    assert_memory_equal(after.data, circuits[i].zkey.data, after.bytes);
    blob_free(&after);
  }
}

/* How many ranges of files with this name this process has mapped. */
static int ranges_of(const char *path) {
  char line[4096];
  int n = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) n += strstr(line, path) != NULL;
  if (maps) fclose(maps);
  return n;
}

static void nothing_stays_mapped(void **state) {
  const char *path = file_of("mappings.zkey", &circuits[0].zkey);
  rp_groth16_key *key = open_key(*state, path, &in_place);
  const int n = ranges_of(path);
  if (!n) skip();                /* the system does not tell */
  assert_true(n <= G16_VECTORS); /* the matrices are copies */
  rp_groth16_key_close(key);
  assert_int_equal(ranges_of(path), 0);
}

static rp_groth16_prover *prover_for(bench *b, rp_groth16_key *key) {
  rp_groth16_prover *prover;
  rp_error err = {0};
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
  return prover;
}

/* The file is replaced, and then removed, while the key is open. */
static void proofs_are_the_same(void **state) {
  for (int i = 0; i < 2; i++) {
    const char *path = file_of("proving.zkey", &circuits[i].zkey);
    rp_groth16_key *key = open_key(*state, path, &in_place);
    rp_groth16_prover *from_memory = prover_of(*state, &circuits[i].zkey, 1), *from_file = prover_for(*state, key);
    assert_int_equal(rename(file_of("other.zkey", &circuits[1 - i].zkey), path), 0);
    assert_int_equal(unlink(path), 0);
    rp_groth16_key_close(key);
    for (int k = 0; k < 2; k++) {
      const rp_groth16_proof proof = comparable_proof(from_file, &circuits[i].wtns),
                             want = comparable_proof(from_memory, &circuits[i].wtns);
      assert_memory_equal(&proof, &want, sizeof proof);
    }
    rp_groth16_prover_destroy(from_file);
    rp_groth16_prover_destroy(from_memory);
  }
}

/* A CPU takes the points of all products from the file, whatever their address is. */
static void points_take_no_memory(void **state) {
  bench *b = *state;
  rp_device_info device = {.struct_size = sizeof device};
  if (rp_group_size(b->device) != 1) return;
  rp_device_get_info(b->device, &device);
  if (!device.limits.host_visible) return;
  for (int i = 0; i < 2; i++) {
    rp_groth16_key *key = open_key(b, file_of("memory.zkey", &circuits[i].zkey), &in_place);
    rp_groth16_prover *from_memory = prover_of(b, &circuits[i].zkey, 1), *from_file = prover_for(b, key);
    rp_plan_info in_memory = {.struct_size = sizeof in_memory}, mapped = {.struct_size = sizeof mapped};
    rp_recording_get_plan(rp_groth16_prover_recording(from_memory), &in_memory);
    rp_recording_get_plan(rp_groth16_prover_recording(from_file), &mapped);
    assert_int_equal(mapped.constant_bytes, in_memory.constant_bytes);
    assert_int_equal(mapped.borrowed_bytes, in_memory.borrowed_bytes);
    rp_groth16_prover_destroy(from_file);
    rp_groth16_prover_destroy(from_memory);
    rp_groth16_key_close(key);
  }
}

static void wrong_points_do_not_open(void **state) {
  bench *b = *state;
  static const g16_points_id ids[] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};
  static const char *const says[] = {"section 5", "section 6", "section 7", "section 8", "section 9"};
  blob bad = blob_read(file_of("good.zkey", &circuits[0].zkey));
  g16_zkey zkey;
  support_file *file;
  assert_int_equal(support_file_wrap("good", circuits[0].zkey.data, circuits[0].zkey.bytes, &file, NULL), RP_OK);
  assert_int_equal(g16_zkey_open(file, &zkey, NULL), RP_OK);
  for (int i = 0; i < 5; i++) {
    const g16_section *section = &zkey.bin.section[ids[i]];
    uint8_t *last = bad.data + section->offset + section->size_bytes - 32, was[32];
    rp_groth16_key *key;
    rp_error err = {0};
    memcpy(was, last, sizeof was);
    memset(last, 0xff, sizeof was);
    EXPECT(RP_ERR_FORMAT, rp_groth16_key_open(b->context, file_of("bad.zkey", &bad), &in_place, &key, &err), &err);
    if (!strstr(err.reason, says[i])) fail_msg("\"%s\" does not say \"%s\"", err.reason, says[i]);
    assert_non_null(strstr(err.reason, "a coordinate is not below the prime q"));
    memcpy(last, was, sizeof was);
  }
  support_file_close(file);
  blob_free(&bad);
}

static void what_reads_points_again_is_refused(void **state) {
  bench *b = *state;
  const char *path = file_of("refused.zkey", &circuits[0].zkey);
  rp_groth16_key *key;
  rp_error err = {0};
  for (int i = 0; i < 2; i++) {
    rp_groth16_key_options both = in_place;
    both.check_points = i == 0;
    both.points_in_file = i == 1;
    EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_open(b->context, path, &both, &key, &err), &err);
    assert_non_null(strstr(err.reason, "points_in_place"));
  }
  key = open_key(b, path, &in_place);
  EXPECT(RP_ERR_UNSUPPORTED, rp_groth16_key_check_points(key, b->device, &err), &err);
  assert_non_null(strstr(err.reason, "points_in_place"));
  EXPECT(RP_OK, rp_groth16_key_matches(key, path, &err), &err);
  rp_groth16_key_close(key);
}

/* Short keys, and those in memory, are copied as without the option. */
static void others_are_copied(void **state) {
  bench *b = *state;
  rp_groth16_key *key = open_key(b, fixture_path("multiplier_bn254", "circuit.zkey"), &in_place);
  for (int v = 0; v < G16_VECTORS; v++) assert_null(key->mapped[v].memory);
  rp_groth16_key_close(key);
  rp_error err = {0};
  EXPECT(RP_OK,
         rp_groth16_key_open_memory(b->context, circuits[0].zkey.data, circuits[0].zkey.bytes, &in_place, &key, &err),
         &err);
  for (int v = 0; v < G16_VECTORS; v++) assert_null(key->mapped[v].memory);
  rp_groth16_key_close(key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_key_is_the_same),      cmocka_unit_test(nothing_stays_mapped),
      cmocka_unit_test(proofs_are_the_same),      cmocka_unit_test(points_take_no_memory),
      cmocka_unit_test(wrong_points_do_not_open), cmocka_unit_test(what_reads_points_again_is_refused),
      cmocka_unit_test(others_are_copied)};
  return cmocka_run_group_tests(tests, group_makes_circuits, group_frees_circuits);
}
