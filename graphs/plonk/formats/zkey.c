/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

#include <inttypes.h>

enum { EXTENDED = 5, /* n coefficients and 4n values */ TAU_MORE = 6 };
enum { PRIMES_BYTES = 2 * (4 + 32), LARGEST_PRIMES = 4 + 48 + 4 + 32, COUNTS_BYTES = 5 * 4, G2_BYTES = 128 };
enum { FIELDS_BYTES = COUNTS_BYTES + 2 * PLONK_SCALAR_BYTES + PLONK_KEY_POINTS * PLONK_POINT_BYTES + G2_BYTES };

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
  case PLONK_QC: return EXTENDED * n;
  case PLONK_SIGMA: return PLONK_PERMUTATIONS * EXTENDED * n;
  case PLONK_LAGRANGE: return (n_public ? n_public : 1) * EXTENDED * n;
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

static rp_status check_domain(plonk_zkey *zkey, rp_error *err) {
  const char *name = g16_file_name(zkey->bin.file);
  const uint32_t n = zkey->domain_size, two_adicity = rp_field_get(zkey->vk.family->fr)->two_adicity;
  if (n == 0 || (n & (n - 1)))
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: the domain size %" PRIu32 " is not a power of two.", name, n);
  zkey->vk.log_domain = (uint32_t)__builtin_ctz(n);
  if (zkey->vk.log_domain < PLONK_MIN_LOG_DOMAIN)
    return graphs_fail(
        err, RP_ERR_FORMAT,
        "%s: header: the domain size %" PRIu32 " is below 8: the quotient of a blinded proof does not fit.", name, n);
  if (zkey->vk.log_domain + 2 > two_adicity)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: the domain size 2^%" PRIu32
                       " is larger than the scalar field of %s allows, 2^%" PRIu32 ".",
                       name, zkey->vk.log_domain, zkey->vk.family->name, two_adicity - 2);
  return RP_OK;
}

/* Checks that the header's numbers are consistent, so that no sum or product of them can overflow. */
static rp_status check_counts(const plonk_zkey *zkey, rp_error *err) {
  const char *name = g16_file_name(zkey->bin.file);
  const uint32_t n_public = zkey->vk.n_public;
  if (zkey->n_constraints > zkey->domain_size)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: %" PRIu32 " constraints do not fit in a domain of %" PRIu32 " rows.", name,
                       zkey->n_constraints, zkey->domain_size);
  if (n_public > zkey->n_constraints)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: %" PRIu32 " public signals have a constraint each, and there are %" PRIu32 ".",
                       name, n_public, zkey->n_constraints);
  if (zkey->n_additions > zkey->n_vars || n_public >= zkey->n_vars - zkey->n_additions)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: %" PRIu32 " additions, %" PRIu32
                       " public signals and the constant do not fit in %" PRIu32 " variables.",
                       name, zkey->n_additions, n_public, zkey->n_vars);
  return RP_OK;
}

static rp_status check_lengths(const plonk_zkey *zkey, rp_error *err) {
  rp_status status = RP_OK;
  for (plonk_section id = PLONK_ADDITIONS; id <= PLONK_TAU && status == RP_OK; id++)
    status = g16_section_expect(&zkey->bin, id, plonk_section_count(zkey, id) * element_bytes(id),
                                "the numbers of the header", err);
  return status;
}

static rp_status take_scalar(const plonk_zkey *zkey, const char *what, const uint8_t **at, plonk_fr *out,
                             rp_error *err) {
  if (!g16_below(*at, rp_field_get(zkey->vk.family->fr)->modulus_le, PLONK_SCALAR_BYTES))
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: %s is not below the prime r.", g16_file_name(zkey->bin.file),
                       what);
  memcpy(out, *at, PLONK_SCALAR_BYTES);
  *at += PLONK_SCALAR_BYTES;
  return RP_OK;
}

static rp_status take_verification_part(plonk_zkey *zkey, const uint8_t *at, rp_error *err) {
  const g16_family *family = zkey->vk.family;
  const char *name = g16_file_name(zkey->bin.file);
  rp_error why = {0};
  rp_status status = take_scalar(zkey, "k1", &at, &zkey->vk.k1, err);
  if (status == RP_OK) status = take_scalar(zkey, "k2", &at, &zkey->vk.k2, err);
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++)
    status = g16_zkey_point(&zkey->bin, family->g1, plonk_key_point_name[i], plonk_may_be_infinity(i), &at,
                            &zkey->vk.point[i], err);
  if (status == RP_OK) status = g16_zkey_point(&zkey->bin, family->g2, "X_2", 0, &at, &zkey->vk.x_2, err);
  if (status == RP_OK && plonk_vkey_check_shape(name, &zkey->vk, &why) != RP_OK)
    status = graphs_fail(err, RP_ERR_FORMAT, "%s", why.reason);
  return status;
}

static rp_status read_header(plonk_zkey *zkey, rp_error *err) {
  uint8_t raw[LARGEST_PRIMES + FIELDS_BYTES] = {0};
  const uint8_t *at = raw;
  const uint64_t size = zkey->bin.section[G16_ZKEY_HEADER].size_bytes;
  rp_status status = g16_section_read(&zkey->bin, G16_ZKEY_HEADER, 0, size < sizeof raw ? size : sizeof raw, raw, err);
  if (status == RP_OK) status = g16_zkey_primes(&zkey->bin, &at, &zkey->vk.family, err);
  if (status != RP_OK) return status;
  if (zkey->vk.family->g1 != RP_CURVE_BN254_G1)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: is a PLONK key over %s; snarkjs and this library have PLONK over bn128 only.",
                       g16_file_name(zkey->bin.file), zkey->vk.family->name);
  status = g16_section_expect(&zkey->bin, G16_ZKEY_HEADER, PRIMES_BYTES + FIELDS_BYTES, "its fields", err);
  if (status != RP_OK) return status;
  zkey->n_vars = g16_u32(at);
  zkey->vk.n_public = g16_u32(at + 4);
  zkey->domain_size = g16_u32(at + 8);
  zkey->n_additions = g16_u32(at + 12);
  zkey->n_constraints = g16_u32(at + 16);
  status = check_domain(zkey, err);
  if (status == RP_OK) status = check_counts(zkey, err);
  if (status == RP_OK) status = check_lengths(zkey, err);
  return status == RP_OK ? take_verification_part(zkey, at + COUNTS_BYTES, err) : status;
}

rp_status plonk_zkey_open(const g16_file *file, plonk_zkey *zkey, rp_error *err) {
  *zkey = (plonk_zkey){0};
  rp_status status = g16_zkey_sections(file, &zkey_format, G16_PROTOCOL_PLONK, &zkey->bin, err);
  return status == RP_OK ? read_header(zkey, err) : status;
}
