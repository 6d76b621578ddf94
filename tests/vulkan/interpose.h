/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stands between an open Vulkan device and its driver: counts calls, makes one of them fail, leaves a barrier out, and
 * keeps what was recorded into command buffers, in order. One device at a time.
 */
#ifndef REPRISE_TESTS_VULKAN_INTERPOSE_H
#define REPRISE_TESTS_VULKAN_INTERPOSE_H

#include "backends/vulkan/state.h"

#include <reprise/reprise.h>

/* X(function): what an open device calls that gives a result, and can be told to fail. */
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
  uint64_t recordings;          /* commands put into command buffers since then */
  int fail_call;                /* which of the calls is to fail, and when: counts down to 1. -1: none */
  uint64_t fail_in;
  uint64_t fail_again; /* how many calls of it after that one fail too */
  VkResult fail_result;
  void (*stamps)(uint32_t first, uint32_t n, uint64_t *stamps); /* changes what the driver measured. NULL: nothing */
  void (*compiling)(void); /* called by each thread that compiles a pipeline. NULL: nothing */
  int64_t drop_barrier;    /* number of the barrier that is left out. -1: none */
  uint64_t n_barriers;     /* seen since interpose_begin */
  recorded_kind recorded[MAX_RECORDED];
  uint32_t n_recorded;
} interposed;

extern interposed interpose;

/* Forgets what was counted, and has nothing fail. */
void interpose_reset(void);
/* Puts itself into a table that has just been loaded. */
void interpose_into(rp_vk_functions *fn);
/* Both, for an open device. */
void interpose_begin(rp_device *device);

#endif
