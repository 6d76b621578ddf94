/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the files of the Vulkan backend share.
 */
#ifndef REPRISE_VULKAN_STATE_H
#define REPRISE_VULKAN_STATE_H

#include "lanes.h"
#include "loader.h"

#include <pthread.h>
#include <stdatomic.h>

/* Push constants of every kernel: the first workgroup of this dispatch and the number of all workgroups (a grid that is
 * larger than the device allows is split into several dispatches), then the argument struct, or its address if it is
 * too large. */
enum { RP_VK_PUSH_BYTES = 128, RP_VK_PUSH_HEAD = 8, RP_VK_PUSH_ARGS = RP_VK_PUSH_BYTES - RP_VK_PUSH_HEAD };
/* A quarter of a second: even if an estimate is too low by a factor of a few, no watchdog is triggered. */
#define RP_VK_BATCH_NS UINT64_C(250000000)
/* How long a device may continue after a call to cancel, by estimates that are several times too high on fast
 * devices. */
#define RP_VK_SECTION_NS UINT64_C(50000000)
/* What a lane loses by waiting for another one, for the choice of lanes. */
#define RP_VK_HOP_NS UINT64_C(20000)
/* Workgroup memory that the kernels require, and the most that they can use. */
enum { RP_VK_MIN_SHARED = 16384, RP_VK_MOST_SHARED = 32768 };
enum { RP_VK_PATH_BYTES = 1024 };
/* Drivers' compilers recurse into the operands of an expression, and a field product is one long chain of carries.
 * Pages of a stack are only allocated when they are used, so a large stack costs only address space. */
#define RP_VK_COMPILE_STACK_BYTES ((size_t)256 << 20)

/* One VkDeviceMemory with one buffer over all of it. Small blocks share one: bytes are allocated in order, and all are
 * free again when the last block is freed. */
typedef struct rp_vk_chunk {
  struct rp_vk_chunk *next;
  rp_memory_kind kind;
  VkDeviceMemory memory;
  VkBuffer buffer;
  uint64_t address, bytes, used;
  char *host;
  uint32_t users;
} rp_vk_chunk;

/* What rp_memory.native points to. A wrapped buffer has no chunk. */
typedef struct rp_vk_block {
  rp_vk_chunk *chunk;
  VkBuffer buffer;
  uint64_t offset;
} rp_vk_block;

typedef struct rp_vk_pipeline {
  const rp_kernel *kernel;
  VkPipeline pipeline;
} rp_vk_pipeline;

typedef struct rp_vk {
  rp_context *context;
  rp_vk_functions fn;
  VkInstance instance;
  VkPhysicalDevice adapter;
  VkDevice device;
  VkQueue queue;                    /* the first of these */
  VkQueue queues[RP_VK_MOST_LANES]; /* of one family */
  uint32_t n_queues;
  uint32_t n_lanes;  /* how many a program may use; lane i has queue i modulo n_queues */
  uint64_t hop_ns;   /* estimated time from the end of a batch to that of another lane that waits for it */
  bool forces_lanes; /* programs use them even if no gain is expected */
  uint32_t family;
  VkQueue upload_queue; /* of a family only for transfers; NULL: there is none, or the device is the caller's */
  uint32_t upload_family;
  bool uses_instance; /* of the context; else it is the caller's */
  bool owns_device;
  bool has_labels;
  bool has_conditions; /* command buffers may skip dispatches by a word in memory, when a run is cancelled */
  bool int64;          /* kernels are used in the form with 64-bit integers */
  bool is_software;    /* lavapipe, which needs care: see rp_vk_destroy_timeline */
  rp_device_limits limits;
  uint32_t max_groups[3];
  uint32_t timestamp_bits;
  double timestamp_ns; /* of one tick */
  uint64_t max_allocation_bytes;
  uint32_t workers;
  uint64_t batch_ns;   /* estimated time after which a run continues in another batch */
  uint64_t section_ns; /* estimated time after which a run looks again whether it is cancelled */
  VkPhysicalDeviceMemoryProperties memory_types;
  VkPipelineLayout layout;
  VkPipelineCache cache;
  char cache_path[RP_VK_PATH_BYTES];      /* file of the pipelines; empty: they are not kept */
  uint64_t cached_bytes, cached_checksum; /* of the data that was last read or written there */
  uint64_t added_bytes, added_checksum;   /* of what rp_vk_cache_add was given last */

  pthread_mutex_t queue_lock; /* for vkQueueSubmit, on all queues */
  rp_host_device host;        /* what the caller brings; its features have been read */
  pthread_mutex_t lock;       /* what follows */
  rp_vk_chunk *chunks;
  rp_vk_pipeline *pipelines;
  uint32_t n_pipelines, pipelines_capacity;
  VkSemaphore *kept; /* by rp_vk_destroy_timeline, until the device is closed */
  uint32_t n_kept, kept_capacity;

  pthread_mutex_t compile_lock; /* one program compiles at a time, in several threads */
  size_t compile_stack_bytes;   /* of a compiling thread */

  pthread_mutex_t transfer_lock; /* memory_write, memory_send, memory_read: one at a time */
  rp_memory transfer;
  VkCommandPool transfer_pool;
  VkCommandBuffer transfer_commands;
  VkSemaphore transfer_done;
  uint64_t transfer_value;
  atomic_int lost;
} rp_vk;

/* Turns a result into a status with a reason, and marks the device as lost if the result says so. `what` is the name of
 * the Vulkan function. */
rp_status rp_vk_check(rp_vk *vk, VkResult result, const char *what, rp_error *err);
#define RP_VK(vk, err, call, ...) rp_vk_check((vk), (vk)->fn.call(__VA_ARGS__), #call, (err))
rp_status rp_vk_enter(rp_vk *vk, rp_error *err); /* RP_ERR_DEVICE_LOST if it is lost */
/* Around vkQueueSubmit: the library's own lock, then the caller's. */
void rp_vk_lock_queue(rp_vk *vk, VkQueue queue);
void rp_vk_unlock_queue(rp_vk *vk, VkQueue queue);

/* ---- Adapters (adapter.c) ---------------------------------------------------------------------------------------- */

/* Fills in `info` for an adapter: its limits and, if it cannot be used, the reason, which names every missing
 * feature. */
void rp_vk_describe(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t index, rp_device_info *info);
/* The queue family for compute, preferably one without graphics; UINT32_MAX if there is none. */
uint32_t rp_vk_compute_family(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t *timestamp_bits);
/* The number of queues that are opened in this family: all that it has, at most RP_VK_MOST_LANES. */
uint32_t rp_vk_count_queues(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t family);
/* How many lanes a program may use, by REPRISE_VULKAN_LANES: with `auto` as many as there are queues, if a gain is
 * expected of them; with 1 to 8 that many, whatever is expected (*forced); without it as many as there are queues,
 * whatever is expected, on drivers that were measured to gain, else 1. */
uint32_t rp_vk_choose_lanes(const rp_vk_functions *fn, VkPhysicalDevice adapter, uint32_t n_queues, bool *forced);
/* A queue family only for transfers, whose copies run beside the work of the compute queue; UINT32_MAX if there is
 * none. */
uint32_t rp_vk_upload_family(const rp_vk_functions *fn, VkPhysicalDevice adapter);
/* Whether kernels are used in the form with 64-bit integers (forms.c); REPRISE_VULKAN_INT64=0 or 1 decides instead. */
bool rp_vk_takes_int64(VkDriverId driver, bool offered);
bool rp_vk_int64_is_forced(void);
/* The features that a device is created with, chained: first.pNext is the second. */
typedef struct rp_vk_features {
  VkPhysicalDeviceFeatures2 first;
  VkPhysicalDeviceVulkan12Features v12;
} rp_vk_features;
void rp_vk_wanted_features(rp_vk_features *features, bool int64);
/* What the heap that blocks are taken from has left, by VK_EXT_memory_budget; 0 without it. */
uint64_t rp_vk_free_bytes(const rp_vk_functions *fn, VkPhysicalDevice adapter);
/* Whether the adapter has VK_EXT_conditional_rendering. */
bool rp_vk_offers_conditions(const rp_vk_functions *fn, VkPhysicalDevice adapter);
bool rp_vk_offers_sharing(const rp_vk_functions *fn, VkPhysicalDevice adapter);
/* What the pNext of a VkDeviceCreateInfo enables: writes the names of the needed features that it does not enable, or
 * the empty string; *int64 is whether kernels may use 64-bit integers. */
void rp_vk_read_features(const void *next, char *missing, size_t bytes, bool *int64);

/* ---- Pipelines (pipeline.c, compile.c) --------------------------------------------------------------------------- */

rp_status rp_vk_pipeline_create(rp_vk *vk, const rp_kernel *kernel, VkPipeline *pipeline, rp_error *err);
VkPipeline rp_vk_pipeline_of(rp_vk *vk, const rp_kernel *kernel); /* NULL: not compiled yet */
/* Adds the pipeline to the list, which owns it; on failure, destroys it. */
rp_status rp_vk_pipeline_keep(rp_vk *vk, const rp_kernel *kernel, VkPipeline pipeline, rp_error *err);
/* Makes the pipelines of these n kernels, several at once. A kernel may be listed twice, and may already have a
 * pipeline. */
rp_status rp_vk_compile(rp_vk *vk, const rp_kernel *const *kernels, uint32_t n, rp_error *err);

/* ---- Pipelines on disk (cache.c) --------------------------------------------------------------------------------- */

/* rp_vk_cache_open creates vk->cache from the file in the folder `wish` (NULL: the one that the environment names).
 * rp_vk_cache_save writes it there, merged with what other processes have written meanwhile; rp_vk_cache_close does so
 * and destroys it. Nothing may be compiled during these calls. */
rp_status rp_vk_cache_open(rp_vk *vk, const char *wish, const VkPhysicalDeviceProperties *p, rp_error *err);
void rp_vk_cache_save(rp_vk *vk);
void rp_vk_cache_close(rp_vk *vk);
/* rp_backend.pipelines_get, pipelines_add. */
bool rp_vk_cache_get(void *state, void *data, uint64_t *bytes);
bool rp_vk_cache_add(void *state, const void *data, uint64_t bytes);

/* ---- Memory (memory.c) ------------------------------------------------------------------------------------------- */

rp_status rp_vk_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err);
void rp_vk_memory_free(void *state, rp_memory *memory);
rp_status rp_vk_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err);
void rp_vk_memory_unwrap(void *state, rp_memory *memory);
rp_status rp_vk_memory_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err);
rp_status rp_vk_memory_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err);
rp_status rp_vk_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                             rp_error *err);
rp_status rp_vk_memory_send(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                            uint64_t staging_offset, uint64_t bytes, rp_error *err);
rp_status rp_vk_memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                            rp_error *err);
/* The buffer and offset of a block, for copy commands. */
static inline const rp_vk_block *rp_vk_block_of(const rp_memory *memory) { return memory->native; }

#define RP_VK_BUFFER_USAGE                                                                                             \
  (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | \
   VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)

enum { RP_VK_OPAQUE = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT };

/* Memory that other programs share (share.c): what it changes in the creation of a buffer and in its allocation. */
typedef struct rp_vk_outside {
  const rp_shared_memory *imported; /* NULL: it is made here */
  int fd;                           /* of the imported memory; belongs to the driver after a successful allocation */
  bool dedicated;
  bool offered;              /* the allocation has been tried */
  VkDeviceSize memory_bytes; /* of the allocation, and its type, after rp_vk_outside_chain */
  uint32_t memory_type;
  VkExternalMemoryBufferCreateInfo buffer;
  VkExportMemoryAllocateInfo export;
  VkImportMemoryFdInfoKHR import;
  VkMemoryDedicatedAllocateInfo alone;
} rp_vk_outside;
/* RP_ERR_ARGUMENT: a buffer that needs this cannot lie in the memory that is imported. */
rp_status rp_vk_outside_check(const rp_vk_outside *outside, const VkMemoryRequirements *needs, rp_error *err);
/* Completes the allocation, and returns what belongs behind the structures that it has. */
const void *rp_vk_outside_chain(rp_vk_outside *outside, VkBuffer buffer, VkMemoryAllocateInfo *allocate);
/* A block at this offset of a buffer that has the whole allocation; rp_vk_memory_free frees it. */
rp_status rp_vk_memory_outside(rp_vk *vk, rp_vk_outside *outside, uint64_t offset, uint64_t bytes, rp_memory *memory,
                               rp_error *err);

rp_status rp_vk_transfer_open(rp_vk *vk, rp_error *err);
void rp_vk_transfer_close(rp_vk *vk);

/* ---- Programs (program.c, submit.c) ------------------------------------------------------------------------------ */

rp_status rp_vk_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                               rp_program **program, rp_error *err);
void rp_vk_program_destroy(void *state, rp_program *program);
uint64_t rp_vk_program_host_bytes(void *state, const rp_program_desc *desc);
rp_status rp_vk_submit(void *state, rp_program *program, const uint64_t *words, uint32_t n_words, const rp_links *links,
                       rp_error *err);
rp_status rp_vk_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err);
rp_status rp_vk_record_into(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                            const rp_into *into, rp_error *err);
void rp_vk_latest_fault(void *state, const rp_program *program, rp_error_record *fault);
rp_status rp_vk_wait(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err);
void rp_vk_cancel(void *state, rp_program *program);
void rp_vk_wipe(void *state, rp_program *program);
void rp_vk_counters(void *state, const rp_program *program, rp_backend_counters *counters);
uint32_t rp_vk_progress(void *state, rp_program *program);
uint32_t rp_vk_timings(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity);

/* Creates a timeline semaphore that starts at 0. */
rp_status rp_vk_create_timeline(rp_vk *vk, VkSemaphore *semaphore, rp_error *err);
/* What waited for it has ended. On software devices it is kept until the device is closed: the queue thread of lavapipe
 * (Mesa 22.3) lets go of the semaphores that a submission waited for only after it has signalled its own, and does not
 * count who uses them, so that it would write to freed memory. */
void rp_vk_destroy_timeline(rp_vk *vk, VkSemaphore semaphore);
void rp_vk_destroy_kept(rp_vk *vk); /* when the device is closed */
/* Waits until it has reached a value: RP_OK or RP_ERR_TIMEOUT. After any other result the device is lost: it may still
 * be executing what was submitted, so memory that it may write to must not be used again. */
rp_status rp_vk_wait_for(rp_vk *vk, VkSemaphore semaphore, uint64_t value, uint64_t timeout_ns, rp_error *err);

#endif
