/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A verification key ready for use.
 */
#ifndef REPRISE_GROTH16_VERIFY_H
#define REPRISE_GROTH16_VERIFY_H

#include "groth16/formats/json.h"

/* Checks the points unless they have been, copies them and prepares the pairings. `name` is what reasons call the key.
 */
rp_status g16_vkey_new(const char *name, const g16_vkey *points, int checked, rp_groth16_vkey **vkey, rp_error *err);
/* The same, but takes the points over, and frees them if it fails: there is never a second copy of a stranger's key. */
rp_status g16_vkey_take(const char *name, g16_vkey *points, int checked, rp_groth16_vkey **vkey, rp_error *err);
const g16_vkey *g16_vkey_points(const rp_groth16_vkey *vkey);
/* The lines of its points of G2. */
const rp_pairing_prepared *g16_vkey_beta(const rp_groth16_vkey *vkey);
const rp_pairing_prepared *g16_vkey_gamma(const rp_groth16_vkey *vkey);
const rp_pairing_prepared *g16_vkey_delta(const rp_groth16_vkey *vkey);
const rp_pairing_value *g16_vkey_alpha_beta(const rp_groth16_vkey *vkey);
/* e(alpha, beta), for free(); NULL when out of memory. Its memory is 12 coefficients of Fq in snarkjs's order. */
rp_pairing_value *g16_alpha_beta(const g16_vkey *points);

/* All of rp_groth16_verify but pi_b's curve and subgroup and the equation: that proof and signals are of the key's
 * curve and number and reduced, and pi_a and pi_c on their curve and in its subgroup. rp_pairing_prepare sees the same
 * of pi_b on its way; what it refuses, g16_verify_refuse_b gives the reason for. */
rp_status g16_verify_check(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                           size_t n_public, rp_error *err);

/* The same for a key that may have commitments. */
rp_status g16_verify_check_parts(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof,
                                 const uint8_t *public_signals, size_t n_public, rp_error *err);
/* pi_b, and the equation with the sum over IC, for a proof that was checked. */
rp_status g16_verify_equation(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const g16_g1 *sum,
                              rp_error *err);

rp_status g16_verify_refuse_b(const rp_groth16_proof *proof, rp_error *err);

/* The check before a proof leaves: rp_groth16_verify, whole, because a key that somebody else made can move a proof out
 * of the subgroup without the pairing equation noticing, and such a proof tells of the witness. RP_ERR_VERIFY with a
 * reason for whoever proves; RP_ERR_MEMORY. */
rp_status g16_verify_release(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                             size_t n_public, rp_error *err);
/* What a verifier said, in the words for whoever proves. */
rp_status g16_verify_released(rp_status status, const rp_error *why, rp_error *err);

#endif
