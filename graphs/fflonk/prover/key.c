/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of FFLONK from a .zkey, and what their prerecorded files hold.
 */
#include "graph.h"

#include "fflonk/formats/zkey.h"
#include "formats/fail.h"
#include "plonk/common/prerecorded.h"

#include <inttypes.h>

static rp_status open_zkey(plonk_key *key, plonk_zkey_common *zkey, rp_error *err) {
  fflonk_zkey read;
  const rp_status status = fflonk_zkey_open(key->source, &read, err);
  if (status != RP_OK) return status;
  ((rp_fflonk_key *)key)->vk = read.vk;
  key->k1 = read.vk.k1;
  key->k2 = read.vk.k2;
  *zkey = read.common;
  return RP_OK;
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
                                    .open_zkey = open_zkey,
                                    .polynomial = {{FFLONK_SECTION_QL, 0},
                                                   {FFLONK_SECTION_QR, 0},
                                                   {FFLONK_SECTION_QO, 0},
                                                   {FFLONK_SECTION_QM, 0},
                                                   {FFLONK_SECTION_QC, 0},
                                                   {FFLONK_SIGMA_1, 0},
                                                   {FFLONK_SIGMA_2, 0},
                                                   {FFLONK_SIGMA_3, 0}},
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
