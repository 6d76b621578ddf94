/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Scalar multiplication on the CPU: width-5 non-adjacent forms, and for few points the same with shared doublings
 * (Straus). Variable time.
 */
#include "cpu/points.h"
#include "args/points.h"
#include "cpu/scalar.h"

static const uint64_t order[4] = CURVE_ORDER_64;

enum { WIDTH = 5, ODD_MULTIPLES = 1 << (WIDTH - 2) };

/* p, 3p, 5p ... */
static void odd_multiples(acc table[ODD_MULTIPLES], const aff *p) {
  acc twice;
  acc_from_aff(&table[0], p);
  pt_dbl(&twice, &table[0]);
  for (int i = 1; i < ODD_MULTIPLES; i++) pt_add(&table[i], &table[i - 1], &twice);
}

static void add_digit(acc *sum, const acc table[ODD_MULTIPLES], int digit) {
  acc t;
  if (digit > 0) pt_add(sum, sum, &table[digit / 2]);
  if (digit < 0) {
    acc_neg(&t, &table[-digit / 2]);
    pt_add(sum, sum, &t);
  }
}

void RP_FN(scalar_mul)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_scalar_mul_args *a = args;
  acc table[ODD_MULTIPLES];
  int8_t naf[RP_NAF_DIGITS];
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint64_t *scalar = a->scalars + i * a->scalar_step * 4;
    acc sum;
    acc_zero(&sum);
    if (i == begin || a->point_step) odd_multiples(table, (const aff *)a->points + i * a->point_step);
    if (!rp_scalar_below(scalar, order)) {
      cpu_fault((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, i);
    } else {
      for (int bit = rp_scalar_naf(naf, scalar, WIDTH); bit >= 0; bit--) {
        pt_dbl(&sum, &sum);
        add_digit(&sum, table, naf[bit]);
      }
    }
    ((acc *)a->out)[i] = sum;
  }
}

void RP_FN(msm_small)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_msm_small_args *a = args;
  acc *tables = (acc *)(a->workspace + (uint64_t)worker->index * a->workspace_words);
  int8_t(*nafs)[RP_NAF_DIGITS] = (int8_t(*)[RP_NAF_DIGITS])(tables + (size_t)a->n * ODD_MULTIPLES);
  for (uint32_t i = 0; i < a->n; i++) odd_multiples(tables + (size_t)i * ODD_MULTIPLES, (const aff *)a->points + i);
  for (uint64_t item = begin; item < end; item++) {
    const uint64_t *scalars = a->scalars + item * a->n * 4;
    acc sum;
    int top = -1;
    acc_zero(&sum);
    for (uint32_t i = 0; i < a->n; i++) {
      int own = -1;
      if (rp_scalar_below(scalars + i * 4, order)) {
        own = rp_scalar_naf(nafs[i], scalars + i * 4, WIDTH);
      } else {
        cpu_fault((rp_error_record *)a->error, RP_FAULT_SCALAR_RANGE, a->site, item * a->n + i);
      }
      for (int bit = own + 1; bit < RP_NAF_DIGITS; bit++) nafs[i][bit] = 0;
      if (own > top) top = own;
    }
    for (int bit = top; bit >= 0; bit--) {
      pt_dbl(&sum, &sum);
      for (uint32_t i = 0; i < a->n; i++) add_digit(&sum, tables + (size_t)i * ODD_MULTIPLES, nafs[i][bit]);
    }
    ((acc *)a->out)[item] = sum;
  }
}
