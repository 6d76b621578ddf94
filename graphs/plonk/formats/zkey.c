/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

enum { TAU_MORE = 6 };
enum { FIELDS_BYTES = PLONK_COUNTS_BYTES + 2 * PLONK_SCALAR_BYTES + PLONK_KEY_POINTS * PLONK_POINT_BYTES + 128 };

static const g16_format zkey_format = {
    .magic = "zkey",
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
                     [PLONK_TAU] = "powers of tau"},
};

uint64_t plonk_section_count(const plonk_zkey *zkey, plonk_section id) {
  const uint64_t n = zkey->domain_size, n_public = zkey->vk.n_public;
  switch (id) {
  case PLONK_ADDITIONS: return zkey->n_additions;
  case PLONK_MAP_A:
  case PLONK_MAP_B:
  case PLONK_MAP_C: return zkey->n_constraints;
  case PLONK_QM:
  case PLONK_QL:
  case PLONK_QR:
  case PLONK_QO:
  case PLONK_QC: return PLONK_EXTENDED * n;
  case PLONK_SIGMA: return PLONK_PERMUTATIONS * PLONK_EXTENDED * n;
  case PLONK_LAGRANGE: return (n_public ? n_public : 1) * PLONK_EXTENDED * n;
  case PLONK_TAU: break;
  }
  return n + TAU_MORE;
}

static uint64_t element_bytes(plonk_section id) {
  switch (id) {
  case PLONK_ADDITIONS: return PLONK_ADDITION_BYTES;
  case PLONK_MAP_A:
  case PLONK_MAP_B:
  case PLONK_MAP_C: return 4;
  case PLONK_TAU: return PLONK_POINT_BYTES;
  default: return PLONK_SCALAR_BYTES;
  }
}

static rp_status check_lengths(const plonk_zkey *zkey, rp_error *err) {
  rp_status status = RP_OK;
  for (plonk_section id = PLONK_ADDITIONS; id <= PLONK_TAU && status == RP_OK; id++)
    status = g16_section_expect(&zkey->bin, id, plonk_section_count(zkey, id) * element_bytes(id),
                                "the numbers of the header", err);
  return status;
}

static rp_status take_verification_part(plonk_zkey *zkey, const uint8_t *at, rp_error *err) {
  const g16_family *family = zkey->vk.family;
  const char *name = support_file_name(zkey->bin.file);
  rp_error why = {0};
  rp_status status = plonk_take_scalar(&zkey->bin, "k1", &at, &zkey->vk.k1, err);
  if (status == RP_OK) status = plonk_take_scalar(&zkey->bin, "k2", &at, &zkey->vk.k2, err);
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++)
    status = g16_zkey_point(&zkey->bin, family->g1, plonk_key_point_name[i], plonk_may_be_infinity(i), &at,
                            &zkey->vk.point[i], err);
  if (status == RP_OK) status = g16_zkey_point(&zkey->bin, family->g2, "X_2", 0, &at, &zkey->vk.x_2, err);
  if (status == RP_OK && plonk_vkey_check_shape(name, &zkey->vk, &why) != RP_OK)
    status = support_fail(err, RP_ERR_FORMAT, "%s", why.reason);
  return status;
}

static rp_status read_header(plonk_zkey *zkey, rp_error *err) {
  uint8_t raw[PLONK_LARGEST_PRIMES + FIELDS_BYTES] = {0};
  const uint8_t *at;
  plonk_sizes sizes;
  rp_status status = plonk_header_read(&zkey->bin, "PLONK", FIELDS_BYTES, raw, sizeof raw, &at, &sizes, err);
  if (status == RP_OK) status = plonk_sizes_check(support_file_name(zkey->bin.file), &sizes, 0, err);
  if (status != RP_OK) return status;
  zkey->n_vars = sizes.n_vars;
  zkey->n_additions = sizes.n_additions;
  zkey->n_constraints = sizes.n_constraints;
  zkey->domain_size = sizes.domain_size;
  zkey->vk.family = g16_family_by_g1(RP_CURVE_BN254_G1);
  zkey->vk.n_public = sizes.n_public;
  zkey->vk.log_domain = sizes.log_domain;
  status = check_lengths(zkey, err);
  return status == RP_OK ? take_verification_part(zkey, at, err) : status;
}

rp_status plonk_zkey_open(const support_file *file, plonk_zkey *zkey, rp_error *err) {
  *zkey = (plonk_zkey){0};
  rp_status status = g16_zkey_sections(file, &zkey_format, G16_PROTOCOL_PLONK, &zkey->bin, err);
  return status == RP_OK ? read_header(zkey, err) : status;
}

plonk_array plonk_zkey_array(const plonk_zkey *zkey, plonk_section id) {
  return (plonk_array){&zkey->bin, (uint32_t)id, plonk_section_count(zkey, id)};
}

rp_status plonk_scalars_read(const plonk_zkey *zkey, plonk_section id, uint64_t first, uint64_t n, void *out,
                             rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, id);
  if (id < PLONK_QM || id > PLONK_LAGRANGE)
    return support_fail(err, RP_ERR_ARGUMENT, "Section %d holds no field elements.", (int)id);
  return plonk_array_scalars(&array, first, n, out, err);
}

rp_status plonk_tau_read(const plonk_zkey *zkey, uint64_t first, uint64_t n, bool check_points, void *out,
                         rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, PLONK_TAU);
  return plonk_array_points(&array, check_points, first, n, out, err);
}

rp_status plonk_map_read(const plonk_zkey *zkey, plonk_section id, uint64_t first, uint64_t n, uint32_t *out,
                         rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, id);
  if (id < PLONK_MAP_A || id > PLONK_MAP_C)
    return support_fail(err, RP_ERR_ARGUMENT, "Section %d holds no signals.", (int)id);
  return plonk_array_signals(&array, zkey->n_vars, id == PLONK_MAP_A ? zkey->vk.n_public : 0, first, n, out, err);
}

rp_status plonk_additions_read(const plonk_zkey *zkey, uint64_t first, uint64_t n, plonk_addition *out, rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, PLONK_ADDITIONS);
  return plonk_array_additions(&array, zkey->n_vars, first, n, out, err);
}
