/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

#include <inttypes.h>

enum { LARGEST_HEADER = 4 + 48 + 4 + 32 + 12 + 3 * 96 + 3 * 192 };

static const g16_format zkey_format = {
    .magic = "zkey",
    .version = 1,
    .section_name = {[1] = "protocol",
                     [2] = "header",
                     [3] = "IC",
                     [4] = "coefs",
                     [5] = "A points",
                     [6] = "B1 points",
                     [7] = "B2 points",
                     [8] = "C points",
                     [9] = "H points",
                     [10] = "contributions"},
    .optional = 1u << 10,
};

static rp_status check_shape(g16_zkey *zkey, rp_error *err) {
  const char *name = support_file_name(zkey->bin.file);
  uint32_t domain = zkey->domain_size, two_adicity = rp_field_get(zkey->family->fr)->two_adicity;
  if (domain == 0 || (domain & (domain - 1)))
    return support_fail(err, RP_ERR_FORMAT, "%s: header: the domain size %" PRIu32 " is not a power of two.", name,
                        domain);
  zkey->log_domain = (uint32_t)__builtin_ctz(domain);
  if (zkey->log_domain > two_adicity)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: the domain size 2^%" PRIu32
                        " is larger than the scalar field of %s allows, 2^%" PRIu32 ".",
                        name, zkey->log_domain, zkey->family->name, two_adicity);
  if (zkey->n_vars == 0 || zkey->n_public > zkey->n_vars - 1)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: %" PRIu32 " public signals and the constant do not fit in %" PRIu32 " variables.",
                        name, zkey->n_public, zkey->n_vars);
  if (zkey->n_public > domain - 1)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: %" PRIu32 " public signals and the constant do not fit in a domain of %" PRIu32
                        " rows.",
                        name, zkey->n_public, domain);
  static const g16_points_id arrays[] = {G16_IC, G16_A, G16_B1, G16_B2, G16_C, G16_H};
  rp_status status = RP_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0] && status == RP_OK; i++)
    status =
        g16_section_expect(&zkey->bin, arrays[i], g16_points_count(zkey, arrays[i]) * g16_points_bytes(zkey, arrays[i]),
                           "the numbers of the header", err);
  return status;
}

static rp_status check_coefs(g16_zkey *zkey, rp_error *err) {
  uint8_t raw[4];
  rp_status status = g16_section_read(&zkey->bin, G16_ZKEY_COEFS, 0, sizeof raw, raw, err);
  if (status != RP_OK) return status;
  zkey->n_coefs = g16_u32(raw);
  return g16_section_expect(&zkey->bin, G16_ZKEY_COEFS, 4 + (uint64_t)zkey->n_coefs * 44, "its count of coefficients",
                            err);
}

static rp_status take_verification_part(g16_zkey *zkey, const uint8_t *at, rp_error *err) {
  rp_curve g1 = zkey->family->g1, g2 = zkey->family->g2;
  const struct {
    rp_curve curve;
    const char *what;
    void *out;
  } part[] = {{g1, "alpha1", &zkey->alpha_1}, {g1, "beta1", &zkey->beta_1},   {g2, "beta2", &zkey->beta_2},
              {g2, "gamma2", &zkey->gamma_2}, {g1, "delta1", &zkey->delta_1}, {g2, "delta2", &zkey->delta_2}};
  rp_status status = RP_OK;
  for (size_t i = 0; i < sizeof part / sizeof part[0] && status == RP_OK; i++)
    status = g16_zkey_point(&zkey->bin, part[i].curve, part[i].what, 0, &at, part[i].out, err);
  return status;
}

static rp_status read_header(g16_zkey *zkey, rp_error *err) {
  uint8_t raw[LARGEST_HEADER] = {0};
  const uint8_t *at = raw;
  uint64_t size = zkey->bin.section[G16_ZKEY_HEADER].size_bytes;
  rp_status status = g16_section_read(&zkey->bin, G16_ZKEY_HEADER, 0, size < sizeof raw ? size : sizeof raw, raw, err);
  if (status == RP_OK) status = g16_zkey_primes(&zkey->bin, &at, &zkey->family, err);
  if (status != RP_OK) return status;
  status = g16_section_expect(&zkey->bin, G16_ZKEY_HEADER,
                              (uint64_t)(at - raw) + 12 + 3 * (uint64_t)g16_g1_bytes(zkey->family) +
                                  3 * (uint64_t)g16_g2_bytes(zkey->family),
                              "its fields", err);
  if (status != RP_OK) return status;
  zkey->n_vars = g16_u32(at);
  zkey->n_public = g16_u32(at + 4);
  zkey->domain_size = g16_u32(at + 8);
  if ((status = check_shape(zkey, err)) != RP_OK) return status;
  return take_verification_part(zkey, at + 12, err);
}

rp_status g16_zkey_open(const support_file *file, g16_zkey *zkey, rp_error *err) {
  *zkey = (g16_zkey){0};
  rp_status status = g16_zkey_sections(file, &zkey_format, G16_PROTOCOL_GROTH16, &zkey->bin, err);
  if (status == RP_OK) status = read_header(zkey, err);
  if (status == RP_OK) status = check_coefs(zkey, err);
  return status;
}

const char *g16_points_name(g16_points_id id) { return zkey_format.section_name[id]; }

rp_curve g16_points_curve(const g16_zkey *zkey, g16_points_id id) {
  return id == G16_B2 ? zkey->family->g2 : zkey->family->g1;
}

uint32_t g16_points_bytes(const g16_zkey *zkey, g16_points_id id) {
  return id == G16_B2 ? g16_g2_bytes(zkey->family) : g16_g1_bytes(zkey->family);
}

uint64_t g16_points_count(const g16_zkey *zkey, g16_points_id id) {
  switch (id) {
  case G16_IC: return (uint64_t)zkey->n_public + 1;
  case G16_C: return (uint64_t)zkey->n_vars - zkey->n_public - 1;
  case G16_H: return zkey->domain_size;
  case G16_A:
  case G16_B1:
  case G16_B2: break;
  }
  return zkey->n_vars;
}
