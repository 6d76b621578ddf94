/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json_values.h"

#include "decimal.h"
#include "fail.h"

#include <stdio.h>

rp_status g16_json_refuse(const g16_place *at, rp_status status, const char *why, rp_error *err) {
  char index[2][24] = {"", ""};
  for (int i = 0; i < 2; i++)
    if (at->index[i] >= 0) snprintf(index[i], sizeof index[i], "[%ld]", at->index[i]);
  return support_fail(err, status, "%s: \"%s\"%s%s: %s.", at->name, at->member, index[0], index[1], why);
}

/* 1 for a string, or a number without fraction and exponent: a value that may be an integer. */
static bool is_number(support_json value) {
  size_t n;
  char kind = support_json_kind(value);
  if (kind != '0') return kind == '"';
  const char *text = support_json_characters(value, &n);
  for (size_t i = 1; i < n; i++)
    if (text[i] < '0' || text[i] > '9') return 0;
  return 1;
}

/* Reads a number in any allowed notation, below 256^bytes. Returns false if it is not one; else true. Plain integers
 * are accepted up to 2^53, as far as every JSON reader represents them exactly. */
static bool read_integer(support_json value, uint8_t *le, uint32_t bytes) {
  size_t n;
  if (!is_number(value)) return 0;
  const char *text = support_json_characters(value, &n);
  if (!g16_from_decimal(text, n, le, bytes)) return 0;
  return support_json_kind(value) == '"' || (n <= 16 && g16_u64(le) <= (uint64_t)1 << 53);
}

static rp_status read_coordinate(const g16_place *at, support_json value, rp_field field, void *out, rp_error *err) {
  const rp_field_host *host = rp_field_get(field);
  uint64_t canonical[6];
  if (!is_number(value)) return g16_json_refuse(at, RP_ERR_FORMAT, "a number is expected", err);
  if (!read_integer(value, (uint8_t *)canonical, host->size_bytes) || !host->from_canonical(out, canonical))
    return g16_json_refuse(at, RP_ERR_FORMAT, "this is not a number below the prime q", err);
  return RP_OK;
}

/* Reads one coordinate of G1 (a number) or G2 (an array of two). */
static rp_status read_element(g16_place at, support_json value, const g16_family *family, bool g2, uint8_t *out,
                              rp_error *err) {
  uint64_t element[12];
  support_json item;
  if (!g2) {
    rp_status status = read_coordinate(&at, value, family->fq, element, err);
    if (status == RP_OK) memcpy(out, element, family->fq_bytes);
    return status;
  }
  if (support_json_kind(value) != '[' || support_json_count(value) != 2 || !support_json_first(value, &item))
    return g16_json_refuse(&at, RP_ERR_FORMAT, "an array of two numbers is expected", err);
  int level = at.index[0] < 0 ? 0 : 1;
  long i = 0;
  do {
    at.index[level] = i;
    rp_status status = read_coordinate(&at, item, family->fq, element, err);
    if (status != RP_OK) return status;
    memcpy(out + i++ * family->fq_bytes, element, family->fq_bytes);
  } while (support_json_next(&item));
  return RP_OK;
}

/* The third coordinate must be 1, or 0 for infinity; snarkjs and similar programs write nothing else. */
static rp_status read_z(const g16_place *at, const g16_family *family, bool g2, const uint8_t *z, bool *infinity,
                        rp_error *err) {
  const rp_field_host *fq = rp_field_get(family->fq);
  uint64_t one[6], zero[6] = {0};
  fq->one(one);
  bool imaginary = g2 && memcmp(z + family->fq_bytes, zero, family->fq_bytes) != 0;
  *infinity = !imaginary && memcmp(z, zero, family->fq_bytes) == 0;
  if (*infinity || (!imaginary && memcmp(z, one, family->fq_bytes) == 0)) return RP_OK;
  return g16_json_refuse(at, RP_ERR_FORMAT, "the third coordinate is neither 1 nor 0: the point is not affine", err);
}

rp_status g16_json_point(g16_place at, support_json value, const g16_family *family, bool g2, void *out,
                         rp_error *err) {
  size_t n = support_json_kind(value) == '[' ? support_json_count(value) : 0;
  uint32_t bytes = g2 ? 2 * family->fq_bytes : family->fq_bytes;
  uint8_t coordinate[3][96];
  const int level = at.index[0] < 0 ? 0 : 1;
  bool infinity = 0;
  support_json item;
  if ((n != 2 && n != 3) || !support_json_first(value, &item))
    return g16_json_refuse(&at, RP_ERR_FORMAT, "a point of two or three coordinates is expected", err);
  long i = 0;
  do {
    at.index[level] = i;
    rp_status status = read_element(at, item, family, g2, coordinate[i++], err);
    if (status != RP_OK) return status;
  } while (support_json_next(&item));
  if (n == 3) {
    rp_status status = read_z(&at, family, g2, coordinate[2], &infinity, err);
    if (status != RP_OK) return status;
  }
  for (i = 0; i < 2; i++) {
    if (infinity) memset(coordinate[i], 0, bytes);
    memcpy((uint8_t *)out + (size_t)i * bytes, coordinate[i], bytes);
  }
  return RP_OK;
}

rp_status g16_json_find(const g16_place *at, support_json root, bool required, support_json *value, size_t *n,
                        rp_error *err) {
  *n = support_json_member(root, at->member, value);
  if (*n > 1) return g16_json_refuse(at, RP_ERR_FORMAT, "this member stands twice", err);
  return *n || !required ? RP_OK : g16_json_refuse(at, RP_ERR_FORMAT, "this member is missing", err);
}

rp_status g16_json_member_point(const char *name, support_json root, const char *member, const g16_family *family,
                                bool g2, void *out, rp_error *err) {
  g16_place at = {name, member, {-1, -1}};
  support_json value;
  size_t n;
  rp_status status = g16_json_find(&at, root, 1, &value, &n, err);
  return status == RP_OK ? g16_json_point(at, value, family, g2, out, err) : status;
}

rp_status g16_json_member_scalar(const char *name, support_json root, const char *member, rp_field field,
                                 uint8_t le[32], rp_error *err) {
  const g16_place at = {name, member, {-1, -1}};
  const uint8_t *r = rp_field_get(field)->modulus_le;
  support_json value;
  size_t n;
  rp_status status = g16_json_find(&at, root, 1, &value, &n, err);
  if (status != RP_OK) return status;
  if (!is_number(value)) return g16_json_refuse(&at, RP_ERR_FORMAT, "a number is expected", err);
  if (!read_integer(value, le, 32) || !g16_below(le, r, 32))
    return g16_json_refuse(&at, RP_ERR_FORMAT, "this is not a number below the prime r", err);
  return RP_OK;
}

rp_status g16_json_member_count(const char *name, support_json root, const char *member, const char *what,
                                uint32_t *count, rp_error *err) {
  const g16_place at = {name, member, {-1, -1}};
  support_json value;
  uint64_t all;
  size_t n;
  rp_status status = g16_json_find(&at, root, 1, &value, &n, err);
  if (status != RP_OK) return status;
  if (!read_integer(value, (uint8_t *)&all, sizeof all) || all >= UINT32_MAX)
    return g16_json_refuse(&at, RP_ERR_FORMAT, what, err);
  *count = (uint32_t)all;
  return RP_OK;
}

static const g16_family *family_of(support_json name) {
  char text[16];
  size_t n;
  if (support_json_kind(name) != '"') return NULL;
  const char *characters = support_json_characters(name, &n);
  if (n >= sizeof text) return NULL;
  memcpy(text, characters, n);
  text[n] = 0;
  return g16_family_by_name(text);
}

rp_status g16_json_head(const char *name, support_json root, const char *protocol, bool required,
                        const g16_family **family, rp_error *err) {
  g16_place at = {name, "protocol", {-1, -1}};
  support_json value;
  size_t n;
  *family = NULL;
  if (support_json_kind(root) != '{') return support_fail(err, RP_ERR_FORMAT, "%s: a JSON object is expected.", name);
  rp_status status = g16_json_find(&at, root, required, &value, &n, err);
  if (status != RP_OK) return status;
  if (n && !support_json_is_string(value, protocol)) {
    char why[64];
    snprintf(why, sizeof why, "this must be \"%s\"", protocol);
    return g16_json_refuse(&at, RP_ERR_FORMAT, why, err);
  }
  at.member = "curve";
  status = g16_json_find(&at, root, required, &value, &n, err);
  if (status != RP_OK || !n) return status;
  *family = family_of(value);
  return *family ? RP_OK : g16_json_refuse(&at, RP_ERR_FORMAT, "this must be \"bn128\" or \"bls12381\"", err);
}

bool g16_json_is_protocol(const char *json, size_t bytes, const char *protocol) {
  support_json root, value;
  return support_json_open_text("", json, bytes, G16_JSON_LIMIT_BYTES, &root, NULL) == RP_OK &&
         support_json_kind(root) == '{' && support_json_member(root, "protocol", &value) == 1 &&
         support_json_is_string(value, protocol);
}

rp_status g16_public_read(const char *name, const char *json, size_t bytes, uint8_t *values, size_t capacity, size_t *n,
                          rp_error *err) {
  support_json root, item;
  size_t i = 0;
  *n = 0;
  rp_status status = support_json_open_text(name, json, bytes, G16_JSON_LIMIT_BYTES, &root, err);
  if (status == RP_OK && support_json_kind(root) != '[')
    status = support_fail(err, RP_ERR_FORMAT, "%s: a JSON array of public signals is expected.", name);
  for (int more = status == RP_OK && support_json_first(root, &item); more && status == RP_OK; i++) {
    uint8_t value[32];
    if (!is_number(item))
      status = support_fail(err, RP_ERR_FORMAT, "%s: public signal %zu: a number is expected.", name, i);
    else if (!read_integer(item, value, sizeof value))
      status = support_fail(err, RP_ERR_INPUT, "%s: public signal %zu is not a number from 0 to 2^256 - 1%s.", name, i,
                            support_json_kind(item) == '0' ? ", or one above 2^53 without quotes" : "");
    else if (i < capacity)
      memcpy(values + i * sizeof value, value, sizeof value);
    more = support_json_next(&item);
  }
  if (status == RP_OK) *n = i;
  return status;
}

rp_status g16_public_check(const g16_family *family, const uint8_t *values, size_t n, rp_error *err) {
  const uint8_t *r = rp_field_get(family->fr)->modulus_le;
  for (size_t i = 0; i < n; i++)
    if (!g16_below(values + 32 * i, r, 32))
      return support_fail(err, RP_ERR_INPUT, "Public signal %zu is not below the group order r.", i);
  return RP_OK;
}
