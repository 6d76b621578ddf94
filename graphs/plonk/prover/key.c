/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of PLONK from a .zkey, and what their prerecorded files hold.
 */
#include "graph.h"

#include "formats/fail.h"
#include "plonk/common/prerecorded.h"
#include "plonk/formats/zkey.h"

static rp_status open_zkey(plonk_key *key, plonk_zkey_common *zkey, rp_error *err) {
  plonk_zkey read;
  const rp_status status = plonk_zkey_open(key->source, &read, err);
  if (status != RP_OK) return status;
  ((rp_plonk_key *)key)->vk = read.vk;
  key->k1 = read.vk.k1;
  key->k2 = read.vk.k2;
  *zkey = read.common;
  return RP_OK;
}

static rp_status complete(plonk_key *key, rp_error *err) { return plonk_check_tau(key, key->info.domain, "tau", err); }

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
                                   .open_zkey = open_zkey,
                                   .polynomial = {{PLONK_QM, 0},
                                                  {PLONK_QL, 0},
                                                  {PLONK_QR, 0},
                                                  {PLONK_QO, 0},
                                                  {PLONK_QC, 0},
                                                  {PLONK_SIGMA, 0},
                                                  {PLONK_SIGMA, 1},
                                                  {PLONK_SIGMA, 2}},
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
