/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Guarded steps are indirect dispatches. The step that computes a guard also writes the sizes of those that have it:
 * the planned ones, which are in memory beside them, or zeros. Those of one guard follow each other.
 */
#include "core.h"
#include "program.h"

#include <string.h>

#include "bind_args.h"
extern const uint32_t reprise_vulkan_guard[]; /* embedded */

const rp_kernel rp_vk_guard_kernel = {.struct_size = sizeof(rp_kernel),
                                      .name = "guard",
                                      .args_bytes = sizeof(struct rp_guard_args),
                                      .n_binds = 5,
                                      .vulkan = {.spirv = reprise_vulkan_guard, .group = RP_BIND_GROUP}};

static uint32_t word_of(rp_ref guard) { return (uint32_t)((guard.offset - sizeof(rp_error_record)) / 8); }

/* In how many parts the grid of a step is dispatched. */
static uint32_t parts_of(const rp_vk *vk, const rp_step *step) {
  return (step->pattern->groups[0] - 1) / vk->max_groups[0] + 1;
}

/* Finds commands_at and command_of. */
static void lay_out(rp_program *p) {
  const rp_program_desc *d = p->desc;
  uint32_t *at = p->commands_at;
  for (uint32_t i = 0; i < d->n_steps; i++)
    if (rp_step_guarded(&d->steps[i])) at[word_of(rp_step_guard(&d->steps[i])) + 1] += parts_of(p->vk, &d->steps[i]);
  for (uint32_t w = 0; w < p->n_words; w++) at[w + 1] += at[w];
  p->n_commands = at[p->n_words];
  for (uint32_t i = 0; i < d->n_steps; i++) {
    const rp_step *step = &d->steps[i];
    if (!rp_step_guarded(step)) continue;
    uint32_t *next = &at[word_of(rp_step_guard(step))];
    p->command_of[i] = *next;
    *next += parts_of(p->vk, step);
  }
  for (uint32_t w = p->n_words; w > 0; w--) at[w] = at[w - 1]; /* each had become the begin of the next */
  at[0] = 0;
}

static void write_sizes(const rp_program *p, const rp_step *step, VkDispatchIndirectCommand *sizes) {
  const uint32_t most = p->vk->max_groups[0];
  const uint32_t *groups = step->pattern->groups;
  for (uint32_t first = 0; first < groups[0]; first += most) {
    const uint32_t left = groups[0] - first;
    *sizes++ = (VkDispatchIndirectCommand){left < most ? left : most, groups[1], groups[2]};
    if (left <= most) return; /* `first` might overflow */
  }
}

rp_status rp_vk_guards_create(rp_program *p, rp_error *err) {
  lay_out(p);
  if (!p->n_commands) return RP_OK;
  const size_t bytes = p->n_commands * sizeof(VkDispatchIndirectCommand);
  VkDispatchIndirectCommand *sizes = rp_host_alloc(p->vk->context, bytes, _Alignof(VkDispatchIndirectCommand));
  if (!sizes) return rp_fail_memory(err, "the sizes of guarded dispatches");
  for (uint32_t i = 0; i < p->desc->n_steps; i++)
    if (rp_step_guarded(&p->desc->steps[i])) write_sizes(p, &p->desc->steps[i], sizes + p->command_of[i]);
  rp_status status = rp_vk_memory_alloc(p->vk, RP_MEMORY_DEVICE, 2 * bytes, &p->indirect, err);
  if (status == RP_OK) status = rp_vk_memory_write(p->vk, &p->indirect, 0, sizes, bytes, err);
  rp_host_free(p->vk->context, sizes, bytes);
  return status;
}

uint64_t rp_vk_guards_command(const rp_program *p, uint32_t command) {
  return ((uint64_t)p->n_commands + command) * sizeof(VkDispatchIndirectCommand);
}

uint32_t rp_vk_guards_args(const rp_program *p, const rp_step *step, const uint64_t addresses[3], uint64_t *args) {
  enum { PER_COMMAND = sizeof(VkDispatchIndirectCommand) / sizeof(uint32_t) };
  const uint32_t word = word_of(rp_step_ref(step, 0)), first = p->commands_at[word];
  const uint32_t n = (p->commands_at[word + 1] - first) * PER_COMMAND;
  const uint64_t sizes = p->indirect.address + first * sizeof(VkDispatchIndirectCommand);
  const struct rp_guard_args a = {.guard = (void *)(uintptr_t)addresses[0],
                                  .condition = (void *)(uintptr_t)addresses[1],
                                  .around = (void *)(uintptr_t)addresses[2],
                                  .sizes = (void *)(uintptr_t)sizes,
                                  .commands = (void *)(uintptr_t)(sizes + rp_vk_guards_command(p, 0)),
                                  .n = n,
                                  .when = step->pattern->when,
                                  .has_around = step->pattern->n_refs > 2};
  memcpy(args, &a, sizeof a);
  return n;
}
