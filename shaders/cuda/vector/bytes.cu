/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Integers to bytes and back (ops/vector/bytes_args.h): one thread per word.
 */
#include "kernel/kernel.cuh"

#include "vector/bytes_args.h"

#define INDEX (blockIdx.x * (uint64_t)blockDim.x + threadIdx.x)

extern "C" __global__ void __launch_bounds__(256) to_bytes(const rp_to_bytes_args k) {
  const uint64_t i = INDEX;
  if (i >= k.n) return;
  if (k.size_words == 0) {
    k.out[i] = k.in[i];
    return;
  }
  const uint32_t word = (uint32_t)i % k.size_words;
  k.out[i] = __byte_perm(k.in[i - word + (k.size_words - 1 - word)], 0, 0x0123);
}

extern "C" __global__ void __launch_bounds__(256) from_bytes(const rp_from_bytes_args k) {
  const uint64_t i = INDEX;
  if (i >= k.n) return;
  const uint32_t row = (uint32_t)i / k.size_words, word = (uint32_t)i % k.size_words;
  const uint8_t *bytes = k.in + (uint64_t)row * k.row_bytes;
  uint32_t x = 0;
#pragma unroll
  for (uint32_t b = 0; b < 4; b++) {
    const uint32_t at = k.skip_bytes + 4 * word + b; /* skip_bytes is below 2^29 */
    if (at < k.row_bytes) x |= (uint32_t)bytes[RP_BYTE_OF_ROW(at, k.row_bytes, k.big_endian)] << 8 * b;
  }
  k.out[i] = x & RP_WORD_MASK(word, k.bits);
}
