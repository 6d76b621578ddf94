/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: Groth16 with the files of gnark (v0.11 and later), on BN254 and BLS12-381. Calling rules: reprise.h.
 *
 * The equation is the one of graphs.h, and so are keys and provers; what is here are gnark's files and its extension,
 * commitments to private wires (BSB22), of which a circuit has none in the simplest case. Files name neither their
 * curve nor what they are; both are told from their structure. Points are raw (WriteRawTo) or compressed (WriteTo).
 */
#ifndef REPRISE_GNARK_H
#define REPRISE_GNARK_H

#include <reprise/graphs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* More commitments in one circuit are refused. */
enum { RP_GNARK_MAX_COMMITMENTS = 16 };

/* A proof, and what gnark adds: a point of G1 per commitment, and one proof of knowledge for all of them (infinity if
 * there are none). Affine in memory form, as in rp_groth16_proof; unused bytes are zero. */
typedef struct rp_gnark_proof {
  rp_groth16_proof groth16;
  uint32_t n_commitments;
  uint8_t commitment[RP_GNARK_MAX_COMMITMENTS][96];
  uint8_t knowledge[96];
} rp_gnark_proof;

typedef enum rp_gnark_form { RP_GNARK_RAW, RP_GNARK_COMPRESSED } rp_gnark_form;

/* ---- Files as memory --------------------------------------------------------------------------------------------- */

/* Each reads what a stranger may have written, in time linear in its length, and takes no memory but what it returns.
 * RP_ERR_FORMAT: it is damaged, or none; the reason names the element and its byte. */

/* A verifying key (vk.WriteTo, vk.WriteRawTo). Every point is checked on its curve and in its subgroup (of K:
 * RP_ERR_INPUT). */
RP_API RP_CHECKED rp_status rp_gnark_vkey_from_bytes(rp_context *context, const void *data, size_t bytes,
                                                     rp_groth16_vkey **vkey, rp_error *err);
/* A proof (proof.WriteTo, proof.WriteRawTo). Points have reduced coordinates; whether they are on their curve and in
 * their subgroup rp_gnark_verify looks at. */
RP_API RP_CHECKED rp_status rp_gnark_proof_from_bytes(const void *data, size_t bytes, rp_gnark_proof *proof,
                                                      rp_error *err);
/* Writes at most `capacity` bytes and always sets *bytes to the length; RP_ERR_BUFFER_TOO_SMALL if it did not fit (out
 * may be NULL with capacity 0 to ask). */
RP_API RP_CHECKED rp_status rp_gnark_proof_to_bytes(const rp_gnark_proof *proof, rp_gnark_form form, void *out,
                                                    size_t capacity, size_t *bytes, rp_error *err);
/* The public part of a witness (witness.WriteTo, of the public part or the whole): canonical little-endian values of 32
 * bytes, without the constant 1. They may be anything below 2^256. Writes at most `capacity` values, always sets *n. */
RP_API RP_CHECKED rp_status rp_gnark_public_from_bytes(const void *data, size_t bytes, uint8_t *public_signals,
                                                       size_t capacity, size_t *n, rp_error *err);

/* The public witness of such values, as witness.WriteTo has it; bytes as for rp_gnark_proof_to_bytes. */
RP_API RP_CHECKED rp_status rp_gnark_public_to_bytes(const uint8_t *public_signals, size_t n_public, void *out,
                                                     size_t capacity, size_t *bytes, rp_error *err);

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* rp_groth16_verify, and of the commitments: that there are as many as the key has, that each is on its curve and in
 * its subgroup, that the proof of knowledge holds, and the equation with the challenges that follow from them
 * (expand_message_xmd of RFC 9380 with SHA-256). Without commitments the proof of knowledge must be infinity. Statuses
 * as for rp_groth16_verify, which refuses a key with commitments. Time and memory are bounded by the key: at most one
 * pairing more per commitment and one. */
RP_API RP_CHECKED rp_status rp_gnark_verify(const rp_groth16_vkey *vkey, const rp_gnark_proof *proof,
                                            const uint8_t *public_signals, size_t n_public, rp_error *err);
/* The commitments that proofs of this key have. */
RP_API uint32_t rp_gnark_vkey_n_commitments(const rp_groth16_vkey *vkey);

/* ---- Proving ----------------------------------------------------------------------------------------------------- */

/* rp_groth16_key_open takes a proving key of gnark raw (pk.WriteRawTo), compressed (pk.WriteTo) or dumped
 * (pk.WriteDump), with the verifying key in its options, and rp_groth16_prover_create records it. What the key does not
 * say of a commitment is in the constraint system: constraint.Groth16Commitments of r1cs.GetCommitments(). */
typedef struct rp_gnark_commitment {
  const uint32_t *wires; /* PrivateCommitted: growing, copied by the call */
  size_t n_wires;
  uint32_t challenge; /* CommitmentIndex, the wire of its challenge */
} rp_gnark_commitment;

/* What gnark's solver leaves, constraint.R1CSSolution on the curve at hand, as it lies in Go's memory: elements of 32
 * bytes in Montgomery form, little-endian, at any address. With cgo: unsafe.Pointer(&solution.W[0]). The memory is the
 * caller's, unchanged until the call returns. W is [1 | public | secret | internal]; A and B have an element for each
 * constraint, at most the domain's size; C is not needed, for it is their product. */
typedef struct rp_gnark_solution {
  uint32_t struct_size;
  const void *wires;
  size_t n_wires;
  const void *a, *b;
  size_t n_constraints;
} rp_gnark_solution;

/* One proof; calling rules, counters, wiping, verification before release and statuses as for rp_groth16_prove.
 * Commitments and the proof of knowledge are computed with the rest. RP_ERR_MISMATCH: a key that is not gnark's, or a
 * solution of another circuit; RP_ERR_INPUT: an element is not below the group order, or W does not begin with one. */
RP_API RP_CHECKED rp_status rp_gnark_prove(rp_groth16_prover *prover, const rp_gnark_solution *solution,
                                           rp_gnark_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                                           rp_error *err);
/* The same from a file: R1CSSolution.WriteTo, or the four vectors as they lie in memory, each behind its length as
 * 64-bit little-endian integer. It is read straight into the run's staging. */
RP_API RP_CHECKED rp_status rp_gnark_prove_file(rp_groth16_prover *prover, const char *path, rp_gnark_proof *proof,
                                                uint8_t *public_signals, rp_run_counters *counters, rp_error *err);
/* UNSAFE, for tests: as rp_groth16_prove_unsafe_blinding. */
RP_API RP_CHECKED rp_status rp_gnark_prove_unsafe_blinding(rp_groth16_prover *prover, const rp_gnark_solution *solution,
                                                           const uint8_t r_le[32], const uint8_t s_le[32],
                                                           rp_gnark_proof *proof, uint8_t *public_signals,
                                                           rp_run_counters *counters, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
