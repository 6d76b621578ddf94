/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A device that consists of devices. Its memory is staging in the host's memory, from which the devices take the inputs
 * and to which the outputs are copied.
 */
#include "group.h"

#include <stdio.h>

/* The state of the backend. */
typedef struct group_state {
  rp_context *context;
  rp_device *pins; /* the device whose driver gives memory from which all of its kind copy fast; NULL: none */
  rp_device **members;
  uint32_t n;
  rp_group_rates rates; /* under the device's gate */
} group_state;

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  (void)context, (void)infos, (void)capacity;
  *count = 0;
  return RP_OK;
}

static void describe(const group_state *s, rp_device_info *info) {
  size_t at = 0;
  *info = s->members[0]->info;
  info->index = 0;
  info->memory_budget_bytes = info->limits.memory_bytes = 0;
  for (uint32_t i = 0; i < s->n; i++) {
    const rp_device *d = s->members[i];
    info->memory_budget_bytes += d->info.memory_budget_bytes;
    info->limits.memory_bytes += d->info.limits.memory_bytes;
    if (at < sizeof info->name)
      at += (size_t)snprintf(info->name + at, sizeof info->name - at, "%s%s:%u", i ? ", " : "", d->backend->name,
                             d->info.index);
  }
  info->limits.host_visible = 1; /* staging is all the memory that it has */
  info->limits.max_allocation_bytes = UINT64_MAX / 2;
}

/* options->native[0] has the members, options->native_index their number. */
static rp_status open_device(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  const uint32_t n = options->native_index;
  group_state *s = rp_host_alloc(context, sizeof *s, _Alignof(group_state));
  rp_device **members = rp_host_alloc(context, n * sizeof *members, _Alignof(rp_device *));
  if (!s || !members) {
    rp_host_free(context, s, sizeof *s);
    rp_host_free(context, members, n * sizeof *members);
    return rp_fail_memory(err, "a group of devices");
  }
  *s = (group_state){.context = context, .members = members, .n = n};
  memcpy(members, options->native[0], n * sizeof *members);
  for (uint32_t i = 0; i < n; i++) {
    rp_device_retain(members[i]);
    if (!s->pins && members[i]->backend->reaches) s->pins = members[i];
  }
  describe(s, info);
  *state = s;
  return RP_OK;
}

static void close_device(void *state) {
  group_state *s = state;
  for (uint32_t i = 0; i < s->n; i++) rp_device_release(s->members[i]);
  rp_host_free(s->context, s->members, s->n * sizeof *s->members);
  rp_host_free(s->context, s, sizeof *s);
}

static size_t whole_pages(uint64_t bytes) { return (size_t)rp_align_up(bytes, rp_page_bytes()); }

static rp_status memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  group_state *s = state;
  if (kind == RP_MEMORY_DEVICE)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "a group of devices has no buffers: make them on one of its devices");
  if (s->pins) return s->pins->backend->memory_alloc(s->pins->state, kind, bytes, memory, err);
  void *p = rp_host_alloc(s->context, whole_pages(bytes), rp_page_bytes());
  if (!p) return rp_fail(err, RP_ERR_MEMORY, "out of memory: staging of %llu bytes", (unsigned long long)bytes);
  memset(p, 0, whole_pages(bytes));
  *memory = (rp_memory){.address = (uint64_t)(uintptr_t)p, .host = p, .bytes = bytes};
  return RP_OK;
}

static void memory_free(void *state, rp_memory *memory) {
  group_state *s = state;
  if (!s->pins)
    rp_host_free(s->context, memory->host, whole_pages(memory->bytes));
  else if (!rp_device_is_foreign(s->pins))
    s->pins->backend->memory_free(s->pins->state, memory);
}

static rp_status memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err) {
  (void)state, (void)native, (void)bytes, (void)memory;
  return rp_fail(err, RP_ERR_UNSUPPORTED, "a group of devices has no buffers: make them on one of its devices");
}

static rp_status memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                              rp_error *err) {
  (void)state, (void)err;
  memcpy((char *)memory->host + offset, data, (size_t)bytes);
  return RP_OK;
}

static rp_status memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                             rp_error *err) {
  (void)state, (void)err;
  memcpy(data, (const char *)memory->host + offset, (size_t)bytes);
  return RP_OK;
}

static bool is_lost(void *state) {
  const group_state *s = state;
  for (uint32_t i = 0; i < s->n; i++)
    if (rp_device_is_lost(s->members[i])) return 1;
  return 0;
}

const rp_backend rp_backend_group = {.name = "group",
                                     .kind = RP_DEVICE_AUTO,
                                     .host_only = 1,
                                     .enumerate = enumerate,
                                     .open = open_device,
                                     .close = close_device,
                                     .memory_alloc = memory_alloc,
                                     .memory_free = memory_free,
                                     .memory_wrap = memory_wrap,
                                     .memory_write = memory_write,
                                     .memory_read = memory_read,
                                     .program_create = rp_group_program_create,
                                     .program_destroy = rp_group_program_destroy,
                                     .submit = rp_group_submit,
                                     .wait = rp_group_wait,
                                     .cancel = rp_group_cancel,
                                     .wipe = rp_group_wipe,
                                     .counters = rp_group_counters,
                                     .is_lost = is_lost};

/* ---- The public functions ---------------------------------------------------------------------------------------- */

static rp_status check_member(const rp_context *context, rp_device *const *devices, uint32_t i, rp_error *err) {
  const rp_device *d = devices[i];
  if (!d) return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_open: device %u is NULL", i);
  if (d->context != context)
    return rp_fail(err, RP_ERR_MISMATCH, "rp_group_open: device %u, %s:%u, is of another context", i, d->backend->name,
                   d->info.index);
  if (d->members) return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_open: device %u is a group itself", i);
  for (uint32_t k = 0; k < i; k++)
    if (devices[k] == d)
      return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_open: device %u, %s:%u, is device %u again", i, d->backend->name,
                     d->info.index, k);
  return rp_device_check(d, err);
}

rp_status rp_group_open(rp_context *context, rp_device *const *devices, uint32_t n, rp_device **group, rp_error *err) {
  if (group) *group = NULL;
  if (!context || !devices || !group) return rp_fail_null(err, "rp_group_open");
  if (n == 0 || n > RP_GROUP_MOST)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_open: %u devices, and 1 to %d are possible", n, RP_GROUP_MOST);
  rp_status status = rp_context_check(context, err);
  for (uint32_t i = 0; i < n && !status; i++) status = check_member(context, devices, i, err);
  const rp_device_options o = {.struct_size = sizeof o, .native = {(void *)devices}, .native_index = n};
  if (!status) status = rp_device_open_with(context, &rp_backend_group, &o, group, err);
  if (status) return status;
  const group_state *s = (*group)->state;
  (*group)->members = s->members;
  (*group)->n_members = n;
  return RP_OK;
}

uint32_t rp_group_size(const rp_device *device) {
  if (!device) return 0;
  return device->members ? device->n_members : 1;
}

rp_device *rp_group_device(rp_device *device, uint32_t index) {
  if (!device || index >= rp_group_size(device)) return NULL;
  return device->members ? device->members[index] : device;
}

void rp_device_set_speed(rp_device *device, uint32_t speed) {
  if (device) atomic_store(&device->speed, speed);
}

uint32_t rp_device_speed(const rp_device *device) { return device ? atomic_load(&device->speed) : 0; }

static rp_status check_rates(const rp_device *group, const void *rates, const char *function, rp_error *err) {
  if (!group || !rates) return rp_fail_null(err, function);
  if (group->members) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: %s:%u is not a group of devices", function, group->backend->name,
                 group->info.index);
}

static void set_known(uint32_t *to, uint32_t rate) {
  if (rate) *to = rate;
}

rp_status rp_group_set_rates(rp_device *group, const rp_group_rates *rates, rp_error *err) {
  rp_group_rates given;
  const rp_status status = check_rates(group, rates, "rp_group_set_rates", err);
  if (status) return status;
  if (!rp_options_read(&given, sizeof given, rates))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_set_rates: rates.struct_size is not set");
  rp_group_rates *known = &((group_state *)group->state)->rates;
  pthread_mutex_lock(&group->gate);
  set_known(&known->together, given.together);
  for (uint32_t i = 0; i < RP_GROUP_MOST; i++) {
    set_known(&known->products[i], given.products[i]);
    set_known(&known->product_us[i], given.product_us[i]);
    set_known(&known->transforms[i], given.transforms[i]);
    set_known(&known->links[i], given.links[i]);
  }
  pthread_mutex_unlock(&group->gate);
  return RP_OK;
}

rp_status rp_group_get_rates(rp_device *group, rp_group_rates *rates, rp_error *err) {
  const rp_status status = check_rates(group, rates, "rp_group_get_rates", err);
  if (status) return status;
  if (rates->struct_size < sizeof rates->struct_size)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_get_rates: rates.struct_size is not set");
  pthread_mutex_lock(&group->gate);
  const rp_group_rates known = ((const group_state *)group->state)->rates;
  pthread_mutex_unlock(&group->gate);
  rp_info_write(rates, &known, sizeof known);
  return RP_OK;
}
