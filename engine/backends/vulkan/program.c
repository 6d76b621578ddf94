/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Creating and destroying programs.
 */
#include "program.h"

#include <stdbool.h>
#include <string.h>

static uint32_t n_queries_of(const rp_vk *vk, const rp_program_desc *d) {
  return d->flags & RP_RECORD_PROFILE && vk->timestamp_bits ? 2 * d->n_steps + 4 : 0;
}

static uint32_t n_words_of(const rp_program_desc *d) {
  for (uint32_t b = 0; b < d->n_blocks; b++)
    if (d->blocks[b].space == RP_SPACE_PARAMETER) return (uint32_t)((d->blocks[b].bytes - sizeof(rp_error_record)) / 8);
  return 0;
}

/* Of the program and the arrays behind it. */
static size_t bytes_of(const rp_program_desc *d) {
  const size_t n_steps = d->n_steps;
  return sizeof(rp_program) + d->n_blocks * sizeof(rp_memory) + (n_steps + 2) * sizeof(VkCommandBuffer) +
         n_words_of(d) * sizeof(uint64_t) + n_steps * sizeof(rp_vk_place) + (n_steps + 2) * sizeof(rp_vk_stretch) +
         (n_words_of(d) + 1 + n_steps) * sizeof(uint32_t);
}

/* With as many batches as possible. */
uint64_t rp_vk_program_host_bytes(void *state, const rp_program_desc *d) {
  const rp_vk *vk = state;
  const uint64_t n_batches = (uint64_t)d->n_steps + 2, n_waits = n_batches * (vk->n_lanes - 1);
  return bytes_of(d) + d->n_steps * sizeof(uint32_t) +
         n_batches * (sizeof(rp_vk_lane_batch) + sizeof(rp_vk_batch) + sizeof(VkSubmitInfo)) +
         n_waits * (sizeof(rp_vk_lane_wait) + sizeof(VkSemaphore) + sizeof(uint64_t) + sizeof(VkPipelineStageFlags));
}

static rp_status create_memory(rp_program *p, rp_error *err) {
  rp_vk *vk = p->vk;
  uint64_t large[2] = {0}; /* bound: 1 */
  for (uint32_t i = 0; i < p->desc->n_steps; i++) {
    const rp_step *step = &p->desc->steps[i];
    if (step->pattern->kind != RP_STEP_DISPATCH) continue;
    const uint32_t bytes = step->pattern->kernel->args_bytes;
    if (bytes > RP_VK_PUSH_ARGS) large[rp_vk_is_bound(p->desc, step)] += (bytes + 15) / 16 * 16;
  }
  const uint64_t up = sizeof(rp_error_record) + 8 * (uint64_t)p->n_words;
  rp_status status = rp_vk_memory_alloc(vk, RP_MEMORY_STAGING_UP, up, &p->control_up, err);
  if (status == RP_OK) memset(p->control_up.host, 0, up);
  if (status == RP_OK)
    status = rp_vk_memory_alloc(vk, RP_MEMORY_STAGING_DOWN, sizeof(rp_error_record), &p->control_down, err);
  if (status == RP_OK) memset(p->control_down.host, 0, sizeof(rp_error_record));
  if (status == RP_OK && vk->has_conditions)
    status = rp_vk_memory_alloc(vk, RP_MEMORY_STAGING_UP, sizeof(uint32_t), &p->go, err);
  if (status == RP_OK) status = rp_vk_guards_create(p, err);
  if (status == RP_OK && large[0]) status = rp_vk_memory_alloc(vk, RP_MEMORY_DEVICE, large[0], &p->large_args, err);
  if (status == RP_OK && large[1])
    status = rp_vk_memory_alloc(vk, RP_MEMORY_STAGING_UP, large[1], &p->large_bound, err);
  return status;
}

static rp_status create_objects(rp_program *p, rp_error *err) {
  rp_vk *vk = p->vk;
  bool has_secrets = false;
  for (uint32_t b = 0; b < p->desc->n_blocks; b++) has_secrets |= p->desc->blocks[b].secret;
  bool bound = 0;
  for (uint32_t i = 0; i < p->desc->n_steps; i++) bound |= rp_vk_is_bound(p->desc, &p->desc->steps[i]);
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .flags = bound ? VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT : 0,
                                        .queueFamilyIndex = vk->family};
  rp_status status = RP_VK(vk, err, vkCreateCommandPool, vk->device, &pool, NULL, &p->pool);
  if (status != RP_OK) return status;
  const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = p->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
  if (has_secrets) status = RP_VK(vk, err, vkAllocateCommandBuffers, vk->device, &commands, &p->wipe);
  if (status == RP_OK) status = rp_vk_create_timeline(vk, &p->done, err);
  const uint32_t n = n_queries_of(vk, p->desc);
  if (status != RP_OK || n == 0) return status;
  const VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = n};
  status = RP_VK(vk, err, vkCreateQueryPool, vk->device, &queries, NULL, &p->queries);
  if (status == RP_OK) p->n_queries = n;
  return status;
}

/* Creates what a separate upload needs. Profiled programs upload on the compute queue, since a transfer queue cannot
 * reset queries. */
static rp_status create_upload(rp_program *p, rp_error *err) {
  rp_vk *vk = p->vk;
  if (!vk->upload_queue || !p->desc->uploads_ahead || p->desc->flags & RP_RECORD_PROFILE) return RP_OK;
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = vk->upload_family};
  rp_status status = RP_VK(vk, err, vkCreateCommandPool, vk->device, &pool, NULL, &p->upload_pool);
  if (status != RP_OK) return status;
  const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = p->upload_pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
  status = RP_VK(vk, err, vkAllocateCommandBuffers, vk->device, &commands, &p->upload);
  return status == RP_OK ? rp_vk_create_timeline(vk, &p->uploaded, err) : status;
}

rp_status rp_vk_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                               rp_program **program, rp_error *err) {
  rp_vk *vk = state;
  *program = NULL;
  rp_status status = rp_vk_enter(vk, err);
  if (status != RP_OK) return status;
  const size_t bytes = bytes_of(desc);
  rp_program *p = rp_host_alloc(vk->context, bytes, 64);
  if (!p) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for recording %s", desc->name);
  memset(p, 0, bytes);
  p->vk = vk;
  p->desc = desc;
  p->host_bytes = bytes;
  p->blocks = (rp_memory *)(p + 1);
  p->commands = (VkCommandBuffer *)(p->blocks + desc->n_blocks);
  p->n_words = n_words_of(desc);
  p->words = (uint64_t *)(p->commands + desc->n_steps + 2);
  p->places = (rp_vk_place *)(p->words + p->n_words);
  p->stretches = (rp_vk_stretch *)(p->places + desc->n_steps);
  p->commands_at = (uint32_t *)(p->stretches + desc->n_steps + 2);
  p->command_of = p->commands_at + p->n_words + 1;
  rp_arena_init(&p->lanes_arena, vk->context);
  memcpy(p->blocks, memory->blocks, desc->n_blocks * sizeof *p->blocks);
  p->staging_up = memory->staging_up;
  p->staging_down = memory->staging_down;
  p->parameter_block = RP_NO_BLOCK;
  for (uint32_t b = 0; b < desc->n_blocks; b++)
    if (desc->blocks[b].space == RP_SPACE_PARAMETER) p->parameter_block = b;
  status = create_memory(p, err);
  if (status == RP_OK) status = create_objects(p, err);
  if (status == RP_OK) status = create_upload(p, err);
  if (status == RP_OK) status = rp_vk_record(p, err);
  if (status == RP_OK && p->lanes.n_batches > 1)
    for (uint32_t lane = 0; lane < p->lanes.n_lanes && status == RP_OK; lane++)
      status = rp_vk_create_timeline(vk, &p->passed[lane], err);
  if (status != RP_OK) {
    rp_vk_program_destroy(vk, p);
    return status;
  }
  *program = p;
  return RP_OK;
}

void rp_vk_program_destroy(void *state, rp_program *p) {
  rp_vk *vk = state;
  if (!p) return;
  /* Each returns at once if the device is lost, and marks it as lost if the wait fails. The other is waited for even
   * so: a wait may fail while the device works on. */
  if (p->last_value) (void)rp_vk_wait_for(vk, p->done, p->last_value, UINT64_MAX, NULL);
  if (p->upload_value) (void)rp_vk_wait_for(vk, p->uploaded, p->upload_value, UINT64_MAX, NULL);
  rp_vk_destroy_timeline(vk, p->uploaded);
  for (uint32_t lane = 0; lane < p->lanes.n_lanes; lane++) rp_vk_destroy_timeline(vk, p->passed[lane]);
  vk->fn.vkDestroyCommandPool(vk->device, p->upload_pool, NULL);
  vk->fn.vkDestroyQueryPool(vk->device, p->queries, NULL);
  rp_vk_destroy_timeline(vk, p->done);
  vk->fn.vkDestroyCommandPool(vk->device, p->pool, NULL);
  rp_vk_memory_free(vk, &p->control_up);
  rp_vk_memory_free(vk, &p->control_down);
  rp_vk_memory_free(vk, &p->indirect);
  rp_vk_memory_free(vk, &p->large_args);
  rp_vk_memory_free(vk, &p->large_bound);
  rp_vk_memory_free(vk, &p->go);
  rp_arena_free(&p->lanes_arena);
  rp_host_free(vk->context, p, p->host_bytes);
}
