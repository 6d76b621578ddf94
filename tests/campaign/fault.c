/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "key.h"

#include "ops/torsion.h"
#include "plain_verify.h"

#include <stdlib.h>

const char *const fault_names[FAULTS] = {
#define FAULT_NAME(id, name) name,
    FAULT_LIST(FAULT_NAME)
#undef FAULT_NAME
};

enum { CONTAINER_BYTES = 12, HEADER_BYTES = 12, COEF_BYTES = 44 };

static uint64_t read_little_endian(const uint8_t *p, int bytes) {
  uint64_t x = 0;
  while (bytes-- > 0) x = x << 8 | p[bytes];
  return x;
}

/* The content of a section, and its length; NULL if there is none. */
static uint8_t *section(const blob *zkey, uint32_t id, uint64_t *bytes) {
  for (size_t at = CONTAINER_BYTES; at + HEADER_BYTES <= zkey->bytes; at += HEADER_BYTES + *bytes) {
    *bytes = read_little_endian(zkey->data + at + 4, 8);
    if (read_little_endian(zkey->data + at, 4) == id) return zkey->data + at + HEADER_BYTES;
  }
  return NULL;
}

/* Replaces a point by another one, or by bytes that are no point. Returns what was done, for reports. */
static const char *alter(rp_curve curve, uint64_t *random, uint8_t *at) {
  const rp_curve_host *host = rp_curve_get(curve);
  uint64_t point[24], other[24];
  memcpy(point, at, host->affine_bytes);
  const char *how = "its double";
  const uint32_t die = below(random, 6);
  host->add(other, point, point);
  if (host->is_identity(point) || die == 0) {
    host->generator(other);
    host->add(other, other, point);
    how = "the generator added";
  } else if (die == 1) {
    host->neg(other, point);
    how = "its negative";
  } else if (die == 2) {
    host->identity(other);
    how = "infinity";
  } else if (die == 3) {
    memcpy(other, point, host->affine_bytes);
    other[0] ^= 1;
    how = "no point of the curve";
  } else if (die == 4 && torsion_primes(curve)[0]) {
    torsion_point(curve, TORSION_ALL, g16_next(random), other);
    host->add(other, other, point);
    how = "a point of small order added";
  }
  memcpy(at, other, host->affine_bytes);
  return how;
}

static int is_member_at(rp_curve curve, const uint8_t *at) {
  uint64_t point[24];
  memcpy(point, at, rp_curve_get(curve)->affine_bytes);
  return plain_is_member(curve, point);
}

static void alter_point(uint32_t id, rp_curve curve, uint32_t first_wire, uint64_t *random, blob *zkey, fault *f) {
  const uint32_t point_bytes = rp_curve_get(curve)->affine_bytes;
  uint64_t bytes = 0;
  uint8_t *points = section(zkey, id, &bytes);
  const uint32_t n = (uint32_t)(bytes / point_bytes);
  if (!points || n == 0) {
    f->id = FAULT_NONE;
    return;
  }
  const uint32_t i = below(random, n);
  f->wire = first_wire + i;
  f->how = alter(curve, random, points + (size_t)i * point_bytes);
  f->outside = !is_member_at(curve, points + (size_t)i * point_bytes);
}

void fault_make(fault_id id, const circuit *c, uint64_t *random, blob *zkey, fault *f) {
  const g16_family *family = c->rows.family;
  const uint32_t g1 = g16_g1_bytes(family), g2 = g16_g2_bytes(family);
  uint64_t bytes = 0;
  uint8_t *at;
  *f = (fault){.id = id, .how = ""};
  switch (id) {
  case FAULT_A: alter_point(5, family->g1, 0, random, zkey, f); break;
  case FAULT_B1: alter_point(6, family->g1, 0, random, zkey, f); break;
  case FAULT_B2: alter_point(7, family->g2, 0, random, zkey, f); break;
  case FAULT_C: alter_point(8, family->g1, c->rows.n_public + 1, random, zkey, f); break;
  case FAULT_H: alter_point(9, family->g1, 0, random, zkey, f); break;
  case FAULT_BETA:
  case FAULT_DELTA: /* the order is alpha and beta in G1, beta and gamma in G2, delta in G1, delta in G2 */
    at = section(zkey, 2, &bytes) + 4 + family->fq_bytes + 4 + family->fr_bytes + 12 + g1;
    if (id == FAULT_DELTA) at += g1 + 2 * g2;
    f->how = alter(family->g1, random, at);
    f->outside = !is_member_at(family->g1, at);
    break;
  case FAULT_NO_A:
    at = section(zkey, 5, &bytes);
    memset(at, 0, bytes);
    break;
  case FAULT_MATRIX:
    at = section(zkey, 4, &bytes);
    at[4 + COEF_BYTES * (size_t)below(random, (uint32_t)read_little_endian(at, 4)) + 12] ^= 1;
    break;
  default: break;
  }
}

verdict fault_check_verdict(const fault *f) {
  if (f->outside) return MUST_REFUSE;
  switch (f->id) { /* the check compares these with other points, and may find the change or not */
  case FAULT_NONE:
  case FAULT_C:
  case FAULT_H:
  case FAULT_MATRIX: return MUST_RELEASE;
  default: return MAY_BE_EITHER;
  }
}

verdict fault_verdict(const fault *f, const uint8_t *values, int blinded) {
  static const uint8_t zero[32];
  switch (f->id) {
  case FAULT_NONE: return MUST_RELEASE;
  case FAULT_NO_A: return MUST_REFUSE; /* wire 0 is in A, and has the value 1 */
  case FAULT_BETA:
  case FAULT_DELTA: return blinded ? MUST_REFUSE : MAY_BE_EITHER;
  case FAULT_B1:
    if (!blinded) return MAY_BE_EITHER;
    break;
  case FAULT_H:
  case FAULT_MATRIX: return MAY_BE_EITHER;
  default: break;
  }
  return memcmp(values + 32 * (size_t)f->wire, zero, 32) ? MUST_REFUSE : MUST_RELEASE;
}
