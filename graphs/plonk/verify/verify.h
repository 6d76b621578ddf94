/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A PLONK verification key that is ready for use.
 */
#ifndef REPRISE_PLONK_VERIFY_H
#define REPRISE_PLONK_VERIFY_H

#include "transcript.h"

/* Checks the key unless `checked`, copies it, and prepares the pairings. `name` names the key in reasons. */
rp_status plonk_vkey_new(const char *name, const plonk_vkey *key, bool checked, rp_plonk_vkey **vkey, rp_error *err);
const plonk_vkey *plonk_vkey_of(const rp_plonk_vkey *vkey);

/* What the verifier computes from a proof in the scalar field, all in memory form. */
typedef struct plonk_values {
  plonk_challenges c;
  plonk_fr omega, xi_n, zh; /* root of unity of the domain; xi^n; xi^n - 1 */
  plonk_fr l1, pi;          /* L_1(xi); polynomial of the public signals at xi */
  plonk_fr eval_a, eval_b, eval_c, eval_s1, eval_s2, eval_zw;
} plonk_values;

/* Computes the values; false if xi is in the domain, where L_1 cannot be computed this way (with a probability of n /
 * r). Proof and signals must have been checked to be reduced. Takes no memory. */
bool plonk_values_of(const plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                     plonk_values *values);

/* The linearisation: the canonical scalars of the key's points, of the proof's points in the order of
 * plonk_proof_point, and of the generator. Their sum is the commitment that opens to 0 at tau if the proof is valid. */
enum { PLONK_TERMS = PLONK_KEY_POINTS + PLONK_PROOF_POINTS + 1 };
void plonk_linearise(const plonk_vkey *vkey, const plonk_values *values, uint8_t scalar[PLONK_TERMS][32]);

/* ---- Parts of the verifiers of both PLONK and FFLONK ------------------------------------------------------------- */

/* X_2 and the generator of G2, prepared for pairings. */
typedef struct plonk_pairings {
  rp_curve g1;
  rp_pairing_prepared *x_2, *g_2;
} plonk_pairings;
/* After a failure too, the pairings must be freed. `name` names the key in reasons. */
rp_status plonk_pairings_prepare(const char *name, const g16_family *family, const g16_g2 *x_2,
                                 plonk_pairings *pairings, rp_error *err);
void plonk_pairings_free(plonk_pairings *pairings);
/* RP_OK if e(at_x2, X_2) = e(at_g2, G_2), else RP_ERR_VERIFY, or RP_ERR_MEMORY. Changes *at_x2. */
rp_status plonk_pairings_check(const plonk_pairings *pairings, const plonk_g1 *at_g2, plonk_g1 *at_x2, rp_error *err);

/* The polynomial of the public signals at xi: minus the sum of x_i L_i(xi), where L_i(xi) = omega^(i-1) zh / (n (xi -
 * omega^(i-1))), and zh / n is given. xi must not be in the domain; signals are canonical. */
void plonk_public_at(const rp_field_host *fr, uint32_t n_public, const plonk_fr *omega, const plonk_fr *xi,
                     const plonk_fr *zh_over_n, const uint8_t *public_signals, plonk_fr *pi);

#endif
