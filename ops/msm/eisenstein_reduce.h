/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The reduction of the buckets of Eisenstein digits, as an operation and as a step of others.
 */
#ifndef REPRISE_OPS_EISENSTEIN_REDUCE_H
#define REPRISE_OPS_EISENSTEIN_REDUCE_H

#include <reprise/op.h>
#include <reprise/ops.h>

enum { RP_EISENSTEIN_COLUMNS_MOST = 1 << 14 };

/* RP_OK, or RP_ERR_TYPE with a sentence: the library does not know the endomorphism of the curve. */
rp_status rp_shape_eisenstein_curve(const rp_shape *s, rp_curve curve);

/* The sum of (x + y zeta) times bucket x + y zeta, which is element y * columns + x - 1 of sums; one accumulator. sums
 * has columns + 1 rows. Buckets with 2 x + y or x + 2 y above 2 columns + 1 are not read. */
rp_value rp_eisenstein_reduce(rp_graph *g, rp_value sums, uint32_t columns);

/* The same as steps of a lowering; sums are accumulators. */
rp_status rp_lower_eisenstein_cpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value result, uint32_t columns);
rp_status rp_lower_eisenstein_gpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value result, uint32_t columns);

#endif
