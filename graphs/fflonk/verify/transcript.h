/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The challenges of an FFLONK proof as in snarkjs (fflonk_verify.js): each round hashes its own list of elements,
 * beginning with a challenge of the previous round. Prover and verifier call the same functions, one per round.
 */
#ifndef REPRISE_FFLONK_TRANSCRIPT_H
#define REPRISE_FFLONK_TRANSCRIPT_H

#include "fflonk/formats/vkey.h"
#include "plonk/verify/transcript.h"

typedef struct fflonk_challenges {
  plonk_fr beta, gamma, seed, alpha, y;
  plonk_fr xi; /* seed^24: it has an eighth, a fourth and a third root that are powers of the seed */
} fflonk_challenges;

/* beta and gamma, from the key, the public signals (canonical) and C1. */
void fflonk_challenges_2(fflonk_challenges *c, const fflonk_vkey *vkey, const rp_fflonk_proof *proof,
                         const uint8_t *public_signals);
void fflonk_challenges_3(fflonk_challenges *c, const rp_fflonk_proof *proof); /* the seed and xi, from C2 */
void fflonk_challenges_4(fflonk_challenges *c, const rp_fflonk_proof *proof); /* alpha, from the evaluations */
void fflonk_challenges_5(fflonk_challenges *c, const rp_fflonk_proof *proof); /* y, from W1 */

#endif
