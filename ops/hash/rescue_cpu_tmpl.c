/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rescue Prime Rp64_256 on the CPU, on eight states at a time where lanes are available. Compiled for Goldilocks only.
 */
#include "kernel/cpu.h"
#include "hash/merkle_cpu.h"
#include "hash/rescue_rp64_256.h"
#if defined(__AVX512IFMA__) || defined(RP_SIMD8_PLAIN)
#define RESCUE_LANES 1
#include "hash/rescue8.h"
#else
#define RESCUE_LANES 0
#endif

typedef fe lanes[RESCUE_WIDTH];

static void mul_lanes(lanes r, const lanes a, const lanes b) {
  for (int i = 0; i < RESCUE_WIDTH; i++) fe_mul(&r[i], &a[i], &b[i]);
}

/* r = a^(2^n) * b; r must not alias a or b. */
static void sqr_mul(lanes r, const lanes a, int n, const lanes b) {
  mul_lanes(r, a, a);
  for (int i = 1; i < n; i++) mul_lanes(r, r, r);
  mul_lanes(r, r, b);
}

/* x = x^7 */
static void sbox(lanes x) {
  lanes x2, x3;
  mul_lanes(x2, x, x);
  mul_lanes(x3, x2, x);
  mul_lanes(x2, x2, x2);
  mul_lanes(x, x2, x3);
}

/* x = x^(1/7) = x^10540996611094048183, in 72 products. The exponent is 4 (2 a + b) + 7, where b is the bits 100 ten
 * times, and a is b plus 2^31 b. */
static void inverse_sbox(lanes x) {
  lanes x2, x4, b3, b6, b12, b, a;
  mul_lanes(x2, x, x);
  mul_lanes(x4, x2, x2);
  sqr_mul(b3, x4, 3, x4);
  sqr_mul(b6, b3, 6, b3);
  sqr_mul(b12, b6, 12, b6);
  sqr_mul(b, b12, 6, b3);
  sqr_mul(a, b, 31, b);
  sqr_mul(b12, a, 1, b);
  mul_lanes(b12, b12, b12);
  mul_lanes(b12, b12, b12);
  mul_lanes(x2, x2, x4);
  mul_lanes(x, x, x2);
  mul_lanes(x, x, b12);
}

static void mix(lanes x, const fe *matrix, const fe *round_constants) {
  lanes y;
  for (int i = 0; i < RESCUE_WIDTH; i++) {
    fe t;
    y[i] = round_constants[i];
    for (int j = 0; j < RESCUE_WIDTH; j++) {
      fe_mul(&t, &matrix[i * RESCUE_WIDTH + j], &x[j]);
      fe_add(&y[i], &y[i], &t);
    }
  }
  memcpy(x, y, sizeof y);
}

static void permute(const struct rp_hash_args *a, lanes x) {
  const fe *ark = (const fe *)a->constants, *matrix = ark + 2 * RESCUE_ROUNDS * RESCUE_WIDTH;
  for (int round = 0; round < RESCUE_ROUNDS; round++) {
    sbox(x);
    mix(x, matrix, ark + (size_t)round * RESCUE_WIDTH);
    inverse_sbox(x);
    mix(x, matrix, ark + (size_t)(RESCUE_ROUNDS + round) * RESCUE_WIDTH);
  }
}

void RP_FN(rescue_permute)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
#if RESCUE_LANES
  for (; begin + 8 <= end; begin += 8) rescue8_permute_states(a, begin);
#endif
  for (uint64_t i = begin; i < end; i++) {
    lanes x;
    memcpy(x, (const fe *)a->in + i * RESCUE_WIDTH, sizeof x);
    permute(a, x);
    memcpy((fe *)a->out + i * RESCUE_WIDTH, x, sizeof x);
  }
}

/* The element length_slot, in the capacity, starts as the number of elements. There is no padding; a partial block is
 * permuted as it is. */
void RP_FN(rescue_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
#if RESCUE_LANES
  for (; begin + 8 <= end; begin += 8) rescue8_rows(a, begin);
#endif
  for (uint64_t i = begin; i < end; i++) {
    const fe *row = (const fe *)a->in + i * a->row_len;
    lanes x = {{{0}}};
    x[a->length_slot].v[0] = a->row_len;
    for (uint32_t at = 0; at < a->row_len; at += RESCUE_RATE) {
      for (uint32_t j = 0; j < RESCUE_RATE && at + j < a->row_len; j++)
        fe_add(&x[a->rate_first + j], &x[a->rate_first + j], &row[at + j]);
      permute(a, x);
    }
    memcpy((fe *)a->out + i * RESCUE_DIGEST, x + a->digest_first, RESCUE_DIGEST * sizeof(fe));
  }
}

void RP_FN(rescue_merkle)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  merkle_groups(args, begin, end, RP_FN(rescue_rows), worker);
}
