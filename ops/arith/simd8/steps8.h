/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field operations of the formulas in curves/steps/ on eight lanes, in place of those of objects.h. What is
 * subtracted is below 2 p (jac8.h has the bounds of products), so that STEP_SUB gives factors below 7/2 p for minuends
 * below 3/2 p.
 */
#ifndef REPRISE_OPS_CPU_STEPS8_H
#define REPRISE_OPS_CPU_STEPS8_H

#include "arith/simd8/fe8.h"
#include "arith/curve.h"

#include "arith/curves/steps/none.h"

#define STEP_MUL(r, a, b) fe8_mul(&(r), &(a), &(b))
#define STEP_SQR(r, a) fe8_sqr(&(r), &(a))
#define STEP_SUB(r, a, b) fe8_sub_plus(&(r), &(a), &(b), 2)
#define STEP_SUB_LAST(r, a, b) (fe8_sub_plus(&(r), &(a), &(b), 2), fe8_reduce(&(r)))
#define STEP_SUB_PRODUCTS(r, a, b, c, d, t) (STEP_MUL(b, a, b), STEP_MUL(t, c, d), STEP_SUB_LAST(r, b, t))
#define STEP_SUB_TWICE(r, a, b, c) fe8_sub_twice(&(r), &(a), &(b), &(c))

/* r = a - b - 2 c, reduced, for b and c at most 3/2 p, and a below 5/2 p. */
static inline void fe8_sub_twice(fe8 *r, const fe8 *a, const fe8 *b, const fe8 *c) {
  fe8 t;
  fe8_add_lazy(&t, c, c);
  fe8_add_lazy(&t, &t, b);
  fe8_sub_plus(r, a, &t, 5);
  fe8_reduce(r);
}

#endif
