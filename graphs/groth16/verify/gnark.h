/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * gnark's commitments to private wires (BSB22): D_i = <basis_i, committed wires>. The challenge of commitment i, which
 * is also a wire of the circuit, is a hash of D_i and of the public values that are committed with it. One proof of
 * knowledge serves for all, sum f^i sigma_i D_i, where f is a hash of the challenges.
 */
#ifndef REPRISE_GROTH16_VERIFY_GNARK_H
#define REPRISE_GROTH16_VERIFY_GNARK_H

#include "verify.h"

#include <reprise/gnark.h>

/* The challenges of the proof's commitments, canonical: n_commitments times 32 bytes. signals: n_public values. */
rp_status g16_gnark_challenges(const g16_vkey *key, const rp_gnark_proof *proof, const uint8_t *public_signals,
                               uint8_t *challenges, rp_error *err);
/* The factor f that combines the proofs of knowledge. */
void g16_gnark_fold_factor(const g16_family *family, const uint8_t *challenges, uint32_t n, uint8_t factor_le[32]);

/* g16_verify_release for proofs of gnark. */
rp_status g16_gnark_release(const rp_groth16_vkey *vkey, const rp_gnark_proof *proof, const uint8_t *public_signals,
                            size_t n_public, rp_error *err);

#endif
