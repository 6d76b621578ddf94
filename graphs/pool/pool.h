/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The pool, which knows no proof system: what differs between them is a pool_system.
 */
#ifndef REPRISE_POOL_POOL_H
#define REPRISE_POOL_POOL_H

#include "formats/fail.h"
#include "formats/witness.h"

#include <reprise/pool.h>

#include <pthread.h>
#include <stdatomic.h>

/* Called before a run is ended; from then on the run must not be cancelled. */
typedef struct pool_ending {
  const atomic_int *cancelled;
  void (*call)(void *user);
  void *user;
} pool_ending;

/* What a proof is made from. */
typedef struct pool_source {
  g16_witness witness;
  const rp_gnark_solution *solution; /* in place of a witness */
} pool_source;

/* A flight is a proof that has been started. */
typedef struct pool_system {
  const char *name;
  size_t proof_bytes, flight_bytes;
  bool is_solved; /* its proofs are made from solutions, of which `witness` may have the path or the bytes of a file */
  /* RP_ERR_BUSY: no slot became free within the time. After any failure there is nothing to finish. The run, which can
   * be cancelled, is in *run. */
  rp_status (*start)(void *prover, const pool_source *from, uint64_t timeout_ns, void *proof, uint8_t *signals,
                     void *flight, rp_run **run, rp_error *err);
  rp_status (*finish)(void *flight, const pool_ending *ending, rp_run_counters *counters, rp_error *err);
  void (*destroy)(void *prover);
} pool_system;

typedef struct pool_device {
  rp_device *device;
  rp_pool_device_info info;
} pool_device;

typedef struct pool_worker {
  rp_pool *pool;
  uint32_t device; /* index */
  pthread_t thread;
} pool_worker;

struct rp_pool_key {
  rp_pool *pool;
  rp_pool_key *next; /* in the pool's list */
  const pool_system *system;
  uint64_t n_public;
  uint32_t n_unfinished;
  void *provers[]; /* one for each device; NULL if it had been lost */
};

/* A task goes through these states in this order. It either runs or is stopped; if its device is lost, it waits
 * again. */
typedef enum task_state {
  TASK_WAITING,
  TASK_RUNNING,
  TASK_STOPPED, /* will not begin */
  TASK_DONE,    /* has its result; its callback is called */
  TASK_OVER     /* its callback has returned */
} task_state;

struct rp_pool_task {
  rp_pool *pool;
  rp_pool_key *key;          /* until it is done */
  rp_pool_task *up, *down;   /* in the list of those that wait */
  rp_pool_task *back, *next; /* in the list of those that are not over */
  const pool_system *system;
  pool_source from;
  rp_gnark_solution solution; /* a copy of the struct, if `from` has one */
  char *path;                 /* a copy */
  int32_t priority;
  uint64_t number, submitted_ns, begun_ns, finished_ns, deadline_ns; /* 0: no deadline */
  void (*done)(void *user, rp_pool_task *task);
  void *user;
  task_state state;
  uint32_t references; /* the caller's, and the pool's until the task is over */
  uint32_t device, moves;
  atomic_int cancelled;
  bool expired; /* cancelled because of its deadline */
  rp_run *run;  /* while it can be cancelled */
  rp_status status;
  rp_error error;
  rp_run_counters counters;
  uint64_t n_public;
  uint8_t *signals; /* n_public values of 32 bytes, behind the flight */
  void *flight;     /* behind the proof */
  uint64_t proof[];
};

enum {
  POOL_QUITS = 1, /* no more tasks are taken */
  POOL_NO_WORKERS /* the workers have ended */
};

struct rp_pool {
  rp_context *context;        /* whose allocator gave the pool's memory, which keeps it alive */
  pthread_mutex_t lock;       /* guards everything below, and all changing fields of every task */
  pthread_cond_t work;        /* a task waits, or `quit` is set, or a device was lost */
  pthread_cond_t change;      /* some task began, or is done or over */
  pthread_cond_t clock;       /* for the clerk: a task was stopped or has a deadline, or the workers ended */
  uint32_t references;        /* its own, and one for each task */
  rp_pool_task *first, *last; /* the tasks that wait, in the order in which they begin */
  rp_pool_task *stopped;      /* those that will not begin, linked by `down`; the clerk completes them */
  rp_pool_task *all;
  rp_pool_key *keys;
  uint64_t n_submitted, wake_ns; /* when the clerk wakes up by itself */
  uint32_t n_waiting, n_running, n_lost, n_devices, n_workers, max_in_flight, max_waiting;
  int quit;    /* POOL_QUITS, POOL_NO_WORKERS */
  bool closed; /* all threads have ended */
  pthread_t clerk;
  pool_device *devices;
  pool_worker workers[];
};

uint64_t pool_now_ns(void);
/* 1 in a child that was forked from the process of the pool: the threads do not exist there, and its locks must not be
 * taken. */
bool pool_is_forked(const rp_pool *pool);
/* Releases a reference and the lock; the last one frees the pool. */
void pool_unlock_and_leave(rp_pool *pool);

/* queue.c; all are called under the lock. Puts a task into its place among those that wait. */
void pool_enqueue(rp_pool *pool, rp_pool_task *task);
rp_pool_task *pool_take_first(rp_pool *pool);
/* Gives a task, which must not be among those that wait, its result. Releases the lock while the callback runs. */
void pool_complete(rp_pool *pool, rp_pool_task *task, rp_status status);
/* Stops a task that is not done. */
void pool_cancel(rp_pool *pool, rp_pool_task *task);
/* Takes all tasks that wait out of the list, to fail with this status and reason. */
void pool_fail_waiting(rp_pool *pool, const rp_error *why);
/* Releases a reference to the task. The last one frees the task and releases its reference to the pool, of which the
 * caller must hold another. */
void pool_task_release(rp_pool *pool, rp_pool_task *task);
/* Whether the calling thread is one of the pool's, in which nothing may wait for the pool. */
bool pool_is_own_thread(const rp_pool *pool);
/* Waits on `change`; 0 after the deadline (of pool_deadline). */
bool pool_wait_until(rp_pool *pool, const struct timespec *deadline);
struct timespec pool_deadline(uint64_t timeout_ns);

/* The main functions of the threads: workers make proofs (worker.c), the clerk completes the tasks that were stopped
 * and watches deadlines (clerk.c). */
void *pool_worker_main(void *worker);
void *pool_clerk_main(void *pool);

/* keys.c: a key with one prover for each device, which `create` makes. `cookie` is passed on. */
typedef rp_status (*pool_create_fn)(void *cookie, rp_device *device, uint32_t max_in_flight, void **prover,
                                    rp_error *err);
rp_status pool_add(rp_pool *pool, const pool_system *system, uint64_t n_public, pool_create_fn create, void *cookie,
                   rp_pool_key **added, rp_error *err);
void pool_destroy_key(rp_pool_key *key);

/* task.c: what the public functions of each proof system do. */
rp_status pool_result(rp_pool_task *task, const pool_system *system, void *proof, uint8_t *public_signals,
                      rp_run_counters *counters, rp_error *err);

/* batch.c: many jobs, with graphs_batch_prove. A flight is a job of which these are the members. */
typedef struct pool_job {
  const pool_system *system;
  const char *wtns_path;
  const void *wtns;
  size_t wtns_bytes;
  const rp_gnark_solution *solution;
  void *proof;
  uint8_t *public_signals;
  rp_pool_task *task;
} pool_job;
/* The description of a job of a batch, which is an rp_groth16_job or its twin of another system. */
#define POOL_JOB(of, job)                      \
  ((pool_job){.system = (of),                  \
              .wtns_path = (job)->wtns_path,   \
              .wtns = (job)->wtns,             \
              .wtns_bytes = (job)->wtns_bytes, \
              .proof = (job)->proof,           \
              .public_signals = (job)->public_signals})
/* A flight begins as the description of its job; `index` is for reasons. */
rp_status pool_job_start(rp_pool_key *key, size_t index, uint64_t timeout_ns, pool_job *job, rp_error *err);
rp_status pool_job_finish(void *job, rp_error *err);
/* How many jobs of a batch are submitted at once; 0 for NULL. */
uint32_t pool_places(const rp_pool_key *key);

#endif
