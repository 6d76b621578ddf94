/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether many points are all on the curve, each tested by itself, and in the subgroup, by sums with random
 * coefficients, on a device. (Random subset sums in the place of single tests: Bellare, Garay, Rabin, "Fast batch
 * verification for modular exponentiation and digital signatures", Eurocrypt 1998. Why one sum with large coefficients
 * would not do: Koshelev, El Housni, Fotiadis, "Fast batch subgroup membership testing on pairing-friendly curves": the
 * error is one over the least prime of the cofactor, which is 3 in G1 of BLS12-381.)
 *
 * Many points are replaced by a fifth as many sums of them, again and again (subgroup_grid.h: four additions per point
 * and an error below 2^-137 each time, with new coins). What is left, at most some ten thousand points, is tested as
 * follows, with 136 / window_bits additions per point.
 *
 * Each point gets a random scalar of 136 bits; its signed digits put the point, or its negative, into one bucket of
 * each window. Of the sums of a window's buckets these are tested for membership: all of them together, and for each
 * bit the sum of those buckets whose index has it.
 *
 * Soundness of this test: the group is the product of the subgroup and a group T of order h prime to r, so that every
 * point is q + t, and it is in the subgroup if t is zero. Say a point has t other than zero. Let the scalars of all
 * others be given. In one window the tested sums have parts T_all and T_0, T_1 ... in T from the other points. This
 * point adds +-t to T_all, to every T_k whose bit its bucket has, and nothing elsewhere; or nothing at all if its digit
 * is zero. All sums pass only if T_all becomes zero, which decides between zero, plus and minus (t is not -t, for h is
 * odd on these curves); and each T_k becomes zero, which decides the bit. So at most one digit passes in each window,
 * and at most one of the 2^136 scalars passes in all of them, whatever the order of t is.
 *
 * All coins come from the operating system after the points are there, and nobody is shown them. The coins of one
 * recording serve several chunks of points, each of which is judged by itself; sums are judged with other coins than
 * those that they were made with.
 *
 * Memory: for each replacement a recording over at most 16 MiB of points, and its coins. Where the device's memory
 * budget is too small for that, fewer points are taken at once, down to some hundred; where it is too small for those,
 * and where the points are so few that each is tested sooner by itself, the question is left to the caller.
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
  rp_curve curve; /* of a family */
  uint32_t n_arrays;
  const g16_point_array *arrays;
  uint32_t on_curve;    /* 1: the device tests too whether they are on the curve; 0: the caller does, before or after */
  g16_random_fn random; /* for tests; NULL: the operating system's */
} g16_subgroup_job;

typedef enum g16_verdict {
  G16_UNDECIDED, /* no point has been found bad: each is to be tested by itself */
  G16_ALL_GOOD,
  G16_NOT_ALL
} g16_verdict;

/* Whether all points are in the subgroup, and with on_curve on the curve. Without it there is nothing to test in G1 of
 * BN254, whose curve is the subgroup; elsewhere the verdict holds if they are on the curve. A point outside the
 * subgroup is overlooked with a probability of at most 2^-128. A device that computes nothing (null) is refused. After
 * a failure the verdict is G16_UNDECIDED. */
rp_status g16_subgroup_batch(const g16_subgroup_job *job, g16_verdict *verdict, rp_error *err);

#endif
