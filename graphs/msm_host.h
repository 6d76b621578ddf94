/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A multi-scalar multiplication on the host, for vectors that are too short for a graph, such as the public signals.
 */
#ifndef REPRISE_GRAPHS_MSM_HOST_H
#define REPRISE_GRAPHS_MSM_HOST_H

#include <reprise/host.h>

/* affine_out = base + sum of scalar[i] * point[i]. Points are affine; scalars have 32 bytes, little-endian, of which
 * the lowest `bits` bits are used, at most 256. Variable time. The only failure is RP_ERR_MEMORY. */
rp_status g16_msm_host(const rp_curve_host *curve, const void *base, const uint8_t *scalars, const uint8_t *points,
                       uint64_t n, uint32_t bits, void *affine_out);

#endif
