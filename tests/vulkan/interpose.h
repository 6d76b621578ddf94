/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stands between an open Vulkan device and its driver: counts calls, makes one of them fail, leaves a barrier out, and
 * keeps what was recorded into command buffers, in order. One device at a time.
 */
#ifndef REPRISE_TESTS_VULKAN_INTERPOSE_H
#define REPRISE_TESTS_VULKAN_INTERPOSE_H

#include "backends/vulkan/state.h"

#include <reprise/reprise.h>

/* X(function): the functions with a result that an open device calls, and that can be told to fail. */
/* clang-format off */
#define INTERPOSED_RESULTS(X)                                                                                          \
  X(vkCreatePipelineLayout) X(vkCreatePipelineCache)                                                                   \
  X(vkAllocateMemory) X(vkMapMemory) X(vkCreateBuffer) X(vkBindBufferMemory) X(vkCreateShaderModule)                   \
  X(vkCreateComputePipelines) X(vkCreateCommandPool) X(vkAllocateCommandBuffers) X(vkResetCommandPool)                 \
  X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkCreateSemaphore) X(vkCreateQueryPool) X(vkQueueSubmit)             \
  X(vkWaitSemaphores) X(vkGetQueryPoolResults)
/* clang-format on */

enum interposed_call {
#define INTERPOSED_ENUM(name) CALL_##name,
  INTERPOSED_RESULTS(INTERPOSED_ENUM)
#undef INTERPOSED_ENUM
      N_INTERPOSED
};

typedef enum recorded_kind {
  RECORDED_DISPATCH,
  RECORDED_COPY,
  RECORDED_FILL,
  RECORDED_BARRIER,
  RECORDED_TO_HOST
} recorded_kind;
enum { MAX_RECORDED = 4096 };

typedef struct interposed {
  uint64_t calls[N_INTERPOSED]; /* since interpose_begin */
  uint64_t recordings;          /* commands recorded into command buffers since then */
  uint32_t first_waits;         /* for how many semaphores the first batch of the latest submission waits */
  VkSemaphore last_wait;        /* the last of them */
  uint32_t batches, waiting;    /* batches of the latest submission, and how many of them wait for a semaphore */
  uint32_t first_signals;       /* how many semaphores its first batch signals */
  int fail_call;                /* the function whose call fails, the fail_in-th from now on; -1: none */
  uint64_t fail_in;
  uint64_t fail_again; /* how many further calls of it fail too */
  VkResult fail_result;
  void (*stamps)(uint32_t first, uint32_t n, uint64_t *stamps); /* changes the measured times; may be NULL */
  void (*compiling)(void); /* called by each thread that compiles a pipeline; may be NULL */
  int64_t drop_barrier;    /* number of the barrier that is left out. -1: none */
  uint64_t n_barriers;     /* seen since interpose_begin */
  recorded_kind recorded[MAX_RECORDED];
  uint32_t n_recorded;
} interposed;

extern interposed interpose;

/* Sets all counts to zero; no call fails. */
void interpose_reset(void);
/* Replaces functions in a table that has just been loaded. */
void interpose_into(rp_vk_functions *fn);
/* Does both, for an open device. */
void interpose_begin(rp_device *device);

#endif
