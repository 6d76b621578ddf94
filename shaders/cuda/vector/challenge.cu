/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rows of bytes to elements (ops/vector/challenge.c). One thread per row.
 */
#include "kernel/kernel.cuh"

#include "arith/integer.cuh"
#include "vector/challenge_args.h"

extern "C" __global__ void __launch_bounds__(128) challenge(const rp_challenge_args k) {
  constexpr uint32_t PART = sizeof(fp);
  const uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
  if (i >= k.n) return;
  const uint8_t *row = k.in + i * k.row_bytes;
  const fp power = *(const fp *)k.power;
  fp sum = fp_zero();
#pragma unroll 1
  for (uint32_t q = (k.row_bytes + PART - 1) / PART; q-- > 0;) {
    uint32_t words[PART / 4];
#pragma unroll
    for (uint32_t w = 0; w < PART / 4; w++) {
      words[w] = 0;
#pragma unroll
      for (uint32_t b = 0; b < 4; b++) {
        const uint32_t at = q * PART + 4 * w + b;
        if (at < k.row_bytes) words[w] |= (uint32_t)row[RP_CHALLENGE_BYTE(at, k.row_bytes, k.big_endian)] << 8 * b;
      }
    }
    fp integer;
    memcpy(&integer, words, sizeof integer);
    sum = fp_add(fp_mul(sum, power), from_integer(integer));
  }
  ((fp *)k.out)[i] = sum;
}
