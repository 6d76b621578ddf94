/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multiples of eight points of a twisted Edwards curve in affine form, and their addition to sums in extended
 * coordinates. Included by scalar_mul8.h.
 */
#ifndef REPRISE_OPS_CPU_MULTIPLES8_EDWARDS_H
#define REPRISE_OPS_CPU_MULTIPLES8_EDWARDS_H

#include "arith/simd8/edw8.h"

typedef edw8 sum8;
#define sum8_zero edw8_zero
#define sum8_dbl edw8_dbl
#define sum8_store edw8_store_at

/* With t = x y. */
typedef struct multiple {
  fe x, y, t;
} multiple;

/* Multiples 1 to 8 of eight points. Coordinates are reduced working values (fe8.h); only fe8_load_raw may load them. */
typedef struct multiples8 {
  multiple of[8][MULTIPLES];
} multiples8;

/* Computes the multiples of the points at[0..7]. */
static void multiples8_of(multiples8 *r, const aff *const at[8]) {
  void *to[8];
  edw8 sum[MULTIPLES];
  fe8 inverse[MULTIPLES], scratch[MULTIPLES], d;
  edw8_coefficient(&d);
  edw8_load_affine(&sum[0], at, 0);
  for (int k = 1; k < MULTIPLES; k++) edw8_add_affine(&sum[k], &sum[k - 1], &sum[0], &d);
  for (int k = 0; k < MULTIPLES; k++) inverse[k] = sum[k].z;
  fe8_batch_inv_var(inverse, scratch, MULTIPLES);
  for (int k = 0; k < MULTIPLES; k++) {
    edw8 *m = &sum[k];
    fe8_mul(&m->x, &m->x, &inverse[k]);
    fe8_mul(&m->y, &m->y, &inverse[k]);
    fe8_mul(&m->t, &m->x, &m->y);
    for (int i = 0; i < 8; i++) to[i] = &r->of[i][k].x;
    fe8_store_raw_at(to, &m->x);
    for (int i = 0; i < 8; i++) to[i] = &r->of[i][k].y;
    fe8_store_raw_at(to, &m->y);
    for (int i = 0; i < 8; i++) to[i] = &r->of[i][k].t;
    fe8_store_raw_at(to, &m->t);
  }
}

/* r += in each lane, the multiple that its digit selects. */
static void multiples8_add(edw8 *r, const multiples8 *table, const int8_t digit[8]) {
  const void *x[8], *y[8], *t[8];
  const edw8 before = *r;
  unsigned minus = 0, skip = 0;
  edw8 term;
  fe8 d, negative;
  for (int i = 0; i < 8; i++) {
    const int size = digit[i] < 0 ? -digit[i] : digit[i];
    const multiple *m = &table->of[i][size ? size - 1 : 0];
    x[i] = &m->x, y[i] = &m->y, t[i] = &m->t;
    minus |= (unsigned)(digit[i] < 0) << i;
    skip |= (unsigned)(digit[i] == 0) << i;
  }
  if (skip == 0xff) return;
  fe8_load_raw_at(&term.x, x);
  fe8_load_raw_at(&term.y, y);
  fe8_load_raw_at(&term.t, t);
  fe8_neg(&negative, &term.x);
  fe8_cmov(&term.x, &negative, (m8)minus);
  fe8_neg(&negative, &term.t);
  fe8_cmov(&term.t, &negative, (m8)minus);
  edw8_coefficient(&d);
  edw8_add_affine(r, &before, &term, &d);
  edw8_cmov(r, &before, (m8)skip);
}

#endif
