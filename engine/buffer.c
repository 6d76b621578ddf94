/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Buffers: device memory that the library allocates for the caller, or that the caller owns (wrapped).
 */
#include "device.h"

/* NULL, with the reason in *status and *err, if the buffer cannot be made. */
static rp_buffer *make(rp_device *device, uint64_t size_bytes, rp_buffer **buffer, const char *function,
                       rp_status *status, rp_error *err) {
  rp_buffer *b = NULL;
  *status = RP_OK;
  if (buffer) *buffer = NULL;
  if (!device || !buffer)
    *status = rp_fail_null(err, function);
  else if (size_bytes == 0)
    *status = rp_fail(err, RP_ERR_ARGUMENT, "%s: a buffer has at least one byte", function);
  else if ((*status = rp_device_check(device, err)) != RP_OK)
    b = NULL;
  else if (!(b = rp_host_alloc(device->context, sizeof *b, _Alignof(rp_buffer))))
    *status = rp_fail_memory(err, "a buffer");
  else
    *b = (rp_buffer){.device = device};
  if (b) {
    atomic_fetch_add(&device->n_buffers, 1);
    rp_device_retain(device);
  }
  return b;
}

static void free_buffer(rp_buffer *b) {
  rp_device *d = b->device;
  rp_host_free(d->context, b, sizeof *b);
  atomic_fetch_sub(&d->n_buffers, 1);
  rp_device_release(d);
}

/* Gives a new buffer to the caller, or frees it after a failure. */
static rp_status give(rp_buffer *b, rp_buffer **buffer, rp_status status) {
  if (status)
    free_buffer(b);
  else
    *buffer = b;
  return status;
}

rp_status rp_buffer_create(rp_device *device, uint64_t size_bytes, rp_buffer **buffer, rp_error *err) {
  rp_status status;
  rp_buffer *b = make(device, size_bytes, buffer, "rp_buffer_create", &status, err);
  if (!b) return status;
  return give(b, buffer, rp_device_alloc(device, RP_MEMORY_DEVICE, size_bytes, &b->memory, err));
}

rp_status rp_buffer_wrap(rp_device *device, void *native, uint64_t size_bytes, rp_buffer **buffer, rp_error *err) {
  rp_status status;
  rp_buffer *b = make(device, size_bytes, buffer, "rp_buffer_wrap", &status, err);
  if (!b) return status;
  b->wrapped = 1;
  if (!native) return give(b, buffer, rp_fail_null(err, "rp_buffer_wrap"));
  if (!device->backend->memory_wrap)
    return give(b, buffer, rp_fail(err, RP_ERR_UNSUPPORTED, "%s devices cannot wrap memory", device->backend->name));
  status = device->backend->memory_wrap(device->state, native, size_bytes, &b->memory, err);
  return give(b, buffer, rp_device_note(device, status));
}

void rp_buffer_destroy(rp_buffer *buffer) {
  if (!buffer) return;
  rp_device *d = buffer->device;
  if (!buffer->wrapped)
    rp_device_free(d, &buffer->memory);
  else if (d->backend->memory_unwrap && !rp_device_is_foreign(d))
    d->backend->memory_unwrap(d->state, &buffer->memory);
  free_buffer(buffer);
}

uint64_t rp_buffer_size(const rp_buffer *buffer) { return buffer ? buffer->memory.bytes : 0; }

static rp_status check_range(const rp_buffer *buffer, uint64_t offset, const void *data, uint64_t size,
                             const char *function, rp_error *err) {
  if (!buffer || !data) return rp_fail_null(err, function);
  const rp_status status = rp_device_check(buffer->device, err);
  if (status) return status;
  if (offset > buffer->memory.bytes || size > buffer->memory.bytes - offset)
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: %llu bytes from %llu do not lie inside the buffer's %llu", function,
                   (unsigned long long)size, (unsigned long long)offset, (unsigned long long)buffer->memory.bytes);
  return RP_OK;
}

rp_status rp_buffer_write(rp_buffer *buffer, uint64_t offset_bytes, const void *data, uint64_t size_bytes,
                          rp_error *err) {
  rp_status status = check_range(buffer, offset_bytes, data, size_bytes, "rp_buffer_write", err);
  if (status) return status;
  rp_device *d = buffer->device;
  return rp_device_note(d, d->backend->memory_write(d->state, &buffer->memory, offset_bytes, data, size_bytes, err));
}

rp_status rp_buffer_read(rp_buffer *buffer, uint64_t offset_bytes, void *data, uint64_t size_bytes, rp_error *err) {
  rp_status status = check_range(buffer, offset_bytes, data, size_bytes, "rp_buffer_read", err);
  if (status) return status;
  rp_device *d = buffer->device;
  return rp_device_note(d, d->backend->memory_read(d->state, &buffer->memory, offset_bytes, data, size_bytes, err));
}
