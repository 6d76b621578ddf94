/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every hostile file of PLONK's table is refused with the status and the words of the table, from a file and from
 * memory.
 */
#include "graphs/files/scratch.h"

#include "formats/fail.h"
#include "fuzz/hostile.h"
#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"

static rp_status read_maps(const plonk_zkey *zkey, rp_error *err) {
  const uint64_t n = plonk_section_count(&zkey->common, PLONK_MAP_A);
  uint32_t *map = calloc(n, sizeof *map);
  rp_status status = RP_OK;
  for (uint32_t id = PLONK_MAP_A; id <= PLONK_MAP_C && status == RP_OK; id++)
    status = plonk_map_read(&zkey->common, id, 0, n, map, err);
  free(map);
  return status;
}

static rp_status read_additions(const plonk_zkey *zkey, rp_error *err) {
  const uint64_t n = plonk_section_count(&zkey->common, PLONK_ADDITIONS);
  plonk_addition *addition = calloc(n + 1, sizeof *addition);
  const rp_status status = plonk_additions_read(&zkey->common, 0, n, addition, err);
  free(addition);
  return status;
}

/* Reads the whole key in ranges that do not end where sections end. */
static rp_status read_key(const support_file *file, int checks, rp_error *err) {
  enum { AT_ONCE = 1237 };
  plonk_zkey zkey;
  uint8_t *out = malloc((size_t)AT_ONCE * PLONK_POINT_BYTES);
  rp_status status = plonk_zkey_open(file, &zkey, err);
  if (status == RP_OK) status = read_additions(&zkey, err);
  if (status == RP_OK) status = read_maps(&zkey, err);
  for (plonk_section id = PLONK_QM; id <= PLONK_TAU && status == RP_OK; id++) {
    const uint64_t n = plonk_section_count(&zkey.common, id);
    for (uint64_t at = 0; at < n && status == RP_OK; at += AT_ONCE) {
      const uint64_t some = n - at < AT_ONCE ? n - at : AT_ONCE;
      status = id == PLONK_TAU ? plonk_tau_read(&zkey.common, at, some, checks, out, err)
                               : plonk_scalars_read(&zkey.common, id, at, some, out, err);
    }
  }
  free(out);
  return status;
}

static rp_status read_json(hostile_kind kind, const support_file *file, rp_error *err) {
  const char *name = support_file_name(file);
  const size_t bytes = support_file_size(file);
  uint8_t *text;
  rp_plonk_proof proof;
  plonk_vkey vkey;
  rp_status status = support_file_slurp(file, G16_JSON_LIMIT_BYTES, &text, err);
  if (status != RP_OK) return status;
  if (kind == HOSTILE_VKEY) {
    status = plonk_vkey_read(name, (const char *)text, bytes, &vkey, err);
    if (status == RP_OK) status = plonk_vkey_check(name, &vkey, err);
  } else {
    status = plonk_proof_read(name, (const char *)text, bytes, &proof, err);
    if (status == RP_OK) status = plonk_proof_check(name, &proof, err);
  }
  rp_secret_free(text, bytes);
  return status;
}

static rp_status read_file(const hostile_case *c, const support_file *file, rp_error *err) {
  if (c->kind == HOSTILE_VKEY || c->kind == HOSTILE_PROOF) return read_json(c->kind, file, err);
  return read_key(file, c->kind == HOSTILE_CHECKED, err);
}

static rp_status read_path(const hostile_case *c, const char *path, rp_error *err) {
  support_file *file;
  rp_status status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = read_file(c, file, err);
  support_file_close(file);
  return status;
}

static int is_refused(const hostile_case *c, void **state) {
  static char path[4096];
  rp_error error = {0};
  if (!hostile_write(c, TEST_DATA_DIR, *state, path, sizeof path)) fail_msg("%s: cannot be made", c->name);
  const rp_status status = read_path(c, path, &error);
  const size_t length = strlen(error.reason);
  if (status == c->status && error.status == status && strncmp(error.reason, path, strlen(path)) == 0 &&
      strstr(error.reason, c->says) && strchr(".?", error.reason[length - 1]))
    return 1;
  print_error("%s: %s, expected %s and one sentence with \"%s\": %s\n", c->name, rp_status_name(status),
              rp_status_name(c->status), c->says, error.reason);
  return 0;
}

static void all_are_refused(void **state) {
  size_t bad = 0;
  for (size_t i = 0; i < hostile_plonk_count; i++) bad += !is_refused(&hostile_plonk_cases[i], state);
  assert_int_equal(bad, 0);
}

/* Each file is in an allocation of its exact size, so that a sanitizer detects a read past its end. */
static void all_are_refused_in_memory(void **state) {
  (void)state;
  for (size_t i = 0; i < hostile_plonk_count; i++) {
    const hostile_case *c = &hostile_plonk_cases[i];
    hostile_buffer buffer;
    support_file *file;
    if (c->node != HOSTILE_FILE) continue;
    assert_true(hostile_bytes(c, TEST_DATA_DIR, &buffer));
    uint8_t *exact = malloc(buffer.size ? buffer.size : 1);
    memcpy(exact, buffer.data, buffer.size);
    rp_status status = support_file_wrap(c->name, exact, buffer.size, &file, NULL);
    if (status == RP_OK) status = read_file(c, file, NULL);
    if (status != c->status) fail_msg("%s: %s", c->name, rp_status_name(status));
    support_file_close(file);
    free(exact);
    free(buffer.data);
  }
}

/* A key that is truncated at any byte is refused: no length in it is used before it has been compared with the file. */
static void every_cut_is_refused(void **state) {
  (void)state;
  hostile_buffer buffer;
  assert_true(hostile_slurp(TEST_DATA_DIR "/plonk/multiplier/circuit.zkey", &buffer));
  for (size_t size = 1; size <= buffer.size; size += size < 1000 ? 1 : 7) {
    support_file *file;
    assert_int_equal(support_file_wrap("cut", buffer.data, size, &file, NULL), RP_OK);
    assert_int_equal(read_key(file, 0, NULL), size == buffer.size ? RP_OK : RP_ERR_FORMAT);
    support_file_close(file);
  }
  free(buffer.data);
}

static void good_keys_are_read(void **state) {
  (void)state;
  static const char *const names[] = {"multiplier", "poseidon_chain", "no_public"};
  for (int i = 0; i < 3; i++) {
    char path[4096];
    support_file *file;
    snprintf(path, sizeof path, TEST_DATA_DIR "/plonk/%s/circuit.zkey", names[i]);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(read_key(file, 1, err));
    assert_int_equal(g16_zkey_protocol(file), G16_PROTOCOL_PLONK);
    support_file_close(file);
  }
}

/* Sections may stand in any order and at any alignment, and others may stand between them. */
static void sections_in_any_order_are_read(void **state) {
  (void)state;
  hostile_buffer buffer;
  support_file *file;
  assert_true(hostile_slurp(TEST_DATA_DIR "/plonk/multiplier/circuit.zkey", &buffer));
  damage_add(&buffer, 77, 1, 0);
  for (uint64_t section = 14; section >= 2; section--) { /* moves each section behind the others */
    damage_repeat(&buffer, section, 0, 0);
    damage_drop(&buffer, section, 0, 0);
  }
  assert_int_equal(support_file_wrap("turned", buffer.data, buffer.size, &file, NULL), RP_OK);
  assert_ok(read_key(file, 1, err));
  support_file_close(file);
  free(buffer.data);
}

/* A section of several blocks is read as it is in the file, at once and in parts, and elements of later blocks are
 * checked too. */
static void blocks_join(void **state) {
  (void)state;
  enum { PART = 1237, BAD = 29999 };
  hostile_buffer buffer;
  support_file *file;
  plonk_zkey zkey;
  rp_error error = {0};
  assert_true(hostile_slurp(TEST_DATA_DIR "/plonk/poseidon_chain/circuit.zkey", &buffer));
  assert_int_equal(support_file_wrap("chain", buffer.data, buffer.size, &file, NULL), RP_OK);
  assert_ok(plonk_zkey_open(file, &zkey, err));
  const uint64_t n = plonk_section_count(&zkey.common, PLONK_SIGMA), bytes = n * PLONK_SCALAR_BYTES;
  uint8_t *stored = buffer.data + zkey.common.bin.section[PLONK_SIGMA].offset, *whole = malloc(bytes),
          *parts = malloc(bytes);
  assert_true(n > BAD);
  assert_ok(plonk_scalars_read(&zkey.common, PLONK_SIGMA, 0, n, whole, err));
  assert_memory_equal(whole, stored, bytes);
  for (uint64_t at = 0; at < n; at += PART)
    assert_ok(plonk_scalars_read(&zkey.common, PLONK_SIGMA, at, n - at < PART ? n - at : PART,
                                 parts + at * PLONK_SCALAR_BYTES, err));
  assert_memory_equal(parts, stored, bytes);
  memset(stored + (uint64_t)BAD * PLONK_SCALAR_BYTES, 0xff, PLONK_SCALAR_BYTES);
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_SIGMA, 0, n, whole, &error), RP_ERR_FORMAT);
  assert_non_null(strstr(error.reason, "element 29999 at byte"));
  support_file_close(file);
  free(whole), free(parts), free(buffer.data);
}

static void ranges_are_checked(void **state) {
  (void)state;
  support_file *file;
  plonk_zkey zkey;
  plonk_addition addition;
  uint32_t row;
  uint8_t out[64];
  assert_ok(support_file_open(TEST_DATA_DIR "/plonk/multiplier/circuit.zkey", 0, &file, err));
  assert_ok(plonk_zkey_open(file, &zkey, err));
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_QM, 40, 1, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_QM, 1, UINT64_MAX, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_scalars_read(&zkey.common, PLONK_TAU, 0, 1, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_tau_read(&zkey.common, 14, 1, 0, out, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_map_read(&zkey.common, PLONK_MAP_C, 4, 1, &row, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_map_read(&zkey.common, PLONK_QM, 0, 1, &row, NULL), RP_ERR_ARGUMENT);
  assert_int_equal(plonk_additions_read(&zkey.common, 0, 1, &addition, NULL), RP_ERR_ARGUMENT);
  support_file_close(file);
}

static void names_are_unique(void **state) {
  (void)state;
  assert_true(hostile_plonk_count >= 100);
  for (size_t i = 0; i < hostile_plonk_count; i++)
    for (size_t k = 0; k < i; k++) assert_string_not_equal(hostile_plonk_cases[i].name, hostile_plonk_cases[k].name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_unique),
      cmocka_unit_test_setup_teardown(all_are_refused, scratch_begin, scratch_end),
      cmocka_unit_test(all_are_refused_in_memory),
      cmocka_unit_test(every_cut_is_refused),
      cmocka_unit_test(good_keys_are_read),
      cmocka_unit_test(sections_in_any_order_are_read),
      cmocka_unit_test(blocks_join),
      cmocka_unit_test(ranges_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
