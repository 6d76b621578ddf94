/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The batch of affine_batch.h on eight lanes: lane i of group g is pair 8 g + i, each lane has a chain of products
 * of its own, and the eight are inverted together. Groups with a pair that is no plain addition are finished one by
 * one.
 *
 * Values (fe8.h): coordinates are memory values, the chain and the inverses are working values, and `shift` is the
 * working value whose product makes one from the other.
 */
#ifndef REPRISE_OPS_CPU_AFFINE_BATCH8_H
#define REPRISE_OPS_CPU_AFFINE_BATCH8_H

#define PAIR_GROUP_SPECIAL 0x100u /* in the kind of a group's first pair */

_Static_assert(sizeof(fe8) <= 8 * RP_PAIR_PRODUCT_BYTES(FE_BYTES), "rp_pair_products_bytes");

static inline void pair_coordinates(const void *at[8], const point_pair *pairs, const aff *points, int second,
                                    size_t offset) {
  for (int i = 0; i < 8; i++) at[i] = (const char *)(points + (second ? pairs[i].b : pairs[i].a)) + offset;
}

static inline void pair_load(fe8 *r, const point_pair *pairs, const aff *points, int second, size_t offset) {
  const void *at[8];
  pair_coordinates(at, pairs, points, second, offset);
  fe8_load_raw_at(r, at);
}

static inline void pair_shift(fe8 *shift) {
  fe x;
  fe_one(&x);
  for (int i = 0; i < 52 * FP_LIMBS52 - 64 * FP_LIMBS; i++) fe_add(&x, &x, &x);
  fe8_set1(shift, &x);
}

/* Denominators of a group in which some are not x_b - x_a: sets the kinds of the pairs. */
static __attribute__((noinline)) void pair_classify8(fe8 *den, point_pair *pairs, const aff *points) {
  fe lane[8];
  for (int i = 0; i < 8; i++) {
    if (pairs[i].kind != PAIR_NONE) {
      pairs[i].kind = pair_classify(&lane[i], points + pairs[i].a, points + pairs[i].b);
    }
    if (pairs[i].kind > PAIR_DOUBLE) fe_one(&lane[i]);
  }
  fe8_load_raw(den, lane);
}

static __attribute__((noinline)) void pair_finish8(const point_pair *pairs, aff *points, const fe8 *inverse) {
  fe lane[8];
  fe8_store(lane, inverse);
  for (int i = 0; i < 8; i++) {
    point_pair p = pairs[i];
    p.kind &= ~PAIR_GROUP_SPECIAL;
    pair_finish(&p, points, &lane[i]);
  }
}

/* products[g] becomes the product of the denominators behind group g. Returns the product of all. */
static void pair_products8(fe8 *total, point_pair *pairs, uint32_t groups, const aff *points, fe8 *products,
                           const fe8 *shift) {
  fe8 run;
  fe8_one(&run);
  for (uint32_t g = groups; g-- > 0;) {
    point_pair *group = pairs + 8 * (size_t)g;
    fe8 p, q, den;
    pair_load(&p, group, points, 0, offsetof(aff, x));
    pair_load(&q, group, points, 1, offsetof(aff, x));
    fe8_sub(&den, &q, &p);
    if (__builtin_expect(fe8_is_zero(&den) | fe8_is_zero(&p) | fe8_is_zero(&q) | (group[7].kind == PAIR_NONE), 0)) {
      pair_classify8(&den, group, points);
      group[0].kind |= PAIR_GROUP_SPECIAL;
    }
    products[g] = run;
    fe8_mul(&den, &den, shift);
    fe8_mul(&run, &run, &den);
  }
  *total = run;
}

/* As in affine_batch.h. In a group all operands are read before any result is written. */
static void pair_add(const pair_memory *m, uint32_t n, aff *points) {
  const uint32_t groups = (n + 7) / 8;
  point_pair *pairs = m->pairs;
  const fe8 *products = m->products;
  fe8 run, shift;
  if (!n) return;
  for (uint32_t i = 0; i < n; i++) pairs[i].kind = PAIR_ADD;
  for (uint32_t i = n; i < 8 * groups; i++) pairs[i] = (point_pair){.kind = PAIR_NONE};
  pair_shift(&shift);
  pair_products8(&run, pairs, groups, points, m->products, &shift);
  fe8_inv_var(&run, &run);
  for (uint32_t g = 0; g < groups; g++) {
    const point_pair *group = pairs + 8 * (size_t)g;
    fe8 px, py, qx, qy, den, inverse, slope, working, x, y;
    void *to[8];
    fe8_mul(&inverse, &run, &products[g]);
    if (__builtin_expect(group[0].kind & PAIR_GROUP_SPECIAL, 0)) {
      point_pair copy[8];
      memcpy(copy, group, sizeof copy);
      copy[0].kind &= ~PAIR_GROUP_SPECIAL;
      pair_classify8(&den, copy, points);
      fe8_mul(&den, &den, &shift);
      fe8_mul(&run, &run, &den);
      pair_finish8(group, points, &inverse);
      continue;
    }
    pair_load(&px, group, points, 0, offsetof(aff, x));
    pair_load(&qx, group, points, 1, offsetof(aff, x));
    pair_load(&py, group, points, 0, offsetof(aff, y));
    pair_load(&qy, group, points, 1, offsetof(aff, y));
    fe8_sub(&den, &qx, &px);
    fe8_mul(&den, &den, &shift);
    fe8_mul(&run, &run, &den);
    fe8_sub(&slope, &qy, &py);
    fe8_mul(&slope, &slope, &inverse);
    fe8_mul(&working, &slope, &shift);
    fe8_mul(&x, &slope, &working);
    fe8_sub(&x, &x, &px);
    fe8_sub(&x, &x, &qx);
    fe8_sub(&y, &px, &x);
    fe8_mul(&y, &y, &working);
    fe8_sub(&y, &y, &py);
    for (int i = 0; i < 8; i++) to[i] = &points[group[i].dst].x;
    fe8_store_raw_at(to, &x);
    for (int i = 0; i < 8; i++) to[i] = &points[group[i].dst].y;
    fe8_store_raw_at(to, &y);
  }
}

#endif
