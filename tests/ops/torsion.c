/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "torsion.h"

#include <stdlib.h>
#include <string.h>

enum { COFACTOR_BYTES = 64, POINT_LIMBS = 24, ACC_LIMBS = 48 };

typedef struct group {
  rp_curve curve;
  const char *cofactor; /* decimal */
  uint64_t prime[6];    /* ended by 0 */
} group;

static const group groups[] = {
    {RP_CURVE_BLS12_381_G1, "76329603384216526031706109802092473003", {3, 11, 10177, 859267, 52437899}},
    {RP_CURVE_BLS12_381_G2,
     "30550233393126834420099975319312150421446601925418814266766403298226760418297188402650742735925997784783227283904"
     "1"
     "616661285803823378372096355777062779109",
     {13, 23, 2713, 11953, 262069}},
    {RP_CURVE_BN254_G2,
     "21888242871839275222246405745257275088844257914179612981679871602714643921549",
     {10069, 5864401, 1875725156269}},
};

static const group *group_of(rp_curve curve) {
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (groups[i].curve == curve) return &groups[i];
  return NULL;
}

const uint64_t *torsion_primes(rp_curve curve) {
  static const uint64_t none[1] = {0};
  const group *g = group_of(curve);
  return g ? g->prime : none;
}

const char *torsion_cofactor(rp_curve curve) {
  const group *g = group_of(curve);
  return g ? g->cofactor : NULL;
}

static void from_decimal(const char *text, uint8_t le[COFACTOR_BYTES]) {
  memset(le, 0, COFACTOR_BYTES);
  for (; *text; text++) {
    unsigned carry = (unsigned)(*text - '0');
    for (int i = 0; i < COFACTOR_BYTES; i++, carry >>= 8) le[i] = (uint8_t)(carry += le[i] * 10u);
  }
}

/* Takes all powers of a prime out of a number. */
static void strip(uint8_t le[COFACTOR_BYTES], uint64_t prime) {
  for (;;) {
    uint8_t quotient[COFACTOR_BYTES];
    uint64_t rest = 0;
    for (int i = COFACTOR_BYTES; i-- > 0;) {
      rest = rest << 8 | le[i];
      quotient[i] = (uint8_t)(rest / prime);
      rest %= prime;
    }
    if (rest) return;
    memcpy(le, quotient, sizeof quotient);
  }
}

void torsion_multiple(rp_curve curve, const void *affine, const uint8_t *k, size_t n, void *result) {
  const rp_curve_host *c = rp_curve_get(curve);
  uint64_t sum[ACC_LIMBS];
  c->acc_identity(sum);
  for (size_t bit = 8 * n; bit-- > 0;) {
    c->acc_double(sum, sum);
    if (k[bit / 8] >> bit % 8 & 1) c->acc_add_affine(sum, sum, affine);
  }
  c->acc_to_affine(result, sum);
}

/* y^2 = x^3 + b, and b comes from the generator. */
static void any_point(const rp_curve_host *c, uint64_t seed, uint64_t *point) {
  const rp_field_host *f = rp_field_get(c->base);
  uint64_t g[POINT_LIMBS], b[12], x[12], one[12], cube[12];
  uint8_t *y = (uint8_t *)point + f->size_bytes;
  c->generator(g);
  f->sqr(cube, g);
  f->mul(cube, cube, g);
  f->sqr(b, (const uint8_t *)g + f->size_bytes);
  f->sub(b, b, cube);
  f->one(one);
  f->one(x);
  memcpy(x, &seed, sizeof seed); /* both coefficients depend on the seed, so that no two points are conjugates */
  if (f->degree == 2) ((uint8_t *)x)[f->size_bytes / 2] ^= (uint8_t)(seed + 1);
  for (;; f->add(x, x, one)) {
    f->sqr(cube, x);
    f->mul(cube, cube, x);
    f->add(cube, cube, b);
    if (f->sqrt(y, cube)) break;
  }
  memcpy(point, x, f->size_bytes);
  if (!c->on_curve(point)) abort();
}

void torsion_any(rp_curve curve, uint64_t seed, void *affine) {
  const rp_curve_host *c = rp_curve_get(curve);
  uint64_t point[POINT_LIMBS];
  any_point(c, seed, point);
  torsion_multiple(curve, point, c->order_le, 32, affine);
}

void torsion_point(rp_curve curve, uint64_t prime, uint64_t seed, void *affine) {
  const rp_curve_host *c = rp_curve_get(curve);
  const group *g = group_of(curve);
  uint64_t point[POINT_LIMBS], next[POINT_LIMBS];
  uint8_t cofactor[COFACTOR_BYTES];
  if (!g) abort();
  if (prime == TORSION_ALL) {
    c->identity(point);
    for (const uint64_t *p = g->prime; *p; p++) {
      torsion_point(curve, *p, seed, next);
      c->add(point, point, next);
    }
    memcpy(affine, point, c->affine_bytes);
    return;
  }
  from_decimal(g->cofactor, cofactor);
  strip(cofactor, prime);
  do {
    torsion_any(curve, seed++, point);
    torsion_multiple(curve, point, cofactor, sizeof cofactor, point);
  } while (c->is_identity(point));
  /* The point's order is a power of the prime. */
  for (;;) {
    torsion_multiple(curve, point, (const uint8_t *)&prime, sizeof prime, next);
    if (c->is_identity(next)) break;
    memcpy(point, next, sizeof point);
  }
  memcpy(affine, point, c->affine_bytes);
}
