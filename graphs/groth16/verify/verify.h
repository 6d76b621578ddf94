/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A verification key that is ready for use.
 */
#ifndef REPRISE_GROTH16_VERIFY_H
#define REPRISE_GROTH16_VERIFY_H

#include "groth16/formats/json.h"

/* Checks the points unless `checked`, copies them, and prepares the pairings. `name` names the key in reasons. */
rp_status g16_vkey_new(const char *name, const g16_vkey *points, bool checked, rp_groth16_vkey **vkey, rp_error *err);
/* The same, but takes over the points, and frees them on failure, so that there is never a second copy of an untrusted
 * key. */
rp_status g16_vkey_take(const char *name, g16_vkey *points, bool checked, rp_groth16_vkey **vkey, rp_error *err);
const g16_vkey *g16_vkey_points(const rp_groth16_vkey *vkey);
/* The prepared points of G2, and e(alpha, beta). */
const rp_pairing_prepared *g16_vkey_beta(const rp_groth16_vkey *vkey);
const rp_pairing_prepared *g16_vkey_gamma(const rp_groth16_vkey *vkey);
const rp_pairing_prepared *g16_vkey_delta(const rp_groth16_vkey *vkey);
const rp_pairing_value *g16_vkey_alpha_beta(const rp_groth16_vkey *vkey);
/* Computes e(alpha, beta), to be released with free(); NULL when out of memory. The memory holds 12 coefficients of Fq
 * in snarkjs's order. */
rp_pairing_value *g16_alpha_beta(const g16_vkey *points);

/* The checks of rp_groth16_verify except the curve and subgroup of pi_b and the equation: that the proof has the key's
 * curve, that the signals have the right number and are reduced, and that pi_a and pi_c are on their curve and in its
 * subgroup. rp_pairing_prepare checks the same of pi_b; if it refuses the point, g16_verify_refuse_b gives the
 * reason. */
rp_status g16_verify_check(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                           size_t n_public, rp_error *err);

/* The same for a key that may have commitments. */
rp_status g16_verify_check_parts(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof,
                                 const uint8_t *public_signals, size_t n_public, rp_error *err);
/* Checks pi_b and the equation, with the sum over IC, for a proof that g16_verify_check has accepted. */
rp_status g16_verify_equation(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const g16_g1 *sum,
                              rp_error *err);

rp_status g16_verify_refuse_b(const rp_groth16_proof *proof, rp_error *err);

/* The check before a proof is released: all of rp_groth16_verify, because a malicious key can move a proof out of the
 * subgroup without violating the pairing equation, and such a proof reveals information about the witness.
 * RP_ERR_VERIFY with a reason for the prover's user; RP_ERR_MEMORY. */
rp_status g16_verify_release(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                             size_t n_public, rp_error *err);
/* Turns the result of a verifier into a status and a reason for the prover's user. */
rp_status g16_verify_released(rp_status status, const rp_error *why, rp_error *err);

#endif
