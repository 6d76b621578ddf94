/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a recorded key must hold before it may meet a witness. A checksum tells damage, not intent: whoever writes a
 * recorded file computes its checksums too.
 */
#ifndef REPRISE_GROTH16_PRERECORDED_CHECK_H
#define REPRISE_GROTH16_PRERECORDED_CHECK_H

#include "key.h"

/* The places that make a proof hide its witness (key.h), checked whenever a recorded key is opened:
 *
 *   - A at r and B2 at s hold delta of the verification part: the same bytes in G2, the same discrete logarithm in G1
 *   (one
 *     pairing), finite and in the subgroup. Then pi_a and pi_b are uniform and independent, whatever the witness; and
 *     pi_c follows from them by the equation that a proof is verified with before it is released.
 *   - no other vector has a point at r or s, nor C one at a public wire;
 *   - the supports have the bits of exactly these places, and none behind the last scalar;
 *   - wire 0, which carries alpha and beta: in the subgroup, and B1 and B2 with the same discrete logarithm (one
 *   pairing).
 *     Alpha itself cannot be told there from the point of A that it was added to;
 *   - no coordinate of these places or of the verification part is q or more.
 *
 * `name` is what reasons call the file. RP_ERR_FORMAT, or RP_ERR_INPUT for a bad point of the verification part. */
rp_status g16_key_check_blinding(const char *name, const rp_groth16_key *key, rp_error *err);

/* RP_ERR_FORMAT if a coordinate is not below q, or a coefficient of the matrices not below r. One pass over the key. */
rp_status g16_key_check_reduced(const char *name, const rp_groth16_key *key, rp_error *err);

#endif
