/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: FFLONK (ePrint 2021/1167) as snarkjs writes and reads it, over BN254: proving and verification
 * keys, the prover, proofs, the verifier. Calling rules: reprise.h.
 *
 * Challenges are the Keccak-256 digest of what the prover has sent, reduced modulo r, as the Solidity verifiers of
 * snarkjs compute them: points are hashed as two big-endian coordinates, scalars as big-endian integers.
 */
#ifndef REPRISE_FFLONK_H
#define REPRISE_FFLONK_H

#include <reprise/plonk.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Commitments are points of G1, affine in memory form. Evaluations are canonical integers, little-endian. */
typedef struct rp_fflonk_proof {
  rp_curve g1;            /* RP_CURVE_BN254_G1 */
  uint8_t c1[64], c2[64]; /* rounds 1 and 2: the wires; the permutation */
  uint8_t w1[64], w2[64]; /* rounds 4 and 5: the openings */
  /* Round 3, at xi: selectors, permutations, wires, permutation product. */
  uint8_t ql[32], qr[32], qm[32], qo[32], qc[32], s1[32], s2[32], s3[32], a[32], b[32], c[32], z[32];
  uint8_t zw[32], t1w[32], t2w[32]; /* at xi omega: permutation product, its two quotients */
  /* The inverse of the product of everything that a Solidity verifier divides by. The other elements determine it. */
  uint8_t inv[32];
} rp_fflonk_proof;

typedef struct rp_fflonk_key rp_fflonk_key;       /* proving key: a .zkey with protocol 10, or prerecorded */
typedef struct rp_fflonk_vkey rp_fflonk_vkey;     /* verification key, with prepared pairings */
typedef struct rp_fflonk_prover rp_fflonk_prover; /* a key recorded on a device */

/* ---- Proving keys ------------------------------------------------------------------------------------------------ */

typedef rp_plonk_key_options rp_fflonk_key_options;
typedef rp_plonk_key_info rp_fflonk_key_info;

/* Opens a .zkey, or a file of rp_fflonk_save, of which the same holds as of one of rp_plonk_save. Of a .zkey,
 * additions, maps, coefficients and the first 9n powers of tau are read, n being the size of the domain. The values of
 * the key's polynomials and its C0 are not read, since the device computes its own. A proof that verifies hides its
 * witness unless tau^3 or tau^4 is in the domain; such a key is refused with RP_ERR_FORMAT, in either file. So is a
 * damaged file, which never causes a crash. Memory is in proportion to the file, whatever its header claims.
 * RP_ERR_UNSUPPORTED: its additions refer to each other in a chain of more than 4000, or it has more than 2^32 - 7
 * variables. */
RP_API RP_CHECKED rp_status rp_fflonk_key_open(rp_context *context, const char *path,
                                               const rp_fflonk_key_options *options, rp_fflonk_key **key,
                                               rp_error *err);
/* The same from memory, as rp_plonk_key_open_memory. */
RP_API RP_CHECKED rp_status rp_fflonk_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                                      const rp_fflonk_key_options *options, rp_fflonk_key **key,
                                                      rp_error *err);
RP_API void rp_fflonk_key_close(rp_fflonk_key *key); /* its provers keep what they need */
RP_API void rp_fflonk_key_get_info(const rp_fflonk_key *key, rp_fflonk_key_info *info);
/* Checks that the powers of tau that were read are on the curve, as rp_plonk_key_check_points does. */
RP_API RP_CHECKED rp_status rp_fflonk_key_check_points(rp_fflonk_key *key, rp_error *err);
/* As rp_plonk_key_matches. */
RP_API RP_CHECKED rp_status rp_fflonk_key_matches(const rp_fflonk_key *key, const char *zkey_path, rp_error *err);

/* ---- Proving ----------------------------------------------------------------------------------------------------- */

/* If the values of the key's polynomials on the domains of the quotients do not fit into memory_budget_bytes, 19 times
 * n elements of 32 bytes, each run computes them again. */
typedef rp_plonk_prover_options rp_fflonk_prover_options;

/* As rp_plonk_plan. */
RP_API RP_CHECKED rp_status rp_fflonk_plan(rp_device *device, const rp_fflonk_key *key,
                                           const rp_fflonk_prover_options *options, rp_plan_info *info, rp_error *err);
/* Builds the graph of all five rounds and records it: one submission and one wait for each proof, the challenges
 * computed by the device. */
RP_API RP_CHECKED rp_status rp_fflonk_prover_create(rp_device *device, const rp_fflonk_key *key,
                                                    const rp_fflonk_prover_options *options, rp_fflonk_prover **prover,
                                                    rp_error *err);
/* As rp_plonk_prover_destroy. */
RP_API void rp_fflonk_prover_destroy(rp_fflonk_prover *prover);
/* For plans, exports and profiles; both belong to the prover. Outputs of runs that a caller makes of the recording have
 * not been verified, and can reveal the witness if the key was altered. */
RP_API const rp_graph *rp_fflonk_prover_graph(const rp_fflonk_prover *prover);
RP_API rp_recording *rp_fflonk_prover_recording(rp_fflonk_prover *prover);

/* Makes one proof from the bytes of a .wtns file, from such a file, or from n_vars canonical 32-byte little-endian
 * values. Everything that plonk.h says of rp_plonk_prove and the functions after it holds for these: the source of the
 * blinding values, what is wiped, threads, statuses, and that a proof is written to `proof` only after rp_fflonk_verify
 * has accepted it with the key's verification part. */
RP_API RP_CHECKED rp_status rp_fflonk_prove(rp_fflonk_prover *prover, const void *wtns, size_t wtns_bytes,
                                            rp_fflonk_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                                            rp_error *err);
RP_API RP_CHECKED rp_status rp_fflonk_prove_file(rp_fflonk_prover *prover, const char *wtns_path,
                                                 rp_fflonk_proof *proof, uint8_t *public_signals,
                                                 rp_run_counters *counters, rp_error *err);
RP_API RP_CHECKED rp_status rp_fflonk_prove_values(rp_fflonk_prover *prover, const void *values, size_t n_values,
                                                   rp_fflonk_proof *proof, uint8_t *public_signals,
                                                   rp_run_counters *counters, rp_error *err);
enum { RP_FFLONK_BLINDING = 9 };
/* UNSAFE, for tests: the caller gives b_1 ... b_9 of snarkjs (canonical, below r). They reveal parts of the witness to
 * anyone who knows them, and two proofs with the same values reveal parts of it to everyone. The last two rows of the
 * wires, which b_1 ... b_6 blind, get the values times 2^256, as in snarkjs. */
RP_API RP_CHECKED rp_status rp_fflonk_prove_unsafe_blinding(rp_fflonk_prover *prover, const void *values,
                                                            size_t n_values,
                                                            const uint8_t blinding_le[RP_FFLONK_BLINDING][32],
                                                            rp_fflonk_proof *proof, uint8_t *public_signals,
                                                            rp_run_counters *counters, rp_error *err);

/* Proves many witnesses, as rp_plonk_prove_batch does. */
typedef struct rp_fflonk_job {
  uint32_t struct_size;
  const void *wtns; /* the bytes of a .wtns file */
  size_t wtns_bytes;
  const char *wtns_path;   /* if wtns is NULL: a .wtns file, read when the job begins */
  rp_fflonk_proof *proof;  /* written as by rp_fflonk_prove */
  uint8_t *public_signals; /* may be NULL */
  rp_status status;        /* set */
  rp_error error;          /* set on failure */
} rp_fflonk_job;
RP_API RP_CHECKED rp_status rp_fflonk_prove_batch(rp_fflonk_prover *prover, rp_fflonk_job *jobs, size_t n_jobs,
                                                  rp_error *err);

/* ---- Proving without waiting ------------------------------------------------------------------------------------- */

/* Submitted proofs, as those of PLONK. */
typedef struct rp_fflonk_task rp_fflonk_task;

typedef struct rp_fflonk_request {
  uint32_t struct_size;
  /* The witness, given in one of three ways. The caller keeps the bytes unchanged until the task is finished; the path
   * is copied. */
  const char *wtns_path; /* a .wtns file, read when the task begins */
  const void *wtns;      /* the bytes of a .wtns file */
  size_t wtns_bytes;
  const void *values; /* as in rp_fflonk_prove_values */
  size_t n_values;
  /* Called once when the task is finished, with whatever result, by a thread of the prover. May be NULL. */
  void (*done)(void *user, rp_fflonk_task *task);
  void *user;
} rp_fflonk_request;

/* As rp_plonk_submit, rp_plonk_poll and so on. */
RP_API RP_CHECKED rp_status rp_fflonk_submit(rp_fflonk_prover *prover, const rp_fflonk_request *request,
                                             uint64_t timeout_ns, rp_fflonk_task **task, rp_error *err);
RP_API RP_CHECKED rp_status rp_fflonk_poll(rp_fflonk_task *task);
/* The same after waiting for at most timeout_ns. */
RP_API RP_CHECKED rp_status rp_fflonk_wait(rp_fflonk_task *task, uint64_t timeout_ns);
/* As rp_plonk_cancel. */
RP_API void rp_fflonk_cancel(rp_fflonk_task *task);
/* As rp_plonk_result. */
RP_API RP_CHECKED rp_status rp_fflonk_result(rp_fflonk_task *task, rp_fflonk_proof *proof, uint8_t *public_signals,
                                             rp_run_counters *counters, rp_error *err);
RP_API void rp_fflonk_end(rp_fflonk_task *task);

/* As rp_plonk_save. */
RP_API RP_CHECKED rp_status rp_fflonk_save(const rp_fflonk_prover *prover, const char *path, rp_error *err);

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* These functions accept data from untrusted sources: time and memory are bounded by the size of the input, and no
 * content costs more than a small multiple of what other content of the same size costs. Memory comes from malloc, and
 * a thread with 128 KiB of stack may call all of them.
 *   proof, key from JSON   time linear in the text; at most 32 KiB for a key, else no memory
 *   rp_fflonk_verify       at most two pairings, 6 multiplications in G1 and a few in the scalar field for each public
 *                          signal, less where the proof is refused before; at most 16 KiB
 * Texts of proofs and keys of more than 64 KiB are refused before they are parsed. */

/* A verification key in JSON. RP_ERR_FORMAT: the text is damaged, or w, w4 or w8 is not the root of unity that snarkjs
 * takes. RP_ERR_INPUT: a point is off its curve or outside its subgroup, X_2 or C0 is at infinity, two of 1, k1 and k2
 * are in one coset of the domain, w3 is not of order three, wr^3 is not w, or there are more public signals than
 * rows. */
RP_API RP_CHECKED rp_status rp_fflonk_vkey_from_json(rp_context *context, const char *json, size_t bytes,
                                                     rp_fflonk_vkey **vkey, rp_error *err);
/* The same from a proving key, a .zkey with protocol 10. Only the header of the file, which may be gigabytes large, is
 * read and checked. RP_ERR_FORMAT for all these faults. */
RP_API RP_CHECKED rp_status rp_fflonk_vkey_from_zkey(rp_context *context, const char *path, rp_fflonk_vkey **vkey,
                                                     rp_error *err);
/* The verification part of a key, of either kind of file. */
RP_API RP_CHECKED rp_status rp_fflonk_vkey_from_key(const rp_fflonk_key *key, rp_fflonk_vkey **vkey, rp_error *err);
RP_API void rp_fflonk_vkey_destroy(rp_fflonk_vkey *vkey);
RP_API uint64_t rp_fflonk_vkey_n_public(const rp_fflonk_vkey *vkey); /* number of public signals */

/* RP_OK only for a proof that verifies. public_signals: n_public canonical 32-byte little-endian values; NULL if there
 * are none. RP_ERR_INPUT: a public signal or an evaluation is not below r, or a point is off its curve;
 * RP_ERR_MISMATCH: another number of signals, or a proof whose g1 is another curve; RP_ERR_VERIFY: the equation does
 * not hold, or `inv` is not the inverse that a Solidity verifier needs. snarkjs's own verifier ignores `inv`: there, a
 * proof still verifies after anyone has changed it. Any number of threads may verify with one key. */
RP_API RP_CHECKED rp_status rp_fflonk_verify(const rp_fflonk_vkey *vkey, const rp_fflonk_proof *proof,
                                             const uint8_t *public_signals, size_t n_public, rp_error *err);

/* ---- JSON as snarkjs writes it ----------------------------------------------------------------------------------- */

/* Text functions write at most `capacity` bytes, the final NUL included, and always set *bytes to the length without
 * it; RP_ERR_BUFFER_TOO_SMALL if it did not fit (text may be NULL with capacity 0 to ask).
 * `bytes` may be NULL. Public signals have the same form for all protocols: rp_groth16_public_from_json and
 * rp_groth16_public_to_json. */
RP_API RP_CHECKED rp_status rp_fflonk_proof_to_json(const rp_fflonk_proof *proof, char *text, size_t capacity,
                                                    size_t *bytes, rp_error *err);
/* A verification key. */
RP_API RP_CHECKED rp_status rp_fflonk_vkey_to_json(const rp_fflonk_vkey *vkey, char *text, size_t capacity,
                                                   size_t *bytes, rp_error *err);
/* The text may come from an untrusted source. A proof that names no curve is taken to be over BN254. Whether its points
 * are on the curve is not checked here, but by rp_fflonk_verify. */
RP_API RP_CHECKED rp_status rp_fflonk_proof_from_json(const char *json, size_t bytes, rp_fflonk_proof *proof,
                                                      rp_error *err);

/* The arguments of the contract that snarkjs exports for a key, byte for byte as "snarkjs zkey export soliditycalldata"
 * prints them, without the line break at the end; a text function as above. The equation is not checked, but the rest
 * is: RP_ERR_MISMATCH for another curve; RP_ERR_INPUT for a public signal or an evaluation that is not below r, and for
 * a point that is off its curve or at infinity. public_signals: n_public canonical 32-byte little-endian values; NULL
 * if there are none. */
RP_API RP_CHECKED rp_status rp_fflonk_calldata(const rp_fflonk_proof *proof, const uint8_t *public_signals,
                                               size_t n_public, char *text, size_t capacity, size_t *bytes,
                                               rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
