/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Internals of the NTT: the node's parameters, its constant tables, its lowerings.
 */
#ifndef REPRISE_OPS_NTT_H
#define REPRISE_OPS_NTT_H

#include <string.h>

#include "lower/lower.h"

struct ntt_params {
  uint64_t batch;
  rp_root root;
  rp_order in_order, out_order;
  rp_coset coset;
  uint32_t inverse, no_scale;
  uint8_t shift[48];
};

/* The twiddles of ntt/ntt_args.h: max(1, n / 2) elements. */
rp_value rp_ntt_twiddles(rp_lower *l, rp_field field, rp_root root, uint32_t log_n);

/* The factors that elements are multiplied by before a forward or after an inverse transform. Returns false, with
 * *factors untouched, if there are none. Otherwise returns true, with *step = 0 if *factors holds one factor for all
 * elements, or *step = 1 if it holds one per element, in the order of the elements in memory. */
bool rp_ntt_factors(rp_lower *l, rp_field field, const struct ntt_params *p, uint32_t log_n, rp_value *factors,
                    uint32_t *step);

rp_status rp_ntt_lower_cpu(rp_lower *l);
rp_status rp_ntt_lower_gpu(rp_lower *l);

#endif
