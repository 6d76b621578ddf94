/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The CPU backend: a device is a pool of threads, a program is an array of tasks with dependency counters.
 *
 *   task   a step of the program: a range of items that is handed out in chunks
 *   job    tasks that are started together and finish together: a run, or the wiping after it
 *   pool   the threads; serves several jobs at once, higher priorities first, and then the oldest
 *   visit  a thread's stay in a task: from its first chunk there to its last
 *
 * Everything about jobs that changes is guarded by the pool's lock, except the hand-out of chunks (cpu_task.next,
 * .left) and a few flags. A thread takes the lock once per visit, not once per chunk.
 */
#ifndef REPRISE_ENGINE_BACKENDS_CPU_H
#define REPRISE_ENGINE_BACKENDS_CPU_H

#include "event.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- The machine (machine.c, isa.c) ------------------------------------------------------------------------------ */

uint32_t cpu_count(void);        /* processors that this process may use: affinity mask, cgroup quota; at least 1 */
uint64_t cpu_memory_bytes(void); /* physical memory, or the cgroup's limit if that is lower */
/* What the system can give without swapping, at most cpu_memory_bytes(); 0: it does not tell. */
uint64_t cpu_free_bytes(void);
void cpu_model(char *name, size_t bytes);

/* Bit mask of rp_cpu_isa: what processor and operating system support. */
uint32_t cpu_isa_detect(void);
/* `forced`, or if that is NULL the variable REPRISE_CPU_ISA, names the strongest set to use. Without either, *isa gets
 * all sets of the machine. */
rp_status cpu_isa_select(const char *forced, uint32_t *isa, rp_error *err);
/* Names of the sets in the mask, "c adx avx2". */
void cpu_isa_names(uint32_t isa, char *text, size_t bytes);

/* ---- Sleeping until something happens (event.c) ------------------------------------------------------------------ */

/* To wait: key = cpu_event_key(e); look for work; if there is none, cpu_event_wait(e, key, ...). A notification after
 * the key was read is never missed. */
typedef struct cpu_event {
  _Atomic uint32_t epoch, sleepers;
} cpu_event;

uint32_t cpu_event_key(const cpu_event *event);
/* Looks at the event sixteen times, with a pause after each; true if it was notified. */
bool cpu_event_spin(const cpu_event *event, uint32_t key);
/* Returns when notified or when rp_now_ns() passes deadline_ns; may return early. Spins for spin_ns before it
 * sleeps. */
void cpu_event_wait(cpu_event *event, uint32_t key, uint64_t spin_ns, uint64_t deadline_ns);
void cpu_event_notify(cpu_event *event, uint32_t threads);

/* ---- Jobs (job.c) ------------------------------------------------------------------------------------------------ */

/* Two cache lines: what a run only reads, and what changes while the task runs. */
typedef struct cpu_task {
  _Alignas(64) rp_cpu_fn run;
  void *args;
  uint64_t items;       /* the most that a run can have */
  const uint64_t *word; /* NULL, or: nothing to do when *word is 0: an address to bind, or a guard */
  uint64_t path;        /* weight of the longest chain of tasks from this one to the end */
  const uint32_t *succs;
  uint32_t n_succs, n_preds;
  uint32_t grain;                     /* chunks are multiples of so many items; 0: of any size */
  uint32_t pending;                   /* predecessors that have not finished in this run; 0 when it is ready */
  _Alignas(64) _Atomic uint64_t next; /* first item not handed out */
  _Atomic uint64_t left;              /* items not finished */
  uint64_t count;                     /* items of this run */
  uint64_t chunk;
} cpu_task;

typedef struct cpu_hazards cpu_hazards;

/* Time spent in visits: one list for each worker. */
typedef struct cpu_profile {
  rp_timing *spans; /* workers * capacity */
  uint32_t *used;   /* workers */
  uint32_t workers, capacity;
  uint64_t origin_ns;
} cpu_profile;

typedef struct cpu_pool cpu_pool;

typedef struct cpu_job {
  cpu_task *tasks;
  uint32_t n_tasks;
  uint32_t random_order;
  int32_t priority;
  uint64_t random_state;
  cpu_hazards *hazards; /* NULL: not checked */
  cpu_profile *profile; /* NULL: not timed */
  struct cpu_job *next; /* in the pool's list */
  uint32_t *ready;      /* indices of tasks with chunks to hand out: a heap by path; unordered if the order is random */
  uint32_t n_ready, unready, unfinished;
  uint32_t visitors;                                  /* threads that may still touch the job */
  _Atomic uint32_t n_finished;                        /* tasks whose work is done; read without the lock */
  _Atomic uint64_t best;                              /* path of ready[0]; 0: none */
  void (*ended)(cpu_pool *pool, struct cpu_job *job); /* NULL, or called to set `done`, with the lock held */
  uint32_t stop_first;                                /* sets `stop` when the job starts */
  _Atomic uint32_t stop;                              /* hand out no more work */
  _Atomic uint32_t skipped;                           /* work was left out because of `stop` */
  _Atomic uint32_t done;                              /* last write to a job: its owner may free it then */
} cpu_job;

typedef struct cpu_visit {
  cpu_job *job;
  cpu_task *task;
  uint64_t begin, end; /* first chunk */
} cpu_visit;

/* All three are called with the pool's lock held. */
void cpu_job_reset(cpu_job *job, uint32_t workers); /* and makes the tasks without predecessors ready */
bool cpu_job_pick(cpu_job *job, cpu_visit *visit);  /* 0: no chunk to hand out */
void cpu_job_finish(cpu_job *job, cpu_task *task, uint32_t workers);
/* Called without the lock. Runs chunks of the visited task until there are none, a task with a longer path becomes
 * ready or the deadline passes. True if it finished the last of the task's items: the caller then calls
 * cpu_job_finish. */
bool cpu_job_visit(const cpu_visit *visit, const rp_cpu_worker *worker, uint64_t deadline_ns);

/* ---- The pool (pool.c) ------------------------------------------------------------------------------------------- */

struct cpu_pool {
  rp_context *context;
  pthread_mutex_t lock;
  cpu_job *first;           /* running, in the order of service */
  uint32_t workers;         /* chunks that run at once */
  uint32_t n_seats, *seats; /* worker numbers that no thread has now */
  uint32_t n_threads;
  pthread_t *threads;
  bool quit;
  uint64_t spin_ns;
  _Atomic uint32_t expected; /* tasks of running jobs that are not ready yet: work to come */
  cpu_event work;            /* there is something to do */
  cpu_event done;            /* a job has finished */
  rp_executor executor;      /* parallel == NULL: own threads */
  rp_event_waiter *reached;  /* of events that runs have raised; to be called without the lock */
};

rp_status cpu_pool_open(cpu_pool *pool, rp_context *context, uint32_t workers, const rp_executor *executor,
                        rp_error *err);
void cpu_pool_close(cpu_pool *pool);
void cpu_pool_start(cpu_pool *pool, cpu_job *job);
/* The same with the pool's lock held. Before the caller releases it, it calls cpu_pool_wake; afterwards it fires the
 * list that was in `reached`. */
void cpu_pool_enter(cpu_pool *pool, cpu_job *job);
/* Wakes those who wait for work or for the end of a run. */
void cpu_pool_wake(cpu_pool *pool);
/* True if the job is done, false if the time is over. Without a timeout (UINT64_MAX) the caller's thread helps. With an
 * executor all work is done in this function, at least for a millisecond. */
bool cpu_pool_wait(cpu_pool *pool, cpu_job *job, uint64_t timeout_ns);

/* ---- Memory (memory.c), the backend's entries of the same names -------------------------------------------------- */

typedef struct cpu_device {
  rp_context *context;
  rp_device_info info;
  cpu_pool pool;
} cpu_device;

rp_status cpu_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err);
void cpu_memory_free(void *state, rp_memory *memory);
rp_status cpu_memory_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err);
rp_status cpu_memory_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err);
void cpu_memory_unmap(rp_memory *memory); /* of these two */
bool cpu_memory_lends(void *state, const void *host, uint64_t bytes);
rp_status cpu_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err);
rp_status cpu_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                           rp_error *err);
rp_status cpu_memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                          rp_error *err);

/* ---- Work of the backend's own (builtin.c) ----------------------------------------------------------------------- */

/* The bytes of memory that one item copies or clears. */
#define CPU_PIECE_BYTES ((uint64_t)256 << 10)

typedef struct cpu_copy_args {
  const void *from;
  void *to;
  const uint64_t *word; /* address of the caller's buffer, which stands for the NULL one of the two */
  uint64_t bytes;
  const rp_error_record *gate; /* not NULL: copy only if it is clear */
} cpu_copy_args;
void cpu_copy(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

/* RP_STEP_GUARD. The addresses come first, as in the arguments of a kernel. */
typedef struct cpu_guard_args {
  uint64_t *guard;
  const uint32_t *condition;
  const uint64_t *around; /* another guard, or NULL */
  uint64_t when;
} cpu_guard_args;
void cpu_guard(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

typedef struct cpu_region {
  char *start;
  uint64_t bytes, first_piece;
} cpu_region;

typedef struct cpu_wipe_args {
  const cpu_region *regions; /* by first_piece */
  uint32_t n_regions;
} cpu_wipe_args;
void cpu_wipe(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

/* ---- Accesses in flight (hazards.c) ------------------------------------------------------------------------------ */

typedef struct cpu_span {
  uint64_t begin, end;
  uint32_t access;
} cpu_span;

/* Which tasks could run now, whether or not they do: if two of them have conflicting accesses, an edge is missing. */
struct cpu_hazards {
  const cpu_span *spans;
  const uint32_t *first_span; /* n_tasks + 1 */
  uint32_t *open;             /* n_tasks */
  uint32_t n_open;
  uint32_t found, task_a, task_b; /* the first conflict */
};
/* With the pool's lock held. False: `task` conflicts with one that is open. */
bool cpu_hazards_open(cpu_hazards *hazards, uint32_t task);
void cpu_hazards_close(cpu_hazards *hazards, uint32_t task);

/* ---- Runs that are connected with other work (links.c) ----------------------------------------------------------- */

/* A wait of one run for an earlier one. */
typedef struct cpu_follow {
  struct cpu_follow *next; /* in the earlier program's list */
  rp_program *earlier, *later;
  bool waits; /* it is in that list */
} cpu_follow;

/* All but `waits` is guarded by the pool's lock. */
typedef struct cpu_links {
  cpu_pool *pool;
  _Atomic uint32_t waits; /* the run has been submitted, and not started */
  uint32_t left;          /* how many things it waits for, and one more while they are counted */
  rp_event_waiter waiters[RP_MOST_SYNCS];
  cpu_follow follows[RP_MOST_SYNCS];
  rp_sync signals[RP_MOST_SYNCS];
  uint32_t n_waiters, n_follows, n_signals;
  uint32_t raises;       /* the run was submitted with signals */
  uint32_t keeps_turn;   /* a run that is cancelled while it waits goes on waiting */
  cpu_follow *followers; /* later runs that wait for this one */
} cpu_links;

void cpu_links_submit(rp_program *program, const rp_links *links, bool keeps_turn); /* in place of cpu_pool_start */
/* After the end of a run has been seen: waits until its events have been raised, which may then be destroyed. */
void cpu_links_end(rp_program *program);
void cpu_links_cancel(rp_program *program); /* a run that waits stops when it starts: at once, or in its turn */
/* Without threads of its own, a pool runs only what somebody waits for: the earlier runs first. */
void cpu_links_wait_earlier(rp_program *program, uint64_t timeout_ns);

/* ---- Programs (program.c builds, run.c runs) --------------------------------------------------------------------- */

/* An address in the arguments of a task that depends on where a run binds a value. */
typedef struct cpu_place {
  char *at;
  uint64_t offset;
  uint64_t staging; /* where the block lies in runs whose word is 0 */
  uint32_t word;
} cpu_place;

struct rp_program {
  size_t bytes; /* of the one allocation that holds everything below */
  const rp_program_desc *desc;
  cpu_job run, wipe_io, wipe_rest;
  cpu_links links;
  cpu_task wipe_tasks[2];
  cpu_wipe_args wipe_args[2];
  cpu_hazards hazards;
  cpu_profile profile;
  rp_error_record *record; /* parameter block; NULL: the plan has none */
  uint64_t *words;
  uint32_t n_words;
  cpu_place *places;
  uint32_t n_places;
  uint32_t collected; /* the run's end has been reported */
  rp_backend_counters counters;
};

rp_status cpu_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                             rp_program **program, rp_error *err);
void cpu_program_destroy(void *state, rp_program *program);
uint64_t cpu_program_host_bytes(void *state, const rp_program_desc *desc);
rp_status cpu_submit(void *state, rp_program *program, const uint64_t *words, uint32_t n_words, const rp_links *links,
                     rp_error *err);
rp_status cpu_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err);
rp_status cpu_wait(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err);
void cpu_cancel(void *state, rp_program *program);
void cpu_wipe_program(void *state, rp_program *program);
void cpu_counters(void *state, const rp_program *program, rp_backend_counters *counters);
uint32_t cpu_progress(void *state, rp_program *program);
uint32_t cpu_timings(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity);

#endif
