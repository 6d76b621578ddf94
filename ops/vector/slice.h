/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parameters of slice (rp_op_slice), for operations that look at what a value was cut from.
 */
#ifndef REPRISE_OPS_SLICE_H
#define REPRISE_OPS_SLICE_H

#include "lower/catalog.h"

typedef struct rp_slice_params {
  uint64_t first, len;
} rp_slice_params;

#endif
