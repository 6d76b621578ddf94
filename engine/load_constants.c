/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constants on their way to the memory of a recording: given by the caller, or filled in by operations.
 */
#include "once.h"
#include "ring.h"

static rp_status copy_data(const void *data, uint64_t first, uint64_t bytes, void *to, rp_error *err) {
  (void)err;
  memcpy(to, (const char *)data + first, bytes);
  return RP_OK;
}

/* Whatever `read` gives, segment by segment. */
static rp_status send_up(rp_recording *r, rp_ring *ring, const rp_plan_value *v, rp_ring_read_fn read, const void *arg,
                         rp_error *err) {
  rp_status status = RP_OK;
  uint64_t first = 0;
  for (uint32_t s = 0; s < v->n_segments && !status; s++) {
    const rp_segment *to = &v->segments[s];
    const rp_ring_load load = {.to = &r->shared[to->block],
                               .offset = to->offset,
                               .first = first,
                               .bytes = to->bytes,
                               .unit_bytes = v->type->size_bytes,
                               .read = read,
                               .arg = arg};
    status = rp_ring_send(ring, &load, err);
    first += to->bytes;
  }
  return status;
}

/* A source that gives no reason. */
static rp_status fail_source(const rp_plan_value *v, rp_status status, rp_error *err) {
  return rp_fail(err, status, "constant '%s' could not be read: %s", v->name, rp_status_text(status));
}

static rp_status read_source(const void *arg, uint64_t first, uint64_t bytes, void *to, rp_error *err) {
  const rp_plan_value *v = arg;
  const rp_status status = v->source->read(v->source->user, first, bytes, to, err);
  return status == RP_OK || err->status ? status : fail_source(v, status, err);
}

static rp_status write_all(rp_recording *r, const rp_plan_value *v, const void *data, rp_error *err) {
  rp_device *d = r->device;
  const char *from = data;
  rp_status status = RP_OK;
  for (uint32_t s = 0; s < v->n_segments && !status; s++) {
    const rp_segment *to = &v->segments[s];
    status = d->backend->memory_write(d->state, &r->shared[to->block], to->offset, from, to->bytes, err);
    from += to->bytes;
  }
  return rp_device_note(d, status);
}

static rp_status upload(rp_recording *r, rp_ring *ring, const rp_plan_value *v, const void *data, rp_error *err) {
  return v->bytes < RP_RING_LEAST_BYTES ? write_all(r, v, data, err) : send_up(r, ring, v, copy_data, data, err);
}

rp_status rp_recording_upload(rp_recording *r, const rp_plan_value *v, const void *data, rp_error *err) {
  rp_ring ring;
  rp_ring_open(&ring, r->device);
  const rp_status status = upload(r, &ring, v, data, err);
  rp_ring_close(&ring);
  return status;
}

/* Fills elements [first, first + n) of a value. */
static rp_status fill_range(const rp_plan_value *v, void *data, uint64_t first, uint64_t n, rp_error *err) {
  const rp_status status = v->fill ? v->fill(v->fill_user, data, n) : v->fill_part(v->fill_user, data, first, n);
  return status ? rp_fail(err, status, "constant '%s' could not be made: %s", v->name, rp_status_text(status)) : RP_OK;
}

/* What fills a piece in blocks that stay in the first caches, since pieces may be slow to read. */
typedef struct filling {
  rp_context *context;
  const rp_plan_value *value;
} filling;

static rp_status read_filled(const void *arg, uint64_t first, uint64_t bytes, void *to, rp_error *err) {
  enum { BLOCK_BYTES = 64 << 10 };
  const filling *f = arg;
  const rp_plan_value *v = f->value;
  const uint64_t size = v->type->size_bytes, most = size < BLOCK_BYTES ? BLOCK_BYTES / size : 1;
  char *block = rp_host_alloc(f->context, most * size, 64);
  if (!block) return rp_fail_memory(err, v->name);
  rp_status status = RP_OK;
  for (uint64_t at = 0, n; at < bytes / size && !status; at += n) {
    n = bytes / size - at < most ? bytes / size - at : most;
    status = fill_range(v, block, first / size + at, n, err);
    if (!status) memcpy((char *)to + at * size, block, n * size);
  }
  rp_host_free(f->context, block, most * size);
  return status;
}

/* Through `data`, which has room for n elements of the value. */
static rp_status upload_in_parts(rp_recording *r, const rp_plan_value *v, void *data, uint64_t n, rp_error *err) {
  rp_device *d = r->device;
  const uint64_t size = v->type->size_bytes;
  rp_status status = RP_OK;
  for (uint64_t first = 0, count; first < v->len && !status; first += count) {
    const rp_segment *to = &v->segments[first / v->segment_len];
    const uint64_t at = first % v->segment_len, left = to->bytes / size - at;
    count = left < n ? left : n;
    status = fill_range(v, data, first, count, err);
    if (status) return status;
    status = d->backend->memory_write(d->state, &r->shared[to->block], to->offset + at * size, data, count * size, err);
  }
  return rp_device_note(d, status);
}

static rp_status fill(rp_recording *r, rp_ring *ring, const rp_plan_value *v, rp_error *err) {
  enum { PART_BYTES = 4 << 20 }; /* small enough to stay in a processor's cache, large enough for the device's copies */
  rp_context *c = r->device->context;
  rp_memory *m = &r->shared[v->segments[0].block];
  const filling f = {.context = c, .value = v};
  if (!v->fill && v->bytes >= RP_RING_LEAST_BYTES) return send_up(r, ring, v, read_filled, &f, err);
  if (m->host && v->n_segments == 1) return fill_range(v, (char *)m->host + v->segments[0].offset, 0, v->len, err);
  const uint64_t size = v->type->size_bytes, most = size < PART_BYTES ? PART_BYTES / size : 1,
                 n = v->fill || v->len < most ? v->len : most;
  void *data = rp_host_alloc(c, n * size, 64);
  if (!data) return rp_fail_memory(err, v->name);
  rp_status status = RP_OK;
  if (v->fill) {
    status = fill_range(v, data, 0, v->len, err);
    if (!status) status = write_all(r, v, data, err);
  } else {
    status = upload_in_parts(r, v, data, n, err);
  }
  rp_host_free(c, data, n * size);
  return status;
}

static rp_status make(rp_recording *r, rp_ring *ring, const rp_plan_value *v, rp_error *err) {
  if (!v->placed || v->space == RP_SPACE_BORROWED) return RP_OK;
  if (v->origin == RP_ORIGIN_FILLED) return fill(r, ring, v, err);
  if (v->origin != RP_ORIGIN_GIVEN) return RP_OK;
  return v->source ? send_up(r, ring, v, read_source, v, err) : upload(r, ring, v, rp_recording_data(r, v), err);
}

static bool is_among(const rp_once *once, const rp_plan_value *v) {
  for (uint32_t i = 0; i < once->n_longs; i++)
    if (once->longs[i] == v) return 1;
  return 0;
}

rp_status rp_recording_make_constants(rp_recording *r, rp_once *once, rp_error *err) {
  const rp_plan *p = r->plan;
  rp_status status = RP_OK;
  rp_ring ring;
  rp_ring_open(&ring, r->device);
  for (uint32_t i = 0; i < p->n_values && !status; i++)
    if (!is_among(once, &p->values[i])) status = make(r, &ring, &p->values[i], err);
  if (!status) status = rp_once_start(once, 0, err);
  for (uint32_t i = 0; i < once->n_longs && !status; i++) {
    status = make(r, &ring, once->longs[i], err);
    if (!status) status = rp_once_start(once, i + 1, err);
  }
  rp_ring_close(&ring);
  return status;
}
