/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Gives an open Vulkan device more compute queues than its driver has. They stand between the library and the driver:
 * what is submitted to them waits here, and goes to the driver's one queue batch by batch, in a random order that the
 * queues and the semaphores allow. A run whose waits do not order it completely meets every such order in time.
 */
#ifndef REPRISE_TESTS_VULKAN_QUEUES_H
#define REPRISE_TESTS_VULKAN_QUEUES_H

#include "backends/vulkan/state.h"

enum { MAX_PENDING = 1024, MAX_SEEN = 4096 };

typedef struct queues {
  uint64_t seed;
  uint32_t calls;                     /* of vkQueueSubmit */
  uint32_t fail_in;                   /* that call fails; 0: none does */
  bool holds;                         /* the driver gets nothing but by queues_step */
  VkCommandBuffer executed[MAX_SEEN]; /* in the order in which the driver got them */
  uint32_t n_executed;
} queues;
extern queues queues_seen;

/* The driver executes one batch, if any may begin. */
bool queues_step(void);

/* From now on the device has n queues, and its programs that many lanes. queues_end gives the driver's back. */
void queues_begin(rp_vk *vk, uint32_t n, uint64_t seed);
void queues_end(rp_vk *vk);

#endif
