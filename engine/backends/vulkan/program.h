/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program of the Vulkan backend: command buffers that are recorded once and submitted by one call per run.
 */
#ifndef REPRISE_VULKAN_PROGRAM_H
#define REPRISE_VULKAN_PROGRAM_H

#include "state.h"

enum { RP_VK_IDLE, RP_VK_RUNNING, RP_VK_DONE };

/* Where a run does anything. */
enum {
  RP_VK_STAGES =
      VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT
};

/* A step in the order in which steps are recorded. */
typedef struct rp_vk_place {
  uint32_t step;
  uint32_t large;      /* offset of its arguments in the memory for large ones */
  bool barrier;        /* a barrier comes before it */
  bool barrier_in_one; /* a barrier comes before it if the steps of all lanes are in one command buffer */
  bool section;        /* a section begins with it */
} rp_vk_place;

/* A command buffer of a run: consecutive places. */
typedef struct rp_vk_stretch {
  uint32_t first, n;
  bool bound; /* some kernel accesses what runs bind: recorded again when an address has changed */
  bool waits; /* the first of a batch that waits for other lanes */
} rp_vk_stretch;

/* A batch as it is submitted. */
typedef struct rp_vk_batch {
  uint32_t stretch, n_stretches;
  uint64_t value; /* which its lane's semaphore has when the batch is finished */
  VkTimelineSemaphoreSubmitInfo timeline;
} rp_vk_batch;

/* Semaphores that a submission waits for or signals, with their values. */
enum { RP_VK_MOST_POINTS = 2 * RP_MOST_SYNCS + 2 };
typedef struct rp_vk_points {
  uint32_t n;
  VkSemaphore semaphores[RP_VK_MOST_POINTS];
  uint64_t values[RP_VK_MOST_POINTS];
  VkPipelineStageFlags stages[RP_VK_MOST_POINTS];
} rp_vk_points;

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
  rp_memory large_bound;             /* those with addresses that runs bind, in memory that the host writes */
  rp_memory indirect;                /* of guarded steps: the sizes that are planned, then those of the present run */
  uint32_t *commands_at;             /* n_words + 1: where those that have a parameter word as their guard begin */
  uint32_t *command_of;              /* n_steps: where those of a guarded step begin */
  uint32_t n_commands;
  uint64_t *words;  /* n_words: what stretches that are bound have been recorded with */
  bool words_known; /* 0: nothing, or a part of it */

  VkCommandPool pool;
  VkCommandBuffer run, wipe; /* wipe: zeros the secret blocks after the run; NULL if there are none */
  /* The run in command buffers, in the order of submission; `run` is the one that is being recorded. */
  rp_vk_place *places;       /* n_steps */
  rp_vk_stretch *stretches;  /* room for n_steps + 1 */
  VkCommandBuffer *commands; /* one per stretch */
  uint32_t n_stretches;
  /* The run in batches, which are short enough not to trigger a driver's watchdog (2 s or more). */
  rp_vk_lanes lanes;
  rp_arena lanes_arena;
  rp_vk_batch *batches;
  struct {
    VkSemaphore *semaphores;
    uint64_t *values;
    VkPipelineStageFlags *stages;
  } lane_waits; /* per wait of the lanes */
  /* A run as it is submitted: one per batch, and one for the wipe, if that follows at once; and what they point to. */
  VkSubmitInfo *submits;
  uint32_t n_submits;
  uint32_t queue_at[RP_VK_MOST_LANES + 1]; /* where those of each queue begin */
  rp_vk_points waits, signals, wiped;
  VkTimelineSemaphoreSubmitInfo wipe_end;
  VkSemaphore done; /* each run increments it by one, and its wipe by one more */
  uint64_t run_value, last_value;
  bool unwiped; /* the latest run is not followed by the wipe, because later programs read what it has left */
  /* Per lane: each batch but the last one of the run increments it by one, so that others can wait for it, and see how
   * far the run is. */
  VkSemaphore passed[RP_VK_MOST_LANES];
  uint64_t passed_before[RP_VK_MOST_LANES], passed_value[RP_VK_MOST_LANES]; /* when the latest run begins, and ends */
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

/* Whether some kernel of the step accesses what runs bind. */
bool rp_vk_is_bound(const rp_program_desc *desc, const rp_step *step);
/* Records all command buffers but those that are bound. */
rp_status rp_vk_record(rp_program *program, rp_error *err);
/* Records those for these addresses, unless they have them. None of them may be pending. */
rp_status rp_vk_record_bound(rp_program *program, const uint64_t *words, rp_error *err);

/* ---- guards.c ---------------------------------------------------------------------------------------------------- */

extern const rp_kernel rp_vk_guard_kernel;
/* Makes `indirect`, if any step is guarded. */
rp_status rp_vk_guards_create(rp_program *program, rp_error *err);
/* Bytes into `indirect`. */
uint64_t rp_vk_guards_command(const rp_program *program, uint32_t command);
/* Writes the arguments of rp_vk_guard_kernel for a step that computes a guard, whose refs have these addresses. Returns
 * how many u32 it writes beside the guard. */
uint32_t rp_vk_guards_args(const rp_program *program, const rp_step *step, const uint64_t addresses[3], uint64_t *args);

/* ---- arrange.c --------------------------------------------------------------------------------------------------- */

/* Fills in the lanes, places, stretches and batches, and takes the memory for submitting them. */
rp_status rp_vk_arrange(rp_program *program, rp_error *err);

/* ---- copies.c ---------------------------------------------------------------------------------------------------- */

void rp_vk_count_copies(rp_program *program);   /* for the counters */
void rp_vk_record_uploads(rp_program *program); /* unless they have a queue of their own; and the barrier behind them */
void rp_vk_record_arrival(rp_program *program); /* what comes first in a batch that waits for other lanes */
rp_status rp_vk_record_upload_queue(rp_program *program, rp_error *err);
void rp_vk_record_downloads(rp_program *program);
void rp_vk_record_zeros(rp_program *program, VkCommandBuffer commands); /* over the secret blocks */
rp_status rp_vk_record_wipe(rp_program *program, rp_error *err);
void rp_vk_barrier(rp_program *program, VkCommandBuffer commands, uint32_t from, uint32_t writes, uint32_t to,
                   uint32_t accesses);
void rp_vk_timestamp(rp_program *program, uint32_t query, VkPipelineStageFlagBits stage); /* if it is profiled */

#endif
