/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Timings of profiled runs: the latest of each step, and the samples for its median.
 */
#include "recording.h"
#include "template.h"

/* Guards are words of the parameter block, which is the run's own and stays as it is until the slot is used again. */
void rp_profile_skipped(const rp_run *run, bool *skipped) {
  const rp_recording *r = run->recording;
  const rp_device *d = r->device;
  uint64_t known = UINT64_MAX; /* the place of the guard whose value `runs` has */
  uint32_t runs = 1;
  for (uint32_t i = 0; i < r->program.n_steps; i++) {
    skipped[i] = 0;
    if (!rp_step_guarded(&r->program.steps[i])) continue;
    const rp_ref guard = rp_step_guard(&r->program.steps[i]);
    if (guard.offset != known &&
        d->backend->memory_read(d->state, &run->memory[guard.block], guard.offset, &runs, sizeof runs, NULL))
      runs = 1; /* a device that is lost */
    known = guard.offset;
    skipped[i] = !runs;
  }
}

void rp_profile_collect(rp_run *run) {
  rp_recording *r = run->recording;
  rp_device *d = r->device;
  const uint32_t n = r->program.n_steps;
  if (!d->backend->timings) return;
  run->n_timings = d->backend->timings(d->state, run->program, run->timings, run->cap_timings);
  if (run->n_timings > run->cap_timings) run->n_timings = run->cap_timings;
  pthread_mutex_lock(&r->lock);
  memset(r->latest, 0, 2 * n * sizeof *r->latest);
  rp_profile_skipped(run, r->skipped);
  for (uint32_t i = 0; i < run->n_timings; i++) {
    const rp_timing *t = &run->timings[i];
    if (t->step >= n) continue; /* a copy */
    uint64_t *span = &r->latest[2 * t->step];
    if (span[1] == 0 || t->begin_ns < span[0]) span[0] = t->begin_ns;
    if (t->end_ns > span[1]) span[1] = t->end_ns;
  }
  if (run->n_timings) { /* otherwise the device gave no times */
    uint64_t at = r->n_samples++ % RP_SAMPLES;
    for (uint32_t s = 0; s < n; s++) r->samples[s * RP_SAMPLES + at] = r->latest[2 * s + 1] - r->latest[2 * s];
  }
  pthread_mutex_unlock(&r->lock);
}

static int by_value(const void *x, const void *y) {
  const uint64_t *a = x, *b = y;
  return *a < *b ? -1 : *a > *b;
}

bool rp_profile_median(const rp_recording *recording, uint32_t step, uint64_t *median_ns) {
  rp_recording *r = (rp_recording *)recording; /* for its lock */
  uint64_t sorted[RP_SAMPLES];
  if (!r->samples) return 0;
  pthread_mutex_lock(&r->lock);
  size_t n = r->n_samples < RP_SAMPLES ? r->n_samples : RP_SAMPLES;
  memcpy(sorted, r->samples + (size_t)step * RP_SAMPLES, n * sizeof *sorted);
  pthread_mutex_unlock(&r->lock);
  rp_sort(sorted, n, sizeof *sorted, by_value);
  *median_ns = n ? sorted[n / 2] : 0;
  return n > 0;
}

/* ---- As data ----------------------------------------------------------------------------------------------------- */

/* Makes the names of all steps of calls, once. */
static bool make_names(rp_recording *r) {
  if (!r->plan->templates) return 1;
  for (int part = 0; part < 2; part++) {
    const rp_part *p = &r->plan->parts[part];
    const char **names = r->names[part] ? NULL : rp_arena_array(&r->arena, p->n_dispatches, sizeof *names);
    if (!names && !r->names[part]) return 0;
    for (uint32_t s = 0; names && s < p->n_dispatches; s++) {
      const rp_plan_dispatch d = rp_dispatch_of(p, s);
      if (!(names[s] = rp_plan_label(&d, &r->arena))) return 0;
    }
    if (names) r->names[part] = names;
  }
  return 1;
}

static rp_node_info info_of(const rp_recording *r, int part, uint32_t step) {
  const rp_plan *p = r->plan;
  const rp_step *s = &p->parts[part].steps[step];
  const rp_pattern *x = s->pattern;
  const rp_plan_dispatch d = rp_dispatch_of(&p->parts[part], step);
  rp_node_info info = {.name = r->names[part] ? r->names[part][step] : x->label,
                       .op = "",
                       .strategy = "",
                       .kernel = x->kernel ? x->kernel->name : "",
                       .once = part == RP_PART_ONCE,
                       .level = s->level,
                       .groups = (uint64_t)x->groups[0] * x->groups[1] * x->groups[2],
                       .guarded = rp_step_guarded(s)};
  const rp_plan_node *node = rp_dispatch_node(p, &d);
  if (node) {
    info.op = node->node.op->name;
    if (node->strategy->name) info.strategy = node->strategy->name;
  }
  if (part == RP_PART_RUN && r->latest) {
    info.begin_ns = r->latest[2 * step];
    info.end_ns = r->latest[2 * step + 1];
    info.skipped = r->skipped[step];
  }
  return info;
}

rp_status rp_recording_nodes(const rp_recording *recording, rp_node_info *nodes, uint32_t capacity, uint32_t *count,
                             rp_error *err) {
  rp_recording *r = (rp_recording *)recording; /* for its lock */
  if (!r || !count || (!nodes && capacity)) return rp_fail_null(err, "rp_recording_nodes");
  *count = 0;
  const rp_status status = rp_context_check(r->device->context, err);
  if (status) return status;
  const uint32_t stride = capacity ? nodes[0].struct_size : 0;
  if (capacity && stride < sizeof stride)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_recording_nodes: nodes[0].struct_size is not set");
  pthread_mutex_lock(&r->lock);
  const bool named = !capacity || make_names(r);
  for (int part = 0; named && part < 2; part++) {
    for (uint32_t s = 0; s < r->plan->parts[part].n_dispatches; s++, ++*count)
      if (*count < capacity) {
        const rp_node_info info = info_of(r, part, s);
        char *theirs = (char *)nodes + (size_t)*count * stride;
        memcpy(theirs, &stride, sizeof stride);
        rp_info_write(theirs, &info, sizeof info);
      }
  }
  pthread_mutex_unlock(&r->lock);
  return named ? RP_OK : rp_fail_memory(err, "the names of dispatches");
}
