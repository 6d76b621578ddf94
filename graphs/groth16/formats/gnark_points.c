/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points as gnark writes them.
 */
#include "gnark.h"

#include "formats/fail.h"

enum { COORDINATE = 48, BN254_BYTES = 32, TOGETHER = 64 };

static bool is_bn254(const g16_family *family) { return family->fq_bytes == BN254_BYTES; }
static uint32_t parts(bool g2) { return g2 ? 2 : 1; }

uint32_t g16_gnark_point_bytes(const g16_family *family, bool g2, g16_gnark_form form) {
  return family->fq_bytes * parts(g2) * (form == G16_GNARK_COMPRESSED ? 1 : 2);
}

/* ---- The flags in the first byte --------------------------------------------------------------------------------- */

typedef struct flags {
  int form; /* -1: none */
  bool infinity, larger;
  uint8_t mask; /* the bits that belong to the coordinate */
} flags;

static flags flags_of(const g16_family *family, uint8_t first) {
  if (is_bn254(family)) {
    const int bits = first >> 6;
    return (flags){bits ? G16_GNARK_COMPRESSED : G16_GNARK_RAW, bits == 1, bits == 3, 0x3f};
  }
  const int bits = first >> 5;
  const bool known = bits == 0 || bits == 2 || bits == 4 || bits == 5 || bits == 6;
  return (flags){!known      ? -1
                 : bits >= 4 ? (int)G16_GNARK_COMPRESSED
                             : (int)G16_GNARK_RAW,
                 bits == 2 || bits == 6, bits == 5, 0x1f};
}

int g16_gnark_form_of(const g16_family *family, uint8_t first) { return flags_of(family, first).form; }

static uint8_t flag_byte(const g16_family *family, g16_gnark_form form, bool infinity, bool larger) {
  if (form == G16_GNARK_RAW) return infinity && !is_bn254(family) ? 0x40 : 0;
  if (is_bn254(family)) return infinity ? 0x40 : larger ? 0xc0 : 0x80;
  return infinity ? 0xc0 : larger ? 0xa0 : 0x80;
}

/* ---- Coordinates ------------------------------------------------------------------------------------------------- */

void g16_gnark_reverse(const uint8_t *in, uint32_t bytes, uint8_t *out) {
  for (uint32_t i = 0; i < bytes; i++) out[i] = in[bytes - 1 - i];
}

/* Reads an element of Fq or Fq2, whose imaginary part is first in the file and last in memory. 0 if it is not
 * reduced. */
static bool take_element(const g16_family *family, bool g2, const uint8_t *in, uint8_t mask, uint8_t *out) {
  const rp_field_host *fq = rp_field_get(family->fq);
  const uint32_t bytes = family->fq_bytes;
  for (uint32_t i = 0; i < parts(g2); i++) {
    uint64_t le[COORDINATE / 8], value[COORDINATE / 8];
    g16_gnark_reverse(in + i * bytes, bytes, (uint8_t *)le);
    if (i == 0) ((uint8_t *)le)[bytes - 1] &= mask;
    if (!fq->from_canonical(value, le)) return 0;
    memcpy(out + (parts(g2) - 1 - i) * bytes, value, bytes);
  }
  return 1;
}

static void put_element(const g16_family *family, bool g2, const uint8_t *element, uint8_t *out) {
  const rp_field_host *fq = rp_field_get(family->fq);
  const uint32_t bytes = family->fq_bytes;
  for (uint32_t i = 0; i < parts(g2); i++) {
    uint64_t le[COORDINATE / 8], value[COORDINATE / 8];
    memcpy(value, element + (parts(g2) - 1 - i) * bytes, bytes);
    fq->to_canonical(le, value);
    g16_gnark_reverse((const uint8_t *)le, bytes, out + i * bytes);
  }
}

/* Whether y is the larger of y and -y. */
static bool is_larger(const g16_family *family, bool g2, const void *y) {
  const rp_field_host *fq = rp_field_get(family->fq);
  uint64_t part[COORDINATE / 8], minus[COORDINATE / 8];
  memcpy(part, (const uint8_t *)y + (g2 ? family->fq_bytes : 0), family->fq_bytes);
  if (g2 && fq->is_zero(part)) memcpy(part, y, family->fq_bytes);
  fq->neg(minus, part);
  fq->to_canonical(part, part);
  fq->to_canonical(minus, minus);
  return g16_below((const uint8_t *)minus, (const uint8_t *)part, family->fq_bytes);
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

static const char *decode_infinity(const uint8_t *in, uint32_t in_bytes, uint8_t mask) {
  uint8_t any = in[0] & mask;
  for (uint32_t i = 1; i < in_bytes; i++) any |= in[i];
  return any ? "it is marked as infinity, and has coordinates" : NULL;
}

static const char *decode_memory(const g16_family *family, bool g2, const uint8_t *in, void *point) {
  const uint8_t *q = rp_field_get(family->fq)->modulus_le;
  const uint32_t bytes = g16_gnark_point_bytes(family, g2, G16_GNARK_MEMORY);
  memcpy(point, in, bytes);
  for (uint32_t i = 0; i < bytes; i += family->fq_bytes)
    if (!g16_below((const uint8_t *)point + i, q, family->fq_bytes)) return "a coordinate is not below the prime q";
  return NULL;
}

/* Decodes a point but for the y of a compressed one: *larger says which of the two it has, and *lifted whether it has
 * any. */
static const char *decode_x(const g16_family *family, bool g2, g16_gnark_form form, const uint8_t *in, void *point,
                            uint8_t *larger, bool *lifted) {
  *larger = *lifted = 0;
  if (form == G16_GNARK_MEMORY) return decode_memory(family, g2, in, point);
  const flags f = flags_of(family, in[0]);
  const uint32_t element = family->fq_bytes * parts(g2), in_bytes = g16_gnark_point_bytes(family, g2, form);
  uint8_t *out = point;
  memset(out, 0, (size_t)2 * element);
  if (f.form != (int)form)
    return f.form < 0 ? "its first byte marks no form of a point" : "it is of another form than the points before it";
  if (f.infinity) return decode_infinity(in, in_bytes, f.mask);
  if (!take_element(family, g2, in, f.mask, out)) return "a coordinate is not below the prime q";
  *larger = f.larger;
  *lifted = form == G16_GNARK_COMPRESSED;
  if (*lifted) return NULL;
  if (!take_element(family, g2, in + element, 0xff, out + element)) return "a coordinate is not below the prime q";
  if (!is_bn254(family) && g16_is_infinity(out, 2 * element))
    return "its coordinates are zero, and it is not marked as infinity";
  return NULL;
}

/* Gives n points, at most TOGETHER, their y. Those that have none, points at infinity, are left as they are. */
static uint64_t lift(const g16_family *family, bool g2, uint64_t n, const uint8_t *larger, const bool *lifted,
                     uint8_t *points, const char **why) {
  const uint32_t element = family->fq_bytes * parts(g2);
  uint8_t valid[TOGETHER];
  if (rp_point_lift_many(g2 ? family->g2 : family->g1, n, larger, points, valid) != RP_OK) memset(valid, 0, n);
  for (uint64_t i = 0; i < n; i++) {
    if (!lifted[i]) {
      memset(points + i * 2 * element, 0, (size_t)2 * element);
    } else if (!valid[i]) {
      *why = "no point of the curve has its x";
      return i;
    }
  }
  return n;
}

uint64_t g16_gnark_decode_many(const g16_family *family, bool g2, g16_gnark_form form, const uint8_t *in, uint64_t n,
                               void *points, const char **why) {
  const uint32_t in_bytes = g16_gnark_point_bytes(family, g2, form), bytes = 2 * family->fq_bytes * parts(g2);
  uint8_t *out = points, larger[TOGETHER];
  bool lifted[TOGETHER];
  *why = NULL;
  for (uint64_t done = 0; done < n;) {
    const uint64_t some = n - done < TOGETHER ? n - done : TOGETHER;
    const char *bad = NULL;
    uint64_t good = 0;
    while (good < some && !bad) {
      bad = decode_x(family, g2, form, in + (done + good) * in_bytes, out + (done + good) * bytes, &larger[good],
                     &lifted[good]);
      good += !bad;
    }
    if (form == G16_GNARK_COMPRESSED) good = lift(family, g2, good, larger, lifted, out + done * bytes, why);
    if (!*why) *why = bad;
    done += good;
    if (*why) return done;
  }
  return n;
}

const char *g16_gnark_decode(const g16_family *family, bool g2, g16_gnark_form form, const uint8_t *in, void *point) {
  const char *why;
  (void)g16_gnark_decode_many(family, g2, form, in, 1, point, &why);
  return why;
}

void g16_gnark_encode(const g16_family *family, bool g2, g16_gnark_form form, const void *point, uint8_t *out) {
  const uint32_t element = family->fq_bytes * parts(g2);
  const uint8_t *x = point, *y = x + element;
  const bool infinity = g16_is_infinity(x, 2 * element);
  memset(out, 0, g16_gnark_point_bytes(family, g2, form));
  if (!infinity) put_element(family, g2, x, out);
  if (!infinity && form == G16_GNARK_RAW) put_element(family, g2, y, out + element);
  out[0] |= flag_byte(family, form, infinity, !infinity && form == G16_GNARK_COMPRESSED && is_larger(family, g2, y));
}
