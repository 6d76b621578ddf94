/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2 on the CPU (ops/hash/poseidon2_args.h).
 */
#include "kernel/cpu.h"

#include "hash/merkle_cpu.h"
#include "hash/poseidon2_args.h"

#include <stdbool.h>

static void sbox(fe *x, uint32_t alpha) {
  fe square, cube;
  fe_sqr(&square, x);
  fe_mul(&cube, &square, x);
  if (alpha == 5) {
    fe_mul(x, &cube, &square);
  } else if (alpha == 7) {
    fe_sqr(&cube, &cube);
    fe_mul(x, &cube, x);
  } else {
    *x = cube;
  }
}

static void sum_of(fe *sum, const fe *x, uint32_t t) {
  *sum = x[0];
  for (uint32_t i = 1; i < t; i++) fe_add(sum, sum, &x[i]);
}

#if FP_WORD_BYTES == 4
/* Four blocks of four elements: the circulant matrix (2, 3, 1, 1) for each, then to each element the sum of those at
 * the same place in all blocks. */
static void external_layer(fe *x, uint32_t t) {
  fe column[4];
  for (uint32_t b = 0; b < t; b += 4) {
    const fe first = x[b];
    fe sum, next;
    sum_of(&sum, x + b, 4);
    for (uint32_t i = 0; i < 4; i++) {
      fe_dbl(&next, i < 3 ? &x[b + i + 1] : &first);
      fe_add(&x[b + i], &x[b + i], &sum);
      fe_add(&x[b + i], &x[b + i], &next);
    }
  }
  for (uint32_t i = 0; i < 4; i++) {
    fe_add(&column[i], &x[i], &x[i + 4]);
    fe_add(&column[i], &column[i], &x[i + 8]);
    fe_add(&column[i], &column[i], &x[i + 12]);
  }
  for (uint32_t i = 0; i < t; i++) fe_add(&x[i], &x[i], &column[i % 4]);
}
#else
/* r = 2^n a + b */
static void scale_add(fe *r, const fe *a, uint32_t n, const fe *b) {
  fe x = *a;
  while (n-- > 0) fe_dbl(&x, &x);
  fe_add(r, &x, b);
}

/* Rows (5, 7, 1, 3), (4, 6, 1, 1), (1, 3, 5, 7), (1, 1, 4, 6), as in appendix B of the paper. */
static void four_layer(fe *x) {
  fe low, high, second, fourth;
  fe_add(&low, &x[0], &x[1]);
  fe_add(&high, &x[2], &x[3]);
  scale_add(&second, &x[1], 1, &high);
  scale_add(&fourth, &x[3], 1, &low);
  scale_add(&x[3], &high, 2, &fourth);
  scale_add(&x[1], &low, 2, &second);
  fe_add(&x[0], &fourth, &x[1]);
  fe_add(&x[2], &second, &x[3]);
}

static void external_layer(fe *x, uint32_t t) {
  fe sum;
  if (t == 4) {
    four_layer(x);
    return;
  }
  sum_of(&sum, x, t);
  for (uint32_t i = 0; i < t; i++) fe_add(&x[i], &x[i], &sum);
}
#endif

static void internal_layer(fe *x, uint32_t t, const fe *diagonal) {
  fe sum;
  sum_of(&sum, x, t);
  for (uint32_t i = 0; i < t; i++) {
    if (t >= 4) fe_mul(&x[i], &x[i], &diagonal[i]);
    if (t < 4 && i + 1 == t) fe_dbl(&x[i], &x[i]); /* the diagonal is 1, 1, 2 */
    fe_add(&x[i], &x[i], &sum);
  }
}

static void permute(const struct rp_hash_args *a, fe *x) {
  const uint32_t t = a->width, half = a->full_rounds / 2, rounds = a->full_rounds + a->partial_rounds;
  const fe *constant = (const fe *)a->constants, *diagonal = constant + t * a->full_rounds + a->partial_rounds;
  external_layer(x, t);
  for (uint32_t r = 0; r < rounds; r++) {
    const bool full = r < half || r >= half + a->partial_rounds;
    for (uint32_t i = 0; i < (full ? t : 1); i++) {
      fe_add(&x[i], &x[i], constant++);
      sbox(&x[i], a->alpha);
    }
    if (full)
      external_layer(x, t);
    else
      internal_layer(x, t, diagonal);
  }
}

static void absorb(const struct rp_hash_args *a, const fe *row, fe *x) {
  memset(x, 0, RP_POSEIDON2_WIDTH * sizeof *x);
  x[a->width - 1] = ((const fe *)a->constants)[a->width * a->full_rounds + a->partial_rounds + a->width];
  for (uint32_t at = 0; at < a->row_len; at += a->rate) {
    for (uint32_t i = 0; i < a->rate && at + i < a->row_len; i++) {
#if FP_WORD_BYTES == 4
      x[i] = row[at + i];
#else
      fe_add(&x[i], &x[i], &row[at + i]);
#endif
    }
    permute(a, x);
  }
}

void RP_FN(poseidon2_rows)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_hash_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const fe *row = (const fe *)a->in + i * (a->row_len ? a->row_len : a->width);
    fe x[RP_POSEIDON2_WIDTH], *out = (fe *)a->out + i * a->out_len;
    if (a->row_len) {
      absorb(a, row, x);
    } else {
      memcpy(x, row, a->width * sizeof *x);
      permute(a, x);
    }
    if (a->width == 2 && a->row_len) fe_add(&x[0], &x[0], &row[0]);
    for (uint32_t at = 0; at < a->out_len; at += a->rate) {
      if (at) permute(a, x);
      for (uint32_t j = 0; j < a->rate && at + j < a->out_len; j++) out[at + j] = x[j];
    }
  }
}

void RP_FN(poseidon2_merkle)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  merkle_groups(args, begin, end, RP_FN(poseidon2_rows), worker);
}
