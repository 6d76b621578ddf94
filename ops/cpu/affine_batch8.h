/*SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The batch of affine_batch.h on eight lanes: lane i of group g is pair 8 g + i, each lane has a chain of products
 * of its own, and the eight are inverted together. Groups with a pair that is no plain addition are finished one by
 * one.
 *
 * Values (fe8.h): coordinates are memory values x R, and denominators are multiplied as they are. A chain of j of them
 * is then their product times S 2^(-k j), its inverse times S 2^(k j), and the inverse of one of them, which is taken
 * from a chain of j and one of j + 1, comes out as d^-1 S 2^k; so the slope, its product with a memory value, is a working
 * value.
 */
#ifndef REPRISE_OPS_CPU_AFFINE_BATCH8_H
#define REPRISE_OPS_CPU_AFFINE_BATCH8_H

#define PAIR_GROUP_SPECIAL 0x100u /* in the kind of a group's first pair */

_Static_assert(sizeof(fe8) <= 8 * RP_PAIR_PRODUCT_BYTES(FE_BYTES), "rp_pair_products_bytes");

/* Where operands are: in an array with the results, or in one of their own, then a and b of a pair are entries of a bucket
 * matrix: index times two, plus one for the negative. */
typedef struct pair_source {
  const aff *points;
  int entries;
} pair_source;

enum { PAIR_AHEAD = 4 }; /* groups whose operands are fetched ahead */

static inline const aff *pair_at(const pair_source *s, uint32_t operand) {
  return s->points + (s->entries ? operand >> 1 : operand);
}

static inline void pair_fetch(const pair_source *s, const point_pair *group) {
  if (!s->entries) return;
  for (int i = 0; i < 8; i++)
    for (size_t at = 0; at < sizeof(aff); at += 64) {
      __builtin_prefetch((const char *)pair_at(s, group[i].a) + at);
      __builtin_prefetch((const char *)pair_at(s, group[i].b) + at);
    }
}

static inline void pair_load(fe8 *p, fe8 *q, const pair_source *s, const point_pair *group, size_t offset) {
  const void *at[8];
  for (int i = 0; i < 8; i++) at[i] = (const char *)pair_at(s, group[i].a) + offset;
  fe8_load_raw_at(p, at);
  for (int i = 0; i < 8; i++) at[i] = (const char *)pair_at(s, group[i].b) + offset;
  fe8_load_raw_at(q, at);
}

static inline void pair_load_y(fe8 *p, fe8 *q, const pair_source *s, const point_pair *group) {
  pair_load(p, q, s, group, offsetof(aff, y));
  if (!s->entries) return;
  unsigned mp = 0, mq = 0;
  fe8 t;
  for (int i = 0; i < 8; i++) {
    mp |= (group[i].a & 1u) << i;
    mq |= (group[i].b & 1u) << i;
  }
  fe8_neg(&t, p);
  fe8_cmov(p, &t, (m8)mp);
  fe8_neg(&t, q);
  fe8_cmov(q, &t, (m8)mq);
}

/* Both operands of a pair, signs applied. */
static inline void pair_operands(aff out[2], const pair_source *s, const point_pair *pair) {
  out[0] = *pair_at(s, pair->a);
  out[1] = *pair_at(s, pair->b);
  if (s->entries && pair->a & 1u) aff_neg(&out[0], &out[0]);
  if (s->entries && pair->b & 1u) aff_neg(&out[1], &out[1]);
}

/* Denominators of a group in which some are not x_b - x_a: sets the kinds of the pairs. */
static __attribute__((noinline)) void pair_classify8(fe8 *den, point_pair *pairs, const pair_source *s) {
  fe lane[8];
  for (int i = 0; i < 8; i++) {
    aff operand[2];
    pair_operands(operand, s, &pairs[i]);
    pairs[i].kind = pair_classify(&lane[i], &operand[0], &operand[1]);
    if (pairs[i].kind > PAIR_DOUBLE) fe_one(&lane[i]);
  }
  fe8_load_raw(den, lane);
}

static __attribute__((noinline)) void pair_finish8(const point_pair *pairs, const pair_source *s, aff *out,
                                                   const fe8 *inverse) {
  fe8 t;
  fe lane[8];
  aff local[8][2];
  fe8_unscale(&t, inverse);
  fe8_store(lane, &t);
  for (int i = 0; i < 8; i++) pair_operands(local[i], s, &pairs[i]);
  for (int i = 0; i < 8; i++) {
    const point_pair p = {0, 1, 0, pairs[i].kind & ~PAIR_GROUP_SPECIAL};
    pair_finish(&p, local[i], &lane[i]);
    out[pairs[i].dst] = local[i][0];
  }
}

/* products[g] becomes the product of the denominators behind group g. Returns the product of all. */
static inline void pair_products8(fe8 *total, point_pair *pairs, uint32_t groups, const pair_source *s, fe8 *products) {
  fe8 run;
  fe8_one(&run);
  for (uint32_t g = groups; g-- > 0;) {
    point_pair *group = pairs + 8 * (size_t)g;
    fe8 p, q, den;
    if (g >= PAIR_AHEAD) pair_fetch(s, group - 8 * PAIR_AHEAD);
    pair_load(&p, &q, s, group, offsetof(aff, x));
    fe8_sub(&den, &q, &p);
    if (__builtin_expect(fe8_is_zero(&den) | fe8_is_zero(&p) | fe8_is_zero(&q), 0)) {
      pair_classify8(&den, group, s);
      group[0].kind |= PAIR_GROUP_SPECIAL;
    }
    products[g] = run;
    fe8_mul(&run, &run, &den);
  }
  *total = run;
}

/* One group of plain additions: takes its inverse off the chain. */
static inline void pair_add_group(const pair_source *s, const point_pair *group, aff *out, fe8 *run,
                                  const fe8 *product) {
  fe8 px, py, qx, qy, den, slope, x, y;
  void *to[8];
  fe8_mul(&slope, run, product);
  pair_load(&px, &qx, s, group, offsetof(aff, x));
  pair_load_y(&py, &qy, s, group);
  fe8_sub(&den, &qx, &px);
  fe8_mul(run, run, &den);
  fe8_sub(&y, &qy, &py);
  fe8_mul(&slope, &slope, &y);
  fe8_sqr(&x, &slope);
  fe8_unscale(&x, &x);
  fe8_sub(&x, &x, &px);
  fe8_sub(&x, &x, &qx);
  fe8_sub(&y, &px, &x);
  fe8_mul(&y, &y, &slope);
  fe8_sub(&y, &y, &py);
  for (int i = 0; i < 8; i++) to[i] = &out[group[i].dst].x;
  fe8_store_raw_at(to, &x);
  for (int i = 0; i < 8; i++) to[i] = &out[group[i].dst].y;
  fe8_store_raw_at(to, &y);
}

static inline void pair_add_from(const pair_memory *m, uint32_t n, const pair_source *s, aff *out) {
  const uint32_t groups = (n + 7) / 8;
  point_pair *pairs = m->pairs;
  const fe8 *products = m->products;
  fe8 run;
  if (!n) return;
  for (uint32_t i = 0; i < n; i++) pairs[i].kind = PAIR_ADD;
  for (uint32_t i = n; i < 8 * groups; i++) pairs[i] = pairs[n - 1]; /* the same sum once more */
  pair_products8(&run, pairs, groups, s, m->products);
  fe8_inv_var(&run, &run);
  for (uint32_t g = 0; g < groups; g++) {
    const point_pair *group = pairs + 8 * (size_t)g;
    if (__builtin_expect(group[0].kind & PAIR_GROUP_SPECIAL, 0)) {
      point_pair copy[8];
      fe8 inverse, den;
      fe8_mul(&inverse, &run, &products[g]);
      memcpy(copy, group, sizeof copy);
      copy[0].kind &= ~PAIR_GROUP_SPECIAL;
      pair_classify8(&den, copy, s);
      fe8_mul(&run, &run, &den);
      pair_finish8(group, s, out, &inverse);
    } else {
      pair_add_group(s, group, out, &run, &products[g]);
    }
  }
}

/* As in affine_batch.h. In a group all operands are read before any result is written. */
static __attribute__((noinline, unused)) void pair_add(const pair_memory *m, uint32_t n, aff *points) {
  pair_add_from(m, n, &(const pair_source){points, 0}, points);
}

/* The same for pairs of entries; out[dst] is the sum. */
static __attribute__((noinline, unused)) void pair_add_entries(const pair_memory *m, uint32_t n, const aff *points,
                                                               aff *out) {
  pair_add_from(m, n, &(const pair_source){points, 1}, out);
}

#endif
