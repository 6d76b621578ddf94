/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The arrays of points, read in blocks, each of which is checked while it is in the cache.
 */
#include "zkey.h"

#include "formats/fail.h"
#include "formats/memory.h"
#include "threads/parallel.h"

#include <inttypes.h>

enum { BLOCK_BYTES = 192 * 1024, MAX_PARTS = 256, GRAIN = 4096 };

typedef struct reader {
  const g16_zkey *zkey;
  g16_points_id id;
  uint32_t checks, bytes, fq_bytes;
  const uint8_t *q;
  const rp_curve_host *curve;
} reader;

static reader make_reader(const g16_zkey *zkey, g16_points_id id, uint32_t checks) {
  return (reader){.zkey = zkey,
                  .id = id,
                  .checks = checks,
                  .bytes = g16_points_bytes(zkey, id),
                  .fq_bytes = zkey->family->fq_bytes,
                  .q = rp_field_get(zkey->family->fq)->modulus_le,
                  .curve = rp_curve_get(g16_points_curve(zkey, id))};
}

static rp_status refuse(const reader *r, uint64_t index, const char *why, rp_error *err) {
  const g16_section *section = &r->zkey->bin.section[r->id];
  return support_fail(err, RP_ERR_FORMAT, "%s: section %d (%s), point %" PRIu64 " at byte %" PRIu64 ": %s.",
                      support_file_name(r->zkey->bin.file), (int)r->id, g16_points_name(r->id), index,
                      section->offset + index * r->bytes, why);
}

static rp_status check_points(const reader *r, const uint8_t *points, uint64_t first, uint64_t n, rp_error *err) {
  for (uint64_t i = 0; i < n; i++) {
    const uint8_t *point = points + i * r->bytes;
    for (uint32_t at = 0; at < r->bytes; at += r->fq_bytes)
      if (!g16_below(point + at, r->q, r->fq_bytes))
        return refuse(r, first + i, "a coordinate is not below the prime q", err);
    if (!r->checks) continue;
    g16_g2 aligned;
    memcpy(&aligned, point, r->bytes);
    if (!r->curve->on_curve(&aligned)) return refuse(r, first + i, "it is not on the curve", err);
    if ((r->checks & G16_CHECK_SUBGROUP) && !r->curve->in_subgroup(&aligned))
      return refuse(r, first + i, "it is not in the subgroup", err);
  }
  return RP_OK;
}

rp_status g16_points_check(const g16_zkey *zkey, g16_points_id id, uint64_t first, uint64_t n, const uint8_t *points,
                           rp_error *err) {
  const reader r = make_reader(zkey, id, 0);
  support_file_reached(zkey->bin.file, zkey->bin.section[id].offset + (first + n) * r.bytes);
  return check_points(&r, points, first, n, err);
}

rp_status g16_points_read(const g16_zkey *zkey, g16_points_id id, uint64_t first, uint64_t n, uint32_t checks,
                          void *out, rp_error *err) {
  uint64_t count = g16_points_count(zkey, id);
  if (first > count || n > count - first)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: section %d (%s) has %" PRIu64 " points only.",
                        support_file_name(zkey->bin.file), (int)id, g16_points_name(id), count);
  reader r = make_reader(zkey, id, checks);
  uint64_t block = BLOCK_BYTES / r.bytes;
  uint8_t *to = out;
  for (uint64_t done = 0; done < n;) {
    uint64_t part = n - done < block ? n - done : block;
    rp_status status = g16_section_read(&zkey->bin, id, (first + done) * r.bytes, part * r.bytes, to, err);
    if (status == RP_OK) status = check_points(&r, to, first + done, part, err);
    if (status != RP_OK) return status;
    done += part;
    to += part * r.bytes;
  }
  return RP_OK;
}

typedef struct compaction {
  reader r;
  g16_points *out;          /* NULL: count only */
  uint64_t kept[MAX_PARTS]; /* by range: how many points are finite */
} compaction;

static rp_status compact_block(compaction *c, const uint8_t *points, uint64_t first, uint64_t n, uint64_t *slot,
                               uint64_t end, rp_error *err) {
  uint32_t bytes = c->r.bytes;
  for (uint64_t i = 0; i < n; i++) {
    const uint8_t *point = points + i * bytes;
    if (g16_is_infinity(point, bytes)) continue;
    if (c->out) {
      if (*slot == end) return refuse(&c->r, first + i, "the file was changed while it was read", err);
      memcpy(c->out->point + *slot * bytes, point, bytes);
      c->out->index[*slot] = (uint32_t)(first + i);
    }
    ++*slot;
  }
  return RP_OK;
}

/* Counts the finite points of a range, or copies them after those of the ranges before. */
static rp_status compact_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  compaction *c = arg;
  const reader *r = &c->r;
  uint64_t slot = 0, end = 0, block = BLOCK_BYTES / r->bytes;
  if (c->out) {
    for (uint32_t i = 0; i < part; i++) slot += c->kept[i];
    end = slot + c->kept[part];
  }
  uint8_t *scratch = malloc(BLOCK_BYTES);
  if (!scratch) return support_fail(err, RP_ERR_MEMORY, "Out of memory: %d bytes.", BLOCK_BYTES);
  rp_status status = RP_OK;
  for (uint64_t done = 0; done < n && status == RP_OK;) {
    uint64_t size = n - done < block ? n - done : block;
    const uint8_t *points;
    status = support_file_peek(r->zkey->bin.file, r->zkey->bin.section[r->id].offset + (first + done) * r->bytes,
                               size * r->bytes, scratch, &points, err);
    if (status == RP_OK && c->out) status = check_points(r, points, first + done, size, err);
    if (status == RP_OK) status = compact_block(c, points, first + done, size, &slot, end, err);
    done += size;
  }
  free(scratch);
  if (status == RP_OK && c->out && slot != end)
    status = refuse(r, first, "the file was changed while it was read", err);
  if (!c->out) c->kept[part] = slot;
  return status;
}

static rp_status points_alloc(const g16_zkey *zkey, const rp_allocator *allocator, uint64_t bytes, g16_points *points,
                              rp_error *err) {
  if (points->n == 0) return RP_OK;
  points->point_bytes = points->n * bytes;
  points->index_bytes = points->n * sizeof *points->index;
  points->point = g16_alloc(allocator, &points->point_bytes);
  points->index = g16_alloc(allocator, &points->index_bytes);
  if (points->point && points->index) return RP_OK;
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " bytes for points.",
                      support_file_name(zkey->bin.file), points->point_bytes + points->index_bytes);
}

rp_status g16_points_load(const g16_zkey *zkey, g16_points_id id, const g16_load *load, g16_points *points,
                          rp_error *err) {
  static const g16_load plain = {0};
  if (!load) load = &plain;
  *points = (g16_points){0};
  uint64_t count = g16_points_count(zkey, id);
  uint32_t parts = support_parts(load->executor, count, GRAIN, MAX_PARTS);
  compaction c = {.r = make_reader(zkey, id, load->checks)};
  rp_status status = support_parallel(load->executor, parts, count, compact_range, &c, err);
  if (status != RP_OK) return status;
  for (uint32_t i = 0; i < parts; i++) points->n += c.kept[i];
  c.out = points;
  status = points_alloc(zkey, load->allocator, c.r.bytes, points, err);
  if (status == RP_OK) status = support_parallel(load->executor, parts, count, compact_range, &c, err);
  if (status != RP_OK) g16_points_free(points, load->allocator);
  return status;
}

void g16_points_free(g16_points *points, const rp_allocator *allocator) {
  g16_free(allocator, points->point, points->point_bytes);
  g16_free(allocator, points->index, points->index_bytes);
  *points = (g16_points){0};
}
