/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "prerecorded_gnark.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GRAIN = 1 << 8, MOST_PARTS = 256, WORD = 32 };

uint64_t g16_file_commitment_bytes(const g16_family *family, const g16_file_array *table, uint32_t id) {
  const uint32_t which = (id - G16_FILE_COMMITMENTS) % 3;
  const uint64_t bytes = table[id - which].size_bytes, n = bytes / sizeof(uint32_t);
  if (bytes % sizeof(uint32_t) != 0 || n == 0 || n >= UINT32_MAX) return UINT64_MAX;
  return which == 0 ? bytes : n * g16_g1_bytes(family);
}

/* The file is only read. */
static void *array(const g16_file_arrays *a, uint32_t id) { return (void *)(uintptr_t)a->at[id]; }

void g16_prerecorded_set_gnark(rp_groth16_key *key, const g16_file_arrays *a) {
  const g16_file_header *header = &a->header;
  const uint32_t *challenge = array(a, G16_FILE_CHALLENGES);
  key->largest_shift = 0; /* the coset is the one of the file, whatever the domain */
  key->info.gnark = 1;
  key->info.n_commitments = header->n_commitments;
  key->root = (rp_root)header->root;
  memcpy(key->shift, header->shift, sizeof key->shift);
  key->vk.n_commitments = header->n_commitments;
  key->vk.commitment = array(a, G16_FILE_COMMITMENT_KEYS);
  key->vk.committed = array(a, G16_FILE_COMMITTED);
  for (uint32_t i = 0; i < header->n_commitments; i++) {
    const uint32_t id = G16_FILE_COMMITMENTS + 3 * i;
    key->commitment[i] = (g16_key_commitment){.n = a->table[id].size_bytes / sizeof(uint32_t),
                                              .wires = array(a, id),
                                              .basis = array(a, id + 1),
                                              .basis_sigma = array(a, id + 2),
                                              .challenge = challenge[i]};
  }
}

static rp_status damaged(const char *name, const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT, "%s: the recorded key is damaged: %s.", name, why);
}

/* ---- Domain ------------------------------------------------------------------------------------------------------ */

static rp_status check_domain(const char *name, const rp_groth16_key *key, rp_error *err) {
  const rp_field_host *fr = rp_field_get(key->family->fr);
  uint64_t root[4], power[4], one[4];
  if (key->root <= RP_ROOT_NONE || key->root > RP_ROOT_ARKWORKS || !fr->root(root, key->root, key->log_domain))
    return damaged(name, "its root of unity is none of the domain", err);
  memcpy(power, key->shift, sizeof power);
  if (!fr->from_canonical(power, power) || fr->is_zero(power))
    return damaged(name, "the shift of its coset is no element of the field", err);
  fr->one(one);
  for (uint32_t i = 0; i < key->log_domain; i++) fr->sqr(power, power);
  return fr->equal(power, one) ? damaged(name, "its coset is the domain itself", err) : RP_OK;
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

typedef struct points {
  const char *name;
  const rp_groth16_key *key;
  rp_curve curve;
  const uint8_t *at;
} points;

static const char *objection(const points *p, const uint8_t *point) {
  const rp_curve_host *curve = rp_curve_get(p->curve);
  const uint32_t fq = p->key->family->fq_bytes;
  const uint8_t *q = rp_field_get(p->key->family->fq)->modulus_le;
  for (uint32_t i = 0; i < curve->affine_bytes; i += fq)
    if (!g16_below(point + i, q, fq)) return "a coordinate of its commitments is not below the prime q";
  if (!curve->on_curve(point)) return "a point of its commitments is not on the curve";
  return curve->in_subgroup(point) ? NULL : "a point of its commitments is not in the subgroup";
}

static rp_status check_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const points *p = arg;
  const uint32_t bytes = rp_curve_get(p->curve)->affine_bytes;
  (void)part;
  for (uint64_t i = first; i < first + n; i++) {
    const char *why = objection(p, p->at + i * bytes);
    if (why) return damaged(p->name, why, err);
  }
  return RP_OK;
}

static rp_status check_points(const char *name, const rp_groth16_key *key, const uint8_t *at, uint64_t n,
                              rp_error *err) {
  points p = {.name = name, .key = key, .curve = key->family->g1, .at = at};
  return support_parallel(NULL, support_parts(NULL, n, GRAIN, MOST_PARTS), n, check_range, &p, err);
}

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

/* Marks the wire, which must be private, not marked before, and without a point of C. */
static bool take_wire(const rp_groth16_key *key, uint32_t wire, uint8_t *taken) {
  const uint32_t bytes = g16_g1_bytes(key->family);
  if (wire <= key->info.n_public || wire >= key->info.n_vars || taken[wire]) return 0;
  taken[wire] = 1;
  return g16_is_infinity(key->vector[G16_VEC_C] + (uint64_t)wire * bytes, bytes) &&
         !(key->support[G16_SUP_C][wire / WORD] >> wire % WORD & 1);
}

static rp_status check_wires(const char *name, const rp_groth16_key *key, rp_error *err) {
  uint8_t *taken = calloc(key->info.n_vars, 1); /* at most as long as a vector of the file */
  bool good = 1;
  if (!taken) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for the wires of commitments.", name);
  for (uint32_t i = 0; i < key->info.n_commitments; i++) {
    const g16_key_commitment *c = &key->commitment[i];
    good = good && take_wire(key, c->challenge, taken);
    for (uint64_t k = 0; k < c->n && good; k++) good = take_wire(key, c->wires[k], taken);
  }
  free(taken);
  return good ? RP_OK : damaged(name, "a commitment takes a wire that it must not", err);
}

/* As g16_gnark_vkey_read. */
static rp_status check_key(const char *name, const rp_groth16_key *key, uint32_t i, uint64_t n_committed,
                           rp_error *err) {
  const g16_commitment_key *c = &key->vk.commitment[i];
  const rp_curve_host *g2 = rp_curve_get(key->family->g2);
  const points p = {.name = name, .key = key, .curve = key->family->g2};
  if (c->first > n_committed || c->n > n_committed - c->first)
    return damaged(name, "a commitment hashes values that are not there", err);
  for (uint64_t k = 0; k < c->n; k++) {
    const uint64_t index = key->vk.committed[c->first + k];
    if (index == 0 || index > key->info.n_public + i)
      return damaged(name, "a commitment hashes a value that is not known before it", err);
  }
  const char *why = objection(&p, (const uint8_t *)&c->g);
  if (!why) why = objection(&p, (const uint8_t *)&c->g_sigma_neg);
  if (!why && (g2->is_identity(&c->g) || g2->is_identity(&c->g_sigma_neg)))
    why = "a point of its commitment keys is at infinity";
  if (!why && memcmp(&c->g, &key->vk.commitment[0].g, sizeof c->g) != 0)
    why = "its commitment keys have different points G";
  return why ? damaged(name, why, err) : RP_OK;
}

rp_status g16_prerecorded_check_gnark(const char *name, const rp_groth16_key *key, uint64_t n_committed,
                                      rp_error *err) {
  rp_status status = check_domain(name, key, err);
  if (status == RP_OK) status = check_wires(name, key, err);
  for (uint32_t i = 0; i < key->info.n_commitments && status == RP_OK; i++) {
    const g16_key_commitment *c = &key->commitment[i];
    status = check_key(name, key, i, n_committed, err);
    if (status == RP_OK) status = check_points(name, key, c->basis, c->n, err);
    if (status == RP_OK) status = check_points(name, key, c->basis_sigma, c->n, err);
  }
  return status;
}
