/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The device memory of recordings: loading it, and releasing it when others need the budget.
 */
#include "constants.h"
#include "line.h"
#include "once.h"

/* ---- Budget ------------------------------------------------------------------------------------------------------ */

static bool is_idle(rp_recording *r) {
  pthread_mutex_lock(&r->lock);
  bool idle = r->loaded && r->busy == 0 && !r->pinned;
  pthread_mutex_unlock(&r->lock);
  return idle;
}

static bool is_idle_except(const rp_recording *r, const void *except) {
  return r != except && is_idle((rp_recording *)r);
}

static bool is_pinned(const rp_recording *r, const void *user) {
  (void)user;
  return r->pinned;
}

/* The bytes that evicting all idle recordings except this one, which may be NULL, would free. */
static uint64_t idle_bytes(const rp_device *d, const rp_recording *except) {
  uint64_t bytes = rp_constants_bytes_of_all(d, is_idle_except, except);
  for (const rp_recording *r = d->recordings; r; r = r->next)
    if (is_idle_except(r, except)) bytes += r->reserved_bytes;
  return bytes;
}

uint64_t rp_device_available_bytes(rp_device *device) {
  if (!device || rp_context_is_forked(device->context)) return 0;
  if (device->members) { /* a group has no memory of its own */
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < device->n_members; i++) bytes += rp_device_available_bytes(device->members[i]);
    return bytes;
  }
  rp_device_lock(device);
  const uint64_t taken = device->reserved_bytes - idle_bytes(device, NULL), budget = device->info.memory_budget_bytes;
  rp_device_unlock(device);
  return budget > taken ? budget - taken : 0;
}

uint64_t rp_plan_bytes_there(rp_device *device, const rp_plan *plan) {
  rp_device_lock(device);
  const uint64_t bytes = rp_constants_bytes_there(device, plan, is_idle_except, NULL);
  rp_device_unlock(device);
  return bytes;
}

bool rp_recording_try_evict(rp_recording *recording) {
  pthread_mutex_lock(&recording->lock);
  bool idle = recording->loaded && recording->busy == 0;
  if (idle) {
    recording->usable = 0;
    rp_line_wake_all(recording); /* threads that waited for a slot now wait for memory */
  }
  pthread_mutex_unlock(&recording->lock);
  if (!idle) return 0;
  rp_log(recording->device->context, RP_LOG_INFO, "%s is evicted and releases %llu bytes of device memory",
         recording->plan->graph->name, (unsigned long long)recording->reserved_bytes);
  rp_recording_unload(recording);
  return 1;
}

/* Evicts the idle recording that was used least recently; false if there is none. */
static bool evict_one(rp_device *device, const rp_recording *except) {
  for (;;) {
    rp_recording *oldest = NULL;
    for (rp_recording *r = device->recordings; r; r = r->next)
      if (r != except && is_idle(r) && (!oldest || r->last_used < oldest->last_used)) oldest = r;
    if (!oldest) return 0;
    if (rp_recording_try_evict(oldest)) return 1;
  }
}

static uint64_t pinned_bytes(const rp_device *d) {
  uint64_t bytes = rp_constants_bytes_of_any(d, is_pinned, NULL);
  for (const rp_recording *r = d->recordings; r; r = r->next)
    if (r->pinned) bytes += r->reserved_bytes;
  return bytes;
}

/* Reserves what the plan needs beside constants that are there. Evicts nothing if evicting all idle recordings would
 * not suffice. */
static rp_status reserve(rp_recording *r, bool *later, rp_error *err) {
  rp_device *d = r->device;
  const uint64_t there = rp_constants_are_ready(r) ? r->plan->info.constant_bytes : 0,
                 budget = d->info.memory_budget_bytes;
  const uint64_t need = there ? rp_recording_kept_bytes(r) - there : r->plan->info.total_bytes;
  bool possible = need <= budget && d->reserved_bytes - idle_bytes(d, r) <= budget - need;
  while (possible && d->reserved_bytes > budget - need) possible = evict_one(d, r);
  if (!possible) {
    const uint64_t pinned = pinned_bytes(d); /* these stay until the caller unpins them */
    if (later) *later = pinned <= budget && need <= budget - pinned;
    return rp_fail(err, RP_ERR_BUDGET,
                   "%s needs %llu bytes on %s:%u, the budget is %llu bytes, and recordings in use hold %llu",
                   r->plan->graph->name, (unsigned long long)need, d->backend->name, d->info.index,
                   (unsigned long long)budget, (unsigned long long)(d->reserved_bytes - idle_bytes(d, r)));
  }
  d->reserved_bytes += need;
  r->reserved_bytes = need;
  return RP_OK;
}

/* After the one-time part: keeps only what replaying needs reserved. */
static void reserve_less(rp_recording *r) {
  const uint64_t keep = rp_recording_kept_bytes(r) - r->plan->info.constant_bytes;
  r->device->reserved_bytes -= r->reserved_bytes - keep;
  r->reserved_bytes = keep;
}

/* The device may have less memory than the budget says, since other programs use it too. Then other recordings of this
 * device are evicted. */
static rp_status allocate(rp_recording *r, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  for (;;) {
    rp_status status = rp_device_alloc(r->device, kind, bytes, memory, err);
    if (status != RP_ERR_DEVICE_MEMORY || !evict_one(r->device, r)) return status;
  }
}

/* ---- Constants --------------------------------------------------------------------------------------------------- */

static rp_status borrow(rp_recording *r, const rp_plan_block *block, rp_memory *memory, rp_error *err) {
  rp_device *d = r->device;
  rp_status status = d->backend->memory_wrap(d->state, (void *)block->borrowed, block->block.bytes, memory, err);
  if (status) *memory = (rp_memory){0};
  return rp_device_note(d, status);
}

static rp_status borrow_all(rp_recording *r, rp_error *err) {
  const rp_plan *p = r->plan;
  rp_status status = RP_OK;
  for (uint32_t b = 0; b < p->n_blocks && !status; b++)
    if (p->blocks[b].block.space == RP_SPACE_BORROWED) status = borrow(r, &p->blocks[b], &r->shared[b], err);
  return status;
}

static rp_status allocate_constants(rp_recording *r, rp_error *err) {
  const rp_plan *p = r->plan;
  rp_status status = RP_OK;
  for (uint32_t b = 0; b < p->n_blocks && !status; b++) {
    const rp_plan_block *k = &p->blocks[b];
    if (k->block.space != RP_SPACE_BORROWED && k->parts & 1u << RP_PART_ONCE)
      status = allocate(r, RP_MEMORY_DEVICE, k->block.bytes, &r->shared[b], err);
  }
  return status;
}

/* ---- Slots ------------------------------------------------------------------------------------------------------- */

static bool is_shared(rp_space space) { return space == RP_SPACE_CONSTANT || space == RP_SPACE_BORROWED; }

static rp_memory_kind kind_of(const rp_recording *r, rp_space space) {
  if (!r->device->info.limits.host_visible) return RP_MEMORY_DEVICE;
  return space == RP_SPACE_INPUT    ? RP_MEMORY_STAGING_UP
         : space == RP_SPACE_OUTPUT ? RP_MEMORY_STAGING_DOWN
                                    : RP_MEMORY_DEVICE;
}

static rp_guard guard(const rp_recording *r, const rp_memory *memory) {
  const bool pages = r->device->info.limits.host_visible != 0; /* the driver locks staging itself */
  if (!memory->host) return (rp_guard){0};
  const uint64_t bytes = pages ? rp_align_up(memory->bytes, rp_page_bytes()) : memory->bytes;
  return rp_secret_guard(memory->host, (size_t)bytes, pages);
}

/* Guards the secrets of a slot, the inputs first, because the limit for locked memory may not suffice for all. */
static void guard_slot(const rp_recording *r, rp_run *slot) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  const uint32_t n = part->n_blocks;
  if (!r->has_secrets) return;
  for (int inputs = 1; inputs >= 0; inputs--)
    for (uint32_t b = 0; b < n; b++)
      if (part->blocks[b].secret && (part->blocks[b].space == RP_SPACE_INPUT) == inputs)
        slot->guards[b] = guard(r, &slot->memory[b]);
  slot->guards[n] = guard(r, &slot->staging_up);
  slot->guards[n + 1] = guard(r, &slot->staging_down);
}

static void release_slot(const rp_recording *r, rp_run *slot) {
  for (uint32_t b = 0; b < r->plan->parts[RP_PART_RUN].n_blocks + 2; b++) rp_secret_release(&slot->guards[b]);
}

/* Page-locking what a large key takes as inputs is as slow as copying the key. */
static rp_status load_staging(rp_recording *r, rp_error *err) {
  rp_status status = RP_OK;
  if (r->device->info.limits.host_visible) return RP_OK;
  for (uint32_t s = 0; s < r->plan->info.slots && !status; s++) {
    rp_run *slot = &r->slots[s];
    if (r->program.input_bytes)
      status = allocate(r, RP_MEMORY_STAGING_UP, r->program.input_bytes, &slot->staging_up, err);
    if (!status && r->program.output_bytes)
      status = allocate(r, RP_MEMORY_STAGING_DOWN, r->program.output_bytes, &slot->staging_down, err);
  }
  return status;
}

static rp_status load_slot(rp_recording *r, rp_run *slot, rp_error *err) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  rp_device *d = r->device;
  rp_status status = RP_OK;
  for (uint32_t b = 0; b < part->n_blocks && !status; b++) {
    rp_space space = part->blocks[b].space;
    if (is_shared(space))
      slot->memory[b] = r->shared[part->block_of[b]];
    else if (space != RP_SPACE_BOUND)
      status = allocate(r, kind_of(r, space), part->blocks[b].bytes, &slot->memory[b], err);
  }
  guard_slot(r, slot);
  if (status) return status;
  rp_program_memory memory = {
      .blocks = slot->memory, .staging_up = slot->staging_up, .staging_down = slot->staging_down};
  status = d->backend->program_create(d->state, &r->program, &memory, &slot->program, err);
  if (status) slot->program = NULL;
  return rp_device_note(d, status);
}

static void unload_slot(rp_recording *r, rp_run *slot) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  rp_device *d = r->device;
  if (slot->program && !rp_device_is_foreign(d)) {
    d->backend->program_destroy(d->state, slot->program);
    if (rp_device_is_lost(d)) (void)rp_device_note(d, RP_ERR_DEVICE_LOST); /* it returns no status */
  }
  slot->program = NULL;
  release_slot(r, slot);
  for (uint32_t b = 0; b < part->n_blocks; b++) {
    if (is_shared(part->blocks[b].space))
      slot->memory[b] = (rp_memory){0};
    else
      rp_device_free(d, &slot->memory[b]);
  }
  rp_device_free(d, &slot->staging_up);
  rp_device_free(d, &slot->staging_down);
}

/* ---- All together ------------------------------------------------------------------------------------------------ */

/* Constants and what is computed of them, and staging while the device computes that. */
static rp_status load_shared(rp_recording *r, rp_error *err) {
  const rp_plan *p = r->plan;
  rp_once once;
  rp_status status = allocate_constants(r, err);
  if (status) return status;
  status = rp_once_open(&once, r, err);
  if (!status) status = rp_recording_make_constants(r, &once, err);
  if (!status) status = load_staging(r, err);
  status = rp_once_close(&once, status, err);
  for (uint32_t b = 0; b < p->n_blocks; b++)
    if (p->blocks[b].parts == 1u << RP_PART_ONCE) rp_device_free(r->device, &r->shared[b]);
  if (!status) rp_constants_give(r);
  return status;
}

void rp_recording_unload(rp_recording *recording) {
  rp_device *d = recording->device;
  const rp_plan *p = recording->plan;
  for (uint32_t s = 0; s < p->info.slots; s++) unload_slot(recording, &recording->slots[s]);
  for (uint32_t b = 0; b < p->n_blocks; b++) {
    rp_memory *m = &recording->shared[b];
    const rp_space space = p->blocks[b].block.space;
    if (space != RP_SPACE_BORROWED && !(space == RP_SPACE_CONSTANT && rp_constants_are_ready(recording)))
      rp_device_free(d, m);
    else if (space == RP_SPACE_BORROWED && m->bytes && d->backend->memory_unwrap && !rp_device_is_foreign(d))
      d->backend->memory_unwrap(d->state, m);
    *m = (rp_memory){0};
  }
  rp_constants_unhold(recording);
  d->reserved_bytes -= recording->reserved_bytes;
  recording->reserved_bytes = 0;
  recording->loaded = 0;
  rp_device_news(d);
}

rp_status rp_recording_load(rp_recording *recording, bool *later, rp_error *err) {
  if (later) *later = 0;
  rp_constants_hold(recording);
  rp_status status = reserve(recording, later, err);
  if (status) {
    rp_constants_unhold(recording);
    return status;
  }
  status = borrow_all(recording, err);
  if (rp_constants_are_ready(recording)) {
    rp_constants_take(recording);
    if (!status) status = load_staging(recording, err);
  } else if (!status) {
    status = load_shared(recording, err);
  }
  if (!status) reserve_less(recording);
  for (uint32_t s = 0; s < recording->plan->info.slots && !status; s++)
    status = load_slot(recording, &recording->slots[s], err);
  if (status) {
    rp_recording_unload(recording);
    return status;
  }
  recording->loaded = 1;
  pthread_mutex_lock(&recording->lock);
  recording->usable = 1;
  rp_line_wake_all(recording); /* all of its slots are free */
  pthread_mutex_unlock(&recording->lock);
  return RP_OK;
}
