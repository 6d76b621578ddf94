/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Batch inversion (Montgomery's trick; P. L. Montgomery, Math. Comp. 48, 1987), see vector/batch_inverse.c. No
 * branch and no address depends on the elements, except that a zero is reported if strict; the inversion itself is
 * constant-time if asked.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/batch_inverse_args.h"

#include <stdbool.h>

enum { MOST_LANES = RP_LANES ? 8 : RP_INVERSE_LANES };

typedef struct chains {
  fe lane[MOST_LANES];
} chains;

/* r = x, or 1 if x is zero. Returns whether x is zero. */
static inline int nonzero(fe *r, const fe *x) {
  fe one;
  int zero = fe_is_zero(x);
  fe_one(&one);
  *r = *x;
  fe_cmov(r, &one, zero);
  return zero;
}

static inline void report_zero(const struct rp_inverse_args *k, uint64_t at, int is_zero) {
  if (k->has_mask) k->mask[at] = (uint8_t)is_zero;
  if (k->strict && is_zero) rp_fault_report(k->error, RP_FAULT_ZERO, k->site, at);
}

static inline void forward(const struct rp_inverse_args *k, uint64_t first, uint64_t last, uint64_t lanes, chains *c) {
  const fe *x = k->x;
  fe *out = k->out, t;
  for (uint64_t j = 0; j < RP_INVERSE_LANES; j++) fe_one(&c->lane[j]);
  for (uint64_t i = first; i < last; i += lanes)
    for (uint64_t j = 0; j < lanes && i + j < last; j++) {
      out[i + j] = c->lane[j];
      nonzero(&t, &x[i + j]);
      fe_mul(&c->lane[j], &c->lane[j], &t);
    }
}

/* Before: c holds the inverses of the lanes' products. */
static inline void backward(const struct rp_inverse_args *k, uint64_t first, uint64_t last, uint64_t lanes, chains *c) {
  const fe *x = k->x;
  fe *out = k->out, t, zero;
  fe_zero(&zero);
  for (uint64_t i = first + (last - first + lanes - 1) / lanes * lanes; i > first; i -= lanes)
    for (uint64_t j = 0; j < lanes; j++) {
      uint64_t at = i - lanes + j;
      if (at >= last) continue;
      int is_zero = nonzero(&t, &x[at]);
      fe_mul(&out[at], &out[at], &c->lane[j]);
      fe_cmov(&out[at], &zero, is_zero);
      fe_mul(&c->lane[j], &c->lane[j], &t);
      report_zero(k, at, is_zero);
    }
}

/* *product is the product of the lanes; before[j] that of the lanes before j. */
static inline void join(const chains *c, uint64_t lanes, chains *before, fe *product) {
  *product = c->lane[0];
  for (uint64_t j = 1; j < lanes; j++) {
    before->lane[j] = *product;
    fe_mul(product, product, &c->lane[j]);
  }
}

/* Turns the lanes' products into their inverses, given the inverse of the product of all. */
static inline void part(chains *c, uint64_t lanes, const chains *before, const fe *inverse) {
  fe t = *inverse, own;
  for (uint64_t j = lanes - 1; j > 0; j--) {
    own = c->lane[j];
    fe_mul(&c->lane[j], &t, &before->lane[j]);
    fe_mul(&t, &t, &own);
  }
  c->lane[0] = t;
}

static uint64_t block_end(const struct rp_inverse_args *k, uint64_t first) {
  return first + k->block < k->n ? first + k->block : k->n;
}

#if RP_LANES
static bool is_whole(const struct rp_inverse_args *k, uint64_t first, uint64_t last) {
  return last - first == k->block && k->block % 8 == 0;
}

/* A whole block in eight chains, one per lane: out[i] = product of the elements before i in its lane, as working values
 * from memory values. */
static void forward8(const struct rp_inverse_args *k, uint64_t first, chains *c) {
  const fe *x = k->x;
  fe *out = k->out;
  fe8 run, one, t;
  fe8_one(&one);
  run = one;
  for (uint64_t i = first; i < first + k->block; i += 8) {
    fe8_store(&out[i], &run);
    fe8_load(&t, &x[i]);
    fe8_cmov(&t, &one, fe8_is_zero(&t));
    fe8_mul(&run, &run, &t);
  }
  fe8_store(c->lane, &run);
}

/* Computes the lanes' products again, from the last eight elements. */
static void lane_products8(const struct rp_inverse_args *k, uint64_t first, chains *c) {
  const uint64_t at = first + k->block - 8;
  fe8 run, one, t;
  fe8_one(&one);
  fe8_load(&t, (const fe *)k->x + at);
  fe8_cmov(&t, &one, fe8_is_zero(&t));
  fe8_load(&run, (const fe *)k->out + at);
  fe8_mul(&run, &run, &t);
  fe8_store(c->lane, &run);
}

static void report_zeros(const struct rp_inverse_args *k, uint64_t at, m8 zero) {
  for (uint64_t j = 0; k->has_mask && j < 8; j++) k->mask[at + j] = (uint8_t)(zero >> j & 1);
  for (uint64_t j = 0; k->strict && j < 8; j++)
    if (zero >> j & 1) rp_fault_report(k->error, RP_FAULT_ZERO, k->site, at + j);
}

static void backward8(const struct rp_inverse_args *k, uint64_t first, const chains *c) {
  const fe *x = k->x;
  fe *out = k->out;
  fe8 run, one, nothing, t, r;
  fe8_one(&one);
  fe8_zero(&nothing);
  fe8_load(&run, c->lane);
  for (uint64_t i = first + k->block; i > first; i -= 8) {
    fe8_load(&t, &x[i - 8]);
    const m8 zero = fe8_is_zero(&t);
    fe8_cmov(&t, &one, zero);
    fe8_load_raw(&r, &out[i - 8]);
    fe8_mul(&r, &r, &run);
    fe8_cmov(&r, &nothing, zero);
    fe8_store_raw(&out[i - 8], &r);
    fe8_mul(&run, &run, &t);
    report_zeros(k, i - 8, zero);
  }
}
#endif

void RP_FN(inverse_products)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_inverse_args *k = args;
  fe *product = k->product;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(k, first);
    chains c, before;
#if RP_LANES
    if (is_whole(k, first, last)) {
      forward8(k, first, &c);
      join(&c, 8, &before, &product[b]);
      continue;
    }
#endif
    forward(k, first, last, RP_INVERSE_LANES, &c);
    join(&c, RP_INVERSE_LANES, &before, &product[b]);
  }
}

/* Computes the lanes' products again: what is stored at each lane's last element, times that element. */
static inline void lane_products(const struct rp_inverse_args *k, uint64_t first, uint64_t last, chains *c) {
  const fe *x = k->x, *out = k->out;
  for (uint64_t j = 0; j < RP_INVERSE_LANES; j++) {
    fe_one(&c->lane[j]);
    if (first + j >= last) continue;
    uint64_t at = first + j + (last - 1 - first - j) / RP_INVERSE_LANES * RP_INVERSE_LANES;
    fe t;
    nonzero(&t, &x[at]);
    fe_mul(&c->lane[j], &out[at], &t);
  }
}

void RP_FN(inverse_sweep)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_inverse_args *k = args;
  const fe *product = k->product;
  (void)w;
  for (uint64_t b = begin; b < end; b++) {
    uint64_t first = b * k->block, last = block_end(k, first);
    chains c, before;
    fe all;
#if RP_LANES
    if (is_whole(k, first, last)) {
      lane_products8(k, first, &c);
      join(&c, 8, &before, &all);
      part(&c, 8, &before, &product[b]);
      backward8(k, first, &c);
      continue;
    }
#endif
    lane_products(k, first, last, &c);
    join(&c, RP_INVERSE_LANES, &before, &all);
    part(&c, RP_INVERSE_LANES, &before, &product[b]);
    backward(k, first, last, RP_INVERSE_LANES, &c);
  }
}

static inline void invert_one(const struct rp_inverse_args *k, fe *x) {
  if (k->constant_time)
    fe_inv_ct(x, x);
  else
    fe_inv_var(x, x);
}

static inline void invert_all(const struct rp_inverse_args *k) {
  chains c, before;
  fe product;
  forward(k, 0, k->n, RP_INVERSE_LANES, &c);
  join(&c, RP_INVERSE_LANES, &before, &product);
  invert_one(k, &product);
  part(&c, RP_INVERSE_LANES, &before, &product);
  backward(k, 0, k->n, RP_INVERSE_LANES, &c);
}

/* Montgomery's trick in its original form: n - 1 products forward, one inversion, 2 (n - 1) products backward. */
static inline void invert_serial(const struct rp_inverse_args *k) {
  const fe *x = k->x;
  fe *out = k->out, run, t, zero;
  fe_zero(&zero);
  nonzero(&run, &x[0]);
  for (uint64_t i = 1; i < k->n; i++) {
    out[i] = run;
    nonzero(&t, &x[i]);
    fe_mul(&run, &run, &t);
  }
  invert_one(k, &run);
  for (uint64_t i = k->n - 1; i > 0; i--) {
    const int is_zero = nonzero(&t, &x[i]);
    fe_mul(&out[i], &out[i], &run);
    fe_cmov(&out[i], &zero, is_zero);
    fe_mul(&run, &run, &t);
    report_zero(k, i, is_zero);
  }
  const int is_zero = nonzero(&t, &x[0]);
  fe_cmov(&run, &zero, is_zero);
  out[0] = run;
  report_zero(k, 0, is_zero);
}

void RP_FN(inverse_block)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  (void)w;
  if (begin < end) invert_all(args);
}

void RP_FN(inverse_serial)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  (void)w;
  if (begin < end) invert_serial(args);
}
