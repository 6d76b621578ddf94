/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of PLONK from a .zkey, and what their prerecorded files hold.
 */
#include "graph.h"

#include "formats/fail.h"
#include "plonk/common/prerecorded.h"
#include "plonk/formats/zkey.h"

static rp_status load_polynomials(plonk_key *key, const plonk_zkey *zkey, rp_error *err) {
  const uint64_t n = zkey->common.domain_size;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++) {
    const bool selector = i < PLONK_SELECTORS;
    const plonk_array array = plonk_zkey_array(&zkey->common, selector ? (plonk_section)(PLONK_QM + i) : PLONK_SIGMA);
    const uint64_t first = selector ? 0 : PLONK_EXTENDED * n * (i - PLONK_SELECTORS);
    status = plonk_load_scalars(key, &array, first, n, PLONK_TAU_MORE, &key->coef[i], err);
  }
  return status;
}

static rp_status complete(plonk_key *key, rp_error *err) { return plonk_check_tau(key, key->info.domain, "tau", err); }

static rp_status load_tau(plonk_key *key, const plonk_zkey *zkey, bool check_points, rp_error *err) {
  const plonk_array array = plonk_zkey_array(&zkey->common, PLONK_TAU);
  const rp_status status = plonk_load_tau(key, &array, array.count, check_points, err);
  return status == RP_OK ? complete(key, err) : status;
}

static rp_status load_variables(plonk_key *key, const plonk_zkey *zkey, rp_error *err) {
  const plonk_array additions = plonk_zkey_array(&zkey->common, PLONK_ADDITIONS);
  plonk_array map[3];
  for (uint32_t w = 0; w < 3; w++) map[w] = plonk_zkey_array(&zkey->common, PLONK_MAP_A + w);
  const rp_status status = plonk_additions_load(&additions, zkey->common.n_vars, &key->additions, err);
  return status == RP_OK ? plonk_load_maps(key, map, zkey->common.n_vars, err) : status;
}

static rp_status load(plonk_key *key, bool check_points, rp_error *err) {
  plonk_zkey zkey;
  rp_status status = plonk_zkey_open(key->source, &zkey, err);
  if (status != RP_OK) return status;
  support_file_read_ahead(key->source, 1);
  ((rp_plonk_key *)key)->vk = zkey.vk;
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
  return status == RP_OK ? load_tau(key, &zkey, check_points, err) : status;
}

/* ---- The verification part in a prerecorded file: k1, k2, the commitments, X_2 ----------------------------------- */

enum { VK_G2_BYTES = 128, VK_SCALARS = 2, VK_COORDINATES = 2 * PLONK_KEY_POINTS + 4 };
enum { VK_BYTES = VK_SCALARS * PLONK_SCALAR_BYTES + PLONK_KEY_POINTS * PLONK_POINT_BYTES + VK_G2_BYTES };
_Static_assert(VK_BYTES <= (int)PLONK_FILE_VK_MOST, "it has room");

static void pack_vk(const plonk_key *key, uint8_t *out) {
  const plonk_vkey *vk = &((const rp_plonk_key *)key)->vk;
  memcpy(out, &vk->k1, PLONK_SCALAR_BYTES);
  memcpy(out + PLONK_SCALAR_BYTES, &vk->k2, PLONK_SCALAR_BYTES);
  memcpy(out + 2 * PLONK_SCALAR_BYTES, vk->point, sizeof vk->point);
  memcpy(out + 2 * PLONK_SCALAR_BYTES + sizeof vk->point, &vk->x_2, VK_G2_BYTES);
}

static rp_status unpack_vk(plonk_key *key, const uint8_t *in, rp_error *err) {
  plonk_vkey *vk = &((rp_plonk_key *)key)->vk;
  rp_error why = {0};
  const rp_status status = plonk_prerecorded_reduced(key, in, VK_SCALARS, VK_COORDINATES, err);
  if (status != RP_OK) return status;
  *vk = (plonk_vkey){.family = key->family, .n_public = (uint32_t)key->info.n_public, .log_domain = key->log_domain};
  memcpy(&vk->k1, in, PLONK_SCALAR_BYTES);
  memcpy(&vk->k2, in + PLONK_SCALAR_BYTES, PLONK_SCALAR_BYTES);
  memcpy(vk->point, in + 2 * PLONK_SCALAR_BYTES, sizeof vk->point);
  memcpy(&vk->x_2, in + 2 * PLONK_SCALAR_BYTES + sizeof vk->point, VK_G2_BYTES);
  key->k1 = vk->k1;
  key->k2 = vk->k2;
  if (plonk_vkey_check(plonk_key_name(key), vk, &why) == RP_OK) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT, "%s", why.reason);
}

const plonk_key_kind plonk_kind = {.call = "rp_plonk_key_open",
                                   .call_memory = "rp_plonk_key_open_memory",
                                   .bytes = sizeof(rp_plonk_key),
                                   .load = load,
                                   .name = "PLONK",
                                   .protocol = G16_PROTOCOL_PLONK,
                                   .coef_more = PLONK_TAU_MORE,
                                   .tau_times = 1,
                                   .tau_more = PLONK_TAU_MORE,
                                   .vk_bytes = VK_BYTES,
                                   .pack_vk = pack_vk,
                                   .unpack_vk = unpack_vk,
                                   .complete = complete};

/* ---- The public interface ---------------------------------------------------------------------------------------- */

rp_status rp_plonk_key_open(rp_context *context, const char *path, const rp_plonk_key_options *options,
                            rp_plonk_key **key, rp_error *err) {
  plonk_key *made = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_key_open: key is NULL.");
  const rp_status status = plonk_key_open(&plonk_kind, context, path, options, &made, err);
  *key = (rp_plonk_key *)made;
  return status;
}

rp_status rp_plonk_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                   const rp_plonk_key_options *options, rp_plonk_key **key, rp_error *err) {
  plonk_key *made = NULL;
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_key_open_memory: key is NULL.");
  const rp_status status = plonk_key_open_memory(&plonk_kind, context, data, bytes, options, &made, err);
  *key = (rp_plonk_key *)made;
  return status;
}

void rp_plonk_key_close(rp_plonk_key *key) { plonk_key_close((plonk_key *)key); }

void rp_plonk_key_get_info(const rp_plonk_key *key, rp_plonk_key_info *info) {
  plonk_key_get_info((const plonk_key *)key, info);
}

rp_status rp_plonk_key_check_points(rp_plonk_key *key, rp_error *err) {
  if (!key) return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_key_check_points: no key.");
  return plonk_key_check_points(&key->common, err);
}

rp_status rp_plonk_key_matches(const rp_plonk_key *key, const char *zkey_path, rp_error *err) {
  return plonk_key_matches(&plonk_kind, "rp_plonk_key_matches", (const plonk_key *)key, zkey_path, err);
}
