/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Devices: listing them, choosing one, opening it.
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

const char *rp_device_kind_name(rp_device_kind kind) {
  switch (kind) {
#define NAME(name, value, text) \
  case name: return text;
    RP_DEVICE_KIND_LIST(NAME)
#undef NAME
  case RP_DEVICE_KIND_COUNT: break;
  }
  return "unknown";
}

/* The devices of one backend, in memory from the context's allocator. */
typedef struct device_list {
  rp_device_info *infos;
  uint32_t n, capacity;
} device_list;
static rp_status list_devices(rp_context *context, const rp_backend *backend, device_list *list, rp_error *err);
static void free_list(rp_context *context, device_list *list);

rp_status rp_devices(rp_context *context, rp_device_info *devices, uint32_t capacity, uint32_t *count, rp_error *err) {
  if (!context || !count || (!devices && capacity)) return rp_fail_null(err, "rp_devices");
  *count = 0;
  const uint32_t stride = capacity ? devices[0].struct_size : 0;
  if (capacity && stride < sizeof stride)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_devices: devices[0].struct_size is not set");
  const rp_status usable = rp_context_check(context, err);
  if (usable) return usable;
  for (const rp_backend *const *b = rp_backends; *b; b++) {
    device_list list;
    rp_status status = list_devices(context, *b, &list, err);
    if (status) return status;
    for (uint32_t i = 0; i < list.n; i++, ++*count)
      if (*count < capacity) {
        char *theirs = (char *)devices + (size_t)*count * stride;
        memcpy(theirs, &stride, sizeof stride);
        rp_info_write(theirs, &list.infos[i], sizeof list.infos[i]);
      }
    free_list(context, &list);
  }
  return RP_OK;
}

/* ---- Choosing ---------------------------------------------------------------------------------------------------- */

/* Parses "cuda:1" into kind and index. */
static rp_status parse_choice(const char *text, rp_device_kind *kind, uint32_t *index, rp_error *err) {
  size_t n = strcspn(text, ":");
  for (int k = 0; k < RP_DEVICE_KIND_COUNT; k++) {
    const char *name = rp_device_kind_name((rp_device_kind)k);
    if (strlen(name) != n || memcmp(name, text, n) != 0) continue;
    *kind = (rp_device_kind)k;
    if (text[n] == 0) return RP_OK;
    char *end;
    unsigned long i = strtoul(text + n + 1, &end, 10);
    if (text[n + 1] < '0' || text[n + 1] > '9' || *end || i > UINT32_MAX || k == RP_DEVICE_AUTO) break;
    *index = (uint32_t)i;
    return RP_OK;
  }
  return rp_fail(
      err, RP_ERR_ARGUMENT,
      "REPRISE_DEVICE=%.64s names no device: write auto, cpu, cuda, vulkan or null, and an index if there are "
      "several, as in cuda:1",
      text);
}

const rp_backend *rp_backend_of(rp_device_kind kind) {
  for (const rp_backend *const *b = rp_backends; *b; b++)
    if ((*b)->kind == kind) return *b;
  return NULL;
}

/* The backend is asked only once if the list is long enough, so that entries and number are of the same moment: a
 * driver may lose or gain a device between two calls. */
static rp_status list_devices(rp_context *context, const rp_backend *backend, device_list *list, rp_error *err) {
  enum { USUAL = 8 };
  for (uint32_t room = USUAL;; room = list->n) {
    *list = (device_list){.capacity = room};
    list->infos = rp_host_alloc(context, room * sizeof *list->infos, _Alignof(rp_device_info));
    if (!list->infos) return rp_fail_memory(err, "the list of devices");
    memset(list->infos, 0, room * sizeof *list->infos);
    const rp_status status = backend->enumerate(context, list->infos, room, &list->n);
    if (!status && list->n <= room) return RP_OK;
    free_list(context, list);
    if (status) return rp_fail(err, status, "%s devices could not be listed", backend->name);
  }
}

static void free_list(rp_context *context, device_list *list) {
  rp_host_free(context, list->infos, list->capacity * sizeof *list->infos);
}

/* The best device of one backend; RP_ERR_UNAVAILABLE and *last if none can be opened. */
static rp_status open_best(rp_context *context, const rp_backend *backend, rp_device_options *options,
                           rp_device **device, rp_error *last) {
  device_list list;
  rp_status status = list_devices(context, backend, &list, last);
  if (status) return status;
  status = RP_ERR_UNAVAILABLE;
  for (uint32_t i = 0; i < list.n && status; i++) {
    const rp_device_info *info = &list.infos[i];
    if (info->available && !info->software) {
      options->kind = backend->kind;
      options->index = info->index;
      status = rp_device_open_on(context, backend, options, NULL, device, last);
      if (status) rp_log(context, RP_LOG_WARNING, "%s is passed over: %s", info->name, last->reason);
    } else {
      rp_log(context, RP_LOG_DEBUG, "%s is passed over: %s", info->name,
             info->available ? "a software rasteriser" : info->reason);
    }
  }
  free_list(context, &list);
  return status;
}

/* Opens the best device: that of the first backend, in the order of rp_backends, which has one that can be opened. */
static rp_status open_auto(rp_context *context, rp_device_options *options, rp_device **device, rp_error *err) {
  rp_error last = {.status = RP_ERR_UNAVAILABLE, .reason = "this library was built without any backend"};
  for (const rp_backend *const *b = rp_backends; *b; b++) {
    if ((*b)->kind == RP_DEVICE_NULL) continue;
    if ((*b)->no_hardware && (*b)->no_hardware()) {
      rp_log(context, RP_LOG_DEBUG, "%s is passed over: no hardware for it", (*b)->name);
      continue;
    }
    const bool holds = (*b)->hold && (*b)->hold(context);
    const rp_status status = open_best(context, *b, options, device, &last);
    if (holds) (*b)->let_go(context);
    if (!status) return RP_OK;
  }
  if (err) *err = last;
  return last.status;
}

static rp_status open_listed(rp_context *context, const rp_backend *backend, const rp_device_options *options,
                             const rp_host_device *host, rp_device **device, rp_error *err) {
  const char *name = rp_device_kind_name(options->kind);
  device_list list;
  rp_status status = list_devices(context, backend, &list, err);
  if (status) return status;
  const rp_device_info *found = NULL;
  for (uint32_t i = 0; i < list.n; i++)
    if (list.infos[i].index == options->index && (list.infos[i].available || !found)) found = &list.infos[i];
  if (!found)
    status = rp_fail(err, RP_ERR_UNAVAILABLE, "no device %s:%u: there %s %u of that kind", name, options->index,
                     list.n == 1 ? "is" : "are", list.n);
  else if (!found->available)
    status = rp_fail(err, RP_ERR_UNAVAILABLE, "no device %s:%u: %s", name, options->index, found->reason);
  else
    status = rp_device_open_on(context, backend, options, host, device, err);
  free_list(context, &list);
  return status;
}

/* Opens a device by kind and index; if there is none, the reason says what is missing. */
rp_status rp_device_open_named(rp_context *context, const rp_device_options *options, const rp_host_device *host,
                               rp_device **device, rp_error *err) {
  const rp_backend *backend = rp_backend_of(options->kind);
  if (!backend)
    return rp_fail(err, RP_ERR_UNAVAILABLE, "no %s device: this library was built without that backend",
                   rp_device_kind_name(options->kind));
  const bool holds = backend->hold && backend->hold(context);
  const rp_status status = open_listed(context, backend, options, host, device, err);
  if (holds) backend->let_go(context);
  return status;
}

rp_status rp_device_open(rp_context *context, const rp_device_options *options, rp_device **device, rp_error *err) {
  rp_device_options o;
  if (device) *device = NULL;
  if (!context || !device) return rp_fail_null(err, "rp_device_open");
  const rp_status usable = rp_context_check(context, err);
  if (usable) return usable;
  if (!rp_options_read(&o, sizeof o, options))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_device_open: options.struct_size is not set");
  if ((unsigned)o.kind >= RP_DEVICE_KIND_COUNT)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_device_open: %d is not a device kind", (int)o.kind);
  const char *wish = o.kind == RP_DEVICE_AUTO ? getenv("REPRISE_DEVICE") : NULL;
  if (wish && *wish) {
    rp_status status = parse_choice(wish, &o.kind, &o.index, err);
    if (status) return status;
  }
  return o.kind == RP_DEVICE_AUTO ? open_auto(context, &o, device, err)
                                  : rp_device_open_named(context, &o, NULL, device, err);
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

rp_status rp_device_open_with(rp_context *context, const rp_backend *backend, const rp_device_options *options,
                              rp_device **device, rp_error *err) {
  return rp_device_open_on(context, backend, options, NULL, device, err);
}

/* By default nine tenths of the memory, or of what others have left of it. */
static void set_budget(rp_device *d, const rp_device_options *options) {
  uint64_t *budget = &d->info.memory_budget_bytes;
  if (options->memory_budget_bytes) {
    *budget = options->memory_budget_bytes;
    return;
  }
  if (!*budget) *budget = d->info.limits.memory_bytes / 10 * 9;
  const uint64_t free = d->backend->free_bytes ? d->backend->free_bytes(d->state) / 10 * 9 : 0;
  if (free && free < *budget) *budget = free;
}

rp_status rp_device_open_on(rp_context *context, const rp_backend *backend, const rp_device_options *options,
                            const rp_host_device *host, rp_device **device, rp_error *err) {
  *device = NULL;
  rp_device *d = rp_host_alloc(context, sizeof *d, _Alignof(rp_device));
  if (!d) return rp_fail_memory(err, "a device");
  memset(d, 0, sizeof *d);
  d->context = context;
  d->backend = backend;
  if (host) d->allocator = host->allocator;
  rp_status status = host && backend->open_for ? backend->open_for(context, options, host, &d->state, &d->info, err)
                                               : backend->open(context, options, &d->state, &d->info, err);
  if (status) {
    rp_host_free(context, d, sizeof *d);
    return status;
  }
  set_budget(d, options);
  if (!d->info.limits.align_bytes) d->info.limits.align_bytes = 64;
  if (!d->info.limits.max_allocation_bytes) d->info.limits.max_allocation_bytes = UINT64_MAX / 2;
  d->takes_turns = d->info.kind == RP_DEVICE_CPU;
  rp_device_open_gate(d);
  atomic_init(&d->references, 1);
  atomic_fetch_add(&context->devices, 1);
  rp_context_retain(context);
  rp_log(context, RP_LOG_INFO, "opened %s:%u, %s", backend->name, d->info.index, d->info.name);
  *device = d;
  return RP_OK;
}

void rp_device_get_info(const rp_device *device, rp_device_info *info) {
  static const rp_device_info none = {.kind = RP_DEVICE_AUTO};
  if (info) rp_info_write(info, device ? &device->info : &none, sizeof none);
}

rp_context *rp_device_context(const rp_device *device) { return device ? device->context : NULL; }

static bool backend_lost(const rp_device *device) {
  return device->backend->is_lost && device->backend->is_lost(device->state);
}

/* The backend may know before a status says so: wiping, closing and destroying return none. */
bool rp_device_is_lost(const rp_device *device) {
  return device && (atomic_load(&device->lost) || backend_lost(device));
}

rp_status rp_device_note(rp_device *device, rp_status status) {
  if (status == RP_ERR_DEVICE_LOST || (status && backend_lost(device))) {
    if (!atomic_exchange(&device->lost, 1)) {
      rp_log(device->context, RP_LOG_ERROR, "%s:%u (%s) is lost", device->backend->name, device->info.index,
             device->info.name);
      rp_device_news(device);
    }
  }
  return status;
}

rp_status(rp_device_fail_lost)(const rp_device *device, rp_error *err) {
  for (uint32_t i = 0; i < device->n_members; i++)
    if (rp_device_is_lost(device->members[i])) return rp_device_fail_lost(device->members[i], err);
  return rp_fail(err, RP_ERR_DEVICE_LOST,
                 "device %s:%u (%s) has been lost: close it and go on with another; if it does not open again, restart "
                 "the process",
                 device->backend->name, device->info.index, device->info.name);
}

rp_status rp_device_check(const rp_device *device, rp_error *err) {
  const rp_status status = rp_context_check(device->context, err);
  if (status) return status;
  return rp_device_is_lost(device) ? rp_device_fail_lost(device, err) : RP_OK;
}

rp_status rp_device_alloc(rp_device *device, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  *memory = (rp_memory){0};
  rp_status status = device->allocator.alloc && (kind == RP_MEMORY_DEVICE || device->info.limits.host_visible)
                         ? rp_device_borrow(device, bytes, memory, err)
                         : device->backend->memory_alloc(device->state, kind, bytes, memory, err);
  if (status) *memory = (rp_memory){0};
  if (!status && kind == RP_MEMORY_DEVICE && !memory->lent) {
    status = rp_device_poison(device, memory, err);
    if (status) rp_device_free(device, memory);
  }
  return rp_device_note(device, status);
}

void rp_device_free(rp_device *device, rp_memory *memory) {
  if (memory->lent)
    rp_device_give_back(device, memory);
  else if (memory->bytes && !rp_device_is_foreign(device))
    device->backend->memory_free(device->state, memory);
  *memory = (rp_memory){0};
}
