/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compressed points. The formats differ in their flag bits and in how they tell the sign of y; the field arithmetic
 * goes through the function tables.
 *
 *   BN254 G1     gnark: 32 bytes, big-endian x; top two bits 10: the smaller y, 11: the larger y, 01: infinity
 *   BLS12-381    ZCash: big-endian x (G2: c1 before c0); bit 7: compressed, bit 6: infinity, bit 5: y is the larger one
 *   secp256k1    SEC1: 02 or 03 for even or odd y, then 32 bytes, big-endian x; infinity has no 33-byte form
 *   Banderwagon  Verkle: 32 bytes, big-endian x, or -x if y is not the larger of y and -y; 0 is the identity
 */
#include "arith/host/host.h"

#include <string.h>

enum { MAX_FIELD = 96 };

/* Writes the canonical integers of an element, big-endian, highest coefficient first. */
static void element_to_be(const rp_field_host *f, const void *a, uint8_t *out) {
  uint8_t le[MAX_FIELD];
  f->to_canonical(le, a);
  for (uint32_t i = 0; i < f->canonical_bytes; i++) out[i] = le[f->canonical_bytes - 1 - i];
}

static bool element_from_be(const rp_field_host *f, const uint8_t *in, void *a) {
  uint64_t le[MAX_FIELD / 8];
  for (uint32_t i = 0; i < f->canonical_bytes; i++) ((uint8_t *)le)[f->canonical_bytes - 1 - i] = in[i];
  return f->from_canonical(a, le);
}

/* Whether y is larger than -y in lexicographic order, highest coefficient first. */
static bool element_is_larger(const rp_field_host *f, const void *y) {
  uint64_t minus[MAX_FIELD / 8];
  uint8_t a[MAX_FIELD], b[MAX_FIELD];
  f->neg(minus, y);
  element_to_be(f, y, a);
  element_to_be(f, minus, b);
  return memcmp(a, b, f->canonical_bytes) > 0;
}

static bool all_zero(const uint8_t *p, uint32_t n) {
  uint8_t any = 0;
  for (uint32_t i = 0; i < n; i++) any |= p[i];
  return any == 0;
}

static uint8_t *y_of(const rp_field_host *f, void *affine) { return (uint8_t *)affine + f->size_bytes; }
static const uint8_t *y_of_const(const rp_field_host *f, const void *affine) {
  return (const uint8_t *)affine + f->size_bytes;
}

static bool lift_x(const rp_curve_host *c, void *affine) {
  static bool (*const table[RP_CURVE_COUNT])(void *) = {
#define CURVE(NAME, name, base, scalar, weierstrass) RP_HOST_LEAST(rp_lift_x_##name),
      RP_CURVE_LIST(CURVE)
#undef CURVE
  };
  return table[c->id](affine);
}

/* Sets y to the larger, or the smaller, of the two roots; returns false if there is none. */
static bool lift_signed(const rp_curve_host *c, const rp_field_host *f, void *affine, bool larger) {
  uint8_t *y = y_of(f, affine);
  if (!lift_x(c, affine)) return false;
  if (element_is_larger(f, y) != larger) f->neg(y, y);
  return true;
}

/* ---- Formats: each read function returns 1 for a valid encoding of a point on the curve -------------------------- */

static void bn254_write(const rp_field_host *f, const void *p, bool identity, uint8_t *out) {
  if (identity) {
    memset(out, 0, 32), out[0] = 0x40;
    return;
  }
  element_to_be(f, p, out);
  out[0] |= element_is_larger(f, y_of_const(f, p)) ? 0xc0 : 0x80;
}

static bool bn254_read(const rp_curve_host *c, const rp_field_host *f, const uint8_t *in, void *p) {
  uint8_t x[32];
  memcpy(x, in, sizeof x);
  const unsigned flags = x[0] >> 6;
  x[0] &= 0x3f;
  if (flags == 1) {
    c->identity(p);
    return all_zero(x, sizeof x);
  }
  return flags >= 2 && element_from_be(f, x, p) && lift_signed(c, f, p, flags == 3);
}

static void zcash_write(const rp_field_host *f, const void *p, bool identity, uint8_t *out) {
  if (identity) {
    memset(out, 0, f->canonical_bytes), out[0] = 0xc0;
    return;
  }
  element_to_be(f, p, out);
  out[0] |= element_is_larger(f, y_of_const(f, p)) ? 0xa0 : 0x80;
}

static bool zcash_read(const rp_curve_host *c, const rp_field_host *f, const uint8_t *in, void *p) {
  uint8_t x[MAX_FIELD];
  memcpy(x, in, f->canonical_bytes);
  const unsigned flags = x[0] >> 5;
  x[0] &= 0x1f;
  if (!(flags & 4)) return false;
  if (flags & 2) {
    c->identity(p);
    return !(flags & 1) && all_zero(x, f->canonical_bytes);
  }
  return element_from_be(f, x, p) && lift_signed(c, f, p, flags & 1);
}

static void sec1_write(const rp_field_host *f, const void *p, uint8_t *out) {
  uint8_t y[32] = {0};
  element_to_be(f, y_of_const(f, p), y);
  out[0] = (uint8_t)(2 + (y[31] & 1));
  element_to_be(f, p, out + 1);
}

static bool sec1_read(const rp_curve_host *c, const rp_field_host *f, const uint8_t *in, void *p) {
  uint8_t y[32] = {0};
  if ((in[0] != 2 && in[0] != 3) || !element_from_be(f, in + 1, p) || !lift_signed(c, f, p, 0)) return false;
  element_to_be(f, y_of(f, p), y);
  if ((y[31] & 1) != (in[0] & 1)) f->neg(y_of(f, p), y_of(f, p));
  return true;
}

static void banderwagon_write(const rp_field_host *f, const void *p, uint8_t *out) {
  uint64_t x[4];
  memcpy(x, p, sizeof x);
  if (!element_is_larger(f, y_of_const(f, p))) f->neg(x, x);
  element_to_be(f, x, out);
}

static bool banderwagon_read(const rp_curve_host *c, const rp_field_host *f, const uint8_t *in, void *p) {
  return element_from_be(f, in, p) && lift_signed(c, f, p, 1);
}

/* ---- Entry points ------------------------------------------------------------------------------------------------ */

uint32_t rp_point_compressed_bytes(rp_curve curve) {
  switch (curve) {
  case RP_CURVE_BN254_G1:
  case RP_CURVE_BANDERWAGON: return 32;
  case RP_CURVE_SECP256K1: return 33;
  case RP_CURVE_BLS12_381_G1: return 48;
  case RP_CURVE_BLS12_381_G2: return 96;
  default: return 0;
  }
}

rp_status rp_point_compress(rp_curve curve, const void *affine, uint8_t *out) {
  const rp_curve_host *c = rp_curve_get(curve);
  if (!c || !affine || !out) return RP_ERR_ARGUMENT;
  const rp_field_host *f = rp_field_get(c->base);
  switch (curve) {
  case RP_CURVE_BN254_G1: bn254_write(f, affine, c->is_identity(affine), out); return RP_OK;
  case RP_CURVE_BLS12_381_G1:
  case RP_CURVE_BLS12_381_G2: zcash_write(f, affine, c->is_identity(affine), out); return RP_OK;
  case RP_CURVE_BANDERWAGON: banderwagon_write(f, affine, out); return RP_OK;
  case RP_CURVE_SECP256K1:
    if (c->is_identity(affine)) return RP_ERR_UNSUPPORTED;
    sec1_write(f, affine, out);
    return RP_OK;
  default: return RP_ERR_UNSUPPORTED;
  }
}

rp_status rp_point_decompress(rp_curve curve, const uint8_t *in, bool trusted, void *affine) {
  const rp_curve_host *c = rp_curve_get(curve);
  if (!c || !in || !affine) return RP_ERR_ARGUMENT;
  const rp_field_host *f = rp_field_get(c->base);
  uint64_t p[2 * MAX_FIELD / 8];
  bool good;
  switch (curve) {
  case RP_CURVE_BN254_G1: good = bn254_read(c, f, in, p); break;
  case RP_CURVE_BLS12_381_G1:
  case RP_CURVE_BLS12_381_G2: good = zcash_read(c, f, in, p); break;
  case RP_CURVE_BANDERWAGON: good = banderwagon_read(c, f, in, p); break;
  case RP_CURVE_SECP256K1: good = sec1_read(c, f, in, p); break;
  default: return RP_ERR_UNSUPPORTED;
  }
  if (!good || (!trusted && !c->in_subgroup(p))) return RP_ERR_FORMAT;
  memcpy(affine, p, c->affine_bytes);
  return RP_OK;
}
