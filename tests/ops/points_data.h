/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Test data: scalars and points that multi-scalar multiplication gets wrong first. A point is a small known
 * multiple of the generator, so that the right result is found with scalars alone.
 */
#ifndef REPRISE_TESTS_OPS_POINTS_DATA_H
#define REPRISE_TESTS_OPS_POINTS_DATA_H

#include <reprise/ops.h>

typedef enum scalar_kind {
  SCALAR_RANDOM,
  SCALAR_ZERO,
  SCALAR_ONE,
  SCALAR_EQUAL,
  SCALAR_MINUS_ONE,
  SCALAR_BITS,      /* 0 and 1 mixed */
  SCALAR_CLUSTERED, /* near one value */
  SCALAR_RUNS,      /* long runs of equal bits */
  SCALAR_SMALL,
  SCALAR_KINDS
} scalar_kind;

typedef enum point_kind {
  POINT_DISTINCT,
  POINT_REPEATED, /* three different ones */
  POINT_OPPOSITE, /* P, -P, P, -P ... of few P */
  POINT_INFINITY, /* infinity alternates with seven repeated points */
  POINT_KINDS
} point_kind;

/* n canonical scalars below the order, 32 bytes each. Free with free(). */
uint8_t *data_scalars(rp_curve curve, scalar_kind kind, uint64_t seed, uint64_t n);
/* n affine points, of which point i is multiples[i] times the generator. Free with free(). */
void *data_points(rp_curve curve, point_kind kind, uint64_t n, int64_t *multiples);
/* affine = the sum of scalar[i] * multiples[i], times the generator. */
void data_msm(rp_curve curve, const uint8_t *scalars, const int64_t *multiples, uint64_t n, void *affine);
/* Fails with the first point that differs. */
void data_assert_points(rp_curve curve, const void *got, const void *want, uint64_t n, const char *what);

#endif
