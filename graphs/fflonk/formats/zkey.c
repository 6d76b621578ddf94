/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

#include <string.h>

enum { BLINDED_ROWS = 2, TAU_TIMES = 9, TAU_MORE = 18, C0_TIMES = 8 };
enum { ROOTS = 4, FIELDS_BYTES = PLONK_COUNTS_BYTES + (2 + ROOTS) * PLONK_SCALAR_BYTES + 128 + PLONK_POINT_BYTES };

static const plonk_zkey_kind kind = {
    .name = "FFLONK",
    .protocol = G16_PROTOCOL_FFLONK,
    .fields_bytes = FIELDS_BYTES,
    .blinded_rows = BLINDED_ROWS,
    .format = {.magic = "zkey",
               .version = 1,
               .section_name = {[G16_ZKEY_PROTOCOL] = "protocol",
                                [G16_ZKEY_HEADER] = "header",
                                [PLONK_ADDITIONS] = "additions",
                                [PLONK_MAP_A] = "A map",
                                [PLONK_MAP_B] = "B map",
                                [PLONK_MAP_C] = "C map",
                                [FFLONK_SECTION_QL] = "QL",
                                [FFLONK_SECTION_QR] = "QR",
                                [FFLONK_SECTION_QM] = "QM",
                                [FFLONK_SECTION_QO] = "QO",
                                [FFLONK_SECTION_QC] = "QC",
                                [FFLONK_SIGMA_1] = "sigma 1",
                                [FFLONK_SIGMA_2] = "sigma 2",
                                [FFLONK_SIGMA_3] = "sigma 3",
                                [FFLONK_LAGRANGE] = "Lagrange polynomials",
                                [FFLONK_TAU] = "powers of tau",
                                [FFLONK_SECTION_C0] = "C0"}},
    .section = {[PLONK_ADDITIONS] = {.content = PLONK_HOLDS_ADDITIONS},
                [PLONK_MAP_A] = {.content = PLONK_HOLDS_SIGNALS},
                [PLONK_MAP_B] = {.content = PLONK_HOLDS_SIGNALS},
                [PLONK_MAP_C] = {.content = PLONK_HOLDS_SIGNALS},
                [FFLONK_SECTION_QL] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SECTION_QR] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SECTION_QM] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SECTION_QO] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SECTION_QC] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SIGMA_1] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SIGMA_2] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_SIGMA_3] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED},
                [FFLONK_LAGRANGE] = {.content = PLONK_HOLDS_SCALARS, .times = PLONK_EXTENDED, .each_public = true},
                [FFLONK_TAU] = {.content = PLONK_HOLDS_POINTS, .times = TAU_TIMES, .more = TAU_MORE},
                [FFLONK_SECTION_C0] = {.content = PLONK_HOLDS_SCALARS, .times = C0_TIMES}},
};
_Static_assert(FIELDS_BYTES <= (int)PLONK_MOST_FIELDS_BYTES, "the header has room");

/* A root of unity, of which only the one that snarkjs takes is accepted. */
static rp_status take_root(const fflonk_zkey *zkey, const char *what, uint32_t log_n, const uint8_t **at,
                           rp_error *err) {
  const rp_field_host *fr = rp_field_get(zkey->vk.family->fr);
  plonk_fr found, expected;
  rp_status status = plonk_take_scalar(&zkey->common.bin, what, at, &found, err);
  if (status != RP_OK) return status;
  (void)fr->root(&expected, RP_ROOT_SNARKJS, log_n);
  if (fr->equal(&found, &expected)) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT, "%s: header: %s is not the root of unity that snarkjs takes.",
                      support_file_name(zkey->common.bin.file), what);
}

static rp_status take_verification_part(fflonk_zkey *zkey, const uint8_t *at, rp_error *err) {
  const g16_binfile *bin = &zkey->common.bin;
  fflonk_vkey *vk = &zkey->vk;
  rp_error why = {0};
  rp_status status = plonk_take_scalar(bin, "k1", &at, &vk->k1, err);
  if (status == RP_OK) status = plonk_take_scalar(bin, "k2", &at, &vk->k2, err);
  if (status == RP_OK) status = plonk_take_scalar(bin, "w3", &at, &vk->w3, err);
  if (status == RP_OK) status = take_root(zkey, "w4", FFLONK_LOG_W4, &at, err);
  if (status == RP_OK) status = take_root(zkey, "w8", FFLONK_LOG_W8, &at, err);
  if (status == RP_OK) status = plonk_take_scalar(bin, "wr", &at, &vk->wr, err);
  if (status == RP_OK) status = g16_zkey_point(bin, vk->family->g2, "X_2", 0, &at, &vk->x_2, err);
  if (status == RP_OK) status = g16_zkey_point(bin, vk->family->g1, "C0", 0, &at, &vk->c0, err);
  if (status == RP_OK && fflonk_vkey_check_shape(support_file_name(bin->file), vk, &why) != RP_OK)
    status = support_fail(err, RP_ERR_FORMAT, "%s", why.reason);
  return status;
}

rp_status fflonk_zkey_open(const support_file *file, fflonk_zkey *zkey, rp_error *err) {
  uint8_t raw[PLONK_HEADER_ROOM] = {0};
  const uint8_t *at = raw;
  *zkey = (fflonk_zkey){0};
  const rp_status status = plonk_zkey_begin(&kind, file, &zkey->common, raw, &at, err);
  if (status != RP_OK) return status;
  zkey->vk.family = g16_family_by_g1(RP_CURVE_BN254_G1);
  zkey->vk.n_public = zkey->common.n_public;
  zkey->vk.log_domain = zkey->common.log_domain;
  return take_verification_part(zkey, at, err);
}
