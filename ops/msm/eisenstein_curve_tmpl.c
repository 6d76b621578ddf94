/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The endomorphism of a curve, compiled once for each curve that msm/eisenstein.c names. The constants are those of
 * ops/derive/derive_glv.h.
 */
#include "msm/eisenstein.h"
#include "kernel/tmpl.h"
#include "curve_params.h"

extern const rp_endomorphism RP_FN(endomorphism);
const rp_endomorphism RP_FN(endomorphism) = {.a1 = CURVE_GLV_A1_32,
                                             .b1 = CURVE_GLV_B1_32,
                                             .a2 = CURVE_GLV_A2_32,
                                             .b2 = CURVE_GLV_B2_32,
                                             .g1 = CURVE_GLV_G1_32,
                                             .g2 = CURVE_GLV_G2_32,
                                             .all_points = CURVE_COFACTOR_IS_ONE};
