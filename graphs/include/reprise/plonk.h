/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: PLONK (ePrint 2019/953) as snarkjs writes and reads it, over BN254: proofs, verification keys, the
 * verifier. Calling rules: reprise.h.
 *
 * Challenges are the Keccak-256 digest of what the prover has sent, reduced modulo r, as the Solidity verifiers of
 * snarkjs compute them: points are hashed as two big-endian coordinates, scalars as big-endian integers.
 */
#ifndef REPRISE_PLONK_H
#define REPRISE_PLONK_H

#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Commitments are points of G1, affine in memory form. Evaluations are canonical integers, little-endian. */
typedef struct rp_plonk_proof {
  rp_curve g1;                    /* RP_CURVE_BN254_G1 */
  uint8_t a[64], b[64], c[64];    /* round 1: the wires */
  uint8_t z[64];                  /* round 2: the permutation */
  uint8_t t1[64], t2[64], t3[64]; /* round 3: the quotient in three parts */
  uint8_t eval_a[32], eval_b[32], eval_c[32], eval_s1[32], eval_s2[32], eval_zw[32]; /* round 4: at xi, Z at xi omega */
  uint8_t wxi[64], wxiw[64]; /* round 5: the openings at xi and at xi omega */
} rp_plonk_proof;

typedef struct rp_plonk_vkey rp_plonk_vkey; /* verification key, with prepared pairings */

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* These functions accept data from untrusted sources: time and memory are bounded by the size of the input, and no
 * content costs more than a small multiple of what other content of the same size costs. Memory comes from malloc, and
 * a thread with 128 KiB of stack may call all of them.
 *   proof, key, public signals from JSON   time linear in the text; at most 32 KiB for a key, else no memory
 *   rp_plonk_verify                        at most two pairings, 20 multiplications in G1 and a few in the scalar field
 *                                          for each public signal, less where the proof is refused before; at most
 *                                          16 KiB
 * Texts of proofs and keys of more than 64 KiB, and of signals of more than 64 MiB, are refused before they are
 * parsed. */

/* A verification key in JSON. Besides damaged texts, these are refused: points off their curve or outside their
 * subgroup, X_2 or a permutation polynomial at infinity, k1 and k2 in one coset, and a "w" that is not snarkjs's root
 * of unity for the domain. */
RP_API RP_CHECKED rp_status rp_plonk_vkey_from_json(rp_context *context, const char *json, size_t bytes,
                                                    rp_plonk_vkey **vkey, rp_error *err);
/* The same from a proving key, a .zkey with protocol 2. Only the header of the file, which may be gigabytes large, is
 * read and checked. */
RP_API RP_CHECKED rp_status rp_plonk_vkey_from_zkey(rp_context *context, const char *path, rp_plonk_vkey **vkey,
                                                    rp_error *err);
RP_API void rp_plonk_vkey_destroy(rp_plonk_vkey *vkey); /* NULL allowed */
RP_API uint64_t rp_plonk_vkey_n_public(const rp_plonk_vkey *vkey);

/* RP_OK only for a proof that verifies. public_signals: n_public canonical 32-byte little-endian values; NULL if there
 * are none. RP_ERR_INPUT: a public signal or an evaluation is not below r, or a point is off its curve or outside its
 * subgroup; RP_ERR_MISMATCH: another number of signals, or a proof whose g1 is another curve; RP_ERR_VERIFY: the
 * equation does not hold. Any number of threads may verify with one key. */
RP_API RP_CHECKED rp_status rp_plonk_verify(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof,
                                            const uint8_t *public_signals, size_t n_public, rp_error *err);

/* ---- JSON as snarkjs writes it ----------------------------------------------------------------------------------- */

/* Text functions write at most `capacity` bytes and a NUL, and always set *bytes to the length without it;
 * RP_ERR_BUFFER_TOO_SMALL if it did not fit (text may be NULL with capacity 0 to ask). */
RP_API RP_CHECKED rp_status rp_plonk_proof_to_json(const rp_plonk_proof *proof, char *text, size_t capacity,
                                                   size_t *bytes, rp_error *err);
RP_API RP_CHECKED rp_status rp_plonk_public_to_json(const uint8_t *public_signals, size_t n_public, char *text,
                                                    size_t capacity, size_t *bytes, rp_error *err);
RP_API RP_CHECKED rp_status rp_plonk_vkey_to_json(const rp_plonk_vkey *vkey, char *text, size_t capacity, size_t *bytes,
                                                  rp_error *err);
/* The text may come from an untrusted source. A proof that names no curve is taken to be of BN254. rp_plonk_verify
 * checks that its points are on the curve. */
RP_API RP_CHECKED rp_status rp_plonk_proof_from_json(const char *json, size_t bytes, rp_plonk_proof *proof,
                                                     rp_error *err);
/* Writes at most `capacity` values of 32 bytes, and always sets *n to their number. */
RP_API RP_CHECKED rp_status rp_plonk_public_from_json(const char *json, size_t bytes, uint8_t *public_signals,
                                                      size_t capacity, size_t *n, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
