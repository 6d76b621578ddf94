/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The arrays of a key. Of its polynomials only the coefficients are read: their values, of which the file has four
 * times as many, are computed by the device.
 */
#include "key.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>

enum { MAX_PARTS = 256, GRAIN = 1 << 12 };

typedef struct load {
  const plonk_array *array;
  uint64_t offset; /* of the elements in the section */
  bool check_points;
  uint8_t *out;
} load;

static rp_status load_scalars(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const load *l = arg;
  (void)part;
  return plonk_array_scalars(l->array, l->offset + first, n, l->out + first * PLONK_SCALAR_BYTES, err);
}

static rp_status load_points(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const load *l = arg;
  (void)part;
  return plonk_array_points(l->array, l->check_points, first, n, l->out + first * PLONK_POINT_BYTES, err);
}

static rp_status out_of_memory(const plonk_key *key, rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a key of %" PRIu64 " rows.", plonk_key_name(key),
                      key->info.domain);
}

rp_status plonk_load_scalars(plonk_key *key, const plonk_array *array, uint64_t first, uint64_t n, uint64_t zeros,
                             const plonk_fr **out, rp_error *err) {
  plonk_fr *coef = plonk_key_alloc(key, (n + zeros) * sizeof *coef);
  load l = {.array = array, .offset = first, .out = (uint8_t *)coef};
  if (!coef) return out_of_memory(key, err);
  memset(coef + n, 0, zeros * sizeof *coef);
  *out = coef;
  return support_parallel(NULL, support_parts(NULL, n, GRAIN, MAX_PARTS), n, load_scalars, &l, err);
}

rp_status plonk_load_tau(plonk_key *key, const plonk_array *array, uint64_t n_tau, bool check_points, rp_error *err) {
  plonk_g1 *tau = plonk_key_alloc(key, n_tau * sizeof *tau);
  load l = {.array = array, .check_points = check_points, .out = (uint8_t *)tau};
  if (!tau) return out_of_memory(key, err);
  key->tau = tau;
  key->n_tau = n_tau;
  key->tau_section = array->section;
  return support_parallel(NULL, support_parts(NULL, n_tau, GRAIN, MAX_PARTS), n_tau, load_points, &l, err);
}

static bool is_reduced(const plonk_g1 *point) {
  const uint8_t *at = (const uint8_t *)point, *q = rp_field_get(RP_FIELD_BN254_FP)->modulus_le;
  return g16_below(at, q, PLONK_POINT_BYTES / 2) && g16_below(at + PLONK_POINT_BYTES / 2, q, PLONK_POINT_BYTES / 2);
}

rp_status plonk_check_tau(const plonk_key *key, uint64_t power, const char *what, rp_error *err) {
  if (!is_reduced(&key->tau[0]) || !is_reduced(&key->tau[power]))
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: section %" PRIu32 " (powers of tau): a coordinate is not below the prime q.",
                        plonk_key_name(key), key->tau_section);
  if (memcmp(&key->tau[power], &key->tau[0], sizeof key->tau[0]) != 0) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT,
                      "%s: section %" PRIu32 " (powers of tau): point %" PRIu64
                      " is point 0, so that %s is a root of unity of the domain: the proofs of this key would verify, "
                      "and hide nothing.",
                      plonk_key_name(key), key->tau_section, power, what);
}

rp_status plonk_load_maps(plonk_key *key, const plonk_array array[3], uint32_t n_vars, rp_error *err) {
  const uint64_t n = key->info.domain, used = key->info.n_constraints;
  uint32_t *map = plonk_key_alloc(key, 3 * n * sizeof *map);
  if (!map) return out_of_memory(key, err);
  rp_status status = RP_OK;
  memset(map, 0, 3 * n * sizeof *map);
  for (uint32_t w = 0; w < 3 && status == RP_OK; w++) {
    uint32_t *at = map + w * n;
    const uint32_t n_public = w == 0 ? (uint32_t)key->info.n_public : 0;
    status = plonk_array_signals(&array[w], n_vars, n_public, 0, used, at, err);
    for (uint64_t i = 0; i < used && status == RP_OK; i++) at[i] = plonk_place(&key->additions, at[i]);
  }
  key->map = map;
  return status;
}
