/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "wtns.h"

#include "fail.h"
#include "values.h"

#include <inttypes.h>

enum { HEADER = 1, VALUES = 2, HEADER_BYTES = 4 + 32 + 4 };

static const g16_format wtns_format = {
    .magic = "wtns", .version = 2, .section_name = {[HEADER] = "header", [VALUES] = "values"}};

rp_status g16_wtns_open(const support_file *file, g16_wtns *wtns, rp_error *err) {
  *wtns = (g16_wtns){0};
  uint8_t raw[HEADER_BYTES];
  rp_status status = g16_binfile_open(file, &wtns_format, &wtns->bin, err);
  if (status == RP_OK) status = g16_section_expect(&wtns->bin, HEADER, sizeof raw, "a 32-byte prime and a count", err);
  if (status == RP_OK) status = g16_section_read(&wtns->bin, HEADER, 0, sizeof raw, raw, err);
  if (status != RP_OK) return status;
  wtns->family = g16_u32(raw) == 32 ? g16_family_by_r(raw + 4, 32) : NULL;
  if (!wtns->family)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: its prime (%" PRIu32 " bytes) is the scalar field of neither BN254 nor BLS12-381.",
                        support_file_name(file), g16_u32(raw));
  wtns->n = g16_u32(raw + 36);
  if (wtns->n == 0)
    return support_fail(err, RP_ERR_FORMAT, "%s: header: it has no values, not even the constant 1.",
                        support_file_name(file));
  return g16_section_expect(&wtns->bin, VALUES, (uint64_t)wtns->n * 32, "the number of values in the header", err);
}

static rp_status copy_values(const void *arg, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  const g16_wtns *wtns = arg;
  return g16_section_read(&wtns->bin, VALUES, first * G16_VALUE_BYTES, n * G16_VALUE_BYTES, out, err);
}

static rp_status refuse_value(const void *arg, uint64_t index, bool not_one, rp_error *err) {
  const g16_wtns *wtns = arg;
  return support_fail(err, RP_ERR_FORMAT, "%s: section 2 (values): value %" PRIu64 " at byte %" PRIu64 " is not %s.",
                      support_file_name(wtns->bin.file), index,
                      wtns->bin.section[VALUES].offset + index * G16_VALUE_BYTES,
                      not_one ? "the constant 1" : "below the prime r");
}

rp_status g16_wtns_read(const g16_wtns *wtns, uint64_t first, uint64_t n, const rp_executor *executor, void *out,
                        rp_error *err) {
  if (first > wtns->n || n > wtns->n - first)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: has %" PRIu32 " values only.", support_file_name(wtns->bin.file),
                        wtns->n);
  const g16_values values = {
      .arg = wtns, .order = rp_field_get(wtns->family->fr)->modulus_le, .copy = copy_values, .refuse = refuse_value};
  return g16_values_take(&values, first, n, executor, out, err);
}
