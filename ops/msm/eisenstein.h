/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Digits of scalars in the ring of Eisenstein integers, for products over points with precomputed multiples.
 *
 * Curves y^2 = x^3 + b have an endomorphism omega (x, y) = (beta x, y), beta^3 = 1, that multiplies the points of the
 * subgroup of prime order r by a number lambda with lambda^2 + lambda + 1 = 0 mod r. So a scalar k is an element
 * k1 + k2 omega of Z[omega], of about half the length in both coordinates (Gallant, Lambert, Vanstone, CRYPTO 2001),
 * and is written in digits of Z[omega] in a base b that is an integer: k = sum over w < windows of digit_w b^w. A digit
 * is the residue mod b of the least norm. The six units +-1, +-omega, +-omega^2 are free: P, omega P and omega^2 P are
 * all among the precomputed multiples. With zeta = -omega^2, a sixth root of unity, every digit other than 0 is
 *
 *     a unit times x + y zeta,  0 < x <= b / 2,  0 <= y <= b / 2,
 *
 * so that about b^2 / 6 of the buckets x + y zeta are used. Signed digits of b^2 values, which have as many windows,
 * have b^2 / 2 buckets. The products are right for points of the subgroup only.
 */
#ifndef REPRISE_OPS_EISENSTEIN_H
#define REPRISE_OPS_EISENSTEIN_H

#include "msm/buckets.h"

/* windows: digits per scalar. Bucket x + y zeta is row y * columns + x - 1 of the matrix: rows is b / 2 + 1, columns
 * is b / 2, rounded down. Multiples of n points are 3 * windows * n points; of point i, omega^r b^w P_i is at
 * (r * windows + w) * n + i. */
typedef struct rp_eisenstein {
  uint32_t windows, base, rows, columns;
} rp_eisenstein;

enum { RP_EISENSTEIN_WINDOWS_LEAST = 10, RP_EISENSTEIN_WINDOWS_MOST = 43 };

/* base is the least with base^windows > 2^128, or 2^129 for orders of more than 254 bits, or a little more, if that has
 * fewer binary digits that are one. windows must be within the limits above. */
rp_eisenstein rp_eisenstein_of(rp_curve curve, uint32_t windows);

/* lambda and the lattice of all (a, b) with a + b lambda = 0 mod r, as derive_glv.h describes them: two short vectors,
 * as signed integers of 160 bits, and the factors round(2^320 .. / r) of the multiples to subtract. Lowest word
 * first. Curves of the same order have the same. NULL: the curve has no endomorphism that the library knows. */
typedef struct rp_endomorphism {
  uint32_t a1[5], b1[5], a2[5], b2[5];
  uint32_t g1[7], g2[7];
  bool all_points; /* omega is lambda for all points of the curve, since its cofactor is 1 */
} rp_endomorphism;
const rp_endomorphism *rp_curve_endomorphism(rp_curve curve);

/* Bucket matrix of the digits: one set of rows * columns buckets. `merged` of the result is 3 * windows, its `windows`
 * and `window_bits` are 1. The scalars are as for rp_bucket_matrix. */
rp_buckets rp_eisenstein_matrix(rp_graph *g, rp_value scalars, rp_curve curve, uint32_t windows);

/* The 3 * windows multiples of each affine point, in the order above. */
rp_value rp_eisenstein_multiples(rp_graph *g, rp_value points, uint32_t windows);

/* The product: over all buckets, (x + y zeta) times the sum of the points of that bucket; one accumulator. b is a
 * result of rp_eisenstein_matrix, or of rp_bucket_filter of one. */
rp_value rp_eisenstein_sums(rp_graph *g, const rp_buckets *b, rp_value multiples, uint32_t windows);

#endif
