/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon with alpha = 5 on the CPU. Compiled for BN254 Fr alone.
 */
#include "cpu/cpu.h"
#include "args/hash.h"

enum { WIDTH_MAX = 17 };

static void sbox(fe *x) {
  fe t;
  fe_sqr(&t, x);
  fe_sqr(&t, &t);
  fe_mul(x, x, &t);
}

static void permute(const struct rp_hash_args *a, fe *x) {
  const uint32_t t = a->width, rounds = a->full_rounds + a->partial_rounds, half = a->full_rounds / 2;
  const fe *constants = (const fe *)a->constants, *matrix = constants + (size_t)rounds * t;
  for (uint32_t r = 0; r < rounds; r++) {
    const int full = r < half || r >= half + a->partial_rounds;
    fe y[WIDTH_MAX], product;
    for (uint32_t i = 0; i < t; i++) fe_add(&x[i], &x[i], &constants[(size_t)r * t + i]);
    for (uint32_t i = 0; i < (full ? t : 1); i++) sbox(&x[i]);
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

void RP_FN(poseidon_permute)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    fe *x = (fe *)a->out + i * a->width;
    memcpy(x, (const fe *)a->in + i * a->width, a->width * sizeof(fe));
    permute(a, x);
  }
}

void RP_FN(poseidon_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    fe x[WIDTH_MAX];
    fe_zero(&x[0]);
    memcpy(x + 1, (const fe *)a->in + i * a->row_len, a->row_len * sizeof(fe));
    permute(a, x);
    ((fe *)a->out)[i] = x[0];
  }
}
