/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key_unread.h"

#include "formats/fail.h"
#include "groth16/formats/gnark_map.h"

#include <reprise/op.h>
#include <reprise/source.h>

#include <inttypes.h>
#include <stdlib.h>

enum { WORD = 32 };

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* What a constant keeps. */
typedef struct points {
  rp_groth16_key *key;
  g16_vector v;
  uint64_t first;
} points;

static uint64_t count_present(const g16_unread_vector *u, uint64_t begin, uint64_t end) {
  return end - begin - g16_map_count(u->absent + begin, end - begin);
}

/* Entries [begin, end) of one block, which are wires. */
static rp_status read_wires(const points *p, uint64_t begin, uint64_t end, uint8_t *scratch, uint8_t *to,
                            rp_error *err) {
  const g16_unread_vector *u = &p->key->unread->vector[p->v];
  const uint32_t bytes = g16_vector_point_bytes(p->key, p->v);
  const uint64_t block = begin / G16_UNREAD_BLOCK;
  const uint64_t at = u->before[block] + count_present(u, block * G16_UNREAD_BLOCK, begin);
  const rp_status status =
      g16_gnark_points_read(&p->key->unread->pkey, u->array, at, count_present(u, begin, end), 0, scratch, err);
  const uint8_t *from = scratch;
  for (uint64_t w = begin; w < end && status == RP_OK; w++, to += bytes) {
    if (u->absent[w]) {
      memset(to, 0, bytes);
    } else {
      memcpy(to, from, bytes);
      from += bytes;
    }
  }
  return status;
}

/* The same of H, whose last entry is infinity. */
static rp_status read_plain(const points *p, uint64_t begin, uint64_t end, uint8_t *scratch, uint8_t *to,
                            rp_error *err) {
  const g16_unread_vector *u = &p->key->unread->vector[p->v];
  const uint64_t last = end < u->array->n ? end : u->array->n, n = last > begin ? last - begin : 0;
  const uint32_t bytes = g16_vector_point_bytes(p->key, p->v);
  const rp_status status = g16_gnark_points_read(&p->key->unread->pkey, u->array, begin, n, 0, scratch, err);
  if (status != RP_OK) return status;
  memcpy(to, scratch, n * bytes);
  memset(to + n * bytes, 0, (end - begin - n) * bytes);
  return RP_OK;
}

/* Sets the entries that are not in the file. */
static void put_ends(const points *p, uint64_t begin, uint64_t end, uint8_t *to) {
  const uint64_t s = p->key->info.n_vars, at[] = {[G16_END_FIRST] = 0, [G16_END_S] = s, [G16_END_R] = s + 1};
  const uint32_t bytes = g16_vector_point_bytes(p->key, p->v);
  for (int i = 0; i < G16_ENDS; i++)
    if (at[i] >= begin && at[i] < end)
      memcpy(to + (at[i] - begin) * bytes, &p->key->unread->vector[p->v].ends[i], bytes);
}

/* Block by block, so that what is checked is still in the cache when it is copied. */
static rp_status read_entries(const points *p, uint64_t begin, uint64_t end, uint8_t *to, rp_error *err) {
  const uint32_t bytes = g16_vector_point_bytes(p->key, p->v);
  const uint64_t n_wires = p->v == G16_VEC_H ? UINT64_MAX : p->key->info.n_vars;
  uint8_t *scratch = aligned_alloc(64, (size_t)G16_UNREAD_BLOCK * bytes);
  if (!scratch) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a block of points.");
  rp_status status = RP_OK;
  for (uint64_t next; begin < end && status == RP_OK; to += (next - begin) * bytes, begin = next) {
    next = (begin / G16_UNREAD_BLOCK + 1) * G16_UNREAD_BLOCK;
    if (next > end) next = end;
    if (begin < n_wires && next > n_wires) next = n_wires;
    if (p->key->unread->of_zkey && begin < n_wires)
      status = g16_unread_read_zkey(p->key, p->v, begin, next, scratch, to, err);
    else if (p->v == G16_VEC_H)
      status = read_plain(p, begin, next, scratch, to, err);
    else if (begin < n_wires)
      status = read_wires(p, begin, next, scratch, to, err);
    if (p->v != G16_VEC_H && status == RP_OK) put_ends(p, begin, next, to);
  }
  free(scratch);
  return status;
}

static rp_status read_source(void *user, uint64_t offset, uint64_t size, void *to, rp_error *err) {
  const points *p = user;
  const uint32_t bytes = g16_vector_point_bytes(p->key, p->v);
  const uint64_t begin = p->first + offset / bytes;
  return read_entries(p, begin, begin + size / bytes, to, err);
}

/* Of a constant for which there was no memory: the prover's error says so. */
static rp_status read_without_memory(void *user, uint64_t offset, uint64_t size, void *to, rp_error *err) {
  (void)user, (void)offset, (void)size, (void)to;
  return support_fail(err, RP_ERR_MEMORY, "Out of memory for a prover.");
}

static void release(void *object) {
  points *p = object;
  rp_groth16_key_close(p->key);
  free(p);
}

/* Provers of one key have equal constants, which the key identifies as long as a graph keeps it. */
static void identify(const points *p, rp_constant_source *source) {
  const uint64_t words[3] = {(uint64_t)(uintptr_t)p->key, (uint64_t)p->v, p->first};
  source->has_digest = 1;
  memcpy(source->digest, words, sizeof words);
}

rp_value g16_unread_constant(rp_graph *graph, const rp_groth16_key *key, const char *name, g16_vector v, uint64_t first,
                             uint64_t n) {
  points *p = malloc(sizeof *p);
  if (p) *p = (points){.key = g16_key_ref((rp_groth16_key *)key), .v = v, .first = first};
  rp_constant_source source = {.struct_size = sizeof source, .read = read_source, .user = p};
  if (p && rp_graph_keep(graph, p, release, NULL) != RP_OK) {
    release(p);
    p = NULL;
  }
  if (p)
    identify(p, &source);
  else
    source.read = read_without_memory;
  return rp_graph_constant_from(graph, name, rp_type_affine(g16_vector_curve(key, v)), n, &source);
}

/* ---- Preparing --------------------------------------------------------------------------------------------------- */

static rp_status no_memory(const g16_gnark_pkey *pkey, rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a map.", support_file_name(pkey->file));
}

/* The point of wire 0, or infinity. */
static rp_status read_first(const g16_gnark_pkey *pkey, const g16_unread_vector *u, rp_error *err) {
  return u->absent[0] ? RP_OK : g16_gnark_points_read(pkey, u->array, 0, 1, 0, (void *)&u->ends[G16_END_FIRST], err);
}

static rp_status prepare_vector(rp_groth16_key *key, g16_vector v, g16_gnark_array_id id, const uint8_t *absent,
                                rp_error *err) {
  const g16_gnark_pkey *pkey = &key->unread->pkey;
  g16_unread_vector *u = &key->unread->vector[v];
  const uint64_t n = key->info.n_vars, blocks = n / G16_UNREAD_BLOCK + 1;
  uint64_t *before = g16_key_alloc(key, blocks * sizeof *before), present = 0;
  if (!before) return no_memory(pkey, err);
  *u = (g16_unread_vector){.array = &pkey->array[id], .absent = absent, .before = before};
  for (uint64_t b = 0, w = 0, end; w < n; w = end) {
    end = w + G16_UNREAD_BLOCK < n ? w + G16_UNREAD_BLOCK : n;
    before[b++] = present;
    present += count_present(u, w, end);
  }
  key->info.infinities[v] = n - present;
  return read_first(pkey, u, err);
}

static void mark_present(const uint8_t *absent, uint64_t n, uint32_t *support) {
  for (uint64_t w = 0; w < n; w += WORD) {
    const uint32_t here = n - w < WORD ? (uint32_t)(n - w) : WORD;
    const uint32_t mask = here < WORD ? (1u << here) - 1u : UINT32_MAX;
    support[w / WORD] |= ~g16_map_bits(absent + w, here) & mask;
  }
}

rp_status g16_unread_prepare(rp_groth16_key *key, const g16_gnark_pkey *pkey, uint8_t *const absent[G16_SUPPORTS],
                             uint32_t *support[G16_SUPPORTS], rp_error *err) {
  static const struct {
    g16_vector v;
    g16_gnark_array_id id;
    g16_support of;
  } parts[] = {{G16_VEC_A, G16_GNARK_A, G16_SUP_A},
               {G16_VEC_B1, G16_GNARK_B, G16_SUP_B},
               {G16_VEC_B2, G16_GNARK_B2, G16_SUP_B},
               {G16_VEC_C, G16_GNARK_K, G16_SUP_C}};
  key->unread = g16_key_alloc(key, sizeof *key->unread);
  if (!key->unread) return no_memory(pkey, err);
  memset(key->unread, 0, sizeof *key->unread);
  key->unread->pkey = *pkey;
  rp_status status = RP_OK;
  for (int i = 0; i < 4 && status == RP_OK; i++)
    status = prepare_vector(key, parts[i].v, parts[i].id, absent[parts[i].of], err);
  if (status != RP_OK) return status;
  key->unread->vector[G16_VEC_H] = (g16_unread_vector){.array = &key->unread->pkey.array[G16_GNARK_Z]};
  for (int i = 0; i < G16_SUPPORTS; i++) mark_present(absent[i], key->info.n_vars, support[i]);
  const g16_key_ends ends = {&pkey->alpha_1, &pkey->beta_1, &pkey->delta_1, &pkey->beta_2, &pkey->delta_2};
  g16_key_fold(key, &ends, support);
  return RP_OK;
}

rp_status g16_unread_refuse(const rp_groth16_key *key, const char *what, rp_error *err) {
  if (!key->unread) return RP_OK;
  return support_fail(
      err, RP_ERR_UNSUPPORTED,
      "%s was opened with points_in_file, so that its points are not in memory: open it without, to %s.",
      support_label(g16_key_name(key)), what);
}
