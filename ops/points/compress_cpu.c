/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compressed encodings of affine points (ops/points/compress_args.h).
 */
#include <reprise/kernel.h>

#include "points/compress_args.h"

#include <stdbool.h>

/* Whether y > p - y, which is 2 y > p; p is odd. */
static bool is_larger(const uint32_t *y, const uint32_t *p, uint32_t words) {
  if (y[words - 1] >> 31) return 1;
  for (uint32_t w = words; w-- > 0;) {
    const uint32_t twice = y[w] << 1 | (w ? y[w - 1] >> 31 : 0);
    if (twice != p[w]) return twice > p[w];
  }
  return 0;
}

static bool is_zero(const uint32_t *x, uint32_t words) {
  uint32_t any = 0;
  for (uint32_t w = 0; w < words; w++) any |= x[w];
  return !any;
}

void rp_cpu_compress(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_compress_args *k = args;
  const uint32_t words = k->size_words, prefix = k->format == RP_COMPRESS_SEC1;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint32_t *x = k->in + 2 * i * words, *y = x + words;
    const bool infinite = is_zero(x, 2 * words), larger = is_larger(y, k->modulus, words);
    const bool minus = k->format == RP_COMPRESS_VERKLE && !larger && !is_zero(x, words);
    uint8_t *out = k->out + i * (4 * words + prefix);
    uint32_t borrow = 0;
    if (prefix) out[0] = (uint8_t)(2 + (y[0] & 1));
    if (prefix && infinite) rp_fault_report(k->error, RP_FAULT_ENCODING, k->site, i);
    for (uint32_t w = 0; w < words; w++) {
      uint32_t v = x[w];
      if (minus) {
        const uint32_t p = k->modulus[w];
        v = p - x[w] - borrow;
        borrow = p < x[w] || (p == x[w] && borrow);
      }
      if (w + 1 == words) v |= RP_COMPRESS_FLAGS(k->format, infinite, larger) << 24;
      for (uint32_t b = 0; b < 4; b++) out[prefix + 4 * (words - w) - 1 - b] = (uint8_t)(v >> 8 * b);
    }
  }
}
