/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey.h"

#include "formats/fail.h"

#include <inttypes.h>

enum { HEADER_PROTOCOL = 1, HEADER_GROTH16 = 2, LARGEST_HEADER = 4 + 48 + 4 + 32 + 12 + 3 * 96 + 3 * 192 };

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

static const char *protocol_name(uint32_t id) {
  switch (id) {
  case 1: return "groth16";
  case 2: return "plonk";
  case 10: return "fflonk";
  default: return "an unknown protocol";
  }
}

static rp_status check_protocol(const g16_zkey *zkey, rp_error *err) {
  uint8_t raw[4];
  rp_status status = g16_section_expect(&zkey->bin, HEADER_PROTOCOL, sizeof raw, "its one number", err);
  if (status == RP_OK) status = g16_section_read(&zkey->bin, HEADER_PROTOCOL, 0, sizeof raw, raw, err);
  if (status != RP_OK || g16_u32(raw) == 1) return status;
  return graphs_fail(err, RP_ERR_FORMAT, "%s: is a key for %s (protocol %" PRIu32 "); a groth16 key is needed.",
                     g16_file_name(zkey->bin.file), protocol_name(g16_u32(raw)), g16_u32(raw));
}

/* Keys of other protocols lack sections that Groth16 needs; what they are is the better reason. */
static rp_status open_sections(const g16_file *file, g16_zkey *zkey, rp_error *err) {
  g16_format any = zkey_format;
  any.optional = ~(1u << HEADER_PROTOCOL);
  rp_status status = g16_binfile_open(file, &any, &zkey->bin, err);
  if (status == RP_OK) {
    zkey->bin.format = &zkey_format;
    status = check_protocol(zkey, err);
  }
  for (uint32_t id = 2; id < G16_BINFILE_IDS && status == RP_OK; id++)
    if (!zkey->bin.section[id].present && !(zkey_format.optional >> id & 1))
      status = graphs_fail(err, RP_ERR_FORMAT, "%s: section %" PRIu32 " (%s) is missing.", g16_file_name(file), id,
                           zkey_format.section_name[id]);
  return status;
}

static rp_status check_shape(g16_zkey *zkey, rp_error *err) {
  const char *name = g16_file_name(zkey->bin.file);
  uint32_t domain = zkey->domain_size, two_adicity = rp_field_get(zkey->family->fr)->two_adicity;
  if (domain == 0 || (domain & (domain - 1)))
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: the domain size %" PRIu32 " is no power of two.", name, domain);
  zkey->log_domain = (uint32_t)__builtin_ctz(domain);
  if (zkey->log_domain > two_adicity)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: the domain size 2^%" PRIu32
                       " is larger than the scalar field of %s allows, 2^%" PRIu32 ".",
                       name, zkey->log_domain, zkey->family->name, two_adicity);
  if (zkey->n_vars == 0 || zkey->n_public > zkey->n_vars - 1)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: %" PRIu32 " public signals and the constant do not fit in %" PRIu32 " variables.",
                       name, zkey->n_public, zkey->n_vars);
  if (zkey->n_public > domain - 1)
    return graphs_fail(err, RP_ERR_FORMAT,
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

/* One point of the verification part: none of them may be infinity, with which anything would verify. */
static rp_status take_point(const g16_zkey *zkey, rp_curve curve, const char *what, const uint8_t **at, void *out,
                            rp_error *err) {
  const char *name = g16_file_name(zkey->bin.file);
  const rp_curve_host *host = rp_curve_get(curve);
  const uint8_t *q = rp_field_get(zkey->family->fq)->modulus_le;
  uint32_t bytes = host->affine_bytes, fq = zkey->family->fq_bytes;
  for (uint32_t i = 0; i < bytes; i += fq)
    if (!g16_below(*at + i, q, fq))
      return graphs_fail(err, RP_ERR_FORMAT, "%s: header: a coordinate of %s is not below the prime q.", name, what);
  memcpy(out, *at, bytes);
  *at += bytes;
  if (host->is_identity(out))
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: %s is the point at infinity.", name, what);
  if (!host->on_curve(out)) return graphs_fail(err, RP_ERR_FORMAT, "%s: header: %s is not on the curve.", name, what);
  if (!host->in_subgroup(out))
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: %s is not in the subgroup.", name, what);
  return RP_OK;
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
    status = take_point(zkey, part[i].curve, part[i].what, &at, part[i].out, err);
  return status;
}

static rp_status read_header(g16_zkey *zkey, rp_error *err) {
  const char *name = g16_file_name(zkey->bin.file);
  uint8_t raw[LARGEST_HEADER] = {0};
  uint64_t size = zkey->bin.section[HEADER_GROTH16].size_bytes;
  rp_status status = g16_section_read(&zkey->bin, HEADER_GROTH16, 0, size < sizeof raw ? size : sizeof raw, raw, err);
  if (status != RP_OK) return status;
  uint32_t n8q = g16_u32(raw);
  zkey->family = n8q <= 48 ? g16_family_by_q(raw + 4, n8q) : NULL;
  if (!zkey->family)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: its prime q (%" PRIu32 " bytes) is that of neither BN254 nor BLS12-381.", name,
                       n8q);
  const uint8_t *at = raw + 4 + n8q;
  if (g16_u32(at) != zkey->family->fr_bytes || g16_family_by_r(at + 4, zkey->family->fr_bytes) != zkey->family)
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: its prime r is not that of %s, which its prime q is.", name,
                       zkey->family->name);
  at += 4 + zkey->family->fr_bytes;
  status = g16_section_expect(&zkey->bin, HEADER_GROTH16,
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

rp_status g16_zkey_open(const g16_file *file, g16_zkey *zkey, rp_error *err) {
  *zkey = (g16_zkey){0};
  rp_status status = open_sections(file, zkey, err);
  if (status == RP_OK) status = read_header(zkey, err);
  if (status == RP_OK) status = check_coefs(zkey, err);
  return status;
}

rp_status g16_zkey_match(const g16_zkey *zkey, const g16_wtns *wtns, rp_error *err) {
  const char *name = g16_file_name(wtns->bin.file), *key = g16_file_name(zkey->bin.file);
  if (wtns->family != zkey->family)
    return graphs_fail(err, RP_ERR_MISMATCH, "%s: is a witness over %s, the key %s is over %s.", name,
                       wtns->family->name, key, zkey->family->name);
  if (wtns->n != zkey->n_vars)
    return graphs_fail(err, RP_ERR_MISMATCH,
                       "%s: has %" PRIu32 " values, the circuit of %s has %" PRIu32
                       " signals: it is a witness of another circuit.",
                       name, wtns->n, key, zkey->n_vars);
  return RP_OK;
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
