/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What shape rules and lowerings of operations on points share.
 */
#ifndef REPRISE_OPS_POINTS_H
#define REPRISE_OPS_POINTS_H

#include <reprise/op.h>

#include "lower/lower.h"

/* Whether the type is one of points, with its curve and whether it is affine. */
bool rp_type_points(const rp_type *type, rp_curve *curve, uint32_t *is_affine);
/* Fails with RP_ERR_TYPE and a sentence: operand i is not what is `wanted`. */
rp_status rp_shape_not_points(const rp_shape *s, uint32_t i, const char *wanted);
/* RP_OK if operand i is of scalars (U256). */
rp_status rp_shape_scalars(const rp_shape *s, uint32_t i);

/* Bit length of the order of the curve's group. */
uint32_t rp_order_bits(rp_curve curve);
/* Bytes per element of the curve's base field. */
uint32_t rp_base_bytes(rp_curve curve);

#endif
