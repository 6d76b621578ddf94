/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Signed digits of scalars on the CPU, for any group order: the arithmetic is a comparison, a subtraction and, for
 * field elements, one Montgomery reduction, so that one kernel serves all fields.
 *
 * kernel bucket_digits bucket_digits/3 cpu:c
 */
#include <reprise/kernel.h>

#include "msm/bucket_matrix_cpu.h"
#include "msm/bucket_matrix_args.h"

#include <stdbool.h>
#include <string.h>

typedef struct rp_bucket_digits_args args_t;
__extension__ typedef unsigned __int128 wide;

/* r = a - b; returns the borrow. */
static uint64_t sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    wide d = (wide)a[i] - b[i] - borrow;
    r[i] = (uint64_t)d;
    borrow = (uint64_t)(d >> 64) & 1u;
  }
  return borrow;
}

/* a := a / 2^(64 limbs) mod order */
static void reduce(uint64_t a[4], const uint64_t order[4], uint64_t order_inverse, uint32_t limbs) {
  for (uint32_t round = 0; round < limbs; round++) {
    uint64_t m = a[0] * order_inverse;
    wide t = (wide)m * order[0] + a[0];
    for (uint32_t i = 1; i < limbs; i++) {
      t = (t >> 64) + (wide)m * order[i] + a[i];
      a[i - 1] = (uint64_t)t;
    }
    a[limbs - 1] = (uint64_t)(t >> 64);
  }
}

/* Writes the smaller of scalar i and order - scalar i, plus the bias, to s; returns whether it is the negative one. The
 * smaller one is a bit shorter, and makes values just below the order have few nonzero digits. A scalar that is not
 * below the order is a fault and counts as zero. */
static uint32_t biased(const args_t *a, uint64_t i, const uint64_t order[4], const uint64_t bias[4], uint64_t s[5]) {
  const uint32_t scalar_bytes = a->scalar_words * 4;
  uint64_t negated[4], unused[4], carry = 0;
  uint32_t negative;
  memset(s, 0, 5 * sizeof *s);
  memcpy(s, (const char *)a->scalars + i * scalar_bytes, scalar_bytes);
  if (a->montgomery) reduce(s, order, (uint64_t)a->order_inverse[1] << 32 | a->order_inverse[0], scalar_bytes / 8);
  if (sub(negated, order, s) || !(negated[0] | negated[1] | negated[2] | negated[3])) {
    rp_fault_report((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
    memset(s, 0, 5 * sizeof *s);
    memcpy(negated, order, sizeof negated);
  }
  negative = (uint32_t)sub(unused, negated, s);
  for (int j = 0; j < 4; j++) {
    wide t = (wide)(negative ? negated[j] : s[j]) + bias[j] + carry;
    s[j] = (uint64_t)t;
    carry = (uint64_t)(t >> 64);
  }
  return negative;
}

/* Whether all n scalars are 0 or 1, as in most blocks of a witness; only their first window then has nonzero digits. */
static bool all_bits(const args_t *a, uint64_t first, uint32_t n) {
  const uint32_t words = a->scalar_words;
  const uint32_t *s = (const uint32_t *)a->scalars + first * words;
  uint32_t any = 0;
  if (a->montgomery) return 0;
  for (uint32_t i = 0; i < n; i++, s += words) {
    any |= s[0] & ~1u;
    for (uint32_t w = 1; w < words; w++) any |= s[w];
  }
  return any == 0;
}

static void write_bits(const args_t *a, uint64_t first, uint32_t n) {
  const uint32_t *s = (const uint32_t *)a->scalars + first * a->scalar_words;
  uint32_t *out = a->digits + first;
  for (uint32_t w = 0; w < a->windows; w++, out += a->n) {
    if (w + a->first_window == 0) {
      for (uint32_t i = 0; i < n; i++) out[i] = s[(size_t)i * a->scalar_words] << 1;
    } else {
      memset(out, 0, n * sizeof *out);
    }
  }
}

/* Digits are written one cache line per window at a time: written one by one, the lines of windows that are a power of
 * two apart would evict each other from the cache. */
enum { BLOCK = 16 };

void rp_cpu_bucket_digits(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  const uint32_t c = a->window_bits, top = a->all_windows - 1;
  const uint64_t mask = ((uint64_t)1 << c) - 1, middle = (uint64_t)1 << (c - 1);
  uint64_t order[4], bias[4];
  (void)worker;
  memcpy(order, a->order, sizeof order);
  memcpy(bias, a->bias, sizeof bias);
  for (uint64_t first = begin; first < end; first += BLOCK) {
    const uint32_t n = end - first < BLOCK ? (uint32_t)(end - first) : BLOCK;
    uint64_t s[BLOCK][5];
    uint32_t negative[BLOCK];
    if (c > 1 && all_bits(a, first, n)) {
      write_bits(a, first, n);
      continue;
    }
    for (uint32_t i = 0; i < n; i++) negative[i] = biased(a, first + i, order, bias, s[i]);
    for (uint32_t w = a->first_window; w < a->first_window + a->windows; w++) {
      const uint32_t bit = w * c, limb = bit / 64, shift = bit % 64;
      uint32_t *out = a->digits + (uint64_t)(w - a->first_window) * a->n + first;
      for (uint32_t i = 0; i < n; i++) {
        const uint64_t window = (s[i][limb] >> shift | (s[i][limb + 1] << 1) << (63 - shift)) & mask;
        const uint32_t is_low = w != top && window < middle;
        const uint32_t magnitude = (uint32_t)(w == top ? window : is_low ? middle - window : window - middle);
        out[i] = magnitude << 1 | ((is_low ^ negative[i]) & (magnitude != 0));
      }
    }
  }
}
