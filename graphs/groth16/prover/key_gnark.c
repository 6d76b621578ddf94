/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key from a proving key of gnark: points are put into vectors by wire; the file has them one after another, without
 * those at infinity. The points of Z belong to coefficients in bit-reversed order, the order in which the graph's last
 * transform gives them, so they are used as they are.
 */
#include "key_unread.h"

#include "formats/fail.h"
#include "threads/parallel.h"
#include "groth16/formats/gnark_map.h"
#include "groth16/formats/gnark_pkey.h"
#include "groth16/verify/verify.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_PARTS = 256, WORD = 32, BLOCK = 32 * WORD, GRAIN_BLOCKS = 4 };

/* Copies the points of an array to the wires that have one. */
typedef struct scatter {
  const g16_gnark_pkey *pkey;
  const g16_gnark_array *array;
  const uint8_t *absent; /* one byte per wire: 1 if it has no point */
  const uint64_t *first; /* per block of wires: number of points of the wires before it */
  uint64_t n_wires;
  uint32_t checks, bytes;
  uint8_t *vector;
  uint32_t *support; /* or'ed into */
  uint64_t infinities[MAX_PARTS];
} scatter;

static rp_status scatter_block(scatter *s, uint32_t part, uint64_t block, uint8_t *scratch, rp_error *err) {
  const uint64_t begin = block * BLOCK, end = begin + BLOCK < s->n_wires ? begin + BLOCK : s->n_wires;
  const uint64_t n = end - begin - g16_map_count(s->absent + begin, end - begin);
  rp_status status = g16_gnark_points_read(s->pkey, s->array, s->first[block], n, s->checks, scratch, err);
  for (uint64_t w = begin, i = 0; w < end && status == RP_OK; w++) {
    uint8_t *to = s->vector + w * s->bytes;
    const uint8_t *from = scratch + i * s->bytes;
    const bool absent = s->absent[w] || g16_is_infinity(from, s->bytes);
    if (absent)
      memset(to, 0, s->bytes);
    else
      memcpy(to, from, s->bytes);
    i += !s->absent[w];
    s->infinities[part] += (uint64_t)absent;
    if (!absent) s->support[w / WORD] |= 1u << w % WORD;
  }
  return status;
}

static rp_status scatter_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  scatter *s = arg;
  const uint64_t room = (uint64_t)BLOCK * s->bytes;
  uint8_t *scratch = aligned_alloc(64, room);
  if (!scratch) return support_fail(err, RP_ERR_MEMORY, "Out of memory: %" PRIu64 " bytes.", room);
  rp_status status = RP_OK;
  for (uint64_t b = first; b < first + n && status == RP_OK; b++) status = scatter_block(s, part, b, scratch, err);
  free(scratch);
  return status;
}

static rp_status no_memory(const g16_gnark_pkey *pkey, uint64_t bytes, rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " bytes for points.",
                      support_file_name(pkey->file), bytes);
}

/* The vector has two more entries, for the blinding values. */
static rp_status load_vector(rp_groth16_key *key, const g16_gnark_pkey *pkey, g16_vector which, g16_gnark_array_id id,
                             const uint8_t *absent, uint32_t checks, uint32_t *support, rp_error *err) {
  scatter s = {.pkey = pkey,
               .array = &pkey->array[id],
               .absent = absent,
               .n_wires = pkey->n_wires,
               .checks = checks,
               .bytes = g16_vector_point_bytes(key, which),
               .support = support};
  const uint64_t blocks = (s.n_wires + BLOCK - 1) / BLOCK, len = g16_vector_len(key, which);
  uint64_t *first = malloc((blocks + 1) * sizeof *first), n = 0;
  s.vector = g16_key_alloc(key, len * s.bytes);
  if (!first || !s.vector) {
    free(first);
    return no_memory(pkey, len * s.bytes, err);
  }
  for (uint64_t b = 0, w = 0, end; w < s.n_wires; w = end) {
    end = w + BLOCK < s.n_wires ? w + BLOCK : s.n_wires;
    first[b++] = n;
    n += end - w - g16_map_count(absent + w, end - w);
  }
  s.first = first;
  const uint32_t parts = support_parts(NULL, blocks, GRAIN_BLOCKS, MAX_PARTS);
  rp_status status = support_parallel(NULL, parts, blocks, scatter_range, &s, err);
  free(first);
  if (status != RP_OK) return status;
  memset(s.vector + s.n_wires * s.bytes, 0, (len - s.n_wires) * s.bytes);
  key->vector[which] = s.vector;
  for (uint32_t i = 0; i < parts; i++) key->info.infinities[which] += s.infinities[i];
  return RP_OK;
}

/* ---- Points that stand for themselves ---------------------------------------------------------------------------- */

typedef struct plain {
  const g16_gnark_pkey *pkey;
  const g16_gnark_array *array;
  uint32_t checks, bytes;
  uint8_t *to;
} plain;

static rp_status plain_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const plain *p = arg;
  (void)part;
  return g16_gnark_points_read(p->pkey, p->array, first, n, p->checks, p->to + first * p->bytes, err);
}

/* Loads an array of G1 as it is, followed by `more` points at infinity. NULL, with a status, on failure. */
static const uint8_t *load_plain(rp_groth16_key *key, const g16_gnark_pkey *pkey, const g16_gnark_array *array,
                                 uint32_t checks, uint64_t more, rp_status *status, rp_error *err) {
  plain p = {.pkey = pkey, .array = array, .checks = checks, .bytes = g16_g1_bytes(key->family)};
  p.to = g16_key_alloc(key, (array->n + more) * p.bytes);
  if (!p.to) {
    *status = no_memory(pkey, (array->n + more) * p.bytes, err);
    return NULL;
  }
  memset(p.to + array->n * p.bytes, 0, more * p.bytes);
  *status = support_parallel(NULL, support_parts(NULL, array->n, BLOCK, MAX_PARTS), array->n, plain_range, &p, err);
  return p.to;
}

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

static rp_status take_wire(const g16_gnark_pkey *pkey, uint32_t i, uint32_t wire, uint8_t *absent, rp_error *err) {
  const char *name = support_file_name(pkey->file);
  if (wire <= pkey->n_public || wire >= pkey->n_wires)
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s: commitment %" PRIu32 " takes wire %" PRIu32 ", which is not a private one of %" PRIu64 ".",
                        name, i, wire, pkey->n_wires);
  if (absent[wire])
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s: commitment %" PRIu32 " takes wire %" PRIu32 ", which is taken twice.", name, i, wire);
  absent[wire] = 1;
  return RP_OK;
}

static rp_status load_commitment(rp_groth16_key *key, const g16_gnark_pkey *pkey, uint32_t i,
                                 const rp_gnark_commitment *c, uint8_t *absent, rp_error *err) {
  const char *name = support_file_name(pkey->file);
  g16_key_commitment *to = &key->commitment[i];
  if (c->n_wires == 0 || c->n_wires != pkey->basis[i].n || !c->wires)
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s: commitment %" PRIu32 " takes %" PRIu64 " wires, at least one, and %zu are given.", name, i,
                        pkey->basis[i].n, c->n_wires);
  uint32_t *wires = g16_key_alloc(key, c->n_wires * sizeof *wires);
  if (!wires) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for the wires of a commitment.", name);
  memcpy(wires, c->wires, c->n_wires * sizeof *wires);
  rp_status status = take_wire(pkey, i, c->challenge, absent, err);
  for (size_t k = 0; k < c->n_wires && status == RP_OK; k++) status = take_wire(pkey, i, wires[k], absent, err);
  *to = (g16_key_commitment){.n = c->n_wires, .wires = wires, .challenge = c->challenge};
  const uint32_t checks = G16_CHECK_CURVE | G16_CHECK_SUBGROUP;
  if (status == RP_OK) to->basis = load_plain(key, pkey, &pkey->basis[i], checks, 0, &status, err);
  if (status == RP_OK) to->basis_sigma = load_plain(key, pkey, &pkey->basis_sigma[i], checks, 0, &status, err);
  return status;
}

/* `absent` marks the wires that have no point of K. */
static rp_status load_commitments(rp_groth16_key *key, const g16_gnark_pkey *pkey,
                                  const rp_groth16_key_options *options, uint8_t *absent, rp_error *err) {
  if (options->n_commitments != pkey->n_commitments || (pkey->n_commitments != 0 && !options->commitments))
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s: has %" PRIu32 " commitments, and the wires of %" PRIu32
                        " are given: which they are is not in the file, but in the constraint system.",
                        support_file_name(pkey->file), pkey->n_commitments, options->n_commitments);
  memset(absent, 0, pkey->n_wires);
  memset(absent, 1, pkey->n_public + 1);
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < pkey->n_commitments && status == RP_OK; i++)
    status = load_commitment(key, pkey, i, &options->commitments[i], absent, err);
  return status;
}

/* ---- The key ----------------------------------------------------------------------------------------------------- */

/* Sets the verification part: the given one, or what the proving key has of it. */
static rp_status take_vkey(rp_groth16_key *key, const g16_gnark_pkey *pkey, const rp_groth16_vkey *given,
                           rp_error *err) {
  const char *name = support_file_name(pkey->file);
  if (!given) {
    key->vk = (g16_vkey){.family = pkey->family,
                         .n_public = (uint32_t)pkey->n_public,
                         .alpha_1 = pkey->alpha_1,
                         .beta_2 = pkey->beta_2,
                         .delta_2 = pkey->delta_2};
    return RP_OK;
  }
  const g16_vkey *vk = g16_vkey_points(given);
  const uint32_t g1 = g16_g1_bytes(pkey->family), g2 = g16_g2_bytes(pkey->family);
  if (vk->family != pkey->family || vk->n_public != pkey->n_public || vk->n_commitments != pkey->n_commitments ||
      memcmp(&vk->alpha_1, &pkey->alpha_1, g1) != 0 || memcmp(&vk->beta_2, &pkey->beta_2, g2) != 0 ||
      memcmp(&vk->delta_2, &pkey->delta_2, g2) != 0)
    return support_fail(err, RP_ERR_MISMATCH, "%s: the verifying key that is given is of another setup.", name);
  return g16_vkey_copy(name, vk, &key->vk, err);
}

static void describe(rp_groth16_key *key, const g16_gnark_pkey *pkey) {
  key->family = pkey->family;
  key->log_domain = pkey->log_domain;
  key->root = pkey->root;
  memcpy(key->shift, pkey->shift, sizeof key->shift);
  key->info.gnark = 1;
  key->info.g1 = pkey->family->g1;
  key->info.g2 = pkey->family->g2;
  key->info.n_vars = pkey->n_wires;
  key->info.n_public = pkey->n_public;
  key->info.domain = pkey->domain;
  key->info.n_commitments = pkey->n_commitments;
}

/* Everything but the points. */
static rp_status leave_points(rp_groth16_key *key, const g16_gnark_pkey *pkey, const rp_groth16_key_options *options,
                              rp_error *err) {
  const char *name = support_file_name(pkey->file);
  uint32_t *support[G16_SUPPORTS];
  uint8_t *absent[G16_SUPPORTS];
  if (options->check_points)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: points that stay in the file (points_in_file) are not checked.",
                        name);
  for (int i = 0; i < G16_SUPPORTS; i++)
    if (!(absent[i] = g16_key_alloc(key, pkey->n_wires)))
      return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a map.", name);
  rp_status status = take_vkey(key, pkey, options->vkey, err);
  if (status == RP_OK) status = g16_key_alloc_supports(key, name, support, err);
  if (status == RP_OK) status = g16_gnark_map_read(pkey, 0, absent[G16_SUP_A], err);
  if (status == RP_OK) status = g16_gnark_map_read(pkey, 1, absent[G16_SUP_B], err);
  if (status == RP_OK) status = load_commitments(key, pkey, options, absent[G16_SUP_C], err);
  return status == RP_OK ? g16_unread_prepare(key, pkey, absent, support, err) : status;
}

rp_status g16_key_load_gnark(rp_groth16_key *key, support_file *file, const rp_groth16_key_options *options,
                             rp_error *err) {
  g16_gnark_pkey pkey;
  rp_status status = g16_gnark_pkey_open(file, &pkey, err);
  if (status != RP_OK) return status;
  describe(key, &pkey);
  if (options->points_in_file) return leave_points(key, &pkey, options, err);
  const uint32_t checks = options->check_points ? G16_CHECK_CURVE | G16_CHECK_SUBGROUP : 0;
  uint32_t *support[G16_SUPPORTS];
  uint8_t *absent = malloc(pkey.n_wires);
  if (!absent) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a map.", support_file_name(file));
  support_file_read_ahead(file, 1);
  status = take_vkey(key, &pkey, options->vkey, err);
  if (status == RP_OK) status = g16_key_alloc_supports(key, support_file_name(file), support, err);
  if (status == RP_OK) status = g16_gnark_map_read(&pkey, 0, absent, err);
  if (status == RP_OK)
    status = load_vector(key, &pkey, G16_VEC_A, G16_GNARK_A, absent, checks, support[G16_SUP_A], err);
  if (status == RP_OK) status = g16_gnark_map_read(&pkey, 1, absent, err);
  if (status == RP_OK)
    status = load_vector(key, &pkey, G16_VEC_B1, G16_GNARK_B, absent, checks, support[G16_SUP_B], err);
  if (status == RP_OK)
    status = load_vector(key, &pkey, G16_VEC_B2, G16_GNARK_B2, absent, checks, support[G16_SUP_B], err);
  if (status == RP_OK) status = load_commitments(key, &pkey, options, absent, err);
  if (status == RP_OK)
    status = load_vector(key, &pkey, G16_VEC_C, G16_GNARK_K, absent, checks, support[G16_SUP_C], err);
  if (status == RP_OK)
    key->vector[G16_VEC_H] = load_plain(key, &pkey, &pkey.array[G16_GNARK_Z], checks, 1, &status, err);
  free(absent);
  if (status != RP_OK) return status;
  const g16_key_ends ends = {&pkey.alpha_1, &pkey.beta_1, &pkey.delta_1, &pkey.beta_2, &pkey.delta_2};
  g16_key_fold(key, &ends, support);
  return RP_OK;
}
