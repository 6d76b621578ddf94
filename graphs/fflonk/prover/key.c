/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of FFLONK from a .zkey, and what their prerecorded files hold.
 */
#include "graph.h"

#include "fflonk/formats/zkey.h"
#include "formats/fail.h"
#include "plonk/common/prerecorded.h"

#include <inttypes.h>

static rp_status load_polynomials(plonk_key *key, const fflonk_zkey *zkey, rp_error *err) {
  static const fflonk_section section[PLONK_KEY_POINTS] = {FFLONK_SECTION_QL, FFLONK_SECTION_QR, FFLONK_SECTION_QO,
                                                           FFLONK_SECTION_QM, FFLONK_SECTION_QC, FFLONK_SIGMA_1,
                                                           FFLONK_SIGMA_2,    FFLONK_SIGMA_3};
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++) {
    const plonk_array array = plonk_zkey_array(&zkey->common, section[i]);
    status = plonk_load_scalars(key, &array, 0, zkey->common.domain_size, 0, &key->coef[i], err);
  }
  return status;
}

static rp_status load_tau(plonk_key *key, const fflonk_zkey *zkey, bool check_points, rp_error *err) {
  const plonk_array array = plonk_zkey_array(&zkey->common, FFLONK_TAU);
  return plonk_load_tau(key, &array, (uint64_t)FFLONK_TAU_TIMES * zkey->common.domain_size, check_points, err);
}

static rp_status load_combine(plonk_key *key, rp_error *err) {
  const uint64_t n = key->info.domain;
  for (uint32_t i = 0; i < FFLONK_COMBINED; i++) {
    uint32_t *places = plonk_key_alloc(key, FFLONK_TAU_TIMES * n * sizeof *places);
    if (!places)
      return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a key of %" PRIu64 " rows.", plonk_key_name(key),
                          n);
    fflonk_combine_places(i, n, places);
    ((rp_fflonk_key *)key)->combine[i] = places;
  }
  return RP_OK;
}

/* What blinds the wires vanishes on the domain but for two points, and what blinds z on all of it; the commitments are
 * to their values at tau^4 and at tau^3. */
static rp_status complete(plonk_key *key, rp_error *err) {
  const uint64_t n = key->info.domain;
  rp_status status = plonk_check_tau(key, 3 * n, "tau^3", err);
  if (status == RP_OK) status = plonk_check_tau(key, 4 * n, "tau^4", err);
  return status == RP_OK ? load_combine(key, err) : status;
}

/* The map that plonk_load_maps has allocated. */
static uint32_t *map_of(plonk_key *key) { return (uint32_t *)(uintptr_t)key->map; }

/* With the places of the blinding values in the last rows. */
static rp_status load_variables(plonk_key *key, const fflonk_zkey *zkey, rp_error *err) {
  enum { EXTRA = 3 * FFLONK_BLINDED_ROWS };
  const plonk_array additions = plonk_zkey_array(&zkey->common, PLONK_ADDITIONS);
  const uint64_t n = zkey->common.domain_size;
  plonk_array map[3];
  if (zkey->common.n_vars > UINT32_MAX - EXTRA)
    return support_fail(err, RP_ERR_UNSUPPORTED, "%s: its %" PRIu32 " variables are too many.", plonk_key_name(key),
                        zkey->common.n_vars);
  for (uint32_t w = 0; w < 3; w++) map[w] = plonk_zkey_array(&zkey->common, PLONK_MAP_A + w);
  rp_status status = plonk_additions_load(&additions, zkey->common.n_vars, &key->additions, err);
  if (status == RP_OK) status = plonk_load_maps(key, map, zkey->common.n_vars, err);
  for (uint32_t w = 0; w < 3 && status == RP_OK; w++) {
    uint32_t *blinded = map_of(key) + (w + 1) * n - FFLONK_BLINDED_ROWS;
    for (uint32_t i = 0; i < FFLONK_BLINDED_ROWS; i++) blinded[i] = zkey->common.n_vars + FFLONK_BLINDED_ROWS * w + i;
  }
  return status;
}

static rp_status load(plonk_key *key, bool check_points, rp_error *err) {
  fflonk_zkey zkey;
  rp_status status = fflonk_zkey_open(key->source, &zkey, err);
  if (status != RP_OK) return status;
  support_file_read_ahead(key->source, 1);
  ((rp_fflonk_key *)key)->vk = zkey.vk;
  key->family = zkey.vk.family;
  key->log_domain = zkey.vk.log_domain;
  key->k1 = zkey.vk.k1;
  key->k2 = zkey.vk.k2;
  key->info.g1 = zkey.vk.family->g1;
  key->info.n_vars = zkey.common.n_vars - zkey.common.n_additions;
  key->info.n_public = zkey.vk.n_public;
  key->info.domain = zkey.common.domain_size;
  key->info.n_constraints = zkey.common.n_constraints;
  key->info.n_additions = zkey.common.n_additions;
  status = load_variables(key, &zkey, err);
  if (status == RP_OK) status = load_polynomials(key, &zkey, err);
  if (status == RP_OK) status = load_tau(key, &zkey, check_points, err);
  return status == RP_OK ? complete(key, err) : status;
}

/* ---- The verification part in a prerecorded file: k1, k2, w3, wr, C0, X_2 ---------------------------------------- */

enum { VK_G2_BYTES = 128, VK_SCALARS = 4, VK_COORDINATES = 2 + 4 };
enum { VK_BYTES = VK_SCALARS * PLONK_SCALAR_BYTES + PLONK_POINT_BYTES + VK_G2_BYTES };
_Static_assert(VK_BYTES <= (int)PLONK_FILE_VK_MOST, "it has room");

static void pack_vk(const plonk_key *key, uint8_t *out) {
  const fflonk_vkey *vk = &((const rp_fflonk_key *)key)->vk;
  const plonk_fr *const scalar[VK_SCALARS] = {&vk->k1, &vk->k2, &vk->w3, &vk->wr};
  for (int i = 0; i < VK_SCALARS; i++, out += PLONK_SCALAR_BYTES) memcpy(out, scalar[i], PLONK_SCALAR_BYTES);
  memcpy(out, &vk->c0, PLONK_POINT_BYTES);
  memcpy(out + PLONK_POINT_BYTES, &vk->x_2, VK_G2_BYTES);
}

static rp_status unpack_vk(plonk_key *key, const uint8_t *in, rp_error *err) {
  fflonk_vkey *vk = &((rp_fflonk_key *)key)->vk;
  plonk_fr *const scalar[VK_SCALARS] = {&vk->k1, &vk->k2, &vk->w3, &vk->wr};
  rp_error why = {0};
  const rp_status status = plonk_prerecorded_reduced(key, in, VK_SCALARS, VK_COORDINATES, err);
  if (status != RP_OK) return status;
  *vk = (fflonk_vkey){.family = key->family, .n_public = (uint32_t)key->info.n_public, .log_domain = key->log_domain};
  for (int i = 0; i < VK_SCALARS; i++, in += PLONK_SCALAR_BYTES) memcpy(scalar[i], in, PLONK_SCALAR_BYTES);
  memcpy(&vk->c0, in, PLONK_POINT_BYTES);
  memcpy(&vk->x_2, in + PLONK_POINT_BYTES, VK_G2_BYTES);
  key->k1 = vk->k1;
  key->k2 = vk->k2;
  if (fflonk_vkey_check(plonk_key_name(key), vk, &why) == RP_OK) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT, "%s", why.reason);
}

const plonk_key_kind fflonk_kind = {.call = "rp_fflonk_key_open",
                                    .call_memory = "rp_fflonk_key_open_memory",
                                    .bytes = sizeof(rp_fflonk_key),
                                    .load = load,
                                    .name = "FFLONK",
                                    .protocol = G16_PROTOCOL_FFLONK,
                                    .tau_times = FFLONK_TAU_TIMES,
                                    .blinded_rows = FFLONK_BLINDED_ROWS,
                                    .vk_bytes = VK_BYTES,
                                    .pack_vk = pack_vk,
                                    .unpack_vk = unpack_vk,
                                    .complete = complete};

/* ---- The public interface ---------------------------------------------------------------------------------------- */

rp_status rp_fflonk_key_open(rp_context *context, const char *path, const rp_fflonk_key_options *options,
                             rp_fflonk_key **key, rp_error *err) {
  plonk_key *made = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_key_open: key is NULL.");
  const rp_status status = plonk_key_open(&fflonk_kind, context, path, options, &made, err);
  *key = (rp_fflonk_key *)made;
  return status;
}

rp_status rp_fflonk_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                    const rp_fflonk_key_options *options, rp_fflonk_key **key, rp_error *err) {
  plonk_key *made = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_key_open_memory: key is NULL.");
  const rp_status status = plonk_key_open_memory(&fflonk_kind, context, data, bytes, options, &made, err);
  *key = (rp_fflonk_key *)made;
  return status;
}

void rp_fflonk_key_close(rp_fflonk_key *key) { plonk_key_close((plonk_key *)key); }

void rp_fflonk_key_get_info(const rp_fflonk_key *key, rp_fflonk_key_info *info) {
  plonk_key_get_info((const plonk_key *)key, info);
}

rp_status rp_fflonk_key_check_points(rp_fflonk_key *key, rp_error *err) {
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_key_check_points: no key.");
  return plonk_key_check_points(&key->common, err);
}

rp_status rp_fflonk_key_matches(const rp_fflonk_key *key, const char *zkey_path, rp_error *err) {
  return plonk_key_matches(&fflonk_kind, "rp_fflonk_key_matches", (const plonk_key *)key, zkey_path, err);
}
