/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of the run (reprise/kernel.h): the first fault is kept.
 */
#ifndef REPRISE_CUDA_FAULT_CUH
#define REPRISE_CUDA_FAULT_CUH

#include "fault_codes.h"
#include <stdint.h>

static __device__ __noinline__ void rp_fault(uint32_t *record, uint32_t code, uint32_t site, uint64_t index) {
  if (atomicCAS(&record[0], 0u, code) != 0u) return;
  record[1] = site;
  record[2] = (uint32_t)index;
  record[3] = (uint32_t)(index >> 32);
}

#endif
