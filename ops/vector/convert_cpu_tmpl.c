/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Canonical integers to field elements and back. An element of an extension is a pair of base field elements, which are
 * converted here, eight at a time where lanes are available.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/convert_args.h"

/* Over elements of one word the compiler makes vectors of the plain loops. */
#define CONVERT_LANES (RP_LANES && FP_WORD_BYTES == 8)

#if CONVERT_LANES
static void rows_at(const void *at[8], const fp *first) {
  for (int i = 0; i < 8; i++) at[i] = first + i;
}

static void store_at(fp *first, const fp8 *a) {
  void *at[8];
  for (int i = 0; i < 8; i++) at[i] = first + i;
  fp8_store_raw_rows(at, 0, a);
}

/* The lanes whose integer, in proper digits, is not below p. */
static m8 not_canonical(const fp8 *a) {
  fp8 d;
  for (int i = 0; i < FP8_N; i++) d.v[i] = v8_sub(a->v[i], v8_set1(fp8_modulus[i]));
  fp8_carry(&d);
  return (m8)~v8_gt(v8_set1(0), d.v[FP8_TOP]);
}

/* Converts the whole vectors of [begin, end), up to the first with an integer that is not canonical; returns where the
 * rest begins. The integer x, as it is, is multiplied by R S and divided by S. Any integer of FP_LIMBS limbs is below
 * 16p. */
static uint64_t from_canonical8(const struct rp_from_canonical_args *k, uint64_t begin, uint64_t end) {
  static const fp r2 = FP_R2_64;
  const fp *in = k->in;
  fp *out = k->out;
  const void *at[8];
  fp8 factor, x;
  uint64_t i = begin;
  fp8_set1(&factor, &r2);
  for (; i + 8 <= end; i += 8) {
    rows_at(at, &in[i]);
    fp8_load_raw_rows(&x, at, 0);
    if (!k->reduce && not_canonical(&x)) break;
    fp8_mul(&x, &x, &factor);
    store_at(&out[i], &x);
  }
  return i;
}

/* The same backwards: x R is multiplied by 2^k and divided by S = R 2^k. */
static uint64_t to_canonical8(const struct rp_to_canonical_args *k, uint64_t begin, uint64_t end) {
  const fp *in = k->in;
  fp *out = k->out;
  const void *at[8];
  fp8 factor, x;
  uint64_t i = begin;
  fp8_zero(&factor);
  factor.v[0] = v8_set1((uint64_t)1 << FP8_K);
  for (; i + 8 <= end; i += 8) {
    rows_at(at, &in[i]);
    fp8_load_raw_rows(&x, at, 0);
    fp8_mul(&x, &x, &factor);
    store_at(&out[i], &x);
  }
  return i;
}
#endif

void RP_FN(from_canonical)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_from_canonical_args *k = args;
  const fp *in = k->in;
  fp *out = k->out;
  uint64_t i = FE_DEGREE * begin;
  (void)w;
#if CONVERT_LANES
  i = from_canonical8(k, i, FE_DEGREE * end);
#endif
  const uint32_t reduce = k->reduce;
#if FP_WORD_BYTES == 4
  /* As long as all integers are canonical, which the loop finds out without a branch, there is nothing to report. */
  uint32_t above = 0;
  for (uint64_t j = i; j < end; j++) above |= in[j].v[0] >= fp_modulus[0];
  if (reduce || !above) {
    for (; i < end; i++) fp_from_integer_reduce(&out[i], in[i].v);
    return;
  }
#endif
  for (; i < FE_DEGREE * end; i++) {
    if (reduce)
      fp_from_integer_reduce(&out[i], in[i].v);
    else if (!fp_from_canonical(&out[i], in[i].v))
      rp_fault_report(k->error, RP_FAULT_NOT_CANONICAL, k->site, i / FE_DEGREE);
  }
}

void RP_FN(to_canonical)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_to_canonical_args *k = args;
  const fp *in = k->in;
  fp *out = k->out;
  uint64_t i = FE_DEGREE * begin;
  (void)w;
#if CONVERT_LANES
  i = to_canonical8(k, i, FE_DEGREE * end);
#endif
  for (; i < FE_DEGREE * end; i++) fp_to_canonical(out[i].v, &in[i]);
}
