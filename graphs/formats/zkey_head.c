/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey_head.h"

#include "fail.h"

#include <inttypes.h>

static const char *protocol_name(uint32_t id) {
  switch (id) {
  case G16_PROTOCOL_GROTH16: return "groth16";
  case G16_PROTOCOL_PLONK: return "plonk";
  case G16_PROTOCOL_FFLONK: return "fflonk";
  default: return "an unknown protocol";
  }
}

static rp_status read_protocol(const g16_binfile *bin, uint32_t *protocol, rp_error *err) {
  uint8_t raw[4] = {0};
  rp_status status = g16_section_expect(bin, G16_ZKEY_PROTOCOL, sizeof raw, "its one number", err);
  if (status == RP_OK) status = g16_section_read(bin, G16_ZKEY_PROTOCOL, 0, sizeof raw, raw, err);
  *protocol = g16_u32(raw);
  return status;
}

static rp_status open_any(const support_file *file, const g16_format *format, g16_binfile *bin, uint32_t *protocol,
                          rp_error *err) {
  g16_format any = *format;
  any.optional = ~(1u << G16_ZKEY_PROTOCOL);
  rp_status status = g16_binfile_open(file, &any, bin, err);
  bin->format = format;
  return status == RP_OK ? read_protocol(bin, protocol, err) : status;
}

rp_status g16_zkey_sections(const support_file *file, const g16_format *format, uint32_t protocol, g16_binfile *bin,
                            rp_error *err) {
  uint32_t found;
  rp_status status = open_any(file, format, bin, &found, err);
  if (status == RP_OK && found != protocol)
    status = support_fail(err, RP_ERR_FORMAT, "%s: is a key for %s (protocol %" PRIu32 "); a %s key is needed.",
                          support_file_name(file), protocol_name(found), found, protocol_name(protocol));
  for (uint32_t id = 2; id < G16_BINFILE_IDS && status == RP_OK; id++)
    if (format->section_name[id] && !bin->section[id].present && !(format->optional >> id & 1))
      status = support_fail(err, RP_ERR_FORMAT, "%s: section %" PRIu32 " (%s) is missing.", support_file_name(file), id,
                            format->section_name[id]);
  return status;
}

uint32_t g16_zkey_protocol(const support_file *file) {
  static const g16_format format = {.magic = "zkey", .version = 1, .section_name = {[G16_ZKEY_PROTOCOL] = "protocol"}};
  g16_binfile bin;
  uint32_t protocol;
  return open_any(file, &format, &bin, &protocol, NULL) == RP_OK ? protocol : 0;
}

rp_status g16_zkey_primes(const g16_binfile *bin, const uint8_t **at, const g16_family **family, rp_error *err) {
  const char *name = support_file_name(bin->file);
  const uint32_t n8q = g16_u32(*at);
  *family = n8q <= 48 ? g16_family_by_q(*at + 4, n8q) : NULL;
  if (!*family)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: its prime q (%" PRIu32 " bytes) is that of neither BN254 nor BLS12-381.", name,
                        n8q);
  *at += 4 + n8q;
  const uint32_t n8r = (*family)->fr_bytes;
  if (g16_u32(*at) != n8r || g16_family_by_r(*at + 4, n8r) != *family)
    return support_fail(err, RP_ERR_FORMAT, "%s: header: its prime r is not that of %s, which its prime q is.", name,
                        (*family)->name);
  *at += 4 + n8r;
  return RP_OK;
}

rp_status g16_zkey_point(const g16_binfile *bin, rp_curve curve, const char *what, bool may_be_infinity,
                         const uint8_t **at, void *out, rp_error *err) {
  const char *name = support_file_name(bin->file);
  const rp_curve_host *host = rp_curve_get(curve);
  const rp_field_host *base = rp_field_get(host->base);
  const uint32_t bytes = host->affine_bytes, fq_bytes = base->size_bytes / base->degree;
  for (uint32_t i = 0; i < bytes; i += fq_bytes)
    if (!g16_below(*at + i, base->modulus_le, fq_bytes))
      return support_fail(err, RP_ERR_FORMAT, "%s: header: a coordinate of %s is not below the prime q.", name, what);
  memcpy(out, *at, bytes);
  *at += bytes;
  if (!may_be_infinity && host->is_identity(out))
    return support_fail(err, RP_ERR_FORMAT, "%s: header: %s is the point at infinity.", name, what);
  if (!host->on_curve(out)) return support_fail(err, RP_ERR_FORMAT, "%s: header: %s is not on the curve.", name, what);
  if (!host->in_subgroup(out))
    return support_fail(err, RP_ERR_FORMAT, "%s: header: %s is not in the subgroup.", name, what);
  return RP_OK;
}
