/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program of the Vulkan backend: command buffers that are recorded once and submitted by one call per run.
 */
#ifndef REPRISE_VULKAN_PROGRAM_H
#define REPRISE_VULKAN_PROGRAM_H

#include "state.h"

enum { RP_VK_IDLE, RP_VK_RUNNING, RP_VK_DONE };

/* The end of a batch that is not the last one. */
typedef struct rp_vk_mark {
  uint32_t n_steps; /* up to there */
  uint64_t value;   /* of `passed` */
  VkTimelineSemaphoreSubmitInfo timeline;
} rp_vk_mark;

struct rp_program {
  rp_vk *vk;
  const rp_program_desc *desc;
  rp_memory *blocks; /* n_blocks */
  rp_memory staging_up, staging_down;
  size_t host_bytes; /* of this struct and the arrays after it, one allocation */

  /* Host memory: what is uploaded (a clear error record, then the bound addresses), and the error record that is
   * downloaded. */
  rp_memory control_up, control_down;
  uint32_t parameter_block, n_words; /* RP_NO_BLOCK: none */
  rp_memory large_args;              /* argument structs that are too large for push constants */
  uint64_t large_used;

  VkCommandPool pool;
  VkCommandBuffer run, wipe; /* wipe: zeros the secret blocks after the run; NULL if there are none */
  /* The run in batches, one command buffer each, in the order of submission; `run` is the one that is being recorded.
   * Batches are short enough not to trigger a driver's watchdog (2 s or more). */
  VkCommandBuffer *batches; /* room for n_steps + 1 */
  uint32_t n_batches;
  rp_vk_mark *marks;     /* per batch */
  VkSubmitInfo *submits; /* one per batch, and one for the wipe */
  VkSemaphore done;      /* each run increments it by one, and its wipe by one more */
  uint64_t run_value, last_value;
  int unwiped; /* the latest run is not followed by the wipe, because later programs read what it has left */
  /* With several batches: each but the last increments it by one, so that others can see how far the run is. */
  VkSemaphore passed;
  uint64_t passed_before, passed_value; /* at the beginning of the latest run, and at its end */
  /* A word in host memory. Sections of a run whose beginning finds it 0 skip their dispatches: the run was cancelled.
   * Without it a run cannot be stopped. */
  rp_memory go;
  VkQueue queue; /* of the latest run; NULL: there was none */

  /* With several slots: the copies of the inputs, on the upload queue. They wait for `done` (the wiping of what
   * they overwrite), and the run waits for `uploaded`, which each upload increments by one. NULL: the copies are part
   * of the run. */
  VkCommandPool upload_pool;
  VkCommandBuffer upload;
  VkSemaphore uploaded;
  uint64_t upload_value;

  VkQueryPool queries; /* profiled programs: begin and end of each step, then of the upload and the download */
  uint32_t n_queries;

  int phase; /* RP_VK_IDLE ... */
  atomic_int cancelled;
  rp_backend_counters per_run, counters;
};

/* Records all command buffers. `order` has room for 3 n_steps numbers. */
rp_status rp_vk_record(rp_program *program, uint32_t *order, rp_error *err);

/* ---- copies.c ---------------------------------------------------------------------------------------------------- */

rp_status rp_vk_record_uploads(rp_program *program, rp_error *err);
void rp_vk_record_downloads(rp_program *program);
rp_status rp_vk_record_wipe(rp_program *program, rp_error *err);
void rp_vk_barrier(rp_program *program, VkCommandBuffer commands, uint32_t from, uint32_t writes, uint32_t to,
                   uint32_t accesses);
void rp_vk_timestamp(rp_program *program, uint32_t query, VkPipelineStageFlagBits stage); /* if it is profiled */

#endif
