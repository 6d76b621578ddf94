/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The copies of a program: inputs up, outputs down, zeros over secret blocks.
 */
#include "program.h"

void rp_vk_barrier(rp_program *p, VkCommandBuffer c, uint32_t from, uint32_t writes, uint32_t to, uint32_t accesses) {
  const VkMemoryBarrier b = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = writes, .dstAccessMask = accesses};
  p->vk->fn.vkCmdPipelineBarrier(c, from, to, 0, 1, &b, 0, NULL, 0, NULL);
}

void rp_vk_timestamp(rp_program *p, uint32_t query, VkPipelineStageFlagBits stage) {
  if (p->n_queries) p->vk->fn.vkCmdWriteTimestamp(p->run, stage, p->queries, query);
}

/* By the standard, a wait for a semaphore makes visible what was written before the signal. NVIDIA's driver (580, on
 * an H100 and an H200) leaves the caches of the multiprocessors as they are, so that kernels of the batch read what the
 * memory held before. A barrier invalidates them (docs/notes/vulkan-groth16.md). */
void rp_vk_record_arrival(rp_program *p) {
  rp_vk_barrier(p, p->run, RP_VK_STAGES, VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, RP_VK_STAGES,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                    VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

static void copy(rp_program *p, VkCommandBuffer c, const rp_memory *from, uint64_t from_offset, const rp_memory *to,
                 uint64_t to_offset, uint64_t bytes) {
  const rp_vk_block *src = rp_vk_block_of(from), *dst = rp_vk_block_of(to);
  const VkBufferCopy region = {
      .srcOffset = src->offset + from_offset, .dstOffset = dst->offset + to_offset, .size = bytes};
  p->vk->fn.vkCmdCopyBuffer(c, src->buffer, dst->buffer, 1, &region);
}

static bool goes_up(const rp_program *p, uint32_t b) {
  return p->desc->blocks[b].space == RP_SPACE_INPUT || b == p->parameter_block;
}

static bool comes_down(const rp_program *p, uint32_t b) {
  return p->desc->blocks[b].space == RP_SPACE_OUTPUT || b == p->parameter_block;
}

void rp_vk_count_copies(rp_program *p) {
  for (uint32_t b = 0; b < p->desc->n_blocks; b++) {
    const bool parameters = b == p->parameter_block;
    const uint64_t bytes = p->desc->blocks[b].bytes;
    if (goes_up(p, b)) p->per_run.uploads++, p->per_run.bytes_up += parameters ? p->control_up.bytes : bytes;
    if (comes_down(p, b)) p->per_run.downloads++, p->per_run.bytes_down += parameters ? sizeof(rp_error_record) : bytes;
  }
}

static void copy_up(rp_program *p, VkCommandBuffer c) {
  uint64_t offset = 0;
  for (uint32_t b = 0; b < p->desc->n_blocks; b++) {
    if (!goes_up(p, b)) continue;
    const bool is_input = b != p->parameter_block;
    const uint64_t bytes = is_input ? p->desc->blocks[b].bytes : p->control_up.bytes;
    copy(p, c, is_input ? &p->staging_up : &p->control_up, is_input ? offset : 0, &p->blocks[b], 0, bytes);
    if (is_input) offset += bytes;
  }
}

/* Semaphores replace the barriers at both ends. An upload whose run could not be submitted may still be pending when
 * the next one is submitted, hence simultaneous use. */
rp_status rp_vk_record_upload_queue(rp_program *p, rp_error *err) {
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
  rp_status status = RP_VK(p->vk, err, vkBeginCommandBuffer, p->upload, &begin);
  if (status != RP_OK) return status;
  copy_up(p, p->upload);
  return RP_VK(p->vk, err, vkEndCommandBuffer, p->upload);
}

void rp_vk_record_uploads(rp_program *p) {
  if (!p->upload) {
    rp_vk_timestamp(p, 2 * p->desc->n_steps, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
    copy_up(p, p->run);
    rp_vk_timestamp(p, 2 * p->desc->n_steps + 1, VK_PIPELINE_STAGE_TRANSFER_BIT);
  }
  rp_vk_barrier(p, p->run, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT);
}

void rp_vk_record_downloads(rp_program *p) {
  const rp_program_desc *d = p->desc;
  rp_vk_barrier(p, p->run, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
  rp_vk_timestamp(p, 2 * d->n_steps + 2, VK_PIPELINE_STAGE_TRANSFER_BIT);
  uint64_t offset = 0;
  for (uint32_t b = 0; b < d->n_blocks; b++) {
    if (!comes_down(p, b)) continue;
    const bool is_output = b != p->parameter_block;
    const uint64_t bytes = is_output ? d->blocks[b].bytes : sizeof(rp_error_record);
    copy(p, p->run, &p->blocks[b], 0, is_output ? &p->staging_down : &p->control_down, is_output ? offset : 0, bytes);
    if (is_output) offset += bytes;
  }
  rp_vk_timestamp(p, 2 * d->n_steps + 3, VK_PIPELINE_STAGE_TRANSFER_BIT);
  rp_vk_barrier(p, p->run, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                VK_ACCESS_HOST_READ_BIT);
}

void rp_vk_record_zeros(rp_program *p, VkCommandBuffer c) {
  const rp_program_desc *d = p->desc;
  rp_vk_barrier(p, c, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_TRANSFER_WRITE_BIT);
  for (uint32_t b = 0; b < d->n_blocks; b++) {
    if (!d->blocks[b].secret) continue;
    const rp_vk_block *block = rp_vk_block_of(&p->blocks[b]);
    /* Sizes of blocks are multiples of more than four bytes. */
    p->vk->fn.vkCmdFillBuffer(c, block->buffer, block->offset, (d->blocks[b].bytes + 3) / 4 * 4, 0);
  }
  rp_vk_barrier(p, c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
}

rp_status rp_vk_record_wipe(rp_program *p, rp_error *err) {
  /* The host waits only for the run: the next run may be submitted while the wiping is still pending. */
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
  rp_status status = RP_VK(p->vk, err, vkBeginCommandBuffer, p->wipe, &begin);
  if (status != RP_OK) return status;
  rp_vk_record_zeros(p, p->wipe);
  return RP_VK(p->vk, err, vkEndCommandBuffer, p->wipe);
}
