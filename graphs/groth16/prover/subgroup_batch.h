/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether many points are all in the subgroup of order r, by sums with random coefficients on a device.
 *
 * The group is the product of the subgroup and a group T of order h prime to r, so that every point is q + t, and it is in
 * the subgroup if t is zero. Each point gets a random scalar of 128 bits, drawn after the points are there and shown to
 * nobody; its signed digits put the point, or its negative, into one bucket of each window. Of the sums of a window's
 * buckets these are tested for membership: all of them together, and for each bit the sum of those buckets whose index has
 * it.
 *
 * Soundness: say a point has t other than zero. Let the scalars of all others be given. In one window the tested sums have
 * parts T_all and T_0, T_1 ... in T from the other points. This point adds +-t to T_all, to every T_k whose bit its bucket
 * has, and nothing elsewhere; or nothing at all if its digit is zero. All sums pass only if T_all becomes zero, which
 * decides between zero, plus and minus (t is not -t, for h is odd on these curves); and each T_k becomes zero, which decides
 * the bit. So at most one digit passes in each window, and at most one of the 2^128 scalars passes in all of them, whatever
 * the order of t is. One weighted sum would not do: of BLS12-381 h is divisible by 3.
 *
 * The cost is about 128 / window_bits additions per point. The scalars may serve several sets of points, each of which is
 * judged by itself.
 *
 * Where the device's memory budget is too small for the sums of many points, fewer are taken at once; where it is too small for
 * any, each point is tested by itself, on the host.
 */
#ifndef REPRISE_GROTH16_SUBGROUP_BATCH_H
#define REPRISE_GROTH16_SUBGROUP_BATCH_H

#include "groth16/formats/family.h"

#include <reprise/ops.h>

typedef struct g16_point_array {
  const uint8_t *points; /* affine, on the curve, coordinates below q; infinity is skipped */
  uint64_t n;
} g16_point_array;

/* *all: 1 if all points are in the subgroup; 0 if one is not, which is overlooked with a probability of at most 2^-128. A
 * device that computes nothing (null) is refused. */
rp_status g16_subgroup_batch(rp_context *context, rp_device *device, rp_curve curve, const g16_point_array *arrays,
                             uint32_t n_arrays, int *all, rp_error *err);

#endif
