/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rescue Prime Rp64_256 on eight states, one per lane. The steps are those of rescue_cpu_tmpl.c, which includes this.
 */
#ifndef REPRISE_OPS_CPU_RESCUE8_H
#define REPRISE_OPS_CPU_RESCUE8_H

#include "arith/simd8/goldilocks8.h"

typedef struct rescue8 {
  v8 x[RESCUE_WIDTH];
} rescue8;

/* Six elements at a time: enough to hide the latency of a product, few enough to stay in registers. */
enum { RESCUE8_GROUP = 6 };

static inline void rescue8_sbox(v8 *x) {
  v8 x2[RESCUE8_GROUP], x3[RESCUE8_GROUP];
  RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) x2[i] = goldilocks8_mul(x[i], x[i]);
  RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) x3[i] = goldilocks8_mul(x2[i], x[i]);
  RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) x2[i] = goldilocks8_mul(x2[i], x2[i]);
  RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) x[i] = goldilocks8_mul(x2[i], x3[i]);
}

/* r = a^(2^n) * b; r must not alias a or b. */
static inline void rescue8_sqr_mul(v8 *r, const v8 *a, int n, const v8 *b) {
  RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) r[i] = a[i];
  for (int k = 0; k < n; k++) RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) r[i] = goldilocks8_mul(r[i], r[i]);
  RP_UNROLL for (int i = 0; i < RESCUE8_GROUP; i++) r[i] = goldilocks8_mul(r[i], b[i]);
}

static void rescue8_inverse_sbox(v8 *x) {
  v8 x2[RESCUE8_GROUP], x4[RESCUE8_GROUP], b3[RESCUE8_GROUP], b6[RESCUE8_GROUP], b12[RESCUE8_GROUP], b[RESCUE8_GROUP],
      a[RESCUE8_GROUP];
  for (int i = 0; i < RESCUE8_GROUP; i++) {
    x2[i] = goldilocks8_mul(x[i], x[i]);
    x4[i] = goldilocks8_mul(x2[i], x2[i]);
  }
  rescue8_sqr_mul(b3, x4, 3, x4);
  rescue8_sqr_mul(b6, b3, 6, b3);
  rescue8_sqr_mul(b12, b6, 12, b6);
  rescue8_sqr_mul(b, b12, 6, b3);
  rescue8_sqr_mul(a, b, 31, b);
  rescue8_sqr_mul(b12, a, 1, b);
  for (int i = 0; i < RESCUE8_GROUP; i++) {
    const v8 fourth = goldilocks8_mul(b12[i], b12[i]);
    x[i] = goldilocks8_mul(goldilocks8_mul(x[i], goldilocks8_mul(x2[i], x4[i])), goldilocks8_mul(fourth, fourth));
  }
}

static void rescue8_mix(rescue8 *s, const uint64_t *matrix, const uint64_t *round_constants) {
  rescue8 r;
  for (int i = 0; i < RESCUE_WIDTH; i++) {
    goldilocks8_sum sum = {v8_set1(round_constants[i]), v8_set1(0)};
    RP_UNROLL for (int j = 0; j < RESCUE_WIDTH; j++)
        goldilocks8_sum_add(&sum, goldilocks8_mul(s->x[j], v8_set1(matrix[i * RESCUE_WIDTH + j])));
    r.x[i] = goldilocks8_sum_value(&sum);
  }
  *s = r;
}

static void rescue8_permute(const struct rp_hash_args *a, rescue8 *s) {
  const uint64_t *ark = (const uint64_t *)a->constants, *matrix = ark + 2 * RESCUE_ROUNDS * RESCUE_WIDTH;
  for (int round = 0; round < RESCUE_ROUNDS; round++) {
    for (int i = 0; i < RESCUE_WIDTH; i += RESCUE8_GROUP) rescue8_sbox(&s->x[i]);
    rescue8_mix(s, matrix, ark + (size_t)round * RESCUE_WIDTH);
    for (int i = 0; i < RESCUE_WIDTH; i += RESCUE8_GROUP) rescue8_inverse_sbox(&s->x[i]);
    rescue8_mix(s, matrix, ark + (size_t)(RESCUE_ROUNDS + round) * RESCUE_WIDTH);
  }
}

/* Lane i is element `at` of row i; rows have `len` elements. */
static inline v8 rescue8_column(const uint64_t *rows, uint64_t len, uint64_t at) {
  uint64_t lane[8];
  for (uint64_t i = 0; i < 8; i++) lane[i] = rows[i * len + at];
  return v8_load(lane);
}

static inline void rescue8_put_column(uint64_t *rows, uint64_t len, uint64_t at, v8 x) {
  uint64_t lane[8];
  v8_store(lane, goldilocks8_canonical(x));
  for (uint64_t i = 0; i < 8; i++) rows[i * len + at] = lane[i];
}

static void rescue8_permute_states(const struct rp_hash_args *a, uint64_t first) {
  rescue8 s;
  for (uint64_t j = 0; j < RESCUE_WIDTH; j++)
    s.x[j] = rescue8_column((const uint64_t *)a->in + first * RESCUE_WIDTH, RESCUE_WIDTH, j);
  rescue8_permute(a, &s);
  for (uint64_t j = 0; j < RESCUE_WIDTH; j++)
    rescue8_put_column((uint64_t *)a->out + first * RESCUE_WIDTH, RESCUE_WIDTH, j, s.x[j]);
}

static void rescue8_rows(const struct rp_hash_args *a, uint64_t first) {
  const uint64_t *rows = (const uint64_t *)a->in + first * a->row_len;
  rescue8 s;
  for (int j = 0; j < RESCUE_WIDTH; j++) s.x[j] = v8_set1(0);
  s.x[a->length_slot] = v8_set1(a->row_len);
  for (uint32_t at = 0; at < a->row_len; at += RESCUE_RATE) {
    for (uint32_t j = 0; j < RESCUE_RATE && at + j < a->row_len; j++) {
      goldilocks8_sum sum = {s.x[a->rate_first + j], v8_set1(0)};
      goldilocks8_sum_add(&sum, rescue8_column(rows, a->row_len, at + j));
      s.x[a->rate_first + j] = goldilocks8_sum_value(&sum);
    }
    rescue8_permute(a, &s);
  }
  for (uint32_t j = 0; j < RESCUE_DIGEST; j++)
    rescue8_put_column((uint64_t *)a->out + first * RESCUE_DIGEST, RESCUE_DIGEST, j, s.x[a->digest_first + j]);
}

#endif
