/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The built-in element types, all made from the two lists in reprise/types.h.
 */
#include "types.h"

#include <reprise/host.h>

#include <stdbool.h>

/* Type ids are frozen, like those of fields and curves: prerecorded files hold them. */
enum { ID_PLAIN = 0x100, ID_FIELD = 0x200, ID_AFFINE = 0x300, ID_ACCUMULATOR = 0x400, ID_MSM_SCALARS = 0x500 };

static uint64_t valid(const rp_type *type, const void *elements, uint64_t n);

const rp_type RP_TYPE_U8 = {ID_PLAIN + 0, 1, 1, "u8", NULL};
const rp_type RP_TYPE_U32 = {ID_PLAIN + 1, 4, 4, "u32", NULL};
const rp_type RP_TYPE_U64 = {ID_PLAIN + 2, 8, 8, "u64", NULL};
const rp_type RP_TYPE_U256 = {ID_PLAIN + 3, 32, 8, "u256", NULL};
const rp_type RP_TYPE_U384 = {ID_PLAIN + 4, 48, 8, "u384", NULL};

const rp_type rp_type_msm_scalars = {ID_MSM_SCALARS, 1, 1, "msm_scalars", NULL};

enum {
#define FIELD_BYTES(NAME, name, bytes, limbs, degree) BYTES_##NAME = bytes,
  RP_FIELD_LIST(FIELD_BYTES)
#undef FIELD_BYTES
};

const rp_field_types rp_types_of_fields[RP_FIELD_COUNT] = {
#define FIELD(NAME, name, bytes, limbs, degree) \
  {{ID_FIELD + RP_FIELD_##NAME, bytes, BYTES_##NAME < 8 ? BYTES_##NAME : 8, #name, valid}, degree},
    RP_FIELD_LIST(FIELD)
#undef FIELD
};

const rp_curve_types rp_types_of_curves[RP_CURVE_COUNT] = {
#define CURVE(NAME, name, base, scalar, weierstrass)                             \
  {{ID_AFFINE + RP_CURVE_##NAME, 2 * BYTES_##base, 8, #name, valid},             \
   {ID_ACCUMULATOR + RP_CURVE_##NAME, 4 * BYTES_##base, 8, #name ".acc", valid}, \
   RP_FIELD_##base,                                                              \
   RP_FIELD_##scalar},
    RP_CURVE_LIST(CURVE)
#undef CURVE
};

static bool is_field(rp_field field) { return (unsigned)field < RP_FIELD_COUNT; }
static bool is_curve(rp_curve curve) { return (unsigned)curve < RP_CURVE_COUNT; }

const rp_type *rp_type_field(rp_field field) { return is_field(field) ? &rp_types_of_fields[field].type : NULL; }

const rp_type *rp_type_canonical(rp_field field) {
  if (!is_field(field)) return NULL;
  if (rp_types_of_fields[field].degree != 1) return NULL;
  switch (rp_types_of_fields[field].type.size_bytes) {
  case 4: return &RP_TYPE_U32;
  case 8: return &RP_TYPE_U64;
  case 32: return &RP_TYPE_U256;
  default: return &RP_TYPE_U384;
  }
}

const rp_type *rp_type_affine(rp_curve curve) { return is_curve(curve) ? &rp_types_of_curves[curve].affine : NULL; }
const rp_type *rp_type_accumulator(rp_curve curve) {
  return is_curve(curve) ? &rp_types_of_curves[curve].accumulator : NULL;
}

rp_field rp_curve_base_field(rp_curve curve) {
  return is_curve(curve) ? rp_types_of_curves[curve].base : RP_FIELD_COUNT;
}
rp_field rp_curve_scalar_field(rp_curve curve) {
  return is_curve(curve) ? rp_types_of_curves[curve].scalar : RP_FIELD_COUNT;
}
const char *rp_field_name(rp_field field) { return is_field(field) ? rp_types_of_fields[field].type.name : "no field"; }
const char *rp_curve_name(rp_curve curve) {
  return is_curve(curve) ? rp_types_of_curves[curve].affine.name : "no curve";
}

/* Index of the type among the `count` ids from `first`, or -1. */
static int type_index(const rp_type *type, uint32_t first, uint32_t count) {
  return type && type->id >= first && type->id - first < count ? (int)(type->id - first) : -1;
}

bool rp_type_is_field(const rp_type *type, rp_field *field) {
  const int i = type_index(type, ID_FIELD, RP_FIELD_COUNT);
  if (i >= 0 && field) *field = (rp_field)i;
  return i >= 0;
}

bool rp_type_is_affine(const rp_type *type, rp_curve *curve) {
  const int i = type_index(type, ID_AFFINE, RP_CURVE_COUNT);
  if (i >= 0 && curve) *curve = (rp_curve)i;
  return i >= 0;
}

bool rp_type_is_accumulator(const rp_type *type, rp_curve *curve) {
  const int i = type_index(type, ID_ACCUMULATOR, RP_CURVE_COUNT);
  if (i >= 0 && curve) *curve = (rp_curve)i;
  return i >= 0;
}

/* ---- Which elements are valid ------------------------------------------------------------------------------------ */

/* 1 if x < p, both little-endian with `bytes` bytes: the borrow of x - p. */
static uint32_t is_below(const uint8_t *x, const uint8_t *p, uint32_t bytes) {
  uint32_t borrow = 0;
  for (uint32_t i = 0; i < bytes; i++) borrow = ((uint32_t)x[i] - p[i] - borrow) >> 31;
  return borrow;
}

/* Index of the first element with a coordinate that is not below the modulus of its prime field, or n. */
static uint64_t valid(const rp_type *type, const void *elements, uint64_t n) {
  rp_field field = RP_FIELD_COUNT;
  rp_curve curve;
  if (rp_type_is_affine(type, &curve) || rp_type_is_accumulator(type, &curve))
    field = rp_types_of_curves[curve].base;
  else
    rp_type_is_field(type, &field);
  const rp_field_host *f = rp_field_get(field);
  if (!f) return n;
  const uint32_t bytes = f->size_bytes / f->degree;
  const uint8_t *x = elements;
  for (uint64_t i = 0; i < n; i++, x += type->size_bytes) {
    uint32_t good = 1;
    for (uint32_t at = 0; at < type->size_bytes; at += bytes) good &= is_below(x + at, f->modulus_le, bytes);
    if (!good) return i;
  }
  return n;
}
