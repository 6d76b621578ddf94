/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every hostile file is refused with its status, in one sentence that names it, and leaves nothing behind.
 */
#include "scratch.h"

#include "fuzz/hostile.h"
#include "formats/fail.h"
#include "groth16/formats/json.h"
#include "files/output.h"
#include "formats/r1cs.h"
#include "formats/witness.h"
#include "formats/wtns.h"

#include <unistd.h>

static rp_status read_zkey(const support_file *file, uint32_t checks, rp_error *err) {
  static const g16_points_id arrays[] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};
  const g16_load load = {.checks = checks};
  g16_zkey zkey;
  g16_vkey vkey;
  g16_csr a, b;
  rp_status status = g16_zkey_open(file, &zkey, err);
  if (status != RP_OK) return status;
  if ((status = g16_vkey_from_zkey(&zkey, &vkey, err)) == RP_OK) g16_vkey_free(&vkey);
  if (status == RP_OK && (status = g16_csr_load(&zkey, &load, &a, &b, err)) == RP_OK) {
    g16_csr_free(&a, NULL);
    g16_csr_free(&b, NULL);
  }
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && status == RP_OK; i++) {
    g16_points points;
    status = g16_points_load(&zkey, arrays[i], &load, &points, err);
    if (status == RP_OK) g16_points_free(&points, NULL);
  }
  return status;
}

/* Reads a witness as provers do. That needs a path, which a file in memory does not have. */
static rp_status read_witness(const support_file *file, const g16_zkey *zkey, rp_error *err) {
  const g16_witness_shape shape = {.key = "the key",
                                   .family = zkey->family,
                                   .n = zkey->n_vars,
                                   .but_values = ", but there are ",
                                   .but_file = ", but there are ",
                                   .unit = ""};
  const g16_witness witness = {.path = support_file_name(file)};
  uint8_t *values = malloc((size_t)zkey->n_vars * 32);
  const rp_status status =
      access(witness.path, R_OK) ? RP_ERR_MISMATCH : g16_witness_read(&witness, &shape, NULL, values, err);
  free(values);
  return status;
}

static rp_status read_wtns(const hostile_case *c, const support_file *file, rp_error *err) {
  char path[4096];
  support_file *key_file;
  g16_zkey zkey;
  g16_wtns wtns;
  snprintf(path, sizeof path, FIXTURES "%s/circuit.zkey", hostile_fixture(c));
  assert_int_equal(support_file_open(path, 0, &key_file, NULL), RP_OK);
  assert_int_equal(g16_zkey_open(key_file, &zkey, NULL), RP_OK);
  rp_status status = g16_wtns_open(file, &wtns, err);
  if (status == RP_OK && (wtns.family != zkey.family || wtns.n != zkey.n_vars)) status = read_witness(file, &zkey, err);
  if (status == RP_OK) {
    uint8_t *values = malloc((size_t)wtns.n * 32);
    status = g16_wtns_read(&wtns, 0, wtns.n, NULL, values, err);
    free(values);
  }
  support_file_close(key_file);
  return status;
}

static rp_status read_json(hostile_kind kind, const support_file *file, rp_error *err) {
  const char *name = support_file_name(file);
  uint8_t *text, values[64];
  size_t n;
  rp_groth16_proof proof;
  g16_vkey vkey;
  rp_status status = support_file_slurp(file, G16_JSON_LIMIT_BYTES, &text, err);
  if (status != RP_OK) return status;
  const char *json = (const char *)text;
  size_t bytes = support_file_size(file);
  if (kind == HOSTILE_VKEY) {
    status = g16_vkey_read(name, json, bytes, &vkey, err);
    if (status == RP_OK) status = g16_vkey_check(name, &vkey, err);
    g16_vkey_free(&vkey);
  } else if (kind == HOSTILE_PROOF) {
    status = g16_proof_read(name, json, bytes, &proof, err);
    if (status == RP_OK) status = g16_proof_check(name, &proof, err);
  } else {
    status = g16_public_read(name, json, bytes, values, 2, &n, err);
  }
  rp_secret_free(text, bytes);
  return status;
}

static rp_status read_file(const hostile_case *c, const support_file *file, rp_error *err) {
  g16_r1cs r1cs;
  rp_status status;
  switch (c->kind) {
  case HOSTILE_ZKEY:
  case HOSTILE_RELEASE: return read_zkey(file, 0, err);
  case HOSTILE_CHECKED: return read_zkey(file, G16_CHECK_CURVE | G16_CHECK_SUBGROUP, err);
  case HOSTILE_WTNS:
  case HOSTILE_PROVE: return read_wtns(c, file, err);
  case HOSTILE_R1CS:
    status = g16_r1cs_open(file, &r1cs, err);
    return status == RP_OK ? g16_r1cs_walk(&r1cs, NULL, NULL, err) : status;
  case HOSTILE_VKEY:
  case HOSTILE_PROOF:
  case HOSTILE_PUBLIC: return read_json(c->kind, file, err);
  case HOSTILE_OUTPUT: break;
  }
  return RP_ERR_INTERNAL;
}

static rp_status read_path(const hostile_case *c, const char *path, rp_error *err) {
  support_file *file;
  if (c->kind == HOSTILE_OUTPUT) return support_output_file(path, "{}", 2, err);
  rp_status status = support_file_open(path, 0, &file, err);
  if (status == RP_OK) status = read_file(c, file, err);
  support_file_close(file);
  return status;
}

/* Returns 0 after printing what is wrong, so that the rest of the table is still tested. */
static int is_good_reason(const hostile_case *c, const char *path, const rp_error *error) {
  size_t length = strlen(error->reason);
  int good = length > strlen(path) && strstr(error->reason, c->says) && strchr(".?", error->reason[length - 1]) &&
             strncmp(error->reason, path, strlen(path)) == 0;
  for (size_t i = 0; i < length; i++) good = good && (unsigned char)error->reason[i] >= ' ';
  if (!good)
    print_error("%s: the reason should name the file, say \"%s\" and be one sentence: %s\n", c->name, c->says,
                error->reason);
  return good;
}

static int is_refused(const hostile_case *c, void **state) {
  static char path[4096];
  rp_error error = {0};
  if (!hostile_write(c, TEST_DATA_DIR, *state, path, sizeof path)) fail_msg("%s: cannot be made", c->name);
  size_t entries = scratch_count(state);
  rp_status status = read_path(c, path, &error), again = read_path(c, path, NULL);
  size_t left = scratch_count(state) - entries;
  if (c->kind == HOSTILE_PROVE || c->kind == HOSTILE_RELEASE)
    return status == RP_OK; /* the file alone shows nothing wrong */
  if (status != c->status || error.status != c->status || again != c->status || left != 0) {
    print_error("%s: %s, expected %s, %zu files left: %s\n", c->name, rp_status_name(status), rp_status_name(c->status),
                left, error.reason);
    return 0;
  }
  return is_good_reason(c, path, &error);
}

static void all_are_refused(void **state) {
  size_t bad = 0;
  for (size_t i = 0; i < hostile_count; i++) bad += !is_refused(&hostile_cases[i], state);
  assert_int_equal(bad, 0);
}

/* The same files from memory, each in an allocation of its exact size, so that a sanitizer sees one byte read too many.
 */
static void all_are_refused_in_memory(void **state) {
  (void)state;
  size_t bad = 0;
  for (size_t i = 0; i < hostile_count; i++) {
    const hostile_case *c = &hostile_cases[i];
    hostile_buffer buffer;
    support_file *file;
    rp_error error = {0};
    if (c->node != HOSTILE_FILE || c->kind == HOSTILE_OUTPUT || c->kind == HOSTILE_PROVE || c->kind == HOSTILE_RELEASE)
      continue;
    assert_true(hostile_bytes(c, TEST_DATA_DIR, &buffer));
    uint8_t *exact = malloc(buffer.size ? buffer.size : 1);
    memcpy(exact, buffer.data, buffer.size);
    rp_status status = support_file_wrap(c->name, exact, buffer.size, &file, &error);
    if (status == RP_OK) status = read_file(c, file, &error);
    if (status != c->status) print_error("%s: %s: %s\n", c->name, rp_status_name(status), error.reason);
    bad += status != c->status;
    support_file_close(file);
    free(exact);
    free(buffer.data);
  }
  assert_int_equal(bad, 0);
}

static void table_is_large_and_names_are_unique(void **state) {
  (void)state;
  assert_true(hostile_count >= 60);
  for (size_t i = 0; i < hostile_count; i++)
    for (size_t k = 0; k < i; k++) assert_string_not_equal(hostile_cases[i].name, hostile_cases[k].name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_is_large_and_names_are_unique),
      cmocka_unit_test_setup_teardown(all_are_refused, scratch_begin, scratch_end),
      cmocka_unit_test(all_are_refused_in_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
