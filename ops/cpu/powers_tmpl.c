/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Geometric sequences. A product's latency is about twice its throughput, so a range is walked as CHAINS interleaved
 * sequences of ratio base^CHAINS.
 */
#include "cpu.h"

#include "args/powers.h"

enum { CHAINS = 4 };

/* power[c] = scale * base^(begin + c); *ratio = base^CHAINS */
static void chains_begin(fe power[CHAINS], fe *ratio, const fe *base, const fe *scale, uint64_t begin) {
  fe b = *base;
  cpu_fe_pow(&power[0], &b, begin);
  if (scale) fe_mul(&power[0], &power[0], scale);
  for (int c = 1; c < CHAINS; c++) fe_mul(&power[c], &power[c - 1], &b);
  cpu_fe_pow(ratio, &b, CHAINS);
}

void RP_FN(powers)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_powers_args *k = args;
  fe *out = k->out, power[CHAINS], ratio;
  (void)w;
  chains_begin(power, &ratio, k->base, k->has_scale ? k->scale : NULL, begin);
  for (uint64_t i = begin; i < end; i += CHAINS)
    for (uint64_t c = 0; c < CHAINS && i + c < end; c++) {
      out[i + c] = power[c];
      fe_mul(&power[c], &power[c], &ratio);
    }
}

void RP_FN(mul_powers)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_mul_powers_args *k = args;
  const fe *x = k->x;
  fe *out = k->out, power[CHAINS], ratio;
  (void)w;
  chains_begin(power, &ratio, k->base, k->has_scale ? k->scale : NULL, begin);
  for (uint64_t i = begin; i < end; i += CHAINS)
    for (uint64_t c = 0; c < CHAINS && i + c < end; c++) {
      fe_mul(&out[i + c], &x[i + c], &power[c]);
      fe_mul(&power[c], &power[c], &ratio);
    }
}
