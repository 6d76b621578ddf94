/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Geometric sequences. A product's latency is about twice its reciprocal throughput, so a range is computed as CHAINS
 * interleaved sequences of ratio base^CHAINS.
 */
#include "kernel/cpu.h"
#include "kernel/lanes.h"

#include "vector/powers_args.h"

enum { CHAINS = 4 };

/* power[c] = scale * base^(begin + c) for c < chains; *ratio = base^chains. */
static void chains_begin(fe *power, uint64_t chains, fe *ratio, const fe *base, const fe *scale, uint64_t begin) {
  fe b = *base;
  cpu_fe_pow(&power[0], &b, begin);
  if (scale) fe_mul(&power[0], &power[0], scale);
  for (uint64_t c = 1; c < chains; c++) fe_mul(&power[c], &power[c - 1], &b);
  cpu_fe_pow(ratio, &b, chains);
}

#if RP_LANES
enum { CHAINS8 = 2, MOST_CHAINS = 8 * CHAINS8, LEAST_ELEMENTS = 16 * MOST_CHAINS };

/* out = the powers, or x times the powers, in chains on eight lanes; returns where the rest begins. The product of a
 * memory value and a working value is a memory value: without x the ratio is a working value and the powers are memory
 * values; with x the powers are working values too. */
static uint64_t walk_lanes(fe *out, const fe *x, const fe *base, const fe *scale, uint64_t begin, uint64_t end) {
  fe first[MOST_CHAINS], ratio;
  fe8 power[CHAINS8], r8, t;
  if (end - begin < LEAST_ELEMENTS) return begin;
  chains_begin(first, MOST_CHAINS, &ratio, base, scale, begin);
  fe8_set1(&r8, &ratio);
  for (int c = 0; c < CHAINS8; c++) {
    if (x)
      fe8_load(&power[c], &first[8 * c]);
    else
      fe8_load_raw(&power[c], &first[8 * c]);
  }
  for (; begin + MOST_CHAINS <= end; begin += MOST_CHAINS)
    for (uint64_t c = 0; c < CHAINS8; c++) {
      if (x) {
        fe8_load_raw(&t, &x[begin + 8 * c]);
        fe8_mul(&t, &t, &power[c]);
        fe8_store_raw(&out[begin + 8 * c], &t);
      } else {
        fe8_store_raw(&out[begin + 8 * c], &power[c]);
      }
      fe8_mul(&power[c], &power[c], &r8);
    }
  return begin;
}
#endif

void RP_FN(powers)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_powers_args *k = args;
  const fe *scale = k->has_scale ? k->scale : NULL;
  fe *out = k->out, power[CHAINS], ratio;
  (void)w;
#if RP_LANES
  begin = walk_lanes(out, NULL, k->base, scale, begin, end);
#endif
  chains_begin(power, CHAINS, &ratio, k->base, scale, begin);
  for (uint64_t i = begin; i < end; i += CHAINS)
    for (uint64_t c = 0; c < CHAINS && i + c < end; c++) {
      out[i + c] = power[c];
      fe_mul(&power[c], &power[c], &ratio);
    }
}

void RP_FN(mul_powers)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *w) {
  const struct rp_mul_powers_args *k = args;
  const fe *x = k->x, *scale = k->has_scale ? k->scale : NULL;
  fe *out = k->out, power[CHAINS], ratio;
  (void)w;
#if RP_LANES
  begin = walk_lanes(out, x, k->base, scale, begin, end);
#endif
  chains_begin(power, CHAINS, &ratio, k->base, scale, begin);
  for (uint64_t i = begin; i < end; i += CHAINS)
    for (uint64_t c = 0; c < CHAINS && i + c < end; c++) {
      fe_mul(&out[i + c], &x[i + c], &power[c]);
      fe_mul(&power[c], &power[c], &ratio);
    }
}
