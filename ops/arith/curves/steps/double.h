/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The double of a point of a Weierstrass curve with a = 0 in XYZZ coordinates, as steps within a function: dbl-2008-s-1
 * and mdbl-2008-s-1 (Explicit-Formulas Database). Included as add.h is.
 *
 * Before: u, v, w, s, m and t are elements; DOUBLE_X1 and DOUBLE_Y1 name the point, DOUBLE_X and DOUBLE_Y the result,
 * which may be the same objects. After: its X and Y; the caller multiplies ZZ by v and ZZZ by w. Zero gives zero, and
 * so does a point with y = 0. */
STEP_DBL(u, DOUBLE_Y1);
STEP_SQR(v, u);
STEP_MUL(w, u, v);
STEP_MUL(s, DOUBLE_X1, v);
STEP_SQR(t, DOUBLE_X1);
STEP_DBL(m, t);
STEP_ADD(m, m, t);
STEP_SQR(DOUBLE_X, m);
STEP_DBL(t, s);
STEP_SUB(DOUBLE_X, DOUBLE_X, t);
STEP_SUB(s, s, DOUBLE_X);
STEP_MUL(s, m, s);
STEP_MUL(t, w, DOUBLE_Y1);
STEP_SUB(DOUBLE_Y, s, t);
#undef DOUBLE_X1
#undef DOUBLE_Y1
#undef DOUBLE_X
#undef DOUBLE_Y
