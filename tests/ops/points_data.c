/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "points_data.h"
#include "data.h"
#include "device.h"

typedef uint8_t bytes;

static int below(const bytes a[32], const bytes b[32]) {
  for (int i = 31; i >= 0; i--)
    if (a[i] != b[i]) return a[i] < b[i];
  return 0;
}

/* Clears high bits from the top until the value is below the order. */
static void cut(bytes a[32], const bytes order[32]) {
  for (int bit = 255; bit >= 0 && !below(a, order); bit--) a[bit / 8] &= (bytes) ~(1u << (bit % 8));
}

static void random_scalar(bytes s[32], uint64_t *seed) {
  for (int i = 0; i < 4; i++) {
    uint64_t x = data_next(seed);
    memcpy(s + 8 * i, &x, 8);
  }
}

uint8_t *data_scalars(rp_curve curve, scalar_kind kind, uint64_t seed, uint64_t n) {
  const bytes *order = rp_curve_get(curve)->order_le;
  bytes *scalars = calloc(n, 32), first[32];
  uint64_t state = seed * 2 + 1;
  assert_non_null(scalars);
  random_scalar(first, &state);
  for (uint64_t i = 0; i < n; i++) {
    bytes *s = scalars + i * 32;
    switch (kind) {
    case SCALAR_RANDOM: random_scalar(s, &state); break;
    case SCALAR_ONE: s[0] = 1; break;
    case SCALAR_EQUAL: memcpy(s, first, 32); break;
    case SCALAR_MINUS_ONE:
      memcpy(s, order, 32);
      s[0]--;
      break;
    case SCALAR_BITS: s[0] = (bytes)(data_next(&state) & 1); break;
    case SCALAR_CLUSTERED:
      memcpy(s, first, 32);
      s[0] = (bytes)data_next(&state);
      break;
    case SCALAR_RUNS:
      for (uint64_t bit = 0, value = data_next(&state) & 1; bit < 256; value ^= 1) {
        uint64_t run = 1 + data_next(&state) % 60;
        for (; run && bit < 256; run--, bit++) s[bit / 8] |= (bytes)(value << (bit % 8));
      }
      break;
    case SCALAR_SMALL: s[0] = (bytes)(data_next(&state) % 50); break;
    default: break;
    }
    cut(s, order);
  }
  return scalars;
}

/* k * generator for k below a bound that grows with demand, affine. Kept for the whole program, because every device
 * and nearly every test asks for the same points, and each costs an inversion. */
static struct {
  bytes *points;
  uint64_t n, room;
  uint64_t run[48]; /* (n - 1) * generator */
} multiples_of[RP_CURVE_COUNT];

static const bytes *multiple(rp_curve curve, uint64_t k) {
  const rp_curve_host *c = rp_curve_get(curve);
  uint64_t generator[24];
  c->generator(generator);
  if (!multiples_of[curve].n) c->acc_identity(multiples_of[curve].run);
  while (multiples_of[curve].n <= k) {
    if (multiples_of[curve].n == multiples_of[curve].room) {
      multiples_of[curve].room = multiples_of[curve].room ? 2 * multiples_of[curve].room : 64;
      multiples_of[curve].points = realloc(multiples_of[curve].points, multiples_of[curve].room * c->affine_bytes);
      assert_non_null(multiples_of[curve].points);
    }
    if (multiples_of[curve].n) c->acc_add_affine(multiples_of[curve].run, multiples_of[curve].run, generator);
    c->acc_to_affine(multiples_of[curve].points + multiples_of[curve].n++ * c->affine_bytes, multiples_of[curve].run);
  }
  return multiples_of[curve].points + k * c->affine_bytes;
}

static int64_t multiple_of_kind(point_kind kind, uint64_t i) {
  switch (kind) {
  case POINT_DISTINCT: return (int64_t)i + 1;
  case POINT_REPEATED: return (int64_t)(i % 3) + 1;
  case POINT_OPPOSITE: return ((int64_t)(i / 2 % 5) + 1) * (i % 2 ? -1 : 1);
  default: return i % 2 ? 0 : (int64_t)(i / 2 % 7) + 1;
  }
}

void *data_points(rp_curve curve, point_kind kind, uint64_t n, int64_t *multiples) {
  const rp_curve_host *c = rp_curve_get(curve);
  bytes *points = malloc(n * c->affine_bytes);
  uint64_t p[24];
  assert_non_null(points);
  for (uint64_t i = 0; i < n; i++) {
    multiples[i] = multiple_of_kind(kind, i);
    memcpy(p, multiple(curve, (uint64_t)llabs(multiples[i])), c->affine_bytes);
    if (multiples[i] < 0) c->neg(p, p);
    memcpy(points + i * c->affine_bytes, p, c->affine_bytes);
  }
  return points;
}

void data_msm(rp_curve curve, const uint8_t *scalars, const int64_t *multiples, uint64_t n, void *affine) {
  const rp_curve_host *c = rp_curve_get(curve);
  const rp_field_host *f = rp_field_get(c->scalar);
  uint64_t sum[6], s[6], m[6], generator[24];
  bytes k[48] = {0};
  f->zero(sum);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t magnitude = (uint64_t)llabs(multiples[i]);
    f->from_bytes_reduce(s, scalars + i * 32, 32);
    f->from_bytes_reduce(m, (const uint8_t *)&magnitude, 8);
    f->mul(s, s, m);
    if (multiples[i] < 0) f->neg(s, s);
    f->add(sum, sum, s);
  }
  f->to_canonical(k, sum);
  c->generator(generator);
  c->mul(affine, generator, k);
}

void data_assert_points(rp_curve curve, const void *got, const void *want, uint64_t n, const char *what) {
  const rp_curve_host *c = rp_curve_get(curve);
  for (uint64_t i = 0; i < n; i++) {
    const bytes *g = (const bytes *)got + i * c->affine_bytes, *w = (const bytes *)want + i * c->affine_bytes;
    if (!c->on_curve(g) || !c->equal(g, w))
      fail_msg("%s on %s, %s: point %llu of %llu differs", what, device_name(), c->name, (unsigned long long)i,
               (unsigned long long)n);
  }
}
