/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * verification_key.json and proof.json, read and written as json_values.h says. g16_proof_check and g16_vkey_check
 * check that points are on the curve and in the subgroup. Reading a text takes no memory but the result: at most 16
 * times the text (96 bytes for a point of ten characters).
 */
#ifndef REPRISE_GROTH16_JSON_H
#define REPRISE_GROTH16_JSON_H

#include "formats/json_values.h"
#include "zkey.h"

#include <reprise/graphs.h>

/* Largest accepted text of a key. */
#define G16_JSON_VKEY_BYTES(n_public) (((uint64_t)64 << 10) + (uint64_t)1024 * (n_public))

/* Verifies one commitment of a key of gnark. Its challenge hashes the values with the indices committed[first ... first
 * + n), where 1 is the first public signal and n_public + 1 the challenge of the first commitment. */
typedef struct g16_commitment_key {
  g16_g2 g, g_sigma_neg;
  uint64_t first, n;
} g16_commitment_key;

/* A verification key, points in memory form. */
typedef struct g16_vkey {
  const g16_family *family;
  uint32_t n_public, n_commitments; /* circom's keys have no commitments */
  g16_g1 alpha_1;
  g16_g2 beta_2, gamma_2, delta_2;
  uint8_t *ic; /* n_public + 1 points of G1, then one per commitment; 64-byte aligned */
  g16_commitment_key *commitment;
  uint64_t *committed;
} g16_vkey;

static inline uint64_t g16_vkey_ic_bytes(const g16_vkey *vkey) {
  return ((uint64_t)vkey->n_public + 1 + vkey->n_commitments) * g16_g1_bytes(vkey->family);
}

rp_status g16_vkey_read(const char *name, const char *json, size_t bytes, g16_vkey *vkey, rp_error *err);
rp_status g16_vkey_from_zkey(const g16_zkey *zkey, g16_vkey *vkey, rp_error *err);
void g16_vkey_free(g16_vkey *vkey);
/* After RP_ERR_MEMORY, `to` holds nothing. */
rp_status g16_vkey_copy(const char *name, const g16_vkey *from, g16_vkey *to, rp_error *err);
/* RP_ERR_INPUT unless every point is on its curve and in its subgroup, and only points of IC are at infinity. */
rp_status g16_vkey_check(const char *name, const g16_vkey *vkey, rp_error *err);

/* Whether gamma and delta are the same point, as in a key to whose second phase nobody has contributed. The right side
 * of the equation is then e(alpha, beta) e(X + C, delta), and A = alpha, B = beta, C = -X is a proof of any
 * statement. */
bool g16_vkey_is_forgeable(const g16_vkey *vkey);

/* A proof that does not name its curve (rapidsnark's do not) is of BN254 if its coordinates are below that curve's q,
 * and of BLS12-381 otherwise. */
rp_status g16_proof_read(const char *name, const char *json, size_t bytes, rp_groth16_proof *proof, rp_error *err);
/* RP_ERR_INPUT unless coordinates are below q, so that the memory form of a point is unique. The proof's curve must be
 * known. */
rp_status g16_proof_check_reduced(const rp_groth16_proof *proof, rp_error *err);
/* RP_ERR_INPUT unless the points are on their curves and in their subgroups; the last two check only pi_a and pi_c, and
 * only pi_b. */
rp_status g16_proof_check(const char *name, const rp_groth16_proof *proof, rp_error *err);
rp_status g16_proof_check_g1(const char *name, const rp_groth16_proof *proof, rp_error *err);
rp_status g16_proof_check_g2(const char *name, const rp_groth16_proof *proof, rp_error *err);

rp_status g16_proof_write(const rp_groth16_proof *proof, support_text *text, rp_error *err);
/* `alpha_beta`: e(alpha, beta) as 12 coefficients of Fq in memory form, in the order of vk_alphabeta_12; NULL omits
 * that member, which no verifier needs. */
rp_status g16_vkey_write(const g16_vkey *vkey, const void *alpha_beta, support_text *text, rp_error *err);

#endif
