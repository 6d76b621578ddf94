/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "decimal.h"
#include "fail.h"

#include <inttypes.h>
#include <jansson.h>
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

static rp_status parse(const char *name, const char *json, size_t bytes, json_t **root, rp_error *err) {
  *root = NULL;
  if (!json) return graphs_fail(err, RP_ERR_ARGUMENT, "%s: no text.", name);
  if (bytes > G16_JSON_LIMIT_BYTES)
    return graphs_fail(err, RP_ERR_FORMAT, "%s: is too large: %zu bytes where at most %d make sense.", name, bytes,
                       G16_JSON_LIMIT_BYTES);
  json_error_t error;
  *root = json_loadb(json, bytes, JSON_REJECT_DUPLICATES, &error);
  if (*root) return RP_OK;
  char *near = strstr(error.text, " near "); /* it goes on with what stands there, control characters and all */
  if (near) *near = 0;
  return graphs_fail(err, RP_ERR_FORMAT, "%s: is no valid JSON: line %d, column %d: %s.", name, error.line,
                     error.column, error.text);
}

/* A number of any notation that is allowed, below 256^bytes. 1, or 0 if it is none. */
static int read_integer(const json_t *value, uint8_t *le, uint32_t bytes) {
  if (json_is_string(value)) return g16_from_decimal(json_string_value(value), json_string_length(value), le, bytes);
  if (!json_is_integer(value) || json_integer_value(value) < 0) return 0;
  uint64_t number = (uint64_t)json_integer_value(value);
  memset(le, 0, bytes);
  for (int i = 0; i < 8; i++) le[i] = (uint8_t)(number >> 8 * i);
  return 1;
}

static rp_status read_coordinate(const place *at, const json_t *value, rp_field field, void *out, rp_error *err) {
  const rp_field_host *host = rp_field_get(field);
  uint64_t canonical[6];
  if (!json_is_string(value) && !json_is_integer(value)) return refuse(at, RP_ERR_FORMAT, "a number is expected", err);
  if (!read_integer(value, (uint8_t *)canonical, host->size_bytes) || !host->from_canonical(out, canonical))
    return refuse(at, RP_ERR_FORMAT, "this is no number below the prime q", err);
  return RP_OK;
}

/* One coordinate of G1 (a number) or G2 (an array of two). */
static rp_status read_element(place at, const json_t *value, const g16_family *family, int g2, uint8_t *out,
                              rp_error *err) {
  uint64_t element[12];
  if (!g2) {
    rp_status status = read_coordinate(&at, value, family->fq, element, err);
    if (status == RP_OK) memcpy(out, element, family->fq_bytes);
    return status;
  }
  if (!json_is_array(value) || json_array_size(value) != 2)
    return refuse(&at, RP_ERR_FORMAT, "an array of two numbers is expected", err);
  int level = at.index[0] < 0 ? 0 : 1;
  for (size_t i = 0; i < 2; i++) {
    at.index[level] = (long)i;
    rp_status status = read_coordinate(&at, json_array_get(value, i), family->fq, element, err);
    if (status != RP_OK) return status;
    memcpy(out + i * family->fq_bytes, element, family->fq_bytes);
  }
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

static rp_status read_point(place at, const json_t *value, const g16_family *family, int g2, void *out, rp_error *err) {
  size_t n = json_is_array(value) ? json_array_size(value) : 0;
  uint32_t bytes = g2 ? 2 * family->fq_bytes : family->fq_bytes;
  uint8_t coordinate[3][96];
  int infinity = 0, level = at.index[0] < 0 ? 0 : 1;
  if (n != 2 && n != 3) return refuse(&at, RP_ERR_FORMAT, "a point of two or three coordinates is expected", err);
  for (size_t i = 0; i < n; i++) {
    at.index[level] = (long)i;
    rp_status status = read_element(at, json_array_get(value, i), family, g2, coordinate[i], err);
    if (status != RP_OK) return status;
  }
  if (n == 3) {
    rp_status status = read_z(&at, family, g2, coordinate[2], &infinity, err);
    if (status != RP_OK) return status;
  }
  for (int i = 0; i < 2; i++) {
    if (infinity) memset(coordinate[i], 0, bytes);
    memcpy((uint8_t *)out + (size_t)i * bytes, coordinate[i], bytes);
  }
  return RP_OK;
}

static rp_status member_point(const char *name, const json_t *root, const char *member, const g16_family *family,
                              int g2, void *out, rp_error *err) {
  place at = {name, member, {-1, -1}};
  const json_t *value = json_object_get(root, member);
  if (!value) return refuse(&at, RP_ERR_FORMAT, "this member is missing", err);
  return read_point(at, value, family, g2, out, err);
}

/* "protocol" must be groth16 and "curve" a known one; either may be missing where `required` is 0. */
static rp_status read_head(const char *name, const json_t *root, int required, const g16_family **family,
                           rp_error *err) {
  if (!json_is_object(root)) return graphs_fail(err, RP_ERR_FORMAT, "%s: a JSON object is expected.", name);
  const json_t *protocol = json_object_get(root, "protocol"), *curve = json_object_get(root, "curve");
  place at = {name, "protocol", {-1, -1}};
  if ((required || protocol) && (!json_is_string(protocol) || strcmp(json_string_value(protocol), "groth16") != 0))
    return refuse(&at, RP_ERR_FORMAT, "this must be \"groth16\"", err);
  at.member = "curve";
  *family = !curve && !required     ? g16_family_by_g1(RP_CURVE_BN254_G1)
            : json_is_string(curve) ? g16_family_by_name(json_string_value(curve))
                                    : NULL;
  return *family ? RP_OK : refuse(&at, RP_ERR_FORMAT, "this must be \"bn128\" or \"bls12381\"", err);
}

static rp_status read_proof(const char *name, const json_t *root, rp_groth16_proof *proof, rp_error *err) {
  const g16_family *family;
  rp_status status = read_head(name, root, 0, &family, err);
  if (status != RP_OK) return status;
  proof->g1 = family->g1;
  proof->g2 = family->g2;
  status = member_point(name, root, "pi_a", family, 0, proof->a, err);
  if (status == RP_OK) status = member_point(name, root, "pi_b", family, 1, proof->b, err);
  if (status == RP_OK) status = member_point(name, root, "pi_c", family, 0, proof->c, err);
  return status;
}

rp_status g16_proof_read(const char *name, const char *json, size_t bytes, rp_groth16_proof *proof, rp_error *err) {
  json_t *root;
  *proof = (rp_groth16_proof){0};
  rp_status status = parse(name, json, bytes, &root, err);
  if (status == RP_OK) status = read_proof(name, root, proof, err);
  json_decref(root);
  return status;
}

static rp_status read_ic(const char *name, const json_t *root, g16_vkey *vkey, rp_error *err) {
  place at = {name, "nPublic", {-1, -1}};
  const json_t *count = json_object_get(root, "nPublic"), *ic = json_object_get(root, "IC");
  uint64_t n;
  if (!count || !read_integer(count, (uint8_t *)&n, sizeof n) || n >= UINT32_MAX)
    return refuse(&at, RP_ERR_FORMAT, "the number of public signals is expected", err);
  at.member = "IC";
  if (!json_is_array(ic) || json_array_size(ic) != n + 1)
    return refuse(&at, RP_ERR_FORMAT, "an array of nPublic + 1 points is expected", err);
  uint32_t bytes = g16_g1_bytes(vkey->family);
  vkey->n_public = (uint32_t)n;
  vkey->ic = aligned_alloc(64, ((n + 1) * bytes + 63) & ~(size_t)63);
  if (!vkey->ic) return graphs_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " points.", name, n + 1);
  for (uint64_t i = 0; i <= n; i++) {
    at.index[0] = (long)i;
    rp_status status = read_point(at, json_array_get(ic, i), vkey->family, 0, vkey->ic + i * bytes, err);
    if (status != RP_OK) return status;
  }
  return RP_OK;
}

static rp_status read_vkey(const char *name, const json_t *root, g16_vkey *vkey, rp_error *err) {
  rp_status status = read_head(name, root, 1, &vkey->family, err);
  if (status == RP_OK) status = member_point(name, root, "vk_alpha_1", vkey->family, 0, &vkey->alpha_1, err);
  if (status == RP_OK) status = member_point(name, root, "vk_beta_2", vkey->family, 1, &vkey->beta_2, err);
  if (status == RP_OK) status = member_point(name, root, "vk_gamma_2", vkey->family, 1, &vkey->gamma_2, err);
  if (status == RP_OK) status = member_point(name, root, "vk_delta_2", vkey->family, 1, &vkey->delta_2, err);
  return status == RP_OK ? read_ic(name, root, vkey, err) : status;
}

rp_status g16_vkey_read(const char *name, const char *json, size_t bytes, g16_vkey *vkey, rp_error *err) {
  json_t *root;
  *vkey = (g16_vkey){0};
  rp_status status = parse(name, json, bytes, &root, err);
  if (status == RP_OK) status = read_vkey(name, root, vkey, err);
  json_decref(root);
  if (status != RP_OK) g16_vkey_free(vkey);
  return status;
}

rp_status g16_public_read(const char *name, const char *json, size_t bytes, uint8_t *values, size_t capacity, size_t *n,
                          rp_error *err) {
  json_t *root;
  *n = 0;
  rp_status status = parse(name, json, bytes, &root, err);
  if (status == RP_OK && !json_is_array(root))
    status = graphs_fail(err, RP_ERR_FORMAT, "%s: a JSON array of public signals is expected.", name);
  size_t count = status == RP_OK ? json_array_size(root) : 0;
  for (size_t i = 0; i < count && status == RP_OK; i++) {
    uint8_t value[32];
    const json_t *item = json_array_get(root, i);
    if (!json_is_string(item) && !json_is_integer(item))
      status = graphs_fail(err, RP_ERR_FORMAT, "%s: public signal %zu: a number is expected.", name, i);
    else if (!read_integer(item, value, sizeof value))
      status = graphs_fail(err, RP_ERR_INPUT, "%s: public signal %zu is no number from 0 to 2^256 - 1.", name, i);
    else if (i < capacity)
      memcpy(values + i * sizeof value, value, sizeof value);
  }
  json_decref(root);
  if (status == RP_OK) *n = count;
  return status;
}
