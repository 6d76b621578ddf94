/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where n elements are best inverted, one line per kind of device.
 */
#include "inverse.h"

/* Measured with examples/tables.c (docs/sources.md says on what); a chain of one element is the same as inverting it
 * alone. With Vulkan, a call that also records was slower up to 65536; extrapolation gives 262144 as the break-even. */
static const rp_inverse_table tables[RP_DEVICE_KIND_COUNT] = {
    [RP_DEVICE_CPU] = {.chain = 2, .device = 64, .device_once = 256},
    [RP_DEVICE_CUDA] = {.chain = 2, .device = 512, .device_once = 16384},
    [RP_DEVICE_VULKAN] = {.chain = 2, .device = 2048, .device_once = 262144},
    [RP_DEVICE_NULL] = {.chain = 2, .device = 512, .device_once = 16384}};

rp_inverse_table rp_batch_inv_table(rp_device_kind device) {
  return (unsigned)device < RP_DEVICE_KIND_COUNT && device != RP_DEVICE_AUTO ? tables[device] : tables[RP_DEVICE_CPU];
}

rp_inverse_route rp_batch_inv_route(rp_device_kind device, uint64_t n, const rp_batch_inv_options *options) {
  rp_batch_inv_options o;
  if (!rp_options_read(&o, sizeof o, options)) o = (rp_batch_inv_options){0};
  const rp_inverse_table t = o.table ? *o.table : rp_batch_inv_table(device);
  if (o.route != RP_INVERSE_ROUTE_AUTO) return o.route;
  return n >= t.device_once ? RP_INVERSE_ROUTE_DEVICE
         : n >= t.chain     ? RP_INVERSE_ROUTE_CHAIN
                            : RP_INVERSE_ROUTE_ELEMENTS;
}
