/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

#include <string.h>

enum { BLINDED_ROWS = 2, TAU_TIMES = 9, TAU_MORE = 18, C0_TIMES = 8 };
enum { ROOTS = 4, FIELDS_BYTES = PLONK_COUNTS_BYTES + (2 + ROOTS) * PLONK_SCALAR_BYTES + 128 + PLONK_POINT_BYTES };

static const g16_format zkey_format = {
    .magic = "zkey",
    .version = 1,
    .section_name = {[G16_ZKEY_PROTOCOL] = "protocol",
                     [G16_ZKEY_HEADER] = "header",
                     [FFLONK_ADDITIONS] = "additions",
                     [FFLONK_MAP_A] = "A map",
                     [FFLONK_MAP_B] = "B map",
                     [FFLONK_MAP_C] = "C map",
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
                     [FFLONK_SECTION_C0] = "C0"},
};

uint64_t fflonk_section_count(const fflonk_zkey *zkey, fflonk_section id) {
  const uint64_t n = zkey->domain_size, n_public = zkey->vk.n_public;
  switch (id) {
  case FFLONK_ADDITIONS: return zkey->n_additions;
  case FFLONK_MAP_A:
  case FFLONK_MAP_B:
  case FFLONK_MAP_C: return zkey->n_constraints;
  case FFLONK_LAGRANGE: return (n_public ? n_public : 1) * PLONK_EXTENDED * n;
  case FFLONK_TAU: return TAU_TIMES * n + TAU_MORE;
  case FFLONK_SECTION_C0: return C0_TIMES * n;
  default: return PLONK_EXTENDED * n;
  }
}

static uint64_t element_bytes(fflonk_section id) {
  switch (id) {
  case FFLONK_ADDITIONS: return PLONK_ADDITION_BYTES;
  case FFLONK_MAP_A:
  case FFLONK_MAP_B:
  case FFLONK_MAP_C: return 4;
  case FFLONK_TAU: return PLONK_POINT_BYTES;
  default: return PLONK_SCALAR_BYTES;
  }
}

static rp_status check_lengths(const fflonk_zkey *zkey, rp_error *err) {
  rp_status status = RP_OK;
  for (fflonk_section id = FFLONK_ADDITIONS; id <= FFLONK_SECTION_C0 && status == RP_OK; id++)
    status = g16_section_expect(&zkey->bin, id, fflonk_section_count(zkey, id) * element_bytes(id),
                                "the numbers of the header", err);
  return status;
}

/* A root of unity that snarkjs takes in one way only. */
static rp_status take_root(const fflonk_zkey *zkey, const char *what, uint32_t log_n, const uint8_t **at,
                           rp_error *err) {
  const rp_field_host *fr = rp_field_get(zkey->vk.family->fr);
  plonk_fr found, expected;
  rp_status status = plonk_take_scalar(&zkey->bin, what, at, &found, err);
  if (status != RP_OK) return status;
  (void)fr->root(&expected, RP_ROOT_SNARKJS, log_n);
  if (fr->equal(&found, &expected)) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT, "%s: header: %s is not the root of unity that snarkjs takes.",
                      support_file_name(zkey->bin.file), what);
}

static rp_status take_verification_part(fflonk_zkey *zkey, const uint8_t *at, rp_error *err) {
  const g16_binfile *bin = &zkey->bin;
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

static rp_status read_header(fflonk_zkey *zkey, rp_error *err) {
  uint8_t raw[PLONK_LARGEST_PRIMES + FIELDS_BYTES] = {0};
  const uint8_t *at = raw;
  plonk_sizes sizes;
  rp_status status = plonk_header_read(&zkey->bin, "FFLONK", FIELDS_BYTES, raw, sizeof raw, &at, &sizes, err);
  if (status == RP_OK) status = plonk_sizes_check(support_file_name(zkey->bin.file), &sizes, BLINDED_ROWS, err);
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

rp_status fflonk_zkey_open(const support_file *file, fflonk_zkey *zkey, rp_error *err) {
  *zkey = (fflonk_zkey){0};
  rp_status status = g16_zkey_sections(file, &zkey_format, G16_PROTOCOL_FFLONK, &zkey->bin, err);
  return status == RP_OK ? read_header(zkey, err) : status;
}

plonk_array fflonk_zkey_array(const fflonk_zkey *zkey, fflonk_section id) {
  return (plonk_array){&zkey->bin, (uint32_t)id, fflonk_section_count(zkey, id)};
}

rp_status fflonk_scalars_read(const fflonk_zkey *zkey, fflonk_section id, uint64_t first, uint64_t n, void *out,
                              rp_error *err) {
  const plonk_array array = fflonk_zkey_array(zkey, id);
  if (id < FFLONK_SECTION_QL || id > FFLONK_SECTION_C0 || id == FFLONK_TAU)
    return support_fail(err, RP_ERR_ARGUMENT, "Section %d holds no field elements.", (int)id);
  return plonk_array_scalars(&array, first, n, out, err);
}

rp_status fflonk_tau_read(const fflonk_zkey *zkey, uint64_t first, uint64_t n, bool check_points, void *out,
                          rp_error *err) {
  const plonk_array array = fflonk_zkey_array(zkey, FFLONK_TAU);
  return plonk_array_points(&array, check_points, first, n, out, err);
}

rp_status fflonk_map_read(const fflonk_zkey *zkey, fflonk_section id, uint64_t first, uint64_t n, uint32_t *out,
                          rp_error *err) {
  const plonk_array array = fflonk_zkey_array(zkey, id);
  if (id < FFLONK_MAP_A || id > FFLONK_MAP_C)
    return support_fail(err, RP_ERR_ARGUMENT, "Section %d holds no signals.", (int)id);
  return plonk_array_signals(&array, zkey->n_vars, id == FFLONK_MAP_A ? zkey->vk.n_public : 0, first, n, out, err);
}

rp_status fflonk_additions_read(const fflonk_zkey *zkey, uint64_t first, uint64_t n, plonk_addition *out,
                                rp_error *err) {
  const plonk_array array = fflonk_zkey_array(zkey, FFLONK_ADDITIONS);
  return plonk_array_additions(&array, zkey->n_vars, first, n, out, err);
}
