/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: Groth16 with the files of gnark (v0.11 and later), on BN254 and BLS12-381. Calling rules: reprise.h.
 *
 * The equation, keys and provers are those of graphs.h. This header adds gnark's files and its extension, commitments
 * to private wires (BSB22), of which a circuit may have none. A file names neither its curve nor its kind; both are
 * recognised by its structure. Points are raw (WriteRawTo) or compressed (WriteTo).
 */
#ifndef REPRISE_GNARK_H
#define REPRISE_GNARK_H

#include <reprise/graphs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Circuits with more commitments are refused. */
enum { RP_GNARK_MAX_COMMITMENTS = 16 };

/* A proof with what gnark adds: one point of G1 per commitment, and one proof of knowledge for all of them (infinity if
 * there are no commitments). Points are affine in memory form, as in rp_groth16_proof; unused bytes are zero. */
typedef struct rp_gnark_proof {
  rp_groth16_proof groth16; /* A, B and C */
  uint32_t n_commitments;
  uint8_t commitment[RP_GNARK_MAX_COMMITMENTS][96];
  uint8_t knowledge[96];
} rp_gnark_proof;

typedef enum rp_gnark_form { RP_GNARK_RAW, RP_GNARK_COMPRESSED } rp_gnark_form;

/* ---- Files as memory --------------------------------------------------------------------------------------------- */

/* The data may come from an untrusted source. Each function takes time linear in its length, and no memory but the
 * result. RP_ERR_FORMAT: the data is damaged or of another kind; the reason names the element and its byte offset. */

/* A verifying key (vk.WriteTo, vk.WriteRawTo). Every point is checked to be on its curve and in its subgroup; a wrong
 * point of K gives RP_ERR_INPUT. */
RP_API RP_CHECKED rp_status rp_gnark_vkey_from_bytes(rp_context *context, const void *data, size_t bytes,
                                                     rp_groth16_vkey **vkey, rp_error *err);
/* A proof (proof.WriteTo, proof.WriteRawTo). Coordinates are checked to be reduced; rp_gnark_verify checks that points
 * are on their curve and in their subgroup. */
RP_API RP_CHECKED rp_status rp_gnark_proof_from_bytes(const void *data, size_t bytes, rp_gnark_proof *proof,
                                                      rp_error *err);
/* Writes at most `capacity` bytes and always sets *bytes to the full length; RP_ERR_BUFFER_TOO_SMALL if it did not fit
 * (out may be NULL with capacity 0 to ask). */
RP_API RP_CHECKED rp_status rp_gnark_proof_to_bytes(const rp_gnark_proof *proof, rp_gnark_form form, void *out,
                                                    size_t capacity, size_t *bytes, rp_error *err);
/* The public part of a witness file (witness.WriteTo of the public part or of the whole witness): little-endian values
 * of 32 bytes, without the constant 1, not checked to be below the group order. Writes at most `capacity` values, and
 * always sets *n to their number, even if that is more. */
RP_API RP_CHECKED rp_status rp_gnark_public_from_bytes(const void *data, size_t bytes, uint8_t *public_signals,
                                                       size_t capacity, size_t *n, rp_error *err);

/* The file of a public witness with these values, as witness.WriteTo writes it; output as for
 * rp_gnark_proof_to_bytes. */
RP_API RP_CHECKED rp_status rp_gnark_public_to_bytes(const uint8_t *public_signals, size_t n_public, void *out,
                                                     size_t capacity, size_t *bytes, rp_error *err);

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* Verifies as rp_groth16_verify does (which itself refuses a key with commitments), and also checks that there are as
 * many commitments as the key has, that each is on its curve and in its subgroup, that the proof of knowledge holds,
 * and that the equation holds with the challenges derived from the commitments (RFC 9380, 5.3.1, with SHA-256). Without
 * commitments the proof of knowledge must be infinity. Statuses as for rp_groth16_verify. Time and memory are bounded
 * by the key: n commitments take at most n + 1 additional pairings. */
RP_API RP_CHECKED rp_status rp_gnark_verify(const rp_groth16_vkey *vkey, const rp_gnark_proof *proof,
                                            const uint8_t *public_signals, size_t n_public, rp_error *err);
/* The number of commitments in proofs of this key. */
RP_API uint32_t rp_gnark_vkey_n_commitments(const rp_groth16_vkey *vkey);

/* ---- Proving ----------------------------------------------------------------------------------------------------- */

/* rp_groth16_key_open takes a proving key of gnark raw (pk.WriteRawTo), compressed (pk.WriteTo) or dumped
 * (pk.WriteDump), with the verifying key in its options, and rp_groth16_prover_create records it. What the key does not
 * say of a commitment is in the constraint system: constraint.Groth16Commitments of r1cs.GetCommitments().
 * rp_groth16_save writes all of this to one file, which rp_groth16_key_open maps and uses in place.
 *
 * A proving key is read, not mapped, in any of its forms: the key that is opened has copies of all points, and the
 * file may be replaced, changed or removed afterwards. With points_in_file provers read the points later: the file may
 * then be removed, or replaced by renaming another over it, but not changed. One that is truncated while it is read
 * gives RP_ERR_FORMAT. The points of a dump are copied as they are, at the speed of memory; they cannot be used where
 * they are, because their arrays begin at odd offsets, and leave out points at infinity. */
typedef struct rp_gnark_commitment {
  const uint32_t *wires; /* PrivateCommitted, in ascending order; copied by the call */
  size_t n_wires;
  uint32_t challenge; /* CommitmentIndex: the wire of the challenge */
} rp_gnark_commitment;

/* The result of gnark's solver, the R1CSSolution of the curve's constraint package, as it lies in Go's memory: elements
 * of 32 bytes in Montgomery form, little-endian, with any alignment. With cgo: unsafe.Pointer(&solution.W[0]). The
 * memory belongs to the caller, who keeps it unchanged until the call returns. `wires` is W, [1 | public | secret |
 * internal]; `a` and `b` have one element per constraint, at most as many as the domain; C is not needed, since it is
 * their product. Where the device can (rp_run_lend_input), all but the last elements of W are read where they lie, and
 * `a` and `b` too if they have as many elements as the domain, with zeros behind the constraints; unless the prover was
 * made with no_verify. If they are changed meanwhile, the call fails, or the proof verifies. They are neither written
 * nor wiped.
 *
 * What follows is optional. `commitments` are the points D that gnark's solver computes for the circuit's commitments,
 * one after another in the order of the key, and `knowledge` is the point of their common proof of knowledge
 * (proof.Commitments and proof.CommitmentPok). Points are as gnark encodes them, all raw (RawBytes, Marshal) or all
 * compressed (Bytes). What is given is not computed again: the products with the points of the commitments' bases are
 * left out of the run. NULL: computed. The points are read before the device starts, are checked to be on the curve and
 * in the subgroup, and must give the challenges that W has. A proof with points that are not those of the wires does
 * not verify, and is not released. */
typedef struct rp_gnark_solution {
  uint32_t struct_size;
  const void *wires;
  size_t n_wires;
  const void *a, *b;
  size_t n_constraints;
  const void *commitments;
  size_t commitments_bytes;
  const void *knowledge; /* only together with commitments */
  size_t knowledge_bytes;
  const char *path; /* if `wires` is NULL: W, A and B are those of this file, as for rp_gnark_prove_file */
} rp_gnark_solution;

/* Makes one proof, with its commitments and the proof of knowledge. Calling rules, counters, wiping, verification
 * before release and statuses as for rp_groth16_prove. RP_ERR_MISMATCH: the key is not of gnark, or the solution is of
 * another circuit, or it has commitments that are not those from which its challenges were made. RP_ERR_INPUT: an
 * element is not below the group order, W does not begin with one, or a point is not valid. RP_ERR_ARGUMENT:
 * commitments are given and the prover does not verify (no_verify). */
RP_API RP_CHECKED rp_status rp_gnark_prove(rp_groth16_prover *prover, const rp_gnark_solution *solution,
                                           rp_gnark_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                                           rp_error *err);
/* The same from a file: R1CSSolution.WriteTo, or the four vectors as they lie in memory, each preceded by its length as
 * a 64-bit little-endian integer. The file is read directly into the run's staging. */
RP_API RP_CHECKED rp_status rp_gnark_prove_file(rp_groth16_prover *prover, const char *path, rp_gnark_proof *proof,
                                                uint8_t *public_signals, rp_run_counters *counters, rp_error *err);
/* Proves many solutions, as rp_groth16_prove_batch proves many witnesses: max_in_flight at a time, each job with its
 * own status. */
typedef struct rp_gnark_job {
  uint32_t struct_size;
  const rp_gnark_solution *solution;
  const char *path; /* if solution is NULL: a file, as for rp_gnark_prove_file, read when the job begins */
  rp_gnark_proof *proof;
  uint8_t *public_signals; /* may be NULL */
  rp_status status;        /* set */
  rp_error error;          /* set on failure */
  const void *file;        /* if solution and path are NULL: the bytes of such a file, of any alignment */
  size_t file_bytes;
} rp_gnark_job;
RP_API RP_CHECKED rp_status rp_gnark_prove_batch(rp_groth16_prover *prover, rp_gnark_job *jobs, size_t n_jobs,
                                                 rp_error *err);
/* The result of a task whose key is one of gnark, and whose request has a solution or its file (rp_groth16_submit), as
 * rp_groth16_result gives others. RP_ERR_MISMATCH: the key is not one of gnark. */
RP_API RP_CHECKED rp_status rp_gnark_result(rp_groth16_task *task, rp_gnark_proof *proof, uint8_t *public_signals,
                                            rp_run_counters *counters, rp_error *err);
/* UNSAFE, for tests: as rp_groth16_prove_unsafe_blinding. */
RP_API RP_CHECKED rp_status rp_gnark_prove_unsafe_blinding(rp_groth16_prover *prover, const rp_gnark_solution *solution,
                                                           const uint8_t r_le[32], const uint8_t s_le[32],
                                                           rp_gnark_proof *proof, uint8_t *public_signals,
                                                           rp_run_counters *counters, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
