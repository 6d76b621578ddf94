/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From a plan to command buffers. A barrier is recorded only where a step depends on one that was recorded since the
 * last barrier.
 */
#include "core.h"
#include "program.h"

#include <string.h>

#include "bind_args.h"
extern const uint32_t reprise_vulkan_bind_copy[]; /* embedded */

static const rp_kernel bind_copy_kernel = {.struct_size = sizeof(rp_kernel),
                                           .name = "bind_copy",
                                           .args_bytes = sizeof(struct rp_bind_copy_args),
                                           .n_binds = 3,
                                           .vulkan = {.spirv = reprise_vulkan_bind_copy, .group = RP_BIND_GROUP}};

static uint64_t address_of(const rp_program *p, rp_ref ref) {
  const rp_block *block = &p->desc->blocks[ref.block];
  return (block->space == RP_SPACE_BOUND ? p->words[block->word] : p->blocks[ref.block].address) + ref.offset;
}

/* ---- Dispatches -------------------------------------------------------------------------------------------------- */

/* Where arguments are that are too large for push constants. */
typedef struct large_place {
  rp_memory *memory;
  uint32_t offset;
} large_place;

static rp_status write_large(rp_program *p, const large_place *large, const void *args, uint32_t bytes, rp_error *err) {
  if (large->memory != &p->large_bound)
    return rp_vk_memory_write(p->vk, large->memory, large->offset, args, bytes, err);
  memcpy((char *)large->memory->host + large->offset, args, bytes);
  return RP_OK;
}

/* Dispatches a part of a grid, which is the one of this command or, if that is NULL, has these groups. */
static void record_part(rp_program *p, uint32_t *command, uint32_t count, const uint32_t groups[3]) {
  if (!command) {
    p->vk->fn.vkCmdDispatch(p->run, count, groups[1], groups[2]);
    return;
  }
  const rp_vk_block *block = rp_vk_block_of(&p->indirect);
  p->vk->fn.vkCmdDispatchIndirect(p->run, block->buffer, block->offset + rp_vk_guards_command(p, (*command)++));
}

/* Pushes a kernel's arguments: `args` with its addresses filled in. The grid of a step is dispatched in as many parts
 * as the device needs; the kernel sees one grid. `command`: that of the first part of a guarded step, or NULL. */
static rp_status record_kernel(rp_program *p, const rp_kernel *kernel, const uint64_t *args, const large_place *large,
                               const uint32_t groups[3], uint32_t *command, rp_error *err) {
  rp_vk *vk = p->vk;
  const VkPipeline pipeline = rp_vk_pipeline_of(vk, kernel);
  if (!pipeline) return rp_fail(err, RP_ERR_INTERNAL, "kernel %s was not compiled", kernel->name);
  uint32_t bytes = kernel->args_bytes;
  const void *pushed = args;
  uint64_t address;
  if (bytes > RP_VK_PUSH_ARGS) {
    rp_status status = write_large(p, large, args, bytes, err);
    if (status != RP_OK) return status;
    address = large->memory->address + large->offset;
    pushed = &address, bytes = sizeof address;
  }
  vk->fn.vkCmdBindPipeline(p->run, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vk->fn.vkCmdPushConstants(p->run, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, RP_VK_PUSH_HEAD, bytes, pushed);
  const uint32_t most = vk->max_groups[0];
  for (uint32_t first = 0; first < groups[0];) {
    const uint32_t count = groups[0] - first < most ? groups[0] - first : most;
    const uint32_t head[2] = {first, groups[0]};
    vk->fn.vkCmdPushConstants(p->run, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof head, head);
    record_part(p, command, count, groups);
    first += count;
  }
  return RP_OK;
}

static rp_status record_dispatch(rp_program *p, const rp_step *step, uint32_t large, rp_error *err) {
  const large_place at = {rp_vk_is_bound(p->desc, step) ? &p->large_bound : &p->large_args, large};
  const rp_kernel *k = step->pattern->kernel;
  const uint32_t *groups = step->pattern->groups;
  char text[RP_LABEL_BYTES];
  uint64_t args[512]; /* limits.max_args_bytes */
  if (k->args_bytes > sizeof args || k->n_binds * 8 > k->args_bytes)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "kernel %s: %u bytes of arguments do not fit", k->name, k->args_bytes);
  if (groups[1] > p->vk->max_groups[1] || groups[2] > p->vk->max_groups[2])
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "%s: there are %u x %u workgroups in the second and third dimension, and this device takes at "
                   "most %u x %u",
                   rp_step_label(step, text), groups[1], groups[2], p->vk->max_groups[1], p->vk->max_groups[2]);
  rp_step_args(step, args);
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) {
    const rp_ref ref = rp_step_ref(step, i);
    args[ref.address] = address_of(p, ref);
  }
  uint32_t command = p->command_of[step - p->desc->steps];
  return record_kernel(p, k, args, &at, groups, rp_step_guarded(step) ? &command : NULL, err);
}

static rp_status record_bind(rp_program *p, const rp_step *step, rp_error *err) {
  enum { MOST_GROUPS = 1024 };
  const rp_ref value = rp_step_ref(step, 0);
  const uint64_t record = p->blocks[p->parameter_block].address, bytes = value.bytes;
  const struct rp_bind_copy_args args = {
      .value = (void *)(uintptr_t)address_of(p, value),
      .word = (void *)(uintptr_t)(record + sizeof(rp_error_record) + 8 * (uint64_t)step->pattern->word),
      .record = (void *)(uintptr_t)record,
      .bytes_lo = (uint32_t)bytes,
      .bytes_hi = (uint32_t)(bytes >> 32),
      .is_output = step->pattern->kind == RP_STEP_BIND_OUT};
  uint64_t words[sizeof args / 8];
  memcpy(words, &args, sizeof args);
  const uint64_t wanted = bytes / (16 * RP_BIND_GROUP) + 1;
  const uint32_t groups[3] = {wanted < MOST_GROUPS ? (uint32_t)wanted : MOST_GROUPS, 1, 1};
  return record_kernel(p, &bind_copy_kernel, words, NULL, groups, NULL, err);
}

static rp_status record_guard(rp_program *p, const rp_step *step, rp_error *err) {
  enum { MOST_GROUPS = 1024 };
  uint64_t args[sizeof(struct rp_guard_args) / 8], addresses[3] = {0};
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) addresses[i] = address_of(p, rp_step_ref(step, i));
  const uint32_t wanted = rp_vk_guards_args(p, step, addresses, args) / RP_BIND_GROUP + 1;
  const uint32_t groups[3] = {wanted < MOST_GROUPS ? wanted : MOST_GROUPS, 1, 1};
  return record_kernel(p, &rp_vk_guard_kernel, args, NULL, groups, NULL, err);
}

static void begin_label(rp_program *p, const rp_step *step) {
  char text[RP_LABEL_BYTES];
  const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                      .pLabelName = rp_step_label(step, text)};
  p->vk->fn.vkCmdBeginDebugUtilsLabelEXT(p->run, &label);
}

static rp_status record_step(rp_program *p, const rp_vk_place *place, rp_error *err) {
  const uint32_t i = place->step;
  const rp_step *step = &p->desc->steps[i];
  const rp_step_kind kind = step->pattern->kind;
  if (p->vk->has_labels) begin_label(p, step);
  rp_vk_timestamp(p, 2 * i, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  rp_status status = kind == RP_STEP_DISPATCH ? record_dispatch(p, step, place->large, err)
                     : kind == RP_STEP_GUARD  ? record_guard(p, step, err)
                                              : record_bind(p, step, err);
  rp_vk_timestamp(p, 2 * i + 1, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  if (p->vk->has_labels) p->vk->fn.vkCmdEndDebugUtilsLabelEXT(p->run);
  return status;
}

/* Compiles the kernels of the steps. A kernel without a variant for Vulkan is refused before that. */
static rp_status compile_kernels(rp_program *p, rp_error *err) {
  const rp_program_desc *d = p->desc;
  const size_t bytes = ((size_t)d->n_steps + 1) * sizeof(rp_kernel *);
  const rp_kernel **kernels = rp_host_alloc(p->vk->context, bytes, _Alignof(rp_kernel *));
  if (!kernels) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for compiling %s", d->name);
  uint32_t n = 0;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < d->n_steps && status == RP_OK; i++) {
    const rp_step *step = &d->steps[i];
    const rp_kernel *k = step->pattern->kind == RP_STEP_DISPATCH ? step->pattern->kernel
                         : step->pattern->kind == RP_STEP_GUARD  ? &rp_vk_guard_kernel
                                                                 : &bind_copy_kernel;
    char text[RP_LABEL_BYTES];
    if (!RP_HAS(k, vulkan) || !k->vulkan.spirv || !k->vulkan.spirv[0])
      status = rp_fail(err, RP_ERR_UNSUPPORTED, "kernel %s (%s) has no Vulkan variant; use another device", k->name,
                       rp_step_label(step, text));
    kernels[n++] = k;
  }
  if (status == RP_OK) status = rp_vk_compile(p->vk, kernels, n, err);
  rp_host_free(p->vk->context, kernels, bytes);
  return status;
}

/* ---- Stretches --------------------------------------------------------------------------------------------------- */

/* A section is what the device skips if the run has been cancelled when it comes there. */
static void begin_section(rp_program *p) {
  if (!p->go.host) return;
  const rp_vk_block *block = rp_vk_block_of(&p->go);
  const VkConditionalRenderingBeginInfoEXT begin = {.sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                    .buffer = block->buffer,
                                                    .offset = block->offset};
  p->vk->fn.vkCmdBeginConditionalRenderingEXT(p->run, &begin);
}

static void end_section(rp_program *p) {
  if (p->go.host) p->vk->fn.vkCmdEndConditionalRenderingEXT(p->run);
}

/* Barriers also apply across the command buffers of a lane, which share one submission order; sections end with them.
 * `in_one`: the steps of all lanes are in one command buffer. */
static rp_status record_places(rp_program *p, const rp_vk_stretch *s, bool in_one, rp_error *err) {
  rp_status status = RP_OK;
  begin_section(p);
  for (uint32_t n = s->first; n < s->first + s->n && status == RP_OK; n++) {
    const rp_vk_place *place = &p->places[n];
    if (in_one ? place->barrier_in_one : place->barrier)
      rp_vk_barrier(p, p->run, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | (p->n_commands ? VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT : 0),
                    VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                        (p->n_commands ? VK_ACCESS_INDIRECT_COMMAND_READ_BIT : 0));
    if (place->section && n > s->first) {
      end_section(p);
      begin_section(p);
    }
    status = record_step(p, place, err);
  }
  end_section(p);
  return status;
}

/* ---- All command buffers ----------------------------------------------------------------------------------------- */

static rp_status record_stretch(rp_program *p, uint32_t index, rp_error *err) {
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  p->run = p->commands[index];
  rp_status status = RP_VK(p->vk, err, vkBeginCommandBuffer, p->run, &begin);
  if (status != RP_OK) return status;
  if (index == 0) {
    if (p->n_queries) p->vk->fn.vkCmdResetQueryPool(p->run, p->queries, 0, p->n_queries);
    rp_vk_record_uploads(p);
  }
  if (p->stretches[index].waits) rp_vk_record_arrival(p);
  status = record_places(p, &p->stretches[index], false, err);
  if (status == RP_OK && index == p->n_stretches - 1) rp_vk_record_downloads(p);
  return status == RP_OK ? RP_VK(p->vk, err, vkEndCommandBuffer, p->run) : status;
}

static rp_status allocate_commands(rp_program *p, rp_error *err) {
  const VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = p->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = p->n_stretches};
  return RP_VK(p->vk, err, vkAllocateCommandBuffers, p->vk->device, &commands, p->commands);
}

rp_status rp_vk_record(rp_program *p, rp_error *err) {
  rp_status status = compile_kernels(p, err);
  if (status == RP_OK) status = rp_vk_arrange(p, err);
  rp_vk_count_copies(p);
  if (status == RP_OK) status = allocate_commands(p, err);
  for (uint32_t i = 0; i < p->n_stretches && status == RP_OK; i++)
    if (!p->stretches[i].bound) status = record_stretch(p, i, err);
  if (status == RP_OK && p->upload) status = rp_vk_record_upload_queue(p, err);
  return status == RP_OK && p->wipe ? rp_vk_record_wipe(p, err) : status;
}

/* The words that go up, and of which addresses are made. */
static void take_words(rp_program *p, const uint64_t *words, uint32_t n_words) {
  uint64_t *up = (uint64_t *)((rp_error_record *)p->control_up.host + 1);
  for (uint32_t i = 0; i < p->n_words; i++) p->words[i] = up[i] = i < n_words ? words[i] : 0;
}

rp_status rp_vk_record_bound(rp_program *p, const uint64_t *words, rp_error *err) {
  const size_t bytes = p->n_words * sizeof *words;
  rp_status status = RP_OK;
  if (p->words_known && !memcmp(p->words, words, bytes)) return RP_OK;
  p->words_known = 0;
  memcpy(p->words, words, bytes);
  for (uint32_t i = 0; i < p->n_stretches && status == RP_OK; i++)
    if (p->stretches[i].bound) status = record_stretch(p, i, err);
  p->words_known = status == RP_OK;
  return status;
}

/* ---- The caller's command buffer --------------------------------------------------------------------------------- */

/* Everything of a run into one command buffer: no part of it has a queue of its own, is timed or can be skipped. */
static rp_status record_all(rp_program *p, rp_error *err) {
  const uint32_t all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                 memory = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const rp_vk_stretch steps = {.n = p->desc->n_steps};
  rp_vk_barrier(p, p->run, all, VK_ACCESS_MEMORY_WRITE_BIT, all, memory);
  rp_vk_record_uploads(p);
  rp_status status = record_places(p, &steps, true, err);
  if (status != RP_OK) return status;
  rp_vk_record_downloads(p);
  if (p->wipe) rp_vk_record_zeros(p, p->run);
  rp_vk_barrier(p, p->run, all, VK_ACCESS_MEMORY_WRITE_BIT, all, memory);
  return RP_OK;
}

rp_status rp_vk_record_into(void *state, rp_program *p, const uint64_t *words, uint32_t n_words, const rp_into *into,
                            rp_error *err) {
  rp_vk *vk = state;
  if (into->kind != RP_INTO_VULKAN_COMMANDS)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "a run of a Vulkan device goes into a VkCommandBuffer (kind %d), not kind %d",
                   RP_INTO_VULKAN_COMMANDS, (int)into->kind);
  rp_status status = rp_vk_enter(vk, err);
  if (status != RP_OK) return status;
  const VkCommandBuffer upload = p->upload;
  const uint32_t n_queries = p->n_queries;
  void *go = p->go.host;
  take_words(p, words, n_words);
  p->words_known = 0;
  p->run = (VkCommandBuffer)into->handle;
  p->upload = VK_NULL_HANDLE, p->n_queries = 0, p->go.host = NULL;
  status = record_all(p, err);
  p->upload = upload, p->n_queries = n_queries, p->go.host = go;
  p->run = VK_NULL_HANDLE;
  return status;
}
