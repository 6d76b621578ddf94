/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key from a .zkey: matrices become CSR, points are put into vectors by wire, and supports follow from the points at
 * infinity.
 */
#include "key_unread.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>

enum { MAX_PARTS = 256, WORD = 32, GRAIN_WORDS = 256, BLOCK_POINTS = 32 * WORD };
/* Shorter vectors are copied, which costs less than a mapping. */
enum { LEAST_MAPPED = 1024 };

static const g16_points_id ids[G16_VECTORS] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};

typedef struct vector_load {
  const g16_zkey *zkey;
  g16_points_id id;
  uint32_t checks, point_bytes;
  uint64_t offset, count; /* the section's points begin at vector[offset] */
  uint8_t *vector;
  uint32_t *support; /* or'ed into; NULL: none, and points at infinity are not counted */
  uint64_t len;
  bool mapped; /* the points of the section are in place */
  uint64_t infinities[MAX_PARTS];
} vector_load;

/* Loads points [begin, end) of the vector, which are zero outside the section. */
static rp_status load_block(vector_load *l, uint32_t part, uint64_t begin, uint64_t end, rp_error *err) {
  uint64_t from = begin > l->offset ? begin : l->offset;
  uint64_t to = end < l->offset + l->count ? end : l->offset + l->count;
  if (from > to) from = to = begin < l->offset ? end : begin;
  memset(l->vector + begin * l->point_bytes, 0, (from - begin) * l->point_bytes);
  memset(l->vector + to * l->point_bytes, 0, (end - to) * l->point_bytes);
  if (from == to) return RP_OK;
  uint8_t *points = l->vector + from * l->point_bytes;
  const rp_status status = l->mapped
                               ? g16_points_check(l->zkey, l->id, from - l->offset, to - from, points, err)
                               : g16_points_read(l->zkey, l->id, from - l->offset, to - from, l->checks, points, err);
  for (uint64_t i = from; i < to && status == RP_OK && l->support; i++) {
    bool infinity = g16_is_infinity(l->vector + i * l->point_bytes, l->point_bytes);
    l->infinities[part] += (uint64_t)infinity;
    if (!infinity) l->support[i / WORD] |= 1u << i % WORD;
  }
  return status;
}

/* One thread has whole words of the support, so 32 points each. It works in blocks, so that a block stays in the cache
 * from the system's copy to the last access. */
static rp_status load_range(void *arg, uint32_t part, uint64_t first_word, uint64_t n_words, rp_error *err) {
  vector_load *l = arg;
  uint64_t at = first_word * WORD, end = (first_word + n_words) * WORD;
  if (end > l->len) end = l->len;
  rp_status status = RP_OK;
  for (; at < end && status == RP_OK; at += BLOCK_POINTS)
    status = load_block(l, part, at, end - at < BLOCK_POINTS ? end : at + BLOCK_POINTS, err);
  return status;
}

/* Maps the vector; its entries outside the section are written to private pages. */
static bool map_vector(vector_load *l, support_range *range) {
  const uint64_t bytes = l->point_bytes;
  if (l->len < LEAST_MAPPED) return 0;
  l->mapped = support_range_map(l->zkey->bin.file, l->zkey->bin.section[l->id].offset, l->count * bytes,
                                l->offset * bytes, (l->len - l->offset - l->count) * bytes, range);
  if (l->mapped) l->vector = range->data - l->offset * bytes;
  return l->mapped;
}

static rp_status load_vector(rp_groth16_key *key, const g16_zkey *zkey, g16_vector which, bool in_place,
                             uint32_t checks, uint32_t *support, rp_error *err) {
  vector_load l = {.zkey = zkey,
                   .id = ids[which],
                   .checks = checks,
                   .point_bytes = g16_vector_point_bytes(key, which),
                   .offset = which == G16_VEC_C ? key->info.n_public + 1 : 0,
                   .count = g16_points_count(zkey, ids[which]),
                   .support = support,
                   .len = g16_vector_len(key, which)};
  if (!in_place || !map_vector(&l, &key->mapped[which])) l.vector = g16_key_alloc(key, l.len * l.point_bytes);
  if (!l.vector)
    return support_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " bytes for points.",
                        support_file_name(zkey->bin.file), l.len * l.point_bytes);
  uint64_t words = (l.len + WORD - 1) / WORD;
  uint32_t parts = support_parts(NULL, words, GRAIN_WORDS, MAX_PARTS);
  rp_status status = support_parallel(NULL, parts, words, load_range, &l, err);
  if (status != RP_OK) return status;
  key->vector[which] = l.vector;
  if (which != G16_VEC_H)
    for (uint32_t i = 0; i < parts; i++) key->info.infinities[which] += l.infinities[i];
  return RP_OK;
}

/* The vectors in the order of their sections, which is best for a disk. */
static void file_order(const g16_zkey *zkey, g16_vector order[G16_VECTORS]) {
  for (int v = 0; v < G16_VECTORS; v++) {
    int at = v;
    for (; at > 0 && zkey->bin.section[ids[order[at - 1]]].offset > zkey->bin.section[ids[v]].offset; at--)
      order[at] = order[at - 1];
    order[at] = (g16_vector)v;
  }
}

rp_status g16_key_load_zkey(rp_groth16_key *key, support_file *file, const rp_groth16_key_options *options,
                            rp_error *err) {
  const bool check_points = options->check_points != 0, in_file = options->points_in_file != 0,
             in_place = options->points_in_place != 0;
  g16_zkey zkey;
  rp_status status = g16_zkey_open(file, &zkey, err);
  if (status != RP_OK) return status;
  if (check_points && in_file)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: points that stay in the file (points_in_file) are not checked.",
                        support_file_name(file));
  if (in_place && (check_points || in_file))
    return support_fail(err, RP_ERR_ARGUMENT,
                        "%s: points_in_place goes neither with check_points nor with points_in_file.",
                        support_file_name(file));
  support_file_read_ahead(file, 1);
  uint32_t checks = check_points ? G16_CHECK_CURVE | G16_CHECK_SUBGROUP : 0;
  key->family = zkey.family;
  g16_key_set_domain(key, zkey.log_domain);
  key->info.g1 = zkey.family->g1;
  key->info.g2 = zkey.family->g2;
  key->info.n_vars = zkey.n_vars;
  key->info.n_public = zkey.n_public;
  key->info.domain = zkey.domain_size;
  key->info.n_coefficients = zkey.n_coefs;

  uint32_t *support[G16_SUPPORTS];
  status = g16_key_alloc_supports(key, support_file_name(file), support, err);
  if (status == RP_OK) status = g16_vkey_from_zkey(&zkey, &key->vk, err);
  if (status == RP_OK)
    status = g16_csr_load(&zkey, &(g16_load){.checks = checks, .mapped = in_place}, &key->a, &key->b, err);
  if (status == RP_OK && in_file) return g16_unread_prepare_zkey(key, &zkey, support, err);
  static const int support_of[G16_VECTORS] = {G16_SUP_A, G16_SUP_B, G16_SUP_B, G16_SUP_C, -1};
  g16_vector order[G16_VECTORS];
  file_order(&zkey, order);
  for (int i = 0; i < G16_VECTORS && status == RP_OK; i++) {
    const int of = support_of[order[i]];
    status = load_vector(key, &zkey, order[i], in_place, checks, of < 0 ? NULL : support[of], err);
  }
  if (status != RP_OK) return status;
  const g16_key_ends ends = {&zkey.alpha_1, &zkey.beta_1, &zkey.delta_1, &zkey.beta_2, &zkey.delta_2};
  g16_key_fold(key, &ends, support);
  return RP_OK;
}
