/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Runs from their submission to their end.
 */
#include "submit.h"
#include "line.h"
#include "watcher.h"

static const char *graph_name(const rp_run *run) { return run->recording->plan->graph->name; }

/* ---- What a submission is connected with ------------------------------------------------------------------------- */

static bool takes_kind(rp_device_kind device, rp_sync_kind kind) {
  switch (kind) {
  case RP_SYNC_HOST: return device == RP_DEVICE_CPU;
  case RP_SYNC_CUDA_EVENT:
  case RP_SYNC_CUDA_STREAM: return device == RP_DEVICE_CUDA;
  case RP_SYNC_VULKAN: return device == RP_DEVICE_VULKAN;
  }
  return 0;
}

static rp_status check_syncs(rp_run *run, const char *list, const rp_sync *syncs, uint32_t n) {
  const rp_device_info *info = &run->recording->device->info;
  if (n > RP_MOST_SYNCS || (n && !syncs))
    return rp_fail(&run->error, RP_ERR_ARGUMENT, "%s: `%s` is NULL, or has more than %d entries", graph_name(run), list,
                   RP_MOST_SYNCS);
  for (uint32_t i = 0; i < n; i++) {
    if (!takes_kind(info->kind, syncs[i].kind))
      return rp_fail(&run->error, RP_ERR_UNSUPPORTED,
                     "%s: entry %u of `%s` has kind %d, which runs of %s devices cannot use", graph_name(run), i, list,
                     (int)syncs[i].kind, rp_device_kind_name(info->kind));
    if (!syncs[i].handle && syncs[i].kind != RP_SYNC_CUDA_STREAM) /* NULL is CUDA's default stream */
      return rp_fail(&run->error, RP_ERR_ARGUMENT, "%s: entry %u of `%s` has no handle", graph_name(run), i, list);
  }
  return RP_OK;
}

static rp_status check_earlier(rp_run *run, const rp_run *earlier) {
  if (!earlier || earlier == run)
    return rp_fail(&run->error, RP_ERR_ARGUMENT, "%s: a run in `after` is %s", graph_name(run),
                   earlier ? "this one" : "NULL");
  if (earlier->recording->device != run->recording->device)
    return rp_fail(&run->error, RP_ERR_MISMATCH, "%s: the run of %s in `after` is on another device", graph_name(run),
                   graph_name(earlier));
  const int state = atomic_load(&earlier->state);
  if (state != RP_RUN_RUNNING && state != RP_RUN_DONE)
    return rp_fail(&run->error, RP_ERR_STATE, "%s: the run of %s in `after` has not been submitted", graph_name(run),
                   graph_name(earlier));
  if (state == RP_RUN_DONE && earlier->result)
    return rp_fail(&run->error, RP_ERR_STATE, "%s: the run of %s in `after` has failed", graph_name(run),
                   graph_name(earlier));
  return RP_OK;
}

rp_status rp_submit_check_options(rp_run *run, const rp_submit_options *o) {
  const rp_device_kind kind = run->recording->device->info.kind;
  rp_status status = check_syncs(run, "waits", o->waits, o->n_waits);
  if (!status) status = check_syncs(run, "signals", o->signals, o->n_signals);
  if (status) return status;
  if (o->n_after > RP_MOST_SYNCS || (o->n_after && !o->after))
    return rp_fail(&run->error, RP_ERR_ARGUMENT, "%s: `after` is NULL, or has more than %d entries", graph_name(run),
                   RP_MOST_SYNCS);
  for (uint32_t i = 0; i < o->n_after && !status; i++) status = check_earlier(run, o->after[i]);
  if (!status && o->stream && kind != RP_DEVICE_CUDA && kind != RP_DEVICE_VULKAN)
    return rp_fail(&run->error, RP_ERR_UNSUPPORTED, "%s: %s devices have no streams", graph_name(run),
                   rp_device_kind_name(kind));
  if (!status && o->done_fd < 0)
    return rp_fail(&run->error, RP_ERR_ARGUMENT, "%s: done_fd is %d, and no descriptor", graph_name(run), o->done_fd);
  return status;
}

void rp_submit_follow(rp_run *run, rp_run *earlier, bool fails_with) {
  atomic_fetch_add(&earlier->n_followers, 1);
  if (fails_with) run->fails_with |= UINT32_C(1) << run->n_after;
  run->after[run->n_after++] = earlier;
}

void rp_submit_follow_all(rp_run *run, const rp_submit_options *o, rp_program **programs) {
  rp_device *d = run->recording->device;
  if (!o->n_after) return;
  pthread_mutex_lock(&d->gate);
  for (uint32_t i = 0; i < o->n_after; i++) {
    rp_run *earlier = o->after[i];
    if (atomic_load(&earlier->state) != RP_RUN_RUNNING) continue;
    programs[run->n_after] = earlier->program;
    rp_submit_follow(run, earlier, 1);
  }
  pthread_mutex_unlock(&d->gate);
}

static void unfollow(rp_run *run) {
  rp_device *d = run->recording->device;
  pthread_mutex_lock(&d->gate);
  for (uint32_t i = 0; i < run->n_after; i++) atomic_fetch_sub(&run->after[i]->n_followers, 1);
  run->n_after = run->fails_with = 0;
  pthread_mutex_unlock(&d->gate);
}

/* Waits for the runs that follow this one, so that its slot may be used again. */
static void end_followers(rp_run *run) {
  rp_run *follower;
  while (atomic_load(&run->n_followers) && (follower = rp_line_follower(run))) {
    const rp_status status = rp_run_wait(follower, UINT64_MAX); /* the follower keeps it */
    (void)status;
  }
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

/* When this run has finished, so have the earlier ones: takes their results. A run that was cancelled may be finished
 * before them, and leaves them alone. */
static rp_status finish_earlier(rp_run *run, rp_status status) {
  for (uint32_t i = 0; i < run->n_after && !status; i++) {
    rp_run *earlier = run->after[i];
    if (!(run->fails_with >> i & 1)) continue;
    const bool unseen = atomic_load(&earlier->state) == RP_RUN_RUNNING && !earlier->watched;
    status = rp_run_wait(earlier, UINT64_MAX);
    if (unseen) earlier->counters.waits = 0; /* no thread has waited for it */
    if (status)
      (void)rp_fail(&run->error, status, "%s: the run of %s that it follows failed: %.300s", graph_name(run),
                    graph_name(earlier), earlier->error.reason);
  }
  unfollow(run);
  return status;
}

/* Stores how the run ended. If it failed without a reason, sets the usual one. */
static void finish(rp_run *run, rp_status status, const rp_error_record *fault, uint64_t end_ns) {
  rp_recording *r = run->recording;
  rp_device *d = r->device;
  rp_run_counters *c = &run->counters;
  (void)rp_device_note(d, status);
  if (run->n_after) status = finish_earlier(run, status);
  if (fault) {
    rp_backend_counters b = {0};
    c->latency_ns = end_ns - run->submit_begin_ns;
    d->backend->counters(d->state, run->program, &b);
    c->submissions = b.submissions;
    c->waits = b.waits;
    c->uploads = b.uploads;
    c->downloads = b.downloads;
    c->bytes_up = b.bytes_up;
    c->bytes_down = b.bytes_down;
    c->dispatches = r->program.n_steps;
    if (!status && fault->code) status = rp_fault_error(r->plan, fault, &run->error);
    if (!status && r->samples) rp_profile_collect(run);
  }
  if (status && !run->error.status)
    (void)rp_fail(&run->error, status, "%s: %s", graph_name(run), rp_status_text(status));
  run->result = status;
  atomic_store(&run->state, RP_RUN_DONE);
}

/* ---- Submission -------------------------------------------------------------------------------------------------- */

static rp_status check_inputs(rp_run *run) {
  const rp_plan *p = run->recording->plan;
  for (uint32_t i = 0; i < p->n_inputs; i++) {
    const rp_plan_value *v = &p->values[p->inputs[i]];
    const int given = run->is_set[p->inputs[i]];
    if (given == RP_GIVEN_NOT)
      return rp_fail(&run->error, RP_ERR_STATE, "%s: input '%s' has not been given", graph_name(run), v->name);
    if (given == RP_GIVEN_UNCHECKED && rp_run_is_checked(run, v)) {
      const rp_status status = rp_run_check_elements(run, v, rp_run_staging(run, v), 0, v->len);
      if (status) return status;
    }
  }
  return RP_OK;
}

rp_status rp_submit_check_values(rp_run *run) {
  const rp_status status = check_inputs(run);
  return status ? status : rp_run_check_bound(run);
}

rp_status rp_submit_check_cancelled(rp_run *run) {
  if (!atomic_load(&run->cancelled)) return RP_OK;
  const rp_status status =
      rp_fail(&run->error, RP_ERR_CANCELLED, "%s: the run was cancelled before it was submitted", graph_name(run));
  finish(run, status, NULL, 0);
  return status;
}

void rp_submit_started(rp_run *run, uint64_t begin_ns) {
  rp_device *d = run->recording->device;
  run->submit_begin_ns = begin_ns;
  run->counters.submit_ns = rp_now_ns() - begin_ns;
  atomic_store(&run->state, RP_RUN_RUNNING);
  if (atomic_load(&run->cancelled)) d->backend->cancel(d->state, run->program); /* cancelled meanwhile */
}

void rp_submit_refused(rp_run *run, rp_status status) { finish(run, status, NULL, 0); }

static rp_status submit(rp_run *run, const rp_links *links) {
  rp_recording *r = run->recording;
  rp_device *d = r->device;
  rp_status status = rp_submit_check_cancelled(run);
  if (status) return status;
  const uint64_t begin_ns = rp_now_ns();
  status = d->backend->submit(d->state, run->program, run->words, r->plan->n_words, links, &run->error);
  if (status)
    rp_submit_refused(run, status);
  else
    rp_submit_started(run, begin_ns);
  return status;
}

rp_status rp_submit_check_run(rp_run *run) {
  rp_device *d = run->recording->device;
  if (rp_run_must_be_open(run)) return RP_ERR_STATE;
  run->error = (rp_error){0};
  return rp_device_is_lost(d) ? rp_device_fail_lost(d, &run->error) : RP_OK;
}

rp_status rp_run_submit(rp_run *run) {
  if (!run) return RP_ERR_ARGUMENT;
  rp_status status = rp_submit_check_run(run);
  if (!status) status = rp_submit_check_values(run);
  const rp_links links = {.priority = run->priority};
  return status ? status : submit(run, run->priority ? &links : NULL);
}

rp_status rp_run_submit_with(rp_run *run, const rp_submit_options *options) {
  rp_submit_options o;
  if (!run) return RP_ERR_ARGUMENT;
  rp_status status = rp_submit_check_run(run);
  if (status) return status;
  if (!rp_options_read(&o, sizeof o, options))
    return rp_fail(&run->error, RP_ERR_ARGUMENT, "rp_run_submit_with: options.struct_size is not set");
  status = rp_submit_check_options(run, &o);
  if (!status) status = rp_submit_check_values(run);
  const bool watched = o.done || o.done_fd;
  if (!status && watched) status = rp_watcher_prepare(run, &o, &run->error);
  if (status) return status;
  rp_program *programs[RP_MOST_SYNCS];
  rp_submit_follow_all(run, &o, programs);
  const rp_links links = {.arrivals = run->arrivals,
                          .n_arrivals = run->n_arrivals,
                          .waits = o.waits,
                          .signals = o.signals,
                          .n_waits = o.n_waits,
                          .n_signals = o.n_signals,
                          .after = programs,
                          .n_after = run->n_after,
                          .stream = o.stream,
                          .keeps = run->keeps,
                          .priority = run->priority,
                          .sleeps = watched};
  run->watched = watched;
  status = submit(run, &links);
  if (status)
    run->watched = 0;
  else if (watched)
    rp_watcher_begin(run);
  return status;
}

/* ---- Waiting ----------------------------------------------------------------------------------------------------- */

static rp_status wait_watched(rp_run *run, uint64_t timeout_ns) {
  rp_watcher *w = run->watcher;
  pthread_mutex_lock(&w->lock);
  const bool arrived = rp_watcher_wait(w, timeout_ns);
  if (arrived && atomic_load(&run->state) == RP_RUN_RUNNING) {
    if (w->status) run->error = w->why;
    finish(run, w->status, &w->fault, w->end_ns);
  }
  pthread_mutex_unlock(&w->lock);
  return arrived ? run->result : RP_ERR_TIMEOUT;
}

rp_status rp_run_wait(rp_run *run, uint64_t timeout_ns) {
  if (!run) return RP_ERR_ARGUMENT;
  const rp_status usable = rp_context_check(run->recording->device->context, &run->error);
  if (usable) return usable;
  atomic_store(&run->thread, rp_this_thread());
  int state = atomic_load(&run->state);
  if (state == RP_RUN_DONE) return run->result;
  if (state != RP_RUN_RUNNING)
    return rp_fail(&run->error, RP_ERR_STATE, "%s: the run has not been submitted", graph_name(run));
  if (run->watched) return wait_watched(run, timeout_ns);
  rp_device *d = run->recording->device;
  rp_error_record fault = {0};
  rp_error why = {0};
  rp_status status = d->backend->wait(d->state, run->program, timeout_ns, &fault, &why);
  if (status == RP_ERR_TIMEOUT) return status;
  if (status) run->error = why;
  finish(run, status, &fault, rp_now_ns());
  return run->result;
}

rp_status rp_run_poll(rp_run *run) { return rp_run_wait(run, 0); }

uint32_t rp_run_progress(const rp_run *run, uint32_t *all) {
  const uint32_t n = run ? run->recording->program.n_steps : 0;
  if (all) *all = n;
  if (!run || rp_context_is_forked(run->recording->device->context)) return 0;
  const rp_backend *backend = run->recording->device->backend;
  switch (atomic_load(&run->state)) {
  case RP_RUN_RUNNING: return backend->progress ? backend->progress(run->recording->device->state, run->program) : 0;
  case RP_RUN_DONE: return run->result ? 0 : n;
  default: return 0;
  }
}

void rp_run_cancel(rp_run *run) {
  if (!run) return;
  rp_device *d = run->recording->device;
  if (rp_context_is_forked(d->context)) return;
  atomic_store(&run->cancelled, 1);
  if (atomic_load(&run->state) == RP_RUN_RUNNING) d->backend->cancel(d->state, run->program);
}

/* ---- Release ----------------------------------------------------------------------------------------------------- */

void rp_run_end(rp_run *run) {
  if (!run || atomic_load(&run->state) == RP_RUN_FREE) return;
  rp_recording *r = run->recording;
  rp_device *d = r->device;
  if (rp_context_is_forked(d->context)) {
    atomic_store(&run->state, RP_RUN_FREE);
    return;
  }
  if (atomic_load(&run->state) == RP_RUN_RUNNING) {
    rp_run_cancel(run);
    const rp_status status = rp_run_wait(run, UINT64_MAX); /* only that it is over matters */
    (void)status;
  }
  end_followers(run);
  rp_watcher_leave(run);
  if (r->has_secrets) d->backend->wipe(d->state, run->program);
  rp_line_give(run);
  pthread_mutex_lock(&r->lock);
  atomic_store(&run->state, RP_RUN_FREE);
  const bool idle = --r->busy == 0;
  rp_line_wake_first(r);
  pthread_mutex_unlock(&r->lock);
  if (idle) rp_device_news(d);
}
