/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Short measurements of devices, by graphs of the operations that take most of a proof's time. Each runs a few times
 * after one run that warms up, and the fastest counts.
 */
#ifndef REPRISE_GRAPHS_MEASURE_H
#define REPRISE_GRAPHS_MEASURE_H

#include <reprise/group.h>

/* Points and scalars of the products, which all devices share. */
typedef struct graphs_samples graphs_samples;
rp_status graphs_samples_open(rp_context *context, graphs_samples **samples, rp_error *err);
void graphs_samples_close(graphs_samples *samples); /* NULL does nothing */

/* Products of points of BN254's G1: of 2^12 points, or four times as many as long as one takes less than 2 ms, at most
 * 2^18. */
typedef struct graphs_product_times {
  uint32_t log_n;    /* of the largest product that was measured */
  uint32_t speed;    /* points per millisecond of that product, at least 1 */
  uint32_t rate;     /* points per millisecond beyond `fixed_us`, at least 1 */
  uint32_t fixed_us; /* the part of a product's time that does not depend on the number of its points, at least 1 */
} graphs_product_times;
rp_status graphs_measure_products(rp_device *device, const graphs_samples *samples, graphs_product_times *times,
                                  rp_error *err);

/* All devices of the group compute products of 2^log_n[device] points at once. *together: points per millisecond, at
 * least 1. */
rp_status graphs_measure_together(rp_device *group, const graphs_samples *samples, const uint32_t log_n[],
                                  uint32_t *together, rp_error *err);

/* Butterflies per microsecond of transforms over BN254's scalar field, at least 1. */
rp_status graphs_measure_transforms(rp_device *device, uint32_t *rate, rp_error *err);

/* Bytes per microsecond from one device of the group to another, at least 1; UINT32_MAX if no time is seen. */
rp_status graphs_measure_link(rp_device *group, uint32_t from, uint32_t to, uint32_t *rate, rp_error *err);

#endif
