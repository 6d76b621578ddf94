/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recordings are made from plans, read, evicted and closed.
 */
#include "constants.h"
#include "hazards.h"
#include "kept_plans.h"
#include "watcher.h"

/* ---- Making one -------------------------------------------------------------------------------------------------- */

static bool make_slots(rp_recording *r) {
  const rp_plan *p = r->plan;
  const rp_part *part = &p->parts[RP_PART_RUN];
  const bool profile = (p->options.flags & RP_RECORD_PROFILE) != 0;
  const uint32_t workers = r->device->info.limits.workers ? r->device->info.limits.workers : 1;
  r->slots = rp_arena_array(&r->arena, p->info.slots, sizeof *r->slots);
  r->shared = rp_arena_array(&r->arena, p->n_blocks, sizeof *r->shared);
  if (!r->slots || !r->shared) return 0;
  for (uint32_t s = 0; s < p->info.slots; s++) {
    rp_run *slot = &r->slots[s];
    slot->recording = r;
    slot->index = s;
    slot->memory = rp_arena_array(&r->arena, part->n_blocks, sizeof *slot->memory);
    slot->words = rp_arena_array(&r->arena, p->n_words, sizeof *slot->words);
    slot->is_set = rp_arena_array(&r->arena, p->n_graph_values, 1);
    slot->guards = rp_arena_array(&r->arena, part->n_blocks + 2u, sizeof *slot->guards);
    if (!slot->memory || !slot->words || !slot->is_set || !slot->guards) return 0;
    atomic_init(&slot->state, RP_RUN_FREE);
    atomic_init(&slot->cancelled, 0);
    if (!profile) continue;
    slot->cap_timings = part->n_dispatches * workers + 2;
    slot->timings = rp_arena_array(&r->arena, slot->cap_timings, sizeof *slot->timings);
    if (!slot->timings) return 0;
  }
  if (!profile) return 1;
  r->samples = rp_arena_array(&r->arena, (size_t)part->n_dispatches * RP_SAMPLES, sizeof *r->samples);
  r->latest = rp_arena_array(&r->arena, (size_t)part->n_dispatches * 2, sizeof *r->latest);
  r->skipped = rp_arena_array(&r->arena, part->n_dispatches, sizeof *r->skipped);
  return r->samples && r->latest && r->skipped;
}

static rp_recording *new_recording(rp_device *device, rp_plan *plan) {
  rp_recording *r = rp_host_alloc(device->context, sizeof *r, _Alignof(rp_recording));
  if (!r) return NULL;
  memset(r, 0, sizeof *r);
  r->device = device;
  r->plan = plan;
  rp_arena_init(&r->arena, device->context);
  if (!make_slots(r) || !rp_recording_open_replaced(r)) {
    rp_arena_free(&r->arena);
    rp_host_free(device->context, r, sizeof *r);
    return NULL;
  }
  rp_plan_program(plan, RP_PART_RUN, &r->program);
  if (plan->pieces) r->program.plan = plan;
  for (uint32_t b = 0; b < r->program.n_blocks; b++) r->has_secrets |= r->program.blocks[b].secret;
  pthread_mutex_init(&r->lock, NULL);
  atomic_fetch_add(&device->n_recordings, 1);
  rp_device_retain(device);
  return r;
}

static void free_recording(rp_recording *r) {
  rp_device *d = r->device;
  if (!rp_context_is_forked(d->context)) pthread_mutex_destroy(&r->lock); /* a thread of the parent may hold it */
  for (uint32_t s = 0; s < r->plan->info.slots; s++) rp_watcher_close(&r->slots[s]);
  rp_recording_close_replaced(r);
  rp_plan_destroy(r->plan);
  rp_arena_free(&r->arena);
  rp_host_free(d->context, r, sizeof *r);
  atomic_fetch_sub(&d->n_recordings, 1);
  rp_device_release(d);
}

static rp_status verify(const rp_plan *plan, rp_error *err) {
  for (int part = 0; part < 2; part++) {
    rp_program_desc desc;
    rp_plan_program(plan, part, &desc);
    rp_status status = rp_hazards_verify(plan->context, &desc, err);
    if (status) return status;
  }
  return RP_OK;
}

/* Loads the recording and enters it into the device's list. */
static rp_status enter(rp_recording *r, rp_error *err) {
  rp_device *d = r->device;
  rp_device_lock(d);
  rp_status status = rp_constants_join(r) ? rp_recording_load(r, NULL, err) : rp_fail_memory(err, "a recording");
  if (status) rp_constants_leave(r);
  if (!status) {
    r->last_used = atomic_fetch_add(&d->clock, 1);
    r->next = d->recordings;
    d->recordings = r;
  }
  rp_device_unlock(d);
  return status;
}

static rp_status enter_or_free(rp_recording *r, rp_recording **recording, rp_error *err) {
  const rp_status status = enter(r, err);
  if (status)
    free_recording(r);
  else
    *recording = r;
  return status;
}

rp_status rp_recording_of_shell(rp_plan *plan, rp_recording **recording, rp_error *err) {
  rp_status status = plan->options.flags & RP_RECORD_CHECK_HAZARDS ? verify(plan, err) : RP_OK;
  if (!status) status = rp_plan_settle(plan, err);
  rp_recording *r = status ? NULL : new_recording(plan->device, plan);
  if (r) return enter_or_free(r, recording, err);
  rp_plan_destroy(plan);
  return status ? status : rp_fail_memory(err, "a recording");
}

/* A plan that takes at most `most` bytes. */
static rp_status plan_within(rp_device *device, const rp_graph *graph, const rp_record_options *options, uint64_t most,
                             rp_plan **plan, rp_error *err) {
  rp_record_options o = *options;
  const rp_status status = rp_device_check(device, err);
  if (status) return status;
  if (!o.memory_budget_bytes || o.memory_budget_bytes > most) o.memory_budget_bytes = most == UINT64_MAX ? 0 : most;
  return rp_plan_create(device, graph, &o, rp_device_available_bytes(device), plan, NULL, err);
}

/* One attempt. After RP_ERR_DEVICE_MEMORY *needed is what the plan needs, and the device did not have. */
static rp_status record_within(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                               uint64_t most, rp_recording **recording, uint64_t *needed, rp_error *err) {
  rp_plan *plan;
  rp_status status = plan_within(device, graph, options, most, &plan, err);
  if (status) return status;
  if (plan->options.flags & RP_RECORD_CHECK_HAZARDS) status = verify(plan, err);
  if (!status) rp_kept_plans_prepare(device, graph);
  if (!status) status = rp_plan_settle(plan, err);
  rp_recording *r = status ? NULL : new_recording(device, plan);
  if (!r) {
    rp_plan_destroy(plan);
    return status ? status : rp_fail_memory(err, "a recording");
  }
  *needed = plan->info.total_bytes;
  return enter_or_free(r, recording, err);
}

/* Other programs may hold memory that the budget counts on: then a smaller plan is tried. If there is none, the reason
 * is that of the plan before. */
rp_status rp_record_on_device(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                              rp_recording **recording, rp_error *err) {
  rp_error why = {0};
  uint64_t needed = 0;
  rp_status status = record_within(device, graph, options, UINT64_MAX, recording, &needed, &why);
  while (status == RP_ERR_DEVICE_MEMORY && needed > 1) {
    rp_error next = {0};
    rp_log(device->context, RP_LOG_WARNING,
           "%s: %s:%u lacks the %llu bytes that were planned, and a smaller plan is tried", graph->name,
           device->backend->name, device->info.index, (unsigned long long)needed);
    const rp_status again = record_within(device, graph, options, needed - 1, recording, &needed, &next);
    if (again == RP_ERR_BUDGET) break;
    status = again;
    why = next;
  }
  if (status && err) *err = why;
  return status;
}

/* In a forked child. If another thread of the parent was loading or releasing memory at the moment of the fork, that
 * memory is left as it is. */
static void destroy_forked(rp_recording *r) {
  if (rp_device_try_lock(r->device)) {
    rp_recording_unload(r);
    rp_constants_leave(r);
    rp_device_unlock(r->device);
  }
  free_recording(r);
}

void rp_recording_close(rp_recording *recording) {
  rp_device *d = recording->device;
  if (rp_context_is_forked(d->context)) {
    destroy_forked(recording);
    return;
  }
  for (uint32_t s = 0; s < recording->plan->info.slots; s++)
    if (atomic_load(&recording->slots[s].state) == RP_RUN_RUNNING) {
      const rp_status status = rp_run_wait(&recording->slots[s], UINT64_MAX); /* the run keeps the status */
      (void)status;
    }
  for (uint32_t s = 0; s < recording->plan->info.slots; s++)
    if (atomic_load(&recording->slots[s].state) != RP_RUN_FREE) rp_run_end(&recording->slots[s]);
  rp_device_lock(d);
  rp_recording_unload(recording);
  rp_constants_leave(recording);
  rp_recording **at = &d->recordings;
  while (*at != recording) at = &(*at)->next;
  *at = recording->next;
  rp_device_unlock(d);
  free_recording(recording);
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

void rp_recording_get_plan(const rp_recording *recording, rp_plan_info *info) {
  static const rp_plan_info none;
  if (info) rp_info_write(info, recording ? &recording->plan->info : &none, sizeof none);
}

rp_status rp_recording_evict(rp_recording *recording, rp_error *err) {
  if (!recording) return rp_fail_null(err, "rp_recording_evict");
  rp_status status = rp_context_check(recording->device->context, err);
  if (status) return status;
  rp_device_lock(recording->device);
  if (recording->pinned)
    status = rp_fail(err, RP_ERR_STATE, "%s is pinned: call rp_recording_unpin first", recording->plan->graph->name);
  else if (recording->loaded && !rp_recording_try_evict(recording))
    status = rp_fail(err, RP_ERR_BUSY, "%s: a run is in flight, and needs the memory", recording->plan->graph->name);
  rp_device_unlock(recording->device);
  return status;
}

rp_status rp_recording_pin(rp_recording *recording, rp_error *err) {
  if (!recording) return rp_fail_null(err, "rp_recording_pin");
  rp_status status = rp_device_check(recording->device, err);
  if (status) return status;
  rp_device_lock(recording->device);
  if (!recording->loaded) status = rp_recording_load(recording, NULL, err);
  if (!status) recording->pinned = 1;
  rp_device_unlock(recording->device);
  return status;
}

void rp_recording_unpin(rp_recording *recording) {
  if (!recording || rp_context_is_forked(recording->device->context)) return;
  rp_device_lock(recording->device);
  recording->pinned = 0;
  rp_device_unlock(recording->device);
  rp_device_news(recording->device);
}
