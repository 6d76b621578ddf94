/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: contexts, devices, buffers, graphs, recordings and runs. Headers of tier 2 have the operations of a
 * graph, those of tier 3 ready graphs; each tier is built only on the public functions of the tiers below it.
 *
 * Record once, replay for every proof: a caller builds a DAG of operations over typed arrays, records it for one
 * device, and replays the recording as often as wanted. Each replay takes new inputs, one submission and one wait.
 *
 * Calling rules, for every header of the library
 *  - Every call that can fail returns rp_status. RP_OK is 0. Where a call takes `rp_error *err`, the reason (what,
 *    where, what to do) is written there on failure; `err` may be NULL, and is left alone on success.
 *  - Results come back through the last pointer before `err`. On failure it is set to NULL and nothing is leaked.
 *  - A NULL argument gives RP_ERR_ARGUMENT, never a crash, unless the text allows NULL. The functions that destroy,
 *    close, end or release an object accept NULL and do nothing; getters give NULL, 0, false or a struct of zeros for
 *    it. An array without elements may be NULL.
 *  - Errors that any call may give: RP_ERR_ARGUMENT for what can be seen to be wrong in it, RP_ERR_MEMORY, and
 *    RP_ERR_INTERNAL, a mistake of the library; where a device works, also RP_ERR_DEVICE_MEMORY, RP_ERR_DEVICE_LOST,
 *    and RP_ERR_UNSUPPORTED, whose reason says what the device lacks. The text of a function names its other errors.
 *  - Aliasing: memory that a call writes does not overlap memory that it reads or other memory that it writes, unless
 *    the text allows it.
 *  - Option structs begin with `struct_size`, which the caller sets to the sizeof of the struct. A field that is zero
 *    asks for its default, and a NULL pointer to the struct asks for all defaults. Later versions only append fields: a
 *    field beyond the caller's struct has its default, and bytes beyond the library's struct are not read.
 *    In C++: `rp_record_options o{}; o.struct_size = sizeof o;`, and `rp_error err{};`.
 *  - Structs that the library fills in (`_info`, `_counters`) begin with `struct_size` too: the caller sets it before
 *    the call, and the library writes no more bytes than that. In an array, the first element's struct_size holds for
 *    all elements. If it is not set, nothing is written, and a function that returns a status gives RP_ERR_ARGUMENT.
 *  - Structs without `struct_size` keep their members as they are in all versions with one number in the SONAME.
 *  - Yes or no is `bool` in calls. In structs it is a uint32_t that is 0 or 1.
 *  - Units are in the names: `_bytes`, `_ns`; a plain `n` or `len` counts elements; `log_n` means 1 << log_n.
 *  - Integers and field elements in caller memory are little-endian.
 *  - Threads: a context, a device and a recording may be used from several threads at once. A graph, while it is built,
 *    and a run belong to one thread at a time. A buffer must not be destroyed while a run uses it.
 *  - Ownership: the caller destroys every object that it created, dependents first (runs, recordings, graphs, buffers,
 *    devices, contexts). Devices and contexts are reference-counted: one that is closed too early lives until its last
 *    user is gone, so that finalizers may run in any order. A pointer that a getter returns belongs to the object and
 *    is valid as long as the object, unless the getter says otherwise.
 *  - fork: a context belongs to the process that created it. In a child process, every call that takes that context, or
 *    a device, buffer, recording or run of it, or an object that was made on such a device, gives RP_ERR_STATE at once;
 *    functions that return a pointer give NULL, and getters still work. Objects may be destroyed in the child: that
 *    frees their host memory, waits for nothing, logs nothing, and does not touch threads and drivers, which belong to
 *    the parent. In the child, memory of rp_secret_alloc and the host pages in which recordings keep secrets are zero
 *    if the system has MADV_WIPEONFORK (Linux 4.14). The child creates its own context, with which it may use objects
 *    that are only memory (graphs, keys, verification keys). A child is recognised by its process id and, if the system
 *    has MADV_WIPEONFORK, by a page that is zero in it; without that page, a descendant whose process id is that of an
 *    ancestor that has ended is not recognised. A child of vfork, or of clone with CLONE_VM, must not call the library.
 *  - The library never prints, exits or aborts, and its only global mutable state is a counter that numbers graphs.
 */
#ifndef REPRISE_REPRISE_H
#define REPRISE_REPRISE_H

#include <reprise/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RP_VERSION_MAJOR 0
#define RP_VERSION_MINOR 1
#define RP_VERSION_PATCH 0 /* CMake and packages read these three */

/* The version of the library that is linked, such as "0.1.0", never NULL; the macros give the version that the caller
 * was compiled with. The CHANGELOG of the source says what a difference means. */
RP_API const char *rp_version(void);

/* ---- Context ----------------------------------------------------------------------------------------------------- */

typedef struct rp_context rp_context;
typedef struct rp_device rp_device;
typedef struct rp_buffer rp_buffer;
typedef struct rp_graph rp_graph;
typedef struct rp_recording rp_recording;
typedef struct rp_run rp_run;

/* Where the library takes host memory from, for everything that belongs to a context, a device, a graph, a recording or
 * an object made on one of these. From the C library come keys, verification keys, parsed files and texts, which are
 * only memory and outlive any context, and what functions without a context need while they run. `align` is a power of
 * two; `free` gets the `bytes` that `alloc` was asked for. Both may be called from any thread that calls the library or
 * that a device has started, and from several at once. In a forked child, `free` is called when the child destroys
 * objects of the parent, and `alloc` too if it adds to a graph of the parent: a lock inside them must not be held
 * across a fork (pthread_atfork). If all members are zero, aligned_alloc and free are used. */
typedef struct rp_allocator {
  void *user;
  void *(*alloc)(void *user, size_t bytes, size_t align);
  void (*free)(void *user, void *memory, size_t bytes);
} rp_allocator;

typedef enum rp_log_level { RP_LOG_ERROR = 1, RP_LOG_WARNING = 2, RP_LOG_INFO = 3, RP_LOG_DEBUG = 4 } rp_log_level;
/* Receives a message, which is valid during the call. Called from any thread, from several at once, but not in a forked
 * child. It must not call the library, which may hold a lock. */
typedef void (*rp_log_fn)(void *user, rp_log_level level, const char *message);

typedef struct rp_context_options {
  uint32_t struct_size;
  rp_log_level log_level; /* 0: RP_LOG_WARNING */
  rp_log_fn log;          /* NULL: silent */
  void *log_user;         /* the `user` of `log` */
  rp_allocator allocator;
} rp_context_options;

/* A context, to be released with rp_context_destroy. `options` may be NULL, and need not outlive the call. */
RP_API RP_CHECKED rp_status rp_context_create(const rp_context_options *options, rp_context **context, rp_error *err);
/* Releases the creator's reference. If devices or graphs of the context are left, or references of rp_context_retain, a
 * warning in the context's log says which, and the context is freed with the last of them. */
RP_API void rp_context_destroy(rp_context *context);
/* The same, but while something is left the call gives RP_ERR_STATE, with a reason that counts what is left, and the
 * caller keeps the context. */
RP_API RP_CHECKED rp_status rp_context_try_destroy(rp_context *context, rp_error *err);
/* Take and release one more reference, for an object that keeps the context. NULL does nothing. */
RP_API void rp_context_retain(rp_context *context);
RP_API void rp_context_release(rp_context *context);
/* RP_OK in the process that created the context; RP_ERR_STATE in a child that was forked from it. */
RP_API RP_CHECKED rp_status rp_context_check(const rp_context *context, rp_error *err);

/* ---- Memory for secrets ------------------------------------------------------------------------------------------ */

/* Memory for a witness, or for anything else that should not leave the process: whole pages that are left out of core
 * dumps, are zero in the child of a fork, and are locked against swapping as far as RLIMIT_MEMLOCK allows, each of
 * these where the system supports it. Recordings keep secret inputs, and what is computed from them, in such pages too.
 * The memory is zeroed; NULL if there is none, or if bytes is 0. rp_secret_free overwrites it before it is freed;
 * `bytes` is what rp_secret_alloc was asked for, and memory may be NULL. */
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

RP_API const char *rp_device_kind_name(rp_device_kind kind); /* "unknown" for any other number; never NULL */

/* What lowering and planning may rely on. */
typedef struct rp_device_limits {
  uint32_t workers;              /* CPU: threads that run kernels. GPU: multiprocessors, 1 if unknown */
  uint32_t isa;                  /* CPU: bit mask of rp_cpu_isa (op.h). GPU: compute capability or 0 */
  uint32_t subgroup;             /* lanes that execute in step; CPU: 1 */
  uint32_t max_group;            /* threads per workgroup; CPU: 1 */
  uint32_t shared_bytes;         /* workgroup memory */
  uint32_t max_args_bytes;       /* largest argument struct of a kernel */
  uint64_t max_groups;           /* workgroups in one dispatch */
  uint64_t max_allocation_bytes; /* larger values are cut into segments */
  uint64_t memory_bytes;         /* physical memory */
  uint64_t align_bytes;          /* alignment of every value */
  uint32_t has_int64;            /* shaders: 64-bit integers */
  uint32_t host_visible;         /* 1: inputs, constants and outputs are used in place (CPU) */
} rp_device_limits;

typedef struct rp_device_info {
  uint32_t struct_size;
  rp_device_kind kind;
  uint32_t index;               /* among the devices of its kind */
  uint32_t available;           /* 0: `reason` says why it cannot be opened, and what is needed */
  uint32_t software;            /* 1: a software rasteriser; RP_DEVICE_AUTO skips it */
  char name[128];               /* of the processor or the GPU */
  char driver[128];             /* its driver with its version; CPU: the instruction sets */
  char reason[256];             /* empty if it is available */
  uint64_t memory_budget_bytes; /* that recordings may take; by default nine tenths of what is free at opening */
  rp_device_limits limits;
} rp_device_info;

/* Lists the devices of this machine, with at least one entry for each kind, so that a missing driver is reported with
 * the reason. Writes at most `capacity` entries, devices[0].struct_size bytes apart, and sets *count to the number of
 * devices, even if that is more. `devices` may be NULL if capacity is 0. */
RP_API RP_CHECKED rp_status rp_devices(rp_context *context, rp_device_info *devices, uint32_t capacity, uint32_t *count,
                                       rp_error *err);

/* The caller's thread pool for the CPU device. `parallel` runs `task(arg, i)` once for each i in [0, n), in any order,
 * on up to n threads at once, and returns when all are done. It must not be left by an exception or longjmp. */
typedef struct rp_executor {
  void *user;
  uint32_t workers; /* number of tasks that can make progress at once; at least 1 */
  void (*parallel)(void *user, uint32_t n, void (*task)(void *arg, uint32_t i), void *arg);
} rp_executor;

typedef struct rp_device_options {
  uint32_t struct_size;
  rp_device_kind kind;  /* RP_DEVICE_AUTO: REPRISE_DEVICE if set ("cpu", "cuda", "cuda:1" ...), else the best one */
  uint32_t index;       /* among the devices of that kind */
  uint32_t cpu_threads; /* CPU: number of threads; 0: one per processor that the process may use */
  uint64_t memory_budget_bytes; /* 0: the device's default */
  const char *cpu_isa;          /* CPU: strongest set to use (op.h), such as "c"; NULL: REPRISE_CPU_ISA, or the best */
  const rp_executor *executor;  /* CPU: NULL: the device's own threads. Copied. */
  void *native[4];              /* caller's own handles, all or none. CUDA: CUcontext, CUstream. Vulkan: VkInstance,
                                   VkPhysicalDevice, VkDevice, VkQueue */
  uint32_t native_index;        /* Vulkan, with `native`: the index of the queue family */
  /* Vulkan: folder for compiled pipelines, created if missing. "": keeps none; NULL: REPRISE_CACHE_DIR, or else reprise
   * in the user's cache folder. Read only when the device is opened. */
  const char *cache_dir;
} rp_device_options;

/* Opens a device, which the caller releases with rp_device_close. `options` may be NULL, and need not outlive the call.
 * RP_ERR_UNAVAILABLE: there is no such device, or its driver is missing; the reason says which, and what is needed. */
RP_API RP_CHECKED rp_status rp_device_open(rp_context *context, const rp_device_options *options, rp_device **device,
                                           rp_error *err);
/* Releases the opener's reference; the caller must not use the handle afterwards. If recordings or buffers of the
 * device are left, objects of graphs.h that were made on it, or references of rp_device_retain, the device stays open
 * for them, a warning in the context's log says what is left, and the last of them closes the device. */
RP_API void rp_device_close(rp_device *device);
/* The same, but while something is left the call gives RP_ERR_STATE, with a reason that counts what is left, and the
 * device stays open and remains the caller's. */
RP_API RP_CHECKED rp_status rp_device_try_close(rp_device *device, rp_error *err);
/* Take and release one more reference, for an object that keeps the device. NULL does nothing. */
RP_API void rp_device_retain(rp_device *device);
RP_API void rp_device_release(rp_device *device);
RP_API void rp_device_get_info(const rp_device *device, rp_device_info *info);
/* The part of the memory budget that a new recording may take: what recordings in use do not hold. 0 for NULL. */
RP_API uint64_t rp_device_available_bytes(rp_device *device);
/* The context that the device was opened in, which lives at least as long as the device. NULL for NULL. */
RP_API rp_context *rp_device_context(const rp_device *device);
/* True once the device has been lost: later calls give RP_ERR_DEVICE_LOST. To use a lost CUDA device again, start a new
 * process. False for NULL. */
RP_API bool rp_device_is_lost(const rp_device *device);

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/* Device memory that the caller owns, to be bound as an input or output of runs without a copy through the host. Its
 * content is undefined until it is written. */
RP_API RP_CHECKED rp_status rp_buffer_create(rp_device *device, uint64_t size_bytes, rp_buffer **buffer, rp_error *err);
/* Wraps memory that the caller owns, which must outlive the buffer. `native` is a host pointer (CPU), a CUdeviceptr
 * (CUDA) or a VkBuffer with device address usage (Vulkan). RP_ERR_UNSUPPORTED: a group of devices, or the null device.
 */
RP_API RP_CHECKED rp_status rp_buffer_wrap(rp_device *device, void *native, uint64_t size_bytes, rp_buffer **buffer,
                                           rp_error *err);
RP_API void rp_buffer_destroy(rp_buffer *buffer);
RP_API uint64_t rp_buffer_size(const rp_buffer *buffer); /* in bytes */
/* Synchronous copies; the range must lie inside the buffer. */
RP_API RP_CHECKED rp_status rp_buffer_write(rp_buffer *buffer, uint64_t offset_bytes, const void *data,
                                            uint64_t size_bytes, rp_error *err);
RP_API RP_CHECKED rp_status rp_buffer_read(rp_buffer *buffer, uint64_t offset_bytes, void *data, uint64_t size_bytes,
                                           rp_error *err);

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

/* To the engine, an element type is an id, a size and an alignment. Types are static objects; two types are the same if
 * their ids are equal. Ids from RP_TYPE_USER up are free for callers. types.h has the built-in types. */
typedef struct rp_type rp_type;
struct rp_type {
  uint32_t id;
  uint32_t size_bytes;
  uint32_t align_bytes; /* power of two, at most 64 */
  const char *name;     /* for messages and exports; never NULL */
  /* For RP_RECORD_CHECK_INPUTS: returns how many of the n elements at `elements` come before the first invalid one; n
   * if all are valid. `elements` is aligned as the type is; one input may be checked in several calls. Called from any
   * thread. No address and no branch may depend on the content of a valid element. NULL: every element is valid. */
  uint64_t (*valid)(const rp_type *type, const void *elements, uint64_t n);
};
#define RP_TYPE_USER 0x10000u

/* A value of one graph: an array of elements of one type, written once. Only the library sets the fields: `id` numbers
 * the values of a graph, and `graph` identifies the graph, so that the value is refused by every other graph and its
 * recordings. No two graphs of a process have the same number, until 2^32 have been created. A value has no meaning in
 * a file or in another process. id 0 stands for no value; using it is a builder error. */
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
  RP_STORAGE_CONSTANT = 2,     /* uploaded once, shared by all runs; what depends on constants alone is constant too */
  RP_STORAGE_INTERMEDIATE = 3, /* placed by the engine */
  RP_STORAGE_OUTPUT = 4        /* available to the caller after each run */
} rp_storage;

enum {
  /* Input: it and everything computed from it is wiped after the run, and never logged, dumped or traced. */
  RP_SECRET = 1u,
  /* Constant: the caller keeps `data` as it is while the graph and its recordings live, and the device may use it in
   * place. Without the flag the data is copied at once. */
  RP_BORROW = 2u,
  RP_RESIDENT = 4u, /* input, output: kernels access it in the buffer that the run binds; it takes no other memory */
  RP_BINDABLE = 8u, /* input, output: has staging, and a run may bind a buffer instead, from or to which it is copied */
  RP_REPLACEABLE = 16u, /* constant: its content may change between runs (rp_recording_set_constants) */
  RP_LENDABLE = 32u     /* input: has staging, and a run may take it from the caller's memory (rp_run_lend_input) */
};

/* Limits of one graph: 131,072 nodes and 524,288 values, and 262,144 dispatches with 2,097,152 accesses to ranges of
 * values after lowering. A graph beyond one of them gives RP_ERR_UNSUPPORTED with the reason. Planning 100,000 nodes
 * takes less than 2 s and 500 MB on one core. Up to 8,192 dispatches, intermediates share memory wherever the order of
 * the graph allows it; with more dispatches, they share it where a bounded search finds that the order allows it
 * (docs/architecture.md, "Large graphs"). */

/* A new, empty graph. Builder calls return no status: the first error sticks, later calls do nothing and return
 * RP_NO_VALUE, and rp_plan_query and rp_record report that first error with the node's name. */
RP_API RP_CHECKED rp_status rp_graph_create(rp_context *context, const char *name, rp_graph **graph, rp_error *err);
RP_API void rp_graph_destroy(rp_graph *graph);                /* its recordings keep what they need */
RP_API const rp_error *rp_graph_error(const rp_graph *graph); /* status RP_OK while there is none */

/* Names: letters, digits and "_-./#[] "; unique among the inputs, or the outputs, of a graph; copied. len >= 1. Only a
 * value that a node computes can be an output, not an input or a constant as it is given; and each value can be only
 * one output. */
RP_API rp_value rp_graph_input(rp_graph *graph, const char *name, const rp_type *type, uint64_t len, uint32_t flags);
RP_API rp_value rp_graph_constant(rp_graph *graph, const char *name, const rp_type *type, uint64_t len,
                                  const void *data, uint32_t flags);
RP_API void rp_graph_output(rp_graph *graph, const char *name, rp_value value, uint32_t flags);

/* Nodes made between begin and end have the scope in their name ("prove/msm_a/accumulate") and form one group in
 * exports. Scopes nest; one that is still open when the graph is recorded is not an error. */
RP_API void rp_scope_begin(rp_graph *graph, const char *name);
RP_API void rp_scope_end(rp_graph *graph);

RP_API const rp_type *rp_value_type(const rp_graph *graph, rp_value value); /* NULL if not of this graph */
RP_API uint64_t rp_value_len(const rp_graph *graph, rp_value value);        /* 0 if not of this graph */
RP_API rp_storage rp_value_storage(const rp_graph *graph, rp_value value);  /* RP_STORAGE_NONE if not of this graph */
RP_API bool rp_value_is_constant(const rp_graph *graph, rp_value value);    /* depends on constants alone */

/* ---- Plans and recordings ---------------------------------------------------------------------------------------- */

enum {
  RP_RECORD_PROFILE = 1u,       /* time every dispatch and copy, for profiles and traces; slower */
  RP_RECORD_RANDOM_ORDER = 2u,  /* run independent dispatches in a random legal order, to test the hazards */
  RP_RECORD_CHECK_HAZARDS = 4u, /* null and CPU device: check at run time that no two dispatches in flight conflict */
  RP_RECORD_KEEP_INPUTS = 32u,  /* inputs stay readable in the staging until rp_run_end; without it, if one of them is
                                   secret, all may be wiped there as soon as the device has them */
  /* Inputs whose type has a check (rp_type.valid; for those of types.h, field elements and coordinates must be below
   * the modulus) are checked on the host, every element: rp_run_set_input checks its copy, and rp_run_submit checks
   * what was written through rp_run_input. RP_ERR_INPUT names the input and the first invalid element; the input then
   * counts as not given. Buffers that a run binds are not checked. Without the flag they give wrong results. */
  RP_RECORD_CHECK_INPUTS = 64u,
  /* Nodes under a condition (rp_if) run in every run, so that how long a run takes does not tell which branch is taken.
   * Conditions that depend on inputs with RP_SECRET always behave like this, even without the flag. */
  RP_RECORD_ALL_BRANCHES = 128u
};

typedef struct rp_record_options {
  uint32_t struct_size;
  uint32_t flags;
  uint32_t max_in_flight;       /* run slots; 0: 1 */
  uint64_t memory_budget_bytes; /* 0: what the device has left */
  uint32_t min_memory_level;    /* 0: RP_MEMORY_FULL; if its usual plan does not fit, the fastest that fits is used */
  uint32_t max_memory_level;    /* 0: RP_MEMORY_LEVELS - 1 */
  uint64_t order_seed;          /* for RP_RECORD_RANDOM_ORDER */
} rp_record_options;

/* Memory levels that operations may distinguish when they are lowered: full tables, the smaller ones of those, fewer
 * tables, no tables, key streamed from the host. The values may change from version to version. */
enum { RP_MEMORY_FULL, RP_MEMORY_MORE, RP_MEMORY_LESS, RP_MEMORY_LEAST, RP_MEMORY_STREAMED, RP_MEMORY_LEVELS };

/* Exact sizes, known before anything is allocated. */
typedef struct rp_plan_info {
  uint32_t struct_size;
  uint32_t memory_level;    /* RP_MEMORY_FULL .. RP_MEMORY_STREAMED */
  uint32_t slots;           /* runs in flight, max_in_flight of the options */
  uint64_t constant_bytes;  /* device memory of constants, given and computed */
  uint64_t borrowed_bytes;  /* constants used in place in the caller's memory (not counted in total_bytes) */
  uint64_t once_bytes;      /* extra memory while the one-time part runs, released before the first run */
  uint64_t arena_bytes;     /* intermediates, per slot */
  uint64_t staging_bytes;   /* inputs and outputs on the host side, per slot */
  uint64_t io_bytes;        /* inputs and outputs on the device side, per slot (0 if the staging is used in place) */
  uint64_t parameter_bytes; /* parameter block with the error record, per slot */
  uint64_t host_bytes;      /* the engine's own records: plan, task lists */
  uint64_t total_bytes; /* device memory while recording and replaying: constants + slots * (arena + io + parameters),
                           with the staging if it is used in place; at least the peak of the one-time part */
  uint32_t nodes;       /* of the graph as it was built */
  uint32_t dispatches;  /* of a run */
  uint32_t once_dispatches; /* of the one-time part */
  uint32_t edges;           /* of a run: pairs of steps of which the second waits for the first */
  uint32_t levels;          /* of a run: steps in the longest chain of them */
} rp_plan_info;

/* Plans without allocating device memory. RP_ERR_BUDGET: no memory level fits; *info and the reason then have the
 * figures of the smallest plan. Plans do not depend on the budget: total_bytes of that plan, or of any other, is a
 * budget that is accepted, and so is every larger one. After any other failure *info is zero. */
RP_API RP_CHECKED rp_status rp_plan_query(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                          rp_plan_info *info, rp_error *err);
/* Plans, allocates, uploads constants, runs the one-time part, and builds one executable per slot. The graph may be
 * destroyed or extended afterwards; the recording does not change. Recordings of one device share equal constants. */
RP_API RP_CHECKED rp_status rp_record(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                                      rp_recording **recording, rp_error *err);
RP_API void rp_recording_destroy(rp_recording *recording); /* waits for runs in flight */
RP_API void rp_recording_get_plan(const rp_recording *recording, rp_plan_info *info);
/* Reads back a constant that runs read, given or computed by the one-time part. RP_ERR_SHAPE: size_bytes is not the
 * size of the value. */
RP_API RP_CHECKED rp_status rp_recording_read_constant(rp_recording *recording, rp_value value, void *data,
                                                       uint64_t size_bytes, rp_error *err);
/* Releases the device memory of the recording, which is loaded again when a run that may wait begins. The library does
 * the same by itself if other recordings need the budget. RP_ERR_BUSY: a run of the recording has begun and has not
 * ended. */
RP_API RP_CHECKED rp_status rp_recording_evict(rp_recording *recording, rp_error *err);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* Takes a free slot, after loading a recording whose device memory has been released. Waits up to timeout_ns
 * (UINT64_MAX: without limit) for a slot and for memory that runs of other recordings hold; RP_ERR_BUSY: none became
 * free within that time. With timeout_ns 0 the call does not wait: it gives RP_ERR_BUSY at once, also if the recording
 * would have to be loaded, which takes as long as recording it. A load that has begun is not interrupted. While threads
 * wait for memory of a device, later calls for its recordings are served after them, but threads with runs that they
 * have not ended come first. After a call has timed out, the next call for its recording takes its place if it comes
 * within a second. RP_ERR_BUDGET, within a second: waiting is useless, because runs of waiting threads, this one among
 * them, hold the memory. A deadlock of threads that wait for each other's slots is not detected. A run counts for the
 * thread that last used it. */
RP_API RP_CHECKED rp_status rp_run_begin(rp_recording *recording, uint64_t timeout_ns, rp_run **run, rp_error *err);

/* Every input must be given before the run is submitted, which is possible once. rp_run_input returns the staging
 * memory of the input, to be written directly; the input then counts as given. It returns NULL after a mistake, such as
 * naming a resident input; rp_run_error has the reason. rp_run_set_input copies the data; RP_ERR_SHAPE: size_bytes is
 * not the size of the value. From the submission on the memory belongs to the run: if any input is secret, all of them
 * may be wiped at any time (but see RP_RECORD_KEEP_INPUTS). */
RP_API void *rp_run_input(rp_run *run, rp_value input);
RP_API RP_CHECKED rp_status rp_run_set_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes);
/* For an input made with RP_LENDABLE: the run takes it from the caller's host memory, without a copy on the host. On a
 * CPU device kernels read it there, where it is aligned as the type. A CUDA device copies it up from there, where all
 * of it is page-locked (cuMemHostRegister, cudaMallocHost and the like). RP_ERR_UNSUPPORTED: the device cannot take it
 * from there, nor can any device of another kind; the run is as before, and the input can be given through the staging.
 * rp_run_input and rp_run_set_input take the loan back. RP_ERR_SHAPE: size_bytes is not the size of the value.
 *  - The caller keeps the memory as it is from the submission to the end of the run. If it changes meanwhile, results
 *    are undefined and, if it holds indices, row pointers or conditions, so is what a CPU device reads and writes.
 *  - It is neither checked nor wiped. It may be the memory of other inputs too, of this run or of others; outputs that
 *    the run binds must be elsewhere (RP_ERR_ARGUMENT).
 *  - Such a run is not for rp_run_record_into (RP_ERR_UNSUPPORTED). */
RP_API RP_CHECKED rp_status rp_run_lend_input(rp_run *run, rp_value input, const void *data, uint64_t size_bytes);
/* For values made with RP_RESIDENT or RP_BINDABLE, where the buffer, on the recording's device, has room for the whole
 * value from offset_bytes on. The place is aligned as the type and, of a resident value on a GPU, to 16 bytes.
 *  - Kernels access a resident value where it is bound, from the submission to the end of the run. It must be bound.
 *    After a run that failed or was cancelled, the content of its outputs is undefined.
 *  - A bindable input is copied when the run begins, and a bindable output when it has been computed without a fault.
 *  - Inputs may share bytes with inputs. A submission whose outputs share bytes with another output, or with an input,
 *    gives RP_ERR_ARGUMENT. As an exception, a bindable output that is computed from a bindable input may lie where
 *    that input does.
 *  - The library neither wipes the caller's memory nor keeps it out of dumps: it is up to the caller to overwrite what
 *    was computed from secrets there, also after a run that failed. */
RP_API RP_CHECKED rp_status rp_run_bind_input(rp_run *run, rp_value input, rp_buffer *buffer, uint64_t offset_bytes);
RP_API RP_CHECKED rp_status rp_run_bind_output(rp_run *run, rp_value output, rp_buffer *buffer, uint64_t offset_bytes);

/* Submits the run, once. Nothing is allocated, compiled or recorded from here until completion, with one exception:
 * where a resident value lies elsewhere than in the previous run of the slot, the kernels that access it get the new
 * address. On CUDA their nodes are updated (about a microsecond each); on Vulkan their part of the commands is recorded
 * again. */
RP_API RP_CHECKED rp_status rp_run_submit(rp_run *run);
/* RP_OK: finished without a fault. RP_ERR_TIMEOUT: still running. Anything else: how it failed; the outputs are then
 * not readable. rp_run_poll does not wait, and rp_run_wait waits up to timeout_ns (UINT64_MAX: without limit). */
RP_API RP_CHECKED rp_status rp_run_poll(rp_run *run);
RP_API RP_CHECKED rp_status rp_run_wait(rp_run *run, uint64_t timeout_ns);
/* Asks the run to stop; it completes soon with RP_ERR_CANCELLED, or with its result if it was already done. May be
 * called from another thread than the run's. */
RP_API void rp_run_cancel(rp_run *run);
/* After RP_OK: the output in the slot's staging, valid until rp_run_end. NULL otherwise. */
RP_API const void *rp_run_output(rp_run *run, rp_value output);
/* Why a call on the run failed; status RP_OK if none did. Valid until rp_run_end. NULL for NULL. */
RP_API const rp_error *rp_run_error(const rp_run *run);
/* Releases the slot and wipes the secrets in it: inputs, outputs and staging before it returns, the intermediates at
 * the latest before the slot is used again or gives its memory back. Cancels a run that is not finished, and waits. */
RP_API void rp_run_end(rp_run *run);

/* The simple case in one call: waits for a slot, gives the inputs, submits the run, waits for it, copies the outputs.
 * Every input must be listed once, and those outputs that are wanted, with `data` of size_bytes, which must be exactly
 * the size of the value (RP_ERR_SHAPE). RP_ERR_INPUT: a value that was given is out of range. Inputs and outputs may
 * be the same memory. On failure no output is written; `err` says why. A graph with inputs or outputs made with
 * RP_RESIDENT needs rp_run_begin instead. May be called from several threads at once. */
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
  uint32_t submissions;          /* calls that hand the run to the device: 1, on Vulkan one for each queue in use */
  uint32_t waits;                /* a poll that finds the run done counts as its wait */
  uint32_t uploads, downloads;   /* copies between staging and device; a CPU device counts what it passes in place */
  uint64_t bytes_up, bytes_down; /* in these copies */
  uint64_t dispatches;           /* number of dispatches that were executed */
  uint64_t submit_ns;            /* host time inside rp_run_submit */
  uint64_t latency_ns;           /* from the beginning of rp_run_submit to completion */
} rp_run_counters;
RP_API void rp_run_get_counters(const rp_run *run, rp_run_counters *counters);
#ifdef __cplusplus
}
#endif
#endif
