/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Moves elements of any size, as many at a time as a block has threads.
 */
#ifndef REPRISE_CUDA_VALUES_CUH
#define REPRISE_CUDA_VALUES_CUH

#include <stdint.h>

static constexpr uint32_t NOWHERE = UINT32_MAX;

/* Moves the elements as words, so that neighbouring lanes move neighbouring bytes. */
template <uint32_t THREADS, typename T>
static __device__ __forceinline__ void move_words(T *out, const T *in, uint32_t words, const uint32_t *from,
                                                  const uint32_t *to) {
#pragma unroll 4
  for (uint32_t t = threadIdx.x; t < THREADS * words; t += THREADS) {
    const uint32_t i = t / words, w = t - i * words;
    if (to[i] != NOWHERE)
      out[(uint64_t)to[i] * words + w] = from[i] != NOWHERE ? in[(uint64_t)from[i] * words + w] : T{};
  }
}

/* out[to[i]] = in[from[i]] for i below THREADS. If from[i] is NOWHERE, the element becomes zero; if to[i] is NOWHERE,
 * it is left out. `from` and `to` are in shared memory. All threads of the block call together, after a barrier that
 * follows the writes to `from` and `to`. */
template <uint32_t THREADS>
static __device__ void move_values(void *out, const void *in, uint32_t size, const uint32_t *from, const uint32_t *to) {
  const uintptr_t bits = (uintptr_t)out | (uintptr_t)in | size;
  if ((bits & 15) == 0)
    move_words<THREADS>((uint4 *)out, (const uint4 *)in, size / 16, from, to);
  else if ((bits & 7) == 0)
    move_words<THREADS>((uint64_t *)out, (const uint64_t *)in, size / 8, from, to);
  else if ((bits & 3) == 0)
    move_words<THREADS>((uint32_t *)out, (const uint32_t *)in, size / 4, from, to);
  else
    move_words<THREADS>((uint8_t *)out, (const uint8_t *)in, size, from, to);
}

#endif
