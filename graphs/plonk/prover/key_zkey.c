/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key from a .zkey. Of its polynomials only the coefficients are read: their values, of which the file has four times
 * as many, are computed by the device.
 */
#include "key.h"

#include "formats/fail.h"
#include "formats/parallel.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_PARTS = 256, GRAIN = 1 << 12, EXTENDED = 5 };

typedef struct load {
  const plonk_zkey *zkey;
  plonk_section id;
  uint64_t offset; /* of the elements in the section */
  int check_points;
  uint8_t *out;
} load;

static rp_status load_scalars(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const load *l = arg;
  (void)part;
  return plonk_scalars_read(l->zkey, l->id, l->offset + first, n, l->out + first * PLONK_SCALAR_BYTES, err);
}

static rp_status load_points(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const load *l = arg;
  (void)part;
  return plonk_tau_read(l->zkey, first, n, l->check_points, l->out + first * PLONK_POINT_BYTES, err);
}

static rp_status out_of_memory(const plonk_zkey *zkey, rp_error *err) {
  return graphs_fail(err, RP_ERR_MEMORY, "%s: out of memory for a key of %" PRIu32 " rows.",
                     g16_file_name(zkey->bin.file), zkey->domain_size);
}

static rp_status load_polynomial(rp_plonk_key *key, const plonk_zkey *zkey, int which, rp_error *err) {
  const uint64_t n = zkey->domain_size;
  const int sigma = which - PLONK_SELECTORS;
  plonk_fr *coef = plonk_key_alloc(key, (n + PLONK_TAU_MORE) * sizeof *coef);
  if (!coef) return out_of_memory(zkey, err);
  load l = {.zkey = zkey,
            .id = sigma < 0 ? (plonk_section)(PLONK_QM + which) : PLONK_SIGMA,
            .offset = sigma < 0 ? 0 : EXTENDED * n * (uint64_t)sigma,
            .out = (uint8_t *)coef};
  memset(coef + n, 0, PLONK_TAU_MORE * sizeof *coef);
  key->coef[which] = coef;
  return g16_parallel(NULL, g16_parts(NULL, n, GRAIN, MAX_PARTS), n, load_scalars, &l, err);
}

static rp_status load_tau(rp_plonk_key *key, const plonk_zkey *zkey, int check_points, rp_error *err) {
  const uint64_t n = zkey->domain_size, points = n + PLONK_TAU_MORE;
  plonk_g1 *tau = plonk_key_alloc(key, points * sizeof *tau);
  if (!tau) return out_of_memory(zkey, err);
  load l = {.zkey = zkey, .check_points = check_points, .out = (uint8_t *)tau};
  key->tau = tau;
  rp_status status = g16_parallel(NULL, g16_parts(NULL, points, GRAIN, MAX_PARTS), points, load_points, &l, err);
  if (status == RP_OK && memcmp(&tau[n], &tau[0], sizeof tau[0]) == 0)
    status = graphs_fail(err, RP_ERR_FORMAT,
                         "%s: section %d (powers of tau): point %" PRIu64
                         " is point 0, so that tau is a root of unity of the domain: the proofs of this key would "
                         "verify, and hide nothing.",
                         g16_file_name(zkey->bin.file), (int)PLONK_TAU, n);
  return status;
}

/* The places of the wires, for all rows of the domain. */
static rp_status load_maps(rp_plonk_key *key, const plonk_zkey *zkey, rp_error *err) {
  const uint64_t n = zkey->domain_size, used = zkey->n_constraints;
  uint32_t *map = plonk_key_alloc(key, 3 * n * sizeof *map);
  if (!map) return out_of_memory(zkey, err);
  rp_status status = RP_OK;
  memset(map, 0, 3 * n * sizeof *map);
  for (uint32_t w = 0; w < 3 && status == RP_OK; w++) {
    uint32_t *at = map + w * n;
    status = plonk_map_read(zkey, (plonk_section)(PLONK_MAP_A + w), 0, used, at, err);
    for (uint64_t i = 0; i < used && status == RP_OK; i++) at[i] = plonk_place(&key->additions, at[i]);
  }
  key->map = map;
  return status;
}

rp_status plonk_key_load(rp_plonk_key *key, int check_points, rp_error *err) {
  plonk_zkey zkey;
  rp_status status = plonk_zkey_open(key->source, &zkey, err);
  if (status != RP_OK) return status;
  g16_file_read_ahead(key->source, 1);
  key->vk = zkey.vk;
  key->info.g1 = zkey.vk.family->g1;
  key->info.n_vars = zkey.n_vars - zkey.n_additions;
  key->info.n_public = zkey.vk.n_public;
  key->info.domain = zkey.domain_size;
  key->info.n_constraints = zkey.n_constraints;
  key->info.n_additions = zkey.n_additions;
  status = plonk_additions_load(&zkey, &key->additions, err);
  if (status == RP_OK) status = load_maps(key, &zkey, err);
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++) status = load_polynomial(key, &zkey, i, err);
  if (status == RP_OK) status = load_tau(key, &zkey, check_points, err);
  atomic_store(&key->points_checked, status == RP_OK && check_points);
  return status;
}
