/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A second opinion on proofs and points, for tests that judge the verifier or whoever asks it. It shares neither code
 * nor ways with graphs/groth16/verify: points by doubling and adding, subgroups by multiplication by r, the equation as
 * one product of four pairings.
 */
#ifndef REPRISE_TESTS_PLAIN_VERIFY_H
#define REPRISE_TESTS_PLAIN_VERIFY_H

#include "groth16/formats/json.h"

/* 1: on its curve and in the subgroup of order r; infinity is. Coordinates are below q. */
int plain_is_member(rp_curve curve, const void *affine);
/* The status that rp_groth16_verify must give; the key's points are believed. */
rp_status plain_verify(const g16_vkey *key, const rp_groth16_proof *proof, const uint8_t *signals, size_t n_signals);

#endif
