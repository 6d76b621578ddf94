/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The batch of affine_batch.h on eight lanes: lane i of group g is pair 8 g + i. Each lane has its own chain of
 * products, and the eight chains are inverted together. In groups with a pair that is not a plain addition, pairs are
 * finished one by one.
 *
 * Values (fe8.h): coordinates are memory values x R, and so are the denominators that are multiplied. A chain of j
 * denominators is their product times S 2^(-k j), and its inverse is the inverse product times S 2^(k j). The inverse
 * of one denominator, from a chain of j and one of j + 1, is therefore d^-1 S 2^k, so that the slope, its product with
 * a memory value, is a working value.
 */
#ifndef REPRISE_OPS_CPU_AFFINE_BATCH8_H
#define REPRISE_OPS_CPU_AFFINE_BATCH8_H

#define PAIR_GROUP_SPECIAL 0x100u /* flag in the kind of a group's first pair */

_Static_assert(sizeof(fe8) <= 8 * RP_PAIR_PRODUCT_BYTES(FE_BYTES), "rp_pair_products_bytes");

/* Where operands are, at any address. If `entries` is 0, a and b of a pair are indices of points. Otherwise they are
 * entries of a bucket matrix: twice the index, plus one for the negative. */
typedef struct pair_source {
  const void *points;
  int entries;
} pair_source;

enum { PAIR_AHEAD = 8 }; /* how many groups ahead operands are prefetched */

static inline const char *pair_at(const pair_source *s, uint32_t operand) {
  return (const char *)s->points + sizeof(aff) * (s->entries ? operand >> 1 : operand);
}

/* Inlined by force: gcc deems a function that only prefetches to have no effect, and drops calls of it. */
static inline __attribute__((always_inline)) void pair_fetch(const pair_source *s, const point_pair *group) {
  if (!s->entries) return;
  RP_UNROLL for (int i = 0; i < 8; i++) {
    const char *a = pair_at(s, group[i].a), *b = pair_at(s, group[i].b);
    RP_UNROLL for (size_t at = 0; at < sizeof(aff); at += 64) {
      __builtin_prefetch(a + at);
      __builtin_prefetch(b + at);
    }
    __builtin_prefetch(a + sizeof(aff) - 1); /* at an odd address a point has one more cache line */
    __builtin_prefetch(b + sizeof(aff) - 1);
  }
}

static inline void pair_load(fe8 *p, fe8 *q, const pair_source *s, const point_pair *group, size_t offset) {
  const void *at[8];
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = pair_at(s, group[i].a) + offset;
  fe8_load_raw_at(p, at);
  RP_UNROLL for (int i = 0; i < 8; i++) at[i] = pair_at(s, group[i].b) + offset;
  fe8_load_raw_at(q, at);
}

/* The lanes whose operands are negated. */
static inline void pair_signs(m8 *p, m8 *q, const point_pair *group) {
  unsigned mp = 0, mq = 0;
  RP_UNROLL for (int i = 0; i < 8; i++) {
    mp |= (group[i].a & 1u) << i;
    mq |= (group[i].b & 1u) << i;
  }
  *p = (m8)mp;
  *q = (m8)mq;
}

/* Both operands of a pair, with signs applied. */
static inline void pair_operands(aff out[2], const pair_source *s, const point_pair *pair) {
  memcpy(&out[0], pair_at(s, pair->a), sizeof out[0]);
  memcpy(&out[1], pair_at(s, pair->b), sizeof out[1]);
  if (s->entries && pair->a & 1u) aff_neg(&out[0], &out[0]);
  if (s->entries && pair->b & 1u) aff_neg(&out[1], &out[1]);
}

/* Computes the denominators of a group in which some are not x_b - x_a, and sets the kinds of its pairs. */
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
  RP_UNROLL for (int i = 0; i < 8; i++) pair_operands(local[i], s, &pairs[i]);
  for (int i = 0; i < 8; i++) { /* not unrolled: this is rare, and one copy of the formulas is enough */
    const point_pair p = {0, 1, 0, pairs[i].kind & ~PAIR_GROUP_SPECIAL};
    pair_finish(&p, local[i], out + pairs[i].dst, &lane[i]);
  }
}

/* Groups in flight at once, each on its own chain, so that the latency of one is hidden by the products of the
 * other. */
enum { PAIR_CHAINS = 2 };

/* products[g] becomes the product of the denominators of later groups in the same chain, g mod PAIR_CHAINS; total[c]
 * that of all groups in chain c. */
static inline void pair_products8(fe8 total[PAIR_CHAINS], point_pair *pairs, uint32_t groups, const pair_source *s,
                                  fe8 *products) {
  fe8 run[PAIR_CHAINS];
  RP_UNROLL for (int c = 0; c < PAIR_CHAINS; c++) fe8_one(&run[c]);
  for (uint32_t g = groups; g-- > 0;) {
    point_pair *group = pairs + 8 * (size_t)g;
    fe8 *chain = &run[g % PAIR_CHAINS];
    fe8 p, q, den;
    if (g >= PAIR_AHEAD) pair_fetch(s, group - 8 * PAIR_AHEAD);
    pair_load(&p, &q, s, group, offsetof(aff, x));
    fe8_sub_plus(&den, &q, &p, 1);
    if (__builtin_expect(fe8_may_be_zero(&den) | fe8_is_clear(&p) | fe8_is_clear(&q), 0)) {
      pair_classify8(&den, group, s);
      group[0].kind |= PAIR_GROUP_SPECIAL;
    }
    products[g] = *chain;
    fe8_mul(chain, chain, &den);
  }
  RP_UNROLL for (int c = 0; c < PAIR_CHAINS; c++) total[c] = run[c];
}

/* r[c] = a[c] b[c] for c < n. */
static inline __attribute__((always_inline)) void pair_mul(fe8 *r, const fe8 *a, const fe8 *b, const int n) {
  if (n == 2) {
    fe8_mul_two(r, a, b);
  } else {
    fe8_mul(r, a, b);
  }
}

/* Adds `n` groups of plain additions, one of each chain. run[] holds the inverses of the chains' products up to here;
 * the groups' denominators are divided out of them. Coordinates are below p when loaded; bounds in comments are
 * multiples of p. */
static inline __attribute__((always_inline)) void
pair_add_groups(const pair_source *s, const point_pair *group, aff *out, fe8 *run, const fe8 *products, const int n) {
  fe8 px[PAIR_CHAINS], py[PAIR_CHAINS], qx[PAIR_CHAINS], slope[PAIR_CHAINS], x[PAIR_CHAINS], y[PAIR_CHAINS];
  fe8 den[PAIR_CHAINS];
  m8 minus_p[PAIR_CHAINS] = {0}, minus_q[PAIR_CHAINS] = {0};
  void *to[8];
  pair_mul(slope, run, products, n);
  RP_UNROLL for (int c = 0; c < n; c++) {
    pair_load(&px[c], &qx[c], s, group + 8 * c, offsetof(aff, x));
    fe8_sub_plus(&den[c], &qx[c], &px[c], 1); /* 2 */
  }
  pair_mul(run, run, den, n);
  RP_UNROLL for (int c = 0; c < n; c++) {
    fe8 qy;
    pair_load(&py[c], &qy, s, group + 8 * c, offsetof(aff, y));
    if (s->entries) pair_signs(&minus_p[c], &minus_q[c], group + 8 * c);
    fe8_sub_signed(&y[c], &qy, minus_q[c], &py[c], minus_p[c], 2); /* 4 */
  }
  pair_mul(slope, slope, y, n);
  if (n == 2) {
    fe8_sqr_two(x, slope);
  } else {
    fe8_sqr(&x[0], &slope[0]);
  }
  RP_UNROLL for (int c = 0; c < n; c++) {
    fe8 t;
    fe8_unscale(&x[c], &x[c]);
    fe8_add_lazy(&t, &px[c], &qx[c]);
    fe8_sub_plus(&x[c], &x[c], &t, 2);     /* 4 */
    fe8_sub_plus(&y[c], &px[c], &x[c], 4); /* 5 */
  }
  pair_mul(y, y, slope, n);
  RP_UNROLL for (int c = 0; c < n; c++) {
    RP_UNROLL for (int i = 0; i < 8; i++) to[i] = &out[group[8 * c + i].dst].x;
    fe8_store_raw_wide_at(to, &x[c]);
    fe8_sub_signed(&y[c], &y[c], 0, &py[c], minus_p[c], 1); /* 3 */
    RP_UNROLL for (int i = 0; i < 8; i++) to[i] = &out[group[8 * c + i].dst].y;
    fe8_store_raw_wide_at(to, &y[c]);
  }
}

static __attribute__((noinline)) void pair_add_one(const pair_source *s, const point_pair *group, aff *out, fe8 *run,
                                                   const fe8 *product) {
  pair_add_groups(s, group, out, run, product, 1);
}

/* Adds a group with a pair that is not a plain addition. */
static __attribute__((noinline)) void pair_add_special(const pair_source *s, const point_pair *group, aff *out,
                                                       fe8 *run, const fe8 *product) {
  point_pair copy[8];
  fe8 inverse, den;
  fe8_mul(&inverse, run, product);
  memcpy(copy, group, sizeof copy);
  copy[0].kind &= ~PAIR_GROUP_SPECIAL;
  pair_classify8(&den, copy, s);
  fe8_mul(run, run, &den);
  pair_finish8(group, s, out, &inverse);
}

/* run[c] = 1 / run[c] for both chains, with one inversion. */
static inline void pair_invert(fe8 run[PAIR_CHAINS]) {
  fe8 all, inverse;
  fe8_mul(&all, &run[0], &run[1]);
  fe8_inv_var(&all, &all);
  fe8_mul(&inverse, &all, &run[1]);
  fe8_mul(&run[1], &all, &run[0]);
  run[0] = inverse;
}

static inline void pair_add_from(const pair_memory *m, uint32_t n, const pair_source *s, aff *out) {
  const uint32_t groups = (n + 7) / 8;
  point_pair *pairs = m->pairs;
  const fe8 *products = m->products;
  fe8 run[PAIR_CHAINS];
  if (!n) return;
  for (uint32_t i = 0; i < n; i++) pairs[i].kind = PAIR_ADD;
  for (uint32_t i = n; i < 8 * groups; i++) pairs[i] = pairs[n - 1]; /* spare lanes compute the last sum again */
  pair_products8(run, pairs, groups, s, m->products);
  pair_invert(run);
  for (uint32_t g = 0; g < groups; g += PAIR_CHAINS) {
    const point_pair *group = pairs + 8 * (size_t)g;
    uint32_t here = groups - g < PAIR_CHAINS ? groups - g : PAIR_CHAINS, special = 0;
    for (uint32_t c = 0; c < here; c++) special |= group[8 * c].kind & PAIR_GROUP_SPECIAL;
    if (__builtin_expect(here == PAIR_CHAINS && !special, 1)) {
      pair_add_groups(s, group, out, run, &products[g], PAIR_CHAINS);
      continue;
    }
    for (uint32_t c = 0; c < here; c++) {
      if (group[8 * c].kind & PAIR_GROUP_SPECIAL) {
        pair_add_special(s, group + 8 * c, out, &run[c], &products[g + c]);
      } else {
        pair_add_one(s, group + 8 * c, out, &run[c], &products[g + c]);
      }
    }
  }
}

/* As in affine_batch.h, except that all operands of a group are read before any of its results is written. */
static __attribute__((noinline, unused)) void pair_add_to(const pair_memory *m, uint32_t n, const aff *points,
                                                          aff *out) {
  pair_add_from(m, n, &(const pair_source){points, 0}, out);
}

/* The same for pairs of entries: out[dst] is the sum of both, with their signs. `points` may have any address. */
static __attribute__((noinline, unused)) void pair_add_entries(const pair_memory *m, uint32_t n, const void *points,
                                                               aff *out) {
  pair_add_from(m, n, &(const pair_source){points, 1}, out);
}

#endif
