/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A verification key ready for use.
 */
#ifndef REPRISE_GROTH16_VERIFY_H
#define REPRISE_GROTH16_VERIFY_H

#include "json.h"

/* Checks the points unless they have been, copies them and prepares the pairings. `name` is what reasons call the key.
 */
rp_status g16_vkey_new(const char *name, const g16_vkey *points, int checked, rp_groth16_vkey **vkey, rp_error *err);
const g16_vkey *g16_vkey_points(const rp_groth16_vkey *vkey);
const rp_pairing_value *g16_vkey_alpha_beta(const rp_groth16_vkey *vkey);
/* e(alpha, beta), for free(); NULL when out of memory. Its memory is 12 coefficients of Fq in snarkjs's order. */
rp_pairing_value *g16_alpha_beta(const g16_vkey *points);

/* The check of a proof that this library has just computed: no question of subgroups, one of values. */
rp_status g16_verify_own(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof, const uint8_t *public_signals,
                         rp_error *err);

#endif
