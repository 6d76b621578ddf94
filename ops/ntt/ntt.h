/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Internals of the NTT: the node's parameters, its constant tables, its lowerings.
 */
#ifndef REPRISE_OPS_NTT_H
#define REPRISE_OPS_NTT_H

#include <string.h>

#include "lower/lower.h"

#include "ntt/ntt_args.h"

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

/* A node as the lowerings of all devices see it; `work` is `out`, unless a lowering has other memory between passes. */
typedef struct rp_ntt_job {
  rp_value in, out, work, twiddles, factors; /* factors: RP_NO_VALUE unless `factored` */
  rp_field field;
  const rp_type *type;
  uint64_t len;
  uint32_t log_n, factor_step;
  bool transposed, inverse, both_natural, both_reversed, factored;
} rp_ntt_job;
rp_ntt_job rp_ntt_begin(rp_lower *l);
/* Pass i of `passes`: fills in the flags of `args`, and the binds of out, in, twiddles and factors. */
void rp_ntt_pass(const rp_ntt_job *job, uint32_t i, uint32_t passes, struct rp_ntt_args *args, rp_bind binds[4]);

static inline uint32_t rp_ntt_log2(uint64_t x) { /* rounded down */
  uint32_t r = 0;
  while (x >> (r + 1)) r++;
  return r;
}

rp_status rp_ntt_lower_cpu(rp_lower *l);
rp_status rp_ntt_lower_gpu(rp_lower *l);

#endif
