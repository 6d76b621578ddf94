/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "recording.h"

uint64_t rp_recording_kept_bytes(const rp_recording *recording) {
  const rp_plan_info *i = &recording->plan->info;
  uint64_t slot = i->arena_bytes + i->io_bytes + i->parameter_bytes;
  if (recording->device->info.limits.host_visible) slot += i->staging_bytes;
  return i->constant_bytes + i->slots * slot;
}

const void *rp_recording_data(const rp_recording *r, const rp_plan_value *v) {
  const void *own = r->replaced ? r->replaced[v - r->plan->values] : NULL;
  return own ? own : v->data;
}
