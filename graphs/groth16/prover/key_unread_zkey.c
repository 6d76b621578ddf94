/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The points of a zkey that stay in the file: they lie there as a device needs them. When the key is opened, those of
 * wires are only looked at, for the bitmaps of the supports.
 */
#include "key_unread.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_PARTS = 256, WORD = 32 };

static const g16_points_id ids[G16_VECTORS] = {G16_A, G16_B1, G16_B2, G16_C, G16_H};

/* The first entry of a vector that is in the file; those before it are infinity. */
static uint64_t offset_of(const rp_groth16_key *key, g16_vector v) {
  return v == G16_VEC_C ? key->info.n_public + 1 : 0;
}

rp_status g16_unread_read_zkey(const rp_groth16_key *key, g16_vector v, uint64_t begin, uint64_t end, uint8_t *scratch,
                               uint8_t *to, rp_error *err) {
  const uint32_t bytes = g16_vector_point_bytes(key, v);
  const uint64_t offset = offset_of(key, v), from = begin > offset ? begin : offset < end ? offset : end;
  const rp_status status =
      from < end ? g16_points_read(&key->unread->zkey, ids[v], from - offset, end - from, 0, scratch, err) : RP_OK;
  if (status != RP_OK) return status;
  memset(to, 0, (from - begin) * bytes);
  memcpy(to + (from - begin) * bytes, scratch, (end - from) * bytes);
  return RP_OK;
}

/* ---- Supports ---------------------------------------------------------------------------------------------------- */

typedef struct scan {
  const rp_groth16_key *key;
  g16_vector v;
  uint32_t *support;
  uint64_t infinities[MAX_PARTS]; /* by part */
} scan;

static rp_status scan_block(scan *s, uint32_t part, uint64_t begin, uint64_t end, uint8_t *points, rp_error *err) {
  const uint32_t bytes = g16_vector_point_bytes(s->key, s->v);
  const uint64_t offset = offset_of(s->key, s->v);
  if (begin < offset) begin = offset < end ? offset : end;
  if (begin == end) return RP_OK;
  const rp_status status =
      g16_points_read(&s->key->unread->zkey, ids[s->v], begin - offset, end - begin, 0, points, err);
  for (uint64_t w = begin; w < end && status == RP_OK; w++) {
    const bool infinity = g16_is_infinity(points + (w - begin) * bytes, bytes);
    s->infinities[part] += infinity;
    s->support[w / WORD] |= (uint32_t)!infinity << w % WORD;
  }
  return status;
}

/* One thread has whole blocks, and so whole words of the support. */
static rp_status scan_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  scan *s = arg;
  uint8_t *points = aligned_alloc(64, (size_t)G16_UNREAD_BLOCK * g16_vector_point_bytes(s->key, s->v));
  if (!points) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a block of points.");
  rp_status status = RP_OK;
  for (uint64_t block = first; block < first + n && status == RP_OK; block++) {
    const uint64_t begin = block * G16_UNREAD_BLOCK, end = begin + G16_UNREAD_BLOCK, last = s->key->info.n_vars;
    status = scan_block(s, part, begin, end < last ? end : last, points, err);
  }
  free(points);
  return status;
}

static rp_status scan_vector(rp_groth16_key *key, g16_vector v, uint32_t *support, rp_error *err) {
  scan s = {.key = key, .v = v, .support = support};
  const uint64_t blocks = (key->info.n_vars + G16_UNREAD_BLOCK - 1) / G16_UNREAD_BLOCK;
  const uint32_t parts = support_parts(NULL, blocks, 1, MAX_PARTS);
  rp_status status = support_parallel(NULL, parts, blocks, scan_range, &s, err);
  for (uint32_t i = 0; i < parts && status == RP_OK; i++) key->info.infinities[v] += s.infinities[i];
  if (status == RP_OK && offset_of(key, v) == 0)
    status = g16_points_read(&key->unread->zkey, ids[v], 0, 1, 0, &key->unread->vector[v].ends[G16_END_FIRST], err);
  return status;
}

rp_status g16_unread_prepare_zkey(rp_groth16_key *key, const g16_zkey *zkey, uint32_t *support[G16_SUPPORTS],
                                  rp_error *err) {
  static const struct {
    g16_vector v;
    g16_support of;
  } parts[] = {{G16_VEC_A, G16_SUP_A}, {G16_VEC_B1, G16_SUP_B}, {G16_VEC_B2, G16_SUP_B}, {G16_VEC_C, G16_SUP_C}};
  key->unread = g16_key_alloc(key, sizeof *key->unread);
  if (!key->unread)
    return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a key.", support_file_name(zkey->bin.file));
  *key->unread = (struct g16_unread){.of_zkey = 1, .zkey = *zkey};
  rp_status status = RP_OK;
  for (int i = 0; i < 4 && status == RP_OK; i++) status = scan_vector(key, parts[i].v, support[parts[i].of], err);
  if (status != RP_OK) return status;
  const g16_key_ends ends = {&zkey->alpha_1, &zkey->beta_1, &zkey->delta_1, &zkey->beta_2, &zkey->delta_2};
  g16_key_fold(key, &ends, support);
  return RP_OK;
}
