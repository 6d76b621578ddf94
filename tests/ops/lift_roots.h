/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * lift_roots_tmpl.c, for the coordinates of each curve.
 */
#ifndef REPRISE_TESTS_LIFT_ROOTS_H
#define REPRISE_TESTS_LIFT_ROOTS_H

#include <stdint.h>

enum { LIFT_ROOTS = 16 };

/* Writes a root of each of LIFT_ROOTS elements of the field of coordinates, in lanes in plain C, and returns the bits
 * of those that have one. */
#define LIFT_ROOTS_OF(id) extern uint32_t (*const rp_lift_roots_##id##_twin)(const void *elements, void *out);
LIFT_ROOTS_OF(bn254_g1)
LIFT_ROOTS_OF(bn254_g2)
LIFT_ROOTS_OF(bls12_381_g1)
LIFT_ROOTS_OF(bls12_381_g2)

#endif
