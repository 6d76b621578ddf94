/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix by counting sort: count the entries of each row, prefix sum, scatter. Lanes of a warp that hit the same
 * row share one atomic, so that witnesses of zeros and ones cost no more than others.
 */
#include "kernel/kernel.cuh"

#include "msm/bucket_matrix_gpu_args.h"
#include "msm/recode_words.cuh"

#include "msm/bucket_digit.h"

template <bool SCATTER> static __device__ void digits(const rp_gpu_digits_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t s[9];
  const bool negated = rp_bucket_scalar(k, s, i, !SCATTER);
  for (uint32_t w = 0; w < k.windows; w++) {
    const rp_bucket_digit d = rp_bucket_digit_of(k, s, negated, i, w);
    const uint32_t place = count_row<SCATTER>(k.counters, d.row);
    if (SCATTER && d.row != RP_NO_ROW) k.entries[place] = d.entry;
  }
}

extern "C" __global__ void __launch_bounds__(256) bucket_count(const rp_gpu_digits_args k) { digits<false>(k); }
extern "C" __global__ void __launch_bounds__(256) bucket_scatter(const rp_gpu_digits_args k) { digits<true>(k); }
