/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sum of two points of a Weierstrass curve with different x, as steps within a function: madd-2008-s and add-2008-s
 * in XYZZ coordinates, madd-2004-hmv in Jacobian ones (Explicit-Formulas Database). C, its eight lanes, CUDA C and GLSL
 * include it, each with its own field operations (values.h lists them).
 *
 * Before: with both points over one denominator, u = X2 - X1, which is not zero, and d = Y2 - Y1; uu, uuu, v and w are
 * elements for what comes between; ADD_X1 and ADD_Y1 name the first point, ADD_X and ADD_Y the sum, which may be the
 * same objects. After: the sum's X and Y; uu = u^2 and uuu = u^3, by which the caller multiplies the denominators. */
STEP_SQR(uu, u);
STEP_MUL(uuu, uu, u);
STEP_MUL(v, ADD_X1, uu);
STEP_SQR(ADD_X, d);
STEP_SUB_TWICE(ADD_X, ADD_X, uuu, v);
STEP_SUB(v, v, ADD_X);
STEP_SUB_PRODUCTS(ADD_Y, d, v, ADD_Y1, uuu, w);
#undef ADD_X1
#undef ADD_Y1
#undef ADD_X
#undef ADD_Y
