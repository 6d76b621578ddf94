/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

enum { TAU_MORE = 6 };
enum { FIELDS_BYTES = PLONK_COUNTS_BYTES + 2 * PLONK_SCALAR_BYTES + PLONK_KEY_POINTS * PLONK_POINT_BYTES + 128 };

static const plonk_zkey_kind kind = {
    .name = "PLONK",
    .protocol = G16_PROTOCOL_PLONK,
    .fields_bytes = FIELDS_BYTES,
    .format = {.magic = "zkey",
               .version = 1,
               .section_name = {[G16_ZKEY_PROTOCOL] = "protocol",
                                [G16_ZKEY_HEADER] = "header",
                                [PLONK_ADDITIONS] = "additions",
                                [PLONK_MAP_A] = "A map",
                                [PLONK_MAP_B] = "B map",
                                [PLONK_MAP_C] = "C map",
                                [PLONK_QM] = "Qm",
                                [PLONK_QL] = "Ql",
                                [PLONK_QR] = "Qr",
                                [PLONK_QO] = "Qo",
                                [PLONK_QC] = "Qc",
                                [PLONK_SIGMA] = "sigma",
                                [PLONK_LAGRANGE] = "Lagrange polynomials",
                                [PLONK_TAU] = "powers of tau"}},
    .section = {[PLONK_ADDITIONS] = {.content = PLONK_HOLDS_ADDITIONS},
                [PLONK_MAP_A] = {.content = PLONK_HOLDS_SIGNALS},
                [PLONK_MAP_B] = {.content = PLONK_HOLDS_SIGNALS},
                [PLONK_MAP_C] = {.content = PLONK_HOLDS_SIGNALS},
                [PLONK_QM] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [PLONK_QL] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [PLONK_QR] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [PLONK_QO] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [PLONK_QC] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [PLONK_SIGMA] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_PERMUTATIONS * PLONK_EXTENDED},
                [PLONK_LAGRANGE] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED, .each_public = true},
                [PLONK_TAU] = {.content = PLONK_HOLDS_POINTS, .times = 1, .more = TAU_MORE}},
};
_Static_assert(FIELDS_BYTES <= (int)PLONK_MOST_FIELDS_BYTES, "the header has room");

static rp_status take_verification_part(plonk_zkey *zkey, const uint8_t *at, rp_error *err) {
  const g16_family *family = zkey->vk.family;
  const char *name = support_file_name(zkey->common.bin.file);
  rp_error why = {0};
  rp_status status = plonk_take_scalar(&zkey->common.bin, "k1", &at, &zkey->vk.k1, err);
  if (status == RP_OK) status = plonk_take_scalar(&zkey->common.bin, "k2", &at, &zkey->vk.k2, err);
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++)
    status = g16_zkey_point(&zkey->common.bin, family->g1, plonk_key_point_name[i], plonk_may_be_infinity(i), &at,
                            &zkey->vk.point[i], err);
  if (status == RP_OK) status = g16_zkey_point(&zkey->common.bin, family->g2, "X_2", 0, &at, &zkey->vk.x_2, err);
  if (status == RP_OK && plonk_vkey_check_shape(name, &zkey->vk, &why) != RP_OK)
    status = support_fail(err, RP_ERR_FORMAT, "%s", why.reason);
  return status;
}

rp_status plonk_zkey_open(const support_file *file, plonk_zkey *zkey, rp_error *err) {
  uint8_t raw[PLONK_HEADER_ROOM] = {0};
  const uint8_t *at = raw;
  *zkey = (plonk_zkey){0};
  const rp_status status = plonk_zkey_begin(&kind, file, &zkey->common, raw, &at, err);
  if (status != RP_OK) return status;
  zkey->vk.family = g16_family_by_g1(RP_CURVE_BN254_G1);
  zkey->vk.n_public = zkey->common.n_public;
  zkey->vk.log_domain = zkey->common.log_domain;
  return take_verification_part(zkey, at, err);
}
