/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The field operations of the formulas in this folder, for C, whose functions write to objects. As values.h.
 */
#ifndef REPRISE_OPS_STEPS_OBJECTS_H
#define REPRISE_OPS_STEPS_OBJECTS_H

#define STEP_MUL(r, a, b) fe_mul(&(r), &(a), &(b))
#define STEP_SQR(r, a) fe_sqr(&(r), &(a))
#define STEP_ADD(r, a, b) fe_add(&(r), &(a), &(b))
#define STEP_DBL(r, a) fe_dbl(&(r), &(a))
#define STEP_SUB(r, a, b) fe_sub(&(r), &(a), &(b))
#define STEP_SUB_LAST(r, a, b) fe_sub(&(r), &(a), &(b))
#define STEP_SUB_PRODUCTS(r, a, b, c, d, t) (STEP_MUL(b, a, b), STEP_MUL(t, c, d), STEP_SUB_LAST(r, b, t))
#define STEP_SUB_TWICE(r, a, b, c) (fe_sub(&(r), &(a), &(b)), fe_sub(&(r), &(r), &(c)), fe_sub(&(r), &(r), &(c)))
#define STEP_MUL_A(r, x) fe_mul_a(&(r), &(x))

#endif
