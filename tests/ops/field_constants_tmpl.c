/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The generated constants of one field, so that a test can compare them with independent ones.
 */
#include "field_constants.h"

#include "field_params.h"
#include "kernel/tmpl.h"

const field_constants RP_FN(constants) = {
    .name = FP_NAME,
    .limbs = FP_LIMBS,
    .bits = FP_BITS,
    .two_adicity = FP_TWO_ADICITY,
    .nonresidue = FP_NONRESIDUE,
    .montgomery = FP_MONTGOMERY,
    .n0 = FP_N0_64,
    .n0_32 = FP_N0_32,
    .modulus = FP_MODULUS_64,
    .minus_2 = FP_MODULUS_MINUS_2_64,
    .half = FP_HALF_64,
    .modulus_32 = FP_MODULUS_32,
#if FP_MONTGOMERY
    .limbs_52 = FP_LIMBS52,
    .limbs_29 = FP_LIMBS29,
    .modulus_52 = FP_MODULUS_52,
    .n0_52 = FP_N0_52,
    .one_52 = FP_ONE_52,
    .to_52 = FP_TO_52,
    .from_52 = FP_FROM_52,
    .modulus_29 = FP_MODULUS_29,
    .n0_29 = FP_N0_29,
#endif
};
