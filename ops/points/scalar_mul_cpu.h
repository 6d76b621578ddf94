/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Odd multiples of a point, and the addition of digits of width-5 non-adjacent forms. For templates over curves.
 */
#ifndef REPRISE_OPS_SCALAR_MUL_CPU_H
#define REPRISE_OPS_SCALAR_MUL_CPU_H

#include "points/points_cpu.h"
#include "kernel/lanes.h"
#include "arith/scalar.h"
#if RP_LANES
#include "points/scalar_mul8.h"
#define POINT_LANES 1
#else
#define POINT_LANES 0
#endif

static const uint64_t order[4] = CURVE_ORDER_64;

enum { WIDTH = 5, ODD_MULTIPLES = 1 << (WIDTH - 2) };

/* table[i] = (2 i + 1) p */
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

#endif
