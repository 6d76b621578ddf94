/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Prerecorded keys: the same proofs, and no damaged or hostile file does harm.
 */
#include "common.h"

#include "rpk_file.h"

#include <stdio.h>
#include <unistd.h>

/* Linked in place of realloc, of which the call fails that counts from 0 down. */
static int reallocations_left = -1;
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes) {
  if (reallocations_left >= 0 && reallocations_left-- == 0) return NULL;
  return __real_realloc(memory, bytes);
}

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

static rp_status open_with(bench *b, const blob *file, uint32_t skip_checksum, rp_error *err) {
  const rp_groth16_key_options options = {.struct_size = sizeof options, .skip_checksum = skip_checksum};
  rp_groth16_key *key;
  void *aligned = aligned_alloc(64, (file->bytes + 63) & ~(size_t)63);
  memcpy(aligned, file->data, file->bytes);
  rp_status status = rp_groth16_key_open_memory(b->context, aligned, file->bytes, &options, &key, err);
  rp_groth16_key_close(key);
  free(aligned);
  return status;
}

static rp_status open_copy(bench *b, const blob *file, rp_error *err) { return open_with(b, file, 0, err); }

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

/* Files that were kept open: one of when the version of the format was new, and one of since msm_scalars has the
 * parameter in_subgroup, which is written again with the same bytes. With other bytes, the format or an operation needs
 * another version. */
static void kept_file(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key;
  static const char *const paths[] = {TEST_DATA_DIR "/recorded/groth16_version_4.rpk",
                                      TEST_DATA_DIR "/recorded/groth16_version_4_in_subgroup.rpk"};
  for (int i = 0; i < 2; i++) {
    EXPECT(RP_OK, rp_groth16_key_open(b->context, paths[i], NULL, &key, &err), &err);
    EXPECT(RP_OK, rp_groth16_key_matches(key, fixture_path("multiplier_bn254", "circuit.zkey"), &err), &err);
    rp_groth16_key_close(key);
  }
  blob kept = blob_read(paths[1]), now = record(b, "multiplier_bn254", "now.rpk");
  assert_int_equal(kept.bytes, now.bytes);
  assert_memory_equal(kept.data, now.data, now.bytes);
  blob_free(&kept);
  blob_free(&now);
}

static void stale_files_are_refused(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob file = record(b, "multiplier_bn254", "stale.rpk");
  rpk_open(file.data, file.bytes).header->version = 5;
  rpk_seal(file.data, file.bytes);
  EXPECT(RP_ERR_FORMAT, open_copy(b, &file, &err), &err);
  assert_non_null(strstr(err.reason, "is stale: version 5 of the format"));
  assert_non_null(strstr(err.reason, "Record it again"));
  file.data[8] = 2; /* the version of saved graphs */
  EXPECT(RP_ERR_FORMAT, open_copy(b, &file, &err), &err);
  assert_non_null(strstr(err.reason, "version 2 of the format of saved graphs"));
  assert_non_null(strstr(err.reason, "Record it again"));
  /* Before recorded keys were saved graphs. */
  blob old = blob_read(TEST_DATA_DIR "/recorded/groth16_version_2.rpk");
  EXPECT(RP_ERR_FORMAT, open_copy(b, &old, &err), &err);
  assert_non_null(strstr(err.reason, "is stale"));
  assert_non_null(strstr(err.reason, "Record it again"));
  blob_free(&old);
  blob_free(&file);
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

static void expect_damage(bench *b, const blob *file, uint8_t *byte, uint8_t change) {
  rp_error err = {0};
  *byte ^= change;
  if (open_copy(b, file, &err) != RP_ERR_FORMAT) fail_msg("byte %d", (int)(byte - file->data));
  *byte ^= change;
}

static void every_damage_is_seen(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob file = record(b, "multiplier_bn254", "damage.rpk");
  const rpk_file f = rpk_open(file.data, file.bytes);
  /* Every byte of header and table, and some of the rest. */
  for (size_t i = 8; i < file.bytes; i += i < 1024 ? 1 : 61) expect_damage(b, &file, file.data + i, 0x10);
  for (uint32_t id = 0; id < rpk_arrays(&f); id++) /* both ends of every array, and the gap before it */
    for (int end = 0; end < 3 && f.table[id].size_bytes; end++) {
      const size_t at = end == 1 ? f.table[id].size_bytes - 1 : 0;
      expect_damage(b, &file, rpk_array(&f, id) + at - (end == 2), 1);
    }
  for (size_t bytes = 1; bytes < file.bytes; bytes += bytes < 1024 ? 37 : 1021) {
    blob cut = {file.data, bytes};
    EXPECT(RP_ERR_FORMAT, open_copy(b, &cut, &err), &err);
  }
  EXPECT(RP_OK, open_copy(b, &file, &err), &err);
  blob_free(&file);
}

static uint32_t *words(const rpk_file *f, uint32_t id) { return (uint32_t *)rpk_array(f, id); }

/* The table entry of the first array that is in the section of the key, or that is a content. */
static g16_file_array *entry_of(const rpk_file *f, bool content, uint32_t from) {
  for (uint32_t id = from; id < rpk_arrays(f); id++)
    if ((f->table[id].content != 0) == content && f->table[id].size_bytes) return &f->table[id];
  return NULL;
}

/* The entry of a section in the table of the container. */
static uint8_t *entry_in_table(const rpk_file *f, uint32_t id) {
  uint8_t *entry = f->file + SAVED_HEADER_BYTES;
  while (g16_u32(entry) != id) entry += SAVED_ENTRY_BYTES;
  return entry;
}

/* Makes one wrong statement in the file, selected by `which`. Returns 0 if there is no such one. */
static int harm(int which, const rpk_file *f) {
  g16_file_header *header = f->header;
  g16_file_array *table = f->table;
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
  case 12: header->n_contents = UINT32_MAX; break;
  case 13: words(f, G16_FILE_A_COLS)[0] = (uint32_t)header->n_vars; break;
  case 14: words(f, G16_FILE_B_COLS)[0] = UINT32_MAX; break;
  case 15: words(f, G16_FILE_A_ROWS)[2] = UINT32_MAX; break;
  case 16: words(f, G16_FILE_A_ROWS)[1] = (uint32_t)header->nnz[0]; break;
  case 17: words(f, G16_FILE_B_ROWS)[0] = 1; break;
  case 18: words(f, G16_FILE_B_ROWS)[header->domain] -= 1; break;
  case 19: entry_of(f, 0, 0)->offset += SAVED_ALIGN; break;
  case 20: entry_of(f, 0, G16_FILE_IC)->offset = table[G16_FILE_VK].offset; break;
  case 21: entry_of(f, 0, 0)->size_bytes = UINT64_MAX - 64; break;
  case 22: entry_of(f, 0, 0)->offset = UINT64_MAX - 63; break;
  case 23: *rpk_array(f, G16_FILE_VK) ^= 1; break;
  case 24: *rpk_array(f, G16_FILE_IC) ^= 1; break;
  case 25: rpk_array(f, G16_FILE_VK)[-1] = 1; break;
  case 26: table[G16_FILE_VECTOR_A].content = table[G16_FILE_VECTOR_H].content; break;
  case 27: table[G16_FILE_VECTOR_A].content = header->n_contents + 1; break;
  case 28: table[G16_FILE_VECTOR_A].content = UINT32_MAX; break;
  case 29: table[G16_FILE_VECTOR_A].content = 0; break;
  case 30: table[G16_FILE_VECTOR_A].offset = 64; break;
  case 31: table[G16_FILE_VECTOR_A].reserved = 1; break;
  case 32: table[G16_FILE_VECTOR_A].size_bytes -= 64; break;
  case 33: table[G16_FILE_COMMITMENT_KEYS].size_bytes = 64; break;
  case 34: header->gnark = 1; break;
  case 35: header->gnark = 2; break;
  case 36: header->n_commitments = 1; break;
  case 37: header->reserved[39] = 1; break;
  case 38: header->n_contents -= 1; break;
  case 39: f->data[-1] = 1; break;                     /* between the section and the one before */
  case 40: f->constants[8 + 8] += 1; break;            /* the length of the first content */
  case 41: entry_in_table(f, SAVED_KEY)[0] = 1; break; /* SAVED_KEY becomes another optional section */
  case 42: entry_in_table(f, SAVED_KEY)[4] = SAVED_REQUIRED; break;
  case 43: memcpy(entry_in_table(f, SAVED_OUTPUTS), (const uint8_t[8]){SAVED_KEY & 255, SAVED_KEY >> 8}, 8); break;
  case 44: entry_in_table(f, SAVED_CONSTANTS)[0] = SAVED_CONDITIONS; break;
  case 45: entry_in_table(f, SAVED_DATA)[0] = SAVED_BESIDE; break;
  case 46: entry_in_table(f, SAVED_KEY)[16] += 1; break; /* its length */
  case 47: header->shift[31] = 1; break;                 /* what only keys of gnark have */
  case 48: header->root = 1; break;
  case 49: /* the matrix ends with an entry that belongs to no row */
    for (uint64_t row = header->domain; words(f, G16_FILE_B_ROWS)[row] == header->nnz[1]; row--)
      words(f, G16_FILE_B_ROWS)[row] -= 1;
    break;
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
    const rpk_file f = rpk_open(file.data, file.bytes);
    if (!harm(i, &f)) {
      assert_true(i > 49);
      blob_free(&file);
      break;
    }
    rpk_seal(file.data, file.bytes);
    rp_status status = open_copy(b, &file, &err);
    if (status != RP_ERR_FORMAT && status != RP_ERR_INPUT) fail_msg("harm %d gives %s", i, rp_status_name(status));
    blob_free(&file);
  }
  rpk_seal(good.data, good.bytes);
  EXPECT(RP_OK, open_copy(b, &good, &err), &err);
  blob_free(&good);
}

/* Arrays are read where they lie, as words. */
static void memory_must_be_aligned(void **state) {
  bench *b = *state;
  rp_error err = {0};
  rp_groth16_key *key = NULL;
  blob file = record(b, "multiplier_bn254", "aligned.rpk");
  uint8_t *room = aligned_alloc(64, (file.bytes + 127) & ~(size_t)63);
  memcpy(room + 4, file.data, file.bytes);
  EXPECT(RP_ERR_ARGUMENT, rp_groth16_key_open_memory(b->context, room + 4, file.bytes, NULL, &key, &err), &err);
  assert_non_null(strstr(err.reason, "8-byte aligned"));
  memmove(room + 8, room + 4, file.bytes);
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, room + 8, file.bytes, NULL, &key, &err), &err);
  rp_groth16_key_close(key);
  free(room);
  blob_free(&file);
}

/* Whichever growth of a section fails, no key is recorded, and no file is left. */
static void saved_whole_or_not_at_all(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob zkey = fixture_read("multiplier_bn254", "circuit.zkey");
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  const char *path = scratch_path("whole.rpk");
  int at = 0;
  for (bool good = 0; !good; at++) {
    reallocations_left = at;
    const rp_status status = rp_groth16_save(prover, path, &err);
    good = reallocations_left >= 0;
    reallocations_left = -1;
    if (status != (good ? RP_OK : RP_ERR_MEMORY)) fail_msg("%s at %d: %s", rp_status_name(status), at, err.reason);
    assert_int_equal(access(path, F_OK), good ? 0 : -1);
  }
  assert_true(at > 10);
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey);
}

/* The list of contents says more than the file has. */
static void contents_end_with_the_file(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob file = record(b, "multiplier_bn254", "short.rpk");
  const rpk_file f = rpk_open(file.data, file.bytes);
  uint8_t *bytes = entry_in_table(&f, SAVED_DATA) + 16;
  EXPECT(RP_OK, open_with(b, &file, 1, &err), &err);
  assert_true(bytes[0] >= 64);
  bytes[0] -= 64;
  file.bytes -= 64;
  rpk_seal(file.data, file.bytes);
  EXPECT(RP_ERR_FORMAT, open_with(b, &file, 1, &err), &err);
  assert_non_null(strstr(err.reason, "are not those of its list"));
  blob_free(&file);
}

/* Wrong points, at the places that opening does not check, and wrong coefficients: no crash, and no proof. */
static void wrong_points_make_no_proof(void **state) {
  bench *b = *state;
  rp_error err = {0};
  blob good = record(b, "multiplier_bn254", "points.rpk"), wtns = fixture_read("multiplier_bn254", "witness.wtns");
  const rpk_file g = rpk_open(good.data, good.bytes);
  const g16_file_header *header = g.header;
  for (uint32_t id = G16_FILE_A_VALUES; id <= G16_FILE_VECTOR_H; id++) {
    if (id != G16_FILE_A_VALUES && id != G16_FILE_B_VALUES && id < G16_FILE_VECTOR_A) continue;
    const uint64_t point = id == G16_FILE_VECTOR_B2 ? 128 : 64;
    uint64_t begin = 0, end = g.table[id].size_bytes;
    if (id >= G16_FILE_VECTOR_A && id != G16_FILE_VECTOR_H) { /* of private wires only */
      begin = (header->n_public + 1) * point;
      end = header->n_vars * point;
    }
    blob file = {aligned_alloc(64, (good.bytes + 63) & ~(size_t)63), good.bytes};
    memcpy(file.data, good.data, good.bytes);
    const rpk_file f = rpk_open(file.data, file.bytes);
    memset(rpk_array(&f, id) + begin, 0x15, end - begin);
    rpk_seal(file.data, file.bytes);
    rp_groth16_key *key;
    rp_groth16_prover *prover;
    rp_groth16_proof proof;
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, file.data, file.bytes, NULL, &key, &err), &err);
    EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, NULL, &prover, &err), &err);
    if (rp_groth16_prove(prover, wtns.data, wtns.bytes, &proof, NULL, NULL, &err) == RP_OK)
      fail_msg("array %d does not matter", (int)id);
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
      cmocka_unit_test_prestate(stale_files_are_refused, state),
      cmocka_unit_test_prestate(replaced_while_in_use, state),
      cmocka_unit_test_prestate(tells_whether_it_is_stale, state),
      cmocka_unit_test_prestate(every_damage_is_seen, state),
      cmocka_unit_test_prestate(hostile_files_are_refused, state),
      cmocka_unit_test_prestate(memory_must_be_aligned, state),
      cmocka_unit_test_prestate(saved_whole_or_not_at_all, state),
      cmocka_unit_test_prestate(contents_end_with_the_file, state),
      cmocka_unit_test_prestate(wrong_points_make_no_proof, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
