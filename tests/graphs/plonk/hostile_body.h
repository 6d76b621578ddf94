/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every hostile file in the table of PLONK or of FFLONK is refused with the status and the words of the table, from a
 * file and from memory. A test includes names.h and the readers of its proof system first, and says what a key has:
 * LAST_SECTION, which sections of scalars and points are read here (FIRST_READ, LAST_READ), and the good `circuits`.
 */
#ifndef REPRISE_TESTS_PLONK_HOSTILE_BODY_H
#define REPRISE_TESTS_PLONK_HOSTILE_BODY_H

#include "graphs/files/scratch.h"

#include "formats/fail.h"
#include "fuzz/hostile.h"

static rp_status read_maps(const OWN(_zkey) * zkey, rp_error *err) {
  const uint64_t n = plonk_section_count(&zkey->common, PLONK_MAP_A);
  uint32_t *map = calloc(n, sizeof *map);
  rp_status status = RP_OK;
  for (uint32_t id = PLONK_MAP_A; id <= PLONK_MAP_C && status == RP_OK; id++)
    status = plonk_map_read(&zkey->common, id, 0, n, map, err);
  free(map);
  return status;
}

static rp_status read_additions(const OWN(_zkey) * zkey, rp_error *err) {
  const uint64_t n = plonk_section_count(&zkey->common, PLONK_ADDITIONS);
  plonk_addition *addition = calloc(n + 1, sizeof *addition);
  const rp_status status = plonk_additions_read(&zkey->common, 0, n, addition, err);
  free(addition);
  return status;
}

/* Reads the whole key in ranges that do not end where sections end. */
static rp_status read_key(const support_file *file, int checks, rp_error *err) {
  enum { AT_ONCE = 1237 };
  OWN(_zkey) zkey;
  uint8_t *out = malloc((size_t)AT_ONCE * PLONK_POINT_BYTES);
  rp_status status = OWN(_zkey_open)(file, &zkey, err);
  if (status == RP_OK) status = read_additions(&zkey, err);
  if (status == RP_OK) status = read_maps(&zkey, err);
  for (uint32_t id = FIRST_READ; id <= LAST_READ && status == RP_OK; id++) {
    const uint64_t n = plonk_section_count(&zkey.common, id);
    for (uint64_t at = 0; at < n && status == RP_OK; at += AT_ONCE) {
      const uint64_t some = n - at < AT_ONCE ? n - at : AT_ONCE;
      status = id == CONST(_TAU) ? plonk_tau_read(&zkey.common, at, some, checks, out, err)
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
  RP(_proof) proof;
  OWN(_vkey) vkey;
  rp_status status = support_file_slurp(file, G16_JSON_LIMIT_BYTES, &text, err);
  if (status != RP_OK) return status;
  if (kind == HOSTILE_VKEY) {
    status = OWN(_vkey_read)(name, (const char *)text, bytes, &vkey, err);
    if (status == RP_OK) status = OWN(_vkey_check)(name, &vkey, err);
  } else {
    status = OWN(_proof_read)(name, (const char *)text, bytes, &proof, err);
    if (status == RP_OK) status = OWN(_proof_check)(name, &proof, err);
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
  for (size_t i = 0; i < HOSTILE(_count); i++) bad += !is_refused(&HOSTILE(_cases)[i], state);
  assert_int_equal(bad, 0);
}

/* Each file is in an allocation of its exact size, so that a sanitizer detects a read past its end. */
static void all_are_refused_in_memory(void **state) {
  (void)state;
  for (size_t i = 0; i < HOSTILE(_count); i++) {
    const hostile_case *c = &HOSTILE(_cases)[i];
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
  assert_true(hostile_slurp(TEST_DATA_DIR "/" FOLDER "/multiplier/circuit.zkey", &buffer));
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
  for (size_t i = 0; i < sizeof circuits / sizeof *circuits; i++) {
    char path[4096];
    support_file *file;
    snprintf(path, sizeof path, TEST_DATA_DIR "/" FOLDER "/%s/circuit.zkey", circuits[i]);
    assert_ok(support_file_open(path, 0, &file, err));
    assert_ok(read_key(file, 1, err));
    assert_int_equal(g16_zkey_protocol(file), PROTOCOL);
    support_file_close(file);
  }
}

/* Sections may stand in any order and at any alignment, and others may stand between them. */
static void sections_in_any_order_are_read(void **state) {
  (void)state;
  hostile_buffer buffer;
  support_file *file;
  assert_true(hostile_slurp(TEST_DATA_DIR "/" FOLDER "/multiplier/circuit.zkey", &buffer));
  damage_add(&buffer, 77, 1, 0);
  for (uint64_t section = LAST_SECTION; section >= 2; section--) { /* moves each section behind the others */
    damage_repeat(&buffer, section, 0, 0);
    damage_drop(&buffer, section, 0, 0);
  }
  assert_int_equal(support_file_wrap("turned", buffer.data, buffer.size, &file, NULL), RP_OK);
  assert_ok(read_key(file, 1, err));
  support_file_close(file);
  free(buffer.data);
}

static void names_are_unique(void **state) {
  (void)state;
  assert_true(HOSTILE(_count) >= 100);
  for (size_t i = 0; i < HOSTILE(_count); i++)
    for (size_t k = 0; k < i; k++) assert_string_not_equal(HOSTILE(_cases)[i].name, HOSTILE(_cases)[k].name);
}

#endif
