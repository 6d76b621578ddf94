/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prerecorded keys: the same proofs, and no damaged or hostile file does harm.
 */
#include "common.h"

#include "groth16/prover/prerecorded_format.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static blob record(bench *b, const char *name, const char *out) {
  rp_error err = {0};
  blob zkey = fixture_read(name, "circuit.zkey");
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  const char *path = scratch_path(out);
  EXPECT(RP_OK, rp_groth16_save(prover, path, &err), &err);
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey);
  return blob_read(path);
}

static rp_status open_copy(bench *b, const blob *file, rp_error *err) {
  rp_groth16_key *key;
  void *aligned = aligned_alloc(64, (file->bytes + 63) & ~(size_t)63);
  memcpy(aligned, file->data, file->bytes);
  rp_status status = rp_groth16_key_open_memory(b->context, aligned, file->bytes, NULL, &key, err);
  rp_groth16_key_close(key);
  free(aligned);
  return status;
}

static void same_proof(void **state) {
  bench *b = *state;
  for (int i = 0; i < FIXTURE_COUNT; i++) {
    rp_error err = {0};
    blob file = record(b, fixture_names[i], "key.rpk"), wtns = fixture_read(fixture_names[i], "witness.wtns"),
         expected = fixture_read(fixture_names[i], "proof_r2_s3.json");
    rp_groth16_key *key;
    rp_groth16_prover *prover;
    rp_groth16_key_info info = {.struct_size = sizeof info};
    rp_groth16_proof proof;
    uint8_t r[32] = {2}, s[32] = {3};
    size_t n;
    const uint8_t *values = wtns_values(&wtns, &n);
    EXPECT(RP_OK, rp_groth16_key_open(b->context, scratch_path("key.rpk"), NULL, &key, &err), &err);
    rp_groth16_key_get_info(key, &info);
    assert_int_equal(info.prerecorded, 1);
    assert_int_equal(info.n_vars, n);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
    EXPECT(RP_OK, rp_groth16_prove_unsafe_blinding(prover, values, n, r, s, &proof, NULL, NULL, &err), &err);
    assert_true(proof_is(&proof, &expected));
    /* Saving again gives the same file. */
    EXPECT(RP_OK, rp_groth16_save(prover, scratch_path("again.rpk"), &err), &err);
    blob again = blob_read(scratch_path("again.rpk"));
    assert_int_equal(again.bytes, file.bytes);
    assert_memory_equal(again.data, file.data, file.bytes);
    rp_groth16_prover_destroy(prover);
    rp_groth16_key_close(key);
    blob_free(&again);
    blob_free(&file);
    blob_free(&wtns);
    blob_free(&expected);
  }
}

/* A file that was kept when the version of the format was new opens, and is written again with the same bytes. With
 * other bytes, the format needs another version. */
static void kept_file(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  const char *path = TEST_DATA_DIR "/recorded/groth16_version_2.rpk";
  EXPECT(RP_OK, rp_groth16_key_open(b->context, path, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_key_matches(key, fixture_path("multiplier_bn254", "circuit.zkey"), &err), &err);
  rp_groth16_key_close(key);
  blob kept = blob_read(path), now = record(b, "multiplier_bn254", "now.rpk");
  assert_int_equal(kept.bytes, now.bytes);
  assert_memory_equal(kept.data, now.data, now.bytes);
  /* No release wrote version 1, so that only its number is known. */
  ((g16_file_header *)kept.data)->version = 1;
  EXPECT(RP_ERR_FORMAT, open_copy(b, &kept, &err), &err);
  assert_non_null(strstr(err.reason, "is stale: version 1 of the format"));
  assert_non_null(strstr(err.reason, "Record it again"));
  blob_free(&kept);
  blob_free(&now);
}

/* The file is replaced or removed: a key that has opened the old file continues to use it. */
static void replaced_while_in_use(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_proof proof;
  blob file = record(b, "multiplier_bn254", "used.rpk"), wtns = fixture_read("multiplier_bn254", "witness.wtns");
  const char *path = scratch_path("used.rpk");
  EXPECT(RP_OK, rp_groth16_key_open(b->context, path, NULL, &key, &err), &err);
  for (int i = 0; i < 2; i++) {
    rp_groth16_prover *prover;
    /* The new file is written beside the old one and renamed. */
    blob other = i == 0 ? record(b, "multiplier_bls12381", "used.rpk") : (blob){0};
    if (i == 1) assert_int_equal(remove(scratch_path("used.rpk")), 0);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
    EXPECT(RP_OK, rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, NULL, NULL, &err), &err);
    rp_groth16_prover_destroy(prover);
    blob_free(&other);
  }
  rp_groth16_key_close(key);
  blob_free(&file);
  blob_free(&wtns);
}

static void tells_whether_it_is_stale(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob file = record(b, "multiplier_bn254", "stale.rpk");
  blob_free(&file);
  rp_groth16_key *key;
  EXPECT(RP_OK, rp_groth16_key_open(b->context, scratch_path("stale.rpk"), NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_key_matches(key, fixture_path("multiplier_bn254", "circuit.zkey"), &err), &err);
  EXPECT(RP_ERR_MISMATCH, rp_groth16_key_matches(key, fixture_path("poseidon_merkle", "circuit.zkey"), &err), &err);
  blob other = fixture_read("multiplier_bn254", "circuit.zkey");
  other.data[other.bytes - 1] ^= 1; /* in the contributions, which are not needed for proofs */
  blob_write(scratch_path("other.zkey"), other.data, other.bytes);
  EXPECT(RP_OK, rp_groth16_key_matches(key, scratch_path("other.zkey"), &err), &err);
  blob_free(&other);
  rp_groth16_key_close(key);
}

static void every_damage_is_seen(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob file = record(b, "multiplier_bn254", "damage.rpk");
  /* Every byte of header and table, and some of the rest. */
  for (size_t i = 8; i < file.bytes; i += i < 1024 ? 1 : 61) {
    file.data[i] ^= 0x10;
    EXPECT(RP_ERR_FORMAT, open_copy(b, &file, &err), &err);
    file.data[i] ^= 0x10;
  }
  const graphs_section *table = (graphs_section *)(file.data + sizeof(g16_file_header));
  for (int id = 0; id < G16_FILE_SECTIONS; id++) /* both ends of every array, and the gap before it */
    for (int end = 0; end < 3 && table[id].size_bytes; end++) {
      uint8_t *byte = file.data + table[id].offset + (end == 1 ? table[id].size_bytes - 1 : 0) - (end == 2);
      *byte ^= 1;
      EXPECT(RP_ERR_FORMAT, open_copy(b, &file, &err), &err);
      *byte ^= 1;
    }
  for (size_t bytes = 1; bytes < file.bytes; bytes += bytes < 1024 ? 37 : 1021) {
    blob cut = {file.data, bytes};
    EXPECT(RP_ERR_FORMAT, open_copy(b, &cut, &err), &err);
  }
  EXPECT(RP_OK, open_copy(b, &file, &err), &err);
  blob_free(&file);
}

/* Recomputes all checksums. */
static void seal(blob *file) {
  g16_file_header *header = (g16_file_header *)file->data;
  graphs_section *table = (graphs_section *)(header + 1);
  for (int i = 0; i < G16_FILE_SECTIONS; i++)
    if (table[i].offset <= file->bytes && table[i].size_bytes <= file->bytes - table[i].offset)
      table[i].checksum = XXH3_64bits(file->data + table[i].offset, table[i].size_bytes);
  header->checksum = XXH3_64bits_withSeed(table, sizeof(*table) * G16_FILE_SECTIONS,
                                          XXH3_64bits(header, offsetof(g16_file_header, checksum)));
}

static uint32_t *words(blob *file, const graphs_section *section) { return (uint32_t *)(file->data + section->offset); }

/* Makes one wrong statement in the file, selected by `which`. Returns 0 if there is no such one. */
static int harm(int which, blob *file, g16_file_header *header, graphs_section *table) {
  switch (which) {
  case 0: header->n_vars = UINT64_MAX; break;
  case 1: header->n_vars = 0; break;
  case 2: header->n_vars += 1; break;
  case 3: header->n_public = header->n_vars; break;
  case 4: header->domain = 7; break;
  case 5: header->domain = 0; break;
  case 6: header->domain = (uint64_t)1 << 40; break;
  case 7: header->nnz[0] = UINT64_MAX / 4; break;
  case 8: header->curve = 6; break;
  case 9: header->curve = 4000; break;
  case 10: header->version = 1; break;
  case 11: header->endian = 0x04030201; break;
  case 12: header->n_sections = 3; break;
  case 13: words(file, &table[G16_FILE_A_COLS])[0] = (uint32_t)header->n_vars; break;
  case 14: words(file, &table[G16_FILE_B_COLS])[0] = UINT32_MAX; break;
  case 15: words(file, &table[G16_FILE_A_ROWS])[2] = UINT32_MAX; break;
  case 16: words(file, &table[G16_FILE_A_ROWS])[1] = (uint32_t)header->nnz[0]; break;
  case 17: words(file, &table[G16_FILE_B_ROWS])[0] = 1; break;
  case 18: words(file, &table[G16_FILE_B_ROWS])[header->domain] -= 1; break;
  case 19: table[G16_FILE_VECTOR_H].offset += 4096; break;
  case 20: table[G16_FILE_VECTOR_B1].offset = table[G16_FILE_VECTOR_A].offset; break;
  case 21: table[G16_FILE_VECTOR_H].size_bytes = UINT64_MAX - 4096; break;
  case 22: table[0].id = 1; break;
  case 23: file->data[table[G16_FILE_VK].offset] ^= 1; break;
  case 24: file->data[table[G16_FILE_IC].offset] ^= 1; break;
  case 25: file->data[table[1].offset - 1] = 1; break;
  default: return 0;
  }
  return 1;
}

static void hostile_files_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob good = record(b, "multiplier_bn254", "hostile.rpk");
  for (int i = 0;; i++) {
    blob file = {malloc(good.bytes), good.bytes};
    memcpy(file.data, good.data, good.bytes);
    g16_file_header *header = (g16_file_header *)file.data;
    if (!harm(i, &file, header, (graphs_section *)(header + 1))) {
      assert_true(i > 20);
      blob_free(&file);
      break;
    }
    seal(&file);
    rp_status status = open_copy(b, &file, &err);
    if (status != RP_ERR_FORMAT && status != RP_ERR_INPUT) fail_msg("harm %d gives %s", i, rp_status_name(status));
    blob_free(&file);
  }
  seal(&good);
  EXPECT(RP_OK, open_copy(b, &good, &err), &err);
  blob_free(&good);
}

/* Wrong points, at the places that opening does not check, and wrong coefficients: no crash, and no proof. */
static void wrong_points_make_no_proof(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob good = record(b, "multiplier_bn254", "points.rpk"), wtns = fixture_read("multiplier_bn254", "witness.wtns");
  const g16_file_header *header = (const g16_file_header *)good.data;
  const graphs_section *table = (const graphs_section *)(header + 1);
  for (int id = G16_FILE_A_VALUES; id < G16_FILE_SECTIONS; id++) {
    if (id != G16_FILE_A_VALUES && id != G16_FILE_B_VALUES && id < G16_FILE_VECTOR_A) continue;
    const uint64_t point = id == G16_FILE_VECTOR_B2 ? 128 : 64;
    uint64_t begin = 0, end = table[id].size_bytes;
    if (id >= G16_FILE_VECTOR_A && id != G16_FILE_VECTOR_H) { /* of private wires only */
      begin = (header->n_public + 1) * point;
      end = header->n_vars * point;
    }
    blob file = {aligned_alloc(64, (good.bytes + 63) & ~(size_t)63), good.bytes};
    memcpy(file.data, good.data, good.bytes);
    memset(file.data + table[id].offset + begin, 0x15, end - begin);
    seal(&file);
    rp_groth16_key *key;
    rp_groth16_prover *prover;
    rp_groth16_proof proof;
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, file.data, file.bytes, NULL, &key, &err), &err);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
    if (rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, NULL, NULL, &err) == RP_OK)
      fail_msg("section %d does not matter", id);
    rp_groth16_prover_destroy(prover);
    rp_groth16_key_close(key);
    blob_free(&file);
  }
  blob_free(&good);
  blob_free(&wtns);
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(same_proof, state),
      cmocka_unit_test_prestate(kept_file, state),
      cmocka_unit_test_prestate(replaced_while_in_use, state),
      cmocka_unit_test_prestate(tells_whether_it_is_stale, state),
      cmocka_unit_test_prestate(every_damage_is_seen, state),
      cmocka_unit_test_prestate(hostile_files_are_refused, state),
      cmocka_unit_test_prestate(wrong_points_make_no_proof, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
