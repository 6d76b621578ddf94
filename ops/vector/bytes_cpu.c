/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Integers to bytes and back (ops/vector/bytes_args.h). Every machine that the library runs on is little-endian.
 */
#include <reprise/kernel.h>

#include "vector/bytes_args.h"

#include <string.h>

void rp_cpu_to_bytes(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_to_bytes_args *k = args;
  const uint64_t words = k->size_words;
  (void)worker;
  if (!words) {
    memcpy(k->out + begin, k->in + begin, (end - begin) * sizeof *k->out);
    return;
  }
  for (uint64_t i = begin; i < end; i++)
    k->out[i] = __builtin_bswap32(k->in[i / words * words + words - 1 - i % words]);
}

void rp_cpu_from_bytes(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const struct rp_from_bytes_args *k = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) {
    const uint32_t word = (uint32_t)(i % k->size_words);
    const uint8_t *row = k->in + i / k->size_words * k->row_bytes;
    uint32_t x = 0;
    for (uint32_t b = 0; b < 4; b++) {
      const uint64_t at = (uint64_t)k->skip_bytes + 4 * word + b;
      if (at < k->row_bytes) x |= (uint32_t)row[RP_BYTE_OF_ROW(at, k->row_bytes, k->big_endian)] << 8 * b;
    }
    k->out[i] = x & RP_WORD_MASK(word, k->bits);
  }
}
