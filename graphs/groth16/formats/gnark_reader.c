/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_POINT_BYTES = 192 };

/* A dump that is shorter than its first number is read from behind it. */
static uint64_t left(const g16_gnark_reader *r) {
  const uint64_t size = support_file_size(r->file);
  return r->at < size ? size - r->at : 0;
}

static void refuse(g16_gnark_reader *r, const char *what, int64_t index, uint64_t at, const char *why) {
  if (r->status != RP_OK) return;
  if (index < 0)
    r->status = support_fail(r->err, RP_ERR_FORMAT, "%s: %s at byte %" PRIu64 ": %s.", support_file_name(r->file), what,
                             at, why);
  else
    r->status = support_fail(r->err, RP_ERR_FORMAT, "%s: %s, point %" PRId64 " at byte %" PRIu64 ": %s.",
                             support_file_name(r->file), what, index, at, why);
}

void g16_gnark_wrong(g16_gnark_reader *r, const char *format, ...) {
  if (r->status != RP_OK) return;
  char why[400];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  r->status = support_fail(r->err, RP_ERR_FORMAT, "%s: %s.", support_file_name(r->file), why);
}

void g16_gnark_take(g16_gnark_reader *r, const char *what, uint32_t bytes, uint8_t *out) {
  memset(out, 0, bytes);
  if (r->status != RP_OK) return;
  if (left(r) < bytes) {
    g16_gnark_wrong(r, "is cut short: %s at byte %" PRIu64 " takes %" PRIu32 " bytes, the file has %" PRIu64 " left",
                    what, r->at, bytes, left(r));
    return;
  }
  r->status = support_file_read(r->file, r->at, bytes, out, r->err);
  r->at += bytes;
}

uint64_t g16_gnark_u64(g16_gnark_reader *r, const char *what) {
  uint8_t be[8], le[8];
  g16_gnark_take(r, what, sizeof be, be);
  g16_gnark_reverse(be, sizeof be, le);
  return g16_u64(le);
}

uint32_t g16_gnark_u32(g16_gnark_reader *r, const char *what) {
  uint8_t be[4], le[4];
  g16_gnark_take(r, what, sizeof be, be);
  g16_gnark_reverse(be, sizeof be, le);
  return g16_u32(le);
}

uint64_t g16_gnark_fits(g16_gnark_reader *r, const char *what, uint64_t n, uint64_t element_bytes) {
  if (r->status == RP_OK && n > left(r) / element_bytes)
    g16_gnark_wrong(r,
                    "%s at byte %" PRIu64 ": claims %" PRIu64 " elements of %" PRIu64 " bytes, the file has %" PRIu64
                    " bytes left: it is cut short or damaged",
                    what, r->at, n, element_bytes, left(r));
  return r->status == RP_OK ? n : 0;
}

uint64_t g16_gnark_count(g16_gnark_reader *r, const char *what, uint64_t element_bytes) {
  const uint32_t n = g16_gnark_u32(r, what);
  return g16_gnark_fits(r, what, n, element_bytes);
}

void g16_gnark_skip(g16_gnark_reader *r, uint64_t bytes) {
  if (r->status == RP_OK) r->at += bytes;
}

void g16_gnark_fr(g16_gnark_reader *r, const char *what, uint64_t value[4]) {
  uint8_t be[32];
  uint64_t le[4];
  const uint64_t at = r->at;
  g16_gnark_take(r, what, sizeof be, be);
  g16_gnark_reverse(be, sizeof be, (uint8_t *)le);
  memset(value, 0, sizeof le);
  if (!rp_field_get(r->family->fr)->from_canonical(value, le))
    refuse(r, what, G16_GNARK_ONE, at, "it is not below the group order r");
}

/* The expected form of the next point; the first point of a file determines it. */
static bool learn_form(g16_gnark_reader *r, const char *what, int64_t index) {
  uint8_t first = 0;
  if (r->status != RP_OK || (r->form >= 0 && !r->skimming)) return r->status == RP_OK;
  const uint64_t at = r->at;
  g16_gnark_take(r, what, 1, &first);
  r->at = at;
  const int form = g16_gnark_form_of(r->family, first);
  if (r->form < 0) r->form = form;
  if (form < 0)
    refuse(r, what, index, at, "its first byte marks no form of a point");
  else if (form != r->form)
    refuse(r, what, index, at, "it is of another form than the points before it");
  return r->status == RP_OK;
}

void g16_gnark_point(g16_gnark_reader *r, const char *what, int64_t index, bool g2, void *point) {
  uint8_t in[MOST_POINT_BYTES];
  const uint64_t at = r->at;
  if (point) memset(point, 0, 2 * (g2 ? 2 : 1) * (size_t)r->family->fq_bytes);
  if (!learn_form(r, what, index)) return;
  g16_gnark_take(r, what, g16_gnark_point_bytes(r->family, g2, (g16_gnark_form)r->form), in);
  if (r->status != RP_OK || r->skimming) return;
  const char *why = g16_gnark_decode(r->family, g2, (g16_gnark_form)r->form, in, point);
  if (why) refuse(r, what, index, at, why);
}

void g16_gnark_key_point(g16_gnark_reader *r, const char *what, bool g2, void *point) {
  const rp_curve_host *host = rp_curve_get(g2 ? r->family->g2 : r->family->g1);
  const uint64_t at = r->at;
  g16_gnark_point(r, what, G16_GNARK_ONE, g2, point);
  if (r->status != RP_OK || r->skimming) return;
  if (host->is_identity(point))
    refuse(r, what, G16_GNARK_ONE, at, "it is the point at infinity");
  else if (!host->on_curve(point))
    refuse(r, what, G16_GNARK_ONE, at, "it is not on the curve");
  else if (!host->in_subgroup(point))
    refuse(r, what, G16_GNARK_ONE, at, "it is not in the subgroup");
}

uint8_t *g16_gnark_points(g16_gnark_reader *r, const char *what, bool g2, uint64_t *n) {
  const uint64_t bytes = 2 * (g2 ? 2 : 1) * (uint64_t)r->family->fq_bytes;
  *n = g16_gnark_count(r, what,
                       g16_gnark_point_bytes(r->family, g2, r->form < 0 ? G16_GNARK_RAW : (g16_gnark_form)r->form));
  if (*n == 0) return NULL;
  uint8_t *points = r->skimming ? NULL : aligned_alloc(64, (*n * bytes + 63) & ~(uint64_t)63);
  if (!points && !r->skimming)
    r->status = support_fail(r->err, RP_ERR_MEMORY, "%s: out of memory for %s.", support_file_name(r->file), what);
  for (uint64_t i = 0; i < *n && r->status == RP_OK; i++)
    g16_gnark_point(r, what, (int64_t)i, g2, points ? points + i * bytes : NULL);
  if (r->status == RP_OK) return points;
  free(points);
  *n = 0;
  return NULL;
}

void g16_gnark_end(g16_gnark_reader *r) {
  if (r->status == RP_OK && left(r) != 0)
    g16_gnark_wrong(r, "has %" PRIu64 " bytes after its end, from byte %" PRIu64 " on", left(r), r->at);
}

/* Whether the file begins with a point of this family's G1. */
static bool begins_on_curve(const support_file *file, const g16_family *family) {
  g16_g1 point;
  g16_gnark_reader r = {.file = file, .family = family, .form = -1};
  g16_gnark_point(&r, "first point", G16_GNARK_ONE, 0, &point);
  return r.status == RP_OK && rp_curve_get(family->g1)->on_curve(&point);
}

const g16_family *g16_gnark_family(const support_file *file, void (*walk)(g16_gnark_reader *r), bool *fits) {
  static const rp_curve curves[2] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1};
  const g16_family *families[2];
  *fits = 1;
  for (int i = 0; i < 2; i++) {
    families[i] = g16_family_by_g1(curves[i]);
    g16_gnark_reader r = {.file = file, .family = families[i], .form = -1, .skimming = 1};
    walk(&r);
    if (r.status == RP_OK) return families[i];
  }
  *fits = 0;
  return families[!begins_on_curve(file, families[0]) && begins_on_curve(file, families[1])];
}
