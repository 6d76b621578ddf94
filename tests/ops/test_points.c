/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Operations on points, on every curve: conversions, sums, checks, scalar multiplication, fixed bases, tree reduction.
 *
 * op-test lavapipe:slow curves:e97,banderwagon,bn254_g1 log:4 least
 */
#include "data.h"
#include "device.h"
#include "points_data.h"
#include "ref/points.h"

#include <stdio.h>

typedef uint8_t bytes;

enum { POINT_BYTES = 192, SCALAR_BYTES = 32 };

/* Points of all kinds one after another: n of them, with repetitions, opposites and infinity. */
static bytes *mixed_points(rp_curve curve, uint64_t n, int64_t *multiples) {
  const uint32_t size = rp_curve_get(curve)->affine_bytes;
  bytes *points = malloc(n * size);
  assert_non_null(points);
  for (point_kind kind = 0; kind < POINT_KINDS; kind++) {
    int64_t few_multiples[64];
    bytes *few = data_points(curve, kind, 64, few_multiples);
    for (uint64_t i = kind; i < n; i += POINT_KINDS) {
      multiples[i] = few_multiples[i % 64];
      memcpy(points + i * size, few + i % 64 * size, size);
    }
    free(few);
  }
  return points;
}

static void check_sums(rp_curve curve, uint64_t n) {
  const rp_curve_host *c = rp_curve_get(curve);
  const uint32_t size = c->affine_bytes;
  int64_t *multiples = malloc(2 * n * sizeof *multiples);
  bytes *x = mixed_points(curve, n, multiples), *y = mixed_points(curve, n, multiples + n);
  bytes *got[6], *want = malloc(n * size);
  job j;
  for (size_t i = 0; i < 6; i++) got[i] = malloc(n * size);
  if (n > 1) memmove(y, y + size, (n - 1) * size); /* not always equal */
  job_begin(&j);
  rp_value a = job_input(&j, rp_type_affine(curve), n, x), b = job_input(&j, rp_type_affine(curve), n, y);
  rp_value one = job_input(&j, rp_type_affine(curve), 1, y);
  rp_value acc_a = rp_from_affine(j.graph, a), acc_b = rp_from_affine(j.graph, b);
  rp_value sum = rp_point_add(j.graph, acc_a, b); /* not normalised */
  rp_value results[6] = {rp_point_add(j.graph, a, b),
                         rp_point_add(j.graph, acc_a, acc_b),
                         rp_point_add(j.graph, a, rp_point_neg(j.graph, sum)), /* -b */
                         rp_point_add(j.graph, one, a),
                         rp_point_add(j.graph, sum, sum),
                         acc_a};
  for (size_t i = 0; i < 6; i++) job_output(&j, rp_to_affine(j.graph, results[i]), got[i]);
  job_check(&j);
  for (uint64_t i = 0; i < n; i++) c->add(want + i * size, x + i * size, y + i * size);
  data_assert_points(curve, got[0], want, n, "affine + affine");
  data_assert_points(curve, got[1], want, n, "acc + acc");
  for (uint64_t i = 0; i < n; i++) c->add(want + i * size, want + i * size, want + i * size);
  data_assert_points(curve, got[4], want, n, "doubled sum");
  for (uint64_t i = 0; i < n; i++) c->neg(want + i * size, y + i * size);
  data_assert_points(curve, got[2], want, n, "x - (x + y)");
  for (uint64_t i = 0; i < n; i++) c->add(want + i * size, y, x + i * size);
  data_assert_points(curve, got[3], want, n, "broadcast");
  data_assert_points(curve, got[5], x, n, "to and from affine");
  for (size_t i = 0; i < 6; i++) free(got[i]);
  free(want);
  free(x);
  free(y);
  free(multiples);
}

static void test_sums(void **state) {
  static const uint64_t sizes[] = {1, 2, 7, 131};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1))
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) check_sums(curve, sizes[i]);
}

/* Every pair of points of the small curve. */
static void test_exhaustive_sums(void **state) {
  enum { ORDER = 79 };
  const rp_curve_host *c = rp_curve_get(RP_CURVE_E97);
  bytes all[ORDER * 16], *x = malloc(ORDER * ORDER * 16), *y = malloc(ORDER * ORDER * 16);
  bytes *got = malloc(ORDER * ORDER * 16), *want = malloc(ORDER * ORDER * 16);
  uint64_t generator[2];
  job j;
  (void)state;
  assert_int_equal(c->affine_bytes, 16);
  c->generator(generator);
  c->identity(all);
  for (int i = 1; i < ORDER; i++) c->add(all + 16 * i, all + 16 * (i - 1), generator);
  for (int i = 0; i < ORDER * ORDER; i++) {
    memcpy(x + 16 * i, all + 16 * (i / ORDER), 16);
    memcpy(y + 16 * i, all + 16 * (i % ORDER), 16);
    memcpy(want + 16 * i, all + 16 * ((i / ORDER + i % ORDER) % ORDER), 16);
  }
  job_begin(&j);
  job_output(&j,
             rp_to_affine(j.graph, rp_point_add(j.graph, job_input(&j, rp_type_affine(RP_CURVE_E97), ORDER * ORDER, x),
                                                job_input(&j, rp_type_affine(RP_CURVE_E97), ORDER * ORDER, y))),
             got);
  job_check(&j);
  data_assert_points(RP_CURVE_E97, got, want, ORDER * ORDER, "all pairs");
  free(x);
  free(y);
  free(got);
  free(want);
}

/* Every scalar times every point of the small curve, plainly and with a fixed base. */
static void test_exhaustive_products(void **state) {
  enum { ORDER = 79 };
  const rp_curve_host *c = rp_curve_get(RP_CURVE_E97);
  (void)state;
  for (uint32_t window = 1; window <= 8; window++) {
    bytes points[ORDER * 16], *scalars = calloc(ORDER * ORDER, SCALAR_BYTES), *spread = malloc(ORDER * ORDER * 16);
    bytes *got = malloc(ORDER * ORDER * 16), *fixed = malloc(ORDER * ORDER * 16), *want = malloc(ORDER * ORDER * 16);
    uint64_t generator[2];
    job j;
    c->generator(generator);
    c->identity(points);
    for (int i = 1; i < ORDER; i++) c->add(points + 16 * i, points + 16 * (i - 1), generator);
    for (int i = 0; i < ORDER * ORDER; i++) {
      scalars[i * SCALAR_BYTES] = (bytes)(i / ORDER);
      memcpy(spread + 16 * i, points + 16 * (i % ORDER), 16);
      memcpy(want + 16 * i, points + 16 * (i / ORDER * (i % ORDER) % ORDER), 16);
    }
    job_begin(&j);
    rp_value s = job_input(&j, &RP_TYPE_U256, ORDER * ORDER, scalars);
    rp_fixed_base base =
        rp_fixed_base_table(j.graph, job_constant(&j, rp_type_affine(RP_CURVE_E97), ORDER, points), window);
    job_output(&j,
               rp_to_affine(j.graph, rp_scalar_mul(j.graph, s,
                                                   job_input(&j, rp_type_affine(RP_CURVE_E97), ORDER * ORDER, spread))),
               got);
    job_output(&j, rp_to_affine(j.graph, rp_fixed_base_mul(j.graph, &base, s)), fixed);
    job_check(&j);
    data_assert_points(RP_CURVE_E97, got, want, ORDER * ORDER, "scalar_mul");
    data_assert_points(RP_CURVE_E97, fixed, want, ORDER * ORDER, "fixed_base_mul");
    void *mine[] = {scalars, spread, got, fixed, want};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) free(mine[i]);
  }
}

static void check_products(rp_curve curve, scalar_kind kind, uint64_t n) {
  const rp_curve_host *c = rp_curve_get(curve);
  const uint32_t size = c->affine_bytes;
  int64_t *multiples = malloc(n * sizeof *multiples);
  bytes *points = mixed_points(curve, n, multiples), *scalars = data_scalars(curve, kind, n, n);
  bytes *got = malloc(n * size), *one = malloc(n * size), *fixed = malloc(n * size), *want = malloc(n * size);
  job j;
  job_begin(&j);
  rp_value s = job_input(&j, &RP_TYPE_U256, n, scalars), p = job_input(&j, rp_type_affine(curve), n, points);
  rp_fixed_base base =
      rp_fixed_base_table(j.graph, job_constant(&j, rp_type_affine(curve), 2, points), curve == RP_CURVE_E97 ? 3 : 6);
  job_output(&j, rp_to_affine(j.graph, rp_scalar_mul(j.graph, s, p)), got);
  job_output(&j, rp_to_affine(j.graph, rp_scalar_mul(j.graph, s, job_input(&j, rp_type_affine(curve), 1, points))),
             one);
  job_output(&j, rp_to_affine(j.graph, rp_fixed_base_mul(j.graph, &base, s)), fixed);
  job_check(&j);
  for (uint64_t i = 0; i < n; i++) c->mul(want + i * size, points + i * size, scalars + i * SCALAR_BYTES);
  data_assert_points(curve, got, want, n, "scalar_mul");
  for (uint64_t i = 0; i < n; i++) c->mul(want + i * size, points, scalars + i * SCALAR_BYTES);
  data_assert_points(curve, one, want, n, "scalar_mul of one point");
  for (uint64_t i = 0; i < n; i++) c->mul(want + i * size, points + i % 2 * size, scalars + i * SCALAR_BYTES);
  data_assert_points(curve, fixed, want, n, "fixed_base_mul");
  void *mine[] = {points, scalars, got, one, fixed, want, multiples};
  for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) free(mine[i]);
}

static void test_products(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const uint64_t many = (uint64_t)info.limits.workers * 64 + 77; /* so many that a GPU has one lane per product */
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    for (scalar_kind kind = 0; kind < SCALAR_KINDS; kind++)
      check_products(curve, kind, kind == SCALAR_RANDOM ? data_cap(530) : 9);
    if (info.kind != RP_DEVICE_CPU && data_fits(many)) check_products(curve, SCALAR_RANDOM, many);
  }
}

/* a 2^k + b lambda for a cube root of unity lambda and small a and b: if an endomorphism splits such a scalar into two
 * half-scalars, these are zero, equal, opposite, or as long as they can be. */
static void test_glv_scalars(void **state) {
  static const uint32_t shifts[] = {0, 1, 63, 64, 126, 127};
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  const int most = info.kind == RP_DEVICE_CUDA ? 4 : 1; /* the other devices do not split scalars here */
  const int side = 2 * most + 1, n = side * side * (int)(sizeof shifts / sizeof *shifts);
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    const rp_field_host *f = rp_field_get(c->scalar);
    const uint32_t size = c->affine_bytes;
    uint64_t lambda[4], one[4], x[4];
    bytes small = 3, *scalars = calloc((size_t)n, SCALAR_BYTES), *want = malloc((size_t)n * size),
          *got = malloc((size_t)n * size);
    bytes point[POINT_BYTES];
    job j;
    assert_true(f->size_bytes <= sizeof x);
    f->one(one);
    f->from_bytes_reduce(x, &small, 1);
    f->neg(x, x);
    if (f->sqrt(lambda, x)) { /* (sqrt(-3) - 1) / 2 */
      f->sub(lambda, lambda, one);
      f->add(x, one, one);
      f->inv(x, x);
      f->mul(lambda, lambda, x);
      for (int i = 0; i < n; i++) {
        const int a = i % side - most, b = i / side % side - most;
        f->zero(x);
        for (int k = 0; k < abs(a); k++) f->add(x, x, one);
        for (uint32_t k = 0; k < shifts[i / side / side]; k++) f->add(x, x, x);
        if (a < 0) f->neg(x, x);
        for (int k = 0; k < abs(b); k++) {
          if (b < 0)
            f->sub(x, x, lambda);
          else
            f->add(x, x, lambda);
        }
        f->to_canonical(scalars + i * SCALAR_BYTES, x);
      }
      c->generator(point);
      c->add(point, point, point);
      job_begin(&j);
      rp_value s = job_input(&j, &RP_TYPE_U256, (uint64_t)n, scalars),
               p = job_input(&j, rp_type_affine(curve), 1, point);
      job_output(&j, rp_to_affine(j.graph, rp_scalar_mul(j.graph, s, p)), got);
      job_check(&j);
      for (int i = 0; i < n; i++) c->mul(want + i * size, point, scalars + i * SCALAR_BYTES);
      data_assert_points(curve, got, want, (uint64_t)n, "scalar_mul by scalars that GLV splits");
    }
    free(scalars);
    free(want);
    free(got);
  }
}

/* Trees over affine points, over accumulators of them, and over sums that are not normalised. */
static void check_tree(rp_curve curve, point_kind kind, uint64_t width, uint64_t groups) {
  const rp_curve_host *c = rp_curve_get(curve);
  const uint32_t size = c->affine_bytes;
  const uint64_t n = width * groups;
  int64_t *multiples = malloc(n * sizeof *multiples);
  bytes *points = data_points(curve, kind, n, multiples);
  bytes got[5 * POINT_BYTES], from_acc[5 * POINT_BYTES], doubled[5 * POINT_BYTES], want[5 * POINT_BYTES];
  job j;
  job_begin(&j);
  rp_value p = job_input(&j, rp_type_affine(curve), n, points);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, p, groups == 1 ? 0 : width)), got);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, rp_from_affine(j.graph, p), width)), from_acc);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, rp_point_add(j.graph, p, p), width)), doubled);
  job_check(&j);
  for (uint64_t k = 0; k < groups; k++) ref_tree_reduce(c, points + k * width * size, width, want + k * size);
  data_assert_points(curve, got, want, groups, "tree_reduce");
  data_assert_points(curve, from_acc, want, groups, "tree_reduce of accumulators");
  for (uint64_t k = 0; k < groups; k++) c->add(want + k * size, want + k * size, want + k * size);
  data_assert_points(curve, doubled, want, groups, "tree_reduce of doubled points");
  free(points);
  free(multiples);
}

static void test_tree(void **state) {
  static const uint64_t widths[][2] = {{1, 1},  {2, 3},   {3, 2},   {7, 5},    {8, 4},
                                       {67, 2}, {255, 1}, {256, 2}, {1025, 1}, {2500, 1}};
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
      const uint64_t width = widths[i][0], groups = widths[i][1];
      if (!data_fits(width)) continue;
      if (width < 100 || width == 1025) {
        for (point_kind kind = 0; kind < POINT_KINDS; kind++) check_tree(curve, kind, width, groups);
      } else {
        check_tree(curve, i % 2 ? POINT_OPPOSITE : POINT_DISTINCT, width, groups);
      }
    }
  }
}

/* There are so many points that a GPU uses large blocks, in which each thread adds up to sixteen points. They repeat a
 * few points of all kinds in random order, so that their sum is known. Also adds one point to each of them, with affine
 * results. */
static void check_many(rp_curve curve, uint64_t n) {
  enum { FEW = 256 };
  const rp_curve_host *c = rp_curve_get(curve);
  const uint32_t size = c->affine_bytes;
  const bytes one[SCALAR_BYTES] = {1};
  int64_t multiples[FEW], total = 0;
  uint64_t seed = n;
  bytes *few = mixed_points(curve, FEW, multiples), *points = malloc(n * size), got[2][POINT_BYTES], want[POINT_BYTES];
  bytes *sums = malloc(n * size), *few_sums = malloc(FEW * size), *which = malloc(n), *point = few + 2 * size;
  job j;
  assert_true(points && sums && few_sums && which);
  for (uint64_t i = 0; i < n; i++) {
    which[i] = (bytes)(data_next(&seed) % FEW);
    memcpy(points + i * size, few + which[i] * size, size);
    total += multiples[which[i]];
  }
  for (uint64_t k = 0; k < FEW; k++) c->add(few_sums + k * size, few + k * size, point);
  job_begin(&j);
  rp_value p = job_input(&j, rp_type_affine(curve), n, points);
  rp_value added = job_input(&j, rp_type_affine(curve), 1, point);
  job_output(&j, rp_to_affine(j.graph, rp_point_add(j.graph, rp_from_affine(j.graph, p), added)), sums);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, p, 0)), got[0]);
  job_output(&j, rp_to_affine(j.graph, rp_tree_reduce(j.graph, rp_from_affine(j.graph, p), 0)), got[1]);
  job_check(&j);
  data_msm(curve, one, &total, 1, want);
  data_assert_points(curve, got[0], want, 1, "long tree_reduce");
  data_assert_points(curve, got[1], want, 1, "long tree_reduce of accumulators");
  for (uint64_t i = 0; i < n; i++)
    if (memcmp(sums + i * size, few_sums + which[i] * size, size)) /* or another point of the same class */
      data_assert_points(curve, sums + i * size, few_sums + which[i] * size, 1, "one of many sums");
  void *mine[] = {few, points, sums, few_sums, which};
  for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) free(mine[i]);
}

static void test_many(void **state) {
  rp_device_info info = {.struct_size = sizeof info};
  (void)state;
  rp_device_get_info(device_current(), &info);
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    if (info.kind != RP_DEVICE_CUDA || !data_fits(1024)) {
      check_many(curve, data_fits(1 << 14) ? (1 << 14) + 77 : 77);
      continue;
    }
    for (uint32_t block = 1024; block <= 4096; block *= 2) /* one block for each multiprocessor, and a part */
      check_many(curve, (uint64_t)info.limits.workers * block + block / 2 + 77);
  }
}

static rp_status check_points(rp_curve curve, const void *points, uint64_t n, bool subgroup, rp_error *error) {
  bytes *out = malloc(n * rp_curve_get(curve)->affine_bytes);
  job j;
  job_begin(&j);
  job_output(&j, rp_point_check(j.graph, job_input(&j, rp_type_affine(curve), n, points), subgroup), out);
  rp_status status = job_run(&j);
  if (status == RP_OK) data_assert_points(curve, out, points, n, "point_check");
  *error = j.error;
  free(out);
  return status;
}

static void test_check(void **state) {
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    int64_t multiples[40];
    bytes *points = data_points(curve, POINT_INFINITY, 40, multiples);
    rp_error error;
    assert_int_equal(check_points(curve, points, 40, 0, &error), RP_OK);
    assert_int_equal(check_points(curve, points, 40, 1, &error), RP_OK);
    rp_field_get(c->base)->one(points + 20 * c->affine_bytes); /* a point with another x */
    if (!c->on_curve(points + 20 * c->affine_bytes))
      assert_int_equal(check_points(curve, points, 40, 0, &error), RP_ERR_INPUT);
    free(points);
    points = data_points(curve, POINT_INFINITY, 40, multiples);
    for (int i = 0; i < 40; i++) { /* one point off the curve, at each position */
      bytes *y = points + i * c->affine_bytes + c->affine_bytes / 2;
      uint64_t one[12], good[12];
      const rp_field_host *f = rp_field_get(c->base);
      char element[32];
      f->one(one);
      memcpy(good, y, c->affine_bytes / 2);
      f->add(y, y, one);
      snprintf(element, sizeof element, "element %d ", i);
      if (!c->on_curve(points + i * c->affine_bytes)) {
        assert_int_equal(check_points(curve, points, 40, 0, &error), RP_ERR_INPUT);
        if (!strstr(error.reason, element)) fail_msg("\"%s\" does not name %s", error.reason, element);
      }
      memcpy(y, good, c->affine_bytes / 2);
    }
    assert_int_equal(check_points(curve, points, 40, 0, &error), RP_OK);
    free(points);
  }
}

/* y from x, on the curve that the generator lies on; 0 if no point has that x. */
static int lift(const rp_curve_host *c, void *point) {
  const rp_field_host *f = rp_field_get(c->base);
  uint64_t g[24], xx[12], gg[12], t[12], u[12], one[12];
  bytes *x = point, *y = x + f->size_bytes, *gx = (bytes *)g, *gy = gx + f->size_bytes;
  c->generator(g);
  f->mul(xx, x, x);
  f->mul(gg, gx, gx);
  if (c->id != RP_CURVE_BANDERWAGON) { /* y^2 = x^3 + gy^2 - gx^3 */
    f->mul(xx, xx, x);
    f->mul(gg, gg, gx);
    f->mul(t, gy, gy);
    f->sub(t, t, gg);
    f->add(t, t, xx);
    return f->sqrt(y, t);
  }
  /* y^2 = (1 + 5 x^2) / (1 - d x^2), d = (gy^2 - 5 gx^2 - 1) / (gx^2 gy^2) */
  f->one(one);
  f->mul(t, gy, gy);
  f->mul(u, t, gg);
  f->inv(u, u);
  f->sub(t, t, one);
  for (int i = 0; i < 5; i++) f->sub(t, t, gg);
  f->mul(t, t, u);
  f->mul(t, t, xx);
  f->sub(t, one, t);
  f->inv(t, t);
  memcpy(u, one, sizeof u);
  for (int i = 0; i < 5; i++) f->add(u, u, xx);
  f->mul(t, t, u);
  return f->sqrt(y, t);
}

/* Points on the curve inside and outside the subgroup, one among many others. */
static void test_subgroup(void **state) {
  enum { N = 37, TRIES = 12 };
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    const rp_field_host *f = rp_field_get(c->base);
    int64_t multiples[N];
    bytes *points = data_points(curve, POINT_DISTINCT, N, multiples);
    rp_error error;
    int inside = 0, outside = 0;
    f->zero(points + 5 * c->affine_bytes);
    for (int i = 0; i < TRIES; i++) {
      bytes *p = points + 5 * c->affine_bytes;
      uint64_t one[12];
      f->one(one);
      f->add(p, p, one);
      if (!lift(c, p)) continue;
      const int in = c->in_subgroup(p);
      assert_int_equal(check_points(curve, points, N, 0, &error), RP_OK);
      assert_int_equal(check_points(curve, points, N, 1, &error), in ? RP_OK : RP_ERR_INPUT);
      inside += in, outside += !in;
    }
    assert_true(inside + outside);
    if (curve == RP_CURVE_BLS12_381_G1 || curve == RP_CURVE_BLS12_381_G2 || curve == RP_CURVE_BN254_G2 ||
        curve == RP_CURVE_BANDERWAGON)
      assert_true(outside);
    free(points);
  }
}

static void test_scalar_range(void **state) {
  (void)state;
  for (rp_curve curve = data_curve(0); curve < RP_CURVE_COUNT; curve = data_curve(curve + 1)) {
    const rp_curve_host *c = rp_curve_get(curve);
    for (int fixed = 0; fixed < 2; fixed++) {
      bytes scalars[3 * SCALAR_BYTES] = {1}, point[POINT_BYTES], out[3 * POINT_BYTES];
      job j;
      memcpy(scalars + 2 * SCALAR_BYTES, c->order_le, SCALAR_BYTES);
      c->generator(point);
      job_begin(&j);
      rp_value s = job_input(&j, &RP_TYPE_U256, 3, scalars), p = job_constant(&j, rp_type_affine(curve), 1, point);
      rp_fixed_base base = rp_fixed_base_table(j.graph, p, 4);
      rp_value r = fixed ? rp_fixed_base_mul(j.graph, &base, s) : rp_scalar_mul(j.graph, s, p);
      job_output(&j, rp_to_affine(j.graph, r), out);
      assert_int_equal(job_run(&j), RP_ERR_INPUT);
    }
  }
}

/* Descriptions of 960 points modulo 2^64 that belong to no table. */
static void test_no_table(void **state) {
  const rp_fixed_base wrong[] = {{.window_bits = 65, .n = 240}, {.window_bits = 4, .n = ((uint64_t)1 << 58) + 1}};
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rp_fixed_base base = wrong[i];
    rp_graph *g;
    assert_int_equal(rp_graph_create(device_context(), "no table", &g, NULL), RP_OK);
    base.curve = RP_CURVE_BN254_G1;
    base.table = rp_graph_input(g, "table", rp_type_affine(base.curve), 960, 0);
    rp_fixed_base_mul(g, &base, rp_graph_input(g, "scalars", &RP_TYPE_U256, 1, 0));
    assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
    rp_graph_destroy(g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_exhaustive_sums),
      cmocka_unit_test(test_exhaustive_products),
      cmocka_unit_test(test_products),
      cmocka_unit_test(test_glv_scalars),
      cmocka_unit_test(test_tree),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_subgroup),
      cmocka_unit_test(test_scalar_range),
      cmocka_unit_test(test_no_table),
  };
  return device_run_tests("points", tests, sizeof tests / sizeof *tests);
}
