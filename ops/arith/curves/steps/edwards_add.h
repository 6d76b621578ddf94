/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sum of two points of a twisted Edwards curve in extended coordinates, as steps within a function: add-2008-hwcd,
 * which is unified (ePrint 2008/522, section 3.1). Included as add.h is.
 *
 * Before: c = d T1 T2 and d = Z1 Z2; a, b, e, f, g and h are elements; ADD_X1, ADD_Y1, ADD_X2 and ADD_Y2 name
 * coordinates of both points. After: the sum is (e f, g h, e h, f g). */
STEP_MUL(a, ADD_X1, ADD_X2);
STEP_MUL(b, ADD_Y1, ADD_Y2);
STEP_ADD(e, ADD_X1, ADD_Y1);
STEP_ADD(f, ADD_X2, ADD_Y2);
STEP_MUL(e, e, f);
STEP_SUB(e, e, a);
STEP_SUB(e, e, b);
STEP_SUB(f, d, c);
STEP_ADD(g, d, c);
STEP_MUL_A(h, a);
STEP_SUB(h, b, h);
#undef ADD_X1
#undef ADD_Y1
#undef ADD_X2
#undef ADD_Y2
