/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Buffers: device memory that the library allocates for the caller, that the caller owns (wrapped), or that programs
 * share.
 */
#include "device.h"

#include <stddef.h>
#include <unistd.h>

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

/* ---- Memory shared with other programs --------------------------------------------------------------------------- */

static rp_status fail_unshared(const rp_device *device, rp_error *err) {
  return rp_fail(err, RP_ERR_UNSUPPORTED, "%s devices cannot share memory with other programs", device->backend->name);
}

/* New memory, with bytes that are not zero if the environment asks for it. */
static rp_status share(rp_device *d, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err) {
  rp_status status = d->backend->memory_share(d->state, bytes, memory, shared, err);
  if (!status && (status = rp_device_poison(d, memory, err)) != RP_OK) {
    rp_device_free(d, memory);
    (void)close(shared->fd); /* nobody else has it */
  }
  return rp_device_note(d, status);
}

rp_status rp_buffer_create_shared(rp_device *device, uint64_t size_bytes, rp_buffer **buffer, rp_shared_memory *memory,
                                  rp_error *err) {
  rp_status status;
  rp_shared_memory shared = {.fd = -1};
  if (buffer) *buffer = NULL;
  if (!memory) return rp_fail_null(err, "rp_buffer_create_shared");
  if (!rp_info_write(memory, &shared, sizeof shared) ||
      memory->struct_size < offsetof(rp_shared_memory, fd) + sizeof shared.fd)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_buffer_create_shared: memory.struct_size is not set");
  rp_buffer *b = make(device, size_bytes, buffer, "rp_buffer_create_shared", &status, err);
  if (!b) return status;
  if (!device->backend->memory_share) return give(b, buffer, fail_unshared(device, err));
  status = share(device, size_bytes, &b->memory, &shared, err);
  if (!status) rp_info_write(memory, &shared, sizeof shared);
  return give(b, buffer, status);
}

static rp_status check_shared(const rp_shared_memory *m, rp_error *err) {
  if (m->kind < RP_SHARE_MAPPED || m->kind > RP_SHARE_VULKAN)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_buffer_import: %d is no kind of shared memory", (int)m->kind);
  if (m->fd < 0) return rp_fail(err, RP_ERR_ARGUMENT, "rp_buffer_import: %d is not a file descriptor", (int)m->fd);
  if (m->dedicated > 1)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_buffer_import: dedicated is %u, neither 0 nor 1", m->dedicated);
  if (m->offset_bytes > m->memory_bytes || m->size_bytes > m->memory_bytes - m->offset_bytes)
    return rp_fail(
        err, RP_ERR_ARGUMENT, "rp_buffer_import: %llu bytes from %llu on do not lie inside the memory's %llu bytes",
        (unsigned long long)m->size_bytes, (unsigned long long)m->offset_bytes, (unsigned long long)m->memory_bytes);
  return RP_OK;
}

rp_status rp_buffer_import(rp_device *device, const rp_shared_memory *memory, rp_buffer **buffer, rp_error *err) {
  rp_status status;
  rp_shared_memory m;
  if (buffer) *buffer = NULL;
  if (!memory) return rp_fail_null(err, "rp_buffer_import");
  if (!rp_options_read(&m, sizeof m, memory))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_buffer_import: memory.struct_size is not set");
  rp_buffer *b = make(device, m.size_bytes, buffer, "rp_buffer_import", &status, err);
  if (!b) return status;
  if (!device->backend->memory_import) return give(b, buffer, fail_unshared(device, err));
  status = check_shared(&m, err);
  if (!status) status = device->backend->memory_import(device->state, &m, &b->memory, err);
  return give(b, buffer, rp_device_note(device, status));
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

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
