/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a device can do at best, measured by small graphs: each figure is the least of several runs.
 */
#ifndef REPRISE_VIEW_CEILINGS_H
#define REPRISE_VIEW_CEILINGS_H

#include <reprise/ops.h>

/* The time per product when the whole device multiplies in registers. */
rp_status view_product_ns(rp_device *device, rp_field field, double *ns, rp_error *err);
/* The time per byte read or written of a copy of that many bytes, a multiple of 32. */
rp_status view_byte_ns(rp_device *device, uint64_t bytes, double *ns, rp_error *err);

#endif
