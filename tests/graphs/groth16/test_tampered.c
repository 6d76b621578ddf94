/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recorded files that somebody changed and gave right checksums. What proofs need in order to hide the witness is
 * required whenever such a file is opened, and everything else where points are checked.
 */
#include "common.h"
#include "tamper.h"

#include "rpk_file.h"

#include <stdio.h>

static const char *const names[] = {"multiplier_bn254", "multiplier_bls12381"};
enum { FIXTURES = sizeof names / sizeof *names };

static blob record(bench *b, const char *name) {
  rp_error err = {0};
  blob zkey = fixture_read(name, "circuit.zkey");
  rp_groth16_prover *prover = prover_of(b, &zkey, 1);
  const char *path = scratch_path("key.rpk");
  EXPECT(RP_OK, rp_groth16_save(prover, path, &err), &err);
  rp_groth16_prover_destroy(prover);
  blob_free(&zkey);
  return blob_read(path);
}

static blob copy_of(const blob *file) {
  blob copy = {aligned_alloc(64, (file->bytes + 63) & ~(size_t)63), file->bytes};
  assert_non_null(copy.data);
  memcpy(copy.data, file->data, file->bytes);
  return copy;
}

typedef enum opening { FROM_PATH, FROM_MEMORY } opening;

static rp_status open_it(bench *b, const blob *file, opening from, const rp_groth16_key_options *options,
                         rp_error *err) {
  rp_groth16_key *key;
  rp_status status;
  *err = (rp_error){0};
  if (from == FROM_PATH) {
    const char *path = scratch_path("tampered.rpk");
    blob_write(path, file->data, file->bytes);
    status = rp_groth16_key_open(b->context, path, options, &key, err);
  } else {
    status = rp_groth16_key_open_memory(b->context, file->data, file->bytes, options, &key, err);
  }
  rp_groth16_key_close(key);
  return status;
}

static int must_be_refused(const tamper_case *c, const rp_groth16_key_options *options) {
  switch (c->seen) {
  case TAMPER_ALWAYS: return 1;
  case TAMPER_CHECKSUM: return !options->skip_checksum || options->check_points;
  case TAMPER_CHECKED: break;
  }
  return options->check_points != 0;
}

static void tampered_files_are_refused(void **state) {
  bench *b = *state;
  unsigned tried = 0;
  for (int f = 0; f < FIXTURES; f++) {
    blob good = record(b, names[f]);
    for (size_t i = 0; i < tamper_count; i++) {
      const tamper_case *c = &tamper_cases[i];
      blob file = copy_of(&good);
      for (unsigned way = 0; tamper_apply(c, file.data, file.bytes) && way < 8; way++) {
        const rp_groth16_key_options options = {
            .struct_size = sizeof options, .check_points = way & 1, .skip_checksum = way >> 1 & 1};
        rp_error err;
        memcpy(file.data, good.data, good.bytes);
        tamper_apply(c, file.data, file.bytes);
        const rp_status status = open_it(b, &file, way & 4 ? FROM_PATH : FROM_MEMORY, &options, &err);
        const int refused = status == RP_ERR_FORMAT || status == RP_ERR_INPUT;
        if (refused != must_be_refused(c, &options) || (!refused && status != RP_OK))
          fail_msg("%s of %s, check_points %u, skip_checksum %u: %s: %s", c->name, names[f], options.check_points,
                   options.skip_checksum, rp_status_name(status), err.reason);
        if (refused && !strstr(err.reason, c->says))
          fail_msg("%s of %s is refused with \"%s\" instead of \"%s\"", c->name, names[f], err.reason, c->says);
        tried++;
      }
      blob_free(&file);
    }
    blob_free(&good);
  }
  assert_true(tried > 8 * tamper_count);
}

/* A file whose checksums are only recomputed is accepted however it is opened. */
static void sealing_alone_changes_nothing(void **state) {
  bench *b = *state;
  for (int f = 0; f < FIXTURES; f++) {
    blob good = record(b, names[f]), file = copy_of(&good);
    tamper_seal(file.data, file.bytes);
    assert_memory_equal(file.data, good.data, good.bytes);
    for (unsigned way = 0; way < 8; way++) {
      const rp_groth16_key_options options = {
          .struct_size = sizeof options, .check_points = way & 1, .skip_checksum = way >> 1 & 1};
      rp_error err;
      EXPECT(RP_OK, open_it(b, &file, way & 4 ? FROM_PATH : FROM_MEMORY, &options, &err), &err);
    }
    blob_free(&file);
    blob_free(&good);
  }
}

/* A tampered file that opens, because its points are not checked, still does not match the zkey. */
static void no_tampered_file_matches(void **state) {
  bench *b = *state;
  for (int f = 0; f < FIXTURES; f++) {
    blob good = record(b, names[f]), file = copy_of(&good);
    unsigned opened = 0;
    for (size_t i = 0; i <= tamper_count; i++) {
      const rp_groth16_key_options options = {.struct_size = sizeof options, .skip_checksum = 1};
      rp_groth16_key *key;
      rp_error err = {0};
      memcpy(file.data, good.data, good.bytes);
      if (i < tamper_count && !tamper_apply(&tamper_cases[i], file.data, file.bytes)) continue;
      if (rp_groth16_key_open_memory(b->context, file.data, file.bytes, &options, &key, &err) != RP_OK) continue;
      opened++;
      EXPECT(i < tamper_count ? RP_ERR_MISMATCH : RP_OK,
             rp_groth16_key_matches(key, fixture_path(names[f], "circuit.zkey"), &err), &err);
      rp_groth16_key_close(key);
    }
    assert_in_range(opened, 8, tamper_count);
    blob_free(&file);
    blob_free(&good);
  }
}

/* A byte that differs from the zkey's is found at both ends of every section. */
static void every_section_is_compared(void **state) {
  bench *b = *state;
  for (int f = 0; f < FIXTURES; f++) {
    blob good = record(b, names[f]), file = copy_of(&good);
    rp_groth16_key *key;
    rp_error err = {0};
    const rpk_file opened = rpk_open(file.data, file.bytes);
    EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, file.data, file.bytes, NULL, &key, &err), &err);
    const char *path = fixture_path(names[f], "circuit.zkey");
    EXPECT(RP_OK, rp_groth16_key_matches(key, path, &err), &err);
    for (uint32_t id = G16_FILE_IC; id <= G16_FILE_VECTOR_H; id++) /* changed in the memory of the open key */
      for (int end = 0; end < 2; end++) {
        const int bits = id >= G16_FILE_SUPPORT_A && id <= G16_FILE_SUPPORT_C;
        uint8_t *byte = rpk_array(&opened, id) + (end && !bits ? opened.table[id].size_bytes - 1 : 0);
        *byte ^= bits && end ? 4 : 1;
        if (rp_groth16_key_matches(key, path, &err) != RP_ERR_MISMATCH) fail_msg("array %d, end %d", (int)id, end);
        *byte ^= bits && end ? 4 : 1;
      }
    EXPECT(RP_OK, rp_groth16_key_matches(key, path, &err), &err);
    rp_groth16_key_close(key);
    blob_free(&file);
    blob_free(&good);
  }
}

/* The checks reach every point of every vector: a point off the curve is refused wherever it is. */
static void every_point_is_checked(void **state) {
  bench *b = *state;
  const rp_groth16_key_options options = {.struct_size = sizeof options, .check_points = 1};
  for (int f = 0; f < FIXTURES; f++) {
    blob good = record(b, names[f]), file = copy_of(&good);
    const rpk_file opened = rpk_open(file.data, file.bytes);
    for (uint32_t id = G16_FILE_VECTOR_A; id <= G16_FILE_VECTOR_H; id++) {
      const uint64_t n = id == G16_FILE_VECTOR_H ? opened.header->domain : opened.header->n_vars + 2;
      for (uint64_t i = 0; i < n; i++) {
        rp_error err;
        memcpy(file.data, good.data, good.bytes);
        rpk_array(&opened, id)[opened.table[id].size_bytes / n * i] ^= 1;
        tamper_seal(file.data, file.bytes);
        const rp_status status = open_it(b, &file, FROM_MEMORY, &options, &err);
        if (status != RP_ERR_FORMAT)
          fail_msg("%s, array %d, point %d: %s", names[f], (int)id, (int)i, rp_status_name(status));
      }
    }
    blob_free(&file);
    blob_free(&good);
  }
}

int main(void) {
  bench b;
  bench_open(&b);
  void *state = &b;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(tampered_files_are_refused, state),
      cmocka_unit_test_prestate(sealing_alone_changes_nothing, state),
      cmocka_unit_test_prestate(no_tampered_file_matches, state),
      cmocka_unit_test_prestate(every_section_is_compared, state),
      cmocka_unit_test_prestate(every_point_is_checked, state),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  scratch_remove();
  bench_close(&b);
  return failed;
}
