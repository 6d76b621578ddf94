/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar products of few points on the CPU: width-5 non-adjacent forms with shared doublings (Straus), on eight
 * points at a time where lanes are available. Variable time.
 */
#include "points/scalar_mul_cpu.h"
#include "msm/msm_small_args.h"

/* Scalar i; if it is not below the order that is reported as a fault, and the scalar counts as zero. */
static const uint64_t *scalar_of(const struct rp_msm_small_args *a, uint64_t i) {
  static const uint64_t zero[4];
  const uint64_t *scalar = a->scalars + i * 4;
  if (rp_scalar_below(scalar, order)) return scalar;
  rp_fault_report((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
  return zero;
}

static void msm_small(const struct rp_msm_small_args *a, uint64_t begin, uint64_t end, void *memory) {
  acc *tables = memory;
  int8_t(*nafs)[RP_NAF_DIGITS] = (int8_t(*)[RP_NAF_DIGITS])(tables + (size_t)a->n * ODD_MULTIPLES);
  for (uint32_t i = 0; i < a->n; i++) odd_multiples(tables + (size_t)i * ODD_MULTIPLES, (const aff *)a->points + i);
  for (uint64_t item = begin; item < end; item++) {
    acc sum;
    int top = -1;
    acc_zero(&sum);
    for (uint32_t i = 0; i < a->n; i++) {
      const int own = rp_scalar_naf(nafs[i], scalar_of(a, item * a->n + i), WIDTH);
      if (own > top) top = own;
    }
    for (int bit = top; bit >= 0; bit--) {
      pt_dbl(&sum, &sum);
      for (uint32_t i = 0; i < a->n; i++) add_digit(&sum, tables + (size_t)i * ODD_MULTIPLES, nafs[i][bit]);
    }
    ((acc *)a->out)[item] = sum;
  }
}

#if POINT_LANES
/* Point i is in lane i mod 8; the spare lanes of the last group hold the last point with the scalar zero. */
static void msm_small8(const struct rp_msm_small_args *a, uint64_t begin, uint64_t end, void *memory) {
  static const uint64_t zero[4];
  const uint32_t groups = (a->n + 7) / 8;
  multiples8 *tables = memory;
  digits8 *digits = (digits8 *)(tables + groups);
  for (uint32_t g = 0; g < groups; g++) {
    const aff *at[8];
    for (uint32_t i = 0; i < 8; i++) at[i] = (const aff *)a->points + (8 * g + i < a->n ? 8 * g + i : a->n - 1);
    multiples8_of(&tables[g], at);
  }
  for (uint64_t item = begin; item < end; item++) {
    acc lanes[8], *to[8];
    sum8 sum;
    int top = -1;
    for (uint32_t i = 0; i < 8 * groups; i++) {
      const int own = digits8_of(digits[i / 8], i % 8, i < a->n ? scalar_of(a, item * a->n + i) : zero);
      if (own > top) top = own;
    }
    digits8_sum(&sum, tables, (const digits8 *)digits, groups, top);
    for (int i = 0; i < 8; i++) to[i] = &lanes[i];
    sum8_store(to, &sum);
    for (int i = 1; i < 8; i++) pt_add(&lanes[0], &lanes[0], &lanes[i]);
    ((acc *)a->out)[item] = lanes[0];
  }
}
#endif

void RP_FN(msm_small)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_msm_small_args *a = args;
  void *memory = a->workspace + (uint64_t)worker->index * a->workspace_words;
#if POINT_LANES
  if (a->n > 1) {
    msm_small8(a, begin, end, memory);
    return;
  }
#endif
  msm_small(a, begin, end, memory);
}
