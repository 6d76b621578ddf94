/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A table of costs from profiled recordings.
 *
 * A dispatch that ran beside others took longer than it does alone. As the prediction of a run does (cost.c), it is
 * assumed that dispatches which together want more than the device has slow each other down evenly. The time from the
 * end of all earlier dispatches to the beginning of one, while nothing ran, is what it takes to start a dispatch.
 */
#include "cost_table.h"
#include "recording.h"

#include <reprise/plans.h>

typedef struct measuring {
  rp_device *device;
  rp_context *context;
  rp_cost_entry *entries;
  uint32_t n, capacity;
  rp_arena names;     /* labels of entries */
  uint64_t *launches; /* ns */
  uint32_t n_launches, cap_launches;
} measuring;

/* ---- One recording ----------------------------------------------------------------------------------------------- */

/* A dispatch of the latest run begins or ends. */
typedef struct moment {
  uint64_t ns;
  uint32_t step;
  bool ends;
} moment;

static int by_time(const void *x, const void *y) {
  const moment *a = x, *b = y;
  if (a->ns != b->ns) return a->ns < b->ns ? -1 : 1;
  if (a->ends != b->ends) return a->ends ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

typedef struct profile { /* per step, in the arena */
  rp_cost_size *sizes;
  uint64_t *median_ns; /* 0: it did not run */
  uint64_t *span;      /* begin and end in the latest run */
  double *alone_ns;    /* in the latest run, had the device been its own */
  moment *moments;
  uint32_t n, n_moments;
} profile;

/* `p` has the begins and ends of the steps that ran. */
static bool find_alone(measuring *m, profile *p) {
  uint64_t now = 0, shares = 0;
  double progress = 0; /* of a dispatch that has run all the time (cost.c) */
  uint32_t running = 0;
  rp_sort(p->moments, p->n_moments, sizeof *p->moments, by_time);
  for (uint32_t i = 0; i < p->n_moments; i++) {
    const moment *at = &p->moments[i];
    const uint64_t share = rp_cost_share(&m->device->info, &p->sizes[at->step]), passed = at->ns - now;
    if (i && !running) {
      if (!rp_grow(m->context, (void **)&m->launches, &m->cap_launches, m->n_launches, sizeof *m->launches)) return 0;
      m->launches[m->n_launches++] = passed;
    }
    progress += (double)passed / (shares > RP_COST_WHOLE ? (double)shares / RP_COST_WHOLE : 1);
    now = at->ns;
    p->alone_ns[at->step] = at->ends ? progress - p->alone_ns[at->step] : progress;
    shares = at->ends ? shares - share : shares + share;
    running = at->ends ? running - 1 : running + 1;
  }
  return 1;
}

static bool add_entry(measuring *m, const rp_cost_size *size, const char *label, double ns) {
  if (!rp_grow(m->context, (void **)&m->entries, &m->capacity, m->n, sizeof *m->entries)) return 0;
  m->entries[m->n++] = (rp_cost_entry){.kernel = size->kernel,
                                       .label = label,
                                       .groups = size->groups,
                                       .bytes = size->bytes,
                                       .ns = ns < 1                        ? 1
                                             : ns < (double)RP_COST_NS_MAX ? (uint64_t)ns
                                                                           : RP_COST_NS_MAX};
  return 1;
}

static bool add_entries(measuring *m, const profile *p) {
  bool good = 1;
  for (uint32_t s = 0; s < p->n && good; s++) {
    if (!p->median_ns[s]) continue;
    const double latest = (double)(p->span[2 * s + 1] - p->span[2 * s]);
    const double ns = (double)p->median_ns[s] * (p->alone_ns[s] / latest);
    good = add_entry(m, &p->sizes[s], "", ns) &&
           (!*p->sizes[s].label || add_entry(m, &p->sizes[s], p->sizes[s].label, ns));
  }
  return good;
}

/* Steps that the latest run left out are not measured. */
static void read_times(profile *p, rp_recording *r) {
  pthread_mutex_lock(&r->lock);
  memcpy(p->span, r->latest, 2 * (size_t)p->n * sizeof *p->span);
  for (uint32_t s = 0; s < p->n; s++)
    if (r->skipped[s]) p->span[2 * s + 1] = 0;
  pthread_mutex_unlock(&r->lock);
  for (uint32_t s = 0; s < p->n; s++) {
    const bool ran = p->span[2 * s + 1] > p->span[2 * s];
    if (!ran || !rp_profile_median(r, s, &p->median_ns[s])) p->median_ns[s] = 0;
    if (!p->median_ns[s]) continue;
    for (int end = 0; end < 2; end++)
      p->moments[p->n_moments++] = (moment){.ns = p->span[2 * s + (uint32_t)end], .step = s, .ends = end};
  }
}

static bool measure(measuring *m, rp_recording *r) {
  const rp_part *part = &r->plan->parts[RP_PART_RUN];
  rp_arena arena;
  rp_arena_init(&arena, m->context);
  profile p = {.n = part->n_dispatches};
  p.sizes = rp_arena_array(&arena, p.n, sizeof *p.sizes);
  p.median_ns = rp_arena_array(&arena, p.n, sizeof *p.median_ns);
  p.span = rp_arena_array(&arena, 2 * (size_t)p.n, sizeof *p.span);
  p.alone_ns = rp_arena_array(&arena, p.n, sizeof *p.alone_ns);
  p.moments = rp_arena_array(&arena, 2 * (size_t)p.n, sizeof *p.moments);
  bool good = p.sizes && p.median_ns && p.span && p.alone_ns && p.moments;
  if (good) {
    for (uint32_t s = 0; s < p.n && good; s++) {
      const rp_plan_dispatch d = rp_dispatch_of(part, s);
      p.sizes[s] = rp_plan_size(r->plan, &d, &m->names);
      good = p.sizes[s].label != NULL;
    }
    read_times(&p, r);
    good = good && find_alone(m, &p) && add_entries(m, &p);
  }
  rp_arena_free(&arena);
  return good;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* Of dispatches of one kernel and size, the mean, so that the sum over a run comes out right. */
static void merge(measuring *m) {
  uint32_t n = 0;
  rp_sort(m->entries, m->n, sizeof *m->entries, rp_cost_entry_compare);
  for (uint32_t i = 0, end; i < m->n; i = end) {
    uint64_t sum = m->entries[i].ns;
    for (end = i + 1; end < m->n && rp_cost_entry_compare(&m->entries[i], &m->entries[end]) == 0; end++)
      sum += m->entries[end].ns;
    m->entries[n] = m->entries[i];
    m->entries[n++].ns = sum / (end - i);
  }
  m->n = n;
  if (m->n <= RP_COST_ENTRIES_MAX) return;
  for (uint32_t i = n = 0; i < m->n; i++) /* times of kernels serve more dispatches than times of labels */
    if (!*m->entries[i].label) m->entries[n++] = m->entries[i];
  m->n = n < RP_COST_ENTRIES_MAX ? n : RP_COST_ENTRIES_MAX;
}

static int by_value(const void *x, const void *y) {
  const uint64_t *a = x, *b = y;
  return *a < *b ? -1 : *a > *b;
}

static uint64_t median(uint64_t *values, uint32_t n) {
  rp_sort(values, n, sizeof *values, by_value);
  return values[n / 2];
}

/* How many times longer a dispatch takes than by the model, as the median. 0 when out of memory. */
static uint64_t find_factor(const measuring *m) {
  const size_t bytes = ((size_t)m->n + 1) * sizeof(uint64_t);
  uint64_t *factors = rp_host_alloc(m->context, bytes, 8), factor = RP_COST_FACTOR_ONE;
  if (!factors) return 0;
  for (uint32_t i = 0; i < m->n; i++) {
    const rp_cost_entry *e = &m->entries[i];
    const uint64_t model = rp_cost_work_ns(&m->device->info, &(rp_cost_size){.groups = e->groups, .bytes = e->bytes});
    factors[i] = e->ns * RP_COST_FACTOR_ONE / (model ? model : 1);
  }
  if (m->n) factor = median(factors, m->n);
  rp_host_free(m->context, factors, bytes);
  return factor < 1 ? 1 : factor < RP_COST_FACTOR_MAX ? factor : RP_COST_FACTOR_MAX;
}

static rp_status write_table(measuring *m, rp_write_fn write, void *user, rp_error *err) {
  rp_cost_table t = {.kind = (uint32_t)m->device->info.kind,
                     .device = rp_kept_device_of(m->device),
                     .launch_ns = rp_cost_estimate(&m->device->info, 0, 0).alone_ns};
  size_t bytes;
  merge(m);
  t.entries = m->entries;
  t.n = m->n;
  t.factor = find_factor(m);
  if (m->n_launches) t.launch_ns = median(m->launches, m->n_launches);
  if (t.launch_ns > RP_COST_NS_MAX) t.launch_ns = RP_COST_NS_MAX;
  unsigned char *data = t.factor ? rp_cost_table_bytes(m->context, &t, &bytes) : NULL;
  if (!data) return rp_fail_memory(err, "the costs");
  const int stopped = write(user, (const char *)data, bytes);
  rp_host_free(m->context, data, bytes);
  return stopped ? rp_fail(err, RP_ERR_CANCELLED, "rp_costs_keep: the write function asked to stop") : RP_OK;
}

static rp_status check(rp_recording *r, const rp_recording *first, rp_error *err) {
  if (!r) return rp_fail_null(err, "rp_costs_keep");
  const rp_status status = rp_context_check(r->device->context, err);
  if (status) return status;
  if (r->device != first->device)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_costs_keep: the recordings are of several devices");
  if (r->device->members)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "rp_costs_keep: a group of devices has no costs of its own");
  pthread_mutex_lock(&r->lock);
  const bool measured = r->samples && r->n_samples;
  pthread_mutex_unlock(&r->lock);
  if (measured) return RP_OK;
  return rp_fail(err, RP_ERR_STATE,
                 "rp_costs_keep: '%s' has no times: record it with RP_RECORD_PROFILE, and let a run finish",
                 r->plan->graph->name);
}

rp_status rp_costs_keep(rp_recording *const *recordings, uint32_t n_recordings, rp_write_fn write, void *user,
                        rp_error *err) {
  if (!recordings || !n_recordings || !write) return rp_fail_null(err, "rp_costs_keep");
  for (uint32_t i = 0; i < n_recordings; i++) {
    const rp_status status = check(recordings[i], recordings[0], err);
    if (status) return status;
  }
  measuring m = {.device = recordings[0]->device, .context = recordings[0]->device->context};
  rp_arena_init(&m.names, m.context);
  bool good = 1;
  for (uint32_t i = 0; i < n_recordings && good; i++) good = measure(&m, recordings[i]);
  const rp_status status = good ? write_table(&m, write, user, err) : rp_fail_memory(err, "the costs");
  rp_grow_free(m.context, m.entries, m.capacity, sizeof *m.entries);
  rp_grow_free(m.context, m.launches, m.cap_launches, sizeof *m.launches);
  rp_arena_free(&m.names);
  return status;
}
