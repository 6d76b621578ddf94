/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: runs connected to the program around them. An event loop is told when a run is finished; a run waits
 * on the device for work of the program or for another run, and the program's work waits for the run; no thread of the
 * host stands between. The calling rules are those of reprise.h.
 */
#ifndef REPRISE_HOST_PROGRAM_H
#define REPRISE_HOST_PROGRAM_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A device of the program's own ------------------------------------------------------------------------------- */

/* Where the library takes device memory from: blocks of recordings (constants, intermediates, inputs and outputs) and
 * buffers of rp_buffer_create; not the pinned memory through which copies go. On the CPU it includes the staging. */
typedef struct rp_device_allocator {
  void *user;
  /* Gives `bytes` whose address is a multiple of `align`, a power of two; their content may be anything. CPU: a host
   * pointer. CUDA: a CUdeviceptr. Vulkan: a VkBuffer of that size with memory, all for this block, with the usages
   * storage buffer, indirect buffer, shader device address, transfer source and transfer destination. NULL: there is no
   * memory; then the library evicts a recording, if it can, and asks again. Called from any thread that calls the
   * library, from several at once. */
  void *(*alloc)(void *user, uint64_t bytes, uint64_t align);
  /* `bytes` is what `alloc` was asked for. The device does not use the memory any more; secrets in it are
   * overwritten. In a forked child it is called for CPU devices only. */
  void (*free)(void *user, void *memory, uint64_t bytes);
} rp_device_allocator;

typedef struct rp_host_device {
  uint32_t struct_size;
  rp_device_allocator allocator; /* zero: the driver's memory */
  /* Vulkan, with the caller's handles (rp_device_options.native): the pNext of the VkDeviceCreateInfo with which the
   * device was created, so that the library knows which features it may use. VkPhysicalDeviceFeatures2 and the
   * structures of Vulkan 1.2's features, together or one by one, are understood. The library needs bufferDeviceAddress,
   * timelineSemaphore, storageBuffer8BitAccess and shaderInt8: RP_ERR_UNSUPPORTED names those that are not enabled.
   * With shaderInt64, kernels use 64-bit integers where that is faster. NULL: the library assumes the four, and no
   * more. Read during the call. */
  const void *vulkan_features;
  /* Vulkan, likewise: called around each vkQueueSubmit with its VkQueue, because a queue belongs to one thread at a
   * time. Both or none; none if no other thread uses the queue. They must not call the library. */
  void *lock_user;
  void (*lock_queue)(void *user, void *queue);
  void (*unlock_queue)(void *user, void *queue); /* from the thread that called lock_queue */
} rp_host_device;

/* rp_device_open for a program that brings a context, a device or memory of its own. options->kind must name the kind.
 * With options->native the device is the caller's, is not looked for, and is not destroyed: CUDA: a CUcontext, and a
 * CUstream in which all runs are executed, or NULL for one stream per run slot; Vulkan: a VkInstance, a
 * VkPhysicalDevice, a VkDevice of Vulkan 1.2 or later and a VkQueue for compute of family options->native_index. They
 * must outlive the device. `host` may be NULL. */
RP_API RP_CHECKED rp_status rp_device_open_for(rp_context *context, const rp_device_options *options,
                                               const rp_host_device *host, rp_device **device, rp_error *err);

/* ---- Memory shared with other programs --------------------------------------------------------------------------- */

/* What a descriptor stands for, and which devices import it. */
typedef enum rp_share_kind {
  RP_SHARE_MAPPED = 1, /* CPU: a memfd or a file, opened for reading and writing, which mmap maps with MAP_SHARED. One
                          that shrinks later kills the process: seal it (F_SEAL_SHRINK), or trust who has it */
  RP_SHARE_CUDA = 2,   /* CUDA: of cuMemExportToShareableHandle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR */
  RP_SHARE_VULKAN = 3  /* Vulkan, and CUDA on the same GPU: of vkGetMemoryFdKHR,
                          VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT */
} rp_share_kind;

/* Memory that several programs, or several APIs in one program, use without copies. Its description may be sent to
 * another process byte by byte; the descriptor is sent as such (SCM_RIGHTS), and has another number there. */
typedef struct rp_shared_memory {
  uint32_t struct_size;
  rp_share_kind kind;
  int32_t fd;            /* the descriptor */
  uint32_t memory_type;  /* RP_SHARE_VULKAN: the index of the memory type that it was allocated from; else 0 */
  uint32_t dedicated;    /* RP_SHARE_VULKAN: 1 if it was allocated for one VkBuffer (VkMemoryDedicatedAllocateInfo), of
                            offset_bytes + size_bytes with the usages that rp_device_allocator lists; else 0 */
  uint64_t memory_bytes; /* of all the memory behind the descriptor, as it was allocated */
  uint64_t offset_bytes; /* where the buffer begins in it */
  uint64_t size_bytes;   /* of the buffer, at least 1 */
  uint8_t device[16];    /* the UUID of the GPU; zeros: not known, and not compared */
} rp_shared_memory;

/* rp_buffer_create in memory that other programs can import: *memory, whose struct_size the caller sets, describes it.
 * The content is undefined. memory->fd belongs to the caller, who closes it; it is closed by exec. The memory exists
 * until the buffer is destroyed, all descriptors are closed and everyone who has imported it has released it. It is not
 * overwritten then: a program that has secrets in it overwrites them first. The memory comes from the system or the
 * driver, even if the device has an allocator of the caller's. RP_ERR_UNSUPPORTED: a group of devices, the null device,
 * a driver that cannot do this, or a caller's VkDevice without VK_KHR_external_memory_fd. After a failure memory->fd is
 * -1. */
RP_API RP_CHECKED rp_status rp_buffer_create_shared(rp_device *device, uint64_t size_bytes, rp_buffer **buffer,
                                                    rp_shared_memory *memory, rp_error *err);
/* A buffer in memory of another program, or of another API: the part of it that offset_bytes and size_bytes say. Runs
 * bind it as any other. The descriptor stays the caller's, and may be closed after the call: the buffer keeps the
 * memory.
 *  - Neither the device nor the other program knows what the other one does: while a run uses the buffer, nobody else
 *    writes to it, and nobody else reads what the run writes. What was written before a message to the other program,
 *    and after the end of the run has been seen, is there when the message arrives.
 *  - Addresses decide which bytes are the same: memory that one device imports twice counts as two separate pieces.
 *  - What the other program writes is not checked, as with rp_run_bind_input.
 * RP_ERR_ARGUMENT: the sizes contradict each other or the descriptor, or the descriptor is not of this kind.
 * RP_ERR_MISMATCH: memory of another GPU. RP_ERR_UNSUPPORTED: devices of this kind cannot import it. */
RP_API RP_CHECKED rp_status rp_buffer_import(rp_device *device, const rp_shared_memory *memory, rp_buffer **buffer,
                                             rp_error *err);

/* ---- Whose turn it is -------------------------------------------------------------------------------------------- */

typedef struct rp_begin_options {
  uint32_t struct_size;
  int32_t priority;     /* 0: usual. Higher ones are served first. On the CPU device, work of the run comes before that
                           of runs with lower ones, too, once it has been submitted */
  uint64_t timeout_ns;  /* as of rp_run_begin: 0 does not wait, UINT64_MAX waits without limit */
  uint64_t deadline_ns; /* from now on; 0: none. Of calls with the same priority, the one whose deadline comes first is
                           served first, before those without one. After it has passed, the call continues to wait */
} rp_begin_options;

/* rp_run_begin with these options. Priorities and deadlines order the calls that wait for a slot of a recording, and
 * those that wait for a device's memory; among equals, the first to come is served first, and threads with runs that
 * they have not ended are served before all others. A call is passed by at most 16 later ones, so that none waits for
 * ever: to be served in a certain time it needs a priority of its own. NULL: all zero, which does not wait. */
RP_API RP_CHECKED rp_status rp_run_begin_with(rp_recording *recording, const rp_begin_options *options, rp_run **run,
                                              rp_error *err);

/* Keeps the recording's device memory: it is not evicted to make room for others until rp_recording_unpin. An evicted
 * one is loaded first, which evicts others if it must, and waits for nothing. RP_ERR_BUDGET: it does not fit beside the
 * recordings that are in use or pinned. Calls are not counted: one rp_recording_unpin undoes any number of them. While
 * the recording is pinned, rp_recording_evict gives RP_ERR_STATE. */
RP_API RP_CHECKED rp_status rp_recording_pin(rp_recording *recording, rp_error *err);
RP_API void rp_recording_unpin(rp_recording *recording);

/* ---- Constants that change --------------------------------------------------------------------------------------- */

typedef struct rp_new_constant {
  rp_value value;      /* a constant that was made with RP_REPLACEABLE */
  const void *data;    /* read during the call */
  uint64_t size_bytes; /* exactly that of the value */
} rp_new_constant;

/* Replaces constants of a recording for all later runs, until they are replaced again. The data is copied, also for a
 * constant with RP_BORROW; the graph and its other recordings keep theirs. If the recording has its memory, and
 * something was computed from one of these constants when it was recorded, it is loaded again, which takes as long as
 * rp_record does after planning; if not, only the new data is uploaded. Plans do not depend on the content of
 * replaceable constants, which are not shared between recordings. RP_ERR_BUSY: a run has begun and not ended; calls
 * that begin one meanwhile wait for the end. On failure all constants are as before, but the recording may have lost
 * its memory, as after rp_recording_evict. RP_ERR_INPUT: what is computed from them failed. RP_ERR_ARGUMENT: an entry
 * is not a constant of the graph, or is there twice. RP_ERR_STATE: it is not replaceable. RP_ERR_SHAPE: its size is not
 * that of the value. */
RP_API RP_CHECKED rp_status rp_recording_set_constants(rp_recording *recording, const rp_new_constant *constants,
                                                       uint32_t n, rp_error *err);

/* ---- Host events ------------------------------------------------------------------------------------------------- */

/* A number that only grows, for runs of the CPU device: it is for the host what a timeline semaphore is for a GPU. It
 * begins at 0. Any thread may signal it and wait for it. Destroy it when no run that names it is left. */
typedef struct rp_event rp_event;
RP_API RP_CHECKED rp_status rp_event_create(rp_context *context, rp_event **event, rp_error *err);
RP_API void rp_event_destroy(rp_event *event);
/* Raises the number to `value`, and starts the runs that waited for it. A value that has been reached changes
 * nothing. */
RP_API RP_CHECKED rp_status rp_event_signal(rp_event *event, uint64_t value);
RP_API uint64_t rp_event_value(const rp_event *event); /* 0 for NULL */
/* RP_OK: the value has been reached. RP_ERR_TIMEOUT: not within that time (0: looks only; UINT64_MAX: no limit). */
RP_API RP_CHECKED rp_status rp_event_wait(rp_event *event, uint64_t value, uint64_t timeout_ns);

/* ---- What a run waits for, and what it signals ------------------------------------------------------------------- */

typedef enum rp_sync_kind {
  RP_SYNC_HOST = 1,        /* CPU device: `handle` is an rp_event, which reaches or is raised to `value` */
  RP_SYNC_CUDA_EVENT = 2,  /* CUDA: a CUevent of the device's context. Waits for its latest cuEventRecord; the run
                              records it */
  RP_SYNC_CUDA_STREAM = 3, /* CUDA: a CUstream of the device's context. The run waits for what the stream has been given
                              so far; what the stream is given after rp_run_submit_with waits for the run */
  RP_SYNC_VULKAN = 4       /* Vulkan: a VkSemaphore of the timeline type, which reaches or is set to `value` */
} rp_sync_kind;

typedef struct rp_sync {
  rp_sync_kind kind;
  void *handle;   /* as `kind` says */
  uint64_t value; /* 0 for CUDA */
} rp_sync;

enum { RP_MOST_SYNCS = 16 }; /* in each of the three lists of a submission */

/* Called once for a run that was submitted, when it is finished, however it ended. A thread of the library calls it,
 * and holds no lock. In the callback rp_run_poll and rp_run_wait return the result at once; with rp_run_output,
 * rp_run_error, rp_run_get_counters and rp_run_end they may be used there, if the run's own thread leaves the run alone
 * meanwhile. The callback must not destroy the recording, nor wait for its other runs. It holds up the next notice of
 * this run slot; waking an event loop (uv_async_send, a channel) is what it is for. */
typedef void (*rp_done_fn)(void *user, rp_run *run);

typedef struct rp_submit_options {
  uint32_t struct_size;
  uint32_t n_waits, n_signals, n_after; /* each at most RP_MOST_SYNCS */
  /* The device begins the run when all of `waits` have been reached, and signals `signals` when it is finished, however
   * it ended, but not if the submission fails. The lists need not outlive the call. The objects must outlive the run;
   * those of GPUs must also outlive the signal to them, which may come a moment after the end has been seen. Whatever
   * the run waits for must be reached at some time: except on the CPU, a run that has been cancelled waits for it all
   * the same, and so does rp_run_end. */
  const rp_sync *waits;
  const rp_sync *signals;
  /* Runs of the same device that were submitted before, and have not been ended: the device begins this run when they
   * are finished, and no thread waits in between. A buffer that an earlier run binds as an output may be an input of
   * this one. If one of them fails, this run gives no outputs and fails with its status. When this run has ended well,
   * so have the earlier ones, and rp_run_poll gives their results at once. Runs that are connected in this way belong
   * to one thread at a time together. rp_run_end of an earlier run waits for those that follow it. */
  rp_run *const *after;
  /* CUDA: the CUstream, Vulkan: the VkQueue, of the device's context or of its queue family, which executes the run;
   * used until the run is finished. A queue is locked as that of the device is. NULL: the device's own choice. */
  void *stream;
  /* How an event loop learns that the run is finished: the callback is called, if it is not NULL, and then the number 1
   * is written to the eventfd `done_fd`, if that is not 0; several runs may share one. The first such submission of a
   * run slot starts a thread, which waits for the slot's runs from then on. rp_run_end waits until both have happened,
   * unless the callback calls it, so that `user` and the descriptor are free afterwards. */
  rp_done_fn done;
  void *user;
  int done_fd;
} rp_submit_options;

/* rp_run_submit with these options; NULL is rp_run_submit. If it fails, the run is as after a failed rp_run_submit, and
 * the callback is not called. RP_ERR_UNSUPPORTED: an entry is not of this kind of device. RP_ERR_MISMATCH: a run of
 * another device in `after`. RP_ERR_STATE: one that has not been submitted. RP_ERR_MEMORY: no thread could be
 * started. */
RP_API RP_CHECKED rp_status rp_run_submit_with(rp_run *run, const rp_submit_options *options);

/* ---- Several runs in one submission ------------------------------------------------------------------------------ */

enum { RP_MOST_RUNS = 16 }; /* in one submission */

/* Submits up to RP_MOST_RUNS runs at once: of one recording or of several, all on the same device. The device executes
 * them in the order of the list, each when the one before has finished, and no thread of the host stands between: on
 * Vulkan all of them are one vkQueueSubmit (and those of their inputs that have a queue of their own, another), on CUDA
 * one graph launch after the other in one stream, on the CPU one job after the other. Each has its own result, and is
 * waited for, polled, asked for outputs and ended as any other run.
 *  - What a run of the list writes to memory that it binds, later ones read there. A run that binds as an input some of
 *    the memory that an earlier one binds as an output, by address, fails with the status of that one if it fails, and
 *    gives no outputs; but it is executed all the same, on undefined content. All others keep their own results.
 *  - `options` are for the whole, and may be NULL. `waits` and `after` come before the first run; if one of `after`
 *    fails, so do all of the list. `signals`, `done` and `done_fd` come when the last run has finished, and so all
 *    have; the callback gets that run. `stream` executes all of them.
 *  - A run that is cancelled ends when its turn comes, on the CPU too, and not before; those after it are still run.
 *  - The runs belong to one thread at a time together. rp_run_end of one waits for the next of the list, and for those
 *    that read what it has written.
 *  - rp_run_counters.submissions: on Vulkan, the first run has those of the whole list, and the others have 0.
 * All of them are submitted or none. If the call fails, *err says why, and which run it concerns.
 *  - RP_ERR_ARGUMENT (a run or a binding; a run that is listed twice), RP_ERR_STATE (a run that has been submitted; an
 *    input that has not been given), RP_ERR_MISMATCH (runs of several devices), RP_ERR_UNSUPPORTED (the device is a
 *    group of devices; an entry of the options is not of its kind), RP_ERR_INPUT, and RP_ERR_MEMORY if no thread could
 *    be started for `done`: the runs are as before, and can be submitted when that has been put right.
 *  - RP_ERR_CANCELLED: a run of the list had been cancelled. It is over; the others are as before, and can be
 *    submitted.
 *  - If the device itself refuses, each run of the list is over and has the status that the device gave. Some of them
 *    may have been executed, so that what they bind as outputs is undefined; nothing has been signalled. */
RP_API RP_CHECKED rp_status rp_runs_submit(rp_run *const *runs, uint32_t n, const rp_submit_options *options,
                                           rp_error *err);

/* ---- A run as a part of the program's own work ------------------------------------------------------------------- */

typedef enum rp_into_kind {
  RP_INTO_VULKAN_COMMANDS = 1, /* `handle` is a VkCommandBuffer of the device's queue family that is being recorded,
                                  outside of a render pass */
  RP_INTO_CUDA_GRAPH = 2,      /* `handle` is a CUgraph, to which a node is added */
  RP_INTO_CUDA_STREAM = 3 /* `handle` is a CUstream of the device's context that is being captured: what it is given
                                  next follows the run */
} rp_into_kind;

typedef struct rp_into {
  uint32_t struct_size;
  rp_into_kind kind;
  void *handle;       /* the VkCommandBuffer, CUgraph or CUstream that kind says */
  void *const *after; /* RP_INTO_CUDA_GRAPH: CUgraphNodes of it that the run waits for */
  uint64_t n_after;
  void **node; /* RP_INTO_CUDA_GRAPH: gets the CUgraphNode; NULL: not wanted */
} rp_into;

/* In place of rp_run_submit: puts the work of the run into the program's command buffer or graph, which the program
 * then executes as often as it wants, one execution after the other. The run keeps its slot, and the addresses that it
 * has bound, until rp_run_end.
 *  - Before each execution inputs may be written, through rp_run_input and rp_run_set_input, which the execution copies
 *    from the staging; before the first, all of them must have been. If some input is secret, and the recording is not
 *    made with RP_RECORD_KEEP_INPUTS, an execution may clear what it has copied: give all of them again.
 *  - Vulkan: barriers at both ends of the work order it after all earlier and before all later commands, with all of
 *    their memory accesses. It changes the bound compute pipeline and the push constants. Nothing of it is skipped when
 *    a run is cancelled, and it is one command buffer however long it takes.
 *  - CUDA: nothing of it is left out by a condition (rp_condition_begin), or when a run is cancelled.
 *  - After an execution has ended, rp_run_collect tells how it went, and rp_run_output gives the outputs in the staging
 *    until the next one begins.
 *  - rp_run_end releases the slot and overwrites its secrets: what contains the work must not be executed from then on.
 *    Until then the recording's memory may hold secrets of the latest execution.
 * A run of a recording with RP_RECORD_PROFILE has no timings. RP_ERR_UNSUPPORTED: `kind` does not belong to this kind
 * of device; none belongs to the CPU or to a group. After a failure the run can only be ended, and the program discards
 * the command buffer or graph. */
RP_API RP_CHECKED rp_status rp_run_record_into(rp_run *run, const rp_into *into);
/* How the latest execution went, which must have ended: RP_OK, or why it failed. RP_ERR_STATE: the run has not been
 * recorded into anything. */
RP_API RP_CHECKED rp_status rp_run_collect(rp_run *run);

/* ---- How far a run is -------------------------------------------------------------------------------------------- */

/* The number of the run's steps (dispatches, and copies from and to bound buffers) that are finished, and in *all,
 * unless it is NULL, how many it has. It grows from 0 when the run is submitted to all of them when it has ended well.
 * May be called from any thread until rp_run_end. Steps are counted one by one on the CPU, and on Vulkan by the command
 * buffers that a long recording consists of; a CUDA graph counts when it is finished. NULL: 0 of 0. */
RP_API uint32_t rp_run_progress(const rp_run *run, uint32_t *all);

#ifdef __cplusplus
}
#endif

#endif
