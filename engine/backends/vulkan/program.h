/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program of the Vulkan backend: command buffers that are recorded once and submitted by one call a run.
 */
#ifndef REPRISE_VULKAN_PROGRAM_H
#define REPRISE_VULKAN_PROGRAM_H

#include "state.h"

enum { RP_VK_IDLE, RP_VK_RUNNING, RP_VK_DONE };

struct rp_program {
  rp_vk *vk;
  const rp_program_desc *desc;
  rp_memory *blocks; /* n_blocks */
  rp_memory staging_up, staging_down;
  size_t host_bytes; /* of this struct and the arrays behind it, one allocation */

  /* Host memory: what goes up (a clear error record, then the bound addresses), and the error record that comes back. */
  rp_memory control_up, control_down;
  uint32_t parameter_block, n_words; /* RP_NO_BLOCK: none */
  /* Argument structs that are too large for push constants, and the arguments of indirect dispatches. */
  rp_memory large_args, indirect;
  uint64_t large_used, indirect_used;

  VkCommandPool pool;
  VkCommandBuffer run, wipe; /* wipe: of the secret blocks, behind the run; NULL if there are none */
  /* The run in batches, each a command buffer, in the order of submission: `run` is the one that is recorded. No batch takes
   * long enough for a driver's watchdog (2 s and more) to fire. */
  VkCommandBuffer *batches; /* room for n_steps + 1 */
  uint32_t n_batches;
  VkSubmitInfo *submits; /* one a batch, and one for the wipe */
  VkSemaphore done;      /* each run counts it up by one, and its wipe by one more */
  uint64_t run_value, last_value;

  VkQueryPool queries; /* profiled programs: begin and end of each step, then of the upload and the download */
  uint32_t n_queries;

  int phase; /* RP_VK_IDLE ... */
  atomic_int cancelled;
  rp_backend_counters per_run, counters;
};

/* Records program->run and program->wipe. `order` has room for 3 n_steps numbers. */
rp_status rp_vk_record(rp_program *program, uint32_t *order, rp_error *err);

#endif
