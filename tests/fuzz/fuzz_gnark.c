/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Files of gnark: every reader accepts the bytes or says why not, and what it accepts is valid. A proof that was read
 * is written as the same bytes.
 */
#include "fuzz.h"

#include "groth16/formats/gnark_pkey.h"
#include "groth16/formats/gnark_proof.h"
#include "groth16/formats/gnark_solution.h"

enum { MOST_POINTS = 1 << 10, MOST_VALUES = 1 << 12 };

static void check_array(const g16_gnark_pkey *key, const g16_gnark_array *array) {
  static uint64_t points[MOST_POINTS * 24];
  const rp_field_host *fq = rp_field_get(key->family->fq);
  rp_error error = {0};
  const uint64_t n = array->n < MOST_POINTS ? array->n : MOST_POINTS;
  const uint32_t bytes = array->g2 ? g16_g2_bytes(key->family) : g16_g1_bytes(key->family);
  if (!fuzz_is_ok(g16_gnark_points_read(key, array, array->n - n, n, 0, points, &error), &error)) return;
  for (uint64_t at = 0; at < n * bytes; at += fq->size_bytes) {
    uint64_t canonical[6], again[6];
    fq->to_canonical(canonical, (uint8_t *)points + at);
    FUZZ_NEED(fq->from_canonical(again, canonical) && fq->equal(again, (uint8_t *)points + at));
  }
}

static void try_pkey(const support_file *file) {
  static uint8_t map[1 << 16];
  g16_gnark_pkey key;
  rp_error error = {0};
  if (!fuzz_is_ok(g16_gnark_pkey_open(file, &key, &error), &error)) return;
  FUZZ_NEED(g16_gnark_is_pkey(file) && key.n_public < key.n_wires);
  for (int i = 0; i < G16_GNARK_ARRAYS; i++) check_array(&key, &key.array[i]);
  for (uint32_t i = 0; i < key.n_commitments; i++) {
    check_array(&key, &key.basis[i]);
    check_array(&key, &key.basis_sigma[i]);
  }
  for (int i = 0; i < 2 && key.n_wires <= sizeof map; i++) {
    error = (rp_error){0};
    (void)fuzz_is_ok(g16_gnark_map_read(&key, i, map, &error), &error);
  }
}

static void try_vkey(const support_file *file) {
  g16_vkey key, copy;
  rp_error error = {0};
  if (!fuzz_is_ok(g16_gnark_vkey_read(file, &key, &error), &error)) return;
  FUZZ_NEED(g16_vkey_copy("copy", &key, &copy, &error) == RP_OK);
  FUZZ_NEED(memcmp(key.ic, copy.ic, g16_vkey_ic_bytes(&key)) == 0);
  for (uint32_t i = 0; i < key.n_commitments; i++)
    for (uint64_t k = 0; k < key.commitment[i].n; k++) {
      const uint64_t index = copy.committed[copy.commitment[i].first + k];
      FUZZ_NEED(index >= 1 && index <= (uint64_t)key.n_public + i);
    }
  g16_vkey_free(&key), g16_vkey_free(&copy);
}

static void try_proof(const uint8_t *data, size_t size) {
  rp_gnark_proof proof, again;
  rp_error error = {0};
  uint8_t text[8192];
  size_t bytes;
  if (!fuzz_is_ok(rp_gnark_proof_from_bytes(data, size, &proof, &error), &error)) return;
  FUZZ_NEED(rp_gnark_proof_to_bytes(&proof, RP_GNARK_RAW, text, sizeof text, &bytes, &error) == RP_OK);
  FUZZ_NEED(rp_gnark_proof_from_bytes(text, bytes, &again, &error) == RP_OK);
  FUZZ_NEED(memcmp(&proof, &again, sizeof proof) == 0);
  if (bytes == size) FUZZ_NEED(memcmp(text, data, size) == 0);
}

static void try_values(const support_file *file, const uint8_t *data, size_t size) {
  static uint8_t values[MOST_VALUES * 32];
  g16_gnark_solution solution;
  rp_error error = {0};
  size_t n;
  (void)fuzz_is_ok(rp_gnark_public_from_bytes(data, size, values, MOST_VALUES, &n, &error), &error);
  error = (rp_error){0};
  if (!fuzz_is_ok(g16_gnark_solution_open(file, &solution, &error), &error)) return;
  for (int v = 0; v < G16_GNARK_VECTORS; v++) {
    const g16_family *family = g16_family_by_g1(v % 2 ? RP_CURVE_BLS12_381_G1 : RP_CURVE_BN254_G1);
    error = (rp_error){0};
    if (solution.n[v] <= MOST_VALUES)
      (void)fuzz_is_ok(
          g16_gnark_solution_read(&solution, family, (g16_gnark_vector)v, 0, solution.n[v], NULL, values, &error),
          &error);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  support_file *file;
  rp_error error = {0};
  if (!fuzz_is_ok(support_file_wrap("file", data, size, &file, &error), &error)) return 0;
  switch (g16_gnark_kind_of(file)) {
  case G16_GNARK_NONE:
  case G16_GNARK_PKEY:
  case G16_GNARK_VKEY:
  case G16_GNARK_PROOF:
  case G16_GNARK_WITNESS:
  case G16_GNARK_SOLUTION: break;
  }
  try_pkey(file);
  try_vkey(file);
  try_proof(data, size);
  try_values(file, data, size);
  support_file_close(file);
  return 0;
}
