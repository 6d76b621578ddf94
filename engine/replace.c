/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constants of a recording from outside: they are read back, and replaced between runs.
 */
#include "line.h"

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static rp_status read_segments(rp_recording *r, const rp_plan_value *v, char *data, rp_error *err) {
  rp_device *d = r->device;
  rp_status status = RP_OK;
  rp_device_lock(d);
  if (!r->loaded) status = rp_recording_load(r, NULL, err);
  for (uint32_t s = 0; s < v->n_segments && !status; s++) {
    const rp_segment *from = &v->segments[s];
    status = rp_device_note(
        d, d->backend->memory_read(d->state, &r->shared[from->block], from->offset, data, from->bytes, err));
    data += from->bytes;
  }
  rp_device_unlock(d);
  return status;
}

rp_status rp_recording_read_constant(rp_recording *recording, rp_value value, void *data, uint64_t size_bytes,
                                     rp_error *err) {
  if (!recording || !data) return rp_fail_null(err, "rp_recording_read_constant");
  const rp_plan *p = recording->plan;
  const rp_status usable = rp_device_check(recording->device, err);
  if (usable) return usable;
  if (value.id && value.graph && value.graph != p->graph->mark)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_recording_read_constant: value %u is of another graph than %s", value.id,
                   p->graph->name);
  if (value.graph != p->graph->mark || value.id == 0 || value.id > p->n_graph_values)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_recording_read_constant: no such value when %s was recorded",
                   p->graph->name);
  const rp_plan_value *v = &p->values[value.id - 1];
  if (v->same_as != RP_NONE) v = &p->values[v->same_as];
  char name[256];
  rp_plan_value_name(p, value.id - 1, name, sizeof name);
  if (size_bytes != v->bytes)
    return rp_fail(err, RP_ERR_SHAPE, "rp_recording_read_constant: %s has %llu bytes, not %llu", name,
                   (unsigned long long)v->bytes, (unsigned long long)size_bytes);
  if (v->data) {
    rp_device_lock(recording->device); /* it may be replaced meanwhile */
    memcpy(data, rp_recording_data(recording, v), size_bytes);
    rp_device_unlock(recording->device);
    return RP_OK;
  }
  if (!v->placed || v->space != RP_SPACE_CONSTANT)
    return rp_fail(err, RP_ERR_STATE, "rp_recording_read_constant: runs of %s do not read %s, so that it is not kept",
                   p->graph->name, name);
  return read_segments(recording, v, data, err);
}

/* ---- Data that replaces that of the graph ------------------------------------------------------------------------ */

bool rp_recording_open_replaced(rp_recording *r) {
  const rp_plan *p = r->plan;
  bool any = 0;
  for (uint32_t i = 0; i < p->n_graph_values; i++)
    any |= p->values[i].origin == RP_ORIGIN_GIVEN && (p->values[i].flags & RP_REPLACEABLE);
  if (any) r->replaced = rp_arena_array(&r->arena, p->n_graph_values, sizeof *r->replaced);
  return !any || r->replaced;
}

void rp_recording_close_replaced(rp_recording *r) {
  const rp_plan *p = r->plan;
  for (uint32_t i = 0; r->replaced && i < p->n_graph_values; i++)
    rp_host_free(r->device->context, r->replaced[i], p->values[i].bytes);
  r->replaced = NULL;
}

/* ---- Replacing --------------------------------------------------------------------------------------------------- */

/* A call: fresh[i] is the data for the recording, and, once it is exchanged, what was there before. */
typedef struct change {
  rp_recording *recording;
  const rp_new_constant *constants;
  uint32_t n;
  void **fresh;
} change;

static rp_status check_constant(const rp_recording *r, const rp_new_constant *c, rp_error *err) {
  static const char function[] = "rp_recording_set_constants";
  const rp_plan *p = r->plan;
  const rp_plan_value *v = NULL;
  if (!c->data) return rp_fail_null(err, function);
  if (c->value.graph == p->graph->mark && c->value.id && c->value.id <= p->n_graph_values)
    v = &p->values[c->value.id - 1];
  if (!v || v->origin != RP_ORIGIN_GIVEN)
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: value %u is not a constant that was given to the graph of %s", function,
                   c->value.id, p->graph->name);
  if (!(v->flags & RP_REPLACEABLE))
    return rp_fail(err, RP_ERR_STATE, "%s: constant '%s' was made without RP_REPLACEABLE", function, v->name);
  if (c->size_bytes != v->bytes)
    return rp_fail(err, RP_ERR_SHAPE, "%s: constant '%s' has %llu bytes, not %llu", function, v->name,
                   (unsigned long long)v->bytes, (unsigned long long)c->size_bytes);
  return RP_OK;
}

static rp_status check_constants(const change *c, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < c->n && !status; i++) {
    status = check_constant(c->recording, &c->constants[i], err);
    for (uint32_t j = 0; j < i && !status; j++)
      if (c->constants[j].value.id == c->constants[i].value.id)
        status =
            rp_fail(err, RP_ERR_ARGUMENT, "rp_recording_set_constants: entries %u and %u are the same constant", j, i);
  }
  return status;
}

static void free_fresh(change *c) {
  rp_context *context = c->recording->device->context;
  for (uint32_t i = 0; c->fresh && i < c->n; i++) rp_host_free(context, c->fresh[i], c->constants[i].size_bytes);
  rp_host_free(context, c->fresh, c->n * sizeof *c->fresh);
}

static rp_status copy_data(change *c, rp_error *err) {
  rp_context *context = c->recording->device->context;
  c->fresh = rp_host_alloc(context, c->n * sizeof *c->fresh, _Alignof(void *));
  if (!c->fresh) return rp_fail_memory(err, "new constants");
  memset(c->fresh, 0, c->n * sizeof *c->fresh);
  for (uint32_t i = 0; i < c->n; i++) {
    c->fresh[i] = rp_host_alloc(context, c->constants[i].size_bytes, 64);
    if (!c->fresh[i]) return rp_fail_memory(err, "new constants");
    memcpy(c->fresh[i], c->constants[i].data, c->constants[i].size_bytes);
  }
  return RP_OK;
}

static void exchange(change *c) {
  for (uint32_t i = 0; i < c->n; i++) {
    void **at = &c->recording->replaced[c->constants[i].value.id - 1], *before = *at;
    *at = c->fresh[i];
    c->fresh[i] = before;
  }
}

/* Whether no run has begun; then none can begin until the recording is usable again. */
static bool stop_runs(rp_recording *r) {
  pthread_mutex_lock(&r->lock);
  const bool idle = r->busy == 0;
  if (idle && r->usable) {
    r->usable = 0;
    rp_line_wake_all(r); /* threads that waited for a slot now wait for memory */
  }
  pthread_mutex_unlock(&r->lock);
  return idle;
}

static void allow_runs(rp_recording *r) {
  pthread_mutex_lock(&r->lock);
  r->usable = 1;
  rp_line_wake_all(r);
  pthread_mutex_unlock(&r->lock);
}

/* Brings the device's memory up to date. Nothing is computed again if the one-time part reads none of the constants. */
static rp_status update(const change *c, rp_error *err) {
  rp_recording *r = c->recording;
  rp_status status = RP_OK;
  bool once = 0;
  if (!r->loaded) return RP_OK;
  for (uint32_t i = 0; i < c->n; i++) once |= r->plan->values[c->constants[i].value.id - 1].in_part[RP_PART_ONCE];
  if (once) {
    rp_recording_unload(r);
    return rp_recording_load(r, NULL, err);
  }
  for (uint32_t i = 0; i < c->n && !status; i++) {
    const rp_plan_value *v = &r->plan->values[c->constants[i].value.id - 1];
    if (v->placed) status = rp_recording_upload(r, v, rp_recording_data(r, v), err);
  }
  if (status)
    rp_recording_unload(r);
  else
    allow_runs(r);
  return status;
}

rp_status rp_recording_set_constants(rp_recording *recording, const rp_new_constant *constants, uint32_t n,
                                     rp_error *err) {
  if (!recording || (n && !constants)) return rp_fail_null(err, "rp_recording_set_constants");
  change c = {.recording = recording, .constants = constants, .n = n};
  rp_status status = rp_device_check(recording->device, err);
  if (!status) status = check_constants(&c, err);
  if (status || !n) return status;
  status = copy_data(&c, err);
  if (!status) {
    rp_device_lock(recording->device);
    if (stop_runs(recording)) {
      exchange(&c);
      status = update(&c, err);
      if (status) exchange(&c);
    } else {
      status = rp_fail(err, RP_ERR_BUSY, "%s: a run has begun and not ended, and may read the constants",
                       recording->plan->graph->name);
    }
    rp_device_unlock(recording->device);
  }
  free_fresh(&c);
  return status;
}
