/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A second, independent judgement of proofs and points, for tests of the verifier and of its callers. It shares neither
 * code nor methods with graphs/groth16/verify: it computes points by doubling and adding, tests subgroups by
 * multiplication by r, and evaluates the equation as one product of four pairings.
 */
#ifndef REPRISE_TESTS_PLAIN_VERIFY_H
#define REPRISE_TESTS_PLAIN_VERIFY_H

#include "groth16/formats/json.h"

/* Returns 1 if the point is on its curve and in the subgroup of order r, which holds for infinity. Coordinates must be
 * below q. */
int plain_is_member(rp_curve curve, const void *affine);
/* The status that rp_groth16_verify must return. The points of the key are not checked. */
rp_status plain_verify(const g16_vkey *key, const rp_groth16_proof *proof, const uint8_t *signals, size_t n_signals);

#endif
