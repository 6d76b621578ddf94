/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points of small order outside the subgroup of order r, which an attacker may add to a point of a key. In G1 of
 * BLS12-381 they do not change a pairing, so that a test of subgroups has to find them.
 */
#ifndef REPRISE_TESTS_TORSION_H
#define REPRISE_TESTS_TORSION_H

#include <reprise/host.h>

enum { TORSION_ALL = 0 }; /* in place of a prime: the product of all of them */

/* The primes below 2^44 that divide the cofactor of the curve's group, ended by 0. Empty if the cofactor is one. */
const uint64_t *torsion_primes(rp_curve curve);
const char *torsion_cofactor(rp_curve curve); /* decimal; NULL for a curve that has no entry here */
/* A point of exactly this order, affine in memory form: one of torsion_primes, or TORSION_ALL. `seed` selects one of
 * many. */
void torsion_point(rp_curve curve, uint64_t prime, uint64_t seed, void *affine);
/* A point of the curve that is a multiple of r, of any order that the cofactor has. */
void torsion_any(rp_curve curve, uint64_t seed, void *affine);
/* k times a point; k of n bytes, little-endian, any size. Plain doubling and adding: no endomorphism, no window. */
void torsion_multiple(rp_curve curve, const void *affine, const uint8_t *k, size_t n, void *result);

#endif
