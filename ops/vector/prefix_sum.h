/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The prefix sum as a step of other operations' lowerings.
 */
#ifndef REPRISE_OPS_PREFIX_SUM_H
#define REPRISE_OPS_PREFIX_SUM_H

#include "lower/lower.h"

/* out[i] = in[0] + ... + in[i - 1]; out is of u32 and has one element more than in. An element above `most`, or a total
 * of 2^32 or more, is a fault. */
void rp_lower_prefix_sum(rp_lower *l, rp_value out, rp_value in, uint32_t most);

#endif
