/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key from a .zkey. Of its polynomials only the coefficients are read: their values, of which the file has four times
 * as many, are computed by the device.
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

static rp_status scalars_part(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const load *l = arg;
  (void)part;
  return plonk_array_scalars(l->array, l->offset + first, n, l->out + first * PLONK_SCALAR_BYTES, err);
}

static rp_status points_part(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const load *l = arg;
  (void)part;
  return plonk_array_points(l->array, l->check_points, first, n, l->out + first * PLONK_POINT_BYTES, err);
}

static rp_status out_of_memory(const plonk_key *key, rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a key of %" PRIu64 " rows.", plonk_key_name(key),
                      key->info.domain);
}

/* n field elements from `first` on, followed by `zeros` zeros. */
static rp_status load_scalars(plonk_key *key, const plonk_array *array, uint64_t first, uint64_t n, uint64_t zeros,
                              const plonk_fr **out, rp_error *err) {
  plonk_fr *coef = plonk_key_alloc(key, (n + zeros) * sizeof *coef);
  load l = {.array = array, .offset = first, .out = (uint8_t *)coef};
  if (!coef) return out_of_memory(key, err);
  memset(coef + n, 0, zeros * sizeof *coef);
  *out = coef;
  return support_parallel(NULL, support_parts(NULL, n, GRAIN, MAX_PARTS), n, scalars_part, &l, err);
}

static rp_status load_polynomials(const plonk_key_kind *kind, plonk_key *key, const plonk_zkey_common *zkey,
                                  rp_error *err) {
  const uint64_t n = zkey->domain_size;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++) {
    const plonk_array array = plonk_zkey_array(zkey, kind->polynomial[i].section);
    const uint64_t first = PLONK_EXTENDED * n * kind->polynomial[i].before;
    status = load_scalars(key, &array, first, n, kind->coef_more, &key->coef[i], err);
  }
  return status;
}

static rp_status load_tau(const plonk_key_kind *kind, plonk_key *key, const plonk_zkey_common *zkey, bool check_points,
                          rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, plonk_tau_section(zkey));
  const uint64_t n_tau = kind->tau_times * (uint64_t)zkey->domain_size + kind->tau_more;
  plonk_g1 *tau = plonk_key_alloc(key, n_tau * sizeof *tau);
  load l = {.array = &array, .check_points = check_points, .out = (uint8_t *)tau};
  if (!tau) return out_of_memory(key, err);
  key->tau = tau;
  key->n_tau = n_tau;
  key->tau_section = array.section;
  return support_parallel(NULL, support_parts(NULL, n_tau, GRAIN, MAX_PARTS), n_tau, points_part, &l, err);
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

/* The maps of the three wires. Rows without a constraint have variable 0; the last `blinded_rows` have the places of
 * blinding values, which are behind all variables. */
static rp_status load_maps(plonk_key *key, const plonk_zkey_common *zkey, uint32_t blinded_rows, rp_error *err) {
  const uint64_t n = zkey->domain_size, used = zkey->n_constraints;
  uint32_t *map = plonk_key_alloc(key, 3 * n * sizeof *map);
  if (!map) return out_of_memory(key, err);
  rp_status status = RP_OK;
  memset(map, 0, 3 * n * sizeof *map);
  for (uint32_t w = 0; w < 3 && status == RP_OK; w++) {
    uint32_t *at = map + w * n, *blinded = at + n - blinded_rows;
    status = plonk_map_read(zkey, PLONK_MAP_A + w, 0, used, at, err);
    for (uint64_t i = 0; i < used && status == RP_OK; i++) at[i] = plonk_place(&key->additions, at[i]);
    for (uint32_t i = 0; i < blinded_rows; i++) blinded[i] = zkey->n_vars + blinded_rows * w + i;
  }
  key->map = map;
  return status;
}

static rp_status load_variables(const plonk_key_kind *kind, plonk_key *key, const plonk_zkey_common *zkey,
                                rp_error *err) {
  const plonk_array additions = plonk_zkey_array(zkey, PLONK_ADDITIONS);
  if (zkey->n_vars > UINT32_MAX - 3 * kind->blinded_rows)
    return support_fail(err, RP_ERR_UNSUPPORTED, "%s: its %" PRIu32 " variables are too many.", plonk_key_name(key),
                        zkey->n_vars);
  const rp_status status = plonk_additions_load(&additions, zkey->n_vars, &key->additions, err);
  return status == RP_OK ? load_maps(key, zkey, kind->blinded_rows, err) : status;
}

rp_status plonk_key_load(const plonk_key_kind *kind, plonk_key *key, bool check_points, rp_error *err) {
  plonk_zkey_common zkey;
  rp_status status = kind->open_zkey(key, &zkey, err);
  if (status != RP_OK) return status;
  support_file_read_ahead(key->source, 1);
  key->family = g16_family_by_g1(RP_CURVE_BN254_G1);
  key->log_domain = zkey.log_domain;
  key->info.g1 = key->family->g1;
  key->info.n_vars = zkey.n_vars - zkey.n_additions;
  key->info.n_public = zkey.n_public;
  key->info.domain = zkey.domain_size;
  key->info.n_constraints = zkey.n_constraints;
  key->info.n_additions = zkey.n_additions;
  status = load_variables(kind, key, &zkey, err);
  if (status == RP_OK) status = load_polynomials(kind, key, &zkey, err);
  if (status == RP_OK) status = load_tau(kind, key, &zkey, check_points, err);
  return status == RP_OK ? kind->complete(key, err) : status;
}
