/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Canonical integers to elements and back. An extension's elements are pairs of its base field's.
 */
#include "cpu.h"

#include "args/convert.h"

void RP_FN(from_canonical)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_from_canonical_args *k = args;
  const fp *in = k->in;
  fp *out = k->out;
  (void)w;
  for (uint64_t i = FE_DEGREE * begin; i < FE_DEGREE * end; i++) {
    if (k->reduce)
      fp_from_integer_reduce(&out[i], in[i].v);
    else if (!fp_from_canonical(&out[i], in[i].v))
      cpu_fault(k->error, RP_FAULT_NOT_CANONICAL, k->site, i / FE_DEGREE);
  }
}

void RP_FN(to_canonical)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_to_canonical_args *k = args;
  const fp *in = k->in;
  fp *out = k->out;
  (void)w;
  for (uint64_t i = FE_DEGREE * begin; i < FE_DEGREE * end; i++) fp_to_canonical(out[i].v, &in[i]);
}
