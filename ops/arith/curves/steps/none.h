/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Takes back the field operations of objects.h or values.h, so that others can stand in their place.
 */
#undef STEP_MUL
#undef STEP_SQR
#undef STEP_ADD
#undef STEP_DBL
#undef STEP_SUB
#undef STEP_SUB_LAST
#undef STEP_SUB_PRODUCTS
#undef STEP_SUB_TWICE
#undef STEP_MUL_A
