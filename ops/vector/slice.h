/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What slice (rp_op_slice) shares with operations that are slices too, of values with a form.
 */
#ifndef REPRISE_OPS_SLICE_H
#define REPRISE_OPS_SLICE_H

#include "op_list.h"

typedef struct rp_slice_params {
  uint64_t first, len;
} rp_slice_params;

/* rp_op.slice_first, and the lowering, of an operation with these parameters. */
uint64_t rp_slice_first(const void *params);
rp_status rp_lower_slice(rp_lower *l);

#endif
