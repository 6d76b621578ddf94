/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon with alpha = 5 on the CPU. Compiled for BN254 Fr only.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"
#include "hash/merkle_cpu.h"

#include <stdbool.h>

enum { WIDTH_MAX = 17 };

static bool is_full(const struct rp_hash_args *a, uint32_t round) {
  const uint32_t half = a->full_rounds / 2;
  return round < half || round >= half + a->partial_rounds;
}

static void sbox(fe *x) {
  fe t;
  fe_sqr(&t, x);
  fe_sqr(&t, &t);
  fe_mul(x, x, &t);
}

static void permute(const struct rp_hash_args *a, fe *x) {
  const uint32_t t = a->width, rounds = a->full_rounds + a->partial_rounds;
  const fe *constants = (const fe *)a->constants, *matrix = constants + (size_t)rounds * t;
  for (uint32_t r = 0; r < rounds; r++) {
    fe y[WIDTH_MAX], product;
    for (uint32_t i = 0; i < t; i++) fe_add(&x[i], &x[i], &constants[(size_t)r * t + i]);
    for (uint32_t i = 0; i < (is_full(a, r) ? t : 1); i++) sbox(&x[i]);
    for (uint32_t i = 0; i < t; i++) {
      fe_mul(&y[i], &matrix[(size_t)i * t], &x[0]);
      for (uint32_t j = 1; j < t; j++) {
        fe_mul(&product, &matrix[(size_t)i * t + j], &x[j]);
        fe_add(&y[i], &y[i], &product);
      }
    }
    memcpy(x, y, t * sizeof(fe));
  }
}

#if RP_LANES
/* r = r 2^k, since the matrix coefficients are memory values. The result is below 2^k 2p, with proper digits. */
static inline void scale_up(fp8 *r) {
  RP_UNROLL for (int i = 0; i < FP8_N; i++) r->v[i] = v8_shl(r->v[i], FP8_K);
  fp8_carry(r);
}

/* Permutes eight states of working values. A row of the matrix is one sum with one reduction. */
static void permute8(const struct rp_hash_args *a, fp8 *x) {
  const uint32_t t = a->width, rounds = a->full_rounds + a->partial_rounds;
  const fe *constants = (const fe *)a->constants, *matrix = constants + (size_t)rounds * t;
  fp8 y[WIDTH_MAX], m;
  for (uint32_t r = 0; r < rounds; r++) {
    for (uint32_t i = 0; i < t; i++) {
      fp8_set1(&m, &constants[(size_t)r * t + i]);
      fp8_add(&x[i], &x[i], &m);
    }
    for (uint32_t i = 0; i < (is_full(a, r) ? t : 1); i++) {
      fp8_sqr(&m, &x[i]);
      fp8_sqr(&m, &m);
      fp8_mul(&x[i], &x[i], &m);
    }
    for (uint32_t i = 0; i < t; i++) scale_up(&x[i]);
    for (uint32_t i = 0; i < t; i++) {
      fp8_wide sum;
      fp8_wide_zero(&sum);
      for (uint32_t j = 0; j < t; j++) {
        fp8_set1_raw(&m, &matrix[(size_t)i * t + j]);
        fp8_wide_add_mul(&sum, &m, &x[j]);
      }
      fp8_wide_reduce(&y[i], &sum);
    }
    memcpy(x, y, t * sizeof(fp8));
  }
}

/* The addresses of element `element` in eight rows of row_len elements, from row `first` on. */
static inline void row_pointers(const void *at[8], const void *rows, uint64_t first, uint64_t row_len,
                                uint32_t element) {
  for (uint64_t i = 0; i < 8; i++) at[i] = (const fe *)rows + (first + i) * row_len + element;
}

static void permute_states8(const struct rp_hash_args *a, uint64_t first) {
  const void *at[8];
  fp8 x[WIDTH_MAX];
  for (uint32_t j = 0; j < a->width; j++) {
    row_pointers(at, (const void *)a->in, first, a->width, j);
    fe8_load_at(&x[j], at);
  }
  permute8(a, x);
  for (uint32_t j = 0; j < a->width; j++) {
    void *to[8];
    for (uint64_t i = 0; i < 8; i++) to[i] = (fe *)a->out + (first + i) * a->width + j;
    fe8_store_at(to, &x[j]);
  }
}

static void hash_rows8(const struct rp_hash_args *a, uint64_t first) {
  const void *at[8];
  fp8 x[WIDTH_MAX];
  fp8_zero(&x[0]);
  for (uint32_t j = 0; j < a->row_len; j++) {
    row_pointers(at, (const void *)a->in, first, a->row_len, j);
    fe8_load_at(&x[j + 1], at);
  }
  permute8(a, x);
  fe8_store((fe *)a->out + first, &x[0]);
}
#endif

void RP_FN(poseidon_permute)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
#if RP_LANES
  for (; begin + 8 <= end; begin += 8) permute_states8(a, begin);
#endif
  for (uint64_t i = begin; i < end; i++) {
    fe *x = (fe *)a->out + i * a->width;
    memcpy(x, (const fe *)a->in + i * a->width, a->width * sizeof(fe));
    permute(a, x);
  }
}

void RP_FN(poseidon_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
#if RP_LANES
  for (; begin + 8 <= end; begin += 8) hash_rows8(a, begin);
#endif
  for (uint64_t i = begin; i < end; i++) {
    fe x[WIDTH_MAX];
    fe_zero(&x[0]);
    memcpy(x + 1, (const fe *)a->in + i * a->row_len, a->row_len * sizeof(fe));
    permute(a, x);
    ((fe *)a->out)[i] = x[0];
  }
}

void RP_FN(poseidon_merkle)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  merkle_groups(args, begin, end, RP_FN(poseidon_rows), worker);
}
