/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field operations of the formulas in this folder, for languages whose functions return values: CUDA C and GLSL.
 * r may be an operand. On eight lanes, where coordinates are kept below a bound, STEP_SUB gives a factor of the next
 * product, and STEP_SUB_LAST and STEP_SUB_TWICE a coordinate; elsewhere all differences are reduced.
 */
#ifndef REPRISE_OPS_STEPS_VALUES_H
#define REPRISE_OPS_STEPS_VALUES_H

#define STEP_MUL(r, a, b) r = fe_mul(a, b)
#define STEP_SQR(r, a) r = fe_sqr(a)
#define STEP_ADD(r, a, b) r = fe_add(a, b)
#define STEP_DBL(r, a) r = fe_dbl(a)
#define STEP_SUB(r, a, b) r = fe_sub(a, b)
#define STEP_SUB_LAST(r, a, b) r = fe_sub(a, b)
/* a b - c d; b is changed, and t is an element for what comes between. CUDA C has a shorter way. */
#ifndef STEP_SUB_PRODUCTS
#define STEP_SUB_PRODUCTS(r, a, b, c, d, t) \
  b = fe_mul(a, b);                         \
  t = fe_mul(c, d);                         \
  r = fe_sub(b, t)
#endif
/* a - b - 2 c */
#define STEP_SUB_TWICE(r, a, b, c) r = fe_sub(fe_sub(a, b), fe_dbl(c))
/* The product with the coefficient a of an Edwards curve. */
#define STEP_MUL_A(r, x) r = curve_mul_a(x)

#endif
