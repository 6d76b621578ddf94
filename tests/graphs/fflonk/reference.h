/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An FFLONK prover in the plainest form (ePrint 2021/1167, section 7; fflonk_prove.js of snarkjs), for domains of eight
 * rows: with snarkjs's key, witness and blinding values, the proof is exactly snarkjs's. The inverse is computed from
 * the roots themselves, so that it also tests the verifier's closed form.
 */
#ifndef REPRISE_TESTS_FFLONK_REFERENCE_H
#define REPRISE_TESTS_FFLONK_REFERENCE_H

#include "common.h"

/* b_1 ... b_9, canonical. Anything wrong with the files fails the test. */
void reference_prove(const char *zkey, const char *wtns, const uint8_t blinding[RP_FFLONK_BLINDING][32],
                     rp_fflonk_proof *proof);

#endif
