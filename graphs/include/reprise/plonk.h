/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: PLONK (ePrint 2019/953) as snarkjs writes and reads it, over BN254: proving and verification keys,
 * the prover, proofs, the verifier. Calling rules: reprise.h.
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

typedef struct rp_plonk_key rp_plonk_key;       /* proving key: a .zkey with protocol 2, or prerecorded */
typedef struct rp_plonk_vkey rp_plonk_vkey;     /* verification key, with prepared pairings */
typedef struct rp_plonk_prover rp_plonk_prover; /* a key recorded on a device */

/* ---- Proving keys ------------------------------------------------------------------------------------------------ */

typedef struct rp_plonk_key_options {
  uint32_t struct_size;
  uint32_t check_points; /* 1: check that every power of tau is on the curve; 0: only coordinates < q */
  /* Not NULL: 32 bytes, the SHA-256 of the whole file. If it differs, RP_ERR_MISMATCH before any content is used. */
  const uint8_t *sha256;
  /* Prerecorded files: 1 skips the checksums and the check that elements are below their primes, but not the checks
   * that proofs hide their witness. */
  uint32_t skip_checksum;
} rp_plonk_key_options;

/* Opens a .zkey, or a file of rp_plonk_save, which are distinguished by their first bytes. A damaged file is refused
 * with RP_ERR_FORMAT and never causes a crash. With n the size of the domain, a proof that verifies hides its witness
 * unless tau^n is 1; a key for which it is 1 is refused, too, in either file.
 *
 * Of a .zkey, additions, maps, coefficients and powers of tau are read. The values of the key's polynomials, most of
 * the file, are not, since the device computes its own. Memory is in proportion to the file, whatever its header
 * claims. RP_ERR_UNSUPPORTED: its additions refer to each other in a chain of more than 4000; those of snarkjs are
 * trees.
 *
 * A file of rp_plonk_save is mapped and used in place, and stays in use until the key and its provers are gone. Replace
 * it by renaming another file over it, as rp_plonk_save does; truncating it in place kills the process (the command
 * reports it). Its checksums detect damage, not intent: its author decides which proofs can be made with it, but
 * not that a proof which verifies reveals its witness. Pin its digest (sha256), compare it with a zkey
 * (rp_plonk_key_matches), or record the key yourself. */
RP_API RP_CHECKED rp_status rp_plonk_key_open(rp_context *context, const char *path,
                                              const rp_plonk_key_options *options, rp_plonk_key **key, rp_error *err);
/* The same from memory. The bytes of a .zkey are not read again after the call. Those of a prerecorded file, which must
 * be aligned to 8 bytes, are used in place, and the caller keeps them unchanged until the key and its provers are
 * gone. */
RP_API RP_CHECKED rp_status rp_plonk_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                                     const rp_plonk_key_options *options, rp_plonk_key **key,
                                                     rp_error *err);
RP_API void rp_plonk_key_close(rp_plonk_key *key); /* its provers keep what they need */

typedef struct rp_plonk_key_info {
  uint32_t struct_size;
  rp_curve g1;     /* of the commitments */
  uint64_t n_vars; /* values of a witness, the constant 1 among them */
  uint64_t n_public;
  uint64_t domain; /* power of two, at least 8 */
  uint64_t n_constraints, n_additions;
  uint64_t file_bytes;
  uint32_t points_checked; /* 1: every power of tau was checked, or the prerecorded file claims so */
  uint32_t prerecorded;    /* 1: made by rp_plonk_save */
} rp_plonk_key_info;
RP_API void rp_plonk_key_get_info(const rp_plonk_key *key, rp_plonk_key_info *info);
/* Checks that every power of tau is on the curve, which is its own subgroup; on the host, by as many threads as there
 * are processors. On success points_checked becomes 1. RP_ERR_FORMAT names the first wrong point. Several threads may
 * call it at once. */
RP_API RP_CHECKED rp_status rp_plonk_key_check_points(rp_plonk_key *key, rp_error *err);
/* RP_OK if the key holds exactly what this .zkey gives, which is opened as by rp_plonk_key_open and takes as much time
 * and memory. RP_ERR_MISMATCH says what differs: the key is out of date or was altered. What a proof does not need is
 * not compared. */
RP_API RP_CHECKED rp_status rp_plonk_key_matches(const rp_plonk_key *key, const char *zkey_path, rp_error *err);

/* ---- Proving ----------------------------------------------------------------------------------------------------- */

typedef struct rp_plonk_prover_options {
  uint32_t struct_size;
  uint32_t max_in_flight; /* runs at once; 0: 1 */
  uint32_t flags;         /* RP_RECORD_* */
  /* 1: precomputed tables as far as the budget allows; 0: none (one-shot proving). On GPUs only. */
  uint32_t tables;
  /* 0: what the device has left. If the values of the key's polynomials on the domain of the quotient do not fit, 36
   * times n elements of 32 bytes, each run computes them again. */
  uint64_t memory_budget_bytes;
  /* Called after each finished run, before its slot is released, by the thread that waited for the run, for
   * rp_run_trace and the like. It must not ask for a proof. May be NULL. */
  void (*inspect)(void *user, const rp_run *run);
  void *inspect_user;
  /* Threads that copy and check witnesses, as for Groth16 (graphs.h). NULL: on a GPU, up to 7 threads of the prover,
   * which sleep between proofs; on the CPU, the calling thread alone. */
  const rp_executor *executor;
} rp_plonk_prover_options;

/* The memory that a prover of this key would take; nothing is allocated on the device. RP_ERR_BUDGET: *info and the
 * reason have the figures of the smallest plan. total_bytes of any plan is a budget that is accepted, and so is every
 * larger one. */
RP_API RP_CHECKED rp_status rp_plonk_plan(rp_device *device, const rp_plonk_key *key,
                                          const rp_plonk_prover_options *options, rp_plan_info *info, rp_error *err);
/* Builds the graph of all five rounds and records it: one submission and one wait for each proof, the challenges
 * computed by the device. */
RP_API RP_CHECKED rp_status rp_plonk_prover_create(rp_device *device, const rp_plonk_key *key,
                                                   const rp_plonk_prover_options *options, rp_plonk_prover **prover,
                                                   rp_error *err);
/* Cancels unfinished submitted proofs, and returns when their callbacks have returned; the caller must still end their
 * tasks. Must not be called from a callback, nor while another call on the prover is running; calls on its tasks may
 * be. */
RP_API void rp_plonk_prover_destroy(rp_plonk_prover *prover);
/* For plans, exports and profiles; both belong to the prover. Outputs of runs that a caller makes of the recording have
 * not been verified, and can reveal the witness if the key was altered. */
RP_API const rp_graph *rp_plonk_prover_graph(const rp_plonk_prover *prover);
RP_API rp_recording *rp_plonk_prover_recording(rp_plonk_prover *prover);

/* Makes one proof from the bytes of a .wtns file. Blinding values come from the operating system's random number
 * generator. The witness is not kept, and all memory that held it or the blinding is wiped (rp_run_end). May be called
 * from several threads; at most max_in_flight calls proceed at once, the others wait. public_signals: NULL, or room for
 * n_public canonical 32-byte little-endian values. counters may be NULL.
 *
 * Here and in every function below, a proof is written to `proof` only after rp_plonk_verify has accepted it with the
 * key's verification part. RP_ERR_VERIFY: it was not accepted, because the witness does not satisfy the circuit, or
 * because the key was altered or is damaged. RP_ERR_MISMATCH: the witness is of another circuit or curve. A value that
 * is not below r, or a first value that is not 1: RP_ERR_INPUT, and RP_ERR_FORMAT in a .wtns file. RP_ERR_UNAVAILABLE:
 * the operating system gave no randomness. After a failure `proof` is all zero, and so are the public signals if they
 * had been written. */
RP_API RP_CHECKED rp_status rp_plonk_prove(rp_plonk_prover *prover, const void *wtns, size_t wtns_bytes,
                                           rp_plonk_proof *proof, uint8_t *public_signals, rp_run_counters *counters,
                                           rp_error *err);
/* The same from a .wtns file, which is read directly into the run's staging: no other host memory holds the witness. */
RP_API RP_CHECKED rp_status rp_plonk_prove_file(rp_plonk_prover *prover, const char *wtns_path, rp_plonk_proof *proof,
                                                uint8_t *public_signals, rp_run_counters *counters, rp_error *err);
/* The same from n_vars canonical 32-byte little-endian values, the first of which is one. */
RP_API RP_CHECKED rp_status rp_plonk_prove_values(rp_plonk_prover *prover, const void *values, size_t n_values,
                                                  rp_plonk_proof *proof, uint8_t *public_signals,
                                                  rp_run_counters *counters, rp_error *err);
enum { RP_PLONK_BLINDING = 11 };
/* UNSAFE, for tests: the caller gives b_1 ... b_11 of the paper (canonical, below r). They reveal parts of the witness
 * to anyone who knows them, and two proofs with the same values reveal parts of it to everyone. */
RP_API RP_CHECKED rp_status rp_plonk_prove_unsafe_blinding(rp_plonk_prover *prover, const void *values, size_t n_values,
                                                           const uint8_t blinding_le[RP_PLONK_BLINDING][32],
                                                           rp_plonk_proof *proof, uint8_t *public_signals,
                                                           rp_run_counters *counters, rp_error *err);

/* Proves many witnesses, max_in_flight at a time; the next witness is uploaded while the current proof is computed.
 * Each job gets its own status. The call tries all of them and returns the status of the first, by index, that failed.
 * If none can be tried (no prover, no memory), every job gets the status that the call returns. Jobs are
 * jobs[0].struct_size bytes apart; if it is not set, or the struct_size of another job differs, the call gives
 * RP_ERR_ARGUMENT and changes none. */
typedef struct rp_plonk_job {
  uint32_t struct_size;
  const void *wtns; /* the bytes of a .wtns file */
  size_t wtns_bytes;
  const char *wtns_path;   /* if wtns is NULL: a .wtns file, read when the job begins */
  rp_plonk_proof *proof;   /* written as by rp_plonk_prove */
  uint8_t *public_signals; /* may be NULL */
  rp_status status;        /* set */
  rp_error error;          /* set on failure */
} rp_plonk_job;
RP_API RP_CHECKED rp_status rp_plonk_prove_batch(rp_plonk_prover *prover, rp_plonk_job *jobs, size_t n_jobs,
                                                 rp_error *err);

/* ---- Proving without waiting ------------------------------------------------------------------------------------- */

/* A submitted proof. Everything that graphs.h says of rp_groth16_submit and the functions after it holds for these:
 * whose memory the witness is in, which calls a callback may make, statuses, cancelling, and when a task may be ended.
 * The proof is made as by rp_plonk_prove, including verification, by threads of the prover: as many as proofs can be in
 * flight, at most 64, started when they are first needed and kept until the prover is destroyed. */
typedef struct rp_plonk_task rp_plonk_task;

typedef struct rp_plonk_request {
  uint32_t struct_size;
  /* The witness, given in one of three ways. The caller keeps the bytes unchanged until the task is finished; the path
   * is copied. */
  const char *wtns_path; /* a .wtns file, read when the task begins */
  const void *wtns;      /* the bytes of a .wtns file */
  size_t wtns_bytes;
  const void *values; /* as in rp_plonk_prove_values */
  size_t n_values;
  /* Called once when the task is finished, with whatever result, by a thread of the prover. May be NULL. */
  void (*done)(void *user, rp_plonk_task *task);
  void *user;
} rp_plonk_request;

/* Submits a proof. At most max_in_flight tasks may be unfinished; if there are that many, the call waits up to
 * timeout_ns for one to finish (0: not at all; UINT64_MAX: without limit), then gives RP_ERR_BUSY. */
RP_API RP_CHECKED rp_status rp_plonk_submit(rp_plonk_prover *prover, const rp_plonk_request *request,
                                            uint64_t timeout_ns, rp_plonk_task **task, rp_error *err);
/* RP_OK: finished with a proof. RP_ERR_TIMEOUT: not finished. Anything else: how it failed. */
RP_API RP_CHECKED rp_status rp_plonk_poll(rp_plonk_task *task);
/* The same after waiting for at most timeout_ns. */
RP_API RP_CHECKED rp_status rp_plonk_wait(rp_plonk_task *task, uint64_t timeout_ns);
/* Asks the task to stop: it finishes soon, with RP_ERR_CANCELLED, or with its result if the device had finished. */
RP_API void rp_plonk_cancel(rp_plonk_task *task);
/* Returns the status that rp_plonk_poll gives. With RP_OK the proof and the public signals (room for n_public values of
 * 32 bytes) are written; otherwise the proof is all zero. Each pointer except the task may be NULL. */
RP_API RP_CHECKED rp_status rp_plonk_result(rp_plonk_task *task, rp_plonk_proof *proof, uint8_t *public_signals,
                                            rp_run_counters *counters, rp_error *err);
/* Destroys the task, after cancelling it if it is unfinished. NULL does nothing. */
RP_API void rp_plonk_end(rp_plonk_task *task);

/* Writes the key as provers use it to a file that is opened by mapping it, with a version and checksums: constants in
 * the device-neutral memory form, but no tables. The additions have been written out as sparse products. The file
 * appears complete or not at all. points_checked of the key is written, too. */
RP_API RP_CHECKED rp_status rp_plonk_save(const rp_plonk_prover *prover, const char *path, rp_error *err);

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

/* A verification key in JSON. RP_ERR_FORMAT: the text is damaged, or its "w" is not snarkjs's root of unity for the
 * domain. RP_ERR_INPUT: a point is off its curve or outside its subgroup, X_2 or a permutation polynomial is at
 * infinity, two of 1, k1 and k2 are in one coset of the domain, or there are more public signals than rows. */
RP_API RP_CHECKED rp_status rp_plonk_vkey_from_json(rp_context *context, const char *json, size_t bytes,
                                                    rp_plonk_vkey **vkey, rp_error *err);
/* The same from a proving key, a .zkey with protocol 2. Only the header of the file, which may be gigabytes large, is
 * read and checked. RP_ERR_FORMAT for all these faults. */
RP_API RP_CHECKED rp_status rp_plonk_vkey_from_zkey(rp_context *context, const char *path, rp_plonk_vkey **vkey,
                                                    rp_error *err);
/* The verification part of a key, of either kind of file. */
RP_API RP_CHECKED rp_status rp_plonk_vkey_from_key(const rp_plonk_key *key, rp_plonk_vkey **vkey, rp_error *err);
RP_API void rp_plonk_vkey_destroy(rp_plonk_vkey *vkey);
RP_API uint64_t rp_plonk_vkey_n_public(const rp_plonk_vkey *vkey); /* number of public signals */

/* RP_OK only for a proof that verifies. public_signals: n_public canonical 32-byte little-endian values; NULL if there
 * are none. RP_ERR_INPUT: a public signal or an evaluation is not below r, or a point is off its curve or outside its
 * subgroup; RP_ERR_MISMATCH: another number of signals, or a proof whose g1 is another curve; RP_ERR_VERIFY: the
 * equation does not hold. Any number of threads may verify with one key. */
RP_API RP_CHECKED rp_status rp_plonk_verify(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof,
                                            const uint8_t *public_signals, size_t n_public, rp_error *err);

/* ---- JSON as snarkjs writes it ----------------------------------------------------------------------------------- */

/* Text functions write at most `capacity` bytes, the final NUL included, and always set *bytes to the length without
 * it; RP_ERR_BUFFER_TOO_SMALL if it did not fit (text may be NULL with capacity 0 to ask).
 * `bytes` may be NULL. */
RP_API RP_CHECKED rp_status rp_plonk_proof_to_json(const rp_plonk_proof *proof, char *text, size_t capacity,
                                                   size_t *bytes, rp_error *err);
/* The public signals, canonical 32-byte little-endian values. */
RP_API RP_CHECKED rp_status rp_plonk_public_to_json(const uint8_t *public_signals, size_t n_public, char *text,
                                                    size_t capacity, size_t *bytes, rp_error *err);
/* A verification key. */
RP_API RP_CHECKED rp_status rp_plonk_vkey_to_json(const rp_plonk_vkey *vkey, char *text, size_t capacity, size_t *bytes,
                                                  rp_error *err);
/* The text may come from an untrusted source. A proof that names no curve is taken to be over BN254. Whether its points
 * are on the curve is not checked here, but by rp_plonk_verify. */
RP_API RP_CHECKED rp_status rp_plonk_proof_from_json(const char *json, size_t bytes, rp_plonk_proof *proof,
                                                     rp_error *err);
/* Writes at most `capacity` values of 32 bytes, and always sets *n to their number, even if that is more. */
RP_API RP_CHECKED rp_status rp_plonk_public_from_json(const char *json, size_t bytes, uint8_t *public_signals,
                                                      size_t capacity, size_t *n, rp_error *err);

/* The arguments of the contract that snarkjs exports for a key, byte for byte as "snarkjs zkey export soliditycalldata"
 * prints them, without the line break at the end; a text function as above. The equation is not checked, but the rest
 * is: RP_ERR_MISMATCH for another curve; RP_ERR_INPUT for a public signal or an evaluation that is not below r, and for
 * a point that is off its curve or at infinity. public_signals: n_public canonical 32-byte little-endian values; NULL
 * if there are none. */
RP_API RP_CHECKED rp_status rp_plonk_calldata(const rp_plonk_proof *proof, const uint8_t *public_signals,
                                              size_t n_public, char *text, size_t capacity, size_t *bytes,
                                              rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
