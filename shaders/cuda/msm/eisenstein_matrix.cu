/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bucket matrix of digits in the ring of Eisenstein integers by counting sort, as in bucket_matrix.cu.
 */
#include "kernel/kernel.cuh"

#include "msm/eisenstein_matrix_args.h"
#include "msm/recode_words.cuh"

#include "msm/eisenstein_digit.h"

template <bool SCATTER> static __device__ void digits(const rp_eisenstein_args &k) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t s[8], x[5], y[5], carry_x[1] = {0}, carry_y[1] = {0};
  rp_eisenstein_scalar(k, s, i, !SCATTER);
  rp_eisenstein_split(k, x, y, s);
  for (uint32_t w = 0; w < k.windows; w++) {
    const rp_eisenstein_digit d = rp_eisenstein_take(k, x, y, carry_x, carry_y, i, w);
    const uint32_t place = count_row<SCATTER>(k.counters, d.row);
    if (SCATTER && d.row != RP_NO_ROW) k.entries[place] = d.entry;
  }
}

extern "C" __global__ void __launch_bounds__(256) eisenstein_count(const rp_eisenstein_args k) { digits<false>(k); }
extern "C" __global__ void __launch_bounds__(256) eisenstein_scatter(const rp_eisenstein_args k) { digits<true>(k); }
