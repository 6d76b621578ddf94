/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of eight points of a Weierstrass curve in affine form, and their addition to Jacobian sums. Included by
 * scalar_mul8.h.
 */
#ifndef REPRISE_OPS_CPU_MULTIPLES8_H
#define REPRISE_OPS_CPU_MULTIPLES8_H

#include "arith/simd8/jac8.h"

typedef jac8 sum8;
#define sum8_zero jac8_zero
#define sum8_dbl jac8_dbl
#define sum8_store jac8_store

/* Multiples 1 to 8 of eight points. Coordinates are reduced working values (fe8.h); only fe8_load_raw may load them. */
typedef struct multiples8 {
  aff of[8][MULTIPLES];
} multiples8;

/* Computes the multiples of the points at[0..7]. */
static void multiples8_of(multiples8 *r, const aff *const at[8]) {
  const void *from[8];
  void *to[8];
  jac8 multiple[MULTIPLES];
  fe8 inverse[MULTIPLES], scratch[MULTIPLES];
  aff8 p;
  for (int i = 0; i < 8; i++) from[i] = &at[i]->x;
  fe8_load_at(&p.x, from);
  for (int i = 0; i < 8; i++) from[i] = &at[i]->y;
  fe8_load_at(&p.y, from);
  jac8_from_aff(&multiple[0], &p, 0);
  for (int k = 2; k <= MULTIPLES; k++) {
    if (k % 2) {
      jac8_add_aff(&multiple[k - 1], &multiple[k - 2], &p, 0, 0);
    } else {
      jac8_dbl(&multiple[k - 1], &multiple[k / 2 - 1]);
    }
  }
  for (int k = 0; k < MULTIPLES; k++) inverse[k] = multiple[k].z;
  fe8_batch_inv_var(inverse, scratch, MULTIPLES);
  for (int k = 0; k < MULTIPLES; k++) {
    jac8_scale(&p, &multiple[k], &inverse[k]);
    for (int i = 0; i < 8; i++) to[i] = &r->of[i][k].x;
    fe8_store_raw_at(to, &p.x);
    for (int i = 0; i < 8; i++) to[i] = &r->of[i][k].y;
    fe8_store_raw_at(to, &p.y);
  }
}

/* r += in each lane, the multiple that its digit selects. */
static void multiples8_add(jac8 *r, const multiples8 *table, const int8_t digit[8]) {
  const void *x[8], *y[8];
  unsigned minus = 0, skip = 0;
  aff8 term;
  for (int i = 0; i < 8; i++) {
    const int d = digit[i], size = d < 0 ? -d : d;
    const aff *p = &table->of[i][size ? size - 1 : 0];
    x[i] = &p->x, y[i] = &p->y;
    minus |= (unsigned)(d < 0) << i;
    skip |= (unsigned)(d == 0) << i;
  }
  if (skip == 0xff) return;
  fe8_load_raw_at(&term.x, x);
  fe8_load_raw_at(&term.y, y);
  jac8_add_aff(r, r, &term, (m8)minus, (m8)skip);
}

#endif
