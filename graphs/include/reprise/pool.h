/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: proofs on several devices, for throughput. A pool has threads for each of its devices, and one queue
 * of tasks. Keys of Groth16, also gnark's, of PLONK and of FFLONK are added to it; a key is in host memory once, and is
 * recorded on every device. A task goes to the device that becomes free first. Calling rules: reprise.h.
 *
 * The devices may be of different kinds, and a CPU may be divided into several devices, each with its own number of
 * threads (cpu_threads of rp_device_options).
 *
 * All calls may be made from several threads at once. But while a pool is destroyed, or a key removed, no other call on
 * that pool or key may run; calls on tasks may.
 */
#ifndef REPRISE_POOL_H
#define REPRISE_POOL_H

#include <reprise/fflonk.h>
#include <reprise/gnark.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_pool rp_pool;
typedef struct rp_pool_key rp_pool_key;   /* a key that was added to a pool */
typedef struct rp_pool_task rp_pool_task; /* a proof that was submitted to a pool */

/* ---- Pools and keys ---------------------------------------------------------------------------------------------- */

enum { RP_POOL_MOST_DEVICES = 256 };

typedef struct rp_pool_options {
  uint32_t struct_size;
  uint32_t max_in_flight; /* proofs at once on each device, at most 64, with one thread for each; 0: 2 */
  uint32_t max_waiting;   /* tasks that may wait for a device; 0: 4 for each thread of the pool */
} rp_pool_options;

/* The devices, 1 to RP_POOL_MOST_DEVICES, must be of one context. The pool keeps them open; `devices` itself is copied.
 * RP_ERR_ARGUMENT: no device, one that is NULL or of another context, or too many. RP_ERR_UNAVAILABLE: the operating
 * system gives no threads. */
RP_API RP_CHECKED rp_status rp_pool_create(rp_device *const *devices, uint32_t n_devices,
                                           const rp_pool_options *options, rp_pool **pool, rp_error *err);
/* Cancels unfinished tasks, returns when their callbacks have returned, and removes the keys. The caller must still end
 * the tasks, and may do so later. Must not be called from a callback of the pool. NULL does nothing. */
RP_API void rp_pool_destroy(rp_pool *pool);

/* Records the key on every device of the pool that has not been lost, one after the other. The options of the prover
 * may be NULL; max_in_flight is that of the pool in any case, and `inspect` is called by threads of the pool. The
 * caller may close `key` afterwards. If a device refuses the key, nothing is added, and the reason names the device.
 * With a key of gnark, proofs are made from solutions, and belong to the calls that end in _gnark. */
RP_API RP_CHECKED rp_status rp_pool_add_groth16(rp_pool *pool, const rp_groth16_key *key,
                                                const rp_groth16_prover_options *options, rp_pool_key **added,
                                                rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_add_plonk(rp_pool *pool, const rp_plonk_key *key,
                                              const rp_plonk_prover_options *options, rp_pool_key **added,
                                              rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_add_fflonk(rp_pool *pool, const rp_fflonk_key *key,
                                               const rp_fflonk_prover_options *options, rp_pool_key **added,
                                               rp_error *err);
/* Destroys the key's provers, which frees their memory on the devices. RP_ERR_BUSY, and the key stays, while tasks of
 * it are unfinished. NULL does nothing. */
RP_API RP_CHECKED rp_status rp_pool_remove(rp_pool_key *key, rp_error *err);

typedef struct rp_pool_info {
  uint32_t struct_size;
  uint32_t n_devices, n_lost;
  uint32_t max_in_flight, max_waiting; /* as in the options */
  uint32_t n_waiting, n_running;       /* tasks */
} rp_pool_info;
RP_API void rp_pool_get_info(rp_pool *pool, rp_pool_info *info);

typedef struct rp_pool_device_info {
  uint32_t struct_size;
  uint32_t n_running; /* tasks */
  uint64_t n_proofs;  /* proofs that were made here */
  uint32_t lost;      /* 1: the device was lost, and gets no more tasks */
  rp_error error;     /* why */
} rp_pool_device_info;
/* Of the device at this index of rp_pool_create. */
RP_API void rp_pool_get_device_info(rp_pool *pool, uint32_t index, rp_pool_device_info *info);

/* ---- Tasks ------------------------------------------------------------------------------------------------------- */

/* A proof is made, and verified before it is released, as by rp_groth16_prove, rp_plonk_prove and
 * rp_fflonk_prove. Tasks begin in the order of their priorities, and those of one priority in the order of
 * submission.
 *
 * If a device is lost while it works on a task, the task begins again on another one, before those of its priority that
 * wait; a task fails with RP_ERR_DEVICE_LOST only when the last device has been lost. The other devices go on. */
typedef struct rp_pool_request {
  uint32_t struct_size;
  int32_t priority; /* a higher one begins earlier */
  /* The witness, given in one of three ways; with a key of gnark the solution, given in one of three. The caller keeps
   * the bytes, and the arrays of a solution, unchanged until the task is finished; the path is copied. */
  const char *wtns_path; /* a .wtns file, or a file as for rp_gnark_prove_file, read when the task begins */
  const void *wtns;      /* the bytes of such a file */
  size_t wtns_bytes;
  const void *values; /* as in rp_groth16_prove_values; not for a key of gnark */
  size_t n_values;
  /* Not 0: how long after its submission the task may take. After that time it is cancelled, whether it waits or
   * runs, and fails with RP_ERR_CANCELLED. */
  uint64_t limit_ns;
  /* Called once, when the task is finished, with whatever result, by a thread of the pool that holds no lock. May be
   * NULL. It should be short, since the thread does nothing else meanwhile. rp_pool_submit may not have returned yet,
   * but *task is set. The callback may make every call on tasks that does not wait: poll, result, cancel, end (which
   * does not wait in a callback), submit with a timeout of 0. */
  void (*done)(void *user, rp_pool_task *task);
  void *user;
  const rp_gnark_solution *solution; /* for a key of gnark only; the struct is copied, its arrays are not */
} rp_pool_request;

/* Submits a proof. If max_waiting tasks wait already, the call waits up to timeout_ns (0: not at all; UINT64_MAX:
 * without limit) for room, then gives RP_ERR_BUSY. It neither reads the witness nor waits for a device; a wrong witness
 * is reported by the task. RP_ERR_MISMATCH: a solution for a key that is not one of gnark, or values for one that is.
 * RP_ERR_DEVICE_LOST: every device has been lost. */
RP_API RP_CHECKED rp_status rp_pool_submit(rp_pool_key *key, const rp_pool_request *request, uint64_t timeout_ns,
                                           rp_pool_task **task, rp_error *err);
/* RP_OK: finished with a proof. RP_ERR_TIMEOUT: not finished. Anything else: how it failed. rp_pool_poll does not wait.
 * Waiting in a callback of the pool is refused with RP_ERR_STATE. To get results in the order of submission, wait for
 * the tasks in that order. */
RP_API RP_CHECKED rp_status rp_pool_poll(rp_pool_task *task);
RP_API RP_CHECKED rp_status rp_pool_wait(rp_pool_task *task, uint64_t timeout_ns);
/* A task that waits finishes at once, with RP_ERR_CANCELLED. One that runs finishes soon, with RP_ERR_CANCELLED or with
 * its result. Memory that held the witness is wiped as after any run. */
RP_API void rp_pool_cancel(rp_pool_task *task);
/* Returns the status that rp_pool_poll gives. With RP_OK the proof and the public signals (room for n_public values of
 * 32 bytes) are written; otherwise the proof is all zero, and the reason is in `err`. Each pointer except the task may
 * be NULL. RP_ERR_MISMATCH: the task's key is of another proof system. */
RP_API RP_CHECKED rp_status rp_pool_result_groth16(rp_pool_task *task, rp_groth16_proof *proof, uint8_t *public_signals,
                                                   rp_run_counters *counters, rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_result_gnark(rp_pool_task *task, rp_gnark_proof *proof, uint8_t *public_signals,
                                                 rp_run_counters *counters, rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_result_plonk(rp_pool_task *task, rp_plonk_proof *proof, uint8_t *public_signals,
                                                 rp_run_counters *counters, rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_result_fflonk(rp_pool_task *task, rp_fflonk_proof *proof, uint8_t *public_signals,
                                                  rp_run_counters *counters, rp_error *err);

typedef struct rp_pool_task_info {
  uint32_t struct_size;
  uint32_t begun;      /* 1: a device is working on it, or has been */
  uint32_t device;     /* index of the device that worked on it last; valid if it has begun */
  uint32_t moves;      /* number of devices that were lost while they worked on it */
  uint64_t waited_ns;  /* from its submission until it began; until now if it waits */
  uint64_t elapsed_ns; /* from its submission until it was finished; until now if it is not */
} rp_pool_task_info;
RP_API void rp_pool_task_get_info(rp_pool_task *task, rp_pool_task_info *info);

/* Destroys the task. If it is unfinished, it is cancelled. The call waits until the task is finished and its callback
 * has returned; in a callback of the pool it does not wait. No other call on the task may be running. NULL does
 * nothing. */
RP_API void rp_pool_end(rp_pool_task *task);

/* ---- Many at once ------------------------------------------------------------------------------------------------ */

/* Proves many witnesses on all devices; each result is in its job, whichever device made it. The texts of
 * rp_groth16_prove_batch, rp_gnark_prove_batch, rp_plonk_prove_batch and rp_fflonk_prove_batch say what the jobs must
 * be and how the calls fail. */
RP_API RP_CHECKED rp_status rp_pool_prove_groth16(rp_pool_key *key, rp_groth16_job *jobs, size_t n_jobs, rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_prove_gnark(rp_pool_key *key, rp_gnark_job *jobs, size_t n_jobs, rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_prove_plonk(rp_pool_key *key, rp_plonk_job *jobs, size_t n_jobs, rp_error *err);
RP_API RP_CHECKED rp_status rp_pool_prove_fflonk(rp_pool_key *key, rp_fflonk_job *jobs, size_t n_jobs, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
