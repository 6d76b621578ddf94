/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The objects behind reprise/types.h, for tables of addresses of them.
 */
#ifndef REPRISE_OPS_ARITH_TYPES_H
#define REPRISE_OPS_ARITH_TYPES_H

#include <reprise/types.h>

typedef struct rp_field_types {
  rp_type type;
  uint32_t degree;
} rp_field_types;

typedef struct rp_curve_types {
  rp_type affine, accumulator;
  rp_field base, scalar;
} rp_curve_types;

extern const rp_field_types rp_types_of_fields[RP_FIELD_COUNT];
extern const rp_curve_types rp_types_of_curves[RP_CURVE_COUNT];

/* Of results of rp_msm_scalars, which have no elements. */
extern const rp_type rp_type_msm_scalars;

#endif
