/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digits of scalars in ELLPACK on the CPU, see msm/scalars_to_ell.c.
 */
#include <reprise/kernel.h>

#include "msm/scalars_to_ell_args.h"

#include <stdbool.h>

typedef struct rp_scalars_to_ell_args args_t;

static bool below(const uint32_t s[8], const uint32_t order[8]) {
  for (int w = 7; w >= 0; w--)
    if (s[w] != order[w]) return s[w] < order[w];
  return 0;
}

/* Bits [bit, bit + bits) of the scalar; those above its end are zeros. */
static uint32_t bits_of(const uint32_t s[8], uint32_t bit, uint32_t bits) {
  const uint32_t limb = bit / 32, shift = bit % 32;
  uint64_t x = s[limb];
  if (limb < 7) x |= (uint64_t)s[limb + 1] << 32;
  return (uint32_t)(x >> shift) & ((1u << bits) - 1);
}

/* Appends the digits of scalar l to row `row` of each window. */
static void append(const args_t *a, uint64_t row, uint32_t l) {
  const uint32_t *s = a->scalars + (uint64_t)8 * l;
  if (!below(s, a->order)) {
    rp_fault_report((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, l);
    return;
  }
  for (uint32_t w = 0; w < a->windows; w++) {
    const uint32_t digit = bits_of(s, (a->first_window + w) * a->window_bits, a->window_bits);
    if (!digit) continue;
    const uint64_t r = (uint64_t)w * a->n + row, at = r * a->width + a->row_len[r]++;
    a->col[at] = (w << a->window_bits) + digit;
    a->val[at] = l;
  }
}

void rp_cpu_scalars_to_ell(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  (void)worker;
  for (uint64_t row = begin; row < end; row++) {
    for (uint32_t w = 0; w < a->windows; w++) a->row_len[(uint64_t)w * a->n + row] = 0;
    for (uint64_t l = row; l < a->scalars_n; l += a->n) append(a, row, (uint32_t)l);
    for (uint32_t w = 0; w < a->windows; w++) {
      const uint64_t r = (uint64_t)w * a->n + row;
      for (uint64_t i = a->row_len[r]; i < a->width; i++) {
        a->col[r * a->width + i] = UINT32_MAX;
        a->val[r * a->width + i] = 0;
      }
    }
  }
}
