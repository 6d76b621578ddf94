/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "prerecorded_check.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>
#include <stdio.h>

enum { WORD = 32, GRAIN = 4096, MAX_PARTS = 256 };

typedef struct checker {
  const char *name;
  const rp_groth16_key *key;
  const uint8_t *q;
  uint64_t s, r; /* scalars */
} checker;

static const char *const vector_name[G16_VECTORS] = {"A", "B1", "B2", "C", "H"};
static const char *const support_name[G16_SUPPORTS] = {"A", "B", "C"};

static rp_status refuse(const checker *c, const char *what, uint64_t scalar, const char *why, rp_error *err) {
  char place[64];
  if (scalar == c->s)
    snprintf(place, sizeof place, "the blinding scalar s");
  else if (scalar == c->r)
    snprintf(place, sizeof place, "the blinding scalar r");
  else
    snprintf(place, sizeof place, "wire %" PRIu64, scalar);
  return support_fail(err, RP_ERR_FORMAT, "%s: the key could give the witness away: %s at %s %s.%s", c->name, what,
                      place, why, c->key->info.prerecorded ? " Record it again from the zkey." : "");
}

static rp_status refuse_point(const checker *c, g16_vector v, uint64_t scalar, const char *why, rp_error *err) {
  char what[32];
  snprintf(what, sizeof what, "the point of %s", vector_name[v]);
  return refuse(c, what, scalar, why, err);
}

static const uint8_t *point_at(const rp_groth16_key *key, g16_vector v, uint64_t scalar) {
  return key->vector[v] + scalar * g16_vector_point_bytes(key, v);
}

static bool is_infinity_at(const rp_groth16_key *key, g16_vector v, uint64_t scalar) {
  return g16_is_infinity(point_at(key, v, scalar), g16_vector_point_bytes(key, v));
}

static bool is_reduced(const uint8_t *values, uint64_t bytes, const uint8_t *modulus, uint32_t size) {
  for (uint64_t at = 0; at < bytes; at += size)
    if (!g16_below(values + at, modulus, size)) return 0;
  return 1;
}

static rp_status check_infinity(const checker *c, g16_vector v, uint64_t scalar, rp_error *err) {
  return is_infinity_at(c->key, v, scalar) ? RP_OK : refuse_point(c, v, scalar, "is not the point at infinity", err);
}

static rp_status check_point(const checker *c, g16_vector v, uint64_t scalar, rp_error *err) {
  const rp_curve_host *curve = rp_curve_get(g16_vector_curve(c->key, v));
  const uint8_t *point = point_at(c->key, v, scalar);
  if (!is_reduced(point, curve->affine_bytes, c->q, c->key->family->fq_bytes))
    return refuse_point(c, v, scalar, "has a coordinate that is not below the prime q", err);
  if (!curve->on_curve(point)) return refuse_point(c, v, scalar, "is not on the curve", err);
  if (!curve->in_subgroup(point)) return refuse_point(c, v, scalar, "is not in the subgroup", err);
  return RP_OK;
}

static bool bit(const checker *c, g16_support support, uint64_t scalar) {
  return c->key->support[support][scalar / WORD] >> scalar % WORD & 1;
}

static rp_status check_bit(const checker *c, g16_support support, uint64_t scalar, bool expected, rp_error *err) {
  if (bit(c, support, scalar) == expected) return RP_OK;
  char what[32];
  snprintf(what, sizeof what, "the support of %s", support_name[support]);
  return refuse(c, what, scalar, expected ? "leaves its point out" : "asks for a point that is not there", err);
}

static rp_status check_supports(const checker *c, rp_error *err) {
  const rp_groth16_key *key = c->key;
  const uint32_t beyond = (uint32_t)(g16_key_scalars(key) % WORD);
  for (int i = 0; i < G16_SUPPORTS && beyond != 0; i++)
    if (key->support[i][g16_support_words(key) - 1] >> beyond)
      return support_fail(err, RP_ERR_FORMAT,
                          "%s: the key is damaged: the support of %s has bits behind the last scalar.", c->name,
                          support_name[i]);
  const bool a = !is_infinity_at(key, G16_VEC_A, 0);
  const bool b = !is_infinity_at(key, G16_VEC_B1, 0) || !is_infinity_at(key, G16_VEC_B2, 0);
  rp_status status = check_bit(c, G16_SUP_A, 0, a, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_B, 0, b, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_A, c->s, 0, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_A, c->r, 1, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_B, c->s, 1, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_B, c->r, 0, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_C, c->s, 0, err);
  if (status == RP_OK) status = check_bit(c, G16_SUP_C, c->r, 0, err);
  return status;
}

/* Checks the entries that must be at infinity. A product without a filter reads a vector whatever its support says. */
static rp_status check_empty_places(const checker *c, rp_error *err) {
  rp_status status = check_infinity(c, G16_VEC_A, c->s, err);
  if (status == RP_OK) status = check_infinity(c, G16_VEC_B1, c->s, err);
  if (status == RP_OK) status = check_infinity(c, G16_VEC_B1, c->r, err);
  if (status == RP_OK) status = check_infinity(c, G16_VEC_B2, c->r, err);
  if (status == RP_OK) status = check_infinity(c, G16_VEC_C, c->s, err);
  if (status == RP_OK) status = check_infinity(c, G16_VEC_C, c->r, err);
  for (uint64_t i = 0; i <= c->key->info.n_public && status == RP_OK; i++) {
    status = check_infinity(c, G16_VEC_C, i, err);
    if (status == RP_OK) status = check_bit(c, G16_SUP_C, i, 0, err);
  }
  return status;
}

/* Whether P in G1 and Q in G2 are the same multiple of the generators: e(P, g2) = e(g1, Q). Both are in their
 * subgroups. */
static bool same_logarithm(const g16_family *family, const void *p, const void *q) {
  const rp_curve_host *g1 = rp_curve_get(family->g1), *g2 = rp_curve_get(family->g2);
  g16_g1 minus;
  g16_g2 generator;
  g1->generator(&minus);
  g1->neg(&minus, &minus);
  g2->generator(&generator);
  return rp_pairing_product_is_one(family->g1, 2, (const void *[]){p, &minus}, (const void *[]){&generator, q});
}

static rp_status check_delta(const checker *c, rp_error *err) {
  const rp_groth16_key *key = c->key;
  const uint8_t *delta_1 = point_at(key, G16_VEC_A, c->r), *delta_2 = point_at(key, G16_VEC_B2, c->s);
  rp_status status = check_point(c, G16_VEC_A, c->r, err);
  if (status != RP_OK) return status;
  if (is_infinity_at(key, G16_VEC_A, c->r))
    return refuse_point(c, G16_VEC_A, c->r, "is the point at infinity, not delta", err);
  if (is_infinity_at(key, G16_VEC_B2, c->s))
    return refuse_point(c, G16_VEC_B2, c->s, "is the point at infinity, not delta", err);
  if (memcmp(delta_2, &key->vk.delta_2, g16_g2_bytes(key->family)) != 0)
    return refuse_point(c, G16_VEC_B2, c->s, "is not the delta that proofs are verified with", err);
  if (!same_logarithm(key->family, delta_1, delta_2))
    return refuse_point(c, G16_VEC_A, c->r, "is not the delta that proofs are verified with", err);
  return RP_OK;
}

static rp_status check_wire_0(const checker *c, rp_error *err) {
  rp_status status = check_point(c, G16_VEC_A, 0, err);
  if (status == RP_OK) status = check_point(c, G16_VEC_B1, 0, err);
  if (status == RP_OK) status = check_point(c, G16_VEC_B2, 0, err);
  if (status != RP_OK) return status;
  if (!same_logarithm(c->key->family, c->key->vector[G16_VEC_B1], c->key->vector[G16_VEC_B2]))
    return refuse_point(c, G16_VEC_B1, 0, "does not belong to that of B2", err);
  return RP_OK;
}

static rp_status check_verification_part(const checker *c, rp_error *err) {
  const g16_vkey *vk = &c->key->vk;
  const uint32_t g1 = g16_g1_bytes(vk->family), g2 = g16_g2_bytes(vk->family), fq = vk->family->fq_bytes;
  if (!is_reduced((const uint8_t *)&vk->alpha_1, g1, c->q, fq) ||
      !is_reduced((const uint8_t *)&vk->beta_2, g2, c->q, fq) ||
      !is_reduced((const uint8_t *)&vk->gamma_2, g2, c->q, fq) ||
      !is_reduced((const uint8_t *)&vk->delta_2, g2, c->q, fq) || !is_reduced(vk->ic, g16_vkey_ic_bytes(vk), c->q, fq))
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: the key is damaged: a coordinate of its verification part is not below the prime q.",
                        c->name);
  return g16_vkey_check(c->name, vk, err);
}

rp_status g16_key_check_blinding(const char *name, const rp_groth16_key *key, rp_error *err) {
  const checker c = {.name = name,
                     .key = key,
                     .q = rp_field_get(key->family->fq)->modulus_le,
                     .s = key->info.n_vars,
                     .r = key->info.n_vars + 1};
  rp_status status = key->vk.ic ? check_verification_part(&c, err) : RP_OK;
  if (status == RP_OK) status = check_delta(&c, err);
  if (status == RP_OK) status = check_wire_0(&c, err);
  if (status == RP_OK) status = check_supports(&c, err);
  if (status == RP_OK) status = check_empty_places(&c, err);
  return status;
}

typedef struct range_check {
  const char *name, *what;
  const uint8_t *values, *modulus;
  uint32_t size;
} range_check;

static rp_status check_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const range_check *r = arg;
  (void)part;
  if (is_reduced(r->values + first * r->size, n * r->size, r->modulus, r->size)) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT, "%s: the key is damaged: %s.", r->name, r->what);
}

static rp_status check_values(range_check *r, uint64_t n, rp_error *err) {
  if (!n) return RP_OK; /* there is no array: keys of gnark have no matrices */
  return support_parallel(NULL, support_parts(NULL, n, GRAIN, MAX_PARTS), n, check_range, r, err);
}

rp_status g16_key_check_reduced(const char *name, const rp_groth16_key *key, rp_error *err) {
  range_check r = {.name = name,
                   .what = "a coordinate is not below the prime q",
                   .modulus = rp_field_get(key->family->fq)->modulus_le,
                   .size = key->family->fq_bytes};
  rp_status status = RP_OK;
  for (int v = 0; v < G16_VECTORS && status == RP_OK; v++) {
    r.values = key->vector[v];
    status = check_values(&r, g16_vector_len(key, (g16_vector)v) * (v == G16_VEC_B2 ? 4 : 2), err);
  }
  r.what = "a coefficient is not below the group order r";
  r.modulus = rp_field_get(key->family->fr)->modulus_le;
  r.size = key->family->fr_bytes;
  for (int m = 0; m < 2 && status == RP_OK; m++) {
    const g16_csr *csr = m == 0 ? &key->a : &key->b;
    r.values = csr->value;
    status = check_values(&r, csr->nnz, err);
  }
  return status;
}
