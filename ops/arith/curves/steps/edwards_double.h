/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The double of a point of a twisted Edwards curve in extended coordinates, as steps within a function: dbl-2008-hwcd
 * (ePrint 2008/522, section 3.3). Included as add.h is.
 *
 * Before: a, b, c, e, f, g and h are elements; DOUBLE_X1, DOUBLE_Y1 and DOUBLE_Z1 name coordinates of the point. After:
 * its double is (e f, g h, e h, f g). */
STEP_SQR(a, DOUBLE_X1);
STEP_SQR(b, DOUBLE_Y1);
STEP_SQR(c, DOUBLE_Z1);
STEP_DBL(c, c);
STEP_ADD(e, DOUBLE_X1, DOUBLE_Y1);
STEP_SQR(e, e);
STEP_SUB(e, e, a);
STEP_SUB(e, e, b);
STEP_MUL_A(a, a);
STEP_ADD(g, a, b);
STEP_SUB(f, g, c);
STEP_SUB(h, a, b);
#undef DOUBLE_X1
#undef DOUBLE_Y1
#undef DOUBLE_Z1
