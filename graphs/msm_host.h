/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A sum of multiples on the host, for vectors too short to make a graph worth while: the public signals.
 */
#ifndef REPRISE_GRAPHS_MSM_HOST_H
#define REPRISE_GRAPHS_MSM_HOST_H

#include <reprise/host.h>

/* affine_out = base + sum of scalar[i] * point[i], all affine, scalars 32 bytes little-endian of which the lowest
 * `bits` bits count, at most 256. Variable time. RP_ERR_MEMORY is the only failure. */
rp_status g16_msm_host(const rp_curve_host *curve, const void *base, const uint8_t *scalars, const uint8_t *points,
                       uint64_t n, uint32_t bits, void *affine_out);

#endif
