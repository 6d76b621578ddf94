/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: ready graphs, built only on the public API of tiers 1 and 2. Calling rules: reprise.h. This header
 * declares Groth16, and includes merkle.h and pedersen.h for Merkle trees and vector commitments.
 *
 * Groth16 (ePrint 2016/260) as snarkjs writes and reads it: a .zkey holds the circuit's proving key, a .wtns the
 * witness of one proof. The prover is one graph, recorded once per key and replayed for each proof.
 */
#ifndef REPRISE_GRAPHS_H
#define REPRISE_GRAPHS_H

#include <reprise/merkle.h>
#include <reprise/pedersen.h>
#include <reprise/ops.h>
#include <reprise/plans.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Files as memory --------------------------------------------------------------------------------------------- */

typedef struct rp_groth16_key rp_groth16_key;       /* proving key: of a zkey, of gnark, or prerecorded */
typedef struct rp_groth16_vkey rp_groth16_vkey;     /* verification key, with prepared pairings */
typedef struct rp_groth16_prover rp_groth16_prover; /* a key recorded on a device */

typedef struct rp_groth16_key_options {
  uint32_t struct_size;
  uint32_t check_points; /* 1: check that every point is on its curve and in its subgroup; 0: only coordinates < q */
  /* Prerecorded files: 1 skips the checksums and the check of every coordinate, but not the checks that proofs hide
   * their witness. */
  uint32_t skip_checksum;
  /* Not NULL: 32 bytes, the SHA-256 of the whole file. If it differs, RP_ERR_MISMATCH before any content is used. */
  const uint8_t *sha256;
  /* For proving keys of gnark (gnark.h), which contain neither: the verifying key, whose points are copied, and, for
   * keys with commitments, the wires of each. Without the verifying key, no proof can be verified before it is
   * released; a key with commitments is refused without their wires. Prerecorded ones contain both; there, these
   * options have no effect. */
  const rp_groth16_vkey *vkey;
  const struct rp_gnark_commitment *commitments;
  uint32_t n_commitments;
  /* A zkey or a proving key of gnark: 1 leaves the points in the file, so that they take no host memory. Each prover
   * reads them from there when it is created, and again whenever its recording gets its memory back after it was
   * evicted, and checks that coordinates are < q; what is wrong with a point is then the prover's error. The file, or
   * the memory of rp_groth16_key_open_memory, must stay as it is. Not with check_points (RP_ERR_ARGUMENT). Such a key
   * cannot be checked, compared or saved (RP_ERR_UNSUPPORTED), nor streamed if the budget is too small (RP_ERR_BUDGET).
   * Of a zkey, the points of wires are read when it is opened, too, to find those at infinity. Of a key of gnark,
   * info.infinities counts the wires for which the file has no point. */
  uint32_t points_in_file;
  /* A zkey: 1 maps the file and uses its points where they are, instead of copying them, so that they take no memory
   * beside the system's cache of files. The file is then used until the key is closed, under the rules for files of
   * rp_groth16_save: it may be replaced by renaming another over it, but must not be changed, and truncating it in
   * place sends SIGBUS. Such a key cannot be checked (rp_groth16_key_check_points: RP_ERR_UNSUPPORTED). Without effect
   * on other keys, keys in memory and short vectors. Not with check_points or points_in_file (RP_ERR_ARGUMENT). */
  uint32_t points_in_place;
} rp_groth16_key_options;

/* What a prerecorded file from an untrusted source can and cannot do: a proof that has been verified hides its witness
 * whatever the file contains, because the entries that carry the blinding are checked when the file is opened. Such a
 * file can make the proofs of some witnesses fail, and so reveal which kind a witness is of; with no_verify it can do
 * anything. Pin its digest (sha256), compare it with a zkey (rp_groth16_key_matches), or record the key yourself. No
 * other user may be able to write to the file while it is open.
 *
 * Opens a .zkey, a proving key of gnark, or a file of rp_groth16_save, which are distinguished by their first bytes. A
 * checksum detects damage, not intent. In a file of rp_groth16_save, the entries that carry the blinding of a proof are
 * therefore always checked (that delta is the same in both groups, by a pairing, and that the points of the blinding
 * scalars are delta and nothing else), and RP_ERR_FORMAT says which of them is wrong. The file stays in use until the
 * key is closed. A .zkey that is changed or truncated meanwhile gives a status, never a crash, unless points_in_place
 * is set. A file of rp_groth16_save is mapped: replace it by renaming another file over it, as rp_groth16_save does,
 * which does not affect users of the old one. Truncating it in place sends them SIGBUS, in any thread (the command
 * catches it and reports it). */
RP_API RP_CHECKED rp_status rp_groth16_key_open(rp_context *context, const char *path,
                                                const rp_groth16_key_options *options, rp_groth16_key **key,
                                                rp_error *err);
/* The same from memory, which the caller keeps unchanged until the key and its provers are gone. A prerecorded file,
 * which must be aligned to 8 bytes, is used in place without a copy. A zkey is converted, since neither its matrices
 * nor its points have the layout that a prover needs, and its bytes are not read again after the call. */
RP_API RP_CHECKED rp_status rp_groth16_key_open_memory(rp_context *context, const void *data, size_t bytes,
                                                       const rp_groth16_key_options *options, rp_groth16_key **key,
                                                       rp_error *err);
RP_API void rp_groth16_key_close(rp_groth16_key *key); /* its provers keep what they need */

typedef struct rp_groth16_key_info {
  uint32_t struct_size;
  rp_curve g1, g2;      /* of the points of proofs */
  uint32_t prerecorded; /* 1: made by rp_groth16_save */
  uint64_t n_vars;      /* wires, including the constant one */
  uint64_t n_public;
  uint64_t domain; /* power of two */
  uint64_t n_coefficients;
  uint64_t infinities[4]; /* points at infinity among A, B1, B2, C */
  uint64_t file_bytes;
  uint32_t points_checked; /* 1: every point was checked, or the prerecorded file claims so */
  uint32_t gnark;          /* 1: a proving key of gnark; rp_gnark_prove makes its proofs */
  uint32_t n_commitments;  /* of a key of gnark */
  uint32_t forgeable;      /* as in rp_groth16_vkey_info; 0 of a key that was opened without its verification part */
} rp_groth16_key_info;
RP_API void rp_groth16_key_get_info(const rp_groth16_key *key, rp_groth16_key_info *info);
/* Checks that every point of the key is on its curve and in its subgroup, and that the entries that carry the blinding
 * are right. Subgroups are tested by sums with random coefficients, which the device computes; a point outside its
 * subgroup is missed with a probability of at most 2^-128. Without a device (NULL) each point is tested by itself on
 * the host, which takes many times as long. On success points_checked becomes 1, also in what rp_groth16_save writes.
 * RP_ERR_FORMAT names the first wrong point. */
RP_API RP_CHECKED rp_status rp_groth16_key_check_points(rp_groth16_key *key, rp_device *device, rp_error *err);
/* RP_OK if the key holds exactly what this .zkey gives: the arrays are derived from the zkey again, block by block, and
 * compared. RP_ERR_MISMATCH says what differs: the key is out of date or was altered. What a proof does not need, such
 * as the contributions in a zkey, is not compared. Takes about as long as opening the zkey. */
RP_API RP_CHECKED rp_status rp_groth16_key_matches(const rp_groth16_key *key, const char *zkey_path, rp_error *err);

/* ---- Proving ----------------------------------------------------------------------------------------------------- */

/* A proof: A and C in `g1`, B in `g2`, affine in memory form. The arrays have the size of the larger curve; unused
 * bytes are zero. */
typedef struct rp_groth16_proof {
  rp_curve g1, g2;
  uint8_t a[96], b[192], c[96]; /* "pi_a", "pi_b" and "pi_c" of snarkjs */
} rp_groth16_proof;

typedef struct rp_groth16_prover_options {
  uint32_t struct_size;
  uint32_t max_in_flight; /* runs at once; 0: 1 */
  /* 1: proofs are released without being verified. With an altered key they can reveal the witness. */
  uint32_t no_verify;
  uint32_t flags; /* RP_RECORD_* */
  /* 0: what the device has left. If the key's points do not fit, they are streamed: one or two chunks of them are on
   * the device at a time, and the plan's memory level is RP_MEMORY_STREAMED (as that of the smallest plans that hold
   * all points, which rp_groth16_plan_points lists). */
  uint64_t memory_budget_bytes;
  uint32_t tables; /* 1: precomputed tables as far as the budget allows; 0: none (one-shot proving) */
  /* Called after each finished run, before its slot is released, for rp_run_trace and the like. It is called by the
   * thread that waited for the run; for submitted proofs that is a thread of the prover. It must not ask for a proof or
   * wait for one, which could need that slot. May be NULL. */
  void (*inspect)(void *user, const rp_run *run);
  void *inspect_user;
  /* Threads that copy and check witnesses, and verify the proofs of runs that make several. The struct is copied, and
   * used until the prover is destroyed, by several calls at once if several threads ask for proofs. NULL: on a GPU, up
   * to 7 threads of the prover, which sleep between proofs; on the CPU, the calling thread alone. */
  const rp_executor *executor;
  /* Proofs of one run, at most 32; 0: 1. rp_groth16_prove_batch then proves that many witnesses per replay, which for
   * small circuits takes a GPU little longer than one, and needs their memory that many times. Each proof has its own
   * witness, blinding, verification and status: a witness that fails, fails alone. Calls for one proof leave the other
   * places of a run empty. Not for keys of gnark (RP_ERR_UNSUPPORTED), and points are then not streamed
   * (RP_ERR_BUDGET if they do not fit). Inputs and outputs of the recording have the numbers of their proofs in their
   * names: "witness[0]", "pi_a[0]". For a group of devices: 1. */
  uint32_t batch;
  /* For a group of devices (group.h), which makes one proof together: of every product, the percentage of points that
   * the first device has, beside the quotient; the others have the rest by their speeds (rp_device_speed). At most 100;
   * 0: the quotient is on the fastest device, and the points are where, by the rates of the devices (rp_group_rates),
   * the proof is done soonest. */
  uint32_t first_percent;
} rp_groth16_prover_options;

/* The memory that a prover of this key would take; nothing is allocated on the device, except that devices of a group
 * that are not alike are measured first (rp_device_speed). RP_ERR_BUDGET: *info and the reason have the figures of the
 * smallest plan, streaming included. total_bytes of any plan is a budget that is accepted, and so is every larger
 * one. */
RP_API RP_CHECKED rp_status rp_groth16_plan(rp_device *device, const rp_groth16_key *key,
                                            const rp_groth16_prover_options *options, rp_plan_info *info,
                                            rp_error *err);
/* The plans of this key between fast and small, as rp_plan_points (plans.h) gives them for the prover's graph: with
 * max_in_flight, flags, tables, batch and first_percent of the options. Plans that stream the key's points are not
 * among them. */
RP_API RP_CHECKED rp_status rp_groth16_plan_points(rp_device *device, const rp_groth16_key *key,
                                                   const rp_groth16_prover_options *options, rp_plan_point *points,
                                                   uint32_t capacity, uint32_t *count, rp_error *err);
/* Builds the graph and records it. RP_ERR_ARGUMENT: a key of gnark that was opened without its verifying key, unless
 * the options have no_verify. */
RP_API RP_CHECKED rp_status rp_groth16_prover_create(rp_device *device, const rp_groth16_key *key,
                                                     const rp_groth16_prover_options *options,
                                                     rp_groth16_prover **prover, rp_error *err);
/* Cancels unfinished submitted proofs, and returns when their callbacks have returned; the caller must still end their
 * tasks. Must not be called from a callback of this or any other prover, nor while another call on the prover is
 * running; calls on its tasks may be. */
RP_API void rp_groth16_prover_destroy(rp_groth16_prover *prover);
/* For plans, exports and profiles; both belong to the prover. */
RP_API const rp_graph *rp_groth16_prover_graph(const rp_groth16_prover *prover);
RP_API rp_recording *rp_groth16_prover_recording(rp_groth16_prover *prover);

/* For callers that replay the prover's recording themselves, without the checks of rp_groth16_prove. Describes the
 * input "witness", n_vars + 2 canonical integers (RP_TYPE_U256): the wires in the order of the .wtns file, the first of
 * which is one, then the blinding values s and r, in this order. The graph takes these two as scalars of two more
 * points of the key, so that one bucket matrix serves witness and blinding; a circuit of 5343 wires thus has an input
 * of 5345. Both must be uniformly random below the group order, new for each run, and kept secret. The outputs are
 * "pi_a", "pi_b" and "pi_c", one affine point each; if the key's points are streamed, the only output is "h", the
 * scalars of the H points. The result of such a run has not been verified.
 *
 * With a key of gnark the inputs are in Montgomery form (the type of the scalar field): "witness", the first n_vars -
 * n_vars % 8 wires, which is left out if that is 0; "rest", the other wires, then s and r; "a" and "b", an element for
 * each one of the domain: A and B of the solution, then zeros. All but "rest" are RP_LENDABLE. A key with commitments
 * has one more output, "commitments": for each a point, then for each the point of its proof of knowledge; and one more
 * input, "committed", two u32: the first is 1 if the output is to be computed, the second 1 if its first half is, too.
 * What is not computed is undefined. If the points are streamed, "scalars" is one more output: the witness, canonical.
 */
RP_API RP_CHECKED rp_status rp_groth16_prover_witness(const rp_groth16_prover *prover, rp_port_info *info,
                                                      rp_error *err);

/* Makes one proof from the bytes of a .wtns file. Blinding values come from the operating system's random number
 * generator. The witness is not kept, and all memory that held it is wiped (rp_run_end). May be called from several
 * threads; at most max_in_flight calls proceed at once, the others wait. public_signals: NULL, or room for n_public
 * (rp_groth16_key_info) canonical 32-byte little-endian values. counters may be NULL.
 *
 * Here and in every function below, a proof is written to `proof` only after rp_groth16_verify has accepted it with the
 * key's verification part, unless the prover was made with no_verify. RP_ERR_VERIFY: it was not accepted, because the
 * witness does not satisfy the circuit, or because the key was altered or is damaged; the reason says which.
 * RP_ERR_MISMATCH: the witness is of another circuit or curve. A value that is not below r, or a first value that is
 * not 1: RP_ERR_INPUT, and RP_ERR_FORMAT in a .wtns file. RP_ERR_UNAVAILABLE: the operating system gave no randomness.
 * After a failure `proof` is all zero, and so are the public signals if they had been written. */
RP_API RP_CHECKED rp_status rp_groth16_prove(rp_groth16_prover *prover, const void *wtns, size_t wtns_bytes,
                                             rp_groth16_proof *proof, uint8_t *public_signals,
                                             rp_run_counters *counters, rp_error *err);
/* The same from a .wtns file, which is read directly into the run's staging: no other host memory holds the witness. */
RP_API RP_CHECKED rp_status rp_groth16_prove_file(rp_groth16_prover *prover, const char *wtns_path,
                                                  rp_groth16_proof *proof, uint8_t *public_signals,
                                                  rp_run_counters *counters, rp_error *err);
/* The same from n_vars canonical 32-byte little-endian values, the first of which is one. */
RP_API RP_CHECKED rp_status rp_groth16_prove_values(rp_groth16_prover *prover, const void *values, size_t n_values,
                                                    rp_groth16_proof *proof, uint8_t *public_signals,
                                                    rp_run_counters *counters, rp_error *err);
/* UNSAFE, for tests: the caller gives the blinding values r and s (canonical, below the group order). They reveal parts
 * of the witness to anyone who knows them, and two proofs with the same values reveal parts of it to everyone. */
RP_API RP_CHECKED rp_status rp_groth16_prove_unsafe_blinding(rp_groth16_prover *prover, const void *values,
                                                             size_t n_values, const uint8_t r_le[32],
                                                             const uint8_t s_le[32], rp_groth16_proof *proof,
                                                             uint8_t *public_signals, rp_run_counters *counters,
                                                             rp_error *err);

/* Proves many witnesses, max_in_flight at a time; the next witness is uploaded while the current proof is computed.
 * Each job gets its own status. The call tries all of them and returns the status of the first, by index, that failed.
 * If none can be tried (no prover, no memory), every job gets the status that the call returns. Jobs are
 * jobs[0].struct_size bytes apart; if it is not set, or the struct_size of another job differs, the call gives
 * RP_ERR_ARGUMENT and changes none. */
typedef struct rp_groth16_job {
  uint32_t struct_size;
  const void *wtns; /* the bytes of a .wtns file */
  size_t wtns_bytes;
  rp_groth16_proof *proof; /* written as by rp_groth16_prove */
  uint8_t *public_signals; /* may be NULL */
  rp_status status;        /* set */
  rp_error error;          /* set on failure */
  const char *wtns_path;   /* if wtns is NULL: a .wtns file, read when the job begins */
} rp_groth16_job;
RP_API RP_CHECKED rp_status rp_groth16_prove_batch(rp_groth16_prover *prover, rp_groth16_job *jobs, size_t n_jobs,
                                                   rp_error *err);

/* ---- Proving without waiting ------------------------------------------------------------------------------------- */

/* A submitted proof. It is made as by rp_groth16_prove, including verification, by threads of the prover: as many as
 * proofs can be in flight, at most 64, started when they are first needed and kept until the prover is destroyed. They
 * sleep between proofs; only if the program submits the next proof within 0.1 ms after the last one, the thread that
 * made it looks for another for as long before it sleeps, so that the next does not wait for a thread to wake. A task
 * is finished when it has its result: a proof that has been verified, or a status and a reason. Several threads may use
 * a task at once, but it is ended only once (rp_groth16_end). */
typedef struct rp_groth16_task rp_groth16_task;

typedef struct rp_groth16_request {
  uint32_t struct_size;
  /* The witness, given in one of three ways; with a key of gnark the solution, given in one of three. The caller keeps
   * the bytes, and the arrays of a solution, unchanged until the task is finished; the path is copied. */
  const char *wtns_path; /* a .wtns file, or a file as for rp_gnark_prove_file, read when the task begins */
  const void *wtns;      /* the bytes of such a file */
  size_t wtns_bytes;
  const void *values; /* as in rp_groth16_prove_values; not for a key of gnark */
  size_t n_values;
  /* Called once for every submitted task when it is finished, with whatever result, by a thread of the prover that
   * holds no lock. May be NULL. The thread makes no other proof until the callback has returned, so it should be short:
   * wake an event loop (uv_async_send, eventfd, a channel). rp_groth16_submit may not have returned yet, but *task is
   * set.
   *
   * The callback may make calls that do not wait. For tasks of this prover these are rp_groth16_poll, _result, _cancel,
   * _submit (whose timeout counts as 0; the place of the finished task is already free) and rp_groth16_end, which does
   * not wait inside a callback. For other provers they are poll, result, cancel, and submit with a timeout of 0. Calls
   * on another prover that wait (wait, end, submit with a timeout, rp_groth16_prove and the like) also wait in a
   * callback: two provers whose callbacks wait for each other are deadlocked. rp_groth16_prover_destroy must not be
   * called from any callback. */
  void (*done)(void *user, rp_groth16_task *task);
  void *user;
  const struct rp_gnark_solution *solution; /* for a key of gnark only; the struct is copied, its arrays are not */
} rp_groth16_request;

/* Submits a proof. At most max_in_flight tasks may be unfinished; if there are that many, the call waits up to
 * timeout_ns for one to finish (0: not at all; UINT64_MAX: without limit), then gives RP_ERR_BUSY. It neither reads the
 * witness nor waits for the device; a wrong witness is reported by the task. rp_groth16_prove and the like take slots
 * from the same max_in_flight. RP_ERR_MISMATCH: a solution for a key that is not one of gnark, or values for one that
 * is. */
RP_API RP_CHECKED rp_status rp_groth16_submit(rp_groth16_prover *prover, const rp_groth16_request *request,
                                              uint64_t timeout_ns, rp_groth16_task **task, rp_error *err);
/* RP_OK: finished with a proof. RP_ERR_TIMEOUT: not finished. Anything else: how it failed. rp_groth16_poll does not
 * wait. In a callback of the task's prover, waiting for an unfinished task is refused with RP_ERR_STATE. */
RP_API RP_CHECKED rp_status rp_groth16_poll(rp_groth16_task *task);
RP_API RP_CHECKED rp_status rp_groth16_wait(rp_groth16_task *task, uint64_t timeout_ns);
/* Asks the task to stop: it finishes soon, with RP_ERR_CANCELLED, or with its result if the device had already
 * finished. A task that waits for a slot gives up; one that reads its witness reads it to the end first; a run stops as
 * after rp_run_cancel; if points are streamed, no more chunks are sent. Memory that held the witness is wiped as after
 * any run. */
RP_API void rp_groth16_cancel(rp_groth16_task *task);
/* Returns the status that rp_groth16_poll gives. With RP_OK the proof and the public signals (room for n_public values
 * of 32 bytes) are written; the call may be repeated. Otherwise the proof is all zero, and the reason is in `err`. Each
 * pointer except the task may be NULL. RP_ERR_MISMATCH: the key is one of gnark, whose proofs rp_gnark_result gives. */
RP_API RP_CHECKED rp_status rp_groth16_result(rp_groth16_task *task, rp_groth16_proof *proof, uint8_t *public_signals,
                                              rp_run_counters *counters, rp_error *err);
/* Destroys the task. If it is unfinished, it is cancelled. The call waits until the task is finished, its callback has
 * returned, and calls of other threads that wait for it or read its result have returned; no such call may begin after
 * this one. In a callback of its prover it does not wait: the task is freed when all this has happened. May also be
 * called after the prover was destroyed. NULL does nothing. */
RP_API void rp_groth16_end(rp_groth16_task *task);

/* Writes the key as provers use it to a file that is opened by mapping it: constants in the device-neutral memory form,
 * but no tables, which a device computes faster than a disk reads them. The file has a version and checksums, and
 * appears complete or not at all. Of a key of gnark, the verifying key and the wires of commitments are in it, too;
 * RP_ERR_ARGUMENT if it was opened without its verifying key.
 *
 * It is a saved graph (save.h), that of one proof, whatever the options of this prover: rp_graph_load gives it to
 * programs that trust the file like a program. Opened as a key, only its constants are used. Saving takes a SHA-256 of
 * all of them. */
RP_API RP_CHECKED rp_status rp_groth16_save(rp_groth16_prover *prover, const char *path, rp_error *err);

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* These functions accept data from untrusted sources: time and memory are bounded by the size of the input, and no
 * content costs more than a small multiple of what other content of the same size costs. Memory comes from malloc, and
 * a thread with 128 KiB of stack may call all of them.
 *   proof, public signals from JSON   time linear in the text; no memory
 *   key from JSON                     time linear in the text; at most 16 times the text and 128 KiB
 *   rp_groth16_verify                 at most a fixed number of pairings and one multiplication per public signal, less
 *                                     where the proof is refused before; at most 64 bytes per signal and 32 KiB
 *   rp_groth16_verify_batch           at most the time of verifying all proofs one by one, and the combination; at
 *                                     most 64 bytes per signal of one proof and 2 MiB, however many proofs there are
 * Texts of more than 64 MiB (proofs: 64 KiB) are refused before they are parsed. */

/* A verification key in JSON. RP_ERR_FORMAT: the text is damaged. RP_ERR_INPUT: a point is off its curve or outside its
 * subgroup, or one that is not of IC is at infinity. */
RP_API RP_CHECKED rp_status rp_groth16_vkey_from_json(rp_context *context, const char *json, size_t bytes,
                                                      rp_groth16_vkey **vkey, rp_error *err);
/* The same from a proving key, a .zkey of Groth16. Only its header and its IC points are read and checked, since the
 * rest may be gigabytes. RP_ERR_FORMAT: the file is damaged, is a key of another protocol, or has a point that is off
 * its curve or outside its subgroup, or at infinity if it is not one of IC. */
RP_API RP_CHECKED rp_status rp_groth16_vkey_from_zkey(rp_context *context, const char *path, rp_groth16_vkey **vkey,
                                                      rp_error *err);
/* The verification part of a key. RP_ERR_ARGUMENT: a key of gnark that was opened without its verifying key. */
RP_API RP_CHECKED rp_status rp_groth16_vkey_from_key(const rp_groth16_key *key, rp_groth16_vkey **vkey, rp_error *err);
RP_API void rp_groth16_vkey_destroy(rp_groth16_vkey *vkey);
RP_API uint64_t rp_groth16_vkey_n_public(const rp_groth16_vkey *vkey); /* number of public signals */

typedef struct rp_groth16_vkey_info {
  uint32_t struct_size;
  rp_curve g1, g2; /* of the points of proofs */
  uint64_t n_public;
  uint32_t n_commitments; /* of a key of gnark */
  /* 1: gamma and delta are the same point, as in a key to whose second phase nobody has contributed. Anybody can make a
   * proof of anything that such a key accepts: it is good for tests only. */
  uint32_t forgeable;
} rp_groth16_vkey_info;
RP_API void rp_groth16_vkey_get_info(const rp_groth16_vkey *vkey,
                                     rp_groth16_vkey_info *info); /* zero if vkey is NULL */

/* RP_OK only for a proof that verifies. RP_ERR_INPUT: a public signal is not below r, or a point is off its curve or
 * outside its subgroup. RP_ERR_MISMATCH: the curve or the number of signals differs from the key's. RP_ERR_VERIFY: the
 * equation does not hold. */
RP_API RP_CHECKED rp_status rp_groth16_verify(const rp_groth16_vkey *vkey, const rp_groth16_proof *proof,
                                              const uint8_t *public_signals, size_t n_public, rp_error *err);

/* Verifies many proofs of one key, faster than one by one and with the same result for each, except for the probability
 * of error below. The signals of proof i begin at public_signals + 32 * i * n_public; NULL if n_public is 0. statuses,
 * n_proofs of them or NULL, gets what rp_groth16_verify would return for each proof. RP_OK only if all verify; else the
 * status of the first, by index, that does not, and a reason that names it. RP_ERR_MEMORY or RP_ERR_UNAVAILABLE (no
 * randomness): only proofs that had been verified by then have the status RP_OK, and nothing is known of the others.
 *
 * Proofs are verified in batches of 64. The points and signals of each proof are checked separately; the equations are
 * then combined with random coefficients of 128 bits from the operating system. Since proofs are chosen before the
 * coefficients are drawn, a batch with a wrong proof is accepted with a probability of at most 2^-128. If the combined
 * equation does not hold, each proof of the batch is verified by itself, so that wrong proofs cost time: at most that
 * of verifying all of them one by one, and the combination. */
RP_API RP_CHECKED rp_status rp_groth16_verify_batch(const rp_groth16_vkey *vkey, const rp_groth16_proof *proofs,
                                                    const uint8_t *public_signals, size_t n_proofs, size_t n_public,
                                                    rp_status *statuses, rp_error *err);

/* ---- JSON as snarkjs writes it ----------------------------------------------------------------------------------- */

/* Text functions write at most `capacity` bytes, the final NUL included, and always set *bytes to the length without
 * it; RP_ERR_BUFFER_TOO_SMALL if it did not fit (text may be NULL with capacity 0 to ask).
 * `bytes` may be NULL. */
RP_API RP_CHECKED rp_status rp_groth16_proof_to_json(const rp_groth16_proof *proof, char *text, size_t capacity,
                                                     size_t *bytes, rp_error *err);
/* The public signals, canonical 32-byte little-endian values. */
RP_API RP_CHECKED rp_status rp_groth16_public_to_json(const uint8_t *public_signals, size_t n_public, char *text,
                                                      size_t capacity, size_t *bytes, rp_error *err);
/* A verification key. RP_ERR_UNSUPPORTED: one of gnark with commitments, for which there is no such form. */
RP_API RP_CHECKED rp_status rp_groth16_vkey_to_json(const rp_groth16_vkey *vkey, char *text, size_t capacity,
                                                    size_t *bytes, rp_error *err);
/* The text may come from an untrusted source: parsing takes time linear in the text, less than 4 KiB of stack, and no
 * memory but the result. Proofs of more than 64 KiB are refused, and arrays and objects nested more than 8 deep. A
 * proof that names no curve is taken to be of BN254 if its coordinates fit, otherwise of BLS12-381. */
RP_API RP_CHECKED rp_status rp_groth16_proof_from_json(const char *json, size_t bytes, rp_groth16_proof *proof,
                                                       rp_error *err);
/* Writes at most `capacity` values of 32 bytes, and always sets *n to their number, even if that is more. */
RP_API RP_CHECKED rp_status rp_groth16_public_from_json(const char *json, size_t bytes, uint8_t *public_signals,
                                                        size_t capacity, size_t *n, rp_error *err);

/* ---- Solidity calldata ------------------------------------------------------------------------------------------- */

/* The arguments of the contract that snarkjs exports for a key, byte for byte as "snarkjs zkey export soliditycalldata"
 * prints them, without the line break at the end. It is a text function as above. In "pi_b", imaginary parts come
 * first. The equation is not checked, but the rest is: RP_ERR_MISMATCH for a proof that is not over BN254, the one
 * curve of these contracts; RP_ERR_INPUT for a public signal that is not below r, and for a point that is off its
 * curve, outside its subgroup or at infinity. public_signals: n_public canonical 32-byte little-endian values; NULL if
 * there are none. */
RP_API RP_CHECKED rp_status rp_groth16_calldata(const rp_groth16_proof *proof, const uint8_t *public_signals,
                                                size_t n_public, char *text, size_t capacity, size_t *bytes,
                                                rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
