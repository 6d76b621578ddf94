/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What shape rules and lowerings of the built-in ops share.
 */
#ifndef REPRISE_OPS_LOWER_H
#define REPRISE_OPS_LOWER_H

#include <reprise/ops.h>

#include "kernel/bits.h"

/* Kernels count elements in 32 bits. */
#define RP_MAX_LEN ((uint64_t)UINT32_MAX)

/* Writes the reason and returns `status`. printf-like. */
rp_status rp_shape_fail(const rp_shape *s, rp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* RP_OK if all inputs are of one field, which goes to *field, and no longer than RP_MAX_LEN. */
rp_status rp_shape_one_field(const rp_shape *s, rp_field *field);
/* RP_OK if the lengths of all inputs are equal or 1; the longest goes to *len. */
rp_status rp_shape_broadcast(const rp_shape *s, uint64_t *len);
/* Sets output i. */
void rp_shape_out(const rp_shape *s, uint32_t i, const rp_type *type, uint64_t len);

/* The field of a value's type. A lowering that has failed goes on with RP_NO_VALUE and emits nothing; for that the
 * first field is returned, so that what is indexed by it is there. */
rp_field rp_lower_field(const rp_lower *l, rp_value v);
/* The same for a value of a graph; RP_FIELD_COUNT if it is none of a field. */
rp_field rp_value_field(const rp_graph *g, rp_value v);

/* Threads of a workgroup of that kernel on the device: 1 on a CPU, and where there is no variant, which the engine
 * refuses. */
uint32_t rp_lower_group(const rp_lower *l, const rp_kernel *kernel);
/* Adds a dispatch of `items` work items with the kernel's own number of binds: CPU items, or enough workgroups.
 * `grain` is the least number of items worth a CPU task. */
void rp_lower_items(rp_lower *l, const rp_kernel *kernel, uint64_t items, uint32_t grain, const void *args,
                    const rp_bind *binds);

/* The same where an item is the work of a whole workgroup. */
void rp_lower_blocks(rp_lower *l, const rp_kernel *kernel, uint64_t items, uint32_t grain, const void *args,
                     const rp_bind *binds);
/* Whether CPU kernels that have such a variant take eight elements at a time. */
int rp_lower_lanes(const rp_lower *l);
static inline int rp_lower_on_gpu(const rp_lower *l) { return (RP_ON_GPU & RP_ON(rp_lower_device(l))) != 0; }

/* Items of about `ns` nanoseconds each that make a CPU task long enough to pay for itself. Measured: waking a worker
 * and the task's bookkeeping take 2 to 5 us, so that 50 us keep the loss below a tenth. */
static inline uint32_t rp_grain(uint32_t item_ns) {
  uint32_t grain = 50000u / (item_ns ? item_ns : 1);
  return grain ? grain : 1;
}

#endif
