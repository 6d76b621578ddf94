/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "wtns.h"

#include "fail.h"

#include <inttypes.h>

enum { HEADER = 1, VALUES = 2, HEADER_BYTES = 4 + 32 + 4, BLOCK = 2048 };

static const g16_format wtns_format = {
    .magic = "wtns", .version = 2, .section_name = {[HEADER] = "header", [VALUES] = "values"}};

rp_status g16_wtns_open(const g16_file *file, g16_wtns *wtns, rp_error *err) {
  *wtns = (g16_wtns){0};
  uint8_t raw[HEADER_BYTES];
  rp_status status = g16_binfile_open(file, &wtns_format, &wtns->bin, err);
  if (status == RP_OK) status = g16_section_expect(&wtns->bin, HEADER, sizeof raw, "a 32-byte prime and a count", err);
  if (status == RP_OK) status = g16_section_read(&wtns->bin, HEADER, 0, sizeof raw, raw, err);
  if (status != RP_OK) return status;
  wtns->family = g16_u32(raw) == 32 ? g16_family_by_r(raw + 4, 32) : NULL;
  if (!wtns->family)
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: header: its prime (%" PRIu32 " bytes) is the scalar field of neither BN254 nor BLS12-381.",
                       g16_file_name(file), g16_u32(raw));
  wtns->n = g16_u32(raw + 36);
  if (wtns->n == 0)
    return graphs_fail(err, RP_ERR_FORMAT, "%s: header: it has no values, not even the constant 1.",
                       g16_file_name(file));
  return g16_section_expect(&wtns->bin, VALUES, (uint64_t)wtns->n * 32, "the number of values in the header", err);
}

rp_status g16_wtns_match(const g16_wtns *wtns, const g16_zkey *zkey, rp_error *err) {
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

static int is_one(const uint8_t *value) {
  uint8_t any = value[0] ^ 1;
  for (int i = 1; i < 32; i++) any |= value[i];
  return any == 0;
}

static rp_status check_values(const g16_wtns *wtns, const uint8_t *values, uint64_t first, uint64_t n, rp_error *err) {
  const uint8_t *r = rp_field_get(wtns->family->fr)->modulus_le;
  const char *name = g16_file_name(wtns->bin.file);
  uint64_t offset = wtns->bin.section[VALUES].offset;
  for (uint64_t i = 0; i < n; i++)
    if (!g16_below_ct(values + i * 32, r, 32))
      return graphs_fail(err, RP_ERR_FORMAT,
                         "%s: section 2 (values): value %" PRIu64 " at byte %" PRIu64 " is not below the prime r.",
                         name, first + i, offset + (first + i) * 32);
  if (first == 0 && n && !is_one(values))
    return graphs_fail(err, RP_ERR_FORMAT, "%s: section 2 (values): value 0 at byte %" PRIu64 " is not the constant 1.",
                       name, offset);
  return RP_OK;
}

rp_status g16_wtns_read(const g16_wtns *wtns, uint64_t first, uint64_t n, void *out, rp_error *err) {
  if (first > wtns->n || n > wtns->n - first)
    return graphs_fail(err, RP_ERR_ARGUMENT, "%s: has %" PRIu32 " values only.", g16_file_name(wtns->bin.file),
                       wtns->n);
  rp_status status = RP_OK;
  for (uint64_t done = 0; done < n && status == RP_OK;) {
    uint64_t part = n - done < BLOCK ? n - done : BLOCK;
    uint8_t *to = (uint8_t *)out + done * 32;
    status = g16_section_read(&wtns->bin, VALUES, (first + done) * 32, part * 32, to, err);
    if (status == RP_OK) status = check_values(wtns, to, first + done, part, err);
    done += part;
  }
  if (status != RP_OK) rp_wipe(out, (size_t)n * 32);
  return status;
}
