/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a recorded key must satisfy before it is used with a witness. A checksum detects damage, not intent: the
 * writer of a recorded file computes its checksums, too.
 */
#ifndef REPRISE_GROTH16_PRERECORDED_CHECK_H
#define REPRISE_GROTH16_PRERECORDED_CHECK_H

#include "key.h"

/* Checks the entries that make a proof hide its witness (key.h), whenever a recorded key is opened:
 *
 *   - A at r and B2 at s are delta of the verification part: the same bytes in G2, the same discrete logarithm in G1
 *     (one pairing), finite and in the subgroup. Then pi_a and pi_b are uniform and independent, whatever the witness;
 *     and pi_c follows from them by the equation with which a proof is verified before it is released.
 *   - No other vector has a point at r or s, and C has none at a public wire.
 *   - The supports have the bits of exactly these entries, and none after the last scalar.
 *   - Wire 0, which carries alpha and beta, is in the subgroup, and B1 and B2 have the same discrete logarithm there
 *     (one pairing). Alpha itself cannot be separated from the point of A to which it was added.
 *   - Every coordinate of these entries and of the verification part is below q.
 *
 * `name` names the file in reasons. RP_ERR_FORMAT; RP_ERR_INPUT for a bad point of the verification part. */
rp_status g16_key_check_blinding(const char *name, const rp_groth16_key *key, rp_error *err);

/* RP_ERR_FORMAT if a coordinate is not below q, or a coefficient of the matrices is not below r. One pass over the
 * key. */
rp_status g16_key_check_reduced(const char *name, const rp_groth16_key *key, rp_error *err);

#endif
