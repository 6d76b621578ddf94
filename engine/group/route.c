/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the devices of a group are called, and how values travel between them.
 */
#include "group.h"

#include <stdio.h>

const char *rp_route_name(rp_route route) {
  switch (route) {
#define TEXT(name, value, text) \
  case name: return text;
    RP_ROUTE_LIST(TEXT)
#undef TEXT
  }
  return "unknown";
}

const char *rp_group_device_name(const rp_device *group, uint32_t index, char *text, size_t bytes) {
  const rp_device *d = group->members[index];
  snprintf(text, bytes, "device %u (%s:%u)", index, d->backend->name, d->info.index);
  return text;
}

rp_route rp_group_route(const rp_device *group, uint32_t from, uint32_t to) {
  const rp_device *t = group->members[to];
  if (from == to) return RP_ROUTE_SAME;
  if (from == RP_NONE)
    return t->backend->reaches ? RP_ROUTE_UPLOAD : t->info.limits.host_visible ? RP_ROUTE_MEMORY : RP_ROUTE_HOST;
  const rp_device *f = group->members[from];
  if (f->info.kind == RP_DEVICE_CPU && t->info.kind == RP_DEVICE_CPU) return RP_ROUTE_MEMORY;
  if (f->backend != t->backend || !t->backend->reaches) return RP_ROUTE_HOST;
  return t->backend->reaches(t->state, f->state) ? RP_ROUTE_PEER : RP_ROUTE_DRIVER;
}
