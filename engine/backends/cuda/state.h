/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the files of the CUDA backend share.
 */
#ifndef REPRISE_CUDA_STATE_H
#define REPRISE_CUDA_STATE_H

#include "driver.h"
#include "ranges.h"

#include <pthread.h>
#include <stdatomic.h>

/* Modules stay loaded as long as the device is open: several recordings share them. */
typedef struct rp_cuda_module {
  const void *image;
  CUmodule module;
} rp_cuda_module;

typedef struct rp_cuda {
  rp_context *context;
  rp_cuda_driver driver;
  CUdevice device;
  CUcontext cu_context;
  bool owns_context;
  CUstream caller_stream; /* NULL: each program has its own */
  uint32_t multiprocessors;
  uint64_t free_bytes;  /* of the device, when it was opened */
  void *ranges;         /* NVTX domain */
  pthread_mutex_t lock; /* modules */
  rp_cuda_module *modules;
  uint32_t n_modules, modules_capacity;
  atomic_int lost;
} rp_cuda;

/* After one of the errors that rp_cuda_check takes for the end of a device, every context that this process has or
 * creates on the device returns the same error (driver 580 does, even after the primary context was released and reset,
 * and for a new context): the device is lost to the process. */
#define RP_CUDA_LOST_ADVICE "close it and go on with another device, or restart the process to use this one again"

/* Every entry point runs with the device's context current on the calling thread, and leaves the thread as it was. */
rp_status rp_cuda_enter(rp_cuda *cuda, rp_error *err);
/* The same for functions that release something and cannot report an error. True if entered; if the driver refuses, it
 * is asked once more. */
bool rp_cuda_enter_to_give_back(rp_cuda *cuda);
void rp_cuda_leave(rp_cuda *cuda);

/* Turns a result into a status and a sentence, and marks the device lost after an error that the context does not
 * survive. `what` names the driver's function. */
rp_status rp_cuda_check(rp_cuda *cuda, CUresult result, const char *what, rp_error *err);
#define RP_CUDA(cuda, err, call, ...) rp_cuda_check((cuda), (cuda)->driver.call(__VA_ARGS__), #call, (err))

rp_status rp_cuda_function(rp_cuda *cuda, const void *image, const char *entry, uint32_t dynamic_shared_bytes,
                           CUfunction *function, rp_error *err);

bool rp_cuda_skips(const void *state);
rp_status rp_cuda_memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err);
void rp_cuda_memory_free(void *state, rp_memory *memory);
bool rp_cuda_memory_lends(void *state, const void *host, uint64_t bytes);
rp_status rp_cuda_memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err);
rp_status rp_cuda_memory_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err);
rp_status rp_cuda_memory_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err);
/* Lets go of what these two gave. */
void rp_cuda_memory_unshare(rp_cuda *cuda, rp_memory *memory);
rp_status rp_cuda_memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                               rp_error *err);
rp_status rp_cuda_memory_send(void *state, rp_memory *memory, uint64_t offset, const rp_memory *staging,
                              uint64_t staging_offset, uint64_t bytes, rp_error *err);
rp_status rp_cuda_memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                              rp_error *err);

rp_status rp_cuda_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                                 rp_program **program, rp_error *err);
void rp_cuda_program_destroy(void *state, rp_program *program);
uint64_t rp_cuda_program_host_bytes(void *state, const rp_program_desc *desc);
rp_status rp_cuda_submit(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                         const rp_links *links, rp_error *err);
rp_status rp_cuda_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err);
rp_status rp_cuda_record_into(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                              const rp_into *into, rp_error *err);
void rp_cuda_latest_fault(void *state, const rp_program *program, rp_error_record *fault);
rp_status rp_cuda_wait(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault, rp_error *err);
void rp_cuda_cancel(void *state, rp_program *program);
void rp_cuda_wipe(void *state, rp_program *program);
void rp_cuda_counters(void *state, const rp_program *program, rp_backend_counters *counters);
bool rp_cuda_reaches(void *state, void *other);
rp_status rp_cuda_await_arrivals(void *state, rp_program *program, rp_error *err);
uint32_t rp_cuda_timings(void *state, const rp_program *program, rp_timing *timings, uint32_t capacity);

#endif
