/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The challenges of a PLONK proof as in snarkjs (Keccak256Transcript.js, plonk_verify.js): each round hashes its own
 * list of elements, beginning with challenges of the previous round, and the digest, as a big-endian integer, is
 * reduced modulo r. Prover and verifier call the same functions, one per round.
 */
#ifndef REPRISE_PLONK_TRANSCRIPT_H
#define REPRISE_PLONK_TRANSCRIPT_H

#include "keccak256.h"
#include "plonk/formats/vkey.h"

/* ---- Keccak-256 over field elements and points ------------------------------------------------------------------- */

typedef struct plonk_transcript {
  plonk_keccak hash;
} plonk_transcript;

void plonk_transcript_begin(plonk_transcript *transcript);
/* Appends a point: two coordinates of 32 bytes, big-endian; infinity is 64 zeros. `point` is in memory form, of any
 * alignment. */
void plonk_transcript_point(plonk_transcript *transcript, const void *point);
/* Appends 32 bytes, big-endian: of a canonical little-endian integer, and of an element in memory form. */
void plonk_transcript_integer(plonk_transcript *transcript, const uint8_t le[32]);
void plonk_transcript_scalar(plonk_transcript *transcript, const plonk_fr *scalar);
/* Gives the digest modulo r, and restarts the transcript. */
void plonk_transcript_challenge(plonk_transcript *transcript, plonk_fr *challenge);

/* ---- The rounds -------------------------------------------------------------------------------------------------- */

typedef struct plonk_challenges {
  plonk_fr beta, gamma, alpha, xi, v, u;
} plonk_challenges;

/* beta and gamma, from the key, the public signals (canonical) and the commitments to the wires. */
void plonk_challenges_2(plonk_challenges *c, const plonk_vkey *vkey, const rp_plonk_proof *proof,
                        const uint8_t *public_signals);
void plonk_challenges_3(plonk_challenges *c, const rp_plonk_proof *proof); /* alpha, from Z */
void plonk_challenges_4(plonk_challenges *c, const rp_plonk_proof *proof); /* xi, from the quotient */
void plonk_challenges_5(plonk_challenges *c, const rp_plonk_proof *proof); /* v, from the evaluations */
void plonk_challenges_6(plonk_challenges *c, const rp_plonk_proof *proof); /* u, from the openings */

#endif
