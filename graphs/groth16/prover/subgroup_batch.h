/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tests on a device whether many points are all on the curve, each by itself, and all in the subgroup, by sums with
 * random coefficients. (Random subset sums instead of single tests: Bellare, Garay, Rabin, "Fast batch verification for
 * modular exponentiation and digital signatures", Eurocrypt 1998. One sum with large coefficients does not suffice: its
 * error is one over the least prime factor of the cofactor, which is 3 in G1 of BLS12-381; Koshelev, El Housni,
 * Fotiadis, "Fast batch subgroup membership testing on pairing-friendly curves".)
 *
 * Many points are repeatedly replaced by a fifth as many sums of them (subgroup_grid.h: four additions per point and an
 * error below 2^-137 each time, with new random values). The rest, at most some ten thousand points, is tested as
 * follows, with 136 / window_bits additions per point.
 *
 * Each point gets a random scalar of 136 bits; its signed digits put the point, or its negative, into one bucket of
 * each window. For each window, these sums are tested for membership: the sum of all buckets, and for each bit the sum
 * of those buckets whose index has that bit.
 *
 * Soundness of this test: the group is the product of the subgroup and a group T of order h prime to r, so that every
 * point is q + t, and it is in the subgroup if t is zero. Suppose that a point has a t other than zero, and fix the
 * scalars of all other points. In one window the tested sums have parts T_all and T_0, T_1 ... in T from the other
 * points. This point adds +-t to T_all, to every T_k whose bit its bucket has, and nothing elsewhere; or nothing at all
 * if its digit is zero. All sums pass only if T_all becomes zero, which decides between zero, plus and minus (t is not
 * -t, for h is odd on these curves); and each T_k becomes zero, which decides the bit. So at most one digit passes in
 * each window, and at most one of the 2^136 scalars passes in all of them, whatever the order of t is.
 *
 * All random values come from the operating system after the points are known, and are never revealed. Those of one
 * recording serve several chunks of points, each of which is tested by itself; sums are tested with other random values
 * than those that they were made with.
 *
 * Memory: for each replacement, a recording over at most 16 MiB of points, and its random values. If the device's
 * memory budget is too small for that, fewer points are processed at once, down to a few hundred. If it is too small
 * for these, or if the points are so few that testing each by itself is faster, the result is undecided.
 */
#ifndef REPRISE_GROTH16_SUBGROUP_BATCH_H
#define REPRISE_GROTH16_SUBGROUP_BATCH_H

#include "subgroup_grid.h"

typedef struct g16_point_array {
  const uint8_t *points; /* affine, coordinates below q; infinity is skipped */
  uint64_t n;
} g16_point_array;

typedef struct g16_subgroup_job {
  rp_context *context;
  rp_device *device;
  rp_curve curve; /* G1 or G2 of a family */
  uint32_t n_arrays;
  const g16_point_array *arrays;
  uint32_t on_curve;    /* 1: the device also tests whether points are on the curve; 0: the caller does */
  g16_random_fn random; /* for tests; NULL: that of the operating system */
} g16_subgroup_job;

typedef enum g16_verdict {
  G16_UNDECIDED, /* no bad point has been found: each must be tested by itself */
  G16_ALL_GOOD,
  G16_NOT_ALL
} g16_verdict;

/* Tests whether all points are in the subgroup and, with on_curve, on the curve. Without on_curve there is nothing to
 * test in G1 of BN254, whose curve is the subgroup; elsewhere the verdict only holds if all points are on the curve. A
 * point outside the subgroup is missed with a probability of at most 2^-128. The null device is refused, since it
 * computes nothing. After a failure the verdict is G16_UNDECIDED. */
rp_status g16_subgroup_batch(const g16_subgroup_job *job, g16_verdict *verdict, rp_error *err);

#endif
