/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalar multiplication on the CPU: width-5 non-adjacent forms, or eight products at a time where lanes are available.
 * Variable time.
 */
#include "points/scalar_mul_cpu.h"
#include "points/scalar_mul_args.h"

#include <stdbool.h>

typedef struct rp_scalar_mul_args args_t;

/* Scalar i; if it is not below the order that is reported as a fault, and the scalar counts as zero. */
static const uint64_t *scalar_of(const args_t *a, uint64_t i) {
  static const uint64_t zero[4];
  const uint64_t *scalar = a->scalars + i * a->scalar_step * 4;
  if (rp_scalar_below(scalar, order)) return scalar;
  rp_fault_report((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
  return zero;
}

static void multiply(const args_t *a, uint64_t begin, uint64_t end) {
  acc table[ODD_MULTIPLES];
  int8_t naf[RP_NAF_DIGITS];
  for (uint64_t i = begin; i < end; i++) {
    acc sum;
    acc_zero(&sum);
    if (i == begin || a->point_step) odd_multiples(table, (const aff *)a->points + i * a->point_step);
    for (int bit = rp_scalar_naf(naf, scalar_of(a, i), WIDTH); bit >= 0; bit--) {
      pt_dbl(&sum, &sum);
      add_digit(&sum, table, naf[bit]);
    }
    ((acc *)a->out)[i] = sum;
  }
}

#if POINT_LANES
/* Products begin to begin + n - 1, at most eight; spare lanes hold the last point with the scalar zero. */
static void multiply8(const args_t *a, uint64_t begin, uint64_t n, multiples8 *table, bool has_table) {
  static const uint64_t zero[4];
  const aff *at[8];
  acc unused, *to[8];
  digits8 digit;
  sum8 sum;
  int top = -1;
  for (uint64_t lane = 0; lane < 8; lane++) {
    const uint64_t i = begin + (lane < n ? lane : n - 1);
    const int own = digits8_of(digit, lane, lane < n ? scalar_of(a, i) : zero);
    at[lane] = (const aff *)a->points + i * a->point_step;
    to[lane] = lane < n ? (acc *)a->out + i : &unused;
    if (own > top) top = own;
  }
  if (!has_table) multiples8_of(table, at);
  digits8_sum(&sum, table, (const digits8 *)&digit, 1, top);
  sum8_store(to, &sum);
}
#endif

void RP_FN(scalar_mul)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const args_t *a = args;
  (void)worker;
#if POINT_LANES
  multiples8 table;
  for (uint64_t i = begin, n; i < end; i += n) {
    n = end - i < 8 ? end - i : 8;
    if (n > 1) {
      multiply8(a, i, n, &table, i > begin && !a->point_step);
    } else {
      multiply(a, i, end);
    }
  }
#else
  multiply(a, begin, end);
#endif
}
