/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The beginning of runs: taking a slot, after waiting for one and for the memory of a recording that must be loaded
 * again.
 */
#include "line.h"

/* Called under recording->lock; NULL if no slot is free. */
static rp_run *take_slot(rp_recording *r) {
  for (uint32_t s = 0; s < r->plan->info.slots; s++) {
    rp_run *run = &r->slots[s];
    if (atomic_load(&run->state) != RP_RUN_FREE) continue;
    r->busy++;
    r->last_used = atomic_fetch_add(&r->device->clock, 1);
    atomic_store(&run->cancelled, 0);
    atomic_store(&run->state, RP_RUN_BEGUN);
    run->error = (rp_error){0};
    run->result = RP_OK;
    run->counters = (rp_run_counters){0};
    run->n_timings = 0;
    run->watched = 0;
    run->collected = 0;
    run->arrivals = NULL;
    run->n_arrivals = 0;
    run->keeps = 0;
    memset(run->words, 0, r->plan->n_words * sizeof *run->words);
    memset(run->is_set, 0, r->plan->n_graph_values);
    return run;
  }
  return NULL;
}

static const char *name_of(const rp_recording *r) { return r->plan->graph->name; }

/* Waits for a slot of a loaded recording. NULL: none became free in time, the recording is not loaded, it is not this
 * call's turn, or the device is lost. */
static rp_run *slot_of_loaded(rp_waiter *w, bool *loaded) {
  rp_recording *r = w->recording;
  rp_run *run = NULL;
  pthread_mutex_lock(&r->lock);
  rp_line_join_slots(w);
  while (r->usable && w->turn && !rp_device_is_lost(r->device)) {
    if (r->line == w && (run = take_slot(r))) break;
    if (w->expired) break;
    if (!w->in_line) {
      rp_line_sleep(w);
      continue;
    }
    pthread_mutex_unlock(&r->lock); /* others need not wait for this slot */
    rp_line_leave(w);
    pthread_mutex_lock(&r->lock);
  }
  *loaded = r->usable;
  rp_line_leave_slots(w);
  pthread_mutex_unlock(&r->lock);
  return run;
}

/* Called by the first in the line: loads the recording, and takes a slot before anybody can evict it again. RP_OK with
 * *run NULL: try again. */
static rp_status load_and_take(rp_waiter *w, rp_run **run, rp_error *err) {
  rp_recording *r = w->recording;
  rp_status status = RP_OK;
  const uint64_t news = rp_line_news(w);
  bool later = 0;
  w->expired = !rp_device_lock_until(r->device, &w->deadline);
  if (w->expired) return RP_OK;
  if (!r->loaded) status = rp_recording_load(r, &later, err);
  if (!status) {
    pthread_mutex_lock(&r->lock);
    *run = take_slot(r);
    pthread_mutex_unlock(&r->lock);
  }
  rp_device_unlock(r->device);
  if (!later) return status;
  if (rp_line_wait_memory(w, news)) return RP_OK;
  return rp_fail(err, RP_ERR_BUDGET,
                 "%s needs %llu bytes of %s:%u, and too much of the budget of %llu bytes is held by runs of threads "
                 "that wait for memory themselves, this one among them: end such runs first",
                 name_of(r), (unsigned long long)r->plan->info.total_bytes, r->device->backend->name,
                 r->device->info.index, (unsigned long long)r->device->info.memory_budget_bytes);
}

static rp_status fail_busy(const rp_waiter *w, uint64_t timeout_ns, bool loaded, rp_error *err) {
  const rp_recording *r = w->recording;
  if (loaded && w->turn)
    return rp_fail(
        err, RP_ERR_BUSY,
        "%s: all %u run slots are in use; end a run, wait for one (timeout_ns), or record with more (max_in_flight)",
        name_of(r), r->plan->info.slots);
  if (loaded)
    return rp_fail(err, RP_ERR_BUSY, "%s: other callers wait for the device's memory, and came first", name_of(r));
  if (timeout_ns == 0)
    return rp_fail(err, RP_ERR_BUSY,
                   "%s was evicted, so that it has no device memory: a call that may wait (timeout_ns) loads it again",
                   name_of(r));
  return rp_fail(
      err, RP_ERR_BUSY,
      "%s needs %llu bytes of device memory, and the timeout passed before its turn came: runs of others held "
      "the memory, or it was being loaded",
      name_of(r), (unsigned long long)r->plan->info.total_bytes);
}

static rp_status begin(rp_waiter *w, uint64_t timeout_ns, rp_run **run, rp_error *err) {
  for (;;) {
    bool loaded;
    rp_status status = rp_device_check(w->recording->device, err);
    if (status) return status;
    *run = slot_of_loaded(w, &loaded);
    if (*run) return RP_OK;
    if (loaded && w->turn && !w->expired) continue; /* the device is lost */
    if (w->expired) return fail_busy(w, timeout_ns, loaded, err);
    rp_line_wait_turn(w);
    if (!loaded && w->turn && (status = load_and_take(w, run, err))) return status;
    if (*run) return RP_OK;
  }
}

static rp_status begin_with(rp_recording *recording, const rp_begin_options *o, const char *function, rp_run **run,
                            rp_error *err) {
  if (run) *run = NULL;
  if (!recording || !run) return rp_fail_null(err, function);
  const rp_status usable = rp_context_check(recording->device->context, err);
  if (usable) return usable;
  rp_waiter w;
  rp_line_arrive(&w, recording, o);
  const rp_status status = begin(&w, o->timeout_ns, run, err);
  if (*run) {
    (*run)->priority = o->priority;
    rp_line_take(*run);
  }
  if (!*run && w.expired) rp_line_keep_place(&w);
  rp_line_leave(&w);
  return status;
}

rp_status rp_run_begin(rp_recording *recording, uint64_t timeout_ns, rp_run **run, rp_error *err) {
  const rp_begin_options o = {.struct_size = sizeof o, .timeout_ns = timeout_ns};
  return begin_with(recording, &o, "rp_run_begin", run, err);
}

rp_status rp_run_begin_with(rp_recording *recording, const rp_begin_options *options, rp_run **run, rp_error *err) {
  rp_begin_options o;
  if (run) *run = NULL;
  if (!rp_options_read(&o, sizeof o, options))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_run_begin_with: options.struct_size is not set");
  return begin_with(recording, &o, "rp_run_begin_with", run, err);
}
