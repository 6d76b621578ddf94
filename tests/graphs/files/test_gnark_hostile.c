/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every hostile file of gnark's formats is refused with its status, in one sentence that names it. Each is read from an
 * allocation of its exact size, so that a sanitizer sees one byte read too many.
 */
#include "scratch.h"

#include "fuzz/hostile_gnark.h"
#include "groth16/formats/gnark_pkey.h"
#include "groth16/formats/gnark_proof.h"
#include "groth16/formats/gnark_solution.h"
#include "groth16/formats/zkey.h"

static rp_status read_array(const g16_gnark_pkey *key, const g16_gnark_array *array, rp_error *err) {
  uint8_t *points = aligned_alloc(64, (array->n * 192 + 64) & ~(uint64_t)63);
  assert_non_null(points);
  const rp_status status =
      g16_gnark_points_read(key, array, 0, array->n, G16_CHECK_CURVE | G16_CHECK_SUBGROUP, points, err);
  free(points);
  return status;
}

static rp_status read_pkey(const support_file *file, rp_error *err) {
  g16_gnark_pkey key;
  rp_status status = g16_gnark_pkey_open(file, &key, err);
  if (status != RP_OK) return status;
  uint8_t *map = malloc(key.n_wires);
  assert_non_null(map);
  for (int i = 0; i < 2 && status == RP_OK; i++) status = g16_gnark_map_read(&key, i, map, err);
  free(map);
  for (int i = 0; i < G16_GNARK_ARRAYS && status == RP_OK; i++) status = read_array(&key, &key.array[i], err);
  for (uint32_t i = 0; i < key.n_commitments && status == RP_OK; i++) {
    status = read_array(&key, &key.basis[i], err);
    if (status == RP_OK) status = read_array(&key, &key.basis_sigma[i], err);
  }
  return status;
}

static rp_status read_vkey(const support_file *file, rp_error *err) {
  g16_vkey vkey;
  rp_status status = g16_gnark_vkey_read(file, &vkey, err);
  if (status == RP_OK) status = g16_vkey_check(support_file_name(file), &vkey, err);
  g16_vkey_free(&vkey);
  return status;
}

static rp_status read_solution(const support_file *file, rp_error *err) {
  const g16_family *family = g16_family_by_g1(RP_CURVE_BN254_G1);
  g16_gnark_solution solution;
  rp_status status = g16_gnark_solution_open(file, &solution, err);
  for (int v = 0; v < G16_GNARK_VECTORS && status == RP_OK; v++) {
    uint8_t *values = malloc(32 * solution.n[v] + 1);
    assert_non_null(values);
    status = g16_gnark_solution_read(&solution, family, (g16_gnark_vector)v, 0, solution.n[v], NULL, values, err);
    free(values);
  }
  return status;
}

static rp_status read_file(const char *name, const support_file *file, rp_error *err) {
  rp_gnark_proof proof;
  g16_gnark_witness witness;
  if (strncmp(name, "pk", 2) == 0) return read_pkey(file, err);
  if (strncmp(name, "vk", 2) == 0) return read_vkey(file, err);
  if (strncmp(name, "proof", 5) == 0) return g16_gnark_proof_read(file, &proof, err);
  if (strncmp(name, "public", 6) == 0) return g16_gnark_witness_open(file, &witness, err);
  return read_solution(file, err);
}

static int is_refused(const hostile_gnark_case *c) {
  hostile_buffer buffer;
  support_file *file = NULL;
  rp_error error = {0};
  assert_true(hostile_gnark_bytes(c, TEST_DATA_DIR, &buffer));
  uint8_t *exact = malloc(buffer.size ? buffer.size : 1);
  memcpy(exact, buffer.data, buffer.size);
  rp_status status = support_file_wrap(c->name, exact, buffer.size, &file, &error);
  if (status == RP_OK) {
    (void)g16_gnark_kind_of(file); /* any answer is right */
    status = read_file(c->name, file, &error);
  }
  const size_t length = strlen(error.reason);
  const int good = status == c->status && error.status == status && strstr(error.reason, c->says) && length != 0 &&
                   error.reason[length - 1] == '.' && strncmp(error.reason, c->name, strlen(c->name)) == 0;
  if (!good)
    print_error("%s: %s; expected %s, \"%s\": %s\n", c->name, rp_status_name(status), rp_status_name(c->status),
                c->says, error.reason);
  support_file_close(file);
  free(exact);
  free(buffer.data);
  return good;
}

static void names_are_unique(void **state) {
  (void)state;
  assert_true(hostile_gnark_count >= 100);
  for (size_t i = 0; i < hostile_gnark_count; i++)
    for (size_t k = 0; k < i; k++) assert_string_not_equal(hostile_gnark_cases[i].name, hostile_gnark_cases[k].name);
}

static void all_are_refused(void **state) {
  size_t bad = 0;
  (void)state;
  for (size_t i = 0; i < hostile_gnark_count; i++) bad += !is_refused(&hostile_gnark_cases[i]);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_unique), cmocka_unit_test(all_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
