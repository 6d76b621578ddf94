/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An rp_simple on the device that the running test is for.
 */
#ifndef REPRISE_TESTS_SOURCES_SIMPLE_OPEN_H
#define REPRISE_TESTS_SOURCES_SIMPLE_OPEN_H

#include <reprise/simple.h>

#include "device.h"

/* The options that open another device like the current one. */
static inline rp_device_options simple_device(void) {
  rp_device_info info = {.struct_size = sizeof info};
  const char *isa = strchr(device_name(), '-');
  rp_device_get_info(device_current(), &info);
  return (rp_device_options){.struct_size = sizeof(rp_device_options),
                             .kind = info.kind,
                             .index = info.index,
                             .cpu_threads = 3,
                             .cpu_isa = isa ? isa + 1 : NULL};
}

static inline void simple_open(rp_simple *simple) {
  const rp_device_options options = simple_device();
  rp_error err = {0};
  if (rp_simple_open(simple, NULL, &options, &err) != RP_OK) fail_msg("%s", err.reason);
}

/* How many recordings the object has made. */
static inline uint64_t simple_recorded(rp_simple *simple) {
  rp_simple_info info = {.struct_size = sizeof info};
  rp_simple_get_info(simple, &info);
  return info.recorded;
}

#endif
