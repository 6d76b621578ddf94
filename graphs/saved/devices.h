/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sections for devices: plans of the graph that were found on one, and compiled kernels (reprise/plans.h).
 */
#ifndef REPRISE_SAVED_DEVICES_H
#define REPRISE_SAVED_DEVICES_H

#include "format.h"

#include <reprise/save.h>

/* RP_ERR_UNSUPPORTED if the graph has values on several devices of a group: files do not say where values are. */
rp_status saved_refuse_spread(const rp_graph *graph, const char *path, rp_error *err);
/* Checks what the options say of devices, and makes a section for each: sections[i] is that of devices[i]. The caller
 * frees their data, also after a failure. */
rp_status saved_devices_make(const rp_graph *graph, const rp_save_options *options, saved_bytes *sections,
                             rp_error *err);
/* Gives the graph what the sections for devices say. */
rp_status saved_devices_load(const saved_container *c, rp_graph *graph, uint32_t load_flags, rp_error *err);

#endif
