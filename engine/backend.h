/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The contract between the engine and a backend: memory, programs, submissions. A backend sees only finished plans:
 * dispatches with addresses to fill in, edges and levels. It knows nothing of graphs, operations and placement.
 *
 * Threads: `enumerate` and `open` may be called from several threads at once, and so may the other functions for
 * different programs of a device. For one program they are called one at a time, except `cancel` and `progress`, which
 * may be called at any time. Everything that `submit`, `wait` and `wipe` need is allocated by `program_create`.
 */
#ifndef REPRISE_ENGINE_BACKEND_H
#define REPRISE_ENGINE_BACKEND_H

#include <stdbool.h>

#include <reprise/host_program.h>
#include <reprise/op.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

typedef enum rp_memory_kind {
  RP_MEMORY_DEVICE,      /* memory that kernels work on */
  RP_MEMORY_STAGING_UP,  /* host memory that the device reads quickly (pinned, write-combined) */
  RP_MEMORY_STAGING_DOWN /* host memory that the device writes quickly (pinned, cached) */
} rp_memory_kind;

typedef struct rp_memory {
  uint64_t address; /* for kernels; on the CPU the pointer itself; 0 for staging that kernels do not access */
  void *host;       /* for the host; NULL if it cannot access the memory */
  uint64_t bytes;
  void *native; /* the backend's handle */
  void *lent;   /* what the caller's allocator gave, if this is its memory (device_host.c) */
} rp_memory;

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

/* What a block of a plan is for. One block is one allocation of at most limits.max_allocation_bytes. */
typedef enum rp_space {
  RP_SPACE_CONSTANT, /* shared by the slots of a recording */
  RP_SPACE_BORROWED, /* the caller's memory, used in place (host_visible devices only) */
  RP_SPACE_ONCE,     /* arena of the one-time part */
  RP_SPACE_ARENA,    /* intermediates of a slot */
  RP_SPACE_INPUT,    /* inputs of a slot, in the order of the staging, so that one copy can do. On a host_visible
                         device the block is the staging (memory of kind RP_MEMORY_STAGING_UP; outputs: _DOWN) */
  RP_SPACE_OUTPUT,   /* outputs of a slot, likewise */
  RP_SPACE_EXCHANGE, /* inputs and outputs of a slot that come from, or go to, other programs; no staging */
  RP_SPACE_BOUND,    /* an input or output in memory of the caller, whose address each submission gives in a parameter
                        word; the program has no memory for it, and does not wipe it */
  RP_SPACE_PARAMETER /* one block: rp_error_record, then a u64 address for each bindable input and output, and each
                        input that can be lent; 0 if it is not */
} rp_space;

typedef struct rp_block {
  rp_space space;
  uint64_t bytes;
  bool secret;   /* to be wiped after a run */
  bool lendable; /* RP_SPACE_INPUT: holds one input, which a run may take from the caller's host memory */
  uint32_t word; /* RP_SPACE_BOUND, lendable: index of the u64 after the error record */
} rp_block;

typedef struct rp_ref { /* bytes inside a block */
  uint64_t offset, bytes;
  uint32_t block;
  uint32_t access;
  uint32_t bound;   /* for checks: the same for two references that the operation itself has made to one value */
  uint32_t address; /* of a dispatch: index of the address in the argument struct */
} rp_ref;
#define RP_NO_BLOCK UINT32_MAX

typedef enum rp_step_kind {
  RP_STEP_DISPATCH,
  RP_STEP_BIND_IN,  /* refs[0] <- the caller's buffer, whose address is in parameter word `word`, unless that is 0 */
  RP_STEP_BIND_OUT, /* the caller's buffer <- refs[0], likewise, if the error record, refs[1], is clear */
  /* Only for backends that skip: refs[0], a parameter word <- 1 if the u32 at refs[1] is not 0 (`when` is 0: is 0), and
   * the parameter word at refs[2], if there is one, is not 0; else 0. Before a run, these words are 0. */
  RP_STEP_GUARD
} rp_step_kind;

/* What a step does, wherever its operands lie. The steps that calls of a body make of one dispatch share it. */
typedef struct rp_pattern {
  const rp_kernel *kernel;
  const char *label; /* scope, node, dispatch; of a body, in there */
  /* One per bind that is not absent, in order, and behind them the guard's, for steps that have one: a parameter word.
   * Of a body: `block` is the index of a base, from which the offset counts. */
  const rp_ref *refs;
  const void *args; /* kernel->args_bytes; the addresses of refs are not filled in, absent ones are 0 */
  /* Of a body: offsets in the arguments of numbers (u32) to which a call adds its own. */
  const uint32_t *sites;
  uint32_t n_sites, n_refs;
  uint32_t groups[3]; /* each at least 1 */
  uint32_t grain;
  uint32_t word; /* RP_STEP_BIND_*: index of the u64 after the error record */
  rp_step_kind kind;
  bool when;    /* RP_STEP_GUARD */
  bool guarded; /* as rp_step_guarded tells */
} rp_pattern;

/* Where a value of a body lies in one call. */
typedef struct rp_base {
  uint64_t offset;
  uint32_t block, bound; /* as in rp_ref */
} rp_base;

/* What the steps of one call have in common. */
typedef struct rp_bases {
  const rp_base *at;
  const char *scope; /* of their labels; "": none */
  uint32_t site;     /* what is added to the numbers in arguments */
  bool guarded;      /* in place of the pattern's */
} rp_bases;

typedef struct rp_step {
  const rp_pattern *pattern;
  const rp_bases *call;  /* NULL: it is of no call */
  const uint32_t *preds; /* steps that must finish before this one; their indices are smaller */
  const uint32_t *succs;
  uint64_t alone_ns; /* what it takes if nothing else runs, as predicted (cost.h) */
  uint32_t share;    /* the part of the device that it occupies then, in units of 1 / RP_COST_WHOLE */
  uint32_t level;    /* steps of one level are independent of each other */
  uint32_t n_preds, n_succs;
} rp_step;

/* Reference i of a step, as a range of a block of the program. */
static inline rp_ref rp_step_ref(const rp_step *step, uint32_t i) {
  rp_ref ref = step->pattern->refs[i];
  if (!step->call) return ref;
  const rp_base *base = &step->call->at[ref.block];
  ref.offset += base->offset;
  ref.block = base->block;
  ref.bound = base->bound;
  return ref;
}

/* Whether it has a guard, and does nothing in runs in which that is 0. */
static inline bool rp_step_guarded(const rp_step *step) {
  return step->call ? step->call->guarded : step->pattern->guarded;
}

/* How many references there are, with the guard's. */
static inline uint32_t rp_step_n_refs(const rp_step *step) { return step->pattern->n_refs + rp_step_guarded(step); }

/* The guard of a step that has one. */
static inline rp_ref rp_step_guard(const rp_step *step) { return rp_step_ref(step, step->pattern->n_refs); }

/* Writes the pattern's kernel->args_bytes, without addresses. */
void rp_step_args(const rp_step *step, void *args);

enum { RP_LABEL_BYTES = 512 };
/* Its name for messages: scope, node, dispatch. `text` may be used, and a longer name is cut off there. */
const char *rp_step_label(const rp_step *step, char text[RP_LABEL_BYTES]);

/* A copy that brings up inputs: bytes of a block of RP_SPACE_INPUT, which begin at `staging` in the staging. */
typedef struct rp_upload {
  uint32_t block;
  uint64_t offset, bytes, staging;
} rp_upload;
enum { RP_MOST_UPLOADS = 16 }; /* of a program, unless its inputs take more blocks */
/* Whether the step accesses bytes that the copy brings up (passes/uploads.c). */
bool rp_needs_upload(const rp_step *step, const rp_upload *upload);

/* All arrays belong to the engine and outlive the program. */
typedef struct rp_program_desc {
  const char *name;
  const rp_step *steps; /* sorted by level */
  uint32_t n_steps, n_levels;
  const rp_block *blocks;
  uint32_t n_blocks;
  /* The input blocks, cut where large inputs begin, in the order in which they should go up: first what the longest
   * path of steps needs. A backend may also copy whole blocks. */
  const rp_upload *uploads;
  uint32_t n_uploads;
  uint64_t input_bytes, output_bytes; /* staging sizes = total bytes of the input (output) blocks */
  uint32_t flags;                     /* RP_RECORD_* */
  /* 1: runs of other slots may be in flight, so that a backend with a queue for copies alone should upload the inputs
   * through it, beside them. */
  bool uploads_ahead;
  bool once; /* the one-time part, whose run nobody cancels */
  uint64_t order_seed;
  struct rp_plan *plan; /* of a group's program, which starts those of its pieces (group/group.h); else NULL */
} rp_program_desc;

/* `blocks` has one memory per block, which is zero for blocks of RP_SPACE_BOUND. The staging is given if the input and
 * output blocks are not host-visible; otherwise those blocks are the staging. */
typedef struct rp_program_memory {
  const rp_memory *blocks;
  rp_memory staging_up, staging_down;
} rp_program_memory;

typedef struct rp_program rp_program; /* defined by the backend; one per run slot */

/* An input in a block of RP_SPACE_EXCHANGE that is copied there for this run, before the first step, and beside other
 * work of the device as far as it can be. */
typedef struct rp_arrival {
  rp_program *from;      /* of another device of the same backend, submitted before: copies what that run has computed,
                             when it is finished. NULL: an input of the graph */
  bool arrived;          /* 1: copies what arrives for that run with `shared` as soon as it is there; `from` may be of
                            this device */
  bool shared;           /* others copy it from where it arrives; all that are shared come before those that are not */
  void *from_state;      /* the state of that device */
  uint64_t from_address; /* in its memory */
  const void *from_host; /* of an input of the graph: in staging that this backend has allocated */
  uint64_t to_address, bytes;
} rp_arrival;

/* What connects a submission with other work (rp_submit_options). Every entry is of the device's kind. */
typedef struct rp_links {
  const rp_sync *waits, *signals;
  uint32_t n_waits, n_signals;
  rp_program *const *after; /* programs of this device, submitted before; none is destroyed or submitted again before
                               the end of this run */
  uint32_t n_after;
  const rp_arrival *arrivals; /* only for backends that have `reaches` */
  uint32_t n_arrivals;
  void *stream;     /* NULL: the backend's own */
  bool keeps;       /* programs that are submitted later read what this run leaves on the device: its secret blocks are
                       not overwritten before `wipe` is called */
  int32_t priority; /* of the run among others of the device */
  bool sleeps;      /* the thread that waits for the end should leave its core to others */
} rp_links;

/* One of the runs that are submitted together. */
typedef struct rp_start {
  rp_program *program;
  const uint64_t *words;
  uint32_t n_words;
  int32_t priority;
} rp_start;

/* Device time of a step (or of a copy), from the run's submission, for profiled programs. */
typedef struct rp_timing {
  uint32_t step;   /* index, or RP_TIMING_UPLOAD, RP_TIMING_DOWNLOAD */
  uint32_t worker; /* CPU: one entry per worker that took part. GPU: 0 */
  uint64_t begin_ns, end_ns;
} rp_timing;
#define RP_TIMING_UPLOAD UINT32_MAX
#define RP_TIMING_DOWNLOAD (UINT32_MAX - 1)

/* Filled by the backend during submit and wait, for rp_run_counters. */
typedef struct rp_backend_counters {
  uint32_t submissions, waits, uploads, downloads;
  uint64_t bytes_up, bytes_down;
} rp_backend_counters;

/* ---- The function table ------------------------------------------------------------------------------------------ */

typedef struct rp_backend {
  const char *name;
  rp_device_kind kind;
  /* 1: program_destroy, memory_free, memory_unwrap and close may be called in a forked child, where they free host
   * memory and touch neither threads nor locks (rp_context_is_forked). 0: nothing is called there. */
  bool host_only;
  bool (*skips)(const void *state); /* whether steps may have guards; NULL: none has, and there is no RP_STEP_GUARD */

  /* Gives at least one entry: a missing driver is an entry with available = 0 and a reason. Sets *count to the number
   * of devices, even if it is more than `capacity`, and fills in the first `capacity` entries. */
  rp_status (*enumerate)(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count);
  /* Optional: 1 if the machine has no hardware for this backend, as far as can be seen without loading a driver.
   * RP_DEVICE_AUTO then skips the backend, since its driver might take a long time, and much memory, to find the
   * same. */
  bool (*no_hardware)(void);
  /* Optional, both or none: between `hold` and `let_go`, the backend keeps what enumerate and open both need and is
   * slow to make. let_go is called only after `hold` has returned 1. */
  bool (*hold)(rp_context *context);
  void (*let_go)(rp_context *context);
  /* Sets *state and fills *info (limits above all). */
  rp_status (*open)(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                    rp_error *err);
  /* Optional: the same for a caller who brings more than `options` can say; host is not NULL. */
  rp_status (*open_for)(rp_context *context, const rp_device_options *options, const rp_host_device *host, void **state,
                        rp_device_info *info, rp_error *err);
  void (*close)(void *state);

  /* On a host_visible device, allocates whole pages that hold nothing else. */
  rp_status (*memory_alloc)(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err);
  void (*memory_free)(void *state, rp_memory *memory);
  rp_status (*memory_wrap)(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err);
  void (*memory_unwrap)(void *state, rp_memory *memory); /* optional */
  /* Optional: whether submissions may take an input from this host memory of the caller, whose address the word of the
   * block then has. Without it there are no lendable blocks. */
  bool (*memory_lends)(void *state, const void *host, uint64_t bytes);
  /* Optional, both or none: memory that other programs can import, and memory of other programs. memory_free takes both
   * back. The engine has checked what the sizes say of each other and sets struct_size. shared->fd is new in the first
   * and stays the caller's in the second. */
  rp_status (*memory_share)(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err);
  rp_status (*memory_import)(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err);
  rp_status (*memory_write)(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                            rp_error *err);
  /* Optional: the same from a block of RP_MEMORY_STAGING_UP, as fast as the link allows. Unlike any other function,
   * this and memory_write may be called by several threads for different ranges of one block. */
  rp_status (*memory_send)(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                           uint64_t staging_offset, uint64_t bytes, rp_error *err);
  rp_status (*memory_read)(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                           rp_error *err);

  /* Builds an executable: checks that every kernel has a variant for this device (else RP_ERR_UNSUPPORTED with its
   * name), loads modules, fills in addresses, records. */
  rp_status (*program_create)(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                              rp_program **program, rp_error *err);
  void (*program_destroy)(void *state, rp_program *program);
  /* Host bytes that program_create would take, for the plan. */
  uint64_t (*program_host_bytes)(void *state, const rp_program_desc *desc);

  /* Starts a run: clears the error record, writes the parameter words, uploads the inputs, executes the steps, and
   * downloads the outputs and the error record. `words` are the n_words bound addresses (0: not bound;
   * those of blocks of RP_SPACE_BOUND always are); what these replace in a program may be written again here, while
   * nothing runs, but no memory is allocated by the backend. `links` may be NULL. A failed submission has signalled
   * nothing. */
  rp_status (*submit)(void *state, rp_program *program, const uint64_t *words, uint32_t n_words, const rp_links *links,
                      rp_error *err);
  /* Optional: starts 1 to RP_MOST_RUNS runs of different programs, which the device executes one after the other, each
   * after all memory accesses of those before it. `links` is not NULL and has no arrivals, `keeps` or
   * priority: what it waits for comes before the first run, what it signals comes after the last. A run that is
   * cancelled keeps its turn. If this fails, nothing is running and nothing has been signalled. */
  rp_status (*submit_runs)(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err);
  /* Optional, with `latest_fault`: adds what `submit` would start to the caller's work (rp_into, whose kind the backend
   * checks), with these words. The program is not submitted again until its run has been ended. */
  rp_status (*record_into)(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                           const rp_into *into, rp_error *err);
  void (*latest_fault)(void *state, const rp_program *program, rp_error_record *fault); /* of a finished execution */
  /* RP_OK when finished, RP_ERR_TIMEOUT (timeout_ns 0 polls), RP_ERR_CANCELLED, RP_ERR_DEVICE_LOST. After RP_OK *fault
   * is the error record of the run. */
  rp_status (*wait)(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err);
  /* Has no effect if nothing runs, nor on the next submission. */
  void (*cancel)(void *state, rp_program *program);
  /* Overwrites secret blocks with zeros; called only if some block is secret, and while nothing runs. Input and output
   * blocks that the host can access, and all of the staging, are zero when it returns, so that the next run's inputs
   * may be written there at once. The other secret blocks are zero before the program's next submission starts or
   * program_destroy returns. A device that cannot do that becomes lost. Unless the program has RP_RECORD_KEEP_INPUTS, a
   * backend may wipe the staging of the inputs earlier, as soon as they have been uploaded. */
  void (*wipe)(void *state, rp_program *program);
  void (*counters)(void *state, const rp_program *program, rp_backend_counters *counters); /* of the latest run */
  /* Optional: how many steps of the run in flight are finished. May be called at any time, from any thread. */
  uint32_t (*progress)(void *state, rp_program *program);
  /* Profiled programs: writes at most `capacity`, returns how many there are. */
  uint32_t (*timings)(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity);
  bool (*is_lost)(void *state);
  /* Optional, with rp_links.arrivals: whether the device copies straight from the memory of another one of this backend
   * (1), or through the host's (0). Makes what access the driver demands; called before any program is made. */
  bool (*reaches)(void *state, void *other);
  /* With `reaches`: waits until what arrives for the program's submission has been copied, so that the host may
   * overwrite where the inputs of the graph came from. */
  rp_status (*await_arrivals)(void *state, rp_program *program, rp_error *err);
  /* Optional, both or none: all kernels that the driver has compiled for this device, as bytes that it understands
   * later. pipelines_get sets *bytes to their number; with `data`, which has room for *bytes, it writes them; 0 on
   * failure. pipelines_add takes such bytes, whose content the driver does not check; 0 if another device or driver
   * made them. */
  bool (*pipelines_get)(void *state, void *data, uint64_t *bytes);
  bool (*pipelines_add)(void *state, const void *data, uint64_t bytes);
  /* Optional: how much of the device's memory was free when it was opened, that is, not taken by this or any other
   * program; 0: not known. */
  uint64_t (*free_bytes)(void *state);
} rp_backend;

/* The backends of this library; NULL ends the list. A backend that is not in the build has a table whose `enumerate`
 * says so. RP_DEVICE_AUTO prefers them in this order: CUDA, Vulkan (discrete or integrated GPUs, no software
 * rasteriser), CPU. It never chooses the null device. */
extern const rp_backend *const rp_backends[];
extern const rp_backend rp_backend_cpu, rp_backend_null, rp_backend_cuda, rp_backend_vulkan;

/* Functions of the engine that backends use. */
void *rp_host_alloc(rp_context *context, size_t bytes, size_t align); /* from the context's allocator; NULL when out */
void rp_host_free(rp_context *context, void *memory, size_t bytes);
/* 1 in a child that was forked from the context's process. Locks may be held there by threads of the parent, which the
 * child does not have. */
bool rp_context_is_forked(const rp_context *context);
void rp_log(rp_context *context, rp_log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Fills err (may be NULL) and returns status. */
rp_status rp_fail(rp_error *err, rp_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
uint64_t rp_now_ns(void); /* monotonic */

#endif
