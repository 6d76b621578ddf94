/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: ready graphs, built on the public API of tiers 1 and 2 alone. Calling rules: reprise.h. Groth16 is
 * declared here; Merkle trees and vector commitments in merkle.h and pedersen.h, which this header includes.
 *
 * Groth16 (ePrint 2016/260) as snarkjs writes and reads it: a .zkey holds the circuit's proving key, a .wtns the
 * witness of one proof. The prover is one graph, recorded once a key and replayed per proof.
 */
#ifndef REPRISE_GRAPHS_H
#define REPRISE_GRAPHS_H

#include <reprise/merkle.h>
#include <reprise/pedersen.h>
#include <reprise/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files as memory --------------------------------------------------------------------------------------------- */

typedef struct rp_groth16_key rp_groth16_key;       /* proving key: a zkey or a prerecorded file */
typedef struct rp_groth16_vkey rp_groth16_vkey;     /* verification key, with prepared pairings */
typedef struct rp_groth16_prover rp_groth16_prover; /* a key recorded on a device */

typedef struct rp_groth16_key_options {
  uint32_t struct_size;
  uint32_t check_points;  /* 1: every point is checked on its curve and in its subgroup; 0: coordinates below q only */
  uint32_t skip_checksum; /* prerecorded files: 1 does without checksums, and without looking at every coordinate. What
                             makes a proof hide its witness is looked for even so */
  const uint8_t
      *sha256; /* not NULL: 32 bytes, which the whole file's SHA-256 must be, or RP_ERR_MISMATCH before anything in
                            it is believed */
  /* Proving keys of gnark (gnark.h), which hold neither: the verifying key, whose points are copied, and for keys with
   * commitments which wires these take. Without the one no proof can be verified before it is released; without the
   * other such a key is refused. */
  const rp_groth16_vkey *vkey;
  const struct rp_gnark_commitment *commitments;
  uint32_t n_commitments;
} rp_groth16_key_options;

/* What a recorded (prerecorded) file of somebody else's can do, and cannot: a proof that has been verified hides its
 * witness whatever the file says, for the places that carry the blinding are checked on opening. It can make proofs of
 * some witnesses fail, and so tell them apart; with no_verify it can do anything. Pin its digest (sha256), compare it
 * with a zkey (rp_groth16_key_matches), or record it yourself. Nobody else may write to it while it is open.
 *
 * Opens a .zkey, a proving key of gnark, or a file that rp_groth16_save wrote (told apart by their first bytes). A
 * checksum tells damage, not intent: of a file of rp_groth16_save the places that carry the blinding of a proof are
 * always checked (delta in both groups, by a pairing; nothing but it at the blinding scalars), and RP_ERR_FORMAT says
 * which of them is wrong. The file stays in use until the key is closed. A .zkey that is changed or cut short meanwhile
 * gives a status, never a crash. A file of rp_groth16_save is mapped: replace it by another that is renamed over it, as
 * rp_groth16_save does, which leaves users of the old one alone; whoever cuts it short in place sends them SIGBUS, in
 * any thread (the command catches it and says so). */
RP_API RP_CHECKED rp_status rp_groth16_key_open(rp_context *context, const char *path,
                                                const rp_groth16_key_options *options, rp_groth16_key **key,
                                                rp_error *err);
/* The same from memory, which the caller keeps alive until the key and its provers are gone. A prerecorded file (8-byte
 * aligned) is used in place, without a copy. A zkey is arranged anew, for neither its matrices nor its points stand as
 * a prover needs them, and its bytes are not read again after the call. */
RP_API RP_CHECKED rp_status rp_groth16_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                                       const rp_groth16_key_options *options, rp_groth16_key **key,
                                                       rp_error *err);
RP_API void rp_groth16_key_close(rp_groth16_key *key); /* its provers keep what they need */

typedef struct rp_groth16_key_info {
  uint32_t struct_size;
  rp_curve g1, g2;
  uint32_t prerecorded; /* 1: made by rp_groth16_save */
  uint64_t n_vars;      /* wires, the constant one counted */
  uint64_t n_public;
  uint64_t domain; /* power of two */
  uint64_t n_coefficients;
  uint64_t infinities[4]; /* points at infinity among A, B1, B2, C */
  uint64_t file_bytes;
  uint32_t
      points_checked; /* 1: every point was checked, or the prerecorded file says so: its word, for what it is worth */
  uint32_t gnark;     /* 1: a proving key of gnark: rp_gnark_prove makes its proofs */
  uint32_t n_commitments; /* of such a key */
} rp_groth16_key_info;
RP_API void rp_groth16_key_get_info(const rp_groth16_key *key, rp_groth16_key_info *info);
/* Checks every point of the key: on its curve, in its subgroup, and at the places that carry the blinding what belongs
 * there. Subgroups are tested by sums with random coefficients, which the device computes; a point outside is
 * overlooked with a probability of at most 2^-128. NULL: each point by itself, on the host, which takes many times as
 * long. Afterwards points_checked is 1, also in what rp_groth16_save writes. RP_ERR_FORMAT names the point that is
 * wrong. */
RP_API RP_CHECKED rp_status rp_groth16_key_check_points(rp_groth16_key *key, rp_device *device, rp_error *err);
/* Whether the key holds exactly what this .zkey makes: the arrays are derived again from the zkey, block by block, and
 * compared. RP_ERR_MISMATCH says what differs: the file is stale, or somebody changed it. What a proof does not need,
 * such as the contributions in a zkey, is not looked at. Takes about as long as opening the zkey. */
RP_API RP_CHECKED rp_status rp_groth16_key_matches(const rp_groth16_key *key, const char *zkey_path, rp_error *err);

/* ---- Proving ----------------------------------------------------------------------------------------------------- */

/* pi_a and pi_c in G1, pi_b in G2, affine in memory form; 96 is the larger curve's size, the rest is zero. */
typedef struct rp_groth16_proof {
  rp_curve g1, g2;
  uint8_t a[96], b[192], c[96];
} rp_groth16_proof;

typedef struct rp_groth16_prover_options {
  uint32_t struct_size;
  uint32_t max_in_flight; /* runs at once; 0: 1 */
  /* 1: proofs are released unverified. From a key that somebody altered they can tell of the witness. */
  uint32_t no_verify;
  uint32_t flags; /* RP_RECORD_* */
  /* 0: what the device has left. If the key's points do not fit they are streamed: one or two chunks of them are on the
   * device at once, and the plan's level is RP_MEMORY_STREAMED. */
  uint64_t memory_budget_bytes;
  uint32_t tables; /* 1: precomputed tables as far as the budget allows; 0: none (one-shot proving) */
  /* Called after each run that finished, by the thread that waited for it (of a submitted proof: one of the prover's),
   * before its slot is given back: for rp_run_trace and the like. It may not ask for a proof or wait for one, which
   * could need that slot. May be NULL. */
  void (*inspect)(void *user, const rp_run *run);
  void *inspect_user;
  /* Threads that copy and check witnesses. Copied, used until the prover is destroyed, and by several calls at once if
   * proofs are asked for from several threads. NULL: on a GPU up to 7 threads of the prover's own, which sleep between
   * proofs; on the CPU the calling thread alone. */
  const rp_executor *executor;
} rp_groth16_prover_options;

/* The bytes that a prover of this key would take, nothing allocated on the device. RP_ERR_BUDGET: *info and the
 * sentence have the figures of the smallest plan, streaming included. total_bytes of any plan is a budget that is
 * accepted, and so is every larger one. */
RP_API RP_CHECKED rp_status rp_groth16_plan(rp_device *device, const rp_groth16_key *key,
                                            const rp_groth16_prover_options *options, rp_plan_info *info,
                                            rp_error *err);
/* Builds the graph and records it. */
RP_API RP_CHECKED rp_status rp_groth16_prover_create(rp_device *device, const rp_groth16_key *key,
                                                     const rp_groth16_prover_options *options,
                                                     rp_groth16_prover **prover, rp_error *err);
/* Submitted proofs that are unfinished are cancelled, and their callbacks have returned when this does; their tasks are
 * to be ended still. Not from a callback of this or any other prover. No other call on the prover may be under way;
 * calls on its tasks may. */
RP_API void rp_groth16_prover_destroy(rp_groth16_prover *prover);
RP_API const rp_graph *rp_groth16_prover_graph(const rp_groth16_prover *prover);
RP_API rp_recording *rp_groth16_prover_recording(rp_groth16_prover *prover);

/* For whoever replays the prover's recording himself, without the checks of rp_groth16_prove: the input "witness",
 * which is n_vars + 2 canonical integers (RP_TYPE_U256): the wires in the order of the .wtns file, the first of which
 * is one, and behind them the blinding values s and r, in this order. They stand there because the graph takes them as
 * scalars of two more points of the key: one bucket matrix then serves witness and blinding, so that a circuit of 5343
 * wires has an input of 5345. Both must be uniform below the group order, new for each run, and known to nobody. The
 * outputs are "pi_a", "pi_b" and "pi_c", one affine point each; where the key's points are streamed there is "h" alone,
 * the scalars of the H points. What such a run gives has not been verified. */
RP_API RP_CHECKED rp_status rp_groth16_prover_witness(const rp_groth16_prover *prover, rp_port_info *info,
                                                      rp_error *err);

/* One proof from the bytes of a .wtns file. Blinding values come from the operating system. The witness is not kept;
 * what held it is wiped. May be called from several threads; at most max_in_flight proceed at once, the others wait.
 * public_signals: NULL, or room for n_public canonical 32-byte little-endian values. counters may be NULL.
 *
 * Before a proof is written to `proof`, rp_groth16_verify has accepted it with the key's verification part, unless the
 * prover was made with no_verify; so it is with every function below. RP_ERR_VERIFY: it did not, because the witness
 * does not satisfy the circuit, or because the key was altered or is damaged; the reason says which. RP_ERR_MISMATCH:
 * witness of another circuit or curve. After a failure `proof` is all zero, and so are the public signals if they had
 * been written. */
RP_API RP_CHECKED rp_status rp_groth16_prove(rp_groth16_prover *prover, const void *wtns, size_t wtns_bytes,
                                             rp_groth16_proof *proof, uint8_t *public_signals,
                                             rp_run_counters *counters, rp_error *err);
/* The same from a .wtns file, which is read straight into the run's staging: no other memory ever holds the witness. */
RP_API RP_CHECKED rp_status rp_groth16_prove_file(rp_groth16_prover *prover, const char *wtns_path,
                                                  rp_groth16_proof *proof, uint8_t *public_signals,
                                                  rp_run_counters *counters, rp_error *err);
/* The same from n_vars canonical 32-byte little-endian values, the first of which is one. */
RP_API RP_CHECKED rp_status rp_groth16_prove_values(rp_groth16_prover *prover, const void *values, size_t n_values,
                                                    rp_groth16_proof *proof, uint8_t *public_signals,
                                                    rp_run_counters *counters, rp_error *err);
/* UNSAFE, for tests: the blinding values r and s are given (canonical, below the group order). Whoever knows them
 * learns about the witness; two proofs with the same ones leak. */
RP_API RP_CHECKED rp_status rp_groth16_prove_unsafe_blinding(rp_groth16_prover *prover, const void *values,
                                                             size_t n_values, const uint8_t r_le[32],
                                                             const uint8_t s_le[32], rp_groth16_proof *proof,
                                                             uint8_t *public_signals, rp_run_counters *counters,
                                                             rp_error *err);

/* Many witnesses, max_in_flight at a time, the upload of the next beside the present one. Each job gets its own status,
 * and the call returns the first failure by index, after all have been tried. Where none can be tried (no prover, no
 * memory) every job has that status. Jobs are jobs[0].struct_size bytes apart; where one does not have that
 * struct_size, or it is not set, the call gives RP_ERR_ARGUMENT and touches none. */
typedef struct rp_groth16_job {
  uint32_t struct_size;
  const void *wtns;
  size_t wtns_bytes;
  rp_groth16_proof *proof;
  uint8_t *public_signals; /* may be NULL */
  rp_status status;        /* set */
  rp_error error;          /* set on failure */
  const char *wtns_path;   /* where wtns is NULL: a .wtns file, read when its turn comes */
} rp_groth16_job;
RP_API RP_CHECKED rp_status rp_groth16_prove_batch(rp_groth16_prover *prover, rp_groth16_job *jobs, size_t n_jobs,
                                                   rp_error *err);

/* ---- Proving without waiting ------------------------------------------------------------------------------------- */

/* A proof that was submitted. It goes through what rp_groth16_prove does, the verification included, on threads of the
 * prover: as many as proofs can be in flight (64 at most), begun when they are first needed and kept until the prover
 * is destroyed, so that no proof starts one. A task is finished when its result stands: a proof that has been verified,
 * or a status and a reason. It may be asked for by several threads at once, but is ended once (rp_groth16_end). */
typedef struct rp_groth16_task rp_groth16_task;

typedef struct rp_groth16_request {
  uint32_t struct_size;
  /* The witness, given in one of three ways. The bytes are the caller's, unchanged, until the task is finished; the
   * path is copied. */
  const char *wtns_path; /* a .wtns file, read when its turn comes */
  const void *wtns;      /* the bytes of one */
  size_t wtns_bytes;
  const void *values; /* as in rp_groth16_prove_values */
  size_t n_values;
  /* Called once for every task that was submitted, when it is finished, whatever came of it, by a thread of the prover
   * that holds no lock; NULL: nobody is told. That thread makes the next proof after it has returned, so it should be
   * short: wake an event loop (uv_async_send, eventfd, a channel). rp_groth16_submit may not have returned yet, but
   * *task is set.
   *
   * It may call whatever does not wait: rp_groth16_poll, _result, _cancel, _submit (whose timeout counts as 0; its
   * task's place is free already) and rp_groth16_end of any task of this prover, which sees where it is called and does
   * not wait. Of another prover it may call poll, result, cancel, and submit with a timeout of 0. What waits there,
   * wait, end, submit with a timeout, rp_groth16_prove and its like, waits in a callback too: two provers whose
   * callbacks wait for each other stand still for ever. rp_groth16_prover_destroy is for no callback, whatever the
   * prover. */
  void (*done)(void *user, rp_groth16_task *task);
  void *user;
} rp_groth16_request;

/* Hands a proof to the prover. At most max_in_flight tasks are unfinished: while so many are, RP_ERR_BUSY comes after
 * timeout_ns (0: at once; UINT64_MAX: waits). The call itself neither reads the witness nor waits for the device; a
 * witness that is wrong is reported by the task. Runs of rp_groth16_prove and its like take slots from the same
 * max_in_flight. */
RP_API RP_CHECKED rp_status rp_groth16_submit(rp_groth16_prover *prover, const rp_groth16_request *request,
                                              uint64_t timeout_ns, rp_groth16_task **task, rp_error *err);
/* RP_OK: finished, and there is a proof. RP_ERR_TIMEOUT: not finished. Anything else: how it failed. poll does not
 * wait. In a callback of the task's prover, waiting for what is unfinished is refused: RP_ERR_STATE. */
RP_API RP_CHECKED rp_status rp_groth16_poll(rp_groth16_task *task);
RP_API RP_CHECKED rp_status rp_groth16_wait(rp_groth16_task *task, uint64_t timeout_ns);
/* Asks the task to stop: it is finished soon, with RP_ERR_CANCELLED, or with its result if the device was done already.
 * A task that waits for a slot gives up, one that reads its witness reads to the end, a run stops as rp_run_cancel
 * says, and where points are streamed no more chunks are sent. What held the witness is wiped as after any run. */
RP_API void rp_groth16_cancel(rp_groth16_task *task);
/* The status of poll. After RP_OK the proof and the public signals (room for n_public times 32 bytes) are written, as
 * often as they are asked for; otherwise the proof is all zero, and the reason is in `err`. Each pointer but the task
 * may be NULL. */
RP_API RP_CHECKED rp_status rp_groth16_result(rp_groth16_task *task, rp_groth16_proof *proof, uint8_t *public_signals,
                                              rp_run_counters *counters, rp_error *err);
/* Gives the task back: it is cancelled if it is unfinished, and the call waits until it is finished, its callback has
 * returned, and calls of other threads that wait for it or read its result have returned what came of it. None may
 * begin once this was called. In a callback of its prover it does not wait: the task goes when all of that has come.
 * Also after the prover was destroyed. NULL: nothing. */
RP_API void rp_groth16_end(rp_groth16_task *task);

/* Writes the key as provers use it (constants in the device-neutral memory form; tables, which a device computes faster
 * than a disk reads them, are made when a prover is created) to a file that opens by mapping. Versioned and
 * checksummed; appears whole or not at all. */
RP_API RP_CHECKED rp_status rp_groth16_save(rp_groth16_prover *prover, const char *path, rp_error *err);

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* Servers may give these functions whatever strangers send: time and memory are bounded by the size of the input, and
 * no content of a given size costs more than another by more than a small factor. Memory comes from malloc, and a
 * thread with 128 KiB of stack may call all of them.
 *   a proof, public signals from JSON   time linear in the text; no memory
 *   a key from JSON                     time linear in the text; at most 16 times the text and 128 KiB
 *   rp_groth16_verify a fixed number of pairings and one multiplication per public signal, at most, and less
 *                                       where the proof is refused before; at most 64 bytes per signal and 32 KiB
 *   rp_groth16_verify_batch at most the time of verifying all proofs one by one, and the combination; at most
 *                                       64 bytes per signal of one proof and 2 MiB, however many proofs there are
 * Texts of more than 64 MiB are refused (proofs: 64 KiB) before they are looked at. */

RP_API RP_CHECKED rp_status rp_groth16_vkey_from_json(rp_context *context, const char *json, size_t bytes,
                                                      rp_groth16_vkey **vkey, rp_error *err);
RP_API RP_CHECKED rp_status rp_groth16_vkey_from_key(const rp_groth16_key *key, rp_groth16_vkey **vkey, rp_error *err);
RP_API void rp_groth16_vkey_destroy(rp_groth16_vkey *vkey);
RP_API uint64_t rp_groth16_vkey_n_public(const rp_groth16_vkey *vkey);
/* RP_OK only for a proof that verifies. RP_ERR_INPUT: a public signal is not below r, or a point is off its curve or
 * outside its subgroup, RP_ERR_MISMATCH: another curve or number of signals, RP_ERR_VERIFY: the equation does not
 * hold. */
RP_API RP_CHECKED rp_status rp_groth16_verify(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof,
                                              const uint8_t *public_signals, size_t n_public, rp_error *err);

/* Many proofs of one key, for servers: faster than one by one, with the same verdict on each but for the error below.
 * The signals of proof i begin at public_signals + 32 * i * n_public; NULL if n_public is 0. statuses (may be NULL;
 * n_proofs of them) gets what rp_groth16_verify would say of each proof. RP_OK only if all verify; else the status of
 * the first, by index, that does not, and a reason that names it. RP_ERR_MEMORY, RP_ERR_UNAVAILABLE (no randomness): no
 * verdict, and no status is RP_OK but of proofs that have been verified.
 *
 * Proofs are taken 64 at a time. Whatever a proof alone can be refused for, points and signals, is checked of each; the
 * equations are then combined with random coefficients of 128 bits from the operating system. Whoever chooses the
 * proofs before the coefficients are drawn, as any prover does, passes a wrong one with a probability of at most 2^-128
 * for each 64 proofs. If the combination does not hold, each of the 64 is verified by itself, so that wrong proofs cost
 * time: at most that of verifying all of them one by one, and the combination. */
RP_API RP_CHECKED rp_status rp_groth16_verify_batch(const rp_groth16_vkey *vkey, const rp_groth16_proof *proofs,
                                                    const uint8_t *public_signals, size_t n_proofs, size_t n_public,
                                                    rp_status *statuses, rp_error *err);

/* ---- JSON as snarkjs writes it ----------------------------------------------------------------------------------- */

/* Text functions write at most `capacity` bytes and a NUL, and always set *bytes to the length without it;
 * RP_ERR_BUFFER_TOO_SMALL if it did not fit (text may be NULL with capacity 0 to ask). */
RP_API RP_CHECKED rp_status rp_groth16_proof_to_json(const rp_groth16_proof *proof, char *text, size_t capacity,
                                                     size_t *bytes, rp_error *err);
RP_API RP_CHECKED rp_status rp_groth16_public_to_json(const uint8_t *public_signals, size_t n_public, char *text,
                                                      size_t capacity, size_t *bytes, rp_error *err);
RP_API RP_CHECKED rp_status rp_groth16_vkey_to_json(const rp_groth16_vkey *vkey, char *text, size_t capacity,
                                                    size_t *bytes, rp_error *err);
/* Texts from strangers may be read: it takes time linear in the text, less than 4 KiB of stack and no memory but what
 * is returned. A proof of more than 64 KiB is refused, and arrays and objects more than 8 deep. A proof that names no
 * curve is of BN254 if its coordinates fit, otherwise of BLS12-381. */
RP_API RP_CHECKED rp_status rp_groth16_proof_from_json(const char *json, size_t bytes, rp_groth16_proof *proof,
                                                       rp_error *err);
/* Writes at most capacity values of 32 bytes, always sets *n. */
RP_API RP_CHECKED rp_status rp_groth16_public_from_json(const char *json, size_t bytes, uint8_t *public_signals,
                                                        size_t capacity, size_t *n, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
