/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "devices.h"

#include <reprise/group.h>
#include <reprise/plans.h>

#include <stdlib.h>

/* ---- Saving ------------------------------------------------------------------------------------------------------ */

static int append(void *user, const char *text, size_t bytes) {
  saved_bytes *b = user;
  saved_put(b, text, bytes);
  return b->failed;
}

rp_status saved_devices_make(const rp_graph *graph, const rp_save_options *o, saved_bytes *sections, rp_error *err) {
  const uint32_t flags = o->flags & RP_SAVE_KERNELS ? RP_PLANS_KERNELS : 0;
  if (o->n_devices > RP_SAVE_DEVICES || (o->n_devices && !o->devices))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_graph_save: a file has sections for at most %d devices, and a list.",
                        RP_SAVE_DEVICES);
  for (uint32_t i = 0; i < o->n_devices; i++) {
    const rp_status status = rp_plans_keep(o->devices[i], graph, o->record, flags, append, &sections[i], err);
    if (sections[i].failed) return support_fail(err, RP_ERR_MEMORY, "rp_graph_save: out of memory for plans.");
    if (status != RP_OK) return status;
  }
  return RP_OK;
}

rp_status saved_refuse_spread(const rp_graph *graph, const char *path, rp_error *err) {
  for (uint32_t i = 0; i < rp_graph_n_values(graph); i++) {
    rp_value_info info = {.struct_size = sizeof info};
    const rp_status status = rp_graph_get_value(graph, i, &info, err);
    if (status != RP_OK) return status;
    if (rp_value_device(graph, info.value))
      return support_fail(err, RP_ERR_UNSUPPORTED,
                          "%s: %s has values on several devices (rp_on), which files do not keep.", support_label(path),
                          rp_graph_name(graph));
  }
  return RP_OK;
}

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

rp_status saved_devices_load(const saved_container *c, rp_graph *graph, uint32_t load_flags, rp_error *err) {
  const uint32_t flags = load_flags & RP_LOAD_KERNELS ? RP_PLANS_KERNELS : 0;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < c->n_devices && status == RP_OK; i++) {
    uint8_t *data;
    status = saved_read_device(c, i, &data, err);
    if (status != RP_OK) break;
    status = rp_plans_use(graph, data, c->devices[i].size_bytes, flags, err);
    if (status == RP_ERR_FORMAT) status = saved_damaged(c->file, "a section for a device is no list of plans", err);
    free(data);
  }
  return status;
}
