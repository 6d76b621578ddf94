/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/decimal.h"
#include "formats/fail.h"
#include "formats/json_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Where in a text a value stands, for reasons: name: "vk_beta_2"[1][0]. Indices below 0 are not there. */
typedef struct place {
  const char *name, *member;
  long index[2];
} place;

static rp_status refuse(const place *at, rp_status status, const char *why, rp_error *err) {
  char index[2][24] = {"", ""};
  for (int i = 0; i < 2; i++)
    if (at->index[i] >= 0) snprintf(index[i], sizeof index[i], "[%ld]", at->index[i]);
  return graphs_fail(err, status, "%s: \"%s\"%s%s: %s.", at->name, at->member, index[0], index[1], why);
}

static rp_status open_text(const char *name, const char *json, size_t bytes, size_t limit, g16_json *root,
                           rp_error *err) {
  if (!json) return graphs_fail(err, RP_ERR_ARGUMENT, "%s: no text.", name);
  if (bytes > limit)
    return graphs_fail(err, RP_ERR_FORMAT, "%s: is too large: %zu bytes where at most %zu make sense.", name, bytes,
                       limit);
  return g16_json_open(name, json, bytes, root, err);
}

/* 1 for a string, or a number without fraction and exponent: what may be an integer. */
static int is_number(g16_json value) {
  size_t n;
  char kind = g16_json_kind(value);
  if (kind != '0') return kind == '"';
  const char *text = g16_json_characters(value, &n);
  for (size_t i = 1; i < n; i++)
    if (text[i] < '0' || text[i] > '9') return 0;
  return 1;
}

/* A number of any notation that is allowed, below 256^bytes. 1, or 0 if it is none. A plain integer is taken up to
 * 2^53, as far as every reader of JSON takes it exactly. */
static int read_integer(g16_json value, uint8_t *le, uint32_t bytes) {
  size_t n;
  if (!is_number(value)) return 0;
  const char *text = g16_json_characters(value, &n);
  if (!g16_from_decimal(text, n, le, bytes)) return 0;
  return g16_json_kind(value) == '"' || (n <= 16 && g16_u64(le) <= (uint64_t)1 << 53);
}

static rp_status read_coordinate(const place *at, g16_json value, rp_field field, void *out, rp_error *err) {
  const rp_field_host *host = rp_field_get(field);
  uint64_t canonical[6];
  if (!is_number(value)) return refuse(at, RP_ERR_FORMAT, "a number is expected", err);
  if (!read_integer(value, (uint8_t *)canonical, host->size_bytes) || !host->from_canonical(out, canonical))
    return refuse(at, RP_ERR_FORMAT, "this is no number below the prime q", err);
  return RP_OK;
}

/* One coordinate of G1 (a number) or G2 (an array of two). */
static rp_status read_element(place at, g16_json value, const g16_family *family, int g2, uint8_t *out, rp_error *err) {
  uint64_t element[12];
  g16_json item;
  if (!g2) {
    rp_status status = read_coordinate(&at, value, family->fq, element, err);
    if (status == RP_OK) memcpy(out, element, family->fq_bytes);
    return status;
  }
  if (g16_json_kind(value) != '[' || g16_json_count(value) != 2 || !g16_json_first(value, &item))
    return refuse(&at, RP_ERR_FORMAT, "an array of two numbers is expected", err);
  int level = at.index[0] < 0 ? 0 : 1;
  long i = 0;
  do {
    at.index[level] = i;
    rp_status status = read_coordinate(&at, item, family->fq, element, err);
    if (status != RP_OK) return status;
    memcpy(out + i++ * family->fq_bytes, element, family->fq_bytes);
  } while (g16_json_next(&item));
  return RP_OK;
}

/* The third coordinate is 1, or 0 at infinity; snarkjs and its relatives write nothing else. */
static rp_status read_z(const place *at, const g16_family *family, int g2, const uint8_t *z, int *infinity,
                        rp_error *err) {
  const rp_field_host *fq = rp_field_get(family->fq);
  uint64_t one[6], zero[6] = {0};
  fq->one(one);
  int imaginary = g2 && memcmp(z + family->fq_bytes, zero, family->fq_bytes) != 0;
  *infinity = !imaginary && memcmp(z, zero, family->fq_bytes) == 0;
  if (*infinity || (!imaginary && memcmp(z, one, family->fq_bytes) == 0)) return RP_OK;
  return refuse(at, RP_ERR_FORMAT, "the third coordinate is neither 1 nor 0: the point is not affine", err);
}

static rp_status read_point(place at, g16_json value, const g16_family *family, int g2, void *out, rp_error *err) {
  size_t n = g16_json_kind(value) == '[' ? g16_json_count(value) : 0;
  uint32_t bytes = g2 ? 2 * family->fq_bytes : family->fq_bytes;
  uint8_t coordinate[3][96];
  int infinity = 0, level = at.index[0] < 0 ? 0 : 1;
  g16_json item;
  if ((n != 2 && n != 3) || !g16_json_first(value, &item))
    return refuse(&at, RP_ERR_FORMAT, "a point of two or three coordinates is expected", err);
  long i = 0;
  do {
    at.index[level] = i;
    rp_status status = read_element(at, item, family, g2, coordinate[i++], err);
    if (status != RP_OK) return status;
  } while (g16_json_next(&item));
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

/* *n is 1, or 0 if it may be missing and is. */
static rp_status find_member(const place *at, g16_json root, int required, g16_json *value, size_t *n, rp_error *err) {
  *n = g16_json_member(root, at->member, value);
  if (*n > 1) return refuse(at, RP_ERR_FORMAT, "this member stands twice", err);
  return *n || !required ? RP_OK : refuse(at, RP_ERR_FORMAT, "this member is missing", err);
}

static rp_status member_point(const char *name, g16_json root, const char *member, const g16_family *family, int g2,
                              void *out, rp_error *err) {
  place at = {name, member, {-1, -1}};
  g16_json value;
  size_t n;
  rp_status status = find_member(&at, root, 1, &value, &n, err);
  return status == RP_OK ? read_point(at, value, family, g2, out, err) : status;
}

static const g16_family *family_of(g16_json name) {
  char text[16];
  size_t n;
  if (g16_json_kind(name) != '"') return NULL;
  const char *characters = g16_json_characters(name, &n);
  if (n >= sizeof text) return NULL;
  memcpy(text, characters, n);
  text[n] = 0;
  return g16_family_by_name(text);
}

/* "protocol" must be groth16 and "curve" a known one; either may be missing where `required` is 0, and *family is NULL
 * then if it is the curve. */
static rp_status read_head(const char *name, g16_json root, int required, const g16_family **family, rp_error *err) {
  place at = {name, "protocol", {-1, -1}};
  g16_json value;
  size_t n;
  *family = NULL;
  if (g16_json_kind(root) != '{') return graphs_fail(err, RP_ERR_FORMAT, "%s: a JSON object is expected.", name);
  rp_status status = find_member(&at, root, required, &value, &n, err);
  if (status != RP_OK) return status;
  if (n && !g16_json_is_string(value, "groth16")) return refuse(&at, RP_ERR_FORMAT, "this must be \"groth16\"", err);
  at.member = "curve";
  status = find_member(&at, root, required, &value, &n, err);
  if (status != RP_OK || !n) return status;
  *family = family_of(value);
  return *family ? RP_OK : refuse(&at, RP_ERR_FORMAT, "this must be \"bn128\" or \"bls12381\"", err);
}

static rp_status read_proof(const char *name, g16_json root, const g16_family *family, rp_groth16_proof *proof,
                            rp_error *err) {
  *proof = (rp_groth16_proof){.g1 = family->g1, .g2 = family->g2};
  rp_status status = member_point(name, root, "pi_a", family, 0, proof->a, err);
  if (status == RP_OK) status = member_point(name, root, "pi_b", family, 1, proof->b, err);
  if (status == RP_OK) status = member_point(name, root, "pi_c", family, 0, proof->c, err);
  return status;
}

rp_status g16_proof_read(const char *name, const char *json, size_t bytes, rp_groth16_proof *proof, rp_error *err) {
  const g16_family *family, *const bn254 = g16_family_by_g1(RP_CURVE_BN254_G1);
  g16_json root;
  *proof = (rp_groth16_proof){0};
  rp_status status = open_text(name, json, bytes, G16_JSON_PROOF_BYTES, &root, err);
  if (status == RP_OK) status = read_head(name, root, 0, &family, err);
  if (status != RP_OK) return status;
  /* No curve is named, and the coordinates are too large for BN254: the other curve's. */
  if (!family && read_proof(name, root, bn254, proof, NULL) != RP_OK &&
      read_proof(name, root, g16_family_by_g1(RP_CURVE_BLS12_381_G1), proof, NULL) == RP_OK)
    return RP_OK;
  return read_proof(name, root, family ? family : bn254, proof, err);
}

static rp_status read_ic(const char *name, g16_json root, size_t bytes, g16_vkey *vkey, rp_error *err) {
  place at = {name, "nPublic", {-1, -1}};
  g16_json count, ic, item;
  uint64_t n;
  size_t found;
  rp_status status = find_member(&at, root, 1, &count, &found, err);
  if (status != RP_OK) return status;
  if (!read_integer(count, (uint8_t *)&n, sizeof n) || n >= UINT32_MAX)
    return refuse(&at, RP_ERR_FORMAT, "the number of public signals is expected", err);
  if (bytes > G16_JSON_VKEY_BYTES(n))
    return graphs_fail(err, RP_ERR_FORMAT,
                       "%s: is too large: %zu bytes where at most %" PRIu64 " make sense for %" PRIu64
                       " public signals.",
                       name, bytes, G16_JSON_VKEY_BYTES(n), n);
  at.member = "IC";
  status = find_member(&at, root, 1, &ic, &found, err);
  if (status != RP_OK) return status;
  if (g16_json_kind(ic) != '[' || g16_json_count(ic) != n + 1 || !g16_json_first(ic, &item))
    return refuse(&at, RP_ERR_FORMAT, "an array of nPublic + 1 points is expected", err);
  uint32_t point_bytes = g16_g1_bytes(vkey->family);
  vkey->n_public = (uint32_t)n;
  vkey->ic = aligned_alloc(64, ((n + 1) * point_bytes + 63) & ~(size_t)63);
  if (!vkey->ic) return graphs_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " points.", name, n + 1);
  uint64_t i = 0;
  do {
    at.index[0] = (long)i;
    status = read_point(at, item, vkey->family, 0, vkey->ic + i++ * point_bytes, err);
  } while (status == RP_OK && g16_json_next(&item));
  return status;
}

static rp_status read_vkey(const char *name, g16_json root, size_t bytes, g16_vkey *vkey, rp_error *err) {
  rp_status status = read_head(name, root, 1, &vkey->family, err);
  if (status == RP_OK) status = member_point(name, root, "vk_alpha_1", vkey->family, 0, &vkey->alpha_1, err);
  if (status == RP_OK) status = member_point(name, root, "vk_beta_2", vkey->family, 1, &vkey->beta_2, err);
  if (status == RP_OK) status = member_point(name, root, "vk_gamma_2", vkey->family, 1, &vkey->gamma_2, err);
  if (status == RP_OK) status = member_point(name, root, "vk_delta_2", vkey->family, 1, &vkey->delta_2, err);
  return status == RP_OK ? read_ic(name, root, bytes, vkey, err) : status;
}

rp_status g16_vkey_read(const char *name, const char *json, size_t bytes, g16_vkey *vkey, rp_error *err) {
  g16_json root;
  *vkey = (g16_vkey){0};
  rp_status status = open_text(name, json, bytes, G16_JSON_LIMIT_BYTES, &root, err);
  if (status == RP_OK) status = read_vkey(name, root, bytes, vkey, err);
  if (status != RP_OK) g16_vkey_free(vkey);
  return status;
}

rp_status g16_public_read(const char *name, const char *json, size_t bytes, uint8_t *values, size_t capacity, size_t *n,
                          rp_error *err) {
  g16_json root, item;
  size_t i = 0;
  *n = 0;
  rp_status status = open_text(name, json, bytes, G16_JSON_LIMIT_BYTES, &root, err);
  if (status == RP_OK && g16_json_kind(root) != '[')
    status = graphs_fail(err, RP_ERR_FORMAT, "%s: a JSON array of public signals is expected.", name);
  for (int more = status == RP_OK && g16_json_first(root, &item); more && status == RP_OK; i++) {
    uint8_t value[32];
    if (!is_number(item))
      status = graphs_fail(err, RP_ERR_FORMAT, "%s: public signal %zu: a number is expected.", name, i);
    else if (!read_integer(item, value, sizeof value))
      status = graphs_fail(err, RP_ERR_INPUT, "%s: public signal %zu is no number from 0 to 2^256 - 1%s.", name, i,
                           g16_json_kind(item) == '0' ? ", or one above 2^53 without quotes" : "");
    else if (i < capacity)
      memcpy(values + i * sizeof value, value, sizeof value);
    more = g16_json_next(&item);
  }
  if (status == RP_OK) *n = i;
  return status;
}
