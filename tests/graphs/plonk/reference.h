/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A PLONK prover in the plainest form (ePrint 2019/953, section 8.3; plonk_prove.js of snarkjs), on the host, slow and
 * without care for secrets: the oracle of every other prover of this library. Blinding values are arguments, and all
 * that it computes on the way is kept for inspection. From the key it takes coefficients only, never the values on 4n
 * points beside them, and the quotient is divided point by point on a coset of 8n points; snarkjs does neither.
 */
#ifndef REPRISE_TESTS_PLONK_REFERENCE_H
#define REPRISE_TESTS_PLONK_REFERENCE_H

#include "plonk/formats/zkey.h"
#include "plonk/verify/transcript.h"

enum { REFERENCE_BLINDING = 11 };

/* Coefficients, from the constant one on. */
typedef struct reference_poly {
  plonk_fr *at;
  uint64_t n;
} reference_poly;

typedef struct reference {
  uint32_t n;                /* the domain */
  plonk_fr omega;            /* its root */
  plonk_fr *variable;        /* the witness and the additions, n_vars */
  plonk_fr *wire[3];         /* A, B, C on the domain */
  plonk_fr *permutation;     /* Z on the domain */
  uint8_t *public_signals;   /* canonical */
  reference_poly a, b, c, z; /* blinded: n + 2, n + 2, n + 2, n + 3 coefficients */
  reference_poly t;          /* 3n + 6 */
  reference_poly t1, t2, t3; /* blinded: n + 1, n + 1, n + 6 */
  reference_poly r;          /* the linearisation, n + 6 */
  reference_poly wxi, wxiw;  /* the openings, n + 5 and n + 2 */
  reference_poly q[PLONK_SELECTORS], sigma[PLONK_PERMUTATIONS];
  plonk_challenges challenges; /* u is the verifier's, and not set */
  rp_plonk_proof proof;
} reference;

/* `blinding`: b_1 ... b_11, canonical. Fails the cmocka test that runs where something does not add up. Free with
 * reference_free. One thread at a time. */
void reference_prove(const plonk_zkey *zkey, const support_file *wtns, uint8_t blinding[REFERENCE_BLINDING][32],
                     reference *out);
void reference_free(reference *r);

#endif
