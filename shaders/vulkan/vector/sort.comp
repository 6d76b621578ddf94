/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One pass of a stable radix sort (ops/vector/sort_gpu.c). Each digit has a bitmap with one bit per thread of the
 * workgroup: the rank of a key among the equal digits is the number of bits that are set before its own.
 */
#include "kernel/kernel.glsl"

#include "vector/sort_gpu_args.h"

RP_ARGS(rp_gpu_sort_args)

#define ITEMS RP_GPU_SORT_ITEMS
#define DIGITS gl_WorkGroupSize.x /* and threads */

uint digit_of(uint key) { return key >> k.shift & ((1u << k.bits) - 1); }
bool has_digit() { return THREAD >> k.bits == 0; }
uint first_of(uint item) { return (GROUP * ITEMS + item) * THREADS; }

#define WORDS (DIGITS / 32)
shared uint holders[WORDS * DIGITS]; /* word w of digit d at w * DIGITS + d */
shared uint next[DIGITS];            /* where the digit's next key goes */
void main() {
  if (has_digit()) next[THREAD] = load_u32(k.counts, THREAD * k.blocks + GROUP);
  for (uint w = 0; w < WORDS; w++) holders[w * DIGITS + THREAD] = 0;
  barrier();
  for (uint j = 0; j < ITEMS; j++) {
    const uint i = first_of(j) + THREAD, word = THREAD / 32;
    const bool valid = i < k.n;
    const uint key = valid ? load_u32(k.keys, i) : 0, digit = digit_of(key);
    if (valid) atomicOr(holders[word * DIGITS + digit], 1u << THREAD % 32);
    barrier();
    if (valid) {
      uint at = next[digit] + bitCount(holders[word * DIGITS + digit] & ((1u << THREAD % 32) - 1));
      for (uint w = 0; w < word; w++) at += bitCount(holders[w * DIGITS + digit]);
      store_u32(k.keys_out, at, key);
      store_u32(k.order_out, at, k.first_pass != 0 ? i : load_u32(k.order, i));
    }
    barrier();
    for (uint w = 0; w < WORDS; w++) {
      next[THREAD] += bitCount(holders[w * DIGITS + THREAD]);
      holders[w * DIGITS + THREAD] = 0;
    }
    barrier();
  }
}
