/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The error record of the run (reprise/kernel.h): the first fault is kept.
 */
#ifndef REPRISE_CUDA_FAULT_CUH
#define REPRISE_CUDA_FAULT_CUH

#include <stdint.h>

/* Values of rp_fault in reprise/kernel.h, which kernels do not include; tests/hygiene/layers.sh compares both. */
#define RP_FAULT_NOT_CANONICAL 1u
#define RP_FAULT_SCALAR_RANGE 2u
#define RP_FAULT_ZERO 3u
#define RP_FAULT_NOT_ON_CURVE 4u
#define RP_FAULT_NOT_IN_SUBGROUP 5u
#define RP_FAULT_ENCODING 6u
#define RP_FAULT_INDEX 7u

static __device__ __noinline__ void rp_fault(uint32_t *record, uint32_t code, uint32_t site, uint64_t index) {
  if (atomicCAS(&record[0], 0u, code) != 0u) return;
  record[1] = site;
  record[2] = (uint32_t)index;
  record[3] = (uint32_t)(index >> 32);
}

#endif
