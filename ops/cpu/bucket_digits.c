/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Signed digits of scalars on the CPU, for any group order: the arithmetic is a comparison, a subtraction and, for field
 * elements, one Montgomery reduction, so that one kernel serves all fields.
 */
#include "cpu/bucket_matrix.h"
#include "cpu/fault.h"
#include "args/bucket_matrix.h"

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

/* a = a / 2^(64 limbs) mod order */
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

void rp_cpu_bucket_digits(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  const uint32_t c = a->window_bits, top = a->all_windows - 1, scalar_bytes = a->scalar_words * 4;
  const uint64_t mask = ((uint64_t)1 << c) - 1, middle = (uint64_t)1 << (c - 1);
  uint64_t order[4], bias[4];
  (void)worker;
  memcpy(order, a->order, sizeof order);
  memcpy(bias, a->bias, sizeof bias);
  for (uint64_t i = begin; i < end; i++) {
    uint64_t s[5] = {0}, negated[4], carry = 0;
    uint32_t negative;
    memcpy(s, (const char *)a->scalars + i * scalar_bytes, scalar_bytes);
    if (a->montgomery) reduce(s, order, (uint64_t)a->order_inverse[1] << 32 | a->order_inverse[0], scalar_bytes / 8);
    if (sub(negated, order, s) || !(negated[0] | negated[1] | negated[2] | negated[3])) {
      cpu_fault((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
      memset(s, 0, sizeof s);
      memcpy(negated, order, sizeof negated);
    }
    /* The smaller of s and order - s: a bit less, and values just below the order have few digits. */
    {
      uint64_t unused[4];
      negative = (uint32_t)sub(unused, negated, s);
    }
    for (int j = 0; j < 4; j++) {
      wide t = (wide)(negative ? negated[j] : s[j]) + bias[j] + carry;
      s[j] = (uint64_t)t;
      carry = (uint64_t)(t >> 64);
    }
    for (uint32_t w = a->first_window; w < a->first_window + a->windows; w++) {
      uint32_t bit = w * c, limb = bit / 64, shift = bit % 64;
      uint64_t window = s[limb] >> shift;
      uint32_t magnitude, sign;
      if (shift) window |= s[limb + 1] << (64 - shift);
      window &= mask;
      if (w == top) {
        magnitude = (uint32_t)window;
        sign = 0;
      } else {
        sign = window < middle;
        magnitude = (uint32_t)(sign ? middle - window : window - middle);
      }
      a->digits[(uint64_t)(w - a->first_window) * a->n + i] = magnitude << 1 | ((sign ^ negative) & (magnitude != 0));
    }
  }
}
