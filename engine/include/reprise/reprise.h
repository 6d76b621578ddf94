/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: contexts, devices, buffers, graphs, recordings and runs.
 *
 * Record once, replay per proof: a caller builds a DAG of operations over typed arrays, records it for one device,
 * and replays the recording as often as wanted, each time with new inputs, one submission and one wait.
 *
 * Calling rules, for every header of the library
 *  - Every call that can fail returns rp_status. RP_OK is 0. Where a call takes `rp_error *err`, the reason (what,
 *    where, what to do) is written there on failure; `err` may be NULL, and is left alone on success.
 *  - Results come back through the last pointer before `err`. On failure it is set to NULL and nothing is leaked.
 *  - NULL where the text does not allow it gives RP_ERR_ARGUMENT, never a crash. destroy/close/end accept NULL.
 *  - Option structs begin with `struct_size`, which the caller sets to sizeof; a zeroed rest asks for the defaults,
 *    and so does a NULL pointer. Fields are only ever appended: a shorter struct than the library's leaves the rest at
 *    its defaults, and what a longer one has behind it is not read.
 *  - Structs that the library writes (`_info`, `_counters`) begin with it too: the caller sets it before the call, and
 *    no byte behind so many is written. In an array the first element's size counts for all. Where it is not set,
 *    nothing is written, and a function that returns a status says so.
 *  - Units are in the names: `_bytes`, `_ns`; a plain `n` or `len` counts elements; `log_n` means 1 << log_n.
 *  - Integers and field elements in caller memory are little-endian.
 *  - Threads: a context, a device and a recording may be used from several threads at once. A graph, while it is
 *    built, and a run belong to one thread at a time. Buffers follow their users: do not free one that a run still
 *    reads.
 *  - Ownership: whoever created an object destroys it, children first (run, recording, buffer, device, context).
 *    Devices and contexts are counted: one that is closed while something still uses it lives on until the last user
 *    is gone, so that finalizers may run in any order. Pointers that a getter returns belong to the object and live as
 *    long as it does, unless the getter says otherwise.
 *  - fork: a context belongs to the process that created it. In a child, every call that takes that context, or a
 *    device, buffer, recording or run of it, or what was recorded on such a device, gives RP_ERR_STATE at once;
 *    pointers come back NULL, and getters answer. Destroying works there: it gives host memory back, waits for
 *    nothing, logs nothing, and leaves threads and drivers alone, which are the parent's. Memory of rp_secret_alloc,
 *    and host pages in which recordings keep secrets, are empty there if the system has MADV_WIPEONFORK (Linux 4.14).
 *    The child creates a context of its own; what is memory alone (graphs, keys, verification keys) it may use with
 *    it. A child is known by the number of its process and by a page that is empty in it; without such pages, a
 *    descendant with the number of an ancestor that has ended is not known. A child of vfork, or of clone with
 *    CLONE_VM, may call nothing here.
 *  - The library never prints, exits or aborts, and keeps no global mutable state but a counter that numbers graphs.
 */
#ifndef REPRISE_REPRISE_H
#define REPRISE_REPRISE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RP_VERSION_MAJOR 0
#define RP_VERSION_MINOR 1
#define RP_VERSION_PATCH 0 /* CMake and packages read these three */

#if defined(__GNUC__)
#define RP_API __attribute__((visibility("default")))
#define RP_CHECKED __attribute__((warn_unused_result)) /* a status that is not looked at is a warning */
#else
#define RP_API
#define RP_CHECKED
#endif
/* An attribute for the type rp_status itself: with clang's warn_unused_result here every function that returns one is
 * checked, also internal ones and a program's own. The library is built so. */
#if !defined(RP_CHECKED_TYPE)
#define RP_CHECKED_TYPE
#endif

/* The version of the library that is linked, such as "0.1.0"; the macros are of the one that was compiled against. What
 * a difference means: CHANGELOG.md. */
RP_API const char *rp_version(void);

/* ---- Status and error -------------------------------------------------------------------------------------------- */

/* X(enumerator, value, short text) */
#define RP_STATUS_LIST(X)                                               \
  X(RP_OK, 0, "ok")                                                     \
  X(RP_ERR_ARGUMENT, 1, "argument not allowed")                         \
  X(RP_ERR_TYPE, 2, "element type does not fit")                        \
  X(RP_ERR_SHAPE, 3, "length does not fit")                             \
  X(RP_ERR_STATE, 4, "call not possible in this state")                 \
  X(RP_ERR_MEMORY, 5, "out of host memory")                             \
  X(RP_ERR_DEVICE_MEMORY, 6, "out of device memory")                    \
  X(RP_ERR_BUDGET, 7, "does not fit the memory budget")                 \
  X(RP_ERR_DEVICE_LOST, 8, "device lost")                               \
  X(RP_ERR_UNAVAILABLE, 9, "device or driver not available")            \
  X(RP_ERR_UNSUPPORTED, 10, "not supported by this device")             \
  X(RP_ERR_INPUT, 11, "a value given to the run is out of range")       \
  X(RP_ERR_FILE, 12, "file cannot be read or written")                  \
  X(RP_ERR_FORMAT, 13, "file is damaged or not of the expected format") \
  X(RP_ERR_MISMATCH, 14, "inputs do not belong together")               \
  X(RP_ERR_VERIFY, 15, "proof does not verify")                         \
  X(RP_ERR_CANCELLED, 16, "cancelled")                                  \
  X(RP_ERR_TIMEOUT, 17, "not finished within the time given")           \
  X(RP_ERR_BUSY, 18, "no run can begin now")                            \
  X(RP_ERR_BUFFER_TOO_SMALL, 19, "caller's buffer is too small")        \
  X(RP_ERR_INTERNAL, 20, "internal check failed")

typedef enum RP_CHECKED_TYPE rp_status {
#define RP_STATUS_ENUM(name, value, text) name = value,
  RP_STATUS_LIST(RP_STATUS_ENUM)
#undef RP_STATUS_ENUM
} rp_status;

/* The enumerator's name ("RP_ERR_INPUT") and its short text. Never NULL, also for a number that is no status. */
RP_API const char *rp_status_name(rp_status status);
RP_API const char *rp_status_text(rp_status status);

/* A reason that a person can act on; caller-owned, always NUL-terminated after a failed call. */
typedef struct rp_error {
  rp_status status;
  char reason[508];
} rp_error;

/* ---- Context ----------------------------------------------------------------------------------------------------- */

typedef struct rp_context rp_context;
typedef struct rp_device rp_device;
typedef struct rp_buffer rp_buffer;
typedef struct rp_graph rp_graph;
typedef struct rp_recording rp_recording;
typedef struct rp_run rp_run;

/* Host memory comes from here. `align` is a power of two; `free` gets the bytes that `alloc` was asked for. Both may be
 * called from any thread that calls the library or that a device has started, and by several at once. In a forked child
 * `free` is called by whatever destroys what the parent has made, and `alloc` too where a graph of the parent's is
 * built further: a lock inside them must not stay taken over a fork (pthread_atfork). Zeroed: the C library's
 * aligned_alloc and free. */
typedef struct rp_allocator {
  void *user;
  void *(*alloc)(void *user, size_t bytes, size_t align);
  void (*free)(void *user, void *memory, size_t bytes);
} rp_allocator;

typedef enum rp_log_level { RP_LOG_ERROR = 1, RP_LOG_WARNING = 2, RP_LOG_INFO = 3, RP_LOG_DEBUG = 4 } rp_log_level;
typedef void (*rp_log_fn)(void *user, rp_log_level level, const char *message);

typedef struct rp_context_options {
  uint32_t struct_size;
  rp_log_level log_level; /* 0: RP_LOG_WARNING */
  rp_log_fn log;          /* NULL: silent. May be called from any thread, but not in a forked child. */
  void *log_user;
  rp_allocator allocator;
} rp_context_options;

RP_API RP_CHECKED rp_status rp_context_create(const rp_context_options *options, rp_context **context, rp_error *err);
/* Gives the creator's reference back. While devices or graphs of the context are left, or references of
 * rp_context_retain, it lives on, a warning in its log says what is left, and the last of them frees it. */
RP_API void rp_context_destroy(rp_context *context);
/* The same, but refused while something is left: RP_ERR_STATE, a sentence that counts what there is, and the context
 * stays the caller's. */
RP_API RP_CHECKED rp_status rp_context_try_destroy(rp_context *context, rp_error *err);
/* One more reference, for an object that keeps the context, and its return. NULL: nothing. */
RP_API void rp_context_retain(rp_context *context);
RP_API void rp_context_release(rp_context *context);
/* RP_OK in the process that created the context; RP_ERR_STATE in a child that was forked from it. */
RP_API RP_CHECKED rp_status rp_context_check(const rp_context *context, rp_error *err);

/* ---- Memory for secrets ------------------------------------------------------------------------------------------ */

/* Memory for a witness, or for anything else that should not leave the process: whole pages that are in no core dump
 * and in no child of a fork, and are locked against swapping as far as RLIMIT_MEMLOCK allows, where the system can do
 * each of these. Recordings keep secret inputs, and what is computed from them, in such pages too. Zeroed; NULL if
 * there is none, or if bytes is 0. rp_secret_free overwrites it first, and takes the bytes that were asked for. NULL is
 * allowed. */
RP_API void *rp_secret_alloc(size_t bytes);
RP_API void rp_secret_free(void *memory, size_t bytes);

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

/* X(enumerator, value, name as it is written in options and REPRISE_DEVICE) */
#define RP_DEVICE_KIND_LIST(X)     \
  X(RP_DEVICE_AUTO, 0, "auto")     \
  X(RP_DEVICE_CPU, 1, "cpu")       \
  X(RP_DEVICE_CUDA, 2, "cuda")     \
  X(RP_DEVICE_VULKAN, 3, "vulkan") \
  X(RP_DEVICE_NULL, 4, "null")

typedef enum rp_device_kind {
#define RP_DEVICE_KIND_ENUM(name, value, text) name = value,
  RP_DEVICE_KIND_LIST(RP_DEVICE_KIND_ENUM)
#undef RP_DEVICE_KIND_ENUM
      RP_DEVICE_KIND_COUNT
} rp_device_kind;

RP_API const char *rp_device_kind_name(rp_device_kind kind);

/* What lowering and planning may rely on. */
typedef struct rp_device_limits {
  uint32_t workers;              /* CPU: threads that run kernels. GPU: multiprocessors, 1 if unknown */
  uint32_t isa;                  /* CPU: bit mask of rp_cpu_isa (op.h). GPU: compute capability or 0 */
  uint32_t subgroup;             /* lanes that run in step; CPU: 1 */
  uint32_t max_group;            /* threads a workgroup; CPU: 1 */
  uint32_t shared_bytes;         /* workgroup memory */
  uint32_t max_args_bytes;       /* argument struct of a kernel */
  uint64_t max_groups;           /* workgroups in one dispatch */
  uint64_t max_allocation_bytes; /* a larger value is segmented */
  uint64_t memory_bytes;         /* physical memory */
  uint64_t align_bytes;          /* placement of every value */
  uint32_t has_int64;            /* shaders: 64-bit integers */
  uint32_t host_visible;         /* 1: inputs, constants and outputs are used in place (CPU) */
} rp_device_limits;

typedef struct rp_device_info {
  uint32_t struct_size;
  rp_device_kind kind;
  uint32_t index;     /* among the devices of its kind */
  uint32_t available; /* 0: `reason` says why it cannot be opened, and what is needed */
  uint32_t software;  /* 1: a software rasteriser; RP_DEVICE_AUTO passes it over */
  char name[128];
  char driver[128];
  char reason[256];
  uint64_t memory_budget_bytes; /* what recordings may take; default: nine tenths of memory_bytes */
  rp_device_limits limits;
} rp_device_info;

/* Lists what this machine has: at least one entry for each kind, so that an absent driver is reported with its reason.
 * Writes at most `capacity` entries, devices[0].struct_size bytes apart, and always sets *count to how many there are.
 * `devices` may be NULL when capacity is 0. */
RP_API RP_CHECKED rp_status rp_devices(rp_context *context, rp_device_info *devices, uint32_t capacity, uint32_t *count,
                                       rp_error *err);

/* A caller's thread pool for the CPU device: run `task(arg, i)` once for each i in [0, n), in any order, on up to n
 * threads at once, and return when all are done. Must not throw or jump out. */
typedef struct rp_executor {
  void *user;
  uint32_t workers; /* how many calls can make progress at once; at least 1 */
  void (*parallel)(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg);
} rp_executor;

typedef struct rp_device_options {
  uint32_t struct_size;
  rp_device_kind kind; /* RP_DEVICE_AUTO: REPRISE_DEVICE if set ("cpu", "cuda", "cuda:1" ...), else the best there is */
  uint32_t index;      /* among the devices of that kind */
  uint32_t cpu_threads;         /* CPU: 0: as many as the process may run on */
  uint64_t memory_budget_bytes; /* 0: the device's default */
  const char *cpu_isa;          /* CPU: NULL: REPRISE_CPU_ISA if set, else the best; "c" forces plain C. See op.h */
  const rp_executor *executor;  /* CPU: NULL: the device's own threads. Copied. */
  void *native[4];              /* caller's own handles, all or none. CUDA: CUcontext, CUstream. Vulkan: VkInstance,
                                   VkPhysicalDevice, VkDevice, VkQueue (queue family in native_index) */
  uint32_t native_index;
  const char *cache_dir; /* Vulkan: folder for compiled pipelines, made if it is missing; "": none are kept. NULL:
                            REPRISE_CACHE_DIR, or else reprise in the user's cache folder. Read at opening only. */
} rp_device_options;

RP_API RP_CHECKED rp_status rp_device_open(rp_context *context, const rp_device_options *options, rp_device **device,
                                           rp_error *err);
/* Gives the opener's reference back. While recordings or buffers of the device are left, objects of graphs.h that were
 * made on it, or references of rp_device_retain, it stays open for them, a warning in the context's log says what is
 * left, and the last of them closes it. The handle is not the caller's any more. */
RP_API void rp_device_close(rp_device *device);
/* The same, but refused while something is left: RP_ERR_STATE, a sentence that counts what there is, and the device
 * stays open and the caller's. */
RP_API RP_CHECKED rp_status rp_device_try_close(rp_device *device, rp_error *err);
/* One more reference, for an object that keeps the device, and its return. NULL: nothing. */
RP_API void rp_device_retain(rp_device *device);
RP_API void rp_device_release(rp_device *device);
RP_API void rp_device_get_info(const rp_device *device, rp_device_info *info);
/* Of its memory budget, what recordings in use do not hold: what a new recording may take. 0 for NULL. */
RP_API uint64_t rp_device_available_bytes(rp_device *device);
RP_API rp_context *rp_device_context(const rp_device *device); /* that it was opened in */
/* 1 once it has been lost: later calls give RP_ERR_DEVICE_LOST. A CUDA device stays lost to the process: restart it. */
RP_API int rp_device_is_lost(const rp_device *device);

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/* Device memory of the caller's, to bind as an input or output of runs without a copy through the host. */
RP_API RP_CHECKED rp_status rp_buffer_create(rp_device *device, uint64_t size_bytes, rp_buffer **buffer, rp_error *err);
/* Wraps memory that the caller owns: CPU a host pointer, CUDA a CUdeviceptr, Vulkan a VkBuffer with device address
 * usage. It must outlive the buffer. */
RP_API RP_CHECKED rp_status rp_buffer_wrap(rp_device *device, void *native, uint64_t size_bytes, rp_buffer **buffer,
                                           rp_error *err);
RP_API void rp_buffer_destroy(rp_buffer *buffer);
RP_API uint64_t rp_buffer_size(const rp_buffer *buffer);
/* Synchronous copies; the range must lie inside the buffer. */
RP_API RP_CHECKED rp_status rp_buffer_write(rp_buffer *buffer, uint64_t offset_bytes, const void *data,
                                            uint64_t size_bytes, rp_error *err);
RP_API RP_CHECKED rp_status rp_buffer_read(rp_buffer *buffer, uint64_t offset_bytes, void *data, uint64_t size_bytes,
                                           rp_error *err);

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

/* An element type is to the engine an id, a size and an alignment. Types are static objects; two are the same when
 * their ids are. Ids from RP_TYPE_USER up are free for callers. types.h names the built-in ones. */
typedef struct rp_type rp_type;
struct rp_type {
  uint32_t id;
  uint32_t size_bytes;
  uint32_t align_bytes; /* power of two, at most 64 */
  const char *name;     /* for messages and drawings; never NULL */
  /* For RP_RECORD_CHECK_INPUTS: how many of the n elements at `elements` are valid, counted up to the first that is
   * not; n: all. `elements` is aligned as the type is; n may be less than an input has, which is then checked in
   * several calls. Called by any thread; no address and no branch depends on a valid element. NULL: every element is
   * valid. */
  uint64_t (*valid)(const rp_type *type, const void *elements, uint64_t n);
};
#define RP_TYPE_USER 0x10000u

/* A value of one graph: an array of `len` elements, written once. Both fields are the library's: `id` counts the values
 * of a graph, and `graph` marks whose it is, so that a value is refused wherever another graph, or a recording of
 * another graph, is meant. No two graphs of a process have the same mark, until 2^32 have been made. A value means
 * nothing in a file or in another process. id 0 is no value; using it is a builder error. */
typedef struct rp_value {
  uint32_t id;
  uint32_t graph;
} rp_value;
#ifdef __cplusplus
#define RP_NO_VALUE (rp_value{0, 0})
#else
#define RP_NO_VALUE ((rp_value){0, 0})
#endif

typedef enum rp_storage {
  RP_STORAGE_NONE = 0,
  RP_STORAGE_INPUT = 1,        /* bound at each run */
  RP_STORAGE_CONSTANT = 2,     /* uploaded once, shared by all runs; results of constants alone are constants too */
  RP_STORAGE_INTERMEDIATE = 3, /* placed by the engine */
  RP_STORAGE_OUTPUT = 4        /* read back after each run */
} rp_storage;

enum {
  RP_SECRET =
      1u, /* input: it and all that is computed from it is wiped after the run, never logged, dumped or traced */
  RP_BORROW = 2u, /* constant: the caller keeps `data` alive and unchanged as long as the graph and its recordings live;
                     the device may use it in place. Otherwise it is copied at once. */
  RP_RESIDENT =
      4u, /* input, output: has no staging; given and read through rp_run_bind_input, rp_run_bind_output only */
  RP_BINDABLE = 8u /* input, output: has staging, and a run may bind a buffer instead; costs a small step a run */
};

/* Limits of one graph: 131,072 nodes, 524,288 values, and once it is lowered 262,144 dispatches with 2,097,152 accesses
 * to ranges of values. RP_ERR_UNSUPPORTED, with a sentence, says that it passes one. 100,000 nodes of any shape are
 * planned in less than 2 s and 500 MB on one core. Up to 8,192 dispatches, intermediates share memory wherever the
 * order of the graph allows it; beyond, where a search of bounded length shows it (docs/architecture.md, "Large
 * graphs"). */

/* A new, empty graph. Builder calls never fail loudly: the first error sticks, later calls are harmless and return
 * RP_NO_VALUE, and rp_plan_query / rp_record report the first cause with the node's name. */
RP_API RP_CHECKED rp_status rp_graph_create(rp_context *context, const char *name, rp_graph **graph, rp_error *err);
RP_API void rp_graph_destroy(rp_graph *graph);                /* its recordings keep what they need */
RP_API const rp_error *rp_graph_error(const rp_graph *graph); /* status RP_OK while there is none */

/* Names: letters, digits and "_-./#[] "; unique among the inputs (outputs) of a graph; copied. len >= 1. */
RP_API rp_value rp_graph_input(rp_graph *graph, const char *name, const rp_type *type, uint64_t len, uint32_t flags);
RP_API rp_value rp_graph_constant(rp_graph *graph, const char *name, const rp_type *type, uint64_t len,
                                  const void *data, uint32_t flags);
RP_API void rp_graph_output(rp_graph *graph, const char *name, rp_value value, uint32_t flags);

/* Nodes made between begin and end carry the scope in their name ("prove/msm_a/accumulate") and are drawn as a
 * group. */
RP_API void rp_scope_begin(rp_graph *graph, const char *name);
RP_API void rp_scope_end(rp_graph *graph);

RP_API const rp_type *rp_value_type(const rp_graph *graph, rp_value value); /* NULL if it is no value of this graph */
RP_API uint64_t rp_value_len(const rp_graph *graph, rp_value value);        /* 0 likewise */
RP_API rp_storage rp_value_storage(const rp_graph *graph, rp_value value);
RP_API int rp_value_is_constant(const rp_graph *graph, rp_value value); /* 1: depends on constants alone */

/* ---- Plans and recordings ---------------------------------------------------------------------------------------- */

enum {
  RP_RECORD_PROFILE = 1u,       /* time every dispatch and copy; for profile and trace, slower */
  RP_RECORD_RANDOM_ORDER = 2u,  /* run independent dispatches in a random legal order: a test of the hazards */
  RP_RECORD_CHECK_HAZARDS = 4u, /* null and CPU device: check at run time that no two dispatches in flight conflict */
  RP_RECORD_SIDE_BY_SIDE = 8u,  /* CPU: independent branches never wait for each other's memory, which takes several
                                   times as much; without it large intermediates share memory in the order in which
                                   nodes were made. Other devices do so at memory levels above 0 only. */
  RP_RECORD_UPLOAD_QUEUE = 16u, /* Vulkan: inputs go up through the device's transfer queue, beside the run before,
                                   which takes a second submission a run; without such a queue it changes nothing */
  RP_RECORD_KEEP_INPUTS = 32u,  /* inputs can be read in the staging until rp_run_end; without it, where one of them is
                                   secret, all may be wiped there as soon as the device has them */
  /* Every element of an input whose type can tell (rp_type.valid: those of types.h, whose field elements and
   * coordinates must be below the modulus) is checked on the host: by rp_run_set_input, in what it has copied, or,
   * where rp_run_input was written to, by rp_run_submit. RP_ERR_INPUT names the input and the first element that is not
   * valid; the input then counts as not given. Buffers that a run binds are not looked at. Without the flag such
   * elements give wrong results, and no fault on most paths. */
  RP_RECORD_CHECK_INPUTS = 64u
};

typedef struct rp_record_options {
  uint32_t struct_size;
  uint32_t flags;
  uint32_t max_in_flight;       /* run slots; 0: 1 */
  uint64_t memory_budget_bytes; /* 0: what the device has left */
  uint32_t min_memory_level;    /* 0 (most memory, fastest) is tried first; lowering goes down until it fits */
  uint32_t max_memory_level;    /* 0: RP_MEMORY_LEVELS - 1 */
  uint64_t order_seed;          /* RP_RECORD_RANDOM_ORDER */
} rp_record_options;

/* Levels that ops may distinguish when lowering: full tables, fewer, none, key streamed from the host. */
enum { RP_MEMORY_FULL = 0, RP_MEMORY_LESS = 1, RP_MEMORY_LEAST = 2, RP_MEMORY_STREAMED = 3, RP_MEMORY_LEVELS = 4 };

/* Exact bytes, known before anything is allocated. */
typedef struct rp_plan_info {
  uint32_t struct_size;
  uint32_t memory_level;
  uint32_t slots;
  uint64_t constant_bytes;  /* device memory of constants and of what is computed from them once */
  uint64_t borrowed_bytes;  /* constants used in place in the caller's memory (not counted in total_bytes) */
  uint64_t once_bytes;      /* extra peak while the one-time part runs, given back before the first run */
  uint64_t arena_bytes;     /* intermediates, a slot */
  uint64_t staging_bytes;   /* inputs and outputs on the host side, a slot */
  uint64_t io_bytes;        /* inputs and outputs on the device side, a slot (0 where the staging is used in place) */
  uint64_t parameter_bytes; /* parameter block and error word, a slot */
  uint64_t host_bytes;      /* the engine's own records: plan, task lists */
  uint64_t total_bytes; /* device memory while recording and replaying: constants + slots * (arena + io + parameters)
                               + staging where it is used in place; at least the once peak */
  uint32_t nodes, dispatches, once_dispatches, edges, levels;
} rp_plan_info;

/* Plans without allocating device memory. RP_ERR_BUDGET: no level fits; *info and the sentence then have the figures of
 * the smallest plan. Plans do not depend on the budget: total_bytes of that plan, or of any other, is a budget that is
 * accepted, and so is every larger one. After any other failure *info is zero. */
RP_API RP_CHECKED rp_status rp_plan_query(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                          rp_plan_info *info, rp_error *err);
/* Plans, allocates, uploads constants, runs the one-time part, builds one executable a slot. The graph may be destroyed
 * or extended afterwards; the recording does not change. */
RP_API RP_CHECKED rp_status rp_record(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                      rp_recording **recording, rp_error *err);
RP_API void rp_recording_destroy(rp_recording *recording); /* waits for runs in flight */
RP_API void rp_recording_get_plan(const rp_recording *recording, rp_plan_info *info);
/* Reads a constant back, one that the one-time part computed for instance. size_bytes must be exactly the value's. */
RP_API RP_CHECKED rp_status rp_recording_read_constant(rp_recording *recording, rp_value value, void *data,
                                                       uint64_t size_bytes, rp_error *err);
/* Gives device memory back until a run that may wait begins (done by itself under budget pressure). RP_ERR_BUSY: one
 * has begun. */
RP_API RP_CHECKED rp_status rp_recording_evict(rp_recording *recording, rp_error *err);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* Takes a free slot; a recording that has given its device memory back is loaded again first. Waits up to timeout_ns
 * (UINT64_MAX: without end) for a slot and for memory that runs of other recordings hold; RP_ERR_BUSY: there was none
 * within that time. 0 waits for nothing: RP_ERR_BUSY at once, also where the recording would have to be loaded, which
 * takes as long as recording it. A load that has begun is not cut short.
 * While threads wait for memory of a device, later calls for any of its recordings come after them; but a thread that
 * has runs which it has not ended comes before those that have none. If what it needs is held by runs of threads that
 * wait themselves, itself among them, nobody could give it back, and the first of them gets RP_ERR_BUDGET within a
 * second. A run counts as of the thread that used it last. */
RP_API RP_CHECKED rp_status rp_run_begin(rp_recording *recording, uint64_t timeout_ns, rp_run **run, rp_error *err);

/* Inputs, before submit; every input must be set each time. rp_run_input gives the staging memory of the input, of
 * exactly its size, to write into directly, and counts as set. From the submission on it is the run's: where an input
 * is secret, what all of them held may be wiped at any time (but see RP_RECORD_KEEP_INPUTS). */
RP_API void *rp_run_input(rp_run *run, rp_value input);
RP_API RP_CHECKED rp_status rp_run_set_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes);
/* Values made with RP_RESIDENT or RP_BINDABLE; the buffer must hold the whole value from offset_bytes on. A resident
 * output that is not bound is computed and dropped. */
RP_API RP_CHECKED rp_status rp_run_bind_input(rp_run *run, rp_value input, rp_buffer *buffer, uint64_t offset_bytes);
RP_API RP_CHECKED rp_status rp_run_bind_output(rp_run *run, rp_value output, rp_buffer *buffer, uint64_t offset_bytes);

/* One submission. Nothing is allocated, compiled or recorded from here until completion. */
RP_API RP_CHECKED rp_status rp_run_submit(rp_run *run);
/* RP_OK: finished and good. RP_ERR_TIMEOUT: still running. Anything else: how it failed; the outputs are not
 * readable. */
RP_API RP_CHECKED rp_status rp_run_poll(rp_run *run);
RP_API RP_CHECKED rp_status rp_run_wait(rp_run *run, uint64_t timeout_ns);
/* Asks the run to stop; it completes soon with RP_ERR_CANCELLED, or with its result if it was already done. May be
 * called from another thread than the run's. */
RP_API void rp_run_cancel(rp_run *run);
/* After RP_OK: the output in the slot's staging, valid until rp_run_end. NULL otherwise. */
RP_API const void *rp_run_output(rp_run *run, rp_value output);
RP_API const rp_error *rp_run_error(const rp_run *run);
/* Gives the slot back (cancels and waits if the run is still going) and has the secrets in it wiped. */
RP_API void rp_run_end(rp_run *run);

/* The simple case in one call: a run that waits for a slot, takes these inputs, is submitted and waited for, and whose
 * outputs are copied out. Every input must be there once, and of the outputs those that are wanted; sizes are exactly
 * the values'. An input and an output may be the same memory. On failure no output is written, and the reason is in
 * `err`. Values made with RP_RESIDENT take a run of one's own. May be called from several threads at once. */
typedef struct rp_replay_input {
  const char *name; /* NULL: `value` says which */
  rp_value value;
  const void *data;
  uint64_t size_bytes;
} rp_replay_input;
typedef struct rp_replay_output {
  const char *name; /* NULL: `value` says which */
  rp_value value;
  void *data;
  uint64_t size_bytes;
} rp_replay_output;
RP_API RP_CHECKED rp_status rp_replay(rp_recording *recording, const rp_replay_input *inputs, uint32_t n_inputs,
                                      const rp_replay_output *outputs, uint32_t n_outputs, rp_error *err);

typedef struct rp_run_counters {
  uint32_t struct_size;
  uint32_t submissions, waits; /* of this run; a poll that finds the run done counts as its wait */
  uint32_t uploads,
      downloads; /* copies between host staging and device; a CPU device counts what it hands over in place */
  uint64_t bytes_up, bytes_down;
  uint64_t dispatches;
  uint64_t submit_ns;  /* host time inside rp_run_submit */
  uint64_t latency_ns; /* from rp_run_submit's begin to completion */
} rp_run_counters;
RP_API void rp_run_get_counters(const rp_run *run, rp_run_counters *counters);

#ifdef __cplusplus
}
#endif

#include <reprise/inspect.h>

#endif
