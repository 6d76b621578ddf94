/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An FFLONK verification key that is ready for use.
 */
#ifndef REPRISE_FFLONK_VERIFY_H
#define REPRISE_FFLONK_VERIFY_H

#include <stdbool.h>
#include "transcript.h"

/* Checks the key unless `checked`, copies it, and prepares the pairings. `name` names the key in reasons. */
rp_status fflonk_vkey_new(const char *name, const fflonk_vkey *key, bool checked, rp_fflonk_vkey **vkey, rp_error *err);
const fflonk_vkey *fflonk_vkey_of(const rp_fflonk_vkey *vkey);

/* What the verifier computes from a proof in the scalar field, all in memory form. */
typedef struct fflonk_values {
  fflonk_challenges c;
  plonk_fr omega, xi_omega, zh;     /* root of unity of the domain; xi omega; xi^n - 1 */
  plonk_fr l1, pi;                  /* L_1(xi); polynomial of the public signals at xi */
  plonk_fr y3, y4, y8;              /* powers of y */
  plonk_fr s0, s1, s2, s3;          /* y^8 - xi, y^4 - xi, y^3 - xi, y^3 - xi omega */
  plonk_fr e[FFLONK_PROOF_SCALARS]; /* the proof's evaluations, in its order */
} fflonk_values;

/* Indices into fflonk_values.e. */
enum {
  FFLONK_QL,
  FFLONK_QR,
  FFLONK_QM,
  FFLONK_QO,
  FFLONK_QC,
  FFLONK_S1,
  FFLONK_S2,
  FFLONK_S3,
  FFLONK_A,
  FFLONK_B,
  FFLONK_C,
  FFLONK_Z,
  FFLONK_ZW,
  FFLONK_T1W,
  FFLONK_T2W,
  FFLONK_INV
};

/* Why there are no values: a Solidity verifier would divide by zero (with a probability of about n / r), or `inv` is
 * not the inverse that it takes. */
typedef enum fflonk_verdict { FFLONK_GOES_ON, FFLONK_DIVIDES_BY_ZERO, FFLONK_OTHER_INVERSE } fflonk_verdict;
/* Computes the values. Proof and signals must have been checked to be reduced. Takes no memory. */
fflonk_verdict fflonk_values_of(const fflonk_vkey *vkey, const rp_fflonk_proof *proof, const uint8_t *public_signals,
                                fflonk_values *values);

/* Sets proof->inv, which the other elements and the signals determine; 0 if a Solidity verifier would divide by 0. */
void fflonk_put_inverse(const fflonk_vkey *vkey, const uint8_t *public_signals, rp_fflonk_proof *proof);

/* The canonical scalars of C0, of the proof's points in the order of fflonk_proof_point, and of the generator. Their
 * sum opens to 0 at tau with W2 as its quotient if the proof is valid. */
enum { FFLONK_TERMS = 1 + FFLONK_PROOF_POINTS + 1 };
void fflonk_combine(const fflonk_vkey *vkey, const fflonk_values *values, uint8_t scalar[FFLONK_TERMS][32]);

#endif
